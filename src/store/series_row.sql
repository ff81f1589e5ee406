-- The last number of each group of rows.
CREATE TABLE hilo_internal.hilo_series (
	last int8 NOT NULL,
	definition int4 NOT NULL,
	rel hilo_internal.hilo_table NOT NULL,
	columns int4 NOT NULL,
	grp text COLLATE "C" NOT NULL,
	CONSTRAINT hilo_series_pkey PRIMARY KEY (rel, columns, grp)
) WITH (fillfactor = 90);
