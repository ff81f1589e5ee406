CREATE FUNCTION @extschema@.hilo_number_assign()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_number_assign IS
	'number the rows of each group
hilo_number_assign(column, ordering, VARIADIC group_columns)';

CREATE FUNCTION @extschema@.hilo_group_last(rel regclass, col name)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
CREATE FUNCTION @extschema@.hilo_group_last(
	rel regclass, col name, VARIADIC group_values "any")
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_group_last(regclass, name) IS
	'return the last number of a group, or null if it has none';
COMMENT ON FUNCTION @extschema@.hilo_group_last(regclass, name, "any") IS
	'return the last number of a group, or null if it has none';

CREATE FUNCTION @extschema@.hilo_group_seed(rel regclass, col name, value int8)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
CREATE FUNCTION @extschema@.hilo_group_seed(
	rel regclass, col name, value int8, VARIADIC group_values "any")
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_group_seed(regclass, name, int8) IS
	'set the last number of a group, so that the next one follows it';
COMMENT ON FUNCTION @extschema@.hilo_group_seed(regclass, name, int8, "any") IS
	'set the last number of a group, so that the next one follows it';
