CREATE FUNCTION @extschema@.anchor_view_insert(
	view pg_catalog.regclass)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT;

COMMENT ON FUNCTION @extschema@.anchor_view_insert IS
	'the command by which the row $1 of a view becomes one of its table';
