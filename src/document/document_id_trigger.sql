CREATE FUNCTION @extschema@.document_id_assign()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_assign IS
	'give each new row its id
document_id_assign(id_column, collection, strategy, anchor_column)';
