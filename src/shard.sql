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
