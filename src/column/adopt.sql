CREATE FUNCTION @extschema@.hilo_adopt_sequence(
	rel regclass, col name, sequence regclass, style text,
	block int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_sequence IS
	'make a column share the ids of an ORM''s sequence';

CREATE FUNCTION @extschema@.hilo_adopt_table(
	rel regclass, col name, source regclass, style text,
	block int8 DEFAULT NULL, key_column name DEFAULT NULL,
	key_value text DEFAULT NULL, hi_column name DEFAULT NULL,
	initial int8 DEFAULT NULL)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_adopt_table IS
	'make a column share the ids of an ORM''s counter table';

CREATE FUNCTION @extschema@.hilo_move("from" regclass, "to" regclass)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_move IS
	'give a table''s generator to another table';
