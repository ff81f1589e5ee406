-- Not for pg_extension_config_dump: no key stands in a dump.
CREATE TABLE @extschema@.hilo_id_key (
	key_name pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	owner @extschema@.hilo_role NOT NULL,
	key pg_catalog.bytea NOT NULL,
	CONSTRAINT hilo_id_key_pkey PRIMARY KEY (key_name)
);

COMMENT ON TABLE @extschema@.hilo_id_key IS
	'keys of id_seal; changed by id_key_create and id_key_drop, never dumped';

-- There is no policy: a role that may read all tables sees no row, nor a key among
-- the statistics of ANALYZE.
ALTER TABLE @extschema@.hilo_id_key
	ENABLE ROW LEVEL SECURITY,
	ALTER COLUMN key SET STATISTICS 0;

CREATE FUNCTION @extschema@.id_key_create(
	key_name pg_catalog.name)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.id_key_create IS
	'makes a random key for id_seal, which the current role and its members may use';

CREATE FUNCTION @extschema@.id_key_drop(
	key_name pg_catalog.name)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.id_key_drop IS
	'forgets a key; nobody can unseal then what it has sealed';

CREATE FUNCTION @extschema@.id_seal(
	id pg_catalog.int8,
	key_name pg_catalog.name,
	tweak pg_catalog.int8 DEFAULT 0)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_seal IS
	'the id that stands for another, under a named key';

CREATE FUNCTION @extschema@.id_unseal(
	id pg_catalog.int8,
	key_name pg_catalog.name,
	tweak pg_catalog.int8 DEFAULT 0)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_unseal IS
	'the inverse of id_seal';
