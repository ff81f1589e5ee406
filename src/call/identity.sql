CREATE FUNCTION @extschema@.identity_next(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next(text) IS
	'return the next value, above all values that anybody got before';

CREATE FUNCTION @extschema@.identity_next(name text, count int8, OUT low int8,
	OUT high int8)
LANGUAGE C AS 'MODULE_PATHNAME', 'identity_next_count';
COMMENT ON FUNCTION @extschema@.identity_next(text, int8) IS
	'return the next count values in a row';

CREATE FUNCTION @extschema@.identity_next_id(pattern text)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next_id IS
	'return the next value as an id: users| gives users/1';

CREATE FUNCTION @extschema@.identity_current(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_current IS
	'return the last value that anybody got, 0 before the first';

CREATE FUNCTION @extschema@.identity_seed(name text, value int8,
	force bool DEFAULT false)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_seed IS
	'raise the identity as hilo_seed and RavenDB do, and return the resulting value; with force, set it';

CREATE FUNCTION @extschema@.hilo_identities(OUT name text, OUT last int8)
RETURNS SETOF record LANGUAGE sql VOLATILE PARALLEL UNSAFE
BEGIN ATOMIC
	SELECT name, CASE WHEN last < first THEN 0 ELSE last END
	FROM hilo_internal.hilo_generator_list()
	WHERE right(name, 1) = '|' AND length(name) > 1 AND last IS NOT NULL;
END;
COMMENT ON FUNCTION @extschema@.hilo_identities IS
	'list the identities that the current role may use';
