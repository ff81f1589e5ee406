/*
 * The first use of a name makes its generator, unless it is bad input
 */
SET client_min_messages = warning;
CREATE FUNCTION state_of(command text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT state_of(command) AS error, command
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
SELECT state_of($$SELECT hilo_next_range('first_use', 0)$$);
SELECT name FROM hilo_generators() WHERE name ~ '^(first_use|x+)';
DROP FUNCTION state_of;

/*
 * A generator that the default of a column names belongs to the owner of the table,
 * whoever comes first, and starts above what the column holds
 */
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_third;
CREATE ROLE regress_hilo_member IN ROLE regress_hilo_owner;
GRANT CREATE ON SCHEMA public TO regress_hilo_owner, regress_hilo_app, regress_hilo_member;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_app;
CREATE VIEW made AS
	SELECT name, owner, is_public, last, max_value FROM hilo_generators() WHERE name ~ '^(first_use|used|public.used)' ORDER BY name COLLATE "C";
SET hilo.prefetch = off;
SET ROLE regress_hilo_owner;
CREATE TABLE used (id bigint PRIMARY KEY DEFAULT hilo_next_tag('public.used'), small int2 DEFAULT hilo_next_tag('public.used.small'), no int DEFAULT hilo_next_tag('public.used.no'));
INSERT INTO used VALUES (100, 200, 300), (-5, -5, -5);
GRANT INSERT (small), SELECT ON used TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO used (small) VALUES (1) RETURNING id;
RESET ROLE;
TABLE made;
SET ROLE regress_hilo_app;
INSERT INTO used DEFAULT VALUES RETURNING *;
RESET ROLE;
TABLE made;
-- a second column of the owner's counts, and the smaller of the types; a name that is not
-- the table's takes CREATE on the database
SET ROLE regress_hilo_owner;
CREATE TABLE used_too (id int DEFAULT hilo_next_tag('used_both'), partition int) PARTITION BY LIST (partition);
CREATE TABLE used_too_1 PARTITION OF used_too FOR VALUES IN (1);
CREATE TABLE used_parent (id bigint DEFAULT hilo_next_tag('used_both'));
CREATE TABLE used_child () INHERITS (used_parent);
INSERT INTO used_child VALUES (500);
INSERT INTO used_too VALUES (70, 1);
GRANT INSERT ON used_too_1 TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO used_too_1 (partition) VALUES (1);
RESET ROLE;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner;
SET ROLE regress_hilo_app;
INSERT INTO used_too_1 (partition) VALUES (1);
RESET ROLE;
REVOKE CREATE ON DATABASE :DBNAME FROM regress_hilo_owner;
SELECT id FROM used_too ORDER BY id;
SELECT owner, max_value FROM made WHERE name = 'used_both';
-- but not one of somebody else's, which could hold anything
SET ROLE regress_hilo_app;
CREATE TABLE used_mine (id bigint DEFAULT hilo_next_tag('used_mine'));
SET ROLE regress_hilo_owner;
CREATE TABLE used_bait (id int2 DEFAULT hilo_next_tag('used_mine'));
INSERT INTO used_bait VALUES (30000);
GRANT INSERT ON used_bait TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO used_mine DEFAULT VALUES RETURNING id;
RESET ROLE;
SELECT owner, max_value FROM made WHERE name = 'used_mine';
-- nor is it the owner of an older table for which somebody inserts into another one
SET ROLE regress_hilo_owner;
CREATE TABLE used_older (id bigint DEFAULT hilo_next_tag('used_newer'), no bigint DEFAULT hilo_next_tag('used_supers'));
GRANT INSERT ON used_older TO PUBLIC;
SET ROLE regress_hilo_app;
CREATE TABLE used_newer (id bigint DEFAULT hilo_next_tag('used_newer'));
CREATE TABLE used_supers (id bigint DEFAULT hilo_next_tag('used_supers'));
GRANT INSERT ON used_newer TO regress_hilo_third;
SET ROLE regress_hilo_third;
INSERT INTO used_newer DEFAULT VALUES;
RESET ROLE;
INSERT INTO used_supers DEFAULT VALUES;
SET ROLE regress_hilo_owner;
CREATE TABLE used_bait_too (id bigint DEFAULT hilo_next_tag('used_by_leaf'));
SET ROLE regress_hilo_app;
CREATE TABLE used_by_leaf (id bigint DEFAULT hilo_next_tag('used_by_leaf')) PARTITION BY RANGE (id);
CREATE TABLE used_leaf PARTITION OF used_by_leaf DEFAULT;
RESET ROLE;
INSERT INTO used_leaf DEFAULT VALUES;
SELECT name, owner FROM made WHERE name IN ('used_newer', 'used_supers', 'used_by_leaf');
-- not with the rights of the owner: only as the owner
SET ROLE regress_hilo_owner;
CREATE TABLE used_members (id bigint DEFAULT hilo_next_tag('public.used_members'));
SET ROLE regress_hilo_member;
SELECT hilo_next_tag('public.used_members');
RESET ROLE;
SET ROLE regress_hilo_owner;
SELECT hilo_next_tag('public.used_members');
RESET ROLE;
SELECT owner FROM made WHERE name = 'public.used_members';
-- but tables of those who have them count, as they may use it
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner;
SET ROLE regress_hilo_member;
CREATE TABLE used_of_member (id bigint DEFAULT hilo_next_tag('used_by_members'));
INSERT INTO used_of_member VALUES (50);
SET ROLE regress_hilo_owner;
SELECT hilo_next_tag('used_by_members');
SET ROLE regress_hilo_member;
INSERT INTO used_of_member DEFAULT VALUES RETURNING id;
RESET ROLE;
SELECT owner FROM made WHERE name = 'used_by_members';
REVOKE CREATE ON DATABASE :DBNAME FROM regress_hilo_owner;
-- hilo_next_for makes that of the table
SET ROLE regress_hilo_owner;
CREATE TABLE used_for (id bigint DEFAULT hilo_next_tag('public.used_for'));
CREATE TABLE used_for_too (id bigint DEFAULT hilo_next_tag('public.used_for_too'));
INSERT INTO used_for VALUES (50);
INSERT INTO used_for_too VALUES (50);
GRANT INSERT ON used_for TO regress_hilo_third;
SET ROLE regress_hilo_third;
SELECT hilo_next_for('used_for');
SELECT hilo_next_for('used_for_too');
RESET ROLE;
SELECT hilo_next_for('used_for_too');
SELECT name, owner FROM made WHERE name ~ 'used_for';
-- of a name that no default has, it takes CREATE on the database; of a view alone, none
SET ROLE regress_hilo_owner;
CREATE VIEW used_view AS SELECT * FROM used;
ALTER VIEW used_view ALTER id SET DEFAULT hilo_next_tag('used_view');
INSERT INTO used_view (small) VALUES (7);
CREATE TABLE used_called (id bigint DEFAULT hilo_next_tag('used_' || 'called'));
INSERT INTO used_called DEFAULT VALUES;
SELECT hilo_next_tag('used_nowhere'), hilo_seed('used_nowhere', 5);
SELECT hilo_import_ravendb('{"Raven/Hilo/used_nowhere": {"Max": 96}}', NULL);
RESET ROLE;
SELECT name FROM made WHERE name IN ('used_view', 'used_called', 'used_nowhere');
-- a view of another table than the generator's hides its rows
CREATE TABLE used_shown (id bigint);
INSERT INTO used_shown VALUES (10);
CREATE VIEW used_lower AS SELECT id FROM used_shown;
CREATE VIEW used_upper AS SELECT id FROM used_lower;
ALTER VIEW used_upper ALTER id SET DEFAULT hilo_next_tag('used_draws');
CREATE TABLE used_draws (id bigint DEFAULT hilo_next_tag('used_draws'));
INSERT INTO used_upper DEFAULT VALUES;
-- unless that draws from the generator, too
ALTER TABLE used_shown ALTER id SET DEFAULT hilo_next_tag('used_draws');
INSERT INTO used_upper DEFAULT VALUES RETURNING id;
DROP TABLE used_shown, used_draws CASCADE;
SET ROLE regress_hilo_owner;
-- a role that may not insert into the table has no generator of that name made for itself
CREATE TABLE used_by_rule (id bigint DEFAULT hilo_next_tag('public.used_by_rule'), k int);
INSERT INTO used_by_rule VALUES (10, 1);
CREATE VIEW used_lower AS SELECT k FROM used_by_rule;
CREATE RULE used_rule AS ON INSERT TO used_lower DO INSTEAD INSERT INTO used_by_rule (k) VALUES (NEW.k);
GRANT INSERT ON used_lower TO regress_hilo_app;
GRANT SELECT, UPDATE ON used_by_rule TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO used_lower VALUES (2);
UPDATE used_by_rule SET id = DEFAULT;
RESET ROLE;
INSERT INTO used_by_rule (k) VALUES (3) RETURNING id;
DROP TABLE used_by_rule CASCADE;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name IN ('used_draws', 'public.used_by_rule');
-- names of hilo's own are for no column, not a superuser's either
SET ROLE regress_hilo_app;
CREATE TABLE used_reserved (id bigint DEFAULT hilo_next_tag('hilo.decimal_id/9999'), t bigint DEFAULT hilo_next_tag('HILO.launch'));
INSERT INTO used_reserved DEFAULT VALUES;
RESET ROLE;
INSERT INTO used_reserved DEFAULT VALUES;
SELECT hilo_resync('used_reserved', 'id');
SELECT hilo_attach('used_reserved', 'id', 'hilo.mine');
SELECT name, owner FROM hilo_generators() WHERE name IN ('hilo.decimal_id/9999', 'hilo.launch', 'hilo.mine');
-- which a superuser may have by hilo_create
SELECT hilo_create('hilo.mine');
SELECT hilo_next_tag('hilo.mine');
SELECT hilo_drop('hilo.mine');
SELECT hilo_next_tag('hilo.mine');
SELECT name FROM hilo_generators() WHERE name = 'hilo.mine';

-- what a crash leaves of a first use, above rows, is no bar to the next one
CREATE TABLE used_crash (id bigint DEFAULT hilo_next_tag('used_crash'), k int);
INSERT INTO used_crash VALUES (10);
INSERT INTO used_crash (k) VALUES (1) RETURNING id;
ALTER TABLE hilo_internal.hilo_generator DISABLE TRIGGER USER;
DELETE FROM hilo_internal.hilo_generator WHERE name = 'used_crash';
ALTER TABLE hilo_internal.hilo_generator ENABLE ALWAYS TRIGGER hilo_guard_rows, ENABLE ALWAYS TRIGGER hilo_guard_truncate;
SELECT hilo_create('used_other');
BEGIN;
SELECT hilo_create('used_crash');
ROLLBACK;
INSERT INTO used_crash (k) VALUES (2) RETURNING id > 11 AS above;
DROP TABLE used_crash;

-- a return makes no generator, nor one that a dropped table left anybody's
CREATE TABLE used_left (id bigint DEFAULT hilo_next_tag('used_left'));
INSERT INTO used_left DEFAULT VALUES;
DROP TABLE used_left;
SELECT hilo_return_range('used_left', 32, 30, 5);
SELECT owner FROM hilo_generators() WHERE name = 'used_left';

-- of several parents the one that draws has the generator, whichever comes first
CREATE TABLE used_plain (note text);
CREATE TABLE used_whole (id bigint DEFAULT hilo_next_tag('used_whole'), k int);
CREATE TABLE used_both () INHERITS (used_plain, used_whole);
INSERT INTO used_both (k) VALUES (1) RETURNING id;
DROP TABLE used_whole CASCADE;
-- an explicit cast that may change the number is no mere call
CREATE TABLE used_cast (id text DEFAULT hilo_next_tag('used_cast')::numeric(12, 2), k int);
INSERT INTO used_cast VALUES ('1.00'), ('41.00');
INSERT INTO used_cast (k) VALUES (1) RETURNING id;
ALTER TABLE used_cast ALTER id SET DEFAULT hilo_next_tag('used_cast')::varchar(1);
INSERT INTO used_cast (k) VALUES (1) RETURNING id;
ALTER TABLE used_cast ALTER id SET DEFAULT hilo_next_tag('used_cast')::int::text;
INSERT INTO used_cast VALUES ('7');
INSERT INTO used_cast (k) VALUES (1) RETURNING id;
-- nor one that may cut it off
CREATE TABLE used_fits (id varchar(36) DEFAULT hilo_next_tag('used_fits')::varchar(36), k int);
INSERT INTO used_fits VALUES ('41');
INSERT INTO used_fits (k) VALUES (1) RETURNING id;
DROP TABLE used_plain, used_cast, used_fits;

DROP VIEW made;
DROP TABLE used_bait_too, used_by_leaf, used_older, used_newer, used_supers, used, used_too, used_parent, used_child, used_mine, used_bait, used_members, used_of_member, used_for, used_for_too, used_called, used_reserved CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name ~ '^(public.)?used';
DROP OWNED BY regress_hilo_owner, regress_hilo_app, regress_hilo_member;
DROP ROLE regress_hilo_member, regress_hilo_owner, regress_hilo_app, regress_hilo_third;
