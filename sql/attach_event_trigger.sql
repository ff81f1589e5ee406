-- Columns put on a generator: event triggers.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

-- an event trigger may drop the generator before it is the default
CREATE TABLE dropped (id bigint);
CREATE FUNCTION drop_it() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM public.hilo_drop('dropped'); END $$;
CREATE EVENT TRIGGER regress_hilo_drop ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION drop_it();
SELECT hilo_attach('dropped', 'id', follow => false), (SELECT hilo_generator_of('dropped', 'id'));
DROP EVENT TRIGGER regress_hilo_drop;
SELECT problem FROM hilo_check() WHERE rel = 'dropped'::regclass;
-- or the table, before it has a sequence again
CREATE OR REPLACE FUNCTION drop_it() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN DROP TABLE dropped; END $$;
CREATE EVENT TRIGGER regress_hilo_drop ON ddl_command_end WHEN TAG IN ('CREATE SEQUENCE') EXECUTE FUNCTION drop_it();
\set VERBOSITY sqlstate
SELECT hilo_detach('dropped', 'id');
\set VERBOSITY default
DROP EVENT TRIGGER regress_hilo_drop;
SELECT hilo_generator_of('dropped', 'id');
DROP TABLE dropped;

CREATE TABLE shares (id int);
-- event triggers see it
CREATE FUNCTION tell() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
	c record;
BEGIN
	FOR c IN SELECT * FROM pg_event_trigger_ddl_commands() LOOP
		RAISE NOTICE '% %', c.command_tag, c.object_identity;
	END LOOP;
END $$;
CREATE EVENT TRIGGER tell ON ddl_command_end EXECUTE FUNCTION tell();
SELECT hilo_attach('shares', 'id', 'shares');
SELECT hilo_detach('shares', 'id');
SELECT hilo_attach('shares', 'id');
SELECT hilo_detach('shares', 'id');
DROP EVENT TRIGGER tell;
-- one that attaches each new table, and each altered one, ends: an equal attach changes nothing
CREATE FUNCTION attach_all() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM hilo_attach(objid, 'id') FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table';
END $$;
CREATE EVENT TRIGGER regress_hilo_attach ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE') EXECUTE FUNCTION attach_all();
CREATE TABLE made (id bigserial PRIMARY KEY);
ALTER TABLE made ADD note text;
SELECT tgname FROM pg_trigger WHERE tgrelid = 'made'::regclass;
INSERT INTO made VALUES (5);
INSERT INTO made DEFAULT VALUES RETURNING id;
DROP EVENT TRIGGER regress_hilo_attach;

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
