-- Columns put on a generator: event triggers.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

-- an event trigger may drop the generator before it is the default
CREATE TABLE dropped (id bigint);
CREATE FUNCTION drop_it() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM public.hilo_drop('dropped'); END $$;
CREATE EVENT TRIGGER regress_hilo_drop ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION drop_it();
SELECT hilo_attach('dropped', 'id'), (SELECT hilo_generator_of('dropped', 'id'));
DROP EVENT TRIGGER regress_hilo_drop;
SELECT problem FROM hilo_check() WHERE rel = 'dropped'::regclass;
-- or the table, before it has a sequence again
CREATE OR REPLACE FUNCTION drop_it() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN DROP TABLE dropped; END $$;
CREATE EVENT TRIGGER regress_hilo_drop ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION drop_it();
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
DROP EVENT TRIGGER tell;

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
