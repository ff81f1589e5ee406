CREATE TABLE hilo_internal.hilo_launches (
	id int4 NOT NULL,
	note text,
	role name NOT NULL,
	time timestamptz NOT NULL,
	CONSTRAINT hilo_launches_pkey PRIMARY KEY (id)
);

COMMENT ON TABLE hilo_internal.hilo_launches IS
	'the launches that decimal_launch has given numbers to';

SELECT pg_extension_config_dump('hilo_internal.hilo_launches', '');

CREATE FUNCTION @extschema@.decimal_launch(
	note text)
RETURNS int4
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.decimal_launch IS
	'the next number of a launch, for hilo.launch_id; it stands in hilo_launches';

CREATE FUNCTION @extschema@.hilo_launches(
	OUT id int4,
	OUT note text,
	OUT role name,
	OUT "time" timestamptz)
RETURNS SETOF record
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT * FROM hilo_internal.hilo_launches;
END;

COMMENT ON FUNCTION @extschema@.hilo_launches IS
	'the launches that decimal_launch has given numbers to';
