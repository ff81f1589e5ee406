-- apart from the definitions: a role that is missing at a restore fails the
-- COPY of this table, and of no other
CREATE TABLE @extschema@.hilo_privilege (
	generator pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	role pg_catalog.regrole NOT NULL,
	is_owner pg_catalog.bool NOT NULL,
	CONSTRAINT hilo_privilege_pkey PRIMARY KEY (generator, role)
);

REVOKE ALL ON @extschema@.hilo_privilege FROM PUBLIC;
GRANT SELECT, INSERT ON @extschema@.hilo_privilege TO @extowner@;

COMMENT ON TABLE @extschema@.hilo_privilege IS
	'owners of hilo generators and who else may use them; changed by hilo_grant and hilo_revoke';

-- a role that was dropped would be dumped as a number, and restored as
-- whatever role has that number there
SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_privilege',
	'WHERE role::pg_catalog.oid IN (SELECT oid FROM pg_catalog.pg_roles)');
