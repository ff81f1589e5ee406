/*
 * A name is taken in advance, opened to all and set back: a table that draws by hilo_next
 * has its own ids all the same.  And a text that is the name of a table means that table,
 * or is refused
 */
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_bob;
CREATE SCHEMA app;
GRANT ALL ON SCHEMA app TO regress_hilo_alice, regress_hilo_bob;
CREATE SCHEMA a AUTHORIZATION regress_hilo_alice;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_bob;
\getenv srcdir PG_ABS_SRCDIR
\set try :srcdir '/sql/include/try.sql'
\i :try

-- In a schema that both share: by a table, and by a tag.
SET ROLE regress_hilo_bob;
CREATE TABLE app.invoices (id bigint PRIMARY KEY DEFAULT hilo_next('app.invoices'));
INSERT INTO app.invoices DEFAULT VALUES;
SELECT hilo_grant('app.invoices', 'public');
ALTER TABLE app.invoices RENAME TO zzz;
SELECT hilo_create('app.invoices'), hilo_grant('app.invoices', 'public');
SET ROLE regress_hilo_alice;
CREATE TABLE app.invoices (id bigint PRIMARY KEY DEFAULT hilo_next('app.invoices'), note text);
INSERT INTO app.invoices VALUES (DEFAULT), (DEFAULT) RETURNING id;
SET ROLE regress_hilo_bob;
SELECT hilo_seed('##app.invoices', 0, true), hilo_seed('app.zzz', 0, true);
SELECT pg_temp.try('SELECT hilo_seed(''#app.invoices'', 0, true)'), pg_temp.try('SELECT hilo_drop(''#app.invoices'')'),
       pg_temp.try('SELECT hilo_grant(''#app.invoices'', ''public'')'), pg_temp.try('SELECT hilo_alter(''#app.invoices'', max_value => 2)');
SET ROLE regress_hilo_alice;
INSERT INTO app.invoices VALUES (DEFAULT), (DEFAULT) RETURNING id;
-- The text means what has an owner whose rights the role has; it is ambiguous for roles that have both, or none.
SELECT low > 4 AS goes_on FROM hilo_next_range('app.invoices');
SELECT low > 4 AS goes_on FROM hilo_next_range('#app.invoices');
SELECT low FROM hilo_next_range('##app.invoices');
SET ROLE regress_hilo_bob;
SELECT low, high FROM hilo_next_range('app.invoices');
RESET ROLE;
SELECT pg_temp.try('SELECT hilo_next_range(''app.invoices'')');

-- In her own schema, of which he may not even read the names: before her table and after.
SET ROLE regress_hilo_bob;
SELECT hilo_create('a.later'), hilo_grant('a.later', 'public');
SET ROLE regress_hilo_alice;
CREATE TABLE a.orders (id bigint PRIMARY KEY DEFAULT hilo_next('a.orders'));
CREATE TABLE a.later (id bigint PRIMARY KEY DEFAULT hilo_next('a.later'));
INSERT INTO a.later VALUES (DEFAULT), (DEFAULT) RETURNING id;
SET ROLE regress_hilo_bob;
SELECT pg_temp.try('SELECT hilo_create(''a.orders'')'), pg_temp.try('SELECT hilo_create(''##a.orders'')'), pg_temp.try('SELECT hilo_next_tag(''A."Orders"'')');
SELECT hilo_seed('a.later', 0, true);
SET ROLE regress_hilo_alice;
INSERT INTO a.later VALUES (DEFAULT), (DEFAULT) RETURNING id;
INSERT INTO a.orders VALUES (DEFAULT) RETURNING id;

-- A bare name.
SET ROLE regress_hilo_bob;
SELECT hilo_create('users'), hilo_grant('users', 'public');
SET ROLE regress_hilo_alice;
SET search_path = a, public;
CREATE TABLE users (id bigint PRIMARY KEY DEFAULT hilo_next('users'));
INSERT INTO users VALUES (DEFAULT), (DEFAULT) RETURNING id;
SELECT low FROM hilo_next_range('users', 32);
SELECT low FROM hilo_next_range('#users', 32);
-- also of a table if an ORM fetches its keys first
CREATE TABLE fetched (id bigint PRIMARY KEY, note text);
SET ROLE regress_hilo_bob;
RESET search_path;
SELECT hilo_create('fetched'), hilo_grant('fetched', 'public');
SET ROLE regress_hilo_alice;
SET search_path = a, public;
-- beside a table that has no stream yet, a tag in use stays one
SELECT low FROM hilo_next_range('fetched', 32);
SELECT low FROM hilo_next_range('#fetched', 5);
SELECT low FROM hilo_next_range('fetched', 32);

-- a superuser's, which does not have the rights of the table's owner for that
RESET ROLE;
RESET search_path;
SELECT hilo_create('supers');
SET ROLE regress_hilo_alice;
SET search_path = a, public;
CREATE TABLE supers (id bigint DEFAULT hilo_next('supers'));
INSERT INTO supers DEFAULT VALUES RETURNING id;

-- A table on her search path, or one with a name that differs in letters or quotes.
SET ROLE regress_hilo_bob;
CREATE TABLE app."Users" (id bigint PRIMARY KEY DEFAULT hilo_next('app."Users"'));
CREATE TABLE app.planted (id bigint PRIMARY KEY DEFAULT hilo_next('app.planted'));
INSERT INTO app.planted DEFAULT VALUES;
INSERT INTO app."Users" DEFAULT VALUES;
SET ROLE regress_hilo_alice;
SET search_path = app, a, public;
SELECT pg_temp.try('SELECT hilo_next_range(''planted'', 32)'), pg_temp.try('SELECT hilo_next(''planted'')');
SELECT pg_temp.try('SELECT hilo_next_range(''"Users"'', 32)'), pg_temp.try('INSERT INTO users DEFAULT VALUES');
CREATE TABLE a.draws (id bigint DEFAULT hilo_next('planted'));
SELECT pg_temp.try('INSERT INTO a.draws DEFAULT VALUES');
SET ROLE regress_hilo_bob;
SELECT hilo_grant('app.planted', 'public');
SET ROLE regress_hilo_alice;
SELECT pg_temp.try('INSERT INTO a.draws DEFAULT VALUES'), pg_temp.try('SELECT hilo_next(''planted'')');
DROP TABLE a.draws;

-- Without CREATE on the database a table gives tags with its schema alone.
RESET ROLE;
REVOKE CREATE ON DATABASE :DBNAME FROM regress_hilo_bob;
SET ROLE regress_hilo_bob;
SET search_path = app, public;
CREATE TABLE bobs (id text);
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY['SELECT hilo_create(''bobs'')', 'SELECT hilo_create(''bobs|'')',
	'SELECT hilo_next_tag(''bobs'')', 'SELECT identity_next(''bobs'')', 'SELECT hilo_next_range(''bobs'')',
	'SELECT hilo_create(''app.bobs'')', 'SELECT hilo_create(''app.bobs|'')', 'SELECT hilo_next_tag(''app.bobs.n'')']) statement;
RESET search_path;

-- Ids of a table with a sequence come from there: it is not another stream of its name.
RESET ROLE;
SET search_path = app, public;
CREATE TABLE serials (id bigserial PRIMARY KEY, note text);
CREATE TABLE identities (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
CREATE TABLE days (tenant int DEFAULT 5, day date, id bigserial, PRIMARY KEY (tenant, day, id)) PARTITION BY RANGE (day);
INSERT INTO serials (note) SELECT 'x' FROM generate_series(1, 50);
SELECT low, high FROM hilo_next_range('serials', size => 10);
SELECT statement, pg_temp.try(statement) FROM unnest(ARRAY['SELECT hilo_next_range(''identities'')', 'SELECT hilo_next_range(''days'')', 'SELECT hilo_next_hi(''serials'', 10)',
	'SELECT hilo_next_id(''app.serials'')']) statement;
SELECT hilo_attach('app.serials', 'id');
SELECT low > 50 AS above FROM hilo_next_range('serials', size => 10);
INSERT INTO serials (note) VALUES ('y') RETURNING id > 50 AS above;

-- Two numbered columns of one table get two generators.
CREATE TABLE two (a int, b int, t text);
INSERT INTO two VALUES (1, 1, 'x');
SELECT hilo_attach('two', 'a'), hilo_attach('two', 'b');
INSERT INTO two (t) VALUES ('y'), ('z') RETURNING a, b;
SELECT a.col, g FROM unnest('{a,b}'::name[]) a (col), hilo_generator_of('two', a.col) g;

SET client_min_messages = warning;
RESET search_path;
DROP SCHEMA app, a CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
DROP ROLE regress_hilo_alice, regress_hilo_bob;
