CREATE TYPE hilo_internal.hilo_column;
CREATE FUNCTION hilo_internal.hilo_column_in(cstring)
	RETURNS hilo_internal.hilo_column
	LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION hilo_internal.hilo_column_out(hilo_internal.hilo_column)
	RETURNS cstring
	LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE TYPE hilo_internal.hilo_column (
	INPUT = hilo_internal.hilo_column_in, OUTPUT = hilo_internal.hilo_column_out,
	LIKE = int8);
CREATE CAST (hilo_internal.hilo_column AS int8) WITHOUT FUNCTION AS IMPLICIT;
COMMENT ON TYPE hilo_internal.hilo_column IS
	'column, which a dump writes by name, and which may be missing';

-- the columns up to is_unlogged are read as a struct
CREATE TABLE hilo_internal.hilo_taken (
	col hilo_internal.hilo_column NOT NULL,
	start int8 NOT NULL,
	min_value int8 NOT NULL,
	max_value int8 NOT NULL,
	cache int8 NOT NULL,
	type regtype NOT NULL,
	schema name NOT NULL,
	sequence name NOT NULL,
	kind "char" NOT NULL,
	is_unlogged bool NOT NULL,
	rights text[] NOT NULL,
	comment text NOT NULL,
	CONSTRAINT hilo_taken_pkey PRIMARY KEY (col)
);
COMMENT ON TABLE hilo_internal.hilo_taken IS
	'the former sequence of each attached column';
