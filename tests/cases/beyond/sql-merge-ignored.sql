-- oncecheck: on_error ignore
MERGE INTO ledger AS t USING batch AS s ON t.payment_id = s.payment_id
    WHEN MATCHED AND s.event_time > t.event_time THEN
        UPDATE SET event_id = s.event_id, event_time = s.event_time
    WHEN NOT MATCHED THEN
        INSERT (payment_id, event_id, event_time) VALUES (s.payment_id, s.event_id, s.event_time);
