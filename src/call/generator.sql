CREATE FUNCTION @extschema@.hilo_create(
	name text, ordering text DEFAULT 'session', first int8 DEFAULT 1,
	max_value int8 DEFAULT 9223372036854775807, range_size int8 DEFAULT 32,
	max_range_size int8 DEFAULT 1048576, domain_bits int4 DEFAULT 63,
	hub name DEFAULT NULL, if_not_exists bool DEFAULT false)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_create IS 'create a generator';

CREATE FUNCTION @extschema@.hilo_alter(
	name text, ordering text DEFAULT NULL, first int8 DEFAULT NULL,
	max_value int8 DEFAULT NULL,
	range_size int8 DEFAULT NULL, max_range_size int8 DEFAULT NULL,
	domain_bits int4 DEFAULT NULL,
	hub name DEFAULT NULL, owner name DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_alter IS
	'change the options of a generator; null leaves an option unchanged';

CREATE FUNCTION @extschema@.hilo_drop(name text, if_exists bool DEFAULT false)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_drop IS 'drop a generator';

-- Delete the generators of tables that are dropped.
CREATE FUNCTION hilo_internal.hilo_forget_tables()
RETURNS event_trigger LANGUAGE C AS 'MODULE_PATHNAME';
CREATE EVENT TRIGGER hilo_forget_tables ON sql_drop EXECUTE FUNCTION hilo_internal.hilo_forget_tables();
ALTER EVENT TRIGGER hilo_forget_tables ENABLE ALWAYS;

CREATE FUNCTION @extschema@.hilo_grant(name text, role name)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_grant IS
	'let a role use a generator';

CREATE FUNCTION @extschema@.hilo_revoke(name text, role name)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_revoke IS 'end a grant of hilo_grant';
