/*
 * The tables of hilo change by hilo only; what a restore inserts is merged
 */
SET hilo.prefetch = off;
SELECT current_setting('is_superuser') AS superuser;
SELECT hilo_create('guard');
SELECT count(*) FROM hilo_next_tag('guard', 10);

-- REPACK (CONCURRENTLY) would miss what changes in place, and refuses these replica identities
SELECT relreplident, array_agg(relname ORDER BY relname) FROM pg_class c JOIN pg_trigger t ON t.tgrelid = c.oid
 WHERE tgname = 'hilo_guard_rows' GROUP BY relreplident;
-- a foreign key to a table of ours has none of its own there
CREATE TABLE guard_refers (name text REFERENCES hilo_internal.hilo_generator);
SELECT low > 0 AS taken FROM hilo_next_range('guard');
DROP TABLE guard_refers;

-- UPDATE, DELETE and TRUNCATE are refused, and SELECT FOR UPDATE is not
UPDATE hilo_internal.hilo_hi SET reserved = 0;
DELETE FROM hilo_internal.hilo_hi;
TRUNCATE hilo_internal.hilo_hi;
UPDATE hilo_internal.hilo_generator SET range_size = 64;
DELETE FROM hilo_internal.hilo_generator WHERE name = 'guard';
TRUNCATE hilo_internal.hilo_generator;
UPDATE hilo_internal.hilo_privilege SET is_owner = false;
DELETE FROM hilo_internal.hilo_privilege;
TRUNCATE hilo_internal.hilo_privilege;
TRUNCATE hilo_internal.hilo_hi, hilo_internal.hilo_generator, hilo_internal.hilo_privilege CASCADE;
WITH gone AS (DELETE FROM hilo_internal.hilo_hi RETURNING *) SELECT count(*) FROM gone;
INSERT INTO hilo_internal.hilo_hi SELECT * FROM hilo_internal.hilo_hi WHERE name = 'guard'
	ON CONFLICT (name) DO UPDATE SET reserved = 0;
INSERT INTO hilo_internal.hilo_generator SELECT * FROM hilo_internal.hilo_generator WHERE name = 'guard'
	ON CONFLICT (name) DO UPDATE SET range_size = 64;
MERGE INTO hilo_internal.hilo_hi USING (VALUES ('guard')) v (name) ON hilo_hi.name = v.name
	WHEN MATCHED THEN UPDATE SET reserved = 0;
MERGE INTO hilo_internal.hilo_hi USING (VALUES ('guard')) v (name) ON hilo_hi.name = v.name
	WHEN MATCHED THEN DELETE;
SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'guard' FOR UPDATE;
SELECT name, last, range_size FROM hilo_generators() WHERE name = 'guard';

-- in the replica role, which tools that replicate are in, nothing happens; but restores are, too
BEGIN;
SET LOCAL session_replication_role = replica;
UPDATE hilo_internal.hilo_hi SET reserved = 0;
DELETE FROM hilo_internal.hilo_hi;
UPDATE hilo_internal.hilo_generator SET range_size = 64;
DELETE FROM hilo_internal.hilo_generator;
UPDATE hilo_internal.hilo_privilege SET is_owner = false;
DELETE FROM hilo_internal.hilo_privilege;
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"reserved": 100}')).*
  FROM hilo_internal.hilo_hi h WHERE name = 'guard';
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"name": "guard_replica"}')).*
  FROM hilo_internal.hilo_hi h WHERE name = 'guard';
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "guard_replica", "written_name": "guard_replica"}')).*
  FROM hilo_internal.hilo_generator g WHERE name = 'guard';
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) SELECT 'guard_replica', role, is_owner
  FROM hilo_internal.hilo_privilege WHERE generator = 'guard';
SAVEPOINT s;
TRUNCATE hilo_internal.hilo_hi;
ROLLBACK TO s;
SELECT hilo_next_tag('guard');
COMMIT;
SELECT name, last, range_size FROM hilo_generators() WHERE name LIKE 'guard%';
SELECT hilo_next_tag('guard_replica');

-- A row of hilo_hi that is inserted: what a restore brings with it
CREATE FUNCTION pg_temp.restore(name text, last bigint) RETURNS void LANGUAGE sql AS $$
	INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, jsonb_build_object('name', restore.name, 'reserved', restore.last,
		'last_size', 10, 'incarnation', 4711,
		'system_identifier', 4711,
		'timeline', 99))).*
	  FROM hilo_internal.hilo_hi h WHERE h.name = 'guard'
$$;
-- into one with a lower last, in place and at once
SELECT ctid AS place, xmin AS version, incarnation FROM hilo_internal.hilo_hi WHERE name = 'guard' \gset
BEGIN;
SELECT pg_temp.restore('guard', 1000);
SELECT hilo_next_tag('guard');
ROLLBACK;
SELECT hilo_next_tag('guard');
SELECT reserved, ctid = :'place'::tid AS same_place, xmin = :'version' AS same_version,
       incarnation >> 32 = :incarnation >> 32 AS same_generator, incarnation <> :incarnation AS other_incarnation
  FROM hilo_internal.hilo_hi WHERE name = 'guard';
-- into one with a higher last
SELECT pg_temp.restore('guard', 999);
SELECT hilo_next_tag('guard');
SELECT pg_temp.restore('guard', -1);
SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'guard';
-- into none: another incarnation, of this server
SELECT pg_temp.restore('guard_restored', 500);
SELECT reserved, incarnation = 4711 AS incarnation,
       system_identifier = 4711 AS system_identifier, timeline = 99 AS timeline,
       last_size
  FROM hilo_internal.hilo_hi WHERE name = 'guard_restored';
-- of which there is no definition yet
SELECT hilo_next_tag('guard_restored');
SELECT name FROM hilo_generators() WHERE name = 'guard_restored';
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "guard_restored", "written_name": "Guard_Restored"}')).*
  FROM hilo_internal.hilo_generator g WHERE name = 'guard';
SELECT hilo_next_tag('guard_restored');
SELECT name, owner, last FROM hilo_generators() WHERE name = 'Guard_Restored';
-- one with a "first" that may have been raised above ids that were handed out
SELECT pg_temp.restore('guard_first', 500);
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "guard_first", "written_name": "guard_first", "first": 501}')).*
  FROM hilo_internal.hilo_generator g WHERE name = 'guard';
SELECT hilo_alter('guard_first', 'scattered');
-- a definition, an owner and a grant that are there stay what they are
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"written_name": "gUARD", "first": 7, "is_public": false}')).*
  FROM hilo_internal.hilo_generator g WHERE name = 'guard';
SELECT name, first, is_public FROM hilo_generators() WHERE name ILIKE 'guard';
CREATE ROLE regress_hilo_user;
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('guard', 'regress_hilo_user', true);
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('guard', 'regress_hilo_user', false);
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('guard', 'regress_hilo_user', false);
SELECT count(*), bool_or(is_owner) FILTER (WHERE role = 'regress_hilo_user'::regrole) AS owns
  FROM hilo_internal.hilo_privilege WHERE generator = 'guard';
-- a definition without its row
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "guard_half"}')).*
  FROM hilo_internal.hilo_generator g WHERE name = 'guard';
SELECT hilo_next_tag('guard_half');
SELECT hilo_seed('guard_half', 10);
SELECT hilo_alter('guard_half', range_size => 10);
SELECT hilo_create('guard_half');
SELECT hilo_drop('guard_half');
-- a row without its definition, defined anew
SELECT pg_temp.restore('guard_defined', 500);
SELECT hilo_create('guard_defined', first => 100);
SELECT hilo_next_tag('guard_defined');
SELECT pg_temp.restore('guard_defined_2', 50);
SELECT hilo_create('guard_defined_2', first => 100);
SELECT hilo_next_tag('guard_defined_2');
-- so with the number of one without gaps
INSERT INTO hilo_internal.hilo_gapless VALUES (500, 'guard_gapless'), (50, 'guard_gapless_2');
SELECT hilo_create('guard_gapless', 'gapless', first => 100), hilo_create('guard_gapless_2', 'gapless', first => 100);
SELECT hilo_next_tag('guard_gapless'), hilo_next_tag('guard_gapless_2');
-- but none below 0
SELECT pg_temp.restore('guard_gapless_3', -1000);
INSERT INTO hilo_internal.hilo_gapless VALUES (-1000, 'guard_gapless_3');
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "guard_gapless_3", "written_name": "guard_gapless_3", "ordering": "gapless"}')).*
  FROM hilo_internal.hilo_generator g WHERE name = 'guard';
SELECT hilo_next_tag('guard_gapless_3'), reserved FROM hilo_internal.hilo_hi WHERE name = 'guard_gapless_3';
-- nor one with gaps
SELECT pg_temp.restore('guard_below', -1000);
SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'guard_below';
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "guard_below", "written_name": "guard_below"}')).*
  FROM hilo_internal.hilo_generator g WHERE name = 'guard';
-- nulls fail as in any table, COPY is an insert
\set VERBOSITY terse
INSERT INTO hilo_internal.hilo_hi (name) VALUES ('guard');
INSERT INTO hilo_internal.hilo_hi (reserved) VALUES (1);
INSERT INTO hilo_internal.hilo_generator (name) VALUES ('guard');
INSERT INTO hilo_internal.hilo_privilege (generator) VALUES ('guard');
\set VERBOSITY default
COPY hilo_internal.hilo_privilege (generator, role, is_owner) FROM stdin;
guard	regress_hilo_user	t
\.
SELECT count(*) FROM hilo_internal.hilo_privilege WHERE generator = 'guard';

-- Superusers restore, no role that may write all tables, or that was granted INSERT.
CREATE ROLE regress_hilo_writer IN ROLE pg_write_all_data;
GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_user;
GRANT INSERT ON hilo_internal.hilo_privilege TO regress_hilo_user;
SELECT hilo_create('guard_secret'), hilo_revoke('guard_secret', 'public');
SET ROLE regress_hilo_user;
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('guard_secret', 'regress_hilo_user', false);
SELECT hilo_next_tag('guard_secret');
SET ROLE regress_hilo_writer;
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('guard_secret', 'regress_hilo_writer', false);
SELECT hilo_next_tag('guard_secret');
COPY hilo_internal.hilo_privilege (generator, role, is_owner) FROM stdin;
guard_secret	regress_hilo_writer	f
\.
CREATE FUNCTION pg_temp.insert_into(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('INSERT INTO hilo_internal.%I DEFAULT VALUES', name);
	RETURN 'ok';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT name, pg_temp.insert_into(name)
  FROM unnest('{hilo_hi, hilo_generator, hilo_gapless, hilo_privilege, hilo_source}'::text[]) name;
RESET ROLE;
SELECT count(*) FROM hilo_internal.hilo_privilege WHERE generator = 'guard_secret';
-- nor do they change the list of servers
SELECT hilo_internal.hilo_hub_register(1, 'G', 0, 'guard') IS NOT NULL AS others;
SET ROLE regress_hilo_writer;
UPDATE hilo_internal.hilo_node SET node_tag = 'Z';
DELETE FROM hilo_internal.hilo_node;
INSERT INTO hilo_internal.hilo_node VALUES (2, 'G', 0, 'guard', '', now(), now());
RESET ROLE;
SELECT sum(hilo_node_forget(id)) FROM (SELECT DISTINCT system_identifier AS id FROM hilo_internal.hilo_node) ids;
REVOKE INSERT ON hilo_internal.hilo_privilege FROM regress_hilo_user;
REVOKE USAGE ON SCHEMA hilo_internal FROM regress_hilo_user;
DROP FUNCTION pg_temp.insert_into;
DROP ROLE regress_hilo_writer;

-- The guard is a trigger.
SELECT hilo_internal.hilo_guard();

SELECT hilo_drop(name) FROM hilo_generators() WHERE name ILIKE 'guard%';
SELECT count(*) FROM hilo_internal.hilo_hi WHERE name LIKE 'guard%';
DROP ROLE regress_hilo_user;
