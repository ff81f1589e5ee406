-- Errors that statements show: of columns, and of triggers that fill them.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/errors_setup.sql'
\set teardown :srcdir '/sql/include/errors_teardown.sql'
\i :setup

-- columns on generators
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE parted (id int) PARTITION BY LIST (id);
CREATE FOREIGN TABLE remote PARTITION OF parted FOR VALUES IN (1) SERVER nowhere;
CREATE TABLE orders (id int DEFAULT 1);
CREATE TABLE cut (id int DEFAULT hilo_next('cut'));
CREATE TABLE users_own (id bigint);
INSERT INTO users_own VALUES (900);
ALTER TABLE users_own OWNER TO regress_hilo_user;
INSERT INTO condition (condition, command) VALUES
('a table is null', $$SELECT hilo_next(NULL)$$),
('a column is null', $$SELECT hilo_attach('plain', NULL)$$),
('there is no such table', $$SELECT hilo_next(0)$$),
('a relation that is no table has no generator of its own', $$SELECT hilo_next('pg_views')$$),
('a temporary table has no generator of its own', $$CREATE TEMP TABLE passing (id bigint DEFAULT hilo_next('passing')); INSERT INTO passing DEFAULT VALUES$$),
('a table''s own generator is first used beside a tag of its owner and its name', $$SELECT hilo_create('##cut'); SELECT hilo_next('cut')$$),
('a tag is first used that has the name of a table with a generator of its own', $$SELECT hilo_next_tag('cut')$$),
('a table''s own generator is to have another name', $$SELECT hilo_create('#cut'); SELECT hilo_rename('cut', 'new')$$),
('a table''s own generator is to have another owner', $$SELECT hilo_create('#cut'); SELECT hilo_alter('cut', owner => 'regress_hilo_user')$$),
('a table''s own generator is to have a hub', $$CREATE FOREIGN DATA WRAPPER far; CREATE SERVER far FOREIGN DATA WRAPPER far; SELECT hilo_create('#cut', hub => 'far')$$),
('there is no such column', $$SELECT hilo_attach('plain', 'none')$$),
('a relation to attach is not a table', $$SELECT hilo_attach('pg_views', 'definition')$$),
('the table belongs to PostgreSQL or to hilo', $$SELECT hilo_attach('hilo_internal.hilo_hi', 'reserved')$$),
('the role does not own the table', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_attach('plain', 'id')$$),
('a column has no whole numbers', $$SELECT hilo_attach('plain', 'data')$$),
('a shared generator would be another role''s', $$CREATE ROLE regress_hilo_third; SELECT hilo_alter('invoices', owner => 'regress_hilo_third'), hilo_grant('invoices', 'regress_hilo_user'); SET LOCAL ROLE regress_hilo_user; SELECT hilo_attach('users_own', 'id', 'invoices')$$),
('a partition is a foreign table', $$SELECT hilo_attach('parted', 'id')$$),
('a column is added that draws from the table''s own generator, and an older one has ids', $$CREATE TABLE older (id bigint DEFAULT hilo_next('older')); INSERT INTO older VALUES (5); ALTER TABLE older ADD no bigint DEFAULT hilo_next('older')$$),
('a table''s own generator is moved to its table', $$SELECT hilo_create('#cut'); SELECT hilo_move('cut', 'cut')$$),
('a table''s own generator is moved to a table with one', $$SELECT hilo_create('#cut'), hilo_attach('plain', 'id'); SELECT hilo_move('cut', 'plain')$$),
('a part of a table is attached apart from it', $$CREATE TABLE whole (id bigint DEFAULT hilo_next('whole')); CREATE TABLE part () INHERITS (whole); SELECT hilo_attach('part', 'id', 'parts')$$),
('a program may number the column', $$CREATE SEQUENCE plain_seq INCREMENT 50; SELECT hilo_attach('plain', 'id')$$),
('a column leaves a sequence that has other users', $$CREATE SEQUENCE animals; CREATE TABLE cats (id int DEFAULT nextval('animals')); CREATE TABLE dogs (id int DEFAULT nextval('animals')); SELECT hilo_attach('cats', 'id', 'cats')$$),
('a column''s own sequence is adopted in a style without blocks', $$CREATE TABLE serials (id serial PRIMARY KEY); SELECT hilo_adopt_sequence('serials', 'id', 'serials_id_seq', 'hibernate-none')$$),
('a table is swapped for one that draws from nothing', $$CREATE TABLE serials (id serial PRIMARY KEY); CREATE TABLE serials_new (id int PRIMARY KEY); SELECT hilo_move('serials', 'serials_new')$$),
('a first use by a column of another type than whole numbers and texts', $$CREATE TABLE floats (id float8 DEFAULT hilo_next('floats')); SELECT hilo_next('floats')$$),
('the column draws from nothing', $$SELECT hilo_resync('plain', 'id')$$),
('a column is detached that nothing follows', $$SELECT hilo_detach('plain', 'id')$$),
('the default of a column does not show which ids the column got', $$CREATE TABLE new (id bigint DEFAULT nextval(to_regclass('by_ten'))); SELECT hilo_attach('new', 'id')$$);

-- identities and document ids
INSERT INTO condition (condition, command) VALUES
('a text can be no document id, or its pattern can lead to none', $$SELECT document_id(E'users/\n')$$),
('the collection in `artificial_id` is null', $$SELECT artificial_id(NULL, 2026)$$),
('the key in `artificial_id` is a null array', $$SELECT artificial_id('sales', VARIADIC NULL::text[])$$),
('a trigger of `document_id_assign` has no argument, or too many', $$CREATE TRIGGER id BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION document_id_assign(); INSERT INTO plain DEFAULT VALUES$$),
('the trigger names a column that does not exist', $$CREATE TRIGGER id BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('no'); INSERT INTO plain DEFAULT VALUES$$),
('the trigger names a column of another type', $$CREATE TRIGGER id BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('id'); INSERT INTO plain DEFAULT VALUES$$),
('the trigger names a generated column', $$ALTER TABLE plain ADD twice text GENERATED ALWAYS AS (data || data) STORED;
	CREATE TRIGGER id BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('data', 'orders', 'hilo', 'twice'); INSERT INTO plain DEFAULT VALUES$$),
('the trigger names no valid strategy', $$CREATE TRIGGER id BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('data', 'orders', 'random'); INSERT INTO plain DEFAULT VALUES$$),
('the trigger is not BEFORE INSERT FOR EACH ROW', $$CREATE TRIGGER id AFTER INSERT ON plain FOR EACH ROW EXECUTE FUNCTION document_id_assign('data'); INSERT INTO plain DEFAULT VALUES$$),
('`document_id_assign` is not called as a trigger', $$SELECT document_id_assign()$$),
('a trigger of `hilo_number_assign` has fewer than two arguments, or too many', $$CREATE TRIGGER number BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('id'); INSERT INTO plain DEFAULT VALUES$$),
('its ordering is not one of numbers', $$CREATE TRIGGER number BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('id', 'scattered'); INSERT INTO plain DEFAULT VALUES$$),
('its numbers have reached the end of the type', $$CREATE TABLE ends (n smallint); CREATE TRIGGER number BEFORE INSERT ON ends FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'global'); SELECT hilo_group_seed('ends', 'n', 32767); INSERT INTO ends VALUES (NULL)$$),
('no trigger numbers the column by so many columns', $$SELECT hilo_group_last('plain', 'id', 7)$$),
('a group is set below a number of its rows', $$CREATE TRIGGER number BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('id', 'gapless'); INSERT INTO plain (id) VALUES (7); SELECT hilo_group_seed('plain', 'id', 5)$$),
('its group has a column of another type', $$ALTER TABLE plain ADD f float8; CREATE TRIGGER number BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('id', 'gapless', 'f'); INSERT INTO plain DEFAULT VALUES$$),
('its row brings a number along under row security', $$CREATE TABLE own (n int, g int); CREATE TRIGGER number BEFORE INSERT ON own FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'global', 'g'); ALTER TABLE own ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; ALTER TABLE own OWNER TO regress_hilo_user; SET LOCAL ROLE regress_hilo_user; INSERT INTO own VALUES (1, 1)$$),
('`hilo_number_assign` is not called as a trigger', $$SELECT hilo_number_assign()$$),
('`hilo_follow` is not called by a trigger of `hilo_attach`', $$SELECT hilo_follow()$$),
('`follow` with an adopted generator', $$CREATE SEQUENCE orm_seq INCREMENT 10; CREATE TABLE orm (id bigint); SELECT hilo_adopt_sequence('orm', 'id', 'orm_seq', 'hibernate-pooled', 10), hilo_attach('orm', 'id', follow => true)$$),
('`hilo` is not of a form that RavenDB exports', $$SELECT hilo_import_ravendb('5', NULL)$$),
('`identities` is not of that form', $$SELECT hilo_import_ravendb(NULL, '[]')$$),
('the name of text ids ends with the separator or a vertical bar', $$SELECT hilo_next_id('orders/')$$),
('a document is not a HiLo document', $$SELECT hilo_import_ravendb('[{"Max": 5, "@metadata": {"@id": "orders/1"}}]', NULL)$$),
('a counter is not a whole number from 0 to 2^63-1', $$SELECT hilo_import_ravendb('[{"Max": "5", "@metadata": {"@id": "Raven/Hilo/orders"}}]', NULL)$$);

SELECT pg_temp.errors();

DROP TABLE parted, orders, cut, users_own;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
\i :teardown
