-- Triggers hilo_number_assign that are wrong: each says so.
SET hilo.prefetch = off;
CREATE SCHEMA num_wrong;
SET search_path = num_wrong, public;
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

-- a column that is numbered has no other source
CREATE TABLE bill (number int PRIMARY KEY, t text);
CREATE TABLE bill_part (of int, number int, PRIMARY KEY (of, number));
CREATE TRIGGER number BEFORE INSERT ON bill FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
CREATE TRIGGER number BEFORE INSERT ON bill_part FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'of');
INSERT INTO bill (t) VALUES ('x'), ('y');
CREATE SEQUENCE taken INCREMENT 10;
SELECT hilo_next('bill');
\set VERBOSITY terse
SELECT hilo_next('bill', 2);
SELECT hilo_next_range('bill');
SELECT hilo_next_hi('bill', 10);
SELECT hilo_create('bill');
SELECT hilo_seed('bill', 10);
SELECT hilo_attach('bill', 'number');
SELECT hilo_attach('bill', 'number', '##bill');
SELECT hilo_adopt_sequence('bill', 'number', 'taken', 'efcore', 10);
SELECT hilo_next('bill_part');
SELECT hilo_create('#bill_part');
SELECT name FROM hilo_generators() WHERE name ~ 'bill';
-- another column of the table has its own
ALTER TABLE bill_part ADD id bigint;
SELECT hilo_attach('bill_part', 'id');
INSERT INTO bill_part (of) VALUES (1) RETURNING *;
SELECT hilo_next('bill_part');
-- one that draws already is named by the check
ALTER TABLE bill ALTER number SET DEFAULT 5;
SELECT problem, detail FROM hilo_check('bill') WHERE problem IS NOT NULL;

SET client_min_messages = warning;
DROP SCHEMA num_wrong CASCADE;
