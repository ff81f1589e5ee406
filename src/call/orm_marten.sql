CREATE FUNCTION @extschema@.hilo_provide_marten(schema name)
RETURNS void LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE TABLE IF NOT EXISTS %I.mt_hilo (entity_name varchar CONSTRAINT pk_mt_hilo PRIMARY KEY, hi_value int8 DEFAULT 0)', schema);
	-- that of older Martens returns another type
	EXECUTE format('DROP FUNCTION IF EXISTS %I.mt_get_next_hi(varchar)', schema);
	-- by its OID, whatever has its name later, and not through the table
	EXECUTE format('CREATE FUNCTION %I.mt_get_next_hi(entity varchar) RETURNS int8 LANGUAGE sql RETURN %s.hilo_marten_next_hi(%L::text::regclass, entity::text)',
		schema, (SELECT extnamespace FROM pg_extension WHERE extname = 'hilo')::regnamespace, format('%I.mt_hilo', schema));
END $$;
COMMENT ON FUNCTION @extschema@.hilo_provide_marten IS
	'create Marten''s table mt_hilo, unless it exists, and its function mt_get_next_hi';

CREATE FUNCTION @extschema@.hilo_marten_next_hi(mt_hilo regclass, entity text)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_marten_next_hi IS
	'return the next hi of an entity, from 0 on, as mt_get_next_hi does';
