/*
 * The right to use a generator that comes with the right to insert into a table
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_group;
GRANT CREATE ON SCHEMA public TO regress_hilo_owner, regress_hilo_bob;
SET ROLE regress_hilo_owner;
CREATE TABLE rights (id bigint DEFAULT hilo_next('rights'), a int, b int);
INSERT INTO rights DEFAULT VALUES;
RESET ROLE;
CREATE FUNCTION may_use(role text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	PERFORM set_config('role', role, true);
	BEGIN
		PERFORM hilo_next('rights');
		answer := 'yes';
	EXCEPTION WHEN insufficient_privilege THEN
		answer := SQLERRM;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN answer;
END $$;

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
SELECT hilo_next('rights') > 0 AS next, hilo_current('rights') > 0 AS current, hilo_next_for('rights') > 0 AS next_for,
	   hilo_next_id('rights') <> '' AS next_id, (SELECT high - low FROM hilo_next_range('rights', 5)) AS range;
SELECT name, grants FROM hilo_generators() WHERE name = 'rights';
SELECT count(*) FROM hilo_session() WHERE name = 'rights';
SELECT hilo_seed('rights', 1000);
SELECT hilo_grant('rights', 'regress_hilo_app');
SELECT hilo_drop('rights');
RESET ROLE;

-- it is the table's, whatever the default is
ALTER TABLE rights ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights ALTER id SET DEFAULT hilo_next('RIGHTS');

-- of another table, only where that is written to, and its owner owns the generator or has a grant
CREATE FUNCTION may_insert(role text, rel regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	PERFORM set_config('role', role, true);
	BEGIN
		EXECUTE format('INSERT INTO %s DEFAULT VALUES', rel);
		answer := 'yes';
	EXCEPTION WHEN insufficient_privilege THEN
		answer := SQLERRM;
	END;
	PERFORM set_config('role', 'none', true);
	RETURN answer;
END $$;
REVOKE INSERT ON rights FROM regress_hilo_app;
SET ROLE regress_hilo_bob;
CREATE TABLE rights_bait (id bigint DEFAULT hilo_next('rights'));
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
-- that a superuser may use all generators gives nobody a right
RESET ROLE;
ALTER TABLE rights_bait OWNER TO CURRENT_USER;
SELECT may_insert('regress_hilo_app', 'rights_bait');
DROP TABLE rights_bait;

-- a partition, and one of the table that the generator belongs to
SET ROLE regress_hilo_owner;
CREATE TABLE rights_parts (id bigint DEFAULT hilo_next('rights'), part int) PARTITION BY LIST (part);
CREATE TABLE rights_part PARTITION OF rights_parts DEFAULT;
GRANT INSERT ON rights_part TO regress_hilo_app;
RESET ROLE;
SELECT may_insert('regress_hilo_app', 'rights_part'), may_insert('regress_hilo_app', 'rights_parts');
ALTER TABLE rights_part ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
SET ROLE regress_hilo_owner;
ALTER TABLE rights_parts ALTER id SET DEFAULT hilo_next('rights_parts');
RESET ROLE;
SELECT may_insert('regress_hilo_owner', 'rights_parts');
SELECT hilo_next('rights_parts') > 0 AS made;
SET ROLE regress_hilo_app;
SELECT hilo_next('rights_parts') > 0 AS next;
RESET ROLE;
DROP TABLE rights_parts;
SELECT hilo_drop('rights_parts');

-- in one transaction, on a range in hand: what was taken away by this session
GRANT INSERT ON rights TO regress_hilo_app;
BEGIN;
SET LOCAL ROLE regress_hilo_app;
SELECT hilo_next('rights') > 0 AS before;
RESET ROLE;
REVOKE INSERT ON rights FROM regress_hilo_app;
SET LOCAL ROLE regress_hilo_app;
SELECT hilo_next('rights');
ROLLBACK;
SELECT may_use('regress_hilo_app');
-- a table of another name, one that is gone, and one that has its name
ALTER TABLE rights RENAME TO rights_before;
SELECT may_use('regress_hilo_app');
DROP TABLE rights_before;
SELECT may_use('regress_hilo_app');
SET ROLE regress_hilo_owner;
CREATE TABLE rights (id text DEFAULT hilo_next_id('rights'));
GRANT INSERT ON rights TO regress_hilo_app;
RESET ROLE;
SELECT may_use('regress_hilo_app');
SELECT may_insert('regress_hilo_app', 'rights');
SELECT owner, columns FROM hilo_generators() WHERE name = 'rights';
-- a trigger in the place of a default leads to generators with the name of the table alone
SELECT hilo_alter('rights', owner => 'regress_hilo_owner');
ALTER TABLE rights ALTER id DROP DEFAULT;
SET ROLE regress_hilo_owner;
CREATE TRIGGER id BEFORE INSERT ON rights FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
RESET ROLE;
SELECT may_use('regress_hilo_app');
SELECT may_insert('regress_hilo_app', 'rights');
DROP TRIGGER id ON rights;
SELECT hilo_create('secret'), hilo_alter('secret', owner => 'regress_hilo_owner');
CREATE TRIGGER id BEFORE INSERT ON rights FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'secret');
SELECT may_insert('regress_hilo_app', 'rights'), may_insert('regress_hilo_owner', 'rights');
DROP TRIGGER id ON rights;
SELECT hilo_drop('secret');
DROP FUNCTION may_insert;

-- an adopted sequence's generator is its owner's, whoever adopts it
SET ROLE regress_hilo_owner;
CREATE SEQUENCE rights_seq;
CREATE TABLE adopted_rights (id bigint);
RESET ROLE;
SELECT hilo_adopt_sequence('adopted_rights', 'rights_seq', 'hibernate-pooled', 1);
ALTER TABLE adopted_rights ALTER id SET DEFAULT hilo_next('adopted_rights');
SELECT owner FROM hilo_generators() WHERE name = 'adopted_rights';
SET ROLE regress_hilo_owner;
INSERT INTO adopted_rights DEFAULT VALUES RETURNING id;
RESET ROLE;

DROP TABLE rights, adopted_rights;
SELECT hilo_drop('rights'), hilo_drop('adopted_rights');
DROP FUNCTION may_use;
DROP OWNED BY regress_hilo_owner, regress_hilo_bob;
DROP ROLE regress_hilo_owner, regress_hilo_app, regress_hilo_bob, regress_hilo_group;
