CREATE FUNCTION @extschema@.hilo_adopt_sequence(
	name text, sequence regclass, style text, block int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_sequence IS
	'create a generator whose ranges come from a sequence';

CREATE FUNCTION @extschema@.hilo_adopt_table(
	name text, rel regclass, style text, block int8 DEFAULT NULL,
	key_column name DEFAULT NULL, key_value text DEFAULT NULL,
	hi_column name DEFAULT NULL, initial int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_table IS
	'create a generator whose ranges come from a row of a table';

CREATE FUNCTION @extschema@.hilo_sources(
	OUT name text, OUT source regclass, OUT style text, OUT block int8,
	OUT initial int8, OUT hi_column name, OUT key_column name,
	OUT key_value text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_sources IS
	'list the adopted generators that the role may use';

CREATE FUNCTION @extschema@.hilo_source_block(
	style text, value int8, block int8, initial int8 DEFAULT 1, OUT low int8,
	OUT high int8)
RETURNS record LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_source_block IS
	'return the ids that the ORM takes for a value of its source: the result of nextval, or the value in its row';
