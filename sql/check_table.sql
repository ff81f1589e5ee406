-- hilo_check: what it says of tables and their own generators
CREATE SCHEMA ct;
SET search_path = ct, public;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
GRANT USAGE, CREATE ON SCHEMA ct TO regress_hilo_clerk, regress_hilo_other;
\set check 'SELECT rel, col, generator, problem, detail, hint FROM hilo_check() WHERE problem IS NOT NULL'

-- a table that was dropped while its event trigger was off
CREATE TABLE gone (id bigint DEFAULT hilo_next('gone'));
INSERT INTO gone DEFAULT VALUES RETURNING id;
ALTER EVENT TRIGGER hilo_forget_tables DISABLE;
DROP TABLE gone;
ALTER EVENT TRIGGER hilo_forget_tables ENABLE ALWAYS;
SELECT regexp_replace(generator, '\d+', 'OID') AS generator, problem, detail, regexp_replace(hint, '\d+', 'OID') AS hint
  FROM hilo_check() WHERE problem IS NOT NULL;
SET ROLE regress_hilo_clerk;
:check;
RESET ROLE;
SELECT 'SELECT ' || substring(hint FROM 'Run (.*)[.]') AS statement FROM hilo_check() WHERE problem = 'table is gone' \gset
:statement;
:check;

-- what a first use would refuse: a tag of the table's name, and a table of the tag's
SELECT hilo_create('inv', ordering => 'gapless');
CREATE TABLE inv (id bigint DEFAULT hilo_next('inv'));
:check;
INSERT INTO inv DEFAULT VALUES;
DROP TABLE inv;
SELECT hilo_drop('inv');
CREATE TABLE both_ways (id bigint DEFAULT hilo_next('both_ways'), no bigint DEFAULT hilo_next_tag('both_ways'));
:check;
INSERT INTO both_ways DEFAULT VALUES;
DROP TABLE both_ways;

-- a text in a default is a tag, too, although in a call it is the table's
CREATE TABLE texts (id bigint DEFAULT hilo_next('texts'), code text DEFAULT hilo_next_id('texts'));
:check;
INSERT INTO texts DEFAULT VALUES;
SELECT hilo_resync('texts', 'code');
SELECT hilo_create('##texts');
INSERT INTO texts VALUES (DEFAULT, 'texts/700-A');
SELECT * FROM hilo_resync_all() WHERE rel = 'texts'::regclass;
INSERT INTO texts DEFAULT VALUES RETURNING *;
SELECT hilo_next_id('texts');
DROP TABLE texts;
SELECT hilo_drop('texts');

-- another owner's table
CREATE TABLE owned (id bigint DEFAULT hilo_next('owned'));
INSERT INTO owned DEFAULT VALUES;
ALTER TABLE owned OWNER TO regress_hilo_other;
CREATE TABLE borrows (id bigint DEFAULT hilo_next('owned'));
ALTER TABLE borrows OWNER TO regress_hilo_clerk;
:check;
SELECT hilo_grant('owned', 'regress_hilo_clerk');
:check;
SELECT substring(hint FROM 'Run (ALTER.*) if') FROM hilo_check() WHERE problem = 'foreign owner' \gexec
:check;

-- names as they are shown: of a hidden table, and alongside a tag
CREATE SCHEMA hidden;
CREATE TABLE hidden.t (id int DEFAULT hilo_next('hidden.t'));
INSERT INTO hidden.t DEFAULT VALUES;
INSERT INTO hidden.t VALUES (500);
SELECT generator, hint FROM hilo_check('hidden.t');
ALTER TABLE hidden.t SET SCHEMA ct;
SELECT generator FROM hilo_check('t');
SELECT hilo_create('##t');
SELECT generator FROM hilo_check('t');
SELECT * FROM hilo_generator_of('t', 'id');
SELECT hilo_create('##ct.T');
SELECT generator FROM hilo_check('t');
SELECT name FROM hilo_generators() ORDER BY name COLLATE "C";
DROP SCHEMA hidden;

SET client_min_messages = warning;
DROP SCHEMA ct CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name IN ('t', 'ct.T');
DROP ROLE regress_hilo_clerk, regress_hilo_other;
