/*
 * The greatest value of a column: of any type, wherever the rows are, and with
 * those that a rollback brings back
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA cm;
SET search_path = cm, public;
CREATE ROLE regress_hilo_clerk;
GRANT CREATE, USAGE ON SCHEMA cm TO regress_hilo_clerk;

-- whole numbers of any type, at a first use, a resync and an attach
CREATE DOMAIN whole AS numeric(20);
CREATE TYPE found AS (first text, resynced bigint, attached text, max_value bigint);
CREATE FUNCTION of_type(type text, ids text) RETURNS found LANGUAGE plpgsql AS $$
DECLARE
	result found;
	generator text := concat(type, ids);
BEGIN
	EXECUTE format('CREATE TABLE typed (id %s DEFAULT hilo_next_tag(%L), note text)', type, generator);
	EXECUTE format('INSERT INTO typed SELECT unnest(%L::text[])::%s', ids, type);
	INSERT INTO typed (note) VALUES ('first') RETURNING id::text INTO result.first;
	EXECUTE format('INSERT INTO typed VALUES (''300''::%s)', type);
	result.resynced := hilo_resync('typed', 'id');
	result.max_value := max_value FROM hilo_generators() WHERE name = generator;
	BEGIN
		PERFORM hilo_attach('typed', 'id', generator || ' too');
		INSERT INTO typed (note) VALUES ('attached') RETURNING id::text INTO result.attached;
	EXCEPTION WHEN datatype_mismatch THEN
		result.attached := SQLERRM;
	END;
	DROP TABLE typed;
	RETURN result;
END $$;
SELECT type, f.*
  FROM unnest('{smallint,int,bigint,numeric,numeric(38),whole,id53,id63,text,varchar(40),char(12),name,docid}'::text[]) type, of_type(type, '{200,7}') f;
-- what is no whole number, or none that an id could be
SELECT ids, f.* FROM unnest('{"{41.5,NaN,-7,1e30}","{NaN,-1e30}"}'::text[]) ids, of_type('numeric', ids) f;
SELECT f.* FROM of_type('text', '{x,41.5,-7,99999999999999999999,others/95-A}') f;
-- other types are refused
CREATE TABLE floats (id float8 DEFAULT hilo_next_tag('floats'), oid oid DEFAULT hilo_next_tag('an oid'));
INSERT INTO floats (oid) VALUES (1);
INSERT INTO floats (id) VALUES (1);
SELECT hilo_create('floats'), hilo_seed('floats', 100);
INSERT INTO floats (oid) VALUES (1) RETURNING id;

-- a column that is added to rows, with an index in the making
CREATE TABLE notes (body text);
INSERT INTO notes SELECT 'x' FROM generate_series(1, 10);
ALTER TABLE notes ADD COLUMN id bigint PRIMARY KEY DEFAULT hilo_next_tag('notes');
SELECT min(id), max(id), count(DISTINCT id) FROM notes;
CREATE TABLE parted (k int) PARTITION BY LIST (k);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES IN (0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted SELECT 1 + g % 2 FROM generate_series(1, 10) g;
ALTER TABLE parted ADD COLUMN id bigint DEFAULT hilo_next_tag('parted'), ADD PRIMARY KEY (k, id);
SELECT min(id), max(id), count(DISTINCT id) FROM parted;
-- but none whose rows have ids
CREATE TABLE numbered (body text, id int PRIMARY KEY DEFAULT hilo_next_tag('numbered'));
INSERT INTO numbered SELECT 'x', g FROM generate_series(1, 10) g;
ALTER TABLE numbered ALTER id TYPE numeric USING hilo_next_tag('numbered');
ALTER TABLE numbered ADD more bigint UNIQUE DEFAULT hilo_next_tag('numbered');
INSERT INTO numbered (body) VALUES ('y') RETURNING id;
-- be they in no row, as a constant default that was added later
CREATE TABLE missing AS SELECT 1 AS k;
ALTER TABLE missing ADD id bigint DEFAULT 3;
ALTER TABLE missing ALTER id SET DEFAULT hilo_next_tag('missing');
ALTER TABLE missing ADD more bigint DEFAULT hilo_next_tag('missing');
INSERT INTO missing (k) VALUES (2) RETURNING id;
-- a relation that only has the name of what ALTER TABLE makes changes nothing
CREATE TABLE planted (id bigint DEFAULT hilo_next_tag('planted'));
INSERT INTO planted VALUES (50);
DO $$ BEGIN EXECUTE format('CREATE VIEW cm.pg_temp_%s AS SELECT 1', 'cm.planted'::regclass::oid); END $$;
INSERT INTO planted DEFAULT VALUES RETURNING id;

-- a table that is made anew: ids of its rows that are reserved already are not handed out
CREATE FUNCTION made_anew(name text, type text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I (id bigint DEFAULT hilo_next_tag(%L), k int)', name, name);
	EXECUTE format('INSERT INTO %I (k) VALUES (1)', name);
	EXECUTE format('DROP TABLE %I', name);
	EXECUTE format('CREATE TABLE %I (id %s PRIMARY KEY, k int)', name, type);
	EXECUTE format('INSERT INTO %I SELECT g FROM generate_series(1, 20) g', name);
END $$;
SELECT made_anew('anew_first', $$bigint DEFAULT hilo_next_tag('anew_first')$$);
INSERT INTO anew_first (k) VALUES (1) RETURNING id > 20 AS above;
SELECT made_anew('anew_resync', $$bigint DEFAULT hilo_next_tag('anew_resync')$$);
SELECT hilo_resync('anew_resync', 'id') >= 20 AS above;
INSERT INTO anew_resync (k) VALUES (1) RETURNING id > 20 AS above;
SELECT made_anew('anew_serial', 'serial');
SELECT hilo_attach('anew_serial', 'id');
INSERT INTO anew_serial (k) VALUES (1) RETURNING id > 20 AS above;

-- rows that a rollback brings back
CREATE TABLE come_back (id bigint PRIMARY KEY DEFAULT hilo_next_tag('come_back'), note text);
INSERT INTO come_back SELECT g FROM generate_series(1, 10) g;
BEGIN; TRUNCATE come_back; INSERT INTO come_back (note) VALUES ('a'); ROLLBACK;
BEGIN; ALTER TABLE come_back ALTER id TYPE numeric USING id - 5; INSERT INTO come_back (note) VALUES ('a'); ROLLBACK;
BEGIN;
INSERT INTO come_back SELECT g FROM generate_series(11, 20) g;
SAVEPOINT s;
UPDATE come_back SET id = id - 10 WHERE id > 10 AND false;
DELETE FROM come_back WHERE id > 10;
INSERT INTO come_back (note) VALUES ('a');
ROLLBACK;
-- the hint is right: what resync makes goes with a rollback
BEGIN;
TRUNCATE come_back;
SELECT hilo_resync('come_back', 'id');
INSERT INTO come_back (note) VALUES ('a') RETURNING id;
ROLLBACK;
SELECT count(*) FROM hilo_generators() WHERE name = 'come_back';
-- deleted and changed rows count, those of the transaction, too
BEGIN;
DELETE FROM come_back WHERE id > 8;
UPDATE come_back SET id = -id;
INSERT INTO come_back VALUES (9);
SAVEPOINT s;
INSERT INTO come_back (note) VALUES ('a') RETURNING id;
ROLLBACK;
INSERT INTO come_back (note) VALUES ('b') RETURNING id;
SELECT count(*), count(DISTINCT id) FROM come_back;
-- nor are changes forgotten with what a session knows of the table, or where they are not counted
CREATE TABLE forgotten (id bigint DEFAULT hilo_next_tag('forgotten'), note text);
BEGIN;
INSERT INTO forgotten VALUES (500);
SAVEPOINT s;
DELETE FROM forgotten;
ANALYZE forgotten;
INSERT INTO forgotten (note) VALUES ('a');
ROLLBACK;
SET track_counts = off;
BEGIN;
INSERT INTO forgotten VALUES (500);
SAVEPOINT s;
DELETE FROM forgotten;
INSERT INTO forgotten (note) VALUES ('a');
ROLLBACK;
INSERT INTO forgotten (note) VALUES ('a') RETURNING id;
RESET track_counts;
-- as the test runners of frameworks do
CREATE TABLE fixture (id bigint PRIMARY KEY DEFAULT hilo_next_tag('fixture'), note text);
INSERT INTO fixture SELECT g FROM generate_series(1, 3) g;
BEGIN;
SAVEPOINT test_1;
DELETE FROM fixture;
INSERT INTO fixture (note) VALUES ('a') RETURNING id;
ROLLBACK TO test_1;
SAVEPOINT test_2;
INSERT INTO fixture (note) VALUES ('b') RETURNING id;
ROLLBACK;
-- nothing comes back to a table that this transaction has made
BEGIN;
CREATE TABLE made (id bigint DEFAULT hilo_next_tag('made'), note text);
INSERT INTO made SELECT g FROM generate_series(1, 10) g;
ALTER TABLE made ALTER id TYPE int;
TRUNCATE made;
INSERT INTO made (note) VALUES ('a') RETURNING id;
COMMIT;
-- but for a savepoint
BEGIN;
CREATE TABLE made_before (id bigint DEFAULT hilo_next_tag('made_before'), note text);
INSERT INTO made_before SELECT g FROM generate_series(1, 10) g;
ALTER TABLE made_before ALTER note TYPE int USING 0;
SAVEPOINT s;
TRUNCATE made_before;
INSERT INTO made_before (note) VALUES (1);
ROLLBACK TO s;
ALTER TABLE made_before ALTER id DROP DEFAULT;
SELECT hilo_next_tag('made_before');
ROLLBACK;

-- columns that a rollback brings back
CREATE TABLE comes_back (id bigint DEFAULT hilo_next_tag('comes_back'), k int) PARTITION BY LIST (k);
CREATE TABLE comes_back_1 PARTITION OF comes_back FOR VALUES IN (1);
CREATE TABLE comes_back_2 PARTITION OF comes_back FOR VALUES IN (2);
CREATE TABLE comes_back_3 (id bigint, k int);
ALTER TABLE comes_back ATTACH PARTITION comes_back_3 FOR VALUES IN (3);
INSERT INTO comes_back SELECT g, 1 + g % 3 FROM generate_series(1, 30) g;
BEGIN; DROP TABLE comes_back_1; INSERT INTO comes_back (k) VALUES (2); ROLLBACK;
BEGIN; ALTER TABLE comes_back DETACH PARTITION comes_back_3; INSERT INTO comes_back (k) VALUES (2); ROLLBACK;
BEGIN; ALTER TABLE comes_back ALTER id DROP DEFAULT; SELECT hilo_next_tag('comes_back'); ROLLBACK;
CREATE DOMAIN domain_id AS bigint DEFAULT hilo_next_tag('of_domain');
CREATE TABLE of_domain (id domain_id, k int);
INSERT INTO of_domain SELECT g::bigint FROM generate_series(1, 10) g;
BEGIN; ALTER DOMAIN domain_id DROP DEFAULT; SELECT hilo_next_tag('of_domain'); ROLLBACK;
BEGIN; DROP DOMAIN domain_id CASCADE; SELECT hilo_next_tag('of_domain'); ROLLBACK;
INSERT INTO of_domain (k) VALUES (1) RETURNING id;
BEGIN; SAVEPOINT s; DROP TABLE comes_back; ROLLBACK TO s; INSERT INTO comes_back (k) VALUES (2) RETURNING id; COMMIT;
CREATE TABLE anew (id bigint DEFAULT hilo_next_tag('anew'), k int);
INSERT INTO anew SELECT g FROM generate_series(1, 10) g;
BEGIN; ALTER TABLE anew DROP id; ALTER TABLE anew ADD id bigint DEFAULT hilo_next_tag('anew'); ROLLBACK;
CREATE TABLE renewed (id bigint, k int);
INSERT INTO renewed SELECT g FROM generate_series(1, 100) g;
BEGIN; ALTER TABLE renewed DROP id; ALTER TABLE renewed ADD id bigint; ALTER TABLE renewed ALTER id SET DEFAULT hilo_next_tag('renewed'); INSERT INTO renewed (k) VALUES (1); ROLLBACK;
ALTER TABLE renewed ALTER id SET DEFAULT hilo_next_tag('renewed');
INSERT INTO renewed (k) VALUES (1) RETURNING id;
DROP TABLE renewed;
-- a type that takes no number has had no ids; one that is gone may have
CREATE TABLE reborn (id uuid, k int);
INSERT INTO reborn SELECT gen_random_uuid(), g FROM generate_series(1, 3) g;
ALTER TABLE reborn DROP id, ADD id bigint DEFAULT hilo_next_tag('reborn');
SELECT max(id) FROM reborn;
DROP TABLE reborn;
CREATE DOMAIN dropped_id AS bigint;
CREATE TABLE domain_gone (id dropped_id, k int);
INSERT INTO domain_gone SELECT g::bigint, g FROM generate_series(1, 3) g;
BEGIN; DROP DOMAIN dropped_id CASCADE; ALTER TABLE domain_gone ADD id bigint DEFAULT hilo_next_tag('domain_gone'); ROLLBACK;
DROP TABLE domain_gone;
CREATE TABLE other_anew (id bigint DEFAULT hilo_next_tag('anew'));
BEGIN; DROP TABLE anew; INSERT INTO other_anew DEFAULT VALUES; ROLLBACK;
BEGIN; ALTER TABLE anew OWNER TO regress_hilo_clerk; INSERT INTO other_anew DEFAULT VALUES; ROLLBACK;
DROP TABLE other_anew;
CREATE ROLE regress_hilo_aide IN ROLE regress_hilo_clerk;
CREATE TABLE lent (id bigint DEFAULT hilo_next_tag('cm.lent'));
ALTER TABLE lent OWNER TO regress_hilo_clerk;
CREATE TABLE lends (id bigint DEFAULT hilo_next_tag('cm.lent'), k int);
ALTER TABLE lends OWNER TO regress_hilo_aide;
INSERT INTO lends SELECT g FROM generate_series(1, 10) g;
BEGIN; REVOKE regress_hilo_clerk FROM regress_hilo_aide; INSERT INTO lent DEFAULT VALUES; ROLLBACK;
REVOKE regress_hilo_clerk FROM regress_hilo_aide;
ALTER ROLE regress_hilo_aide SUPERUSER;
BEGIN; ALTER ROLE regress_hilo_aide NOSUPERUSER; INSERT INTO lent DEFAULT VALUES; ROLLBACK;
INSERT INTO lent DEFAULT VALUES RETURNING id;
DROP TABLE lent, lends;
CREATE TABLE held (id bigint DEFAULT hilo_next_tag('cm.held'));
CREATE TABLE holds (id bigint DEFAULT hilo_next_tag('cm.held'));
GRANT USAGE ON SCHEMA cm TO pg_database_owner;
ALTER TABLE held OWNER TO pg_database_owner;
INSERT INTO holds SELECT g FROM generate_series(1, 10) g;
BEGIN; ALTER DATABASE :"DBNAME" OWNER TO regress_hilo_clerk; INSERT INTO held DEFAULT VALUES; ROLLBACK;
INSERT INTO held DEFAULT VALUES RETURNING id;
DROP TABLE held, holds;
CREATE TABLE cm.memos (id text);
CREATE TRIGGER id BEFORE INSERT ON cm.memos FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'cm.memos');
GRANT TRIGGER ON cm.memos TO regress_hilo_aide;
INSERT INTO cm.memos SELECT 'cm.memos/' || g || '-A' FROM generate_series(1, 10) g;
BEGIN; ALTER SCHEMA cm RENAME TO cm_2; SELECT hilo_next_tag('cm.memos'); ROLLBACK;
BEGIN; GRANT USAGE ON SCHEMA cm TO regress_hilo_aide; INSERT INTO cm.memos DEFAULT VALUES RETURNING id; ROLLBACK;
DROP TABLE cm.memos;
DROP ROLE regress_hilo_aide;
CREATE TABLE docs (id text);
CREATE TRIGGER id BEFORE INSERT ON docs FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'docs');
CREATE TABLE other_docs (id text);
CREATE TRIGGER id BEFORE INSERT ON other_docs FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO docs SELECT 'docs/' || g || '-A' FROM generate_series(1, 10) g;
BEGIN; DROP TRIGGER id ON docs; SELECT hilo_next_tag('docs'); ROLLBACK;
BEGIN; CREATE OR REPLACE TRIGGER id BEFORE INSERT ON docs FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'others'); SELECT hilo_next_tag('docs'); ROLLBACK;
BEGIN; DROP TABLE docs; SELECT hilo_next_tag('docs'); ROLLBACK;
INSERT INTO other_docs SELECT 'other_docs/' || g || '-A' FROM generate_series(1, 10) g;
BEGIN; DROP TABLE other_docs; SELECT hilo_next_tag('other_docs'); ROLLBACK;
BEGIN; ALTER TABLE other_docs RENAME TO docs_2; SELECT hilo_next_tag('other_docs'); ROLLBACK;
CREATE TABLE letters (id text);
CREATE TRIGGER id BEFORE INSERT ON letters FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', NULL, 'identity');
INSERT INTO letters SELECT 'letters/' || g FROM generate_series(1, 10) g;
BEGIN; ALTER TABLE letters RENAME TO letters_2; SELECT identity_next('letters'); ROLLBACK;
DROP TABLE letters;
BEGIN; ALTER TABLE docs RENAME id TO key; SELECT hilo_next_tag('docs'); ROLLBACK;
BEGIN; ALTER TABLE docs ALTER id TYPE int USING 0; SELECT hilo_next_tag('docs'); ROLLBACK;
BEGIN; DROP TRIGGER id ON docs; ALTER TABLE docs DROP id; ALTER TABLE docs ADD no bigint DEFAULT hilo_next_tag('docs'); ROLLBACK;
BEGIN; ALTER TABLE docs RENAME id TO key; ALTER TABLE docs ADD id text; SELECT hilo_next_tag('docs'); ROLLBACK;
ALTER TABLE docs RENAME TO filed;
BEGIN; GRANT TRIGGER ON filed TO regress_hilo_clerk; SELECT hilo_next_tag('docs'); ROLLBACK;
ALTER TABLE filed RENAME TO docs;
CREATE TABLE papers (id text, k int) PARTITION BY LIST (k);
CREATE TABLE papers_1 PARTITION OF papers FOR VALUES IN (1);
CREATE TRIGGER id BEFORE INSERT ON papers_1 FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO papers SELECT 'papers/' || g || '-A', 1 FROM generate_series(1, 10) g;
BEGIN; ALTER TABLE papers DETACH PARTITION papers_1; SELECT hilo_next_tag('papers'); ROLLBACK;
BEGIN; DROP TABLE papers_1; SELECT hilo_next_tag('papers'); ROLLBACK;
BEGIN; DROP TABLE papers; SELECT hilo_next_tag('papers'); ROLLBACK;
BEGIN; ALTER TABLE papers RENAME TO papers_2; SELECT hilo_next_tag('papers'); ROLLBACK;
BEGIN; ALTER TABLE papers ADD more int; INSERT INTO papers (k) VALUES (1) RETURNING id; COMMIT;
BEGIN; ALTER TABLE other_docs ADD more int; INSERT INTO other_docs DEFAULT VALUES RETURNING id; COMMIT;
BEGIN; ALTER TRIGGER id ON docs RENAME TO key; INSERT INTO docs DEFAULT VALUES RETURNING id; COMMIT;
-- not where the default stays, nor where the generator goes with its table
CREATE TABLE made_anew (id bigint DEFAULT hilo_next_tag('made anew'));
BEGIN;
ALTER TABLE anew ALTER id DROP DEFAULT;
ALTER TABLE anew ALTER id SET DEFAULT hilo_next_tag('anew'::varchar);
DROP TABLE made_anew;
CREATE TABLE made_anew (id bigint DEFAULT hilo_next_tag('made anew'));
INSERT INTO made_anew DEFAULT VALUES RETURNING id;
INSERT INTO anew (k) VALUES (1) RETURNING id;
COMMIT;

-- what a resync or an attach makes lies above all that draws from it, as a first use does
CREATE TABLE one (id bigint DEFAULT hilo_next_tag('of two'), no int DEFAULT hilo_next_tag('of two'), k int);
CREATE TABLE other (id bigint DEFAULT hilo_next_tag('of two'), k int);
INSERT INTO one VALUES (3, 40);
INSERT INTO other VALUES (70);
BEGIN;
TRUNCATE one, other;
SELECT hilo_resync('one', 'id');
ROLLBACK;
SELECT hilo_resync('one', 'id');
SELECT max_value FROM hilo_generators() WHERE name = 'of two';
INSERT INTO other (k) VALUES (1) RETURNING id;
-- also one of a part; the generator is the whole's, whose owner may have no other name
SET ROLE regress_hilo_clerk;
CREATE TABLE cm.tree (id bigint DEFAULT hilo_next_tag('cm.tree'), k int) PARTITION BY LIST (k);
CREATE TABLE cm.branch PARTITION OF cm.tree FOR VALUES IN (1);
CREATE TABLE cm.other_branch PARTITION OF cm.tree DEFAULT;
INSERT INTO cm.tree VALUES (20, 1), (30, 2);
BEGIN;
TRUNCATE cm.branch;
SAVEPOINT s;
INSERT INTO cm.tree (k) VALUES (1);
ROLLBACK TO s;
SELECT hilo_resync('cm.branch', 'id');
SELECT columns, owner FROM hilo_generators() WHERE name = 'cm.tree';
ROLLBACK;
-- nor does the hint name a part, which need not draw from it
ALTER TABLE cm.branch ALTER id DROP DEFAULT;
BEGIN; TRUNCATE cm.branch; INSERT INTO cm.tree (k) VALUES (1); ROLLBACK;
RESET ROLE;
CREATE TABLE attached (id bigint DEFAULT hilo_next_tag('of three'), k int);
CREATE VIEW attached_view AS SELECT * FROM attached;
ALTER VIEW attached_view ALTER id SET DEFAULT hilo_next_tag('of three');
INSERT INTO attached VALUES (700);
SELECT hilo_attach('other', 'id', 'of three');
INSERT INTO attached (k) VALUES (1) RETURNING id > 700 AS above;

-- rows that other software keeps elsewhere: see test/t/column; here on another server
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE far (id text DEFAULT hilo_next_tag('far'), k int) PARTITION BY LIST (k);
CREATE TABLE far_1 PARTITION OF far FOR VALUES IN (1);
CREATE FOREIGN TABLE far_2 PARTITION OF far FOR VALUES IN (2) SERVER nowhere;
INSERT INTO far (k) VALUES (1);
SELECT hilo_resync('far', 'id');
CREATE FOREIGN TABLE farther (id bigint DEFAULT hilo_next_tag('farther')) SERVER nowhere;
SELECT hilo_next_tag('farther');
-- or behind a view, unless it is one of the table
CREATE TABLE viewed (id bigint, k int);
CREATE VIEW view AS SELECT * FROM viewed;
ALTER VIEW view ALTER id SET DEFAULT hilo_next_tag('viewed');
INSERT INTO viewed VALUES (5);
INSERT INTO view (k) VALUES (1);
ALTER TABLE viewed ALTER id SET DEFAULT hilo_next_tag('viewed');
INSERT INTO view (k) VALUES (1) RETURNING id;
-- whoever inserts
ALTER VIEW view ALTER id SET DEFAULT hilo_next_tag('viewed too');
ALTER VIEW view OWNER TO regress_hilo_clerk;
GRANT INSERT ON viewed TO regress_hilo_clerk;
INSERT INTO view (k) VALUES (1);
ALTER FOREIGN TABLE farther OWNER TO regress_hilo_clerk;
BEGIN; ALTER FOREIGN TABLE farther ADD k int; SELECT hilo_next_tag('farther'); ROLLBACK;
-- rows that row security hides from the owner, too
SET ROLE regress_hilo_clerk;
CREATE TABLE hidden (id bigint DEFAULT hilo_next_tag('cm.hidden'), note text);
INSERT INTO hidden VALUES (70);
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY nobody ON hidden FOR INSERT WITH CHECK (true);
INSERT INTO hidden (note) VALUES ('x');
SELECT last FROM hilo_generators() WHERE name = 'cm.hidden';
RESET ROLE;

-- sentinels: told of, and left out
CREATE TABLE sentinel (id serial PRIMARY KEY, note text);
INSERT INTO sentinel (note) VALUES ('a');
INSERT INTO sentinel VALUES (2147483647, 'unknown');
INSERT INTO sentinel (note) VALUES ('b');
SELECT hilo_attach('sentinel', 'id');
INSERT INTO sentinel (note) VALUES ('c') RETURNING id;
SELECT hilo_resync('sentinel', 'id') < 1000 AS low;
SELECT problem FROM hilo_check('sentinel');
SELECT hilo_attach('sentinel', 'id') IS NULL AS attached;
SELECT hilo_detach('sentinel', 'id');
INSERT INTO sentinel (note) VALUES ('d') RETURNING id < 1000 AS low;
-- ids near the end that the column's own source gave are none, whatever rows are left
CREATE TABLE purged (id smallserial, note text);
SELECT setval('purged_id_seq', 32000);
INSERT INTO purged (note) VALUES ('a');
SELECT hilo_attach('purged', 'id', follow => true);
INSERT INTO purged (note) VALUES ('b') RETURNING id;
SELECT hilo_attach('purged', 'id', follow => true) IS NULL AS attached, hilo_resync('purged', 'id') > 32001 AS above;
-- but who may not see the generator's last id learns nothing of it
CREATE TABLE curious (id smallint);
INSERT INTO curious VALUES (32000);
ALTER TABLE curious OWNER TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
SELECT hilo_attach('curious', 'id', 'purged');
ALTER TABLE curious ALTER id SET DEFAULT hilo_next_tag('purged');
SELECT hilo_resync('curious', 'id');
RESET ROLE;
DROP TABLE curious;
-- and the hint for a type that ends goes round the trigger, if it is the column's
ALTER TABLE purged ADD no smallserial;
SELECT setval('purged_no_seq', 32000);
SELECT col, problem, hint FROM hilo_check('purged');
ALTER TABLE purged DROP no;
SELECT hilo_attach('purged', 'id');
ALTER TABLE purged ALTER id TYPE bigint;
SELECT hilo_attach('purged', 'id', follow => true), hilo_alter('purged', max_value => 9223372036854775807);
INSERT INTO purged VALUES (40000, 'c');
INSERT INTO purged (note) VALUES ('d') RETURNING id;
SELECT problem, hint FROM hilo_check('purged');
SELECT hilo_detach('purged', 'id');
INSERT INTO purged (note) VALUES ('e') RETURNING id > 40001 AS above;
CREATE TABLE sentinels (id smallint DEFAULT hilo_next_tag('sentinels'), no text DEFAULT hilo_next_tag('sentinel texts'), big bigint DEFAULT hilo_next_tag('sentinel bigints'));
INSERT INTO sentinels VALUES (5, '7', 9), (32000, '9223372036854775807', 9223372036854775806);
INSERT INTO sentinels DEFAULT VALUES RETURNING *;
-- not where other ids are near, or the type ends so soon that no tenth of it is left
CREATE TABLE digit (id numeric(1) DEFAULT hilo_next_tag('digit'), k int);
INSERT INTO digit VALUES (1), (2), (3);
INSERT INTO digit (k) VALUES (1) RETURNING id;
-- a type that holds no id: a restore, which checks the definition as this does, goes on
CREATE TABLE fraction (id numeric(2, 2) DEFAULT hilo_next_tag('fraction'), k int);
INSERT INTO fraction (k) VALUES (1);
SELECT hilo_alter('fraction');
-- nor does one that rounds ids, which would repeat
CREATE TABLE hundreds (id numeric(3, -2) DEFAULT hilo_next_tag('hundreds'), k int);
INSERT INTO hundreds (k) VALUES (1), (2);
SELECT hilo_attach('hundreds', 'id');
CREATE TRIGGER number BEFORE INSERT ON hundreds FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('id', 'global', 'k');
INSERT INTO hundreds VALUES (NULL, 1), (NULL, 1);
CREATE TABLE dense (id smallint DEFAULT hilo_next_tag('dense'));
INSERT INTO dense SELECT g FROM generate_series(15000, 31000, 1000) g;
INSERT INTO dense DEFAULT VALUES RETURNING id;
CREATE DOMAIN of_id53 AS id53;
CREATE TABLE ends_there (id of_id53 DEFAULT hilo_next_tag('ends_there'), k int);
INSERT INTO ends_there (k) VALUES (1);
SELECT max_value FROM hilo_generators() WHERE name = 'ends_there';
-- a domain stays its owner's when the table changes hands: whoever else may use the name
SET ROLE regress_hilo_clerk;
CREATE DOMAIN kept AS bigint DEFAULT hilo_next_tag('changes_hands');
CREATE TABLE changes_hands (id kept, k int);
INSERT INTO changes_hands SELECT g::bigint FROM generate_series(1, 10) g;
RESET ROLE;
ALTER TABLE changes_hands OWNER TO CURRENT_USER;
INSERT INTO changes_hands (k) VALUES (1) RETURNING id;
SELECT col, generator, problem FROM hilo_check('changes_hands');
CREATE TABLE sole (id int PRIMARY KEY DEFAULT hilo_next_tag('sole'), note text);
INSERT INTO sole VALUES (2147483647);
INSERT INTO sole (note) VALUES ('a') RETURNING id;
-- a row that came with the greatest id is undone as the hint says
SELECT hilo_seed('sole', 2147483647);
INSERT INTO sole (note) VALUES ('a');
DELETE FROM sole;
ALTER TABLE sole ALTER id TYPE numeric;
SELECT hilo_seed('sole', coalesce(max(id::bigint), 0), force => true) FROM sole;
INSERT INTO sole (note) VALUES ('a') RETURNING id;

-- code of a table's owner runs as the owner, restricted
CREATE FUNCTION tell() RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE mine ();
	RAISE 'not restricted';
EXCEPTION WHEN insufficient_privilege THEN
	RAISE '% in %: %', current_user, current_setting('search_path'), SQLERRM;
END $$;
CREATE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT true';
CREATE TABLE owned (id bigint DEFAULT hilo_next_tag('cm.owned'));
ALTER TABLE owned OWNER TO regress_hilo_clerk;
CREATE INDEX ON owned (id) WHERE cm.tell(1);
INSERT INTO owned VALUES (77);
CREATE OR REPLACE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT cm.tell()';
\set SHOW_CONTEXT never
INSERT INTO owned DEFAULT VALUES;
SELECT current_user = session_user AS same, current_setting('search_path');
-- and may be the first to use the generator itself
CREATE OR REPLACE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('cm.told', true) IS NULL THEN
		PERFORM set_config('cm.told', 'yes', true), public.hilo_next_tag('cm.owned');
	END IF;
	RETURN true;
END $$;
INSERT INTO owned DEFAULT VALUES RETURNING id;

DROP SCHEMA cm CASCADE;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators() WHERE name NOT LIKE 'limits%';
DROP ROLE regress_hilo_clerk;
