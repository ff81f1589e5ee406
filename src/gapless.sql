CREATE TABLE @extschema@.hilo_gapless (
	last pg_catalog.int8 NOT NULL,
	name pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	CONSTRAINT hilo_gapless_pkey PRIMARY KEY (name)
) WITH (fillfactor = 50);

COMMENT ON TABLE @extschema@.hilo_gapless IS
	'the last numbers of hilo generators without gaps; changed by hilo_next and hilo_seed';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_gapless', '');
