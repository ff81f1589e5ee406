-- The last number of each gapless generator.
CREATE TABLE hilo_internal.hilo_gapless (
	last int8 NOT NULL,
	name hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_gapless_pkey PRIMARY KEY (name)
) WITH (fillfactor = 50);
