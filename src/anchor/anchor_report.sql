-- A row has a header and a pointer of 28 bytes together, and its columns.
-- Values that are stored out of line are not fetched.  There is no cast to
-- text, which the owner of the table may have made.
CREATE FUNCTION hilo_internal.anchor_report_rows(
	rel regclass, col name, OUT id text, OUT bytes int8)
RETURNS SETOF record LANGUAGE plpgsql STABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	size text := (SELECT string_agg(
			format(' + coalesce(pg_column_size(t.%I), 0)', attname), '')
		  FROM pg_attribute
		 WHERE attrelid = rel AND attnum > 0
		   AND NOT attisdropped AND attgenerated <> 'v');
BEGIN
	RETURN QUERY EXECUTE format(
		'SELECT concat(t.%1$I), (28 %2$s)::int8 FROM %3$s t WHERE t.%1$I IS NOT NULL',
		col, size, rel);
END $$;

CREATE FUNCTION @extschema@.anchor_report(
	rel regclass, col name, step int4 DEFAULT 32768,
	warn_share float8 DEFAULT 0.01,
	warn_bytes int8 DEFAULT 1073741824, OUT buckets int4range, OUT rows int8,
	OUT bytes int8,
	OUT oversized bool, OUT largest_bucket int4, OUT largest_anchor text,
	OUT largest_rows int8,
	OUT largest_bytes int8)
RETURNS SETOF record LANGUAGE sql STABLE STRICT
BEGIN ATOMIC
	WITH anchored AS (
		SELECT @extschema@.anchor_bucket(id) AS bucket, bytes,
			   @extschema@.anchor_of(id) AS anchor,
			   @extschema@.anchor_of(id) <> id AS is_anchored
		  FROM hilo_internal.anchor_report_rows(rel, col)
	), anchor AS (
		-- the rows of a bucket: each anchor's, and those without an anchor
		SELECT bucket, count(*) AS rows, sum(bytes) AS bytes,
			   min(anchor) AS anchor, is_anchored
		  FROM anchored
		 GROUP BY bucket, is_anchored,
			   CASE WHEN is_anchored THEN @extschema@.docid_fold(anchor) END
	), bucket AS (
		SELECT bucket, sum(rows)::int8 AS rows, sum(bytes)::int8 AS bytes,
			   (array_agg(
					anchor ORDER BY is_anchored DESC, rows DESC, anchor))[1] AS anchor
		  FROM anchor GROUP BY bucket
	), sized AS (
		SELECT *, rows > 1 AND greatest(rows / sum(rows) OVER (),
									   bytes / sum(bytes) OVER ()) > warn_share
				  OR bytes > warn_bytes AS oversized
		  FROM bucket
	), ranked AS (
		SELECT *, 1 = row_number() OVER (
			   PARTITION BY bucket / step
			   ORDER BY oversized DESC, bytes DESC, bucket) AS is_largest
		  FROM sized
	)
	SELECT int4range(i * step, least((i + 1) * step, 1048576)),
		   coalesce(sum(rows), 0)::int8, coalesce(sum(bytes), 0)::int8,
		   coalesce(bool_or(oversized), false),
		   max(bucket) FILTER (WHERE is_largest),
		   max(anchor) FILTER (WHERE is_largest),
		   max(rows) FILTER (WHERE is_largest),
		   max(bytes) FILTER (WHERE is_largest)
	  FROM generate_series(0, 1048575 / step) i
	  LEFT JOIN ranked ON bucket / step = i
	 GROUP BY i ORDER BY i;
END;
COMMENT ON FUNCTION @extschema@.anchor_report IS
	'return how the rows of a table spread over the buckets of the ids in a column';
