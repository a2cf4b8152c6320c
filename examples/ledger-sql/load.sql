-- One micro-batch into the ledger, as the job sends it to the database: {attempt} is fresh for each execution.
-- Every statement commits by itself; "batch" is the rows of the micro-batch.

CREATE TABLE stg_payments_{attempt} (
    topic       text,
    "partition" integer,
    "offset"    bigint,
    event_id    text,
    payment_id  text,
    event_time  bigint,
    PRIMARY KEY (topic, "partition", "offset")
);

-- A task that runs twice meets the primary key.
-- oncecheck: by executors
INSERT INTO stg_payments_{attempt} SELECT * FROM batch ON CONFLICT DO NOTHING;

-- A payment may change twice within one batch, and a driver that was replaced may still come with old rows.
MERGE INTO ledger AS there
USING (
    SELECT DISTINCT ON (payment_id) payment_id, event_id, event_time
    FROM stg_payments_{attempt}
    ORDER BY payment_id, event_time DESC
) AS staged
ON there.payment_id = staged.payment_id
WHEN MATCHED AND staged.event_time > there.event_time THEN
    UPDATE SET event_id = staged.event_id, event_time = staged.event_time
WHEN NOT MATCHED THEN
    INSERT (payment_id, event_id, event_time) VALUES (staged.payment_id, staged.event_id, staged.event_time);

DROP TABLE stg_payments_{attempt};
