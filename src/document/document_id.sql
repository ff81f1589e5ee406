CREATE FUNCTION @extschema@.document_id(pattern text DEFAULT NULL)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id IS
	'the id a pattern asks for: nothing is a GUID, users/ a server-side id, users| an identity''s, anything else itself';

CREATE FUNCTION @extschema@.document_id_strategy(pattern text)
RETURNS text LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_strategy IS
	'how document_id makes the id of a pattern: guid, server-side, identity or semantic';

CREATE FUNCTION @extschema@.document_id_valid(id text, separator text DEFAULT '/')
RETURNS bool LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_valid IS
	'whether a document may have that id: 1 to 512 bytes, no control characters, neither | nor the separator at the end';

CREATE FUNCTION @extschema@.hilo_tag(collection text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_tag IS
	'what RavenDB''s ids of a collection begin with: users for Users, but BacklogItems as it is';

CREATE DOMAIN @extschema@.docid AS text
	CONSTRAINT docid_valid CHECK (@extschema@.document_id_valid(VALUE, '/'));
COMMENT ON DOMAIN @extschema@.docid IS 'the finished id of a document';

CREATE FUNCTION @extschema@.document_id_parts(
	id text, OUT prefix text, OUT number int8, OUT node_tag text,
	OUT anchor text, OUT strategy text)
RETURNS record LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_parts IS
	'what the id of a document is made of: prefix, number, node tag and anchor, and the strategy that it looks like';
