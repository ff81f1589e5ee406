CREATE FUNCTION @extschema@.hilo_number_assign()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_number_assign IS
	'number the rows of each group';

CREATE FUNCTION @extschema@.hilo_group_last(rel regclass, col name)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
CREATE FUNCTION @extschema@.hilo_group_last(rel regclass, col name, VARIADIC "any")
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_group_last(regclass, name) IS
	'return the last number of a group';
COMMENT ON FUNCTION @extschema@.hilo_group_last(regclass, name, "any") IS
	'return the last number of a group';

CREATE FUNCTION @extschema@.hilo_group_seed(rel regclass, col name, value int8)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
CREATE FUNCTION @extschema@.hilo_group_seed(rel regclass, col name, value int8, VARIADIC "any")
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_group_seed(regclass, name, int8) IS
	'set the last number of a group';
COMMENT ON FUNCTION @extschema@.hilo_group_seed(regclass, name, int8, "any") IS
	'set the last number of a group';
