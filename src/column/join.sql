CREATE FUNCTION hilo_internal.hilo_join_tables()
RETURNS event_trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION hilo_internal.hilo_join_tables IS
	'raise a generator when a column with rows begins to draw from it';
CREATE EVENT TRIGGER hilo_join_tables ON ddl_command_end
	WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE', 'ALTER DOMAIN', 'ALTER SEQUENCE',
		'CREATE SCHEMA', 'CREATE TRIGGER', 'ALTER TRIGGER', 'DROP TRIGGER')
	EXECUTE FUNCTION hilo_internal.hilo_join_tables();
ALTER EVENT TRIGGER hilo_join_tables ENABLE ALWAYS;
