CREATE FUNCTION @extschema@.document_id_assign()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.document_id_assign IS
	'trigger BEFORE INSERT FOR EACH ROW that gives a row its id; arguments: id column, collection, strategy, anchor column';
