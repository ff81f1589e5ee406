CREATE FUNCTION @extschema@.anchor_bucket(
	id pg_catalog.text)
RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_bucket IS
	'the bucket of an id, 0 to 1048575, as RavenDB has it: the hash of what follows its last $';

CREATE FUNCTION @extschema@.anchor_of(
	id pg_catalog.text)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_of IS
	'the part of an id that is hashed: what follows its last $, or all of it';

CREATE FUNCTION @extschema@.anchor_to(
	id pg_catalog.text,
	target pg_catalog.text)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_to IS
	'the id with the anchor of another one, so that both have the same bucket';

CREATE FUNCTION @extschema@.anchor_match(
	row_id pg_catalog.text,
	id pg_catalog.text)
RETURNS pg_catalog.bool
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN @extschema@.anchor_bucket(row_id) OPERATOR(pg_catalog.=) @extschema@.anchor_bucket(id)
	AND row_id OPERATOR(pg_catalog.=) id;

COMMENT ON FUNCTION @extschema@.anchor_match IS
	'whether a row has that id, in the words by which the planner finds its partition';

CREATE FUNCTION @extschema@.anchor_match(
	row_bucket pg_catalog.int4,
	row_id pg_catalog.text,
	id pg_catalog.text)
RETURNS pg_catalog.bool
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN row_bucket OPERATOR(pg_catalog.=) @extschema@.anchor_bucket(id)
	AND row_id OPERATOR(pg_catalog.=) id;

COMMENT ON FUNCTION @extschema@.anchor_match(pg_catalog.int4, pg_catalog.text, pg_catalog.text) IS
	'whether a row with its bucket in a column has that id, in the words by which the planner finds its partition';
