CREATE TABLE hilo_internal.hilo_hi (
	reserved int8 NOT NULL,
	top_low int8 NOT NULL,
	top_number int8 NOT NULL,
	last_size int8 NOT NULL,
	incarnation int8 NOT NULL,
	system_identifier int8 NOT NULL,
	spare_low_1 int8 NOT NULL, spare_high_1 int8 NOT NULL,
	spare_low_2 int8 NOT NULL, spare_high_2 int8 NOT NULL,
	spare_low_3 int8 NOT NULL, spare_high_3 int8 NOT NULL,
	spare_low_4 int8 NOT NULL, spare_high_4 int8 NOT NULL,
	spare_low_5 int8 NOT NULL, spare_high_5 int8 NOT NULL,
	spare_low_6 int8 NOT NULL, spare_high_6 int8 NOT NULL,
	spare_low_7 int8 NOT NULL, spare_high_7 int8 NOT NULL,
	spare_low_8 int8 NOT NULL, spare_high_8 int8 NOT NULL,
	epoch int8 NOT NULL,
	timeline int4 NOT NULL,
	top_role oid NOT NULL,
	name text COLLATE "C" NOT NULL,
	CONSTRAINT hilo_hi_pkey PRIMARY KEY (name)
);

SELECT pg_extension_config_dump('hilo_internal.hilo_hi', '');
