CREATE FUNCTION @extschema@.document_id_parts(
	id text,
	OUT prefix text,
	OUT number int8,
	OUT node_tag text,
	OUT anchor text,
	OUT strategy text)
RETURNS record
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.document_id_parts IS
	'what the id of a document is made of: prefix, number, node tag and anchor, and the strategy that it looks like';
