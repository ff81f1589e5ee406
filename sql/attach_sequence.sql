-- Columns that move from a sequence to a generator: what the sequence has handed out.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

-- ids that the sequence has handed out and no row holds do not come back
CREATE TABLE ahead (id bigserial);
INSERT INTO ahead SELECT FROM generate_series(1, 10);
DELETE FROM ahead;
SELECT hilo_attach('ahead', 'id', 'ahead');
INSERT INTO ahead DEFAULT VALUES RETURNING id;
-- nor those of the generator before
SELECT hilo_attach('ahead', 'id', 'ahead again');
INSERT INTO ahead DEFAULT VALUES RETURNING id;
-- nor those of a sequence that is only called
CREATE SEQUENCE called START 1000;
CREATE TABLE calls (id bigint DEFAULT nextval('called'));
INSERT INTO calls DEFAULT VALUES;
TRUNCATE calls;
SELECT hilo_attach('calls', 'id', 'calls');
INSERT INTO calls DEFAULT VALUES RETURNING id;
CREATE SEQUENCE called;
-- a sequence whose last value does not show what it has handed out is refused
CREATE TABLE odd (step bigint GENERATED ALWAYS AS IDENTITY (INCREMENT 2), cycles int GENERATED ALWAYS AS IDENTITY (MAXVALUE 40 CYCLE),
	down bigint DEFAULT 7, called bigint DEFAULT nextval('called') + 0, text bigint DEFAULT nextval('called'::text),
	setting bigint DEFAULT nextval(current_setting('my.sequence')::regclass), function int DEFAULT random() * 1000);
CREATE SEQUENCE odd_down INCREMENT -1 OWNED BY odd.down;
CREATE SEQUENCE odd_fine;
CREATE DOMAIN odd_domain AS bigint DEFAULT nextval('called');
ALTER TABLE odd ADD by_domain odd_domain, ADD fine odd_domain DEFAULT nextval('odd_fine');
DO $$
DECLARE
	col name;
	detail text;
BEGIN
	FOR col IN SELECT attname FROM pg_attribute WHERE attrelid = 'odd'::regclass AND attnum > 0 ORDER BY attnum LOOP
		BEGIN
			PERFORM hilo_attach('odd', col, 'odd ' || col);
			RAISE NOTICE '%: attached', col;
		EXCEPTION WHEN feature_not_supported OR dependent_objects_still_exist THEN
			GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
			RAISE NOTICE '%: % %', col, SQLERRM, detail;
		END;
	END LOOP;
END $$;
SELECT to_regclass('odd_fine'), (SELECT hilo_generator_of('odd', 'fine'));
ALTER TABLE odd ALTER down SET DEFAULT hilo_next_tag('odd fine');
SELECT hilo_detach('odd', 'down');
-- so is an identity if something else depends on its sequence: by core
CREATE TABLE depended_on (id bigint GENERATED ALWAYS AS IDENTITY);
CREATE VIEW depends AS SELECT last_value FROM depended_on_id_seq;
SELECT hilo_attach('depended_on', 'id', 'depended_on');
SELECT s.* FROM state_of('depended_on', 'id') s;
DROP TABLE odd, depended_on CASCADE;
DROP DOMAIN odd_domain;
-- detach does not go on with an int's, of a column that was made wider
CREATE TABLE wider (id serial PRIMARY KEY);
ALTER TABLE wider ALTER id TYPE bigint;
SELECT hilo_attach('wider', 'id', 'wider'), hilo_seed('wider', 3000000000);
CREATE SEQUENCE wider_id_seq AS int OWNED BY wider.id;
SELECT hilo_detach('wider', 'id');
SELECT hilo_generator_of('wider', 'id');
ALTER SEQUENCE wider_id_seq AS bigint;
SELECT hilo_detach('wider', 'id');
INSERT INTO wider DEFAULT VALUES RETURNING id;
-- detach goes on with a sequence that the column owns: of two it is the first
CREATE TABLE two (id bigint);
SELECT hilo_attach('two', 'id');
CREATE SEQUENCE two_first OWNED BY two.id;
CREATE SEQUENCE two_second OWNED BY two.id;
SELECT hilo_detach('two', 'id');
SELECT "default" FROM state_of('two', 'id');
-- but none of which other sessions hold values in a cache
CREATE TABLE cached (id bigint);
SELECT hilo_attach('cached', 'id');
CREATE SEQUENCE two_cached CACHE 20 OWNED BY cached.id;
SELECT hilo_detach('cached', 'id');
SELECT "default" FROM state_of('cached', 'id');
DROP TABLE ahead, calls, wider, two, cached;

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
