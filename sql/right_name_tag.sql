/*
 * Tags that are taken in advance.  Bob takes the name of another owner's tag, opens it to
 * all and sets it back: no id of a table of that owner may repeat in silence.
 */
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_app;
CREATE SCHEMA app;
GRANT ALL ON SCHEMA app TO regress_hilo_alice, regress_hilo_bob;
CREATE SCHEMA a AUTHORIZATION regress_hilo_alice;
GRANT USAGE ON SCHEMA a, app TO regress_hilo_app;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob;
GRANT CREATE ON SCHEMA public TO regress_hilo_bob;

-- Bob's table leaves its generator under the name that another owner's table gets.
SET ROLE regress_hilo_bob;
CREATE TABLE app.invoices (id bigint DEFAULT hilo_next_tag('app.invoices'));
INSERT INTO app.invoices DEFAULT VALUES;
ALTER TABLE app.invoices RENAME TO zzz;
SELECT hilo_grant('app.invoices', 'public');
SET ROLE regress_hilo_alice;
CREATE TABLE app.invoices (id bigint DEFAULT hilo_next_tag('app.invoices'), note text);
GRANT INSERT ON app.invoices TO regress_hilo_app, regress_hilo_bob;
INSERT INTO app.invoices VALUES (DEFAULT), (DEFAULT) RETURNING id;
-- Nor does another role draw for that table, whatever the session knows of the generator:
-- a call by name is bob's to allow.
SELECT hilo_next_tag('app.invoices');
INSERT INTO app.invoices DEFAULT VALUES;
SET ROLE regress_hilo_app;
SELECT hilo_next_tag('app.invoices');
INSERT INTO app.invoices DEFAULT VALUES;
SET ROLE regress_hilo_bob;
INSERT INTO app.zzz DEFAULT VALUES RETURNING id;
INSERT INTO app.invoices DEFAULT VALUES;
BEGIN;
INSERT INTO app.zzz DEFAULT VALUES RETURNING id;
INSERT INTO app.invoices DEFAULT VALUES;
ROLLBACK;
RESET ROLE;
INSERT INTO app.zzz DEFAULT VALUES RETURNING id;
INSERT INTO app.invoices DEFAULT VALUES;
PREPARE to_zzz AS INSERT INTO app.zzz DEFAULT VALUES RETURNING id;
PREPARE to_invoices AS INSERT INTO app.invoices DEFAULT VALUES;
EXECUTE to_zzz;
EXECUTE to_invoices;
EXECUTE to_zzz;
EXECUTE to_invoices;
COPY app.invoices (note) FROM stdin;
copied
\.
-- ... or reads the generator's own table meanwhile.
BEGIN;
DECLARE c CURSOR FOR TABLE app.zzz;
FETCH c;
INSERT INTO app.invoices DEFAULT VALUES;
ROLLBACK;
INSERT INTO app.invoices VALUES (1000);
ALTER TABLE app.invoices ADD COLUMN again bigint DEFAULT hilo_next_tag('app.invoices');
UPDATE app.invoices SET id = DEFAULT;
-- The same of each function that a default may call, and of a domain's default.
SET ROLE regress_hilo_bob;
SELECT hilo_create('bobs'), hilo_create('bobs|'), hilo_grant('bobs', 'public'), hilo_grant('bobs|', 'public');
SET ROLE regress_hilo_alice;
CREATE DOMAIN a.bobs AS bigint DEFAULT hilo_next_tag('bobs');
CREATE FUNCTION a.insert_with(expression text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE 'CREATE TABLE a.trial (id ' || expression || ')';
		INSERT INTO a.trial DEFAULT VALUES;
		DROP TABLE a.trial;
		RETURN 'an id';
	EXCEPTION WHEN insufficient_privilege THEN
		RETURN sqlerrm;
	END $$;
SELECT expression, a.insert_with(expression) FROM unnest(ARRAY['bigint DEFAULT hilo_next_tag(''bobs'')',
	'text DEFAULT hilo_next_id(''Bobs'')', 'bigint DEFAULT hilo_next_hi(''bobs'', 1)',
	'bigint DEFAULT (hilo_next_range(''bobs'', 1)).low', 'bigint DEFAULT identity_next(''bobs'')',
	'bigint DEFAULT (identity_next(''bobs'', 1)).low',
	'text DEFAULT identity_next_id(''bobs'')', 'text DEFAULT document_id(''bobs|'')',
	'text DEFAULT ''B-'' || hilo_next_tag(''bobs'')', 'bigint DEFAULT hilo_next_tag(''bobs''::varchar)',
	'bigint DEFAULT 1000 + hilo_next_tag(tag => ''bobs'')',
	'bigint DEFAULT hilo_next_tag(''bo'' || ''bs'')', 'bigint DEFAULT hilo_next_tag(lower(''BOBS''))', 'a.bobs']) expression;
-- A table that changes hands.
CREATE TABLE app.moved (id bigint DEFAULT hilo_next_tag('app.moved'));
INSERT INTO app.moved DEFAULT VALUES;
CREATE TABLE app.shares (id bigint DEFAULT hilo_next_tag('app.moved'));
INSERT INTO app.shares DEFAULT VALUES RETURNING id;
RESET ROLE;
ALTER TABLE app.moved OWNER TO regress_hilo_bob;
SET ROLE regress_hilo_alice;
INSERT INTO app.shares DEFAULT VALUES RETURNING id;
SET ROLE regress_hilo_bob;
INSERT INTO app.moved DEFAULT VALUES RETURNING id;
SET ROLE regress_hilo_alice;
-- A view's default, and the trigger of documents.
CREATE TABLE a.plain (id text);
CREATE VIEW a.shown AS SELECT * FROM a.plain;
ALTER VIEW a.shown ALTER id SET DEFAULT hilo_next_id('bobs');
INSERT INTO a.shown DEFAULT VALUES;
CREATE TRIGGER number BEFORE INSERT ON a.plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'bobs');
INSERT INTO a.plain VALUES ('bobs/1'), (NULL);
INSERT INTO a.plain VALUES ('bobs|');
CREATE TRIGGER number2 BEFORE INSERT ON a.plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'bobs', 'identity');
DROP TRIGGER number ON a.plain;
INSERT INTO a.plain VALUES (NULL);
DROP TRIGGER number2 ON a.plain;
-- However many tables of bob's the session has written to; the doctor knows, and its hint works.
SET ROLE regress_hilo_alice;
CREATE TABLE a.draws (id bigint DEFAULT hilo_next_tag('bobs'));
SET ROLE regress_hilo_bob;
SELECT format('CREATE TABLE app.bobs%s (id bigint DEFAULT hilo_next_tag(''bobs''))', i) FROM generate_series(1, 6) i \gexec
RESET ROLE;
SELECT format('INSERT INTO app.bobs%s DEFAULT VALUES', i) FROM generate_series(1, 6) i, generate_series(1, 2) \gexec
INSERT INTO a.draws DEFAULT VALUES;
BEGIN;
LOCK TABLE a.draws, app.bobs1 IN ACCESS EXCLUSIVE MODE;
INSERT INTO app.bobs1 DEFAULT VALUES;
INSERT INTO a.draws DEFAULT VALUES;
ROLLBACK;
SELECT problem, substring(hint FROM 'Run (hilo_alter.*[)]) if') AS hint FROM hilo_check('a.draws') WHERE problem = 'foreign owner' \gset
SELECT :hint;
INSERT INTO a.draws DEFAULT VALUES;
SELECT problem FROM hilo_check('a.draws');
SELECT hilo_alter('bobs', owner => 'regress_hilo_bob');
-- A trigger draws for its own table, by each row.
CREATE TRIGGER number BEFORE INSERT ON a.plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'a.plain', 'identity');
INSERT INTO a.plain VALUES ('bobs|'), ('a.plain|'), ('bobs|'), (NULL) RETURNING id;
CREATE TRIGGER number2 BEFORE INSERT ON a.plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'bobs', 'identity');
INSERT INTO a.plain VALUES ('a.plain|');
INSERT INTO a.plain VALUES ('bobs|');
DROP TRIGGER number ON a.plain;
DROP TRIGGER number2 ON a.plain;
-- The ways out: the ownership, another name; a grant is none.
RESET ROLE;
SELECT hilo_grant('bobs', 'regress_hilo_alice');
SET ROLE regress_hilo_alice;
INSERT INTO a.shown DEFAULT VALUES RETURNING id;
RESET ROLE;
SELECT hilo_alter('app.invoices', owner => 'regress_hilo_alice');
SET ROLE regress_hilo_alice;
INSERT INTO app.invoices VALUES (DEFAULT) RETURNING id > 0 AS has_id;
SET ROLE regress_hilo_bob;
SELECT hilo_seed('app.invoices', 0, force => true);
INSERT INTO app.zzz DEFAULT VALUES;

-- No role takes a name that reads like another owner's relation, with its schema ...
SET ROLE regress_hilo_alice;
CREATE TABLE a.orders (id bigint DEFAULT hilo_next_tag('a.orders'));
CREATE TABLE a."Two ""Words" (id bigint);
CREATE VIEW a.seen AS SELECT 1 AS id;
SET ROLE regress_hilo_bob;
CREATE TABLE bobs_own (id bigserial);
SELECT hilo_create('mine');
\getenv srcdir PG_ABS_SRCDIR
\set try :srcdir '/sql/include/try.sql'
\i :try
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY['SELECT hilo_create(''a.orders'')', 'SELECT hilo_create(''A.Orders|'')',
	'SELECT hilo_create(''a.orders.x'')', 'SELECT hilo_create(''a."two ""words"'')', 'SELECT hilo_create(''a.seen'')',
	'SELECT hilo_create(''a.orders'', if_not_exists => true)', 'SELECT hilo_rename(''mine'', ''a.orders'')',
	'SELECT hilo_next_tag(''a.orders'')', 'SELECT hilo_next_range(''a.orders'')', 'SELECT hilo_next_hi(''a.orders'', 10)',
	'SELECT identity_next(''a.orders'')', 'SELECT hilo_seed(''a.orders'', 5)', 'SELECT document_id(''a.orders|'')',
	'SELECT hilo_import_ravendb(NULL, ''{"a.orders|": 5}'')',
	'SELECT hilo_adopt_sequence_tag(''a.orders'', ''bobs_own_id_seq'', ''efcore'', 1)',
	'SELECT hilo_attach(''bobs_own'', ''id'', ''a.orders'')',
	'CREATE TABLE bobs_second (id bigint DEFAULT hilo_next_tag(''a.orders'')); INSERT INTO bobs_second DEFAULT VALUES',
	'SELECT hilo_create(''a.ordersx'')', 'SELECT hilo_create(''a'')', 'SELECT hilo_create(''orders'')']) statement;
-- A name without a schema is nobody's, so that no role's table stops another role's tag.
SET ROLE regress_hilo_alice;
CREATE TABLE app.users (id bigint);
CREATE TABLE app."Accounts" (id bigint);
SET ROLE regress_hilo_bob;
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY['SET search_path = app, public', 'SELECT hilo_create(''users'')',
	'SELECT hilo_create(''Users|'')', 'SELECT hilo_next_range(''users'')', 'SELECT hilo_create(''accounts'')',
	'SELECT hilo_create(''zzz'')', 'SELECT hilo_create(''bobs_own'')', 'SELECT hilo_create(''##bobs_own'')', 'SELECT hilo_create(''users.x'')']) statement;
-- The owner, roles that have his rights, and superusers may.
SET ROLE regress_hilo_alice;
INSERT INTO a.orders DEFAULT VALUES RETURNING id;
RESET ROLE;
GRANT regress_hilo_alice TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
SELECT hilo_create('a.seen');
RESET ROLE;
REVOKE regress_hilo_alice FROM regress_hilo_bob;
SELECT hilo_create('a."two ""words"');

-- "|" is hilo's own: its first use makes it, and only superusers change it.
SET ROLE regress_hilo_bob;
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY['SELECT hilo_create(''|'')', 'SELECT hilo_grant(''|'', ''public'')',
	'SELECT hilo_seed(''|'', 100)', 'SELECT hilo_alter(''|'', max_value => 5)', 'SELECT hilo_drop(''|'')',
	'SELECT hilo_rename(''mine'', ''|'')', 'SELECT document_id(''orders/'')']) statement;
RESET ROLE;
SELECT document_id('orders/'), document_id('orders/');
SELECT ordering, owner, is_public, last, grants FROM hilo_generators() WHERE name = '|';
SELECT hilo_alter('|', owner => 'regress_hilo_bob');
SELECT hilo_grant('|', 'regress_hilo_app');
SET ROLE regress_hilo_app;
SELECT document_id('orders/');
-- Dropped by a superuser, it is made anew by the next use, as hilo's own.
RESET ROLE;
SELECT hilo_drop('|');
SET ROLE regress_hilo_bob;
SELECT document_id('orders/');
SELECT hilo_create('|');
RESET ROLE;
SELECT document_id('orders/');
SELECT ordering, owner, is_public, last, grants FROM hilo_generators() WHERE name = '|';

-- Of a tag, calls are like those of a public sequence: its owner is trusted.
SET ROLE regress_hilo_bob;
SELECT hilo_create('tag'), hilo_grant('tag', 'public');
SET ROLE regress_hilo_alice;
SELECT hilo_next_tag('tag');
SELECT low, high FROM hilo_next_range('tag', 32);

RESET ROLE;
RESET client_min_messages;
SET client_min_messages = warning;
DROP OWNED BY regress_hilo_alice, regress_hilo_bob, regress_hilo_app CASCADE;
DROP SCHEMA app CASCADE;
DO $$ BEGIN PERFORM hilo_drop(name) FROM hilo_generators(); END $$;
REVOKE CREATE ON SCHEMA public FROM regress_hilo_bob;
DROP ROLE regress_hilo_alice, regress_hilo_bob, regress_hilo_app;
