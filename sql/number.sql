-- Numbers for the rows of each group of a table, for whoever may insert.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA num;
GRANT USAGE, CREATE ON SCHEMA num TO regress_hilo_owner;
GRANT USAGE ON SCHEMA num TO regress_hilo_clerk, regress_hilo_other;
SET search_path = num, public;
-- the OID in a name is another one each time, and a superuser has any name
CREATE VIEW series AS SELECT regexp_replace(name, '#\d+\.\w+', '#N') AS name, ordering,
	nullif(owner::text, quote_ident(session_user)) AS owner, last, max_value
	FROM hilo_generators() WHERE name LIKE '%#%' ORDER BY 1;
SET ROLE regress_hilo_owner;
CREATE TABLE invoices (tenant int, year int, number int, note text, UNIQUE (tenant, year, number));
INSERT INTO invoices VALUES (1, 2026, 41, 'from before'), (1, 2025, 7, 'too');
CREATE TRIGGER number BEFORE INSERT ON invoices
	FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant', 'year');
GRANT INSERT ON invoices TO regress_hilo_clerk;
RESET ROLE;

-- a role that may insert and do nothing else; what there was before counts; null is a group
SET ROLE regress_hilo_clerk;
INSERT INTO invoices (tenant, year) VALUES (1, 2026), (1, 2026), (1, 2025), (2, 2026), (NULL, 2026), (NULL, 2026), (NULL, NULL);
RESET ROLE;
SELECT name AS series FROM hilo_generators() WHERE name LIKE 'invoices#%(number,tenant=1,year=2026)' \gset
SET ROLE regress_hilo_clerk;
\set VERBOSITY sqlstate
SELECT hilo_drop(:'series');
\set VERBOSITY default
RESET ROLE;
SELECT * FROM invoices ORDER BY 1, 2, 3;
SELECT * FROM series;

-- a rollback takes the number back, and the group's series if it was the first
BEGIN;
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (3, 2026) RETURNING number;
SAVEPOINT s;
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (3, 2026), (4, 2026) RETURNING number;
ROLLBACK TO s;
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (3, 2026), (4, 2026) RETURNING number;
ROLLBACK;
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (3, 2026) RETURNING number;
INSERT INTO invoices (tenant, year, note) VALUES (2, 2026, 1 / 0);

-- a number of its own is kept, and passed, in a new group as well; one near the end of the type is told of
INSERT INTO invoices (tenant, year, number) VALUES (2, 2026, 10), (5, 2026, 20), (2, 2026, -3), (2, 2026, 0), (2, 2026, 5);
INSERT INTO invoices (tenant, year) VALUES (2, 2026), (5, 2026) RETURNING number;
BEGIN;
INSERT INTO invoices (tenant, year, number) VALUES (2, 2026, 50);
INSERT INTO invoices (tenant, year) VALUES (2, 2026) RETURNING number;
ROLLBACK;
INSERT INTO invoices (tenant, year) VALUES (2, 2026) RETURNING number;
INSERT INTO invoices (tenant, year, number) VALUES (2, 2026, 2147483647);
INSERT INTO invoices (tenant, year) VALUES (2, 2026) RETURNING number;
-- the last one that was deleted is not given again
DELETE FROM invoices WHERE tenant = 3;
INSERT INTO invoices (tenant, year) VALUES (3, 2026) RETURNING number;

-- where the trigger is for it, an UPDATE may change a number, and take a row to another group, or have it numbered there
CREATE OR REPLACE TRIGGER number BEFORE INSERT OR UPDATE ON invoices
	FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant', 'year');
INSERT INTO invoices (tenant, year) VALUES (30, 2026), (30, 2026), (30, 2026), (31, 2026);
UPDATE invoices SET tenant = 31 WHERE tenant = 30 AND number = 3;
INSERT INTO invoices (tenant, year) VALUES (31, 2026) RETURNING number;
UPDATE invoices SET tenant = 31, number = NULL WHERE tenant = 30 AND number = 2 RETURNING number;
UPDATE invoices SET number = 20 WHERE tenant = 31 AND number = 1;
UPDATE invoices SET year = 2026, number = 20, note = 'as it was' WHERE tenant = 31 AND number = 20;
INSERT INTO invoices (tenant, year) VALUES (30, 2026), (31, 2026) RETURNING number;

-- another group with the same values has numbers of its own
CREATE TABLE tasks (project int, person int, number int);
CREATE TRIGGER number BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'project');
INSERT INTO tasks VALUES (7, 1), (8, 7), (9, 7);
UPDATE tasks SET number = project - 6;
CREATE OR REPLACE TRIGGER number BEFORE INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'person');
INSERT INTO tasks VALUES (7, 7) RETURNING number;

-- COPY, ON CONFLICT, MERGE, a view of somebody else
COPY invoices (tenant, year, note) FROM stdin WITH (DELIMITER ',');
6,2026,a
6,2026,b
6,2027,c
\.
SELECT * FROM invoices WHERE tenant = 6 ORDER BY 1, 2, 3;
-- a row that is left out has had its number
CREATE UNIQUE INDEX ON invoices (note);
INSERT INTO invoices (tenant, year, note) VALUES (6, 2026, 'a'), (6, 2026, 'd') ON CONFLICT DO NOTHING RETURNING number;
INSERT INTO invoices (tenant, year, note) VALUES (6, 2026, 'd') ON CONFLICT (note) DO UPDATE SET note = 'e' RETURNING number, note;
MERGE INTO invoices i USING (VALUES ('a'), ('f'), ('g')) AS v (note) ON i.note = v.note
	WHEN MATCHED THEN UPDATE SET year = 2026 WHEN NOT MATCHED THEN INSERT (tenant, year, note) VALUES (7, 2026, v.note);
INSERT INTO invoices (tenant, year, note) SELECT 7, 2026, v FROM unnest('{a,f,h}'::text[]) v
	WHERE NOT EXISTS (SELECT FROM invoices WHERE note = v) RETURNING number;
CREATE VIEW entry AS SELECT tenant, year, number FROM invoices;
ALTER VIEW entry OWNER TO regress_hilo_owner;
GRANT INSERT, SELECT ON entry TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO entry VALUES (7, 2026), (8, 2026) RETURNING number;
INSERT INTO invoices (tenant, year) VALUES (7, 2026);
RESET ROLE;

-- without a group, and orderings with gaps, which a rollback does not take back
CREATE TABLE tickets (day date, project varchar(20), number numeric, sort smallint);
CREATE TRIGGER number BEFORE INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'day');
CREATE TRIGGER sort BEFORE INSERT ON tickets FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('sort', 'session', 'project');
BEGIN;
INSERT INTO tickets (day) VALUES ('2026-01-02') RETURNING number, sort;
ROLLBACK;
SET datestyle = 'German';
INSERT INTO tickets (day) VALUES ('2.1.2026') RETURNING day, number, sort;
RESET datestyle;
INSERT INTO tickets (day, number) VALUES ('2026-01-02', 100.0), ('2026-01-02', 1e30);
INSERT INTO tickets (day) VALUES ('2026-01-02'), ('infinity') RETURNING number;
SELECT * FROM series WHERE name LIKE 'tickets%';
SET client_min_messages = error;
DO $$ BEGIN INSERT INTO tickets (day) SELECT '2026-01-02' FROM generate_series(1, 32767); EXCEPTION WHEN sequence_generator_limit_exceeded THEN NULL; END $$;
RESET client_min_messages;
SELECT last, max_value FROM series WHERE name LIKE 'tickets#N(sort%';

-- groups are told apart as = does, whatever case and length they have, and whatever stands in them
CREATE TYPE kind AS ENUM ('Small', 'small');
CREATE DOMAIN code AS numeric CHECK (VALUE > 0);
CREATE TABLE apart (t text, n code, e kind, b bool, c char(4), u uuid, s timestamp, number bigint);
CREATE TRIGGER number BEFORE INSERT ON apart FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 't', 'n', 'e', 'b', 'c', 'u', 's');
INSERT INTO apart (t, n) VALUES ('a', 1), ('a', 1.00), ('A', 1), ('', 1), (NULL, 1), ('?', 1), ('\?', 1), ('a,1', NULL), ('a', 1), ('n', NULL)
	RETURNING t, n, number;
INSERT INTO apart (e, b, c, u, s) VALUES ('small', true, 'x', '00000000-0000-0000-0000-0000000000AA', '2026-01-01'), ('Small', true, 'x', NULL, NULL), ('Small', true, 'x', NULL, NULL)
	RETURNING e, number;
INSERT INTO apart (t) VALUES (repeat('x', 400)), (repeat('x', 401)), (repeat('x', 400)), (E'\n'), (E'\t'), (E'\n') RETURNING length(t), number;
SELECT name, last FROM series WHERE name LIKE 'apart%' ORDER BY length(name), name;
-- what was there before is found by the same rule
CREATE TABLE found (LIKE apart);
INSERT INTO found SELECT * FROM apart;
CREATE TRIGGER number BEFORE INSERT ON found FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'session', 't', 'n', 'e', 'b', 'c', 'u', 's');
INSERT INTO found (t, n, e, b, c, u, s) SELECT DISTINCT t, trim_scale(n), e, b, c, u, s FROM apart;
SELECT count(*), count(DISTINCT (t, n, e, b, c, u, s, number)) FROM found;

-- a domain over an enum
CREATE DOMAIN kinds AS kind;
CREATE TABLE by_kind (kind kinds, number int);
INSERT INTO by_kind VALUES ('small', 4), ('Small', 8);
CREATE TRIGGER number BEFORE INSERT ON by_kind FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'kind');
INSERT INTO by_kind VALUES ('small'), (NULL), ('Small') RETURNING number;

-- an enum of a schema that the table's owner may not use
CREATE SCHEMA num_types;
CREATE TYPE num_types.mood AS ENUM ('calm');
CREATE DOMAIN mood AS num_types.mood;
CREATE TABLE by_mood (mood num_types.mood, shown mood, number int);
INSERT INTO by_mood VALUES ('calm', 'calm', 7);
ALTER TABLE by_mood OWNER TO regress_hilo_owner;
CREATE TRIGGER number BEFORE INSERT ON by_mood FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'mood', 'shown');
INSERT INTO by_mood VALUES ('calm', 'calm') RETURNING number;

-- partitions have the series of the table, also those that are loaded directly
CREATE TABLE part (tenant int, number int, PRIMARY KEY (tenant, number)) PARTITION BY LIST (tenant);
CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1) PARTITION BY RANGE (number);
CREATE TABLE part_1_1 (number int NOT NULL, gone int, tenant int NOT NULL);
ALTER TABLE part_1_1 DROP gone;
ALTER TABLE part_1 ATTACH PARTITION part_1_1 FOR VALUES FROM (1) TO (1000);
CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2);
INSERT INTO part VALUES (1, 4);
CREATE TRIGGER number BEFORE INSERT ON part FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
GRANT INSERT ON part_2 TO regress_hilo_clerk;
INSERT INTO part (tenant) VALUES (2), (2) RETURNING *;
INSERT INTO part_1_1 (tenant) VALUES (1) RETURNING *;
INSERT INTO part VALUES (1, 7) RETURNING *;
INSERT INTO part_1_1 (tenant) VALUES (1) RETURNING tenant, number;
SET ROLE regress_hilo_clerk;
INSERT INTO part_2 (tenant) VALUES (2);
INSERT INTO part (tenant) VALUES (2);
RESET ROLE;
CREATE VIEW part_view AS SELECT tenant FROM part_2;
ALTER VIEW part_view OWNER TO regress_hilo_clerk;
GRANT INSERT ON part_view TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO part_view VALUES (2);
RESET ROLE;
DROP VIEW part_view;
UPDATE part SET tenant = 2 WHERE number = 7;
INSERT INTO part (tenant) VALUES (2) RETURNING *;
SELECT * FROM series WHERE name LIKE 'part%';

-- a part whose rows are elsewhere
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE far_away (tenant int, number int) PARTITION BY LIST (tenant);
CREATE TABLE here PARTITION OF far_away FOR VALUES IN (1);
CREATE FOREIGN TABLE there PARTITION OF far_away FOR VALUES IN (2) SERVER nowhere;
CREATE TRIGGER number BEFORE INSERT ON far_away FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
INSERT INTO far_away (tenant) VALUES (1);

-- so has a child with the trigger of its parent, as an extension copies it to chunks; another one has its own
CREATE TABLE whole (tenant int, number int);
CREATE TABLE chunk () INHERITS (whole);
CREATE TABLE child () INHERITS (whole);
CREATE TRIGGER number BEFORE INSERT ON whole FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
CREATE TRIGGER copy BEFORE INSERT ON chunk FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
CREATE TRIGGER number BEFORE INSERT ON child FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
INSERT INTO chunk VALUES (1, 7);
INSERT INTO whole VALUES (1) RETURNING number;
INSERT INTO chunk VALUES (1) RETURNING number;
INSERT INTO child VALUES (1) RETURNING number;
ALTER TABLE chunk DISABLE TRIGGER copy;
INSERT INTO chunk VALUES (1, 50);
SELECT rel, problem, detail FROM hilo_check() WHERE rel IN ('whole'::regclass, 'chunk'::regclass, 'child'::regclass) ORDER BY rel;
DROP TABLE whole CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name ~ '^(whole|child)#';

-- who may not see the groups cannot guess a name and try it: each table has a mark of its own
SELECT count(DISTINCT split_part(name, '(', 1)) AS tables, count(DISTINCT substring(name FROM '#\d+\.(\w{8})[(]')) AS marks
  FROM hilo_generators() WHERE name LIKE '%#%)';

-- nor is told of the values by an error: of a row that it updates, or that a trigger or a rule makes
CREATE TABLE told (number smallint, tenant int, secret text);
CREATE FUNCTION hide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.secret := 'hidden'; RETURN NEW; END $$;
CREATE TRIGGER hide BEFORE INSERT ON told FOR EACH ROW EXECUTE FUNCTION hide();
CREATE TRIGGER number BEFORE INSERT OR UPDATE ON told FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant', 'secret');
CREATE TABLE told_by (tenant int);
CREATE RULE told AS ON INSERT TO told_by DO INSTEAD INSERT INTO told (tenant) VALUES (NEW.tenant);
INSERT INTO told (tenant) VALUES (1);
GRANT UPDATE (tenant) ON told TO regress_hilo_clerk;
GRANT INSERT ON told_by TO regress_hilo_clerk;
GRANT INSERT ON told TO regress_hilo_other;
SET ROLE regress_hilo_clerk;
UPDATE told SET tenant = 2;
INSERT INTO told_by VALUES (2);
RESET ROLE;
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'told#%tenant=2,%';
CREATE FUNCTION ends() RETURNS bool IMMUTABLE RETURN true;
CREATE TABLE looks (LIKE told);
CREATE INDEX ON looks (number) WHERE ends();
CREATE OR REPLACE FUNCTION ends() RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF current_user = session_user THEN RAISE 'while it looks'; END IF; RETURN true; END $$;
CREATE TRIGGER hide BEFORE INSERT ON looks FOR EACH ROW EXECUTE FUNCTION hide();
CREATE TRIGGER number BEFORE INSERT ON looks FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'secret');
GRANT INSERT ON looks TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO told VALUES (16000, 3), (20000, 3), (32767, 3);
INSERT INTO told (tenant) VALUES (3);
DO $$ BEGIN INSERT INTO looks (tenant) VALUES (3); END $$;
RESET ROLE;
DROP TABLE told, told_by, looks;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name LIKE 'told#%';

-- where a restore has brought other series, older and newer ones, those of here go on, also if the first of them is dropped
CREATE TABLE restored (tenant int, number int);
CREATE TRIGGER number BEFORE INSERT ON restored FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
INSERT INTO restored (tenant) VALUES (1);
CREATE TEMPORARY TABLE brought AS SELECT jsonb_build_object('name', name, 'written_name', name, 'created', created) AS row
	FROM (VALUES ('restored#1.00000000(number,tenant=2)', '2020-01-01'), ('restored#1.00000000(number,tenant=3)', '2100-01-01')) v (name, created);
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, row)).* FROM brought, hilo_internal.hilo_hi h WHERE name LIKE 'restored#%tenant=1)';
INSERT INTO hilo_internal.hilo_gapless SELECT (jsonb_populate_record(g, row)).* FROM brought, hilo_internal.hilo_gapless g WHERE name LIKE 'restored#%tenant=1)';
-- first without the table
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, row || '{"rel": "num.missing"}')).* FROM brought, hilo_internal.hilo_generator g WHERE name LIKE 'restored#%tenant=1)' AND row->>'name' LIKE '%3)';
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, row)).* FROM brought, hilo_internal.hilo_generator g WHERE name LIKE 'restored#%tenant=1)';
INSERT INTO restored (tenant) VALUES (2), (2), (2) RETURNING number;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'restored#%tenant=1)';
INSERT INTO restored (tenant) VALUES (2) RETURNING number;
SELECT hilo_drop('restored#1.00000000(number,tenant=3)');
-- a series that began during the dump, which has its number alone, goes on above that
CREATE TABLE half (tenant int, number int);
CREATE TRIGGER number BEFORE INSERT ON half FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
INSERT INTO half (tenant) VALUES (1);
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, jsonb_build_object('name', replace(name, '=1)', '=2)'), 'reserved', 50))).*
	FROM hilo_internal.hilo_hi h WHERE name LIKE 'half#%';
INSERT INTO half (tenant) VALUES (2) RETURNING number;
-- a table that was dropped, and is restored where its series still are, goes on with them
CREATE TABLE gone (tenant int, number int);
CREATE TRIGGER number BEFORE INSERT ON gone FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
INSERT INTO gone VALUES (1), (1), (2);
CREATE TEMPORARY TABLE dumped AS SELECT to_jsonb(g) AS row FROM hilo_internal.hilo_generator g WHERE name LIKE 'gone#%';
DROP TABLE gone;
CREATE TABLE gone (tenant int, number int);
CREATE TRIGGER number BEFORE INSERT ON gone FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(NULL::hilo_internal.hilo_generator, row)).* FROM dumped;
INSERT INTO gone VALUES (1), (2), (3) RETURNING *;
SELECT * FROM series WHERE name LIKE 'gone#%';
-- hilo_check keeps no lock of a table that has no series yet
CREATE TABLE unlocked (tenant int, number int);
CREATE TRIGGER number BEFORE INSERT ON unlocked FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
BEGIN;
SELECT generator FROM hilo_check('unlocked');
SELECT count(*) FROM pg_locks WHERE relation = 'unlocked'::regclass;
COMMIT;
DROP TABLE unlocked;

-- a table that was renamed goes on, and another one of that name begins
ALTER TABLE invoices RENAME TO bills;
CREATE TABLE invoices (tenant int, year int, number int);
CREATE TRIGGER number BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant', 'year');
DELETE FROM bills WHERE tenant = 3;
INSERT INTO bills (tenant, year) VALUES (3, 2026), (20, 2026) RETURNING number;
INSERT INTO invoices (tenant, year) VALUES (3, 2026), (20, 2026) RETURNING number;
ALTER TABLE bills OWNER TO regress_hilo_other;
-- no role gets the series of a table, whose numbers would begin again under its new name
SELECT count(hilo_alter(name, owner => 'regress_hilo_owner')) FROM hilo_generators() WHERE name LIKE 'invoices#%tenant=3,year=2026)';
DELETE FROM bills WHERE tenant = 20;
INSERT INTO bills (tenant, year) VALUES (3, 2026), (20, 2026) RETURNING number;
SELECT * FROM series WHERE name LIKE '%(number,tenant=20,year=2026)';
SELECT count(*) FROM hilo_check() WHERE rel IS NULL AND generator LIKE '%#%';

-- names of series are nobody's to take, by whatever call
CREATE SEQUENCE orm_seq OWNED BY NONE;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_other;
ALTER SEQUENCE orm_seq OWNER TO regress_hilo_other;
CREATE TABLE "squat#1" (id bigint DEFAULT hilo_next_tag('squat#1(number,1)'));
ALTER TABLE "squat#1" OWNER TO regress_hilo_other;
SET ROLE regress_hilo_other;
SELECT hilo_create('invoices#1(number,1)');
SELECT hilo_next_tag('invoices#1(number,1)');
SELECT hilo_seed('invoices#1(number,1)', 5);
SELECT hilo_attach('"squat#1"', 'id', 'squat#1(number,1)');
INSERT INTO "squat#1" DEFAULT VALUES;
SELECT hilo_adopt_sequence_tag('invoices#1(number,1)', 'orm_seq', 'hibernate-pooled', 1);
SELECT hilo_create('mine');
SELECT hilo_rename('mine', 'invoices#1(number,1)');
SELECT hilo_drop('mine');
RESET ROLE;
REVOKE CREATE ON DATABASE :DBNAME FROM regress_hilo_other;

-- the code of others runs with the rights of the table's owner only, and finds nobody's objects
SET ROLE regress_hilo_owner;
CREATE TABLE trap (tenant int, number int);
CREATE FUNCTION who() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'run as owner: %', current_user = 'regress_hilo_owner'; RETURN true; END $$;
ALTER TABLE trap ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY p ON trap USING (num.who());
INSERT INTO trap VALUES (1, 5);
CREATE FUNCTION equal(int, int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE 'never'; END $$;
CREATE OPERATOR = (FUNCTION = equal, LEFTARG = int, RIGHTARG = int);
CREATE TRIGGER number BEFORE INSERT ON trap FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
RESET ROLE;
INSERT INTO trap (tenant) VALUES (1);
SELECT number FROM trap ORDER BY 1;

-- a trigger that is wrong says so
CREATE TABLE wrong (id int, number int, twice int GENERATED ALWAYS AS (id * 2) STORED, f float8, name text COLLATE "C", j jsonb);
CREATE FUNCTION try(timing text, arguments text) RETURNS void LANGUAGE plpgsql SET client_min_messages = error AS $$
BEGIN
	EXECUTE format('CREATE OR REPLACE TRIGGER number %s EXECUTE FUNCTION hilo_number_assign(%s)', timing, arguments);
	INSERT INTO wrong (id) VALUES (1);
END $$;
\set SHOW_CONTEXT never
\set ROW 'BEFORE INSERT ON wrong FOR EACH ROW'
SELECT try(:'ROW', '');
SELECT try(:'ROW', 'number');
SELECT try(:'ROW', '''number'', ''gapless''' || repeat(', id', 99));
SELECT try(:'ROW', 'nothing, gapless, id');
SELECT try(:'ROW', 'number, scattered, id');
SELECT try(:'ROW', 'number, gapless, nothing');
SELECT try(:'ROW', 'twice, gapless, id');
SELECT try(:'ROW', 'number, gapless, twice');
SELECT try(:'ROW', 'name, gapless, id');
SELECT try(:'ROW', 'number, gapless, f');
SELECT try(:'ROW', 'number, gapless, j');
SELECT try('AFTER INSERT ON wrong FOR EACH ROW', 'number, gapless, id');
SELECT try('BEFORE UPDATE OR INSERT ON wrong FOR EACH STATEMENT', 'number, gapless, id');
SELECT hilo_number_assign();
SELECT try(:'ROW', 'number, gapless, id');
CREATE TEMP TABLE passing (id int, number int);
CREATE TRIGGER number BEFORE INSERT ON passing FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'id');
INSERT INTO passing VALUES (1);

-- what a transaction hides comes back with its rollback: then a group goes on above its rows
CREATE TABLE hidden (id int, number int);
INSERT INTO hidden VALUES (1, 5);
CREATE TRIGGER number BEFORE INSERT ON hidden FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'session', 'id');
BEGIN;
TRUNCATE hidden;
INSERT INTO hidden VALUES (1);
ROLLBACK;
BEGIN;
DELETE FROM hidden;
INSERT INTO hidden VALUES (1) RETURNING number;
ROLLBACK;

CREATE TABLE hidden_names (a int, b int, number int);
INSERT INTO hidden_names VALUES (1, 2, 5);
CREATE TRIGGER number BEFORE INSERT ON hidden_names FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'a');
CREATE PROCEDURE undo(statements text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statements;
	RAISE 'undone';
EXCEPTION WHEN raise_exception THEN
	NULL;
END $$;
CALL undo('ALTER TABLE hidden_names DROP number; ALTER TABLE hidden_names ADD number int; INSERT INTO hidden_names VALUES (1)');
CALL undo('ALTER TABLE hidden_names RENAME a TO c; ALTER TABLE hidden_names RENAME b TO a; INSERT INTO hidden_names (a) VALUES (1)');
INSERT INTO hidden_names VALUES (1) RETURNING number;

CREATE TABLE hidden_parts (id int, part int, number int) PARTITION BY LIST (part);
CREATE TABLE hidden_part PARTITION OF hidden_parts FOR VALUES IN (1);
CREATE TABLE hidden_other PARTITION OF hidden_parts FOR VALUES IN (2);
INSERT INTO hidden_parts VALUES (1, 1, 5);
CREATE TRIGGER number BEFORE INSERT ON hidden_parts FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'session', 'id');
CALL undo('DROP TABLE hidden_part; INSERT INTO hidden_parts VALUES (1, 2)');
INSERT INTO hidden_parts VALUES (1, 2) RETURNING number;
-- also in a table of the transaction, after a savepoint
BEGIN;
CREATE TABLE hidden_new (a int, b int, number int);
INSERT INTO hidden_new VALUES (1, 2, 5);
CREATE TRIGGER number BEFORE INSERT ON hidden_new FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'a');
CALL undo('ALTER TABLE hidden_new RENAME a TO c; ALTER TABLE hidden_new RENAME b TO a; INSERT INTO hidden_new (a) VALUES (1)');
INSERT INTO hidden_new VALUES (1) RETURNING number;
COMMIT;

-- the check tells of the group whose series is farthest behind, to who may see the rows
CREATE TABLE behind (a int, b text, number int);
CREATE TRIGGER number BEFORE INSERT ON behind FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a', 'b');
CREATE VIEW behind_check AS
	SELECT col, regexp_replace(generator, '#\d+\.\w+', '#N') AS generator, problem, detail, regexp_replace(hint, '#\d+\.\w+', '#N') AS hint FROM hilo_check('behind');
INSERT INTO behind (a, b) VALUES (1, 'x'), (1, 'x'), (2, NULL);
TABLE behind_check;
ALTER TABLE behind DISABLE TRIGGER number;
INSERT INTO behind VALUES (1, 'x', 4), (2, NULL, 9), (3, 'y', 20), (1, 'x', 2147483647);
TABLE behind_check;
GRANT SELECT (number), INSERT ON behind TO regress_hilo_other;
SET ROLE regress_hilo_other;
SELECT generator, detail FROM hilo_check('num.behind');
-- who may only insert sees no values of others in the names
INSERT INTO num.behind (a, b) VALUES (3, 'z');
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'behind#%';
SELECT count(*) FROM hilo_stats() WHERE name LIKE 'behind#%';
RESET ROLE;
GRANT SELECT ON behind TO regress_hilo_other;
SET ROLE regress_hilo_other;
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'behind#%';
RESET ROLE;
ALTER TABLE behind ENABLE ROW LEVEL SECURITY;
SET ROLE regress_hilo_other;
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'behind#%';
RESET ROLE;
-- nor does it learn or take the numbers of a group by the name, or by another table, also after a row that was refused
CREATE POLICY own ON behind WITH CHECK (a = 7);
SELECT name AS series FROM hilo_generators() WHERE name LIKE 'behind#%a=1%' \gset
CREATE TABLE bait (id text);
ALTER TABLE bait OWNER TO regress_hilo_other;
ALTER TABLE behind ENABLE TRIGGER number;
SET ROLE regress_hilo_other;
INSERT INTO num.behind (a, b) VALUES (1, 'x');
INSERT INTO num.behind (a, b) VALUES (7, 'x');
\set VERBOSITY sqlstate
SELECT hilo_next_tag(:'series');
SELECT hilo_current(:'series');
SELECT * FROM hilo_next_tag(:'series', 2);
SELECT hilo_next_id(:'series');
SELECT hilo_next_range(:'series', 10);
SELECT hilo_next_hi(:'series', 10);
SELECT hilo_return_range(:'series', 10, 5, 1);
ALTER TABLE num.bait ALTER id SET DEFAULT hilo_next_tag(:'series');
BEGIN;
INSERT INTO num.behind (a, b) VALUES (7, 'x');
INSERT INTO num.bait DEFAULT VALUES;
ROLLBACK;
ALTER TABLE num.bait ALTER id DROP DEFAULT, ADD no bigint;
ALTER TABLE num.bait ALTER no SET DEFAULT hilo_next_tag(:'series');
SELECT hilo_resync('num.bait', 'no');
SELECT hilo_attach('num.bait', 'no', 'num.bait.no');
SELECT hilo_detach('num.bait', 'no');
ALTER TABLE num.bait DROP no;
CREATE TRIGGER id BEFORE INSERT ON num.bait FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', :'series');
INSERT INTO num.bait DEFAULT VALUES;
\set VERBOSITY default
RESET ROLE;
SELECT last FROM hilo_generators() WHERE name = :'series';
-- nor by an expression that the owner has run
SELECT format('BEGIN RETURN hilo_next_tag(%L); END', :'series') AS body \gset
CREATE FUNCTION by_name() RETURNS bigint LANGUAGE plpgsql AS :'body';
BEGIN;
SELECT by_name();
SET LOCAL ROLE regress_hilo_other;
\set VERBOSITY sqlstate
SELECT num.by_name();
\set VERBOSITY default
ROLLBACK;
DROP FUNCTION by_name;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'behind#%a=7%';
DROP TABLE bait;
-- nor does a row that a policy refuses use up another group, or any
\set VERBOSITY terse
CREATE TABLE tenants (number int, tenant text);
CREATE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tenants FOR INSERT WITH CHECK (tenant = 'mine');
GRANT INSERT ON tenants TO regress_hilo_other;
INSERT INTO tenants (tenant) VALUES ('theirs');
SET ROLE regress_hilo_other;
INSERT INTO num.tenants VALUES (1900000000, 'theirs');
INSERT INTO num.tenants VALUES (1900000000, 'mine');
INSERT INTO num.tenants (tenant) VALUES ('mine');
-- nor tells the last number of another
INSERT INTO num.tenants VALUES (1, 'theirs');
RESET ROLE;
INSERT INTO tenants (tenant) VALUES ('theirs'), ('mine') RETURNING *;
-- nor does an UPDATE
CREATE OR REPLACE TRIGGER number BEFORE INSERT OR UPDATE OF number, tenant ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
CREATE POLICY moved ON tenants USING (true);
GRANT SELECT, UPDATE ON tenants TO regress_hilo_other;
SET ROLE regress_hilo_other;
UPDATE num.tenants SET tenant = 'moved' WHERE tenant = 'mine' AND number = 1;
UPDATE num.tenants SET tenant = 'moved', number = NULL WHERE tenant = 'mine' AND number = 1;
RESET ROLE;
DROP TABLE tenants;
\set VERBOSITY default
-- nor does a warning, whoever may not read the rows
CREATE TABLE tenants (number smallint, tenant text);
CREATE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'tenant');
GRANT INSERT ON tenants TO regress_hilo_other;
INSERT INTO tenants VALUES (28000, 'near'), (77, 'theirs');
SET ROLE regress_hilo_other;
INSERT INTO num.tenants VALUES (32767, 'theirs'), (NULL, 'near');
RESET ROLE;
GRANT SELECT ON tenants TO regress_hilo_other;
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
SET ROLE regress_hilo_other;
INSERT INTO num.tenants VALUES (32767, 'theirs'), (NULL, 'near');
RESET ROLE;
INSERT INTO tenants VALUES (32767, 'theirs');
-- without gaps it goes with a rollback, in a group that the session meets, too; not any more when altered
CREATE POLICY any_row ON tenants FOR INSERT WITH CHECK (true);
SET ROLE regress_hilo_other;
INSERT INTO num.tenants VALUES (5, 'fresh');
RESET ROLE;
SELECT hilo_alter(name, 'global') FROM hilo_generators() WHERE name LIKE 'tenants#%tenant=fresh)';
\set VERBOSITY terse
SET ROLE regress_hilo_other;
INSERT INTO num.tenants VALUES (6, 'fresh');
RESET ROLE;
DROP TABLE tenants;
-- by a policy of a part
CREATE TABLE tenants (number int, tenant text) PARTITION BY LIST (tenant);
CREATE TABLE tenants_rest PARTITION OF tenants DEFAULT;
CREATE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
ALTER TABLE tenants_rest ENABLE ROW LEVEL SECURITY;
GRANT INSERT ON tenants, tenants_rest TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO num.tenants_rest VALUES (5, 'theirs');
RESET ROLE;
INSERT INTO tenants (tenant) VALUES ('theirs') RETURNING *;
DROP TABLE tenants;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name LIKE 'tenants#%';
-- nor one that a view, or a part by its bounds, refuses to who may insert there alone
CREATE TABLE tenants (number int, tenant text) PARTITION BY LIST (tenant);
CREATE TABLE tenants_mine PARTITION OF tenants FOR VALUES IN ('mine');
CREATE TABLE tenants_rest PARTITION OF tenants DEFAULT;
CREATE VIEW mine AS SELECT * FROM tenants WHERE tenant = 'mine' WITH CHECK OPTION;
CREATE TRIGGER number BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'global', 'tenant');
GRANT INSERT ON mine, tenants_mine TO regress_hilo_other;
SET ROLE regress_hilo_other;
INSERT INTO num.mine VALUES (1900000000, 'theirs');
INSERT INTO num.tenants_mine VALUES (1900000000, 'theirs');
INSERT INTO num.mine (tenant) VALUES ('mine');
INSERT INTO num.tenants_mine (tenant) VALUES ('mine');
RESET ROLE;
INSERT INTO tenants (tenant) VALUES ('theirs'), ('mine') RETURNING *;
DROP TABLE tenants CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name LIKE 'tenants#%';
\set VERBOSITY default
DROP POLICY own ON behind;
DELETE FROM behind WHERE a = 7;
ALTER TABLE behind DISABLE TRIGGER number;
ALTER TABLE behind DISABLE ROW LEVEL SECURITY;
DELETE FROM behind WHERE b = 'z';
SELECT hilo_seed(generator, 9) FROM hilo_check('behind');
TABLE behind_check;
ALTER TABLE behind DROP a;
TABLE behind_check;
DROP VIEW behind_check;
DROP TABLE behind;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name LIKE 'behind#%';

-- numbers beyond the end of their series are in nobody's way, as in other columns
CREATE TABLE widened (number smallint);
CREATE TRIGGER number BEFORE INSERT ON widened FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
INSERT INTO widened VALUES (NULL);
ALTER TABLE widened ALTER number TYPE int;
INSERT INTO widened VALUES (40000);
SELECT problem FROM hilo_check('widened');
SELECT hilo_alter(name, max_value => 50000) FROM hilo_generators() WHERE name LIKE 'widened#%';
SELECT detail FROM hilo_check('widened');
-- the check tells of a group that is nearly used up, if none is behind
SELECT hilo_seed(generator, 40000) FROM hilo_check('widened');
SELECT problem, detail, hint, used_ratio FROM hilo_check('widened');
UPDATE widened SET number = 2 WHERE number = 40000;
SELECT hilo_seed(generator, 25000, true) FROM hilo_check('widened');
ALTER TABLE widened ALTER number TYPE smallint;
SELECT generator IS NOT NULL AS named, problem, detail, regexp_replace(hint, '#\d+\.\w+', '#N') AS hint, used_ratio FROM hilo_check('widened');
-- also where the numbers that are left are near the end
CREATE TABLE archived (number smallint);
CREATE TRIGGER number BEFORE INSERT ON archived FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
INSERT INTO archived VALUES (NULL);
SELECT hilo_seed(name, 32000) FROM hilo_generators() WHERE name LIKE 'archived#%';
SET client_min_messages = error;
INSERT INTO archived VALUES (NULL);
RESET client_min_messages;
DELETE FROM archived WHERE number = 1;
SELECT problem, detail FROM hilo_check('archived');
DROP TABLE archived;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name LIKE 'archived#%';
-- and its hint holds for a trigger that names the column
CREATE TABLE ending (number smallint, a int);
CREATE TRIGGER number BEFORE INSERT OR UPDATE OF number, a ON ending FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a');
INSERT INTO ending VALUES (25000, 1);
SELECT hint FROM hilo_check('ending');
DROP TRIGGER number ON ending;
ALTER TABLE ending ALTER number TYPE bigint;
CREATE TRIGGER number BEFORE INSERT OR UPDATE OF number, a ON ending FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a');
SELECT hilo_alter(generator, max_value => 9223372036854775807) FROM hilo_check('ending');
INSERT INTO ending VALUES (40000, 1), (NULL, 1) RETURNING number;
SELECT problem FROM hilo_check('ending');
DROP TABLE ending;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE name LIKE 'ending#%';
-- and the check of another table, as the list of identities, reads no row of a table's series
CREATE TABLE unnumbered (id serial);
CREATE VIEW looks AS SELECT pg_stat_get_xact_numscans('hilo_internal.hilo_gapless_pkey'::regclass) AS count;
CREATE TABLE many (a int, number int);
CREATE TRIGGER number BEFORE INSERT ON many FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'a');
BEGIN;
SELECT count AS before FROM looks \gset
SELECT count(*) FROM hilo_check('unnumbered') UNION ALL SELECT count(*) FROM hilo_identities();
SELECT count - :before AS others FROM looks \gset
INSERT INTO many SELECT generate_series(1, 50);
SELECT count AS before FROM looks \gset
SELECT count(*) FROM hilo_check('unnumbered') UNION ALL SELECT count(*) FROM hilo_identities();
SELECT count - :before - :others AS more FROM looks;
COMMIT;
-- and one whose column is no number any more gives none
ALTER TABLE widened ALTER number TYPE text;
INSERT INTO widened VALUES (NULL);
SELECT problem, detail FROM hilo_check('widened');

-- a trigger of another ordering says that the series keeps its own
CREATE TABLE ordered (id int, number int);
CREATE TRIGGER number BEFORE INSERT ON ordered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'session');
INSERT INTO ordered VALUES (1);
CREATE OR REPLACE TRIGGER number BEFORE INSERT ON ordered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
SELECT hilo_create('ordered');
\set VERBOSITY terse
INSERT INTO ordered VALUES (1) RETURNING number;
SELECT hilo_drop('ordered');
-- and the name of the series to its owner only
GRANT INSERT ON ordered TO regress_hilo_other;
SET ROLE regress_hilo_other;
\set VERBOSITY default
INSERT INTO num.ordered VALUES (1);
RESET ROLE;

-- a table may be called what no generator is
CREATE TABLE U&"tab\0009le" (id int, number int);
CREATE TRIGGER number BEFORE INSERT ON U&"tab\0009le" FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
INSERT INTO U&"tab\0009le" VALUES (1), (2) RETURNING number;

-- children of several tables, and of one without the trigger, number with the one that has it
CREATE TABLE noted (note text);
CREATE TABLE numbered (customer int, number int);
CREATE TABLE between () INHERITS (numbered);
CREATE TABLE below () INHERITS (noted, between);
CREATE TRIGGER number BEFORE INSERT ON numbered FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
CREATE TRIGGER number BEFORE INSERT ON below FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
INSERT INTO numbered VALUES (7) RETURNING number;
INSERT INTO below (customer) VALUES (7) RETURNING number;
-- whichever way is shorter
CREATE TABLE twice () INHERITS (numbered, between);
CREATE TRIGGER number BEFORE INSERT ON twice FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
CREATE TRIGGER number BEFORE INSERT ON between FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
INSERT INTO twice VALUES (7) RETURNING number;
INSERT INTO between VALUES (7) RETURNING number;

-- a table that is dropped leaves its series, and one line that says how to drop them
\set VERBOSITY terse
SET client_min_messages = warning;
DROP SCHEMA num, num_types CASCADE;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
SELECT regexp_replace(generator, '#\d+\.\w+', '#N') AS generator, regexp_replace(hint, '#\d+\.\w+', '#N') AS hint FROM hilo_check() WHERE generator LIKE '%#%' ORDER BY 1;
SELECT count(hilo_drop(name)) > 20 AS dropped FROM hilo_generators() WHERE name LIKE '%#%)';
DROP ROLE regress_hilo_owner, regress_hilo_clerk, regress_hilo_other;
