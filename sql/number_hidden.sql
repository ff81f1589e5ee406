-- Rows that a transaction hides come back with its rollback: then a group goes on above them.
SET hilo.prefetch = off;
CREATE SCHEMA num_hidden;
SET search_path = num_hidden, public;
CREATE TABLE hidden (id int, number int);
INSERT INTO hidden VALUES (1, 5);
CREATE TRIGGER number BEFORE INSERT ON hidden FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'id');
BEGIN;
TRUNCATE hidden;
INSERT INTO hidden VALUES (1);
ROLLBACK;
BEGIN;
DELETE FROM hidden;
INSERT INTO hidden VALUES (1) RETURNING number;
ROLLBACK;
INSERT INTO hidden VALUES (1) RETURNING number;

CREATE TABLE hidden_names (a int, b int, number int);
INSERT INTO hidden_names VALUES (1, 2, 5);
CREATE TRIGGER number BEFORE INSERT ON hidden_names FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'a');
CREATE PROCEDURE undo(statements text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statements;
	RAISE 'undone';
EXCEPTION WHEN raise_exception THEN
	NULL;
END $$;
CALL undo('ALTER TABLE hidden_names DROP number; ALTER TABLE hidden_names ADD number int; INSERT INTO hidden_names VALUES (1)');
CALL undo('ALTER TABLE hidden_names RENAME a TO c; ALTER TABLE hidden_names RENAME b TO a; INSERT INTO hidden_names (a) VALUES (1)');
INSERT INTO hidden_names VALUES (1) RETURNING number;

CREATE TABLE hidden_parts (id int, part int, number int) PARTITION BY LIST (part);
CREATE TABLE hidden_part PARTITION OF hidden_parts FOR VALUES IN (1);
CREATE TABLE hidden_other PARTITION OF hidden_parts FOR VALUES IN (2);
INSERT INTO hidden_parts VALUES (1, 1, 5);
CREATE TRIGGER number BEFORE INSERT ON hidden_parts FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'id');
CALL undo('DROP TABLE hidden_part; INSERT INTO hidden_parts VALUES (1, 2)');
INSERT INTO hidden_parts VALUES (1, 2) RETURNING number;
-- also in a table of the transaction, after a savepoint
BEGIN;
CREATE TABLE hidden_new (a int, b int, number int);
INSERT INTO hidden_new VALUES (1, 2, 5);
CREATE TRIGGER number BEFORE INSERT ON hidden_new FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'a');
CALL undo('ALTER TABLE hidden_new RENAME a TO c; ALTER TABLE hidden_new RENAME b TO a; INSERT INTO hidden_new (a) VALUES (1)');
INSERT INTO hidden_new VALUES (1) RETURNING number;
COMMIT;

SET client_min_messages = warning;
DROP SCHEMA num_hidden CASCADE;
