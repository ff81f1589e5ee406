CREATE FUNCTION @extschema@.document_id(pattern text DEFAULT NULL)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id IS
	'return the id that a pattern asks for, like RavenDB';

CREATE FUNCTION @extschema@.document_id_strategy(pattern text)
RETURNS text LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_strategy IS
	'return what document_id would do with a pattern';

CREATE FUNCTION @extschema@.document_id_valid(id text,
	separator text DEFAULT '/')
RETURNS bool LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_valid IS
	'check whether a text can be a document''s id: 1 to 512 bytes, no control characters, neither | nor the separator at the end';

CREATE FUNCTION @extschema@.hilo_tag(collection text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_tag IS
	'return the prefix of a collection by RavenDB''s convention';

CREATE DOMAIN @extschema@.docid AS text
	CONSTRAINT docid_valid
		CHECK (@extschema@.document_id_valid(VALUE, '/'::text));
COMMENT ON DOMAIN @extschema@.docid IS
	'text that document_id_valid accepts';

CREATE FUNCTION @extschema@.document_id_parts(
	id text, OUT prefix text, OUT number int8, OUT node_tag text,
	OUT anchor text, OUT strategy text)
RETURNS record LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_parts IS
	'return the parts of an id';
