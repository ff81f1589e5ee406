CREATE TABLE hilo_internal.hilo_privilege (
	generator text COLLATE "C" NOT NULL,
	role hilo_internal.hilo_role NOT NULL,
	is_owner bool NOT NULL,
	CONSTRAINT hilo_privilege_pkey PRIMARY KEY (generator, role)
);
