-- The program of 'deployed' in full.json; all statements that are understood stand in statements.sql.
TRUNCATE stg_{batch};
-- oncecheck: by executors
INSERT INTO stg_{batch} SELECT * FROM batch;
