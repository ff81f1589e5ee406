/*
 * What the owner of a database, who is no superuser, may restore: numbers and
 * definitions of generators of his own, and no right, source, hub, or anything of a
 * generator of another owner
 */
\set database :DBNAME
\set SHOW_CONTEXT never
SELECT current_user AS super \gset
CREATE ROLE regress_hilo_super SUPERUSER;
CREATE ROLE regress_hilo_mallory;
CREATE ROLE regress_hilo_deputy IN ROLE regress_hilo_mallory;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_bob;
CREATE DATABASE regress_hilo_restore OWNER regress_hilo_mallory ENCODING 'UTF8' TEMPLATE template0;
\c regress_hilo_restore
SET hilo.prefetch = off;
CREATE EXTENSION hilo;
GRANT CREATE ON DATABASE regress_hilo_restore TO regress_hilo_alice;
CREATE FOREIGN DATA WRAPPER regress_hilo;
CREATE SERVER loop FOREIGN DATA WRAPPER regress_hilo OPTIONS (host '/nowhere');
GRANT USAGE ON FOREIGN SERVER loop TO regress_hilo_mallory;
SELECT hilo_create('supers'), hilo_create('supers gapless', 'gapless');
SELECT hilo_next_tag('supers'), hilo_next_tag('supers gapless');
SET ROLE regress_hilo_alice;
SELECT hilo_create('alices'), hilo_next_tag('alices');
RESET ROLE;
CREATE TABLE balance (who text, amount bigint);
INSERT INTO balance VALUES ('mallory', 1);

-- rows as a dump has them
CREATE FUNCTION definition(name text, options jsonb DEFAULT '{}') RETURNS void LANGUAGE sql AS $$
	INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(NULL::hilo_internal.hilo_generator,
		jsonb_build_object('name', name, 'written_name', name, 'ordering', 'session', 'first', 1, 'max_value', 9223372036854775807,
			'range_size', 32, 'max_range_size', 1048576, 'domain_bits', 63, 'is_public', false,
			'created', '2026-01-01', 'hub', '', 'rel', '') || options)).*
$$;
CREATE FUNCTION hi(new text, last bigint) RETURNS void LANGUAGE sql AS $$
	INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, jsonb_build_object('name', new, 'reserved', hi.last))).*
	  FROM hilo_internal.hilo_hi h WHERE h.name = 'supers'
$$;
CREATE VIEW state AS
	SELECT g.name, g.ordering, g.owner::text = current_setting('regress.super') AS supers, CASE WHEN g.owner::text ^@ 'regress' THEN g.owner END AS owner,
		   g.is_public, g.grants, g.last, g.hub FROM hilo_generators() g ORDER BY name COLLATE "C";
SELECT set_config('regress.super', :'super', false) = :'super' AS set;
SET SESSION AUTHORIZATION regress_hilo_mallory;

-- a source: neither on a catalog nor on another role's table
SELECT definition('e1', '{"ordering": "adopted", "is_public": true}'), hi('e1', 0);
INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial, hi_column, key_column, key_value)
	VALUES ('e1', 'pg_catalog.pg_auth_members', 'hibernate-table-pooled-lo', 13011, 1, 'member', 'roleid', '3374'),
		   ('e2', 'public.balance', 'hibernate-table-pooled-lo', 1000000, 1, 'amount', 'who', 'mallory');
-- not for a generator of one's own either
SELECT hilo_create('mine');
INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial, hi_column, key_column, key_value)
	VALUES ('mine', 'public.balance', 'hibernate-table-pooled-lo', 1000000, 1, 'amount', 'who', 'mallory');
RESET SESSION AUTHORIZATION;
SELECT hilo_next_tag('e1');
SELECT * FROM hilo_resync_all();
TABLE balance;
SELECT count(*) FROM hilo_internal.hilo_source;
SET SESSION AUTHORIZATION regress_hilo_mallory;

-- a hub, and an owner with the mapping that would reach it
SELECT definition('p1', '{"hub": "loop"}'), hi('p1', 0);
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) SELECT 'p1', 'regress_hilo_super', true;
SELECT hilo_next_tag('p1');
-- which leaves the number
SELECT hi('p1', 70), hilo_create('p1', hub => 'loop');
SELECT name, owner, last FROM hilo_generators() WHERE name = 'p1';
SELECT hilo_drop('p1');

-- generators of others: neither used, nor raised, nor owned
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('supers', 'regress_hilo_mallory', false), ('alices', 'regress_hilo_mallory', true),
	('alices', 'regress_hilo_alice', true), ('alices', '', false);
SELECT hi('supers', 9223372036854775807), hi('alices', 9223372036854775807), hi('supers gapless', 100);
INSERT INTO hilo_internal.hilo_gapless VALUES (100, 'supers gapless'), (100, 'supers');
SELECT definition('supers', '{"is_public": true}'), definition('alices', '{"is_public": true}');
SELECT hilo_next_tag('supers');
SELECT hilo_next_tag('alices');
SELECT hilo_seed('supers', 5);
RESET SESSION AUTHORIZATION;
TABLE state;
SET SESSION AUTHORIZATION regress_hilo_mallory;
-- of hilo's own, though there is none of that name
SELECT definition('hilo.launch', '{"max_value": 99999}'), hi('hilo.launch', 50000);
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('hilo.launch', 'regress_hilo_mallory', true);
INSERT INTO hilo_internal.hilo_node VALUES (4711, 'A', 1, 'mine', '', '2026-01-01', '2026-01-01');
-- nor what reads as another owner's relation; the number of server-side ids is merged
RESET SESSION AUTHORIZATION;
CREATE TABLE alices_own ();
ALTER TABLE alices_own OWNER TO regress_hilo_alice;
SET SESSION AUTHORIZATION regress_hilo_mallory;
SELECT definition('alices_own'), hi('public.alices_own', 5);
SELECT definition('|', '{"max_value": 5}'), hi('|', 500), hi('|', 400);
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('|', 'regress_hilo_mallory', true);
SELECT document_id('docs/');
RESET SESSION AUTHORIZATION;
SELECT document_id('docs/');
SELECT name, owner, is_public, last, max_value = 9223372036854775807 AS is_default FROM hilo_generators() WHERE name IN ('|', 'alices_own', 'public.alices_own');
SELECT hilo_drop('|');
DROP TABLE alices_own;
-- numbers of a group: raised if the table is his, and left out if it is missing or another's
SET SESSION AUTHORIZATION regress_hilo_mallory;
CREATE SCHEMA his CREATE TABLE invoices (grp int, n int);
RESET SESSION AUTHORIZATION;
CREATE TABLE invoices (grp int, n int);
ALTER TABLE invoices OWNER TO regress_hilo_alice;
CREATE TRIGGER number BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'global', 'grp');
CREATE TRIGGER number BEFORE INSERT ON his.invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'gapless', 'grp');
INSERT INTO invoices VALUES (1), (1);
INSERT INTO his.invoices VALUES (1), (1);
SELECT columns FROM hilo_internal.hilo_series WHERE rel::text = 'his.invoices' \gset
SET SESSION AUTHORIZATION regress_hilo_mallory;
INSERT INTO hilo_internal.hilo_series VALUES (40, 1, 'public.invoices', :columns, '1'), (41, 1, 'his.invoices', :columns, '1');
-- superusers restore them all
RESET SESSION AUTHORIZATION;
SELECT rel::text, grp, last FROM hilo_internal.hilo_series ORDER BY 1, 2;
INSERT INTO hilo_internal.hilo_series VALUES (50, 1, 'public.invoices', :columns, '1'), (3, 1, 'his.invoices', :columns, '1'), (60, 1, 'his.invoices', :columns, '2'),
	(70, 1, 'his.gone', :columns, '1'), (71, 1, '', :columns, '1'), (-5, 1, 'his.invoices', :columns, '3');
SELECT rel::text, grp, last FROM hilo_internal.hilo_series ORDER BY 1, 2;
INSERT INTO invoices VALUES (1) RETURNING n;
INSERT INTO his.invoices VALUES (1), (2), (3), (4) RETURNING *;
UPDATE hilo_internal.hilo_series SET last = 1;
DELETE FROM hilo_internal.hilo_series;
TRUNCATE hilo_internal.hilo_series;
DROP TABLE invoices, his.invoices;
SET SESSION AUTHORIZATION regress_hilo_mallory;
DROP SCHEMA his;

-- of tables: of his own, and no others
CREATE TABLE "My table" (id bigint);
CREATE TABLE adopted (id bigint PRIMARY KEY DEFAULT hilo_next('adopted'));
CREATE VIEW a_view AS SELECT 1;
RESET SESSION AUTHORIZATION;
CREATE TABLE alices_table (id bigint PRIMARY KEY);
ALTER TABLE alices_table OWNER TO regress_hilo_alice;
SET SESSION AUTHORIZATION regress_hilo_mallory;
SELECT definition('#public."My table"', '{"is_public": true, "ordering": "gapless"}'), hi('#public."My table"', 0);
INSERT INTO hilo_internal.hilo_gapless VALUES (50, '#public."My table"');
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('#public."My table"', 'regress_hilo_bob', false), ('#public."My table"', 'regress_hilo_bob', true);
SELECT definition('#public.alices_table'), hi('#public.alices_table', 50);
INSERT INTO hilo_internal.hilo_gapless VALUES (50, '#public.alices_table');
SELECT definition('#pg_catalog.pg_class'), hi('#hilo_internal.hilo_hi', 50);
-- nor of what is missing, or is no table
SELECT definition(name), hi(name, 50) FROM unnest('{#public.missing, #nowhere.orders, #public.a_view, #16385, #, ##tag}'::text[]) name;
SELECT hilo_next('"My table"');
SELECT hilo_next('alices_table');
-- without its source, an adopted one is none, until there is one
SELECT definition('#public.adopted', '{"ordering": "adopted"}'), hi('#public.adopted', 50);
INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial, hi_column, key_column, key_value)
	VALUES ('#public.adopted', 'public.balance', 'hibernate-table-pooled-lo', 1000000, 1, 'amount', 'who', 'mallory'),
		('#public.alices_table', 'public.balance', 'hibernate-table-pooled-lo', 1000000, 1, 'amount', 'who', 'mallory');
INSERT INTO adopted DEFAULT VALUES;
SELECT * FROM hilo_sources();
CREATE SEQUENCE adopted_ids INCREMENT 10 START 51;
SELECT hilo_adopt_sequence('adopted', 'id', 'adopted_ids', 'efcore');
INSERT INTO adopted DEFAULT VALUES RETURNING id;
SELECT name, ordering, owner, is_public, grants, last FROM hilo_generators() WHERE name ~ 'table|adopted';
RESET SESSION AUTHORIZATION;
SELECT reserved FROM hilo_internal.hilo_hi WHERE name::text !~ '^[a-z]|^#\d';
DROP TABLE "My table", adopted, alices_table;
DROP VIEW a_view;
DROP SEQUENCE adopted_ids;
SELECT count(*) FROM hilo_internal.hilo_hi WHERE name::text ~ '^#';
SET SESSION AUTHORIZATION regress_hilo_mallory;
-- rows that their tables refuse
\set VERBOSITY terse
INSERT INTO hilo_internal.hilo_hi (reserved) VALUES (1);
INSERT INTO hilo_internal.hilo_generator (name) VALUES ('new');
INSERT INTO hilo_internal.hilo_privilege (generator) VALUES ('new');
INSERT INTO hilo_internal.hilo_source (generator) VALUES (NULL);
INSERT INTO hilo_internal.hilo_gapless (last) VALUES (1);
\set VERBOSITY default
-- names that none can have, which would break what shows generators
SELECT definition(repeat('x', 600) || '|');
SELECT definition(E'a\nb');
SELECT definition('');
SELECT hi(E'a\nb', 1);
SELECT definition('other', '{"written_name": "alices"}'), definition('OTHER'), hi('OTHER', 1);
SELECT repeat('x', 600) AS long \gset
INSERT INTO hilo_internal.hilo_gapless VALUES (5, :'long');
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES (:'long', 'regress_hilo_mallory', true);
RESET SESSION AUTHORIZATION;
SELECT count(*) FROM hilo_generators() WHERE name ~ '^(hilo|x|a\n)' OR name = '';
SELECT (SELECT count(*) FROM hilo_internal.hilo_hi WHERE length(name) > 512) + (SELECT count(*) FROM hilo_internal.hilo_gapless WHERE length(name) > 512) AS long,
	(SELECT count(*) FROM hilo_nodes()) AS nodes;
SET SESSION AUTHORIZATION regress_hilo_mallory;

-- what is his own, and what has no owner, whichever table comes first
SELECT hi('mine', 500), hilo_next_tag('mine');
SELECT hi('mine', 5), hilo_next_tag('mine');
SELECT hi('hi first', 40);
SELECT definition('hi first', '{"max_value": 1000}');
SELECT definition('definition first', '{"is_public": true}');
SELECT hi('definition first', 50);
INSERT INTO hilo_internal.hilo_gapless VALUES (60, 'gapless first');
SELECT hi('gapless first', 0), definition('gapless first', '{"ordering": "gapless"}');
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('hi first', 'regress_hilo_mallory', true), ('privilege first', 'regress_hilo_mallory', true),
	('privilege first', 'regress_hilo_bob', false), ('definition first', 'regress_hilo_alice', true);
SELECT definition('privilege first'), hi('privilege first', 70);
-- a row that is there says nothing
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('hi first', 'regress_hilo_mallory', true);
SELECT definition('hi first');
SELECT hilo_next_tag(name) FROM unnest('{hi first, definition first, gapless first, privilege first}'::text[]) name;
-- what a restore of a superuser's has left is not his, and rights that a failed one left count for no role
RESET SESSION AUTHORIZATION;
SELECT hi('left', 80), definition('left too');
INSERT INTO hilo_internal.hilo_gapless VALUES (80, 'left gapless');
INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial, hi_column, key_column, key_value)
	VALUES ('left source', 'public.balance', 'hibernate-table-pooled-lo', 10, 1, 'amount', 'who', 'mallory');
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('failed', 'regress_hilo_bob', false), ('failed', 'regress_hilo_mallory', false);
SET SESSION AUTHORIZATION regress_hilo_mallory;
SELECT hi('left', 90), definition('left'), hi('left too', 90), hi('left gapless', 90), hi('left source', 90);
SELECT definition('failed'), hi('failed', 1);
-- a role with the owner's rights restores for itself; others do not
SET SESSION AUTHORIZATION regress_hilo_deputy;
SELECT definition('deputys'), hi('deputys', 10), hi('mine', 600);
SET SESSION AUTHORIZATION regress_hilo_alice;
SELECT definition('not'), hi('not', 10);
RESET SESSION AUTHORIZATION;
GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_alice;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA hilo_internal TO regress_hilo_alice;
SET SESSION AUTHORIZATION regress_hilo_alice;
SELECT definition('not');
SELECT hi('alices', 10);
RESET SESSION AUTHORIZATION;
TABLE state;
SELECT name, reserved FROM hilo_internal.hilo_hi WHERE name ^@ 'left';

\c :database
DROP DATABASE regress_hilo_restore WITH (FORCE);
DROP ROLE regress_hilo_super, regress_hilo_deputy, regress_hilo_mallory, regress_hilo_alice, regress_hilo_bob;
