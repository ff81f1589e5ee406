CREATE FUNCTION @extschema@.anchor_bucket(id text)
RETURNS int4 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.anchor_bucket IS
	'return the bucket of an id, 0 to 1048575';

CREATE FUNCTION @extschema@.anchor_of(id text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.anchor_of IS
	'return the hashed part of an id, as written';

CREATE FUNCTION @extschema@.anchor_to(id text, target text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.anchor_to IS
	'anchor an id to the bucket of a target';

CREATE FUNCTION @extschema@.anchor_match(row_id text, id text)
RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN @extschema@.anchor_bucket(row_id) = @extschema@.anchor_bucket(id)
	AND row_id = id;
COMMENT ON FUNCTION @extschema@.anchor_match IS
	'check whether a row has an id, in a form that lets the planner find the row''s partition';

CREATE FUNCTION @extschema@.anchor_match(row_bucket int4, row_id text, id text)
RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN row_bucket = @extschema@.anchor_bucket(id) AND row_id = id;
COMMENT ON FUNCTION @extschema@.anchor_match(int4, text, text) IS
	'check whether a row has an id, in a form that lets the planner find the row''s partition';

CREATE FUNCTION @extschema@.anchor_ranges(shards int4, OUT shard int4,
	OUT buckets int4range)
RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF shards NOT BETWEEN 1 AND 1048576 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'shards must be between 1 and 1048576';
	END IF;
	RETURN QUERY
		SELECT i, int4range(i * (1048576 / shards), CASE WHEN i = shards - 1
			   THEN 1048576 ELSE (i + 1) * (1048576 / shards) END)
		  FROM generate_series(0, shards - 1) i;
END $$;
COMMENT ON FUNCTION @extschema@.anchor_ranges IS
	'return the buckets of each shard, in equal parts, like RavenDB';

-- The statements run as the current role.
CREATE FUNCTION @extschema@.anchor_partitions(rel regclass, n int4)
RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	parent record;
	suffix text;
BEGIN
	IF n NOT BETWEEN 1 AND 1048576 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'n must be between 1 and 1048576';
	END IF;
	-- a key of another type could have a cast by its owner's function
	SELECT relname, relnamespace::regnamespace AS schema INTO parent
	  FROM pg_class c, pg_extension
	 WHERE c.oid = rel AND extname = 'hilo'
	   AND starts_with(pg_get_partkeydef(rel), format('RANGE (%sanchor_bucket(',
			nullif(extnamespace::regnamespace || '.', 'pg_catalog.')));
	IF NOT FOUND THEN
		RAISE wrong_object_type USING
			MESSAGE = format('%s is not a table partitioned by buckets', rel),
			HINT = 'Create it with PARTITION BY RANGE (anchor_bucket(id)).';
	END IF;
	FOR i IN 0 .. n - 1 LOOP
		suffix := '_' || i;
		-- the cast cuts a long name at a character, so the suffix has room
		EXECUTE format('CREATE TABLE %s.%I PARTITION OF %s FOR VALUES FROM (%s) TO (%s)',
			parent.schema,
			substr((suffix || parent.relname)::name, length(suffix) + 1) || suffix,
			rel, i * (1048576 / n),
			CASE i WHEN n - 1 THEN 1048576 ELSE (i + 1) * (1048576 / n) END);
	END LOOP;
END $$;
COMMENT ON FUNCTION @extschema@.anchor_partitions IS
	'create the n partitions of a table with the ranges of anchor_ranges(n)';
