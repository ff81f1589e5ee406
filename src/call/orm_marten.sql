CREATE FUNCTION @extschema@.hilo_provide_marten(schema name)
RETURNS void LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_provide_marten IS
	'create Marten''s table mt_hilo, unless it exists, and its function mt_get_next_hi';

CREATE FUNCTION @extschema@.hilo_marten_next_hi(mt_hilo regclass, entity text)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_marten_next_hi IS
	'return the next hi of an entity, from 0 on, as mt_get_next_hi does';
