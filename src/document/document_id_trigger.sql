CREATE FUNCTION @extschema@.document_id_assign()
RETURNS trigger AS 'MODULE_PATHNAME'
LANGUAGE C;
COMMENT ON FUNCTION @extschema@.document_id_assign IS
	'trigger BEFORE INSERT FOR EACH ROW that gives a row its id; arguments: id column, collection, strategy, anchor column';
