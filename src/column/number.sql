CREATE FUNCTION @extschema@.hilo_number_assign()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_number_assign IS
	'number the rows of each group';
