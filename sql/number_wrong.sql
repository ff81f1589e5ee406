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
INSERT INTO passing VALUES (1);

SET client_min_messages = warning;
DROP SCHEMA num_wrong CASCADE;
