-- Triggers hilo_number_assign that are wrong, and rows that a transaction hides.
SET hilo.prefetch = off;
CREATE SCHEMA num_wrong;
SET search_path = num_wrong, public;
-- a trigger that is wrong says so
CREATE TABLE wrong (id int, number int, twice int GENERATED ALWAYS AS (id * 2) STORED, f float8, name text COLLATE "C", j jsonb);
CREATE FUNCTION try(timing text, arguments text) RETURNS void LANGUAGE plpgsql SET client_min_messages = error AS $$
BEGIN
	EXECUTE format('CREATE OR REPLACE TRIGGER number %s EXECUTE FUNCTION hilo_number_assign(%s)', timing, arguments);
	INSERT INTO wrong (id) VALUES (1);
END $$;
\set SHOW_CONTEXT never
\set ROW 'BEFORE INSERT ON wrong FOR EACH ROW'
SELECT try(:'ROW', '');
SELECT try(:'ROW', 'number');
SELECT try(:'ROW', '''number'', ''gapless''' || repeat(', id', 99));
SELECT try(:'ROW', 'nothing, gapless, id');
SELECT try(:'ROW', 'number, scattered, id');
SELECT try(:'ROW', 'number, session, id');
SELECT try(:'ROW', 'number, gapless, nothing');
SELECT try(:'ROW', 'twice, gapless, id');
SELECT try(:'ROW', 'number, gapless, twice');
SELECT try(:'ROW', 'name, gapless, id');
SELECT try(:'ROW', 'number, gapless, f');
SELECT try(:'ROW', 'number, gapless, j');
SELECT try('AFTER INSERT ON wrong FOR EACH ROW', 'number, gapless, id');
SELECT try('BEFORE UPDATE OR INSERT ON wrong FOR EACH STATEMENT', 'number, gapless, id');
SELECT hilo_number_assign();
SELECT try(:'ROW', 'number, gapless, id');
CREATE TEMP TABLE passing (id int, number int);
CREATE TRIGGER number BEFORE INSERT ON passing FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'id');
INSERT INTO passing VALUES (1);

-- what a transaction hides comes back with its rollback: then a group goes on above its rows
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
DROP SCHEMA num_wrong CASCADE;
