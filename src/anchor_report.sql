CREATE FUNCTION @extschema@.anchor_report(
	rel pg_catalog.regclass,
	col pg_catalog.name,
	range_size pg_catalog.int4 DEFAULT 32768,
	warn_share pg_catalog.float8 DEFAULT 0.01,
	warn_bytes pg_catalog.int8 DEFAULT 1073741824,
	OUT buckets pg_catalog.int4range,
	OUT rows pg_catalog.int8,
	OUT bytes pg_catalog.int8,
	OUT shard pg_catalog.int4,
	OUT oversized pg_catalog.bool,
	OUT largest_bucket pg_catalog.int4,
	OUT largest_anchor pg_catalog.text,
	OUT largest_rows pg_catalog.int8,
	OUT largest_bytes pg_catalog.int8)
RETURNS SETOF pg_catalog.record
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	prefixed bool;
	bucket text;
	size text;
BEGIN
	IF rel IS NULL OR col IS NULL OR range_size IS NULL OR warn_share IS NULL OR warn_bytes IS NULL THEN
		RAISE null_value_not_allowed USING
			MESSAGE = 'arguments of anchor_report must not be null';
	ELSIF range_size NOT BETWEEN 1 AND 1048576 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'range_size must be between 1 and 1048576';
	ELSIF NOT warn_share BETWEEN 0 AND 1 OR warn_bytes < 0 THEN
		RAISE invalid_parameter_value USING
			MESSAGE = 'warn_share must be between 0 and 1, and warn_bytes not negative';
	ELSIF NOT EXISTS (SELECT FROM pg_class WHERE oid = rel) THEN
		RAISE undefined_table USING
			MESSAGE = format('relation with OID %s does not exist', rel::oid);
	ELSIF NOT EXISTS (SELECT FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
					   WHERE a.attrelid = rel AND a.attname = col AND a.attnum > 0 AND t.typcategory = 'S') THEN
		RAISE undefined_column USING
			MESSAGE = format('table %s has no column "%s" of type text', rel, col);
	END IF;

	-- a table that was partitioned without prefixes goes on without
	prefixed := EXISTS (SELECT FROM @extschema@.hilo_prefixes)
		AND NOT EXISTS (SELECT FROM @extschema@.anchor_partition_tables() t
						 WHERE t.rel = anchor_report.rel AND t.prefix_function IS NULL);
	bucket := CASE WHEN prefixed
		THEN format('%s.anchor_bucket_prefixed(t.%I::text, %L::text[], %L::int[])', '@extschema@', col,
					(SELECT array_agg(folded ORDER BY bucket_start) FROM @extschema@.hilo_prefixes),
					(SELECT array_agg(bucket_start ORDER BY bucket_start) FROM @extschema@.hilo_prefixes))
		ELSE format('%s.anchor_bucket(t.%I::text)', '@extschema@', col) END;
	-- without fetching what is stored out of line: a row's header and pointer, and its columns
	size := '28' || (SELECT string_agg(format(' + coalesce(pg_column_size(t.%I), 0)', attname), '')
					   FROM pg_attribute
					  WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped AND attgenerated <> 'v');

	RETURN QUERY EXECUTE format($query$
		WITH anchor AS (
			-- those of a bucket that are anchored to the same id, and those that are not
			SELECT %1$s AS bucket, count(*) AS rows, sum(%2$s) AS bytes, min(%5$s.anchor_of(t.%3$I::text)) AS anchor,
				   %5$s.anchor_of(t.%3$I::text) <> t.%3$I AS is_anchored
			  FROM %4$s t WHERE t.%3$I IS NOT NULL
			 GROUP BY 1, 5, CASE WHEN %5$s.anchor_of(t.%3$I::text) <> t.%3$I THEN %5$s.docid_fold(%5$s.anchor_of(t.%3$I::text)) END
		), bucket AS MATERIALIZED (
			SELECT bucket, sum(rows)::int8 AS rows, sum(bytes)::int8 AS bytes,
				   (array_agg(anchor ORDER BY is_anchored DESC, rows DESC, anchor))[1] AS anchor
			  FROM anchor GROUP BY bucket
		), million AS (
			SELECT 0 AS start UNION ALL SELECT bucket_start FROM %5$s.hilo_prefixes WHERE $4
		), low AS (
			-- ranges end at the borders of shards
			SELECT start + i AS low FROM million, generate_series(0, 1048575, $1) i
			UNION
			SELECT bucket_start FROM %5$s.hilo_shards, million WHERE bucket_start / 1048576 = start / 1048576
		), sized AS (
			SELECT b.*, b.rows > 1 AND greatest(b.rows / sum(b.rows) OVER (), b.bytes / sum(b.bytes) OVER ()) > $2
						OR b.bytes > $3 AS oversized
			  FROM bucket b
		), placed AS (
			SELECT *, max(low) OVER (ORDER BY bucket, low NULLS LAST) AS range
			  FROM (SELECT NULL::int AS low, s.* FROM sized s
					UNION ALL
					SELECT low, low, NULL, NULL, NULL, NULL FROM low) p
		), ranked AS (
			-- not by a join: of what it makes itself the query knows no sizes
			SELECT *, rows IS NOT NULL AND 1 = row_number() OVER (
				   PARTITION BY range ORDER BY rows IS NULL, oversized DESC, bytes DESC, bucket) AS is_largest
			  FROM placed
		), total AS (
			SELECT range, sum(rows)::int8 AS rows, sum(bytes)::int8 AS bytes, bool_or(oversized) AS oversized,
				   max(bucket) FILTER (WHERE is_largest) AS largest_bucket, max(anchor) FILTER (WHERE is_largest) AS largest_anchor,
				   max(rows) FILTER (WHERE is_largest) AS largest_rows, max(bytes) FILTER (WHERE is_largest) AS largest_bytes
			  FROM ranked GROUP BY range
		)
		SELECT int4range(t.range, least(lead(t.range) OVER (ORDER BY t.range), t.range / 1048576 * 1048576 + 1048576)),
			   coalesce(t.rows, 0), coalesce(t.bytes, 0),
			   (SELECT s.shard FROM %5$s.hilo_shards s
				 WHERE s.bucket_start BETWEEN t.range / 1048576 * 1048576 AND t.range ORDER BY s.bucket_start DESC LIMIT 1),
			   coalesce(t.oversized, false), t.largest_bucket, t.largest_anchor, t.largest_rows, t.largest_bytes
		  FROM total t
		 ORDER BY t.range
		$query$, bucket, size, col, rel, '@extschema@')
	USING range_size, warn_share, warn_bytes, prefixed;
END $$;

COMMENT ON FUNCTION @extschema@.anchor_report IS
	'how the rows of a table spread over the buckets of their ids';
