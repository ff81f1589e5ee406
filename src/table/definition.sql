CREATE TYPE hilo_internal.hilo_table;

CREATE FUNCTION hilo_internal.hilo_table_in(cstring)
RETURNS hilo_internal.hilo_table LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_table_out(hilo_internal.hilo_table)
RETURNS cstring LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE TYPE hilo_internal.hilo_table (
	INPUT = hilo_internal.hilo_table_in,
	OUTPUT = hilo_internal.hilo_table_out,
	LIKE = oid
);

CREATE CAST (hilo_internal.hilo_table AS oid) WITHOUT FUNCTION AS IMPLICIT;

-- the columns from first to ordering are read as a struct
CREATE TABLE hilo_internal.hilo_generator (
	first int8 NOT NULL,
	max_value int8 NOT NULL,
	range_size int8 NOT NULL,
	max_range_size int8 NOT NULL,
	created timestamptz NOT NULL,
	is_public bool NOT NULL,
	domain_bits int4 NOT NULL,
	rel hilo_internal.hilo_table NOT NULL DEFAULT '',
	hub name NOT NULL,
	ordering name NOT NULL,
	written_name text COLLATE "C" NOT NULL,
	name text COLLATE "C" NOT NULL,
	CONSTRAINT hilo_generator_pkey PRIMARY KEY (name)
);

CREATE INDEX hilo_generator_rel ON hilo_internal.hilo_generator (rel oid_ops);

SELECT pg_extension_config_dump('hilo_internal.hilo_generator', '');
