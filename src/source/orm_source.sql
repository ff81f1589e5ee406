CREATE TABLE hilo_internal.hilo_source (
	generator text COLLATE "C" NOT NULL,
	relation regclass NOT NULL,
	style text COLLATE "C" NOT NULL,
	block int8 NOT NULL,
	increment int8,
	initial int8,
	hi_column name,
	key_column name,
	key_value text COLLATE "C",
	CONSTRAINT hilo_source_pkey PRIMARY KEY (generator)
);

-- a relation that was dropped would be written as a number
SELECT pg_extension_config_dump('hilo_internal.hilo_source',
	'WHERE EXISTS (SELECT FROM pg_class WHERE oid = relation)');
