CREATE TABLE @extschema@.hilo_generator (
	name pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	written_name pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	ordering pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	first pg_catalog.int8 NOT NULL,
	max_value pg_catalog.int8 NOT NULL,
	range_size pg_catalog.int8 NOT NULL,
	max_range_size pg_catalog.int8 NOT NULL,
	recycle pg_catalog.bool NOT NULL,
	domain_bits pg_catalog.int4 NOT NULL,
	is_public pg_catalog.bool NOT NULL,
	created pg_catalog.timestamptz NOT NULL,
	hub pg_catalog.name NOT NULL DEFAULT '',
	CONSTRAINT hilo_generator_pkey PRIMARY KEY (name),
	CHECK (ordering OPERATOR(pg_catalog.=) ANY (ARRAY['session', 'global', 'scattered', 'gapless', 'adopted'])),
	CHECK (first OPERATOR(pg_catalog.>=) 1 AND max_value OPERATOR(pg_catalog.>=) first),
	CHECK (range_size OPERATOR(pg_catalog.>=) 1 AND max_range_size OPERATOR(pg_catalog.>=) range_size),
	CHECK (domain_bits OPERATOR(pg_catalog.>=) 2 AND domain_bits OPERATOR(pg_catalog.<=) 63)
);

COMMENT ON TABLE @extschema@.hilo_generator IS
	'the definitions of hilo generators; changed by hilo_create, hilo_alter and hilo_drop';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_generator', '');
