CREATE FUNCTION @extschema@.hilo_attach(
	rel regclass, col name, generator text DEFAULT NULL, follow bool DEFAULT false)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_attach IS
	'makes a generator the default of a column, above all ids in use';

CREATE FUNCTION @extschema@.hilo_detach(rel regclass, col name)
RETURNS void LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_detach IS
	'makes a sequence the default of a column again, above all ids in use';

CREATE FUNCTION @extschema@.hilo_resync(rel regclass, col name)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_resync IS
	'raises the generator of a column to what the column holds, and gives its last id';

CREATE FUNCTION @extschema@.hilo_resync_all(
	OUT rel regclass, OUT col name, OUT generator text, OUT last int8)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_resync_all IS
	'does hilo_resync for every column whose default is a generator';
