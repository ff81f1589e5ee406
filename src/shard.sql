CREATE TABLE @extschema@.hilo_shards (
	bucket_start pg_catalog.int4 NOT NULL,
	shard pg_catalog.int4 NOT NULL,
	CONSTRAINT hilo_shards_pkey PRIMARY KEY (bucket_start),
	CHECK (bucket_start OPERATOR(pg_catalog.>=) 0),
	CHECK (shard OPERATOR(pg_catalog.>=) 0)
);

COMMENT ON TABLE @extschema@.hilo_shards IS
	'which shard a bucket belongs to: that of the row with the highest bucket_start up to it';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_shards', '');

CREATE FUNCTION @extschema@.hilo_shards_check()
RETURNS pg_catalog.trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_shards_check IS
	'keeps the map of shards whole';

-- at the end of the transaction, so that a map can change row by row
CREATE CONSTRAINT TRIGGER hilo_shards_check
	AFTER INSERT OR UPDATE OR DELETE ON @extschema@.hilo_shards
	DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION @extschema@.hilo_shards_check();

CREATE TABLE @extschema@.hilo_prefixes (
	bucket_start pg_catalog.int4 NOT NULL,
	prefix pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	folded pg_catalog.text COLLATE pg_catalog."C" NOT NULL
		GENERATED ALWAYS AS (@extschema@.docid_fold(prefix)) STORED,
	CONSTRAINT hilo_prefixes_pkey PRIMARY KEY (bucket_start),
	CONSTRAINT hilo_prefixes_folded_key UNIQUE (folded),
	CHECK (bucket_start OPERATOR(pg_catalog.>=) 1048576 AND bucket_start OPERATOR(pg_catalog.<=) 2145386496
		AND (bucket_start OPERATOR(pg_catalog.%) 1048576) OPERATOR(pg_catalog.=) 0),
	CHECK (pg_catalog.right(prefix, 1) OPERATOR(pg_catalog.=) ANY (ARRAY['/', '-']))
);

COMMENT ON TABLE @extschema@.hilo_prefixes IS
	'prefixes whose ids have buckets of their own; changed by anchor_prefix_set and anchor_prefix_drop';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_prefixes', '');

CREATE FUNCTION @extschema@.anchor_ranges(
	shards pg_catalog.int4,
	OUT shard pg_catalog.int4,
	OUT buckets pg_catalog.int4range)
RETURNS SETOF pg_catalog.record
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
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

CREATE FUNCTION @extschema@.anchor_bucket_prefixed(
	id pg_catalog.text)
RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_bucket_prefixed(pg_catalog.text) IS
	'the bucket of an id, above 1048575 if it has one of the prefixes in hilo_prefixes';

CREATE FUNCTION @extschema@.anchor_bucket_prefixed(
	id pg_catalog.text,
	prefixes pg_catalog.text[],
	bucket_starts pg_catalog.int4[])
RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME', 'anchor_bucket_prefixed_by'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_bucket_prefixed(pg_catalog.text, pg_catalog.text[], pg_catalog.int4[]) IS
	'the bucket of an id, above 1048575 if it has one of these prefixes, which are in lower case';

CREATE FUNCTION @extschema@.anchor_shard(
	id pg_catalog.text)
RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_shard IS
	'the shard of an id, by hilo_shards and hilo_prefixes';

CREATE FUNCTION @extschema@.anchor_prefix_set(
	prefix pg_catalog.text,
	shards pg_catalog.int4[],
	bucket_start pg_catalog.int4 DEFAULT NULL)
RETURNS pg_catalog.int4
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	wanted CONSTANT text := prefix;
	start int := bucket_start;
	unknown int;
	known record;
BEGIN
	IF wanted IS NULL OR shards IS NULL OR array_position(shards, NULL) IS NOT NULL THEN
		RAISE null_value_not_allowed USING
			MESSAGE = 'a prefix and its shards must not be null';
	ELSIF right(wanted, 1) NOT IN ('/', '-') THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('prefix "%s" must end with "/" or "-"', wanted);
	ELSIF cardinality(shards) NOT BETWEEN 1 AND 1048576 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('prefix "%s" must have between 1 and 1048576 shards', wanted);
	ELSIF (SELECT count(DISTINCT s) < count(*) FROM unnest(shards) s) THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('the shards of prefix "%s" must differ', wanted);
	END IF;

	PERFORM @extschema@.anchor_partition_lock('@extschema@.hilo_prefixes'::regclass, only_it => false);
	PERFORM @extschema@.anchor_partition_hold('@extschema@.hilo_shards'::regclass);
	SELECT s INTO unknown FROM unnest(shards) s
	 WHERE NOT EXISTS (SELECT FROM @extschema@.hilo_shards h WHERE h.shard = s);
	IF FOUND THEN
		RAISE undefined_object USING
			MESSAGE = format('shard %s does not exist', unknown),
			HINT = 'Insert its range into hilo_shards first.';
	END IF;

	SELECT p.prefix, p.bucket_start INTO known FROM @extschema@.hilo_prefixes p
	 WHERE p.folded = @extschema@.docid_fold(wanted);
	IF known.prefix <> wanted THEN
		RAISE duplicate_object USING
			MESSAGE = format('prefix "%s" already exists in different casing', wanted),
			DETAIL = format('It was set as "%s".', known.prefix);
	END IF;
	start := coalesce(start, known.bucket_start,
		(SELECT max(b) - max(b) % 1048576 + 1048576
		   FROM (SELECT 0 AS b UNION ALL SELECT p.bucket_start FROM @extschema@.hilo_prefixes p UNION ALL SELECT h.bucket_start FROM @extschema@.hilo_shards h) taken
		  WHERE b < 2145386496));
	IF start NOT BETWEEN 1048576 AND 2145386496 OR start % 1048576 <> 0 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('bucket_start (%s) must be a multiple of 1048576, up to 2145386496', start);
	ELSIF EXISTS (SELECT FROM @extschema@.hilo_prefixes p
				   WHERE p.bucket_start = start AND p.folded <> @extschema@.docid_fold(wanted)) THEN
		RAISE duplicate_object USING
			MESSAGE = format('the buckets from %s on belong to another prefix', start);
	ELSIF start IS DISTINCT FROM known.bucket_start AND EXISTS (
			SELECT FROM @extschema@.hilo_shards h WHERE h.bucket_start >= start AND h.bucket_start - 1048576 < start) THEN
		RAISE duplicate_object USING
			MESSAGE = format('hilo_shards has the buckets from %s on already', start),
			HINT = 'Delete these rows first: anchor_prefix_set inserts them.';
	END IF;

	PERFORM @extschema@.anchor_prefix_check(wanted);
	DELETE FROM @extschema@.hilo_prefixes p WHERE p.bucket_start = known.bucket_start;
	DELETE FROM @extschema@.hilo_shards h
	 WHERE h.bucket_start >= known.bucket_start AND h.bucket_start - 1048576 < known.bucket_start;
	INSERT INTO @extschema@.hilo_prefixes (bucket_start, prefix) VALUES (start, wanted);
	INSERT INTO @extschema@.hilo_shards (bucket_start, shard)
	SELECT start + lower(r.buckets), s.shard
	  FROM (SELECT s AS shard, row_number() OVER (ORDER BY s) - 1 AS i FROM unnest(shards) s) s
	  JOIN @extschema@.anchor_ranges(cardinality(shards)) r ON r.shard = s.i;
	PERFORM @extschema@.anchor_partition_follow(ARRAY[known.bucket_start, start]);
	RETURN start;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_set IS
	'gives the ids with a prefix buckets of their own, on these shards; returns the first of them';

CREATE FUNCTION @extschema@.anchor_prefix_drop(
	prefix pg_catalog.text)
RETURNS pg_catalog.void
LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	wanted CONSTANT text := prefix;
	start int;
BEGIN
	PERFORM @extschema@.anchor_partition_lock('@extschema@.hilo_prefixes'::regclass, only_it => false);
	PERFORM @extschema@.anchor_partition_hold('@extschema@.hilo_shards'::regclass);
	SELECT p.bucket_start INTO start FROM @extschema@.hilo_prefixes p
	 WHERE p.folded = @extschema@.docid_fold(wanted);
	IF NOT FOUND THEN
		RAISE undefined_object USING
			MESSAGE = format('prefix "%s" does not exist', wanted);
	END IF;

	PERFORM @extschema@.anchor_prefix_check(wanted);
	DELETE FROM @extschema@.hilo_prefixes p WHERE p.bucket_start = start;
	DELETE FROM @extschema@.hilo_shards h
	 WHERE h.bucket_start >= start AND h.bucket_start - 1048576 < start;
	PERFORM @extschema@.anchor_partition_follow(ARRAY[start]);
END $$;

COMMENT ON FUNCTION @extschema@.anchor_prefix_drop IS
	'takes the buckets of its own from a prefix';
