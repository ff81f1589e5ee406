CREATE FUNCTION @extschema@.hilo_stats(
	OUT name text, OUT ranges int8, OUT ids int8, OUT handed_out int8,
	OUT prefetched int8, OUT prefetch_hits int8, OUT prefetch_misses int8,
	OUT prefetch_busy int8, OUT returned int8, OUT lost int8,
	OUT windows int8, OUT flush_waits int8, OUT flush_time float8,
	OUT stats_reset timestamptz)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats IS
	'return counters of each generator of this database that the current role may use';

CREATE FUNCTION @extschema@.hilo_stats_server(
	OUT ranges int8, OUT ids int8, OUT handed_out int8, OUT prefetched int8,
	OUT prefetch_hits int8, OUT prefetch_misses int8, OUT prefetch_busy int8,
	OUT returned int8, OUT lost int8, OUT windows int8, OUT flush_waits int8,
	OUT flush_time float8, OUT stats_reset timestamptz)
RETURNS record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats_server IS
	'return one row with the same counters for all generators of all databases of the server';

CREATE FUNCTION @extschema@.hilo_stats_reset()
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_stats_reset IS 'set the counters to zero';
