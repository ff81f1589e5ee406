CREATE FUNCTION @extschema@.as_owner_ask(
	rel pg_catalog.regclass,
	query pg_catalog.text)
RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.as_owner_ask IS
	'runs a query as the owner of a relation, if the current role may become that; says whether it gave a row';
