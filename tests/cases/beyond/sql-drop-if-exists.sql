DROP TABLE IF EXISTS stg;
CREATE TABLE stg AS SELECT * FROM batch;
INSERT INTO ledger (payment_id, event_id, event_time)
    SELECT payment_id, event_id, event_time FROM stg
    ON CONFLICT (payment_id) DO UPDATE SET event_id = excluded.event_id, event_time = excluded.event_time;
