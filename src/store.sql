CREATE TABLE @extschema@.hilo_hi (
	last pg_catalog.int8 NOT NULL,
	top_low pg_catalog.int8 NOT NULL,
	top_number pg_catalog.int8 NOT NULL,
	last_size pg_catalog.int8 NOT NULL,
	incarnation pg_catalog.int8 NOT NULL,
	system_identifier pg_catalog.int8 NOT NULL,
	earlier_at pg_catalog.timestamptz NOT NULL,
	earlier_last pg_catalog.int8 NOT NULL,
	earlier_number pg_catalog.int8 NOT NULL,
	later_at pg_catalog.timestamptz NOT NULL,
	later_last pg_catalog.int8 NOT NULL,
	later_number pg_catalog.int8 NOT NULL,
	spare_low_1 pg_catalog.int8 NOT NULL,
	spare_high_1 pg_catalog.int8 NOT NULL,
	spare_low_2 pg_catalog.int8 NOT NULL,
	spare_high_2 pg_catalog.int8 NOT NULL,
	spare_low_3 pg_catalog.int8 NOT NULL,
	spare_high_3 pg_catalog.int8 NOT NULL,
	spare_low_4 pg_catalog.int8 NOT NULL,
	spare_high_4 pg_catalog.int8 NOT NULL,
	epoch pg_catalog.int8 NOT NULL,
	timeline pg_catalog.int4 NOT NULL,
	top_role pg_catalog.oid NOT NULL,
	name pg_catalog.text COLLATE pg_catalog."C" NOT NULL,
	CONSTRAINT hilo_hi_pkey PRIMARY KEY (name)
);

COMMENT ON TABLE @extschema@.hilo_hi IS
	'how far each hilo generator has been reserved; changed only in place, by hilo itself';

SELECT pg_catalog.pg_extension_config_dump('@extschema@.hilo_hi', '');
