/*
 * The greatest value of a column: ids above those that a rollback brings back
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/column_max_setup.sql'
\i :setup

-- rows that a rollback brings back
CREATE TABLE come_back (id bigint PRIMARY KEY DEFAULT hilo_next('come_back'), note text);
INSERT INTO come_back SELECT g FROM generate_series(1, 10) g;
BEGIN; TRUNCATE come_back; INSERT INTO come_back (note) VALUES ('a'); ROLLBACK;
BEGIN; ALTER TABLE come_back ALTER id TYPE numeric USING id - 5; INSERT INTO come_back (note) VALUES ('a'); ROLLBACK;
BEGIN;
INSERT INTO come_back SELECT g FROM generate_series(11, 20) g;
SAVEPOINT s;
UPDATE come_back SET id = id - 10 WHERE id > 10 AND false;
DELETE FROM come_back WHERE id > 10;
INSERT INTO come_back (note) VALUES ('a');
ROLLBACK;
-- the hint is right: what resync makes goes with a rollback
BEGIN;
TRUNCATE come_back;
SELECT hilo_resync('come_back', 'id');
INSERT INTO come_back (note) VALUES ('a') RETURNING id;
ROLLBACK;
SELECT count(*) FROM hilo_generators() WHERE name = 'come_back';
-- deleted and changed rows count, those of the transaction, too
BEGIN;
DELETE FROM come_back WHERE id > 8;
UPDATE come_back SET id = -id;
INSERT INTO come_back VALUES (9);
SAVEPOINT s;
INSERT INTO come_back (note) VALUES ('a') RETURNING id;
ROLLBACK;
INSERT INTO come_back (note) VALUES ('b') RETURNING id;
SELECT count(*), count(DISTINCT id) FROM come_back;
-- as the test runners of frameworks do
CREATE TABLE fixture (id bigint PRIMARY KEY DEFAULT hilo_next('fixture'), note text);
INSERT INTO fixture SELECT g FROM generate_series(1, 3) g;
BEGIN;
SAVEPOINT test_1;
DELETE FROM fixture;
INSERT INTO fixture (note) VALUES ('a') RETURNING id;
ROLLBACK TO test_1;
SAVEPOINT test_2;
INSERT INTO fixture (note) VALUES ('b') RETURNING id;
ROLLBACK;
-- nothing comes back to a table that this transaction has made
BEGIN;
CREATE TABLE made (id bigint DEFAULT hilo_next('made'), note text);
INSERT INTO made SELECT g FROM generate_series(1, 10) g;
ALTER TABLE made ALTER id TYPE int;
TRUNCATE made;
INSERT INTO made (note) VALUES ('a') RETURNING id;
COMMIT;
-- except after a savepoint
BEGIN;
CREATE TABLE made_before (id bigint PRIMARY KEY DEFAULT hilo_next('made_before'), note text);
INSERT INTO made_before SELECT g FROM generate_series(1, 10) g;
ALTER TABLE made_before ALTER note TYPE int USING 0;
SAVEPOINT s;
TRUNCATE made_before;
INSERT INTO made_before (note) VALUES (1);
ROLLBACK TO s;
ALTER TABLE made_before ALTER id DROP DEFAULT;
SELECT hilo_next('made_before');
ROLLBACK;

-- columns that a rollback brings back
CREATE TABLE comes_back (id bigint DEFAULT hilo_next('comes_back'), k int) PARTITION BY LIST (k);
CREATE TABLE comes_back_1 PARTITION OF comes_back FOR VALUES IN (1);
CREATE TABLE comes_back_2 PARTITION OF comes_back FOR VALUES IN (2);
CREATE TABLE comes_back_3 (id bigint, k int);
ALTER TABLE comes_back ATTACH PARTITION comes_back_3 FOR VALUES IN (3);
INSERT INTO comes_back SELECT g, 1 + g % 3 FROM generate_series(1, 30) g;
CREATE FUNCTION next_after(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN hilo_next('comes_back');
END $$;
BEGIN; SELECT next_after('DROP TABLE comes_back_1, comes_back_2'); ROLLBACK;
SELECT next_after('') > 30 AS above;
SELECT hilo_drop('comes_back');
BEGIN; SELECT next_after('ALTER TABLE comes_back DETACH PARTITION comes_back_3'); ROLLBACK;
BEGIN; SELECT next_after('ALTER TABLE comes_back ALTER id DROP DEFAULT'); ROLLBACK;
BEGIN; SELECT next_after('ALTER TABLE comes_back RENAME id TO no; ALTER TABLE comes_back ADD id bigint'); ROLLBACK;
BEGIN; SELECT next_after('ALTER TABLE comes_back OWNER TO regress_hilo_clerk'); ROLLBACK;
SELECT next_after('') > 30 AS above;
CREATE TABLE of_domain (k int);
CREATE DOMAIN domain_id AS bigint DEFAULT hilo_next('of_domain');
ALTER TABLE of_domain ADD id domain_id;
INSERT INTO of_domain SELECT 1, g::bigint FROM generate_series(1, 10) g;
SELECT hilo_next('of_domain') > 10 AS above;
BEGIN; ALTER DOMAIN domain_id DROP DEFAULT; SELECT hilo_next('of_domain') > 10 AS above; ROLLBACK;
BEGIN; DROP DOMAIN domain_id CASCADE; SELECT hilo_next('of_domain') > 10 AS above; ROLLBACK;
INSERT INTO of_domain (k) VALUES (1) RETURNING id > 10 AS above;
-- a type that takes no number has had no ids
CREATE TABLE reborn (id uuid, k int);
INSERT INTO reborn SELECT gen_random_uuid(), g FROM generate_series(1, 3) g;
ALTER TABLE reborn DROP id, ADD id bigint DEFAULT hilo_next('reborn');
SELECT max(id) FROM reborn;
DROP TABLE reborn;
-- what a resync or an attach makes lies above all that draws from it, as a first use does
CREATE TABLE one (id bigint DEFAULT hilo_next_tag('of two'), no int DEFAULT hilo_next_tag('of two'), k int);
CREATE TABLE other (id bigint DEFAULT hilo_next_tag('of two'), k int);
INSERT INTO one VALUES (3, 40);
INSERT INTO other VALUES (70);
BEGIN;
TRUNCATE one, other;
SELECT hilo_resync('one', 'id');
ROLLBACK;
SELECT hilo_resync('one', 'id');
SELECT max_value FROM hilo_generators() WHERE name = 'of two';
INSERT INTO other (k) VALUES (1) RETURNING id;
-- also one of a part; the generator is the whole's, and its owner may have no other name
SET ROLE regress_hilo_clerk;
CREATE TABLE cm.tree (id bigint DEFAULT hilo_next('cm.tree'), k int) PARTITION BY LIST (k);
CREATE TABLE cm.branch PARTITION OF cm.tree FOR VALUES IN (1);
CREATE TABLE cm.other_branch PARTITION OF cm.tree DEFAULT;
INSERT INTO cm.tree VALUES (20, 1), (30, 2);
BEGIN;
TRUNCATE cm.branch;
SAVEPOINT s;
INSERT INTO cm.tree (k) VALUES (1);
ROLLBACK TO s;
SELECT hilo_resync('cm.branch', 'id');
SELECT columns, owner FROM hilo_generators() WHERE name = 'tree';
ROLLBACK;
RESET ROLE;
CREATE TABLE attached (id bigint DEFAULT hilo_next_tag('of three'), k int);
CREATE VIEW attached_view AS SELECT * FROM attached;
ALTER VIEW attached_view ALTER id SET DEFAULT hilo_next_tag('of three');
INSERT INTO attached VALUES (700);
SELECT hilo_attach('other', 'id', 'of three');
INSERT INTO attached (k) VALUES (1) RETURNING id > 700 AS above;

DROP SCHEMA cm CASCADE;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators() WHERE name NOT LIKE 'limits%';
DROP ROLE regress_hilo_clerk;
