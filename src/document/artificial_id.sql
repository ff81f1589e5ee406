CREATE FUNCTION @extschema@.artificial_id(collection text, VARIADIC key "any")
RETURNS text LANGUAGE C STABLE PARALLEL SAFE
-- what output functions look at
SET datestyle = 'ISO, MDY' SET intervalstyle = 'postgres' SET timezone = 'UTC'
SET extra_float_digits = 1 SET bytea_output = 'hex' SET lc_monetary = 'C'
SET quote_all_identifiers = off SET search_path = pg_catalog, pg_temp
AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.artificial_id IS
	'return an id that is computed from a key';
