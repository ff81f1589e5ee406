CREATE FUNCTION @extschema@.docid_fold(id text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.docid_fold IS
	'return an id in lower case, the form in which RavenDB compares names';
