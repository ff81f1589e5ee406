/*
 * The right to use a tag that comes with the right to insert where a default names it.
 * One session asks throughout
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_group;
GRANT CREATE ON SCHEMA public TO regress_hilo_owner, regress_hilo_bob;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner, regress_hilo_bob;
SET ROLE regress_hilo_owner;
CREATE TABLE rights (id bigint DEFAULT hilo_next_tag('rights'), a int, b int);
INSERT INTO rights DEFAULT VALUES;
RESET ROLE;
\getenv srcdir PG_ABS_SRCDIR
\set may :srcdir '/sql/include/may.sql'
\i :may
CREATE FUNCTION may_use(role text) RETURNS text LANGUAGE sql AS $$
	SELECT may(role, 'SELECT hilo_next_tag(''rights'')')
$$;
CREATE FUNCTION may_insert(role text, rel regclass) RETURNS text LANGUAGE sql AS $$
	SELECT may(role, format('INSERT INTO %s DEFAULT VALUES', rel))
$$;

-- INSERT on the table, on a column, through a group or PUBLIC; and no more when it goes
SELECT may_use('regress_hilo_app');
GRANT SELECT, UPDATE, DELETE, REFERENCES ON rights TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
GRANT INSERT ON rights TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
REVOKE INSERT ON rights FROM regress_hilo_app;
SELECT may_use('regress_hilo_app');
GRANT INSERT (a) ON rights TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
REVOKE INSERT (a) ON rights FROM regress_hilo_app;
SELECT may_use('regress_hilo_app');
GRANT INSERT ON rights TO regress_hilo_group;
GRANT regress_hilo_group TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
REVOKE regress_hilo_group FROM regress_hilo_app;
SELECT may_use('regress_hilo_app');
REVOKE INSERT ON rights FROM regress_hilo_group;
GRANT INSERT ON rights TO PUBLIC;
SELECT may_use('regress_hilo_app');
REVOKE INSERT ON rights FROM PUBLIC;
SELECT may_use('regress_hilo_app');

-- for every function that takes ids, and to see what one may use; not to change it
GRANT INSERT ON rights TO regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT hilo_next_tag('rights') > 0 AS next, hilo_current('rights') > 0 AS current,
	   hilo_next_id('rights') <> '' AS next_id, (SELECT high - low FROM hilo_next_range('rights', 5)) AS range;
SELECT name, grants FROM hilo_generators() WHERE name = 'rights';
SELECT count(*) FROM hilo_session() WHERE name = 'rights';
SELECT hilo_seed('rights', 1000);
SELECT hilo_grant('rights', 'regress_hilo_app');
SELECT hilo_drop('rights');
RESET ROLE;

-- it ends with the default, and comes again with it, in any case of letters
ALTER TABLE rights ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights ALTER id SET DEFAULT hilo_next_tag('RIGHTS');
SELECT may_use('regress_hilo_app');

-- nor by another owner's table, also if that owner has a grant
REVOKE INSERT ON rights FROM regress_hilo_app;
SET ROLE regress_hilo_bob;
CREATE TABLE rights_bait (id bigint DEFAULT hilo_next_tag('rights'));
GRANT INSERT ON rights_bait TO regress_hilo_app;
RESET ROLE;
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
SELECT hilo_grant('rights', 'regress_hilo_bob');
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
SELECT may_use('regress_hilo_bob'), may_use('regress_hilo_app');
SELECT hilo_revoke('rights', 'regress_hilo_bob');
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
-- nor by a membership that gives no privileges
GRANT regress_hilo_owner TO regress_hilo_bob;
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
REVOKE regress_hilo_owner FROM regress_hilo_bob;
ALTER ROLE regress_hilo_bob NOINHERIT;
GRANT regress_hilo_owner TO regress_hilo_bob;
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
REVOKE regress_hilo_owner FROM regress_hilo_bob;
ALTER ROLE regress_hilo_bob INHERIT;
-- nor by way of one that changes hands, either way
ALTER TABLE rights_bait OWNER TO regress_hilo_owner;
SELECT may_insert('regress_hilo_bob', 'rights_bait'), may_insert('regress_hilo_app', 'rights_bait');
ALTER TABLE rights_bait OWNER TO regress_hilo_bob;
SELECT may_insert('regress_hilo_app', 'rights_bait');
-- that a superuser may use all generators gives no other role a right
RESET ROLE;
ALTER TABLE rights_bait OWNER TO CURRENT_USER;
SELECT may_insert('regress_hilo_app', 'rights_bait');
DROP TABLE rights_bait;

-- a part that is loaded directly, with the default of the whole or its own
SET ROLE regress_hilo_owner;
CREATE TABLE rights_parts (id bigint DEFAULT hilo_next_tag('rights'), part int) PARTITION BY LIST (part);
CREATE TABLE rights_part PARTITION OF rights_parts DEFAULT;
GRANT INSERT ON rights_part TO regress_hilo_app;
RESET ROLE;
SELECT may_insert('regress_hilo_app', 'rights_part'), may_insert('regress_hilo_app', 'rights_parts'), may_use('regress_hilo_app');
ALTER TABLE rights_part ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights_parts OWNER TO regress_hilo_bob;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights_parts OWNER TO regress_hilo_owner;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights_parts ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
DROP TABLE rights_parts;
-- a view of such a table
CREATE VIEW rights_view AS SELECT a FROM rights;
ALTER VIEW rights_view OWNER TO regress_hilo_owner;
GRANT INSERT ON rights_view TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
DROP VIEW rights_view;
SELECT may_use('regress_hilo_app');

-- in one transaction, on a range in hand: what was taken away by this session
GRANT INSERT ON rights TO regress_hilo_app;
BEGIN;
SET LOCAL ROLE regress_hilo_app;
SELECT hilo_next_tag('rights') > 0 AS before;
RESET ROLE;
REVOKE INSERT ON rights FROM regress_hilo_app;
SET LOCAL ROLE regress_hilo_app;
SELECT hilo_next_tag('rights');
ROLLBACK;
SELECT may_use('regress_hilo_app');
-- the tag stays its owner's, whatever becomes of the table
GRANT INSERT ON rights TO regress_hilo_app;
ALTER TABLE rights RENAME TO rights_before;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights_before OWNER TO regress_hilo_bob;
SELECT may_use('regress_hilo_owner'), may_use('regress_hilo_bob'), may_use('regress_hilo_app'), may_insert('regress_hilo_bob', 'rights_before');
DROP TABLE rights_before;
SELECT may_use('regress_hilo_app'), may_use('regress_hilo_owner');
-- a trigger in the place of a default gives it only by the name of its table
SET ROLE regress_hilo_owner;
CREATE TABLE rights (id text);
GRANT INSERT ON rights TO regress_hilo_app;
CREATE TRIGGER id BEFORE INSERT ON rights FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
RESET ROLE;
SELECT may_use('regress_hilo_app'), may_insert('regress_hilo_app', 'rights');
DROP TRIGGER id ON rights;
SELECT may_use('regress_hilo_app');
SELECT hilo_create('secret'), hilo_alter('secret', owner => 'regress_hilo_owner');
CREATE TRIGGER id BEFORE INSERT ON rights FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'secret');
SELECT may_insert('regress_hilo_app', 'rights'), may_insert('regress_hilo_owner', 'rights');
DROP TRIGGER id ON rights;
SELECT hilo_drop('secret');
DROP FUNCTION may_insert;

-- an adopted sequence's generator is its owner's, whichever role adopts it: of a tag the
-- sequence's, of a table the table's
SET ROLE regress_hilo_owner;
CREATE SEQUENCE rights_seq;
CREATE TABLE adopted_rights (id bigint);
RESET ROLE;
SELECT hilo_adopt_sequence_tag('adopted_tag', 'rights_seq', 'hibernate-pooled', 1);
SELECT hilo_adopt_sequence('adopted_rights', 'id', 'rights_seq', 'hibernate-pooled', 1);
SELECT name, owner FROM hilo_generators() WHERE name ~ 'adopted' ORDER BY name;
SET ROLE regress_hilo_owner;
INSERT INTO adopted_rights DEFAULT VALUES RETURNING id;
RESET ROLE;

DROP TABLE rights, adopted_rights;
SELECT hilo_drop('rights'), hilo_drop('adopted_tag');
DROP FUNCTION may_use, may;
DROP OWNED BY regress_hilo_owner, regress_hilo_bob;
DROP ROLE regress_hilo_owner, regress_hilo_app, regress_hilo_bob, regress_hilo_group;
