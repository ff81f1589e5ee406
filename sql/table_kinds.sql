-- Tables and their own generators: of every kind, in every place where a column begins to draw.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA ta;
GRANT USAGE, CREATE ON SCHEMA ta TO regress_hilo_clerk, regress_hilo_other;
SET search_path = ta, public;
SELECT count(*) AS left_behind FROM hilo_internal.hilo_hi WHERE name::text LIKE '#%' AND name NOT IN (SELECT '#' || oid FROM pg_class) \gset
CREATE VIEW generators AS SELECT name, columns, ordering, last FROM hilo_generators() ORDER BY name COLLATE "C";
-- how many ids come again in some tables
CREATE FUNCTION repeats(VARIADIC rels regclass[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE 'SELECT count(*) - count(DISTINCT id) FROM ('
		|| (SELECT string_agg(format('SELECT id FROM %s', rel), ' UNION ALL ') FROM unnest(rels) rel) || ') t' INTO result;
	RETURN result;
END $$;

-- tables that share one table's; a second numbered column has a tag, which says so
CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'), item text);
CREATE TABLE drafts (id bigint DEFAULT hilo_next('orders'), item text);
INSERT INTO orders (item) VALUES ('a'), ('b');
INSERT INTO drafts (item) VALUES ('c'), ('d');
SELECT repeats('orders', 'drafts'), max(id) FROM drafts;
CREATE TABLE numbered (id bigint PRIMARY KEY);
CREATE TABLE by_default (id bigint DEFAULT hilo_next('numbered'), note text);
INSERT INTO numbered VALUES (7);
INSERT INTO by_default (note) VALUES ('above both') RETURNING id;
-- also if a call for another table makes it
CREATE TABLE resynced (id bigint PRIMARY KEY);
CREATE TABLE attached (id bigint PRIMARY KEY);
CREATE TABLE by_resync (id bigint DEFAULT hilo_next('resynced'), note text);
CREATE TABLE by_attach (id bigint, note text);
INSERT INTO resynced VALUES (7);
INSERT INTO attached VALUES (7);
SELECT hilo_resync('by_resync', 'id'), hilo_attach('by_attach', 'id', 'attached');
INSERT INTO by_resync (note) VALUES ('above both') RETURNING id;
INSERT INTO by_attach (note) VALUES ('above both') RETURNING id;
CREATE TABLE not_key (key int PRIMARY KEY, no bigint DEFAULT hilo_next('not_key'));
INSERT INTO not_key VALUES (50, 3);
INSERT INTO not_key VALUES (51) RETURNING no;
CREATE TABLE two (id bigint, no int, note text);
SELECT hilo_attach('two', 'id'), hilo_attach('two', 'no');
INSERT INTO two (note) VALUES ('a') RETURNING id, no;
SELECT hilo_generator_of('two', 'no'), hilo_attach('two', 'no');
SELECT * FROM generators WHERE name ~ 'two|^orders$';
-- one of both columns, if that is what is meant
CREATE TABLE same (id bigint DEFAULT hilo_next('same'), no int DEFAULT hilo_next('same'));
INSERT INTO same VALUES (10, 20);
INSERT INTO same DEFAULT VALUES RETURNING *;
SELECT max_value FROM hilo_generators() WHERE name = 'same';

-- domains; generated columns and identities alongside
CREATE TABLE mixed (k int, twice bigint GENERATED ALWAYS AS (k * 2) STORED, own int GENERATED ALWAYS AS IDENTITY);
CREATE DOMAIN mixed_id AS bigint DEFAULT hilo_next('mixed') CHECK (VALUE > 0);
ALTER TABLE mixed ADD id mixed_id;
INSERT INTO mixed (k) VALUES (1), (2) RETURNING *;
SELECT hilo_attach('mixed', 'twice');
-- unlogged, temporary, foreign
CREATE UNLOGGED TABLE unlogged (id bigint);
SELECT hilo_attach('unlogged', 'id');
INSERT INTO unlogged DEFAULT VALUES RETURNING id;
CREATE TEMP TABLE temporary (id bigint DEFAULT hilo_next('temporary'), shared bigint DEFAULT hilo_next('orders'));
INSERT INTO temporary (shared) VALUES (DEFAULT);
INSERT INTO temporary (id) VALUES (1) RETURNING shared;
CREATE TEMP TABLE orders (id int);
SELECT low > 4 AS of_the_other FROM hilo_next_range('orders', 1);
DROP TABLE pg_temp.orders;
CREATE FOREIGN DATA WRAPPER regress_hilo_nowhere;
CREATE SERVER regress_hilo_nowhere FOREIGN DATA WRAPPER regress_hilo_nowhere;
CREATE FOREIGN TABLE far (id bigint DEFAULT hilo_next('far')) SERVER regress_hilo_nowhere;
SELECT hilo_next('far');
SELECT hilo_next('generators'), hilo_create('#generators');

-- partitions of every kind, that draw as the whole, or for themselves; LIKE; INHERITS
CREATE TABLE whole (id bigint DEFAULT hilo_next('whole'), k int) PARTITION BY RANGE (k);
CREATE TABLE low PARTITION OF whole FOR VALUES FROM (0) TO (10) PARTITION BY LIST (k);
CREATE TABLE low_1 PARTITION OF low FOR VALUES IN (1);
CREATE TABLE rest PARTITION OF whole DEFAULT PARTITION BY HASH (k);
CREATE TABLE rest_0 PARTITION OF rest FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE apart PARTITION OF whole (id DEFAULT hilo_next('apart')) FOR VALUES FROM (10) TO (20);
INSERT INTO low_1 VALUES (50, 1);
INSERT INTO whole (k) VALUES (1), (30), (10) RETURNING tableoid::regclass, id;
INSERT INTO low_1 (k) VALUES (1) RETURNING id;
INSERT INTO apart (k) VALUES (10) RETURNING id > 0 AS own;
SELECT repeats('low', 'rest');
CREATE TABLE alike (LIKE orders INCLUDING ALL);
INSERT INTO alike (item) VALUES ('like') RETURNING id > 4 AS shared;
CREATE TABLE heir (note text) INHERITS (orders);
INSERT INTO heir (item) VALUES ('heir') RETURNING id > 4 AS shared;
SELECT rel, col, generator, problem FROM hilo_check('whole');
-- ADD COLUMN on rows; next to one that draws and has ids, it would begin below them
CREATE TABLE rows AS SELECT g AS k FROM generate_series(1, 5) g;
ALTER TABLE rows ADD id bigint PRIMARY KEY DEFAULT hilo_next('rows');
SELECT min(id), max(id), repeats('rows') FROM rows;
CREATE TABLE older (old bigint DEFAULT hilo_next('older'));
INSERT INTO older SELECT generate_series(1, 10);
ALTER TABLE older ADD id bigint DEFAULT hilo_next('older');
SELECT hilo_resync('ta.older', 'old');
ALTER TABLE older ADD id bigint DEFAULT hilo_next('older');
SELECT min(id), max(id) FROM older;

-- rows that join a generator which has handed out ids long ago: it is raised above them, under the lock of the DDL
CREATE TABLE archive AS SELECT g::bigint AS id, 'old'::text AS item FROM generate_series(1, 1000) g;
SELECT hilo_next('orders') AS before \gset
BEGIN;
ALTER TABLE archive ALTER id SET DEFAULT hilo_next('orders');
ROLLBACK;
ALTER TABLE archive ALTER id SET DEFAULT hilo_next('orders');
INSERT INTO archive (item) VALUES ('new') RETURNING id > 1000 AS above;
INSERT INTO orders (item) VALUES ('new') RETURNING id > 1000 AS above;
SELECT problem FROM hilo_check('archive');
CREATE TABLE high AS SELECT g::bigint AS id, 40 AS k FROM generate_series(2000, 3000) g;
ALTER TABLE whole DETACH PARTITION rest;
ALTER TABLE whole ATTACH PARTITION high FOR VALUES FROM (40) TO (50);
INSERT INTO whole (k) VALUES (1), (40) RETURNING id > 3000 AS above;
CREATE TABLE adopted_heir AS SELECT g::bigint AS id, 'x'::text AS item FROM generate_series(5000, 6000) g;
ALTER TABLE adopted_heir ALTER id SET NOT NULL, INHERIT orders;
INSERT INTO orders (item) VALUES ('after') RETURNING id > 6000 AS above;
-- a part that keeps its own source
CREATE TABLE own (id bigint DEFAULT hilo_next('own'), k int);
ALTER TABLE whole ATTACH PARTITION own FOR VALUES FROM (50) TO (60);
ALTER TABLE own ALTER id SET DEFAULT hilo_next('whole');
INSERT INTO own (k) VALUES (50);
SELECT repeats('low', 'high', 'rest', 'own') AS whole, repeats('archive') AS archive;
-- also a column of the table itself, and a tree; not those of a role that may not raise it
CREATE TABLE late (id bigint DEFAULT hilo_next('late'), no bigint);
INSERT INTO late VALUES (DEFAULT, 300);
ALTER TABLE late ALTER no SET DEFAULT hilo_next('late');
INSERT INTO late DEFAULT VALUES RETURNING id > 300 AS id, no > 300 AS no;
CREATE DOMAIN late_id AS bigint;
CREATE TABLE of_domain (id late_id);
INSERT INTO of_domain VALUES (50000);
ALTER DOMAIN late_id SET DEFAULT hilo_next('late');
INSERT INTO late DEFAULT VALUES RETURNING id > 50000 AS above;
CREATE TABLE to_domain AS SELECT 60000::bigint AS id;
ALTER TABLE to_domain ALTER id TYPE late_id;
INSERT INTO late DEFAULT VALUES RETURNING id > 60000 AS above;
CREATE TABLE strange AS SELECT 70000::bigint AS id;
ALTER TABLE strange OWNER TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
ALTER TABLE strange ALTER id SET DEFAULT hilo_next('late');
RESET ROLE;
SELECT hilo_next('late') < 70000 AS as_before;
DROP TABLE strange;
-- a notice names what shows no id; attach and resync raise it, too
CREATE TABLE texts (id text, no bigint);
INSERT INTO texts VALUES ('no 7', 90000);
ALTER TABLE texts ALTER id SET DEFAULT 'no ' || hilo_next('late');
SELECT hilo_attach('texts', 'no', 'late');
INSERT INTO texts DEFAULT VALUES RETURNING no > 90000 AS above;

-- a table swap: options, grants, number and what draws go over, or a rollback keeps them
SET ROLE regress_hilo_clerk;
CREATE TABLE ta.queue (id bigserial PRIMARY KEY, k int);
INSERT INTO ta.queue (k) SELECT generate_series(1, 3);
SET client_min_messages = warning;
SELECT hilo_attach('ta.queue', 'id', 'ta.queue', follow => true), hilo_grant('ta.queue', 'regress_hilo_other');
RESET client_min_messages;
CREATE VIEW ta.queued AS SELECT * FROM ta.queue;
CREATE TABLE ta.line (id bigint DEFAULT hilo_next('ta.queue'), k int);
CREATE TABLE ta.queue_new (LIKE ta.queue INCLUDING ALL) PARTITION BY RANGE (id);
CREATE TABLE ta.queue_all PARTITION OF ta.queue_new DEFAULT;
INSERT INTO ta.queue_new SELECT * FROM ta.queue;
BEGIN;
SELECT hilo_move('ta.queue', 'ta.queue_new');
INSERT INTO ta.queue_new (k) VALUES (4) RETURNING id > 3 AS above;
ROLLBACK;
SELECT name, columns, ordering, grants FROM hilo_generators() WHERE name ~ 'queue';
BEGIN;
DROP VIEW ta.queued;
DROP TABLE ta.queue;
ROLLBACK;
SELECT hilo_move('ta.queue', 'ta.queue');
SELECT hilo_move('ta.queue', 'ta.queue_new');
BEGIN;
DROP VIEW ta.queued;
DROP TABLE ta.queue;
ALTER TABLE ta.queue_new RENAME TO queue;
COMMIT;
INSERT INTO ta.queue (k) VALUES (5) RETURNING id > 3 AS above;
INSERT INTO ta.line (k) VALUES (6) RETURNING id > 3 AS above;
SELECT name, columns, ordering, grants FROM hilo_generators() WHERE name ~ 'queue';
INSERT INTO ta.queue VALUES (9000, 7);
INSERT INTO ta.line (k) VALUES (8) RETURNING id > 9000 AS above;
RESET ROLE;
SET ROLE regress_hilo_other;
SELECT hilo_next('ta.queue') > 9000 AS granted;
SELECT hilo_move('ta.queue', 'ta.line');
RESET ROLE;
SELECT hilo_move('queue', 'orders');

-- each name that hilo_generators() prints is one for each function that takes tables and tags
CREATE SCHEMA "T b";
CREATE TABLE "T b"."Odd" (id bigint PRIMARY KEY DEFAULT hilo_next('"T b"."Odd"'));
CREATE TABLE tagged (id bigint DEFAULT hilo_next('tagged'));
INSERT INTO tagged DEFAULT VALUES;
SELECT hilo_create('"T b"."Odd"'), hilo_create('##tagged'), hilo_create('##"T b"."Odd"');
SELECT name, hilo_seed(name, NULL) >= 0 AS seed, hilo_alter(name, range_size => 7) IS NULL AS alter,
	low > 0 AS range, hilo_release(name) >= 0 AS release, hilo_grant(name, 'public') IS NULL AS grant, hilo_revoke(name, 'public') IS NULL AS revoke
  FROM hilo_generators(), hilo_next_range(name, 1) WHERE name ~ 'tagged|Odd' ORDER BY name COLLATE "C";
SELECT hilo_current('tagged');
SELECT hilo_drop('##tagged'), hilo_drop('##"T b"."Odd"');

-- it follows its table: name, schema, owner, end; a grant stays, and goes with it
ALTER TABLE tagged RENAME TO renamed;
ALTER TABLE renamed SET SCHEMA "T b";
SELECT hilo_grant('"T b".renamed', 'regress_hilo_other');
ALTER TABLE "T b".renamed OWNER TO regress_hilo_clerk;
SELECT name, columns, owner, grants FROM hilo_generators() WHERE name ~ 'renamed';
SELECT hilo_rename('"T b".renamed', 'x');
SELECT hilo_alter('"T b".renamed', owner => 'regress_hilo_other');
SELECT hilo_drop('"T b".renamed');
DROP TABLE "T b".renamed;
SELECT count(*) FROM hilo_generators() WHERE name ~ 'renamed';
SELECT hilo_current('"T b".renamed');

-- callers: a text or varchar is cast, as core does it; a name is not
CREATE FUNCTION by_text(t text, v varchar, r regclass) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	RETURN hilo_next(t) < hilo_next(v) AND hilo_next(v) < hilo_next(r);
END $$;
SELECT by_text('orders', 'orders', 'orders');
PREPARE one (text) AS SELECT hilo_next($1) > 0 AS taken;
EXECUTE one ('ta.orders');
SELECT count(*) FROM hilo_next('orders'::text, 3);
\set VERBOSITY terse
SELECT hilo_next('orders'::name);
\set VERBOSITY default
SELECT hilo_next('no_such_table');
SELECT hilo_next(NULL), hilo_next(0);

SET client_min_messages = warning;
DROP SCHEMA ta, "T b" CASCADE;
DROP FOREIGN DATA WRAPPER regress_hilo_nowhere CASCADE;
DROP TABLE pg_temp.temporary;
SET search_path = public;
SELECT name, hilo_drop(name) FROM hilo_generators() WHERE name ~ '^(ta\.|two|late)';
SELECT count(*) - :left_behind AS left_behind FROM hilo_internal.hilo_hi WHERE name::text LIKE '#%' AND name NOT IN (SELECT '#' || oid FROM pg_class);
DROP ROLE regress_hilo_clerk, regress_hilo_other;
