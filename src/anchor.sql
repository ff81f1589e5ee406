CREATE FUNCTION @extschema@.anchor_bucket(
	id text)
RETURNS int4
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_bucket IS
	'the bucket of an id, 0 to 1048575, as RavenDB has it: the hash of what follows its last $';

CREATE FUNCTION @extschema@.anchor_of(
	id text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_of IS
	'the part of an id that is hashed: what follows its last $, or all of it';

CREATE FUNCTION @extschema@.anchor_to(
	id text,
	target text)
RETURNS text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.anchor_to IS
	'the id with the anchor of another one, so that both have the same bucket';

CREATE FUNCTION @extschema@.anchor_match(
	row_id text,
	id text)
RETURNS bool
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN @extschema@.anchor_bucket(row_id) = @extschema@.anchor_bucket(id)
	AND row_id = id;

COMMENT ON FUNCTION @extschema@.anchor_match IS
	'whether a row has that id, in the words by which the planner finds its partition';

CREATE FUNCTION @extschema@.anchor_match(
	row_bucket int4,
	row_id text,
	id text)
RETURNS bool
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN row_bucket = @extschema@.anchor_bucket(id)
	AND row_id = id;

COMMENT ON FUNCTION @extschema@.anchor_match(int4, text, text) IS
	'whether a row with its bucket in a column has that id, in the words by which the planner finds its partition';
