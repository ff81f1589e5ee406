CREATE FUNCTION @extschema@.identity_next(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next(text) IS
	'return the next value of an identity, above all earlier ones';

CREATE FUNCTION @extschema@.identity_next(name text, count int8, OUT low int8,
	OUT high int8)
LANGUAGE C AS 'MODULE_PATHNAME', 'identity_next_count';
COMMENT ON FUNCTION @extschema@.identity_next(text, int8) IS
	'return the next count values of an identity';

CREATE FUNCTION @extschema@.identity_next_id(pattern text)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_next_id IS
	'return the next value of an identity as an id: users| gives users/1';

CREATE FUNCTION @extschema@.identity_current(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_current IS
	'return the last value of an identity, or 0';

CREATE FUNCTION @extschema@.identity_seed(name text, value int8,
	force bool DEFAULT false)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.identity_seed IS
	'raise an identity to a value, and return the resulting value; with force, set it';
