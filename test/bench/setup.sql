-- What the parts of the benchmark call.
\set ON_ERROR_STOP on

CREATE EXTENSION hilo;

CREATE FUNCTION empty(text) RETURNS bigint
	AS :'module' LANGUAGE C VOLATILE PARALLEL UNSAFE;

CREATE SEQUENCE sequence_1 CACHE 1;
CREATE SEQUENCE sequence_32 CACHE 32;
CREATE SEQUENCE sequence_250 CACHE 250;
CREATE SEQUENCE sequence_1000 CACHE 1000;
CREATE SEQUENCE sequence_100000 CACHE 100000;

-- ranges that begin at a size and grow, and ranges that are held at it
SELECT hilo_create('from_' || size, range_size => size)
	FROM unnest(ARRAY[32, 1000, 100000]::bigint[]) AS size;
SELECT hilo_create('fixed_' || size, range_size => size, max_range_size => size)
	FROM unnest(ARRAY[32, 250, 1000, 100000]::bigint[]) AS size;

CREATE TABLE counter (value bigint NOT NULL);
INSERT INTO counter VALUES (0);

-- Many transactions in one call, so that no client stands between them.
CREATE PROCEDURE call_empty(count int) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. count LOOP PERFORM empty('x'); COMMIT; END LOOP;
END $$;
CREATE PROCEDURE call_nextval(count int) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. count LOOP PERFORM nextval('sequence_100000'); COMMIT; END LOOP;
END $$;
CREATE PROCEDURE call_hilo_next(count int) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. count LOOP PERFORM hilo_next('fixed_100000'); COMMIT; END LOOP;
END $$;

VACUUM ANALYZE;
