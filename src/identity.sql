CREATE FUNCTION @extschema@.identity_next(
	name pg_catalog.text)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.identity_next(pg_catalog.text) IS
	'the next value of an identity';

CREATE FUNCTION @extschema@.identity_next(
	name pg_catalog.text,
	count pg_catalog.int8,
	OUT low pg_catalog.int8,
	OUT high pg_catalog.int8)
AS 'MODULE_PATHNAME', 'identity_next_count'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.identity_next(pg_catalog.text, pg_catalog.int8) IS
	'the next values of an identity, that many in a row';

CREATE FUNCTION @extschema@.identity_next_batch(
	names pg_catalog.text[])
RETURNS pg_catalog.int8[]
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.identity_next_batch IS
	'the next value of each of these identities, in their order';

CREATE FUNCTION @extschema@.identity_next_id(
	pattern pg_catalog.text)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.identity_next_id IS
	'the next value of an identity as an id: users/1 for users|';

CREATE FUNCTION @extschema@.identity_current(
	name pg_catalog.text)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.identity_current IS
	'the last value of an identity that anybody got; 0 before the first';

CREATE FUNCTION @extschema@.identity_seed(
	name pg_catalog.text,
	value pg_catalog.int8,
	force pg_catalog.bool DEFAULT false)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.identity_seed IS
	'raises the last value of an identity, or sets it if forced, and gives the result';

CREATE VIEW @extschema@.hilo_identities AS
	SELECT name, CASE WHEN hub OPERATOR(pg_catalog.=) '' THEN @extschema@.identity_current(name)
		WHEN last OPERATOR(pg_catalog.<) first THEN 0 ELSE last END AS last_value
	FROM @extschema@.hilo_generators
	WHERE pg_catalog.right(name, 1) OPERATOR(pg_catalog.=) '|'
		AND pg_catalog.length(name) OPERATOR(pg_catalog.>) 1;

COMMENT ON VIEW @extschema@.hilo_identities IS
	'the identities that the current role may see, and the last value of each';
