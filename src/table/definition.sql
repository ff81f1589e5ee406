-- OIDs, which a dump writes as names, and which may be missing.
DO $$
DECLARE
	type text;
BEGIN
	FOREACH type IN ARRAY '{hilo_table, hilo_role}'::text[] LOOP
		EXECUTE format('
			CREATE TYPE hilo_internal.%1$I;
			CREATE FUNCTION hilo_internal.%1$s_in(cstring) RETURNS hilo_internal.%1$I
				LANGUAGE C STABLE STRICT PARALLEL SAFE AS ''MODULE_PATHNAME'';
			CREATE FUNCTION hilo_internal.%1$s_out(hilo_internal.%1$I) RETURNS cstring
				LANGUAGE C STABLE STRICT PARALLEL SAFE AS ''MODULE_PATHNAME'';
			CREATE TYPE hilo_internal.%1$I (
				INPUT = hilo_internal.%1$s_in, OUTPUT = hilo_internal.%1$s_out,
				LIKE = oid);
			CREATE CAST (hilo_internal.%1$I AS oid) WITHOUT FUNCTION AS IMPLICIT', type);
	END LOOP;
END $$;

-- The definition of each generator.  The columns from first to ordering are
-- read as a struct.
CREATE TABLE hilo_internal.hilo_generator (
	first int8 NOT NULL,
	max_value int8 NOT NULL,
	range_size int8 NOT NULL,
	max_range_size int8 NOT NULL,
	created timestamptz NOT NULL,
	is_public bool NOT NULL,
	domain_bits int4 NOT NULL,
	hub name NOT NULL,
	ordering name NOT NULL,
	written_name text COLLATE "C" NOT NULL,
	name hilo_internal.hilo_key COLLATE "C" NOT NULL,
	CONSTRAINT hilo_generator_pkey PRIMARY KEY (name)
);
