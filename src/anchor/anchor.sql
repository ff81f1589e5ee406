CREATE FUNCTION @extschema@.anchor_bucket(id text)
RETURNS int4 AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.anchor_bucket IS
	'the bucket of an id, 0 to 1048575, as RavenDB has it: the hash of what follows its last $';

CREATE FUNCTION @extschema@.anchor_of(id text)
RETURNS text AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.anchor_of IS
	'the part of an id that is hashed: what follows its last $, or all of it';

CREATE FUNCTION @extschema@.anchor_to(id text, target text)
RETURNS text AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.anchor_to IS
	'the id with the anchor of another one, so that both have the same bucket';

CREATE FUNCTION @extschema@.anchor_match(row_id text, id text)
RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN @extschema@.anchor_bucket(row_id) = @extschema@.anchor_bucket(id)
	AND row_id = id;
COMMENT ON FUNCTION @extschema@.anchor_match IS
	'whether a row has that id, in the words by which the planner finds its partition';

CREATE FUNCTION @extschema@.anchor_match(row_bucket int4, row_id text, id text)
RETURNS bool LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN row_bucket = @extschema@.anchor_bucket(id)
	AND row_id = id;
COMMENT ON FUNCTION @extschema@.anchor_match(int4, text, text) IS
	'whether a row with its bucket in a column has that id, in the words by which the planner finds its partition';

CREATE FUNCTION @extschema@.anchor_ranges(
	shards int4, OUT shard int4, OUT buckets int4range)
RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	step CONSTANT int := 1048576 / CASE WHEN shards BETWEEN 1 AND 1048576 THEN shards ELSE 1 END;
BEGIN
	IF shards NOT BETWEEN 1 AND 1048576 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'shards must be between 1 and 1048576';
	END IF;
	RETURN QUERY
		SELECT i, int4range(i * step, CASE WHEN i = shards - 1 THEN 1048576 ELSE (i + 1) * step END)
		  FROM generate_series(0, shards - 1) i;
END $$;
COMMENT ON FUNCTION @extschema@.anchor_ranges IS
	'the buckets of each of so many shards, as RavenDB divides them';

CREATE FUNCTION @extschema@.anchor_partitions(rel regclass, n int4)
RETURNS void AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION @extschema@.anchor_partitions IS
	'makes the partitions of an empty table that is declared PARTITION BY RANGE (anchor_bucket(id))';
