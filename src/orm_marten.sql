CREATE FUNCTION @extschema@.hilo_provide_marten(
	schema pg_catalog.name)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_provide_marten IS
	'creates mt_hilo and mt_get_next_hi for Marten in a schema';

CREATE FUNCTION @extschema@.hilo_marten_next_hi(
	mt_hilo pg_catalog.regclass,
	entity pg_catalog.text)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_marten_next_hi IS
	'the next hi of an entity of Marten, from its table mt_hilo';
