CREATE TABLE hilo_internal.hilo_privilege (
	role hilo_internal.hilo_role NOT NULL,
	is_owner bool NOT NULL,
	generator hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_privilege_pkey PRIMARY KEY (generator, role)
);
COMMENT ON TABLE hilo_internal.hilo_privilege IS
	'the owner of each generator, and the grants';
