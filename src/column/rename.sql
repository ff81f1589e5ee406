CREATE FUNCTION @extschema@.hilo_rename(name text, new_name text)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_rename IS 'rename a tag';
