CREATE FUNCTION @extschema@.docid_fold(id text)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.docid_fold IS
	'return an id in lower case, as RavenDB compares names';
