CREATE FUNCTION @extschema@.hilo_follow()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_follow IS
	'keep a generator or a sequence above the ids that rows bring';

CREATE FUNCTION hilo_internal.hilo_followed(
	OUT rel oid, OUT attnum int2, OUT generator text, OUT folded text,
	OUT fault text, OUT mend text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION hilo_internal.hilo_followed IS
	'list the columns that draw from a sequence which is to follow them, or from nothing any more';
