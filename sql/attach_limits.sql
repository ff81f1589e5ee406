-- Columns put on a generator that is there: its limits, and those of the column's type.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

-- its max_value is lowered if the type needs it
SELECT hilo_create('shared');
CREATE TABLE shares (id int);
INSERT INTO shares VALUES (1000);
SELECT hilo_attach('shares', 'id', 'SHARED');
SELECT s.* FROM state_of('shares', 'id') s;
INSERT INTO shares DEFAULT VALUES RETURNING id;
SELECT hilo_seed('shared', 40000);
ALTER TABLE shares ALTER id DROP DEFAULT;
DELETE FROM shares;
ALTER TABLE shares ALTER id TYPE smallint;
SELECT hilo_attach('shares', 'id', 'shared');
-- rows above max_value are an error
SELECT hilo_create('narrow', max_value => 10);
ALTER TABLE shares ALTER id TYPE bigint;
INSERT INTO shares VALUES (11);
SELECT hilo_attach('shares', 'id', 'narrow');
SELECT * FROM state_of('shares', 'id');

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
