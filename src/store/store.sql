-- The highest id reserved for each generator; its rows are changed in place.
CREATE TABLE hilo_internal.hilo_hi (
	reserved int8 NOT NULL,
	last_size int8 NOT NULL,
	incarnation int8 NOT NULL,
	system_identifier int8 NOT NULL,
	timeline int8 NOT NULL,
	skipped int8 NOT NULL,
	name hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_hi_pkey PRIMARY KEY (name)
);
