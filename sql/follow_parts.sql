-- Followed columns of partitions and children.
CREATE SCHEMA fo;
SET search_path = fo, public;

-- partitions, children; renamed; taken off
CREATE TABLE parted (part int, id bigint) PARTITION BY LIST (part);
CREATE TABLE parted_1 (id bigint, part int);
ALTER TABLE parted ATTACH PARTITION parted_1 FOR VALUES IN (1);
CREATE TABLE parent (id bigint);
CREATE TABLE child (note text) INHERITS (parent);
SELECT hilo_attach('parted', 'id', follow => true), hilo_attach('parent', 'id', follow => true);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted VALUES (1, 10);
INSERT INTO parted_2 VALUES (2, 20);
INSERT INTO child VALUES (30);
INSERT INTO parted (part) VALUES (1) RETURNING id;
INSERT INTO parent DEFAULT VALUES RETURNING id;
ALTER TABLE parted RENAME id TO number;
INSERT INTO parted_1 VALUES (50, 1);
INSERT INTO parted (part) VALUES (1) RETURNING number > 50 AS above;
SELECT hilo_attach('parted', 'number', follow => false), hilo_detach('parent', 'id');
SELECT tgrelid::regclass, tgname FROM pg_trigger WHERE tgfoid = 'hilo_follow'::regproc AND tgrelid::regclass::text ~ 'par|chi';
-- a part that was followed before the whole
CREATE TABLE whole (part int, id bigint) PARTITION BY LIST (part);
CREATE TABLE whole_1 PARTITION OF whole FOR VALUES IN (1);
SELECT hilo_attach('whole_1', 'id', follow => true);
SELECT hilo_attach('whole', 'id', follow => true);
INSERT INTO whole VALUES (1, 70);
INSERT INTO whole (part) VALUES (1) RETURNING id > 70 AS above;
-- a part that is followed alongside the whole, made so here or attached so
CREATE TABLE whole_2 (part int, id bigint);
SELECT hilo_attach('whole_1', 'id', follow => true), hilo_attach('whole_2', 'id', 'whole', follow => true);
ALTER TABLE whole ATTACH PARTITION whole_2 FOR VALUES IN (2);
INSERT INTO whole VALUES (1, 500), (2, 600);
INSERT INTO whole (part) VALUES (2) RETURNING id > 600 AS above;
SELECT hilo_attach('whole', 'id', follow => false);
SELECT tgrelid::regclass, tgname FROM pg_trigger WHERE tgfoid = 'hilo_follow'::regproc AND tgrelid::regclass::text ~ 'whole';

-- a child that is followed alone, and renamed; moved by hand to another generator, and to none
CREATE TABLE lines (id bigint DEFAULT hilo_next_tag('lines'));
CREATE TABLE notes (note text) INHERITS (lines);
SELECT hilo_attach('notes', 'id', follow => true), hilo_rename('lines', 'rows');
INSERT INTO notes VALUES (100);
INSERT INTO notes (note) VALUES ('a note') RETURNING id > 100 AS above;
ALTER TABLE notes ALTER id SET DEFAULT hilo_next_tag('others');
INSERT INTO notes VALUES (500);
INSERT INTO notes (note) VALUES ('another') RETURNING id > 500 AS above;
ALTER TABLE lines ALTER id DROP DEFAULT;
SELECT hilo_drop('rows'), hilo_drop('others');
INSERT INTO notes VALUES (1000);
SELECT count(*) AS generators FROM hilo_generators() WHERE name IN ('lines', 'rows', 'others');

SET client_min_messages = warning;
DROP SCHEMA fo CASCADE;
