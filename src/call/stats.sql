CREATE FUNCTION hilo_internal.hilo_columns(
	only_folded text DEFAULT NULL, OUT rel oid, OUT attnum int2,
	OUT generator text, OUT folded text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';

-- List the rows of hilo_generators, without the columns.
CREATE FUNCTION hilo_internal.hilo_generator_list(
	OUT folded text, OUT name text, OUT ordering text, OUT owner regrole,
	OUT is_public bool,
	OUT first int8, OUT last int8, OUT max_value int8, OUT range_size int8,
	OUT max_range_size int8,
	OUT domain_bits int4, OUT created timestamptz, OUT used_ratio float8,
	OUT grants name[], OUT hub name)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';

CREATE FUNCTION @extschema@.hilo_generators(
	OUT name text, OUT ordering text, OUT owner regrole, OUT is_public bool,
	OUT first int8, OUT last int8,
	OUT max_value int8, OUT range_size int8, OUT max_range_size int8,
	OUT domain_bits int4,
	OUT created timestamptz, OUT used_ratio float8, OUT grants name[],
	OUT hub name, OUT columns text[])
RETURNS SETOF record LANGUAGE sql
BEGIN ATOMIC
	SELECT name, ordering, owner, is_public, first, last, max_value, range_size,
		   max_range_size, domain_bits, created, used_ratio, grants, hub,
		   coalesce(c.columns, '{}')
	  FROM hilo_internal.hilo_generator_list() g
	  LEFT JOIN (
		SELECT d.folded, array_agg(
			   d.rel::regclass || '.' || quote_ident(a.attname)
			   ORDER BY d.rel, d.attnum) AS columns
		  FROM hilo_internal.hilo_columns() d
		  JOIN pg_attribute a ON a.attrelid = d.rel AND a.attnum = d.attnum
		 GROUP BY d.folded) c ON c.folded = g.folded
	 WHERE last IS NOT NULL
	 ORDER BY g.folded COLLATE "C";
END;
COMMENT ON FUNCTION @extschema@.hilo_generators IS
	'list the generators that the current role may use';

CREATE FUNCTION @extschema@.hilo_stats(
	OUT name text, OUT ranges int8, OUT ids int8, OUT handed_out int8,
	OUT prefetched int8,
	OUT prefetch_hits int8, OUT prefetch_misses int8, OUT prefetch_busy int8,
	OUT returned int8,
	OUT lost int8, OUT windows int8, OUT flush_waits int8,
	OUT flush_time float8,
	OUT stats_reset timestamptz)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats IS
	'return counters of each generator of this database that the current role may use';

CREATE FUNCTION @extschema@.hilo_stats_server(
	OUT ranges int8, OUT ids int8, OUT handed_out int8, OUT prefetched int8,
	OUT prefetch_hits int8,
	OUT prefetch_misses int8, OUT prefetch_busy int8, OUT returned int8,
	OUT lost int8, OUT windows int8,
	OUT flush_waits int8, OUT flush_time float8, OUT stats_reset timestamptz)
LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats_server IS
	'return one row with the counters of all databases of the server';

CREATE FUNCTION @extschema@.hilo_stats_reset()
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats_reset IS 'set the counters to zero';
