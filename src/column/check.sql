CREATE FUNCTION @extschema@.hilo_check(
	rel regclass DEFAULT NULL, OUT rel regclass, OUT col name, OUT generator text, OUT problem text,
	OUT detail text, OUT hint text, OUT used_ratio float8)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_check IS
	'list every column that draws from a generator, or those of one table, with a row for each problem';
