CREATE TYPE hilo_internal.hilo_relation;

CREATE FUNCTION hilo_internal.hilo_relation_in(cstring)
RETURNS hilo_internal.hilo_relation LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_relation_out(hilo_internal.hilo_relation)
RETURNS cstring LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE TYPE hilo_internal.hilo_relation (
	INPUT = hilo_internal.hilo_relation_in,
	OUTPUT = hilo_internal.hilo_relation_out,
	LIKE = oid
);

CREATE CAST (hilo_internal.hilo_relation AS oid) WITHOUT FUNCTION AS IMPLICIT;

CREATE TABLE hilo_internal.hilo_source (
	generator text COLLATE "C" NOT NULL,
	relation hilo_internal.hilo_relation NOT NULL,
	style text COLLATE "C" NOT NULL,
	block int8,
	increment int8,
	initial int8,
	hi_column name,
	key_column name,
	key_value text COLLATE "C",
	CONSTRAINT hilo_source_pkey PRIMARY KEY (generator)
);

SELECT pg_extension_config_dump('hilo_internal.hilo_source', '');
