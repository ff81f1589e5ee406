CREATE FUNCTION @extschema@.hilo_create(
	name pg_catalog.text,
	ordering pg_catalog.text DEFAULT 'session',
	first pg_catalog.int8 DEFAULT 1,
	max_value pg_catalog.int8 DEFAULT 9223372036854775807,
	range_size pg_catalog.int8 DEFAULT 32,
	max_range_size pg_catalog.int8 DEFAULT 1048576,
	recycle pg_catalog.bool DEFAULT false,
	domain_bits pg_catalog.int4 DEFAULT 63,
	hub pg_catalog.name DEFAULT NULL)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_create IS
	'creates a generator';

CREATE FUNCTION @extschema@.hilo_alter(
	name pg_catalog.text,
	ordering pg_catalog.text DEFAULT NULL,
	first pg_catalog.int8 DEFAULT NULL,
	max_value pg_catalog.int8 DEFAULT NULL,
	range_size pg_catalog.int8 DEFAULT NULL,
	max_range_size pg_catalog.int8 DEFAULT NULL,
	recycle pg_catalog.bool DEFAULT NULL,
	domain_bits pg_catalog.int4 DEFAULT NULL,
	owner pg_catalog.name DEFAULT NULL,
	hub pg_catalog.name DEFAULT NULL)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_alter IS
	'changes the options of a generator; null keeps one as it is';

CREATE FUNCTION @extschema@.hilo_drop(
	name pg_catalog.text,
	if_exists pg_catalog.bool DEFAULT false)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_drop IS
	'drops a generator';

CREATE FUNCTION @extschema@.hilo_grant(
	name pg_catalog.text,
	role pg_catalog.name)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_grant IS
	'lets a role use a generator; the first grant ends its use by PUBLIC';

CREATE FUNCTION @extschema@.hilo_revoke(
	name pg_catalog.text,
	role pg_catalog.name)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_revoke IS
	'takes back what hilo_grant gave';

CREATE FUNCTION @extschema@.hilo_generators_rows(
	OUT name pg_catalog.text,
	OUT ordering pg_catalog.text,
	OUT owner pg_catalog.regrole,
	OUT is_public pg_catalog.bool,
	OUT first pg_catalog.int8,
	OUT last pg_catalog.int8,
	OUT max_value pg_catalog.int8,
	OUT range_size pg_catalog.int8,
	OUT max_range_size pg_catalog.int8,
	OUT recycle pg_catalog.bool,
	OUT domain_bits pg_catalog.int4,
	OUT spare_ids pg_catalog.int8,
	OUT created pg_catalog.timestamptz,
	OUT used_ratio pg_catalog.float8,
	OUT days_to_exhaustion pg_catalog.float8,
	OUT ranges_per_minute pg_catalog.float8,
	OUT grants pg_catalog.name[],
	OUT hub pg_catalog.name)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_generators_rows IS
	'the rows of the view hilo_generators';

CREATE VIEW @extschema@.hilo_generators AS
	SELECT * FROM @extschema@.hilo_generators_rows();

COMMENT ON VIEW @extschema@.hilo_generators IS
	'the generators that the current role may see, and how far they are';
