CREATE FUNCTION @extschema@.hilo_follow()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_follow IS 'keep a generator above the ids that rows bring';

CREATE FUNCTION @extschema@.hilo_is_brought(rel regclass, id int8)
RETURNS bool LANGUAGE C STRICT AS 'MODULE_PATHNAME', 'hilo_is_brought_to_table';
COMMENT ON FUNCTION @extschema@.hilo_is_brought(regclass, int8) IS
	'ask whether an id may come from elsewhere than the session';

CREATE FUNCTION @extschema@.hilo_is_brought(tag text, id int8)
RETURNS bool LANGUAGE C STRICT AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_is_brought(text, int8) IS
	'ask whether an id may come from elsewhere than the session';
