-- Columns put on a generator: the ids in their rows, whatever index there is.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

-- nothing, only nulls, only ids below 1; the end of the type, and near it
CREATE TABLE nothing (id int);
CREATE TABLE nulls (id bigint);
CREATE TABLE negative (id bigint);
CREATE TABLE at_end (id smallint);
CREATE TABLE near_end (id int);
INSERT INTO nulls SELECT NULL FROM generate_series(1, 5);
INSERT INTO negative VALUES (-5), (0);
INSERT INTO at_end VALUES (32767);
INSERT INTO near_end VALUES (1610612736);
SELECT hilo_attach('nothing', 'id'), hilo_attach('nulls', 'id'), hilo_attach('negative', 'id');
SELECT hilo_attach('at_end', 'id');
SELECT hilo_attach('near_end', 'id');
INSERT INTO nothing DEFAULT VALUES RETURNING id;
INSERT INTO nulls DEFAULT VALUES RETURNING id;
INSERT INTO negative DEFAULT VALUES RETURNING id;
INSERT INTO at_end DEFAULT VALUES RETURNING id;
SELECT hilo_detach('at_end', 'id');
INSERT INTO at_end DEFAULT VALUES RETURNING id;
DROP TABLE nothing, nulls, negative, at_end, near_end;
-- what the generator before has reserved beyond the type is no id
CREATE TABLE beyond (id smallint DEFAULT hilo_next_tag('wide'));
SELECT hilo_create('wide'), hilo_seed('wide', 40000);
SELECT hilo_attach('beyond', 'id');
SELECT hilo_attach('beyond', 'id', 'beyond');
SELECT last, max_value FROM state_of('beyond', 'id');
DROP TABLE beyond;

-- whatever index there is
CREATE TABLE indexed (a int, id int, other int);
INSERT INTO indexed SELECT i, i, -i FROM generate_series(1, 100) i;
INSERT INTO indexed VALUES (1, NULL, 1), (2, 1000, 2);
DELETE FROM indexed WHERE id = 1000;
BEGIN; INSERT INTO indexed VALUES (3, 2000, 3); ROLLBACK;
CREATE FUNCTION attached_at(ddl text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE ddl;
	PERFORM hilo_attach('indexed', 'id', 'indexed');
	SELECT last INTO result FROM hilo_generators() WHERE name = 'indexed';
	RAISE EXCEPTION USING errcode = 'HILOT', message = result;
EXCEPTION WHEN SQLSTATE 'HILOT' THEN
	RETURN SQLERRM;
END $$;
SELECT ddl, attached_at(ddl) FROM unnest(ARRAY[
	'SELECT', 'CREATE INDEX ON indexed (id)', 'CREATE INDEX ON indexed (id DESC)',
	'CREATE INDEX ON indexed (id NULLS FIRST)', 'CREATE INDEX ON indexed (id DESC NULLS LAST)',
	'CREATE INDEX ON indexed (id, other)', 'CREATE INDEX ON indexed (other, id)',
	'CREATE INDEX ON indexed (id) WHERE id < 50', 'CREATE INDEX ON indexed USING hash (id)',
	'CREATE INDEX ON indexed ((-id))', 'CREATE INDEX ON indexed USING brin (id)',
	'ALTER TABLE indexed ALTER id TYPE bigint; CREATE INDEX ON indexed (id)',
	'ALTER TABLE indexed ALTER id TYPE smallint; CREATE INDEX ON indexed (id)',
	'ALTER TABLE indexed DROP id, ADD id int DEFAULT 77']) ddl;
DROP TABLE indexed;

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
