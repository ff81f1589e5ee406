CREATE FUNCTION @extschema@.hilo_adopt_sequence_tag(
	tag text, sequence regclass, style text, block int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_sequence_tag IS
	'create a tag that shares the ids of an ORM''s sequence';

CREATE FUNCTION @extschema@.hilo_adopt_table_tag(
	tag text, source regclass, style text, block int8 DEFAULT NULL,
	key_column name DEFAULT NULL,
	key_value text DEFAULT NULL, hi_column name DEFAULT NULL,
	initial int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_table_tag IS
	'create a tag that shares the ids of an ORM''s counter table';

CREATE FUNCTION @extschema@.hilo_sources(
	OUT name text, OUT source regclass, OUT style text, OUT block int8,
	OUT initial int8, OUT hi_column name,
	OUT key_column name, OUT key_value text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_sources IS
	'list the adopted generators that the current role may use';

CREATE FUNCTION @extschema@.hilo_provide_marten(schema name)
RETURNS void LANGUAGE plpgsql STRICT
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE format('CREATE TABLE IF NOT EXISTS %I.mt_hilo (entity_name varchar CONSTRAINT pk_mt_hilo PRIMARY KEY, hi_value int8 DEFAULT 0)', schema);
	-- that of older Martens returns another type
	EXECUTE format('DROP FUNCTION IF EXISTS %I.mt_get_next_hi(varchar)',
		schema);
	-- by its OID, whatever has its name later, and not through the table
	EXECUTE format('CREATE FUNCTION %I.mt_get_next_hi(entity varchar) RETURNS int8 LANGUAGE sql RETURN %s.hilo_marten_next_hi(%L::text::regclass, entity::text)',
		schema,
		(SELECT extnamespace FROM pg_extension WHERE extname = 'hilo')::regnamespace,
		format('%I.mt_hilo', schema));
END $$;
COMMENT ON FUNCTION @extschema@.hilo_provide_marten IS
	'create Marten''s table mt_hilo, unless it exists, and its function mt_get_next_hi';

CREATE FUNCTION @extschema@.hilo_marten_next_hi(mt_hilo regclass, entity text)
RETURNS int8 LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_marten_next_hi IS
	'return the next hi of an entity, starting at 0, like Marten''s mt_get_next_hi';
