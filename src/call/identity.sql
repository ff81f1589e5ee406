CREATE FUNCTION @extschema@.identity_next(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next(text) IS
	'the next value of an identity';

CREATE FUNCTION @extschema@.identity_next(
	name text, count int8, OUT low int8, OUT high int8)
LANGUAGE C AS 'MODULE_PATHNAME', 'identity_next_count';
COMMENT ON FUNCTION @extschema@.identity_next(text, int8) IS
	'the next values of an identity, that many in a row';

CREATE FUNCTION @extschema@.identity_next_batch(names text[])
RETURNS int8[] LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next_batch IS
	'the next value of each of these identities, in their order';

CREATE FUNCTION @extschema@.identity_next_id(pattern text)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next_id IS
	'the next value of an identity as an id: users/1 for users|';

CREATE FUNCTION @extschema@.identity_current(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_current IS
	'the last value of an identity that anybody got; 0 before the first';

CREATE FUNCTION @extschema@.identity_seed(
	name text, value int8, force bool DEFAULT false)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_seed IS
	'raises the last value of an identity, or sets it if forced, and gives the result';

CREATE FUNCTION @extschema@.hilo_identities(OUT name text, OUT last int8)
RETURNS SETOF record LANGUAGE sql VOLATILE PARALLEL UNSAFE
BEGIN ATOMIC
	SELECT g.name, CASE WHEN g.hub = '' THEN @extschema@.identity_current(g.name)
		WHEN g.last < g.first THEN 0 ELSE g.last END
	FROM @extschema@.hilo_generators() g
	WHERE right(g.name, 1) = '|' AND length(g.name) > 1;
END;
COMMENT ON FUNCTION @extschema@.hilo_identities IS
	'the identities that the current role may see, and the last value of each';
