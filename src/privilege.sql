CREATE TYPE @extschema@.hilo_role;

CREATE FUNCTION @extschema@.hilo_role_in(pg_catalog.cstring)
RETURNS @extschema@.hilo_role
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_role_in IS 'I/O';

CREATE FUNCTION @extschema@.hilo_role_out(@extschema@.hilo_role)
RETURNS pg_catalog.cstring
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_role_out IS 'I/O';

CREATE FUNCTION @extschema@.hilo_role_recv(pg_catalog.internal)
RETURNS @extschema@.hilo_role
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_role_recv IS 'I/O';

CREATE FUNCTION @extschema@.hilo_role_send(@extschema@.hilo_role)
RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_role_send IS 'I/O';

CREATE TYPE @extschema@.hilo_role (
	INPUT = @extschema@.hilo_role_in,
	OUTPUT = @extschema@.hilo_role_out,
	RECEIVE = @extschema@.hilo_role_recv,
	SEND = @extschema@.hilo_role_send,
	LIKE = pg_catalog.oid
);

COMMENT ON TYPE @extschema@.hilo_role IS
	'a role; empty if there is none of that name, where regrole raises an error';

CREATE CAST (@extschema@.hilo_role AS pg_catalog.oid) WITHOUT FUNCTION AS IMPLICIT;

CREATE TABLE @extschema@.hilo_privilege (
	generator pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	role @extschema@.hilo_role NOT NULL,
	is_owner pg_catalog.bool NOT NULL,
	CONSTRAINT hilo_privilege_pkey PRIMARY KEY (generator, role)
);

COMMENT ON TABLE @extschema@.hilo_privilege IS
	'owners of hilo generators and who else may use them; changed by hilo_grant and hilo_revoke';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_privilege', '');
