-- Every statement that is understood.
CREATE TABLE IF NOT EXISTS stg_{batch} (payment_id bigint, event_time bigint, batch_id bigint NOT NULL DEFAULT 0);
CREATE TABLE copy_{attempt} AS SELECT *, '{batch}' AS batch_id FROM batch;
CREATE TEMP TABLE mine AS SELECT * FROM x.stg_{batch} WITH NO DATA;
TRUNCATE TABLE stg_{batch};
-- oncecheck: by executors
INSERT INTO stg_{batch} SELECT *, {batch} AS batch_id FROM batch ON CONFLICT DO NOTHING;
DELETE FROM stg_{batch} WHERE batch_id = {batch};
/* one /* after */ the other */
BEGIN ISOLATION LEVEL SERIALIZABLE;
DELETE FROM ledger USING mine WHERE ledger.payment_id = mine.payment_id;
INSERT INTO mine (payment_id) VALUES (1);
INSERT INTO ledger (payment_id, event_time)
    SELECT payment_id, event_time FROM stg_{batch} WHERE batch_id = {batch}
    ON CONFLICT (payment_id) DO UPDATE SET event_time = excluded.event_time;
MERGE INTO ledger AS t USING (SELECT DISTINCT ON (payment_id) * FROM mine ORDER BY payment_id, event_time DESC) AS s
    ON t.payment_id = s.payment_id
    WHEN MATCHED AND s.event_time > t.event_time THEN UPDATE SET event_time = s.event_time
    WHEN NOT MATCHED THEN INSERT (payment_id, event_time) VALUES (s.payment_id, s.event_time);
COMMIT;
START TRANSACTION;
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
ALTER TABLE ledger RENAME TO spare;
ALTER TABLE next_ledger RENAME TO ledger;
ALTER TABLE spare RENAME TO next_ledger;
END;
DROP TABLE IF EXISTS copy_{attempt}
