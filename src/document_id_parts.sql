CREATE FUNCTION @extschema@.document_id_parts(
	id pg_catalog.text,
	OUT prefix pg_catalog.text,
	OUT number pg_catalog.int8,
	OUT node_tag pg_catalog.text,
	OUT anchor pg_catalog.text,
	OUT strategy pg_catalog.text)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.document_id_parts IS
	'what the id of a document is made of: prefix, number, node tag and anchor, and the strategy that it looks like';
