CREATE FUNCTION @extschema@.docid_fold(id text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.docid_fold IS
	'the id in lower case as RavenDB has it: two ids are the same document if this is the same';
