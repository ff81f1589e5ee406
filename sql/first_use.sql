/*
 * The first use of a name makes its generator, unless it is bad input
 */
SET client_min_messages = warning;
\getenv srcdir PG_ABS_SRCDIR
\set try :srcdir '/sql/include/try.sql'
\i :try
SELECT pg_temp.try(command) AS error, command
  FROM unnest(ARRAY[
	$$SELECT hilo_next_tag(NULL)$$,
	$$SELECT hilo_next_tag('')$$,
	$$SELECT hilo_next_tag(repeat('x', 513))$$,
	$$SELECT hilo_next_tag('first_use', -1)$$,
	$$SELECT hilo_next_tag('first_use', NULL)$$,
	$$SELECT hilo_next_id(repeat('x', 510))$$,
	$$SELECT hilo_next_range('first_use', 0)$$,
	$$SELECT hilo_next_range('first_use', -1)$$,
	$$SELECT hilo_next_range('first_use', 9223372036854775807)$$,
	$$SELECT hilo_next_range('first_use', separator => 'too long a separator')$$,
	$$SELECT hilo_next_hi('first_use', 0)$$,
	$$SELECT hilo_next_hi('first_use', NULL)$$,
	$$SELECT hilo_next_hi('first_use', 9223372036854775807)$$,
	$$SELECT hilo_return_range('first_use', 1, 1, 1)$$,
	$$SELECT hilo_seed('first_use', -1, force => true)$$,
	$$SELECT hilo_seed('first_use', NULL)$$,
	$$SELECT hilo_current('first_use')$$,
	$$SELECT identity_next('first_use', 0)$$,
	$$SELECT identity_next('first_use', NULL)$$,
	$$SELECT identity_next('first_use', 9223372036854775807)$$,
	$$SELECT identity_next_id(repeat('x', 511) || '|')$$,
	$$SELECT identity_seed('first_use', -1, force => true)$$,
	$$SELECT identity_current('first_use')$$,
	$$SET LOCAL transaction_read_only = on; SELECT hilo_next_tag('first_use')$$]) command;
SELECT name FROM hilo_generators() WHERE name ~ '^(first_use|x+)';

-- again where it was dropped
SELECT low, high FROM hilo_next_range('first_use', 10);
SELECT hilo_drop('first_use');
SELECT pg_temp.try($$SELECT hilo_next_range('first_use', 0)$$) AS state_of;
SELECT name FROM hilo_generators() WHERE name ~ '^(first_use|x+)';

/*
 * A table's generator starts above what draws from it, ends where that does, and is the
 * owner's of the table, whichever role comes first
 */
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_member IN ROLE regress_hilo_owner;
GRANT CREATE ON SCHEMA public TO regress_hilo_owner, regress_hilo_app, regress_hilo_member;
CREATE VIEW made AS
	SELECT name, nullif(owner, session_user::regrole)::regrole AS owner, is_public, last, max_value FROM hilo_generators() WHERE name ~ '^used' ORDER BY name COLLATE "C";
SET hilo.prefetch = off;
SET ROLE regress_hilo_owner;
CREATE TABLE used (id bigint PRIMARY KEY DEFAULT hilo_next('used'), small int2 DEFAULT hilo_next('used'));
INSERT INTO used VALUES (100, 200), (-5, -5);
GRANT INSERT (small), SELECT ON used TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO used (small) VALUES (1) RETURNING id;
INSERT INTO used DEFAULT VALUES RETURNING *;
RESET ROLE;
TABLE made;
-- another table's column counts, if its owner has the rights of the table's; and the smaller of the types
SET ROLE regress_hilo_owner;
CREATE TABLE used_whole (id int DEFAULT hilo_next('used_whole'), part int) PARTITION BY LIST (part);
CREATE TABLE used_whole_1 PARTITION OF used_whole FOR VALUES IN (1);
CREATE TABLE used_parent (id bigint DEFAULT hilo_next('used_whole'));
CREATE TABLE used_child () INHERITS (used_parent);
INSERT INTO used_child VALUES (500);
INSERT INTO used_whole VALUES (70, 1);
GRANT INSERT, SELECT ON used_whole, used_whole_1 TO regress_hilo_app;
SET ROLE regress_hilo_member;
CREATE TABLE used_of_member (id bigint DEFAULT hilo_next('used_whole'));
INSERT INTO used_of_member VALUES (600);
SET ROLE regress_hilo_app;
CREATE TABLE used_bait (id int2 DEFAULT hilo_next('used_whole'));
INSERT INTO used_bait VALUES (30000);
INSERT INTO used_whole_1 (part) VALUES (1) RETURNING id;
RESET ROLE;
SELECT owner, max_value FROM made WHERE name = 'used_whole';
-- where nothing draws, the key counts
CREATE TABLE used_key (id bigint PRIMARY KEY, k int);
INSERT INTO used_key VALUES (40);
SELECT low FROM hilo_next_range('used_key', 10);
-- through a view
CREATE TABLE used_shown (id bigint DEFAULT hilo_next('used_shown'), k int);
INSERT INTO used_shown VALUES (10, 1);
CREATE VIEW used_view AS SELECT id, k FROM used_shown;
INSERT INTO used_view (k) VALUES (3) RETURNING id;
-- a view's default draws, and has no rows of its own
ALTER VIEW used_view ALTER id SET DEFAULT hilo_next('used_key');
INSERT INTO used_view (k) VALUES (4) RETURNING id;
DROP TABLE used_shown CASCADE;
-- an explicit cast that may change the number, or cut it off, is no mere call
CREATE TABLE used_cast (id text DEFAULT hilo_next('used_cast')::int::text, k int);
INSERT INTO used_cast VALUES ('41');
INSERT INTO used_cast (k) VALUES (1) RETURNING id;
CREATE TABLE used_fits (id varchar(36) DEFAULT hilo_next('used_fits')::varchar(36), k int);
INSERT INTO used_fits VALUES ('41');
INSERT INTO used_fits (k) VALUES (1) RETURNING id;
-- of several parents the one that draws has the generator
CREATE TABLE used_plain (note text);
CREATE TABLE used_draws (id bigint DEFAULT hilo_next('used_draws'), k int);
CREATE TABLE used_both () INHERITS (used_plain, used_draws);
INSERT INTO used_both (k) VALUES (1) RETURNING id;

/*
 * A tag: the role's that makes it
 */
SET ROLE regress_hilo_owner;
SELECT hilo_next_tag('used_nowhere'), hilo_seed('used_nowhere', 5);
SELECT hilo_import_ravendb('[{"Max": 96, "@metadata": {"@id": "Raven/Hilo/used_nowhere"}}]', NULL);
SELECT hilo_next_tag('public.used.tag');
SET ROLE regress_hilo_app;
SELECT hilo_next_tag('public.used.tag');
SELECT hilo_next_tag('public.used.other');
-- names of hilo's own are for no column, not a superuser's either
CREATE TABLE used_reserved (id bigint DEFAULT hilo_next_tag('hilo.decimal_id/9999'), t bigint DEFAULT hilo_next_tag('HILO.launch'));
INSERT INTO used_reserved DEFAULT VALUES;
RESET ROLE;
INSERT INTO used_reserved DEFAULT VALUES;
SELECT hilo_attach('used_reserved', 'id', 'hilo.mine');
SELECT name, owner FROM hilo_generators() WHERE name IN ('hilo.decimal_id/9999', 'hilo.launch', 'hilo.mine');
-- which a superuser may have by hilo_create
SELECT hilo_create('hilo.mine');
SELECT hilo_next_tag('hilo.mine');
SELECT hilo_drop('hilo.mine');
SELECT hilo_next_tag('hilo.mine');
-- a return makes no generator
SELECT hilo_return_range('used_left', 32, 30, 5);
TABLE made;

DROP VIEW made;
DROP TABLE used_reserved, used_bait, used_of_member, used_child, used_parent, used_whole, used_key, used_cast, used_fits, used_both, used_draws, used_plain, used;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name ~ '^(public.)?used';
SELECT count(*) AS left_behind FROM hilo_internal.hilo_hi WHERE name::text ^@ '#' AND NOT EXISTS (SELECT FROM pg_class WHERE '#' || oid = name::text);
DROP OWNED BY regress_hilo_owner, regress_hilo_app, regress_hilo_member;
DROP ROLE regress_hilo_member, regress_hilo_owner, regress_hilo_app;
