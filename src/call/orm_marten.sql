CREATE FUNCTION @extschema@.hilo_provide_marten(schema name)
RETURNS void LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_provide_marten IS
	'creates mt_hilo and mt_get_next_hi for Marten in a schema';

CREATE FUNCTION @extschema@.hilo_marten_next_hi(mt_hilo regclass, entity text)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_marten_next_hi IS
	'the next hi of an entity of Marten, from its table mt_hilo';
