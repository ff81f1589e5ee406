CREATE FUNCTION docid_fold(id text)
RETURNS text
AS 'MODULE_PATHNAME', 'docid_fold'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION docid_fold(text) IS
'the id in lower case as RavenDB has it: two ids are the same document if this is the same';
