CREATE TYPE hilo_internal.hilo_role;

CREATE FUNCTION hilo_internal.hilo_role_in(cstring)
RETURNS hilo_internal.hilo_role LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE FUNCTION hilo_internal.hilo_role_out(hilo_internal.hilo_role)
RETURNS cstring LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';

CREATE TYPE hilo_internal.hilo_role (
	INPUT = hilo_internal.hilo_role_in,
	OUTPUT = hilo_internal.hilo_role_out,
	LIKE = oid
);

CREATE CAST (hilo_internal.hilo_role AS oid) WITHOUT FUNCTION AS IMPLICIT;

CREATE TABLE hilo_internal.hilo_privilege (
	generator text COLLATE "C" NOT NULL,
	role hilo_internal.hilo_role NOT NULL,
	is_owner bool NOT NULL,
	CONSTRAINT hilo_privilege_pkey PRIMARY KEY (generator, role)
);

SELECT pg_extension_config_dump('hilo_internal.hilo_privilege', '');
