CREATE TABLE hilo_internal.hilo_generator (
	name text COLLATE "C" NOT NULL,
	written_name text COLLATE "C" NOT NULL,
	ordering text COLLATE "C" NOT NULL,
	first int8 NOT NULL,
	max_value int8 NOT NULL,
	range_size int8 NOT NULL,
	max_range_size int8 NOT NULL,
	recycle bool NOT NULL,
	domain_bits int4 NOT NULL,
	is_public bool NOT NULL,
	created timestamptz NOT NULL,
	hub name NOT NULL,
	CONSTRAINT hilo_generator_pkey PRIMARY KEY (name)
);

SELECT pg_extension_config_dump('hilo_internal.hilo_generator', '');
