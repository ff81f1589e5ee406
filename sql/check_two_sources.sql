/*
 * hilo_check: columns that may have their ids from two sources, or a part of a table from another
 */
SET hilo.prefetch = off;
CREATE SCHEMA cs;
SET search_path = cs, public;
\set check 'SELECT rel, col, generator, problem, detail, hint, round(used_ratio::numeric, 2) AS used FROM hilo_check()'
CREATE SEQUENCE big;
CREATE SEQUENCE far_1;

-- a second source
CREATE TABLE serial (id bigserial);
ALTER TABLE serial ALTER id SET DEFAULT hilo_next('serial');
SELECT hilo_create('serial');
CREATE TABLE two (id bigserial);
ALTER TABLE two ALTER id SET DEFAULT nextval('big');
CREATE SEQUENCE orders_seq INCREMENT 50;
CREATE TABLE orders (id bigint DEFAULT hilo_next('orders'));
:check WHERE rel IN ('serial'::regclass, 'two', 'orders');
-- but not that of an ORM that the generator has adopted
SELECT hilo_adopt_sequence('orders', 'id', 'orders_seq', 'hibernate-pooled');
:check WHERE rel = 'orders'::regclass;
-- nor for another column; another one that the column owns is
ALTER TABLE orders ADD no bigint DEFAULT hilo_next_tag('order numbers');
INSERT INTO orders (no) VALUES (DEFAULT);
CREATE SEQUENCE other_seq OWNED BY orders.id;
:check WHERE rel = 'orders'::regclass;
DROP SEQUENCE other_seq;
ALTER TABLE orders DROP no;
TRUNCATE orders;
ALTER TABLE orders ALTER id DROP DEFAULT;
SELECT hilo_drop('orders'), hilo_create('#orders');
ALTER TABLE orders ALTER id SET DEFAULT hilo_next('orders');
:check WHERE rel = 'orders'::regclass;
-- as it may be called, too, with the column, or by EF Core; one that others use is theirs
CREATE TABLE "Animals" ("Id" bigint DEFAULT hilo_next('"Animals"'));
INSERT INTO "Animals" DEFAULT VALUES;
CREATE SEQUENCE "Animals_Id_seq" INCREMENT 50;
:check WHERE rel = '"Animals"'::regclass;
CREATE TABLE cats (id bigint DEFAULT nextval('"Animals_Id_seq"'));
:check WHERE rel = '"Animals"'::regclass;
CREATE SEQUENCE "AnimalsSequence";
CREATE SEQUENCE "Animals_seq";
SELECT count(*) FROM hilo_check('"Animals"');
DROP SEQUENCE "Animals_seq";
:check WHERE rel = '"Animals"'::regclass;
CREATE VIEW of_animals AS SELECT nextval('"AnimalsSequence"');
:check WHERE rel = '"Animals"'::regclass;
CREATE TABLE dogs (id bigint DEFAULT nextval('serial_id_seq'));
:check WHERE rel = 'serial'::regclass;
DROP TABLE dogs, cats, "Animals" CASCADE;
-- a generator that has adopted it uses it
CREATE TABLE adopted (id bigserial);
SELECT hilo_adopt_sequence_tag('adopted id', 'adopted_id_seq', 'doctrine');
INSERT INTO adopted VALUES (7);
:check WHERE rel = 'adopted'::regclass;
ALTER TABLE adopted ALTER id SET DEFAULT hilo_next('adopted');
INSERT INTO adopted DEFAULT VALUES;
:check WHERE rel = 'adopted'::regclass;
DROP TABLE adopted;
SELECT hilo_drop('adopted id');

-- a part that has another source than the table
CREATE TABLE whole (id bigint DEFAULT hilo_next('whole'), k int) PARTITION BY LIST (k);
CREATE TABLE whole_1 PARTITION OF whole FOR VALUES IN (1, 2) PARTITION BY LIST (k);
CREATE TABLE whole_1_1 PARTITION OF whole_1 FOR VALUES IN (1);
INSERT INTO whole VALUES (DEFAULT, 1);
SELECT count(*) FROM hilo_check() WHERE rel::text LIKE 'whole%';
ALTER TABLE whole_1_1 ALTER id SET DEFAULT hilo_next('whole');
SELECT count(*) FROM hilo_check() WHERE rel::text LIKE 'whole%';
ALTER TABLE whole_1_1 ALTER id SET DEFAULT hilo_next_tag('apart');
INSERT INTO whole_1_1 VALUES (DEFAULT, 1);
INSERT INTO whole VALUES (DEFAULT, 1);
SELECT id, count(*) FROM whole GROUP BY id HAVING count(*) > 1;
:check WHERE rel::text LIKE 'whole%';
ALTER TABLE whole_1_1 ALTER id SET DEFAULT nextval('big');
:check WHERE rel::text LIKE 'whole%';
ALTER TABLE whole ALTER id SET DEFAULT nextval('far_1');
:check WHERE rel::text LIKE 'whole%';
ALTER TABLE whole_1 ALTER id SET DEFAULT hilo_next('whole');
:check WHERE rel::text LIKE 'whole%';
SELECT 'SELECT ' || substring(hint FROM 'Run (hilo_attach.*)\.') FROM hilo_check('whole_1') WHERE problem = 'second source' \gexec
:check WHERE rel::text LIKE 'whole%';
-- which cannot be attached alone
CREATE SEQUENCE low;
CREATE TABLE whole_2 PARTITION OF whole (id DEFAULT nextval('low')) FOR VALUES IN (3);
INSERT INTO whole VALUES (90, 3);
SELECT hint FROM hilo_check('whole_2');
DROP TABLE whole;
-- nor are texts attached
CREATE TABLE texts (id text DEFAULT hilo_next_id('texts'));
CREATE TABLE texts_1 () INHERITS (texts);
ALTER TABLE texts_1 ALTER id SET DEFAULT hilo_next_id('apart');
SELECT hint FROM hilo_check('texts_1');
DROP TABLE texts CASCADE;

-- children with a sequence of their own
CREATE TABLE plain (id int, k int) PARTITION BY LIST (k);
CREATE TABLE plain_1 (id serial, k int);
INSERT INTO plain_1 VALUES (7, 1);
ALTER TABLE plain ATTACH PARTITION plain_1 FOR VALUES IN (1);
CREATE TABLE older (id serial);
CREATE TABLE younger (id serial) INHERITS (older);
CREATE TABLE youngest () INHERITS (younger);
CREATE TABLE offspring (id serial) INHERITS (youngest);
INSERT INTO younger VALUES (9);
SELECT rel, problem FROM hilo_check() WHERE rel::text ~ 'plain|older|young|off';
SELECT 'SELECT ' || substring(hint FROM 'Run (hilo_attach.*)\.') FROM hilo_check('offspring') WHERE problem = 'second source' \gexec
SELECT rel, problem FROM hilo_check() WHERE rel::text ~ 'plain|older|young|off';
ALTER TABLE offspring ALTER id SET DEFAULT hilo_next('offspring');
SELECT problem, detail FROM hilo_check('offspring') WHERE problem IS NOT NULL;
DROP TABLE plain, older, younger, youngest, offspring;

-- a default under the trigger that numbers groups, which sees the default's number as one that the row brings
CREATE TABLE numbered (no serial, k int, line int GENERATED ALWAYS AS IDENTITY);
CREATE TRIGGER no BEFORE INSERT ON numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'k');
CREATE TRIGGER line BEFORE INSERT ON numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('line', 'gapless', 'k');
SELECT col, problem, detail, hint FROM hilo_check('numbered') WHERE problem IS NOT NULL;
SELECT substring(hint FROM '[Rr]un (.*)\. Drop') FROM hilo_check('numbered') WHERE problem IS NOT NULL \gexec
SELECT problem FROM hilo_check('numbered') WHERE problem IS NOT NULL;
INSERT INTO numbered (k) VALUES (1), (1), (2) RETURNING *;
DROP TABLE numbered;

-- a part's own trigger, and own default, alongside the trigger of the whole
CREATE TABLE numbered (no int, k int) PARTITION BY LIST (k);
CREATE TABLE numbered_1 PARTITION OF numbered FOR VALUES IN (1);
CREATE TABLE numbered_2 (no serial, k int);
CREATE TRIGGER apart BEFORE INSERT ON numbered_1 FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'k');
CREATE TRIGGER no BEFORE INSERT ON numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless');
ALTER TABLE numbered ATTACH PARTITION numbered_2 FOR VALUES IN (2, 3);
INSERT INTO numbered (k) VALUES (3), (1), (3), (1) RETURNING *;
INSERT INTO numbered_2 (k) VALUES (2), (2) RETURNING *;
SELECT rel, col, problem, detail, hint FROM hilo_check() WHERE rel::text LIKE 'numbered%';
DROP TRIGGER apart ON numbered_1;
SELECT substring(hint FROM '[Rr]un (.*)\. Drop') FROM hilo_check('numbered_2') WHERE problem IS NOT NULL \gexec
SELECT rel, col, problem FROM hilo_check() WHERE rel::text LIKE 'numbered%' AND problem ~ 'source';
-- what the parts inherit is not theirs
ALTER TABLE numbered ALTER no SET DEFAULT nextval('big');
SELECT rel, col, problem FROM hilo_check() WHERE rel::text LIKE 'numbered%' AND problem ~ 'source';
DROP TABLE numbered;
-- a table that inherits needs its trigger
CREATE TABLE numbered (no int, k int);
CREATE TABLE numbered_child () INHERITS (numbered);
CREATE TRIGGER no BEFORE INSERT ON numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless');
CREATE TRIGGER no BEFORE INSERT ON numbered_child FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless');
INSERT INTO numbered_child DEFAULT VALUES RETURNING no;
SELECT rel, col, problem, hint FROM hilo_check() WHERE rel::text LIKE 'numbered%';
DROP TABLE numbered, numbered_child;

SET client_min_messages = warning;
DROP SCHEMA cs CASCADE;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
