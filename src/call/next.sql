-- In COPY, these take the place of their namesakes.
CREATE FUNCTION hilo_internal.hilo_next(internal)
RETURNS int8 STABLE LANGUAGE C AS 'MODULE_PATHNAME';
CREATE FUNCTION hilo_internal.hilo_next_tag(internal)
RETURNS int8 STABLE LANGUAGE C AS 'MODULE_PATHNAME';
CREATE FUNCTION hilo_internal.hilo_copy_support(internal)
RETURNS internal STRICT LANGUAGE C AS 'MODULE_PATHNAME';

CREATE FUNCTION @extschema@.hilo_next(rel regclass)
RETURNS int8 SUPPORT hilo_internal.hilo_copy_support LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next(regclass) IS 'return the next id of a table';

CREATE FUNCTION @extschema@.hilo_next(rel regclass, count int8)
RETURNS SETOF int8 LANGUAGE C AS 'MODULE_PATHNAME', 'hilo_next_count';
COMMENT ON FUNCTION @extschema@.hilo_next(regclass, int8) IS
	'return count ids of a table';

CREATE FUNCTION @extschema@.hilo_next_tag(tag text)
RETURNS int8 SUPPORT hilo_internal.hilo_copy_support LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_tag(text) IS 'return the next id of a tag';

CREATE FUNCTION @extschema@.hilo_next_tag(tag text, count int8)
RETURNS SETOF int8 LANGUAGE C AS 'MODULE_PATHNAME', 'hilo_next_tag_count';
COMMENT ON FUNCTION @extschema@.hilo_next_tag(text, int8) IS
	'return count ids of a tag';

CREATE FUNCTION @extschema@.hilo_next_id(name text)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_id IS 'return the next id of a tag as text, like RavenDB';

CREATE FUNCTION @extschema@.hilo_current(name text)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_current IS 'return the last id that this session got from a generator';

CREATE FUNCTION @extschema@.hilo_release(name text DEFAULT NULL)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_release IS
	'give back the unused ids that this session holds of a generator, or of all generators';

CREATE FUNCTION @extschema@.hilo_session(
	OUT name text, OUT current int8, OUT next int8, OUT high int8, OUT node_tag text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_session IS 'list the ids that this session holds';
