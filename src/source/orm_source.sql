-- The sequence or table that each adopted generator gets its ids from.  The
-- columns from relation to key_column are read as a struct.
CREATE TABLE hilo_internal.hilo_source (
	relation hilo_internal.hilo_table NOT NULL,
	block int8 NOT NULL,
	initial int8 NOT NULL DEFAULT 0,
	style name NOT NULL,
	hi_column name NOT NULL DEFAULT '',
	key_column name NOT NULL DEFAULT '',
	key_value text COLLATE "C" NOT NULL DEFAULT '',
	generator hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_source_pkey PRIMARY KEY (generator)
);
