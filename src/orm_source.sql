CREATE TYPE @extschema@.hilo_relation;

CREATE FUNCTION @extschema@.hilo_relation_in(pg_catalog.cstring)
RETURNS @extschema@.hilo_relation
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_relation_in IS 'I/O';

CREATE FUNCTION @extschema@.hilo_relation_out(@extschema@.hilo_relation)
RETURNS pg_catalog.cstring
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_relation_out IS 'I/O';

CREATE FUNCTION @extschema@.hilo_relation_recv(pg_catalog.internal)
RETURNS @extschema@.hilo_relation
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_relation_recv IS 'I/O';

CREATE FUNCTION @extschema@.hilo_relation_send(@extschema@.hilo_relation)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_relation_send IS 'I/O';

CREATE TYPE @extschema@.hilo_relation (
	INPUT = @extschema@.hilo_relation_in,
	OUTPUT = @extschema@.hilo_relation_out,
	RECEIVE = @extschema@.hilo_relation_recv,
	SEND = @extschema@.hilo_relation_send,
	LIKE = pg_catalog.oid
);

COMMENT ON TYPE @extschema@.hilo_relation IS
	'a relation, always with its schema; empty if there is none of that name, where regclass raises an error';

CREATE CAST (@extschema@.hilo_relation AS pg_catalog.oid) WITHOUT FUNCTION AS IMPLICIT;

CREATE TABLE @extschema@.hilo_source (
	generator pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	relation @extschema@.hilo_relation NOT NULL,
	style pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	block pg_catalog.int8,
	increment pg_catalog.int8,
	initial pg_catalog.int8,
	hi_column pg_catalog.name,
	key_column pg_catalog.name,
	key_value pg_catalog.text COLLATE pg_catalog."C",
	CONSTRAINT hilo_source_pkey PRIMARY KEY (generator)
);

COMMENT ON TABLE @extschema@.hilo_source IS
	'where the ranges of adopted hilo generators come from; changed by hilo_adopt_sequence and hilo_adopt_table';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_source', '');
