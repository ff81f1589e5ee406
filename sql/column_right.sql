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

-- it goes with the default of the column, and does not come with that of a domain
ALTER TABLE rights ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
CREATE DOMAIN rights_id AS bigint DEFAULT hilo_next('rights');
ALTER TABLE rights ALTER id TYPE rights_id;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights ALTER id TYPE bigint, ALTER id SET DEFAULT hilo_next('rights_other');
DROP DOMAIN rights_id;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights ALTER id SET DEFAULT hilo_next('RIGHTS');
SELECT may_use('regress_hilo_app');

-- of a table whose owner may use the generator: not of anybody's
SET ROLE regress_hilo_bob;
CREATE TABLE rights_bait (id bigint DEFAULT hilo_next('rights'));
INSERT INTO rights_bait DEFAULT VALUES;
RESET ROLE;
SELECT may_use('regress_hilo_bob');
SELECT hilo_grant('rights', 'regress_hilo_bob');
SELECT may_use('regress_hilo_bob');
REVOKE INSERT ON rights FROM regress_hilo_app;
GRANT INSERT ON rights_bait TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
SELECT hilo_revoke('rights', 'regress_hilo_bob');
SELECT may_use('regress_hilo_bob'), may_use('regress_hilo_app');
-- nor by way of one that changes hands, either way
ALTER TABLE rights_bait OWNER TO regress_hilo_owner;
SELECT may_use('regress_hilo_bob'), may_use('regress_hilo_app');
ALTER TABLE rights_bait OWNER TO regress_hilo_bob;
SELECT may_use('regress_hilo_app');
DROP TABLE rights_bait;

-- a partition, a child, a foreign table; a view of its own default, and not by its table's
SET ROLE regress_hilo_owner;
CREATE TABLE rights_parts (id bigint DEFAULT hilo_next('rights'), part int) PARTITION BY LIST (part);
CREATE TABLE rights_part PARTITION OF rights_parts FOR VALUES IN (1);
RESET ROLE;
GRANT INSERT ON rights_part TO regress_hilo_app;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights_part ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
DROP TABLE rights_parts;
SET ROLE regress_hilo_owner;
CREATE VIEW rights_view AS SELECT * FROM rights;
GRANT INSERT ON rights_view TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO rights_view (a) VALUES (1);
RESET ROLE;
ALTER VIEW rights_view ALTER id SET DEFAULT hilo_next('rights');
SET ROLE regress_hilo_app;
INSERT INTO rights_view (a) VALUES (1);
RESET ROLE;
DROP VIEW rights_view;
SELECT may_use('regress_hilo_app');

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
-- a table that is gone, and one that is not yet
ALTER TABLE rights RENAME TO rights_before;
SELECT may_use('regress_hilo_app');
DROP TABLE rights_before;
SELECT may_use('regress_hilo_app');
SET ROLE regress_hilo_owner;
CREATE TABLE rights (id text DEFAULT hilo_next_id('rights'));
GRANT INSERT ON rights TO regress_hilo_app;
RESET ROLE;
SELECT may_use('regress_hilo_app');
-- and a trigger in the place of a default; but nothing else that a default makes of ids
ALTER TABLE rights ALTER id DROP DEFAULT;
SELECT may_use('regress_hilo_app');
SET ROLE regress_hilo_owner;
CREATE TRIGGER id BEFORE INSERT ON rights FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
RESET ROLE;
SELECT may_use('regress_hilo_app');
DROP TRIGGER id ON rights;
SELECT may_use('regress_hilo_app');
ALTER TABLE rights ALTER id SET DEFAULT 'rights/' || hilo_next('rights');
SELECT may_use('regress_hilo_app');

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
