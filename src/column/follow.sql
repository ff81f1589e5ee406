CREATE FUNCTION @extschema@.hilo_follow()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_follow IS
	'keep a generator above the ids that rows bring';
