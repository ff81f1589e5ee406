CREATE TYPE @extschema@.hilo_counters AS (
	ranges pg_catalog.int8,
	ids pg_catalog.int8,
	handed_out pg_catalog.int8,
	prefetched pg_catalog.int8,
	prefetch_hits pg_catalog.int8,
	prefetch_misses pg_catalog.int8,
	prefetch_busy pg_catalog.int8,
	given_back pg_catalog.int8,
	lost pg_catalog.int8,
	windows pg_catalog.int8,
	flush_waits pg_catalog.int8,
	flush_time pg_catalog.float8,
	stats_reset pg_catalog.timestamptz
);

COMMENT ON TYPE @extschema@.hilo_counters IS
	'what hilo_stats and hilo_stats_server count';

CREATE FUNCTION @extschema@.hilo_stats_rows(
	OUT name pg_catalog.text,
	OUT counters @extschema@.hilo_counters)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_stats_rows IS
	'the rows of the view hilo_stats';

CREATE VIEW @extschema@.hilo_stats AS
	SELECT name, (counters).* FROM @extschema@.hilo_stats_rows();

COMMENT ON VIEW @extschema@.hilo_stats IS
	'what was reserved, handed out and given back of each generator that the current role may see';

CREATE FUNCTION @extschema@.hilo_stats_server_row()
RETURNS @extschema@.hilo_counters
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_stats_server_row IS
	'the row of the view hilo_stats_server';

CREATE VIEW @extschema@.hilo_stats_server AS
	SELECT * FROM @extschema@.hilo_stats_server_row();

COMMENT ON VIEW @extschema@.hilo_stats_server IS
	'the counters of hilo_stats for all generators of the server together';

CREATE FUNCTION @extschema@.hilo_stats_reset()
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_stats_reset IS
	'sets the counters of hilo_stats to zero, of the generators that the current role may change';
