-- oncecheck: on_error ignore
INSERT INTO ledger (payment_id, event_id, event_time)
    SELECT payment_id, event_id, event_time FROM batch
    ON CONFLICT (payment_id) DO UPDATE SET event_id = excluded.event_id, event_time = excluded.event_time
    WHERE ledger.event_time < excluded.event_time;
