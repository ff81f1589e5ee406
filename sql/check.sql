/*
 * hilo_check: every column with a generator as default, and what is wrong with
 * it
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/check_setup.sql'
\i :setup

-- columns with which nothing is wrong
CREATE TABLE parted (id bigint, part int) PARTITION BY LIST (part);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parent (id bigint);
CREATE TABLE child () INHERITS (parent);
SELECT hilo_attach('parted', 'id', follow => false), hilo_attach('parent', 'id', follow => false);
SELECT rel, col, generator, problem FROM hilo_check();
-- how it reads by itself
INSERT INTO orders VALUES (1000, 'paper');
\x on
SELECT rel, col, generator, problem, detail, hint, used_ratio FROM hilo_check() LIMIT 1;
\x off
SELECT hilo_resync('ch.orders', 'id');
SELECT count(*) FROM hilo_check() WHERE problem IS NOT NULL;
-- in an inheriting table, and in a partition
INSERT INTO child VALUES (50);
INSERT INTO parted VALUES (60, 1);
:check WHERE problem IS NOT NULL;
SELECT count(*) FROM hilo_resync_all();
SELECT count(*) FROM hilo_check() WHERE problem IS NOT NULL;

-- of one table; a renamed one keeps its generator, a dropped one leaves none
SELECT rel, generator FROM hilo_check('child') UNION ALL SELECT rel, generator FROM hilo_check('orders');
ALTER TABLE orders RENAME TO sales;
CREATE TABLE gone (id bigint);
SELECT hilo_attach('gone', 'id');
DROP TABLE gone;
-- an identity needs no column
SELECT hilo_create('gone|');
:check WHERE generator IN ('orders', 'sales', 'gone', 'gone|');
SELECT name, columns FROM hilo_generators() ORDER BY 1;
ALTER TABLE sales RENAME TO orders;
SELECT hilo_drop('gone|');
-- a table that is there may be numbered by a function's body
CREATE TABLE there (id bigint);
SELECT hilo_create('named');
SELECT hilo_attach('there', 'id');
ALTER TABLE there ALTER id DROP DEFAULT;
:check WHERE generator IN ('there', 'named');
SET ROLE regress_hilo_clerk;
SELECT count(*) FROM hilo_check() WHERE generator = 'named';
RESET ROLE;
DROP TABLE there;
SELECT hilo_drop('named');

-- half of the type, near the end of it, of the generator; beyond the type
CREATE TABLE near_end (id int);
INSERT INTO near_end VALUES (1610612734);
SELECT hilo_attach('near_end', 'id', follow => false);
SELECT count(*) FROM hilo_check() WHERE problem IS NOT NULL;
SELECT hilo_next('near_end');
:check WHERE problem IS NOT NULL;
SELECT hilo_create('few', max_value => 100, range_size => 1);
CREATE TABLE few (id bigint DEFAULT hilo_next_tag('few'));
SELECT hilo_seed('few', 99);
CREATE TABLE within (id smallint DEFAULT hilo_next_tag('within'));
SELECT hilo_create('within');
CREATE TABLE beyond (id smallint DEFAULT hilo_next_tag('beyond'));
SELECT hilo_create('beyond'), hilo_seed('beyond', 40000);
:check WHERE problem IS NOT NULL;
SELECT hilo_create('starts beyond', first => 40000);
ALTER TABLE beyond ALTER id SET DEFAULT hilo_next_tag('starts beyond');
:check WHERE rel = 'beyond'::regclass;
DROP TABLE near_end, few, within, beyond;
-- a hint lowers no generator below its first id, nor one that others take from
SELECT hilo_create('late', first => 1000, max_value => 2000), hilo_seed('late', 1900);
CREATE TABLE late (id int DEFAULT hilo_next_tag('late'));
INSERT INTO late VALUES (5);
SELECT hint FROM hilo_check('late');
SELECT 'SELECT ' || substring(hint FROM 'run (.*)\.') FROM hilo_check('late') \gexec
SELECT problem FROM hilo_check('late');
CREATE SEQUENCE blocks INCREMENT 50;
SELECT hilo_adopt_sequence_tag('blocks', 'blocks', 'hibernate-pooled', 50), setval('blocks', 2000000001);
ALTER TABLE late ALTER id SET DEFAULT hilo_next_tag('blocks');
SELECT problem, hint FROM hilo_check('late');
DROP TABLE late;
SELECT hilo_drop('blocks'), hilo_drop('late');
-- no hint goes by one of several columns
CREATE TABLE many (id int DEFAULT hilo_next_tag('shared'), other int DEFAULT hilo_next_tag('shared'));
SELECT hilo_create('shared', max_value => 1000), hilo_seed('shared', 900);
INSERT INTO many VALUES (890, 5);
:check WHERE rel = 'many'::regclass;
DROP TABLE many;
-- without a column, too
:check WHERE generator IN ('few', 'within');

-- no generator, half of one, no constant name, no name at all; text
CREATE TABLE wrong (a bigint DEFAULT hilo_next_tag('ordres'), b text DEFAULT hilo_next_id('ordres'),
	c bigint DEFAULT hilo_next_tag(current_setting('my.name')), d bigint DEFAULT hilo_next_tag(''),
	e text DEFAULT hilo_next_id('Few'), f bigint DEFAULT hilo_next_tag('half'));
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "half", "written_name": "half"}')).*
  FROM hilo_internal.hilo_generator g WHERE name = 'few';
:check WHERE rel = 'wrong'::regclass;
SELECT hilo_resync('wrong', 'a');
DROP TABLE wrong;
:check WHERE generator = 'half';
SELECT hilo_drop('half');
-- the other half: what has no definition any more may have had another source
CREATE TABLE rest (id bigint DEFAULT hilo_next_tag('rest'));
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"name": "rest"}')).*
  FROM hilo_internal.hilo_hi h WHERE name = 'few';
:check WHERE rel = 'rest'::regclass;
SELECT hilo_resync('rest', 'id');
SELECT hilo_attach('rest', 'id');
SELECT hilo_create('rest');
DROP TABLE rest;
SELECT hilo_drop('rest');

-- several columns share a generator, one is an identity's, one of text
CREATE TABLE shares (id bigint DEFAULT hilo_next_tag('together'), no bigint DEFAULT identity_next('counted'), name text DEFAULT hilo_next_id('named'));
CREATE TABLE shares_2 (id bigint DEFAULT hilo_next_tag('together'));
INSERT INTO shares VALUES (DEFAULT);
:check WHERE rel IN ('shares'::regclass, 'shares_2');
DROP TABLE shares, shares_2;
SELECT count(hilo_drop(name)) FROM unnest('{together,counted|,named}'::text[]) name;

-- one with a sequence that ends before it
CREATE SEQUENCE ends_soon AS int INCREMENT 50;
CREATE TABLE ends_soon_rows (id bigint DEFAULT hilo_next_tag('ends_soon_rows'));
SELECT hilo_adopt_sequence_tag('ends_soon_rows', 'ends_soon', 'efcore', 50), hilo_seed('ends_soon_rows', 2147483000);
:check WHERE rel = 'ends_soon_rows'::regclass;
DROP TABLE ends_soon_rows;
SELECT hilo_drop('ends_soon_rows');
DROP SEQUENCE ends_soon;

-- one with a source that gives nothing: to its owner, with that setting, or any more
CREATE SEQUENCE by_tens INCREMENT 10;
SELECT hilo_adopt_sequence_tag('tens', 'by_tens', 'efcore'), hilo_alter('tens', owner => 'regress_hilo_clerk');
CREATE TABLE tens (id bigint DEFAULT hilo_next_tag('tens'));
ALTER TABLE tens OWNER TO regress_hilo_clerk;
:check WHERE rel = 'tens'::regclass;
GRANT USAGE ON SEQUENCE by_tens TO regress_hilo_clerk;
:check WHERE rel = 'tens'::regclass;
ALTER SEQUENCE by_tens INCREMENT 1;
:check WHERE rel = 'tens'::regclass;
DROP SEQUENCE by_tens CASCADE;
:check WHERE rel = 'tens'::regclass;
DROP TABLE tens;
SELECT hilo_drop('tens');

-- the end of bigint
CREATE TABLE seeded (id bigint DEFAULT hilo_next_tag('seeded'));
SELECT hilo_create('seeded'), hilo_seed('seeded', 9223372036854775000);
:check WHERE rel = 'seeded'::regclass;
DROP TABLE seeded;

-- views, foreign tables, temporary tables; read only
CREATE VIEW a_view AS SELECT * FROM orders;
ALTER VIEW a_view ALTER id SET DEFAULT hilo_next('orders');
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE a_foreign (id bigint DEFAULT hilo_next_tag('foreign')) SERVER nowhere;
CREATE FOREIGN TABLE own_foreign (id bigint DEFAULT hilo_next('own_foreign')) SERVER nowhere;
CREATE TABLE far_away (id bigint DEFAULT hilo_next_tag('far_away')) PARTITION BY LIST (id);
CREATE FOREIGN TABLE far_away_1 PARTITION OF far_away FOR VALUES IN (1) SERVER nowhere;
CREATE TABLE mostly_here (id smallserial) PARTITION BY LIST (id);
CREATE FOREIGN TABLE mostly_here_1 PARTITION OF mostly_here FOR VALUES IN (1) SERVER nowhere;
SELECT setval('mostly_here_id_seq', 32000);
CREATE TEMP TABLE temporary (id bigint DEFAULT hilo_next_tag('temporary'));
BEGIN READ ONLY;
:check WHERE rel::text ~ 'a_view|_foreign|far_away|mostly_here';
SELECT problem FROM hilo_check() WHERE rel = 'temporary'::regclass;
ROLLBACK;

-- pg_upgrade makes the function from what PostgreSQL writes of it
BEGIN;
CREATE TEMP TABLE before AS SELECT * FROM hilo_check();
SELECT pg_get_functiondef('hilo_check'::regproc) AS written \gset
:written;
SELECT count(*) FROM (SELECT * FROM hilo_check() EXCEPT TABLE before) a;
ROLLBACK;

SET client_min_messages = warning;
DROP SCHEMA ch CASCADE;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
DROP TABLE pg_temp.temporary;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
DROP ROLE regress_hilo_clerk, regress_hilo_other;
