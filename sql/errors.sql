/*
 * Errors of hilo that a statement can show: condition, SQLSTATE, message, detail
 * and hint; test/errors makes the table of doc/errors.md of them
 */
-- a server without hilo
CREATE DATABASE regress_hilo_bare;
CREATE FOREIGN DATA WRAPPER bare;
\set ECHO none
SELECT format('CREATE SERVER bare FOREIGN DATA WRAPPER bare OPTIONS (host %L, port %L, dbname ''regress_hilo_bare'')',
		split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port')) \gexec
\set ECHO all
CREATE USER MAPPING FOR CURRENT_USER SERVER bare;

CREATE FUNCTION pg_temp.error_of(command text, OUT state text, OUT message text,
                                 OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;
CREATE TEMP TABLE condition (n int GENERATED ALWAYS AS IDENTITY, condition text, command text);
CREATE TEMP TABLE shown (n int GENERATED ALWAYS AS IDENTITY, condition text, state text,
                         message text, detail text, hint text);

CREATE ROLE regress_hilo_user;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_user;
SET hilo.prefetch = off;
SELECT hilo_create('orders', max_value => 1000, range_size => 10, max_range_size => 100);
SELECT count(*) FROM hilo_next_tag('orders', 10);
SELECT hilo_create('few', max_value => 3), hilo_create('vast', first => 9223372036854775806);
SELECT count(*) FROM hilo_next_tag('few', 3);
SELECT hilo_create('invoices'), hilo_grant('orders', 'public');
CREATE TABLE plain (id bigint, data text);
CREATE TABLE default_one (id bigint DEFAULT hilo_next_tag('orders'));
CREATE TABLE default_two (id bigint DEFAULT hilo_next_tag('invoices'), no text DEFAULT hilo_next_id('invoices'));

-- names
INSERT INTO condition (condition, command) VALUES
('a name is null', $$SELECT hilo_next_tag(NULL)$$),
('a name is empty', $$SELECT hilo_next_tag('')$$),
('a name has a control character', $$SELECT hilo_next_tag(E'or\nders')$$),
('a name has more than 512 bytes', $$SELECT hilo_next_tag(repeat('x', 513))$$),
('a name has more than 512 bytes in lower case', $$SELECT hilo_next_tag(repeat(U&'\023A', 171))$$),
('a name is unknown, and `hilo.auto_create` is off', $$SET LOCAL hilo.auto_create = off; SELECT hilo_next_tag('ordres')$$),
('a name is unknown, in `hilo_alter`, `hilo_drop`, `hilo_grant` or `hilo_revoke`', $$SELECT hilo_drop('ordres')$$),
('a tag begins with `#`', $$SELECT hilo_next_tag('#orders')$$),
('a name with `#` is that of no table', $$SELECT hilo_seed('#none', 1)$$),
('a name is a tag''s, and that of a table with a generator of its own', $$SELECT hilo_create('##cut'); SELECT hilo_seed('cut', 1)$$),
('a text stands for a table that has its ids from elsewhere', $$SELECT low FROM hilo_next_range('serials')$$),
('a generator of that name was dropped in this transaction', $$SELECT hilo_create('dropped'); SELECT hilo_drop('dropped'); SELECT hilo_next_tag('dropped')$$),
('the current transaction has changed the generator''s scattering, `domain_bits`, hub or source, or ordering `gapless`', $$SELECT hilo_alter('invoices', 'scattered'); SELECT hilo_next_tag('invoices')$$);

-- hilo_create, hilo_alter and hilo_drop
INSERT INTO condition (condition, command) VALUES
('the generator exists already', $$SELECT hilo_create('Orders')$$),
('an option is null in `hilo_create`', $$SELECT hilo_create('new', max_value => NULL)$$),
('an ordering is not one', $$SELECT hilo_create('new', 'random')$$),
('`first` is below 1', $$SELECT hilo_create('new', first => 0)$$),
('`max_value` is below `first`', $$SELECT hilo_create('new', first => 11, max_value => 10)$$),
('`range_size` is below 1', $$SELECT hilo_create('new', range_size => 0)$$),
('`max_range_size` is below `range_size`', $$SELECT hilo_create('new', max_range_size => 31)$$),
('`domain_bits` is not a number of bits', $$SELECT hilo_create('new', domain_bits => 64)$$),
('`domain_bits` with an ordering that has none', $$SELECT hilo_create('new', domain_bits => 40)$$),
('the name is an identity''s, and the ordering is not', $$SELECT hilo_create('new|', 'scattered')$$),
('`max_value` is below what is reserved', $$SELECT hilo_alter('orders', max_value => 9)$$),
('`first` is above the next id', $$SELECT hilo_alter('orders', first => 12)$$),
('a generator is to get the name of another one', $$SELECT hilo_rename('orders', 'invoices')$$),
('a column that draws from the generator to be renamed is not of integers', $$SELECT hilo_create('texts'); CREATE TABLE texts (id text DEFAULT hilo_next_id('texts')); SELECT hilo_rename('texts', 'new')$$),
('the generator to be renamed has a hub', $$CREATE FOREIGN DATA WRAPPER far; CREATE SERVER far FOREIGN DATA WRAPPER far; SELECT hilo_create('new', hub => 'far'); SELECT hilo_rename('new', 'newer')$$),
('a column default calls the generator to be dropped', $$SELECT hilo_drop('orders')$$);

-- columns on generators
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE parted (id int) PARTITION BY LIST (id);
CREATE FOREIGN TABLE remote PARTITION OF parted FOR VALUES IN (1) SERVER nowhere;
CREATE TABLE orders (id int DEFAULT 1);
CREATE TABLE cut (id int DEFAULT hilo_next('cut'));
CREATE TABLE serials (id serial PRIMARY KEY);
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
('a trigger numbers the column', $$CREATE TRIGGER number BEFORE INSERT ON plain FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('id', 'global'); SELECT hilo_attach('plain', 'id')$$),
('a shared generator would be another role''s', $$CREATE ROLE regress_hilo_third; SELECT hilo_alter('invoices', owner => 'regress_hilo_third'), hilo_grant('invoices', 'regress_hilo_user'); SET LOCAL ROLE regress_hilo_user; SELECT hilo_attach('users_own', 'id', 'invoices')$$),
('a partition is a foreign table', $$SELECT hilo_attach('parted', 'id')$$),
('a column is added that draws from the table''s own generator, and an older one has ids', $$CREATE TABLE older (id bigint DEFAULT hilo_next('older')); INSERT INTO older VALUES (5); ALTER TABLE older ADD no bigint DEFAULT hilo_next('older')$$),
('a table''s own generator is moved to its table', $$SELECT hilo_create('#cut'); SELECT hilo_move('cut', 'cut')$$),
('a table''s own generator is moved to a table with one', $$SELECT hilo_create('#cut'), hilo_create('#plain'); SELECT hilo_move('cut', 'plain')$$),
('a part of a table is attached apart from it', $$CREATE TABLE whole (id bigint DEFAULT hilo_next('whole')); CREATE TABLE part () INHERITS (whole); SELECT hilo_attach('part', 'id', 'parts')$$),
('a program may number the column', $$CREATE SEQUENCE plain_seq INCREMENT 50; SELECT hilo_attach('plain', 'id')$$),
('a sequence of the column has other users', $$CREATE SEQUENCE animals; CREATE TABLE cats (id int DEFAULT nextval('animals')); CREATE TABLE dogs (id int DEFAULT nextval('animals')); SELECT hilo_attach('cats', 'id')$$),
('a first use by a column of another type than whole numbers and texts', $$CREATE TABLE floats (id float8 DEFAULT hilo_next('floats')); SELECT hilo_next('floats')$$),
('the column does not draw from a generator', $$SELECT hilo_detach('plain', 'id')$$),
('the default of a column does not show which ids the column got', $$CREATE TABLE new (id bigint DEFAULT nextval(to_regclass('by_ten'))); SELECT hilo_attach('new', 'id')$$);

-- hilo_seed, hilo_next and its kin
INSERT INTO condition (condition, command) VALUES
('a seed is above `max_value`', $$SELECT hilo_seed('orders', 1001)$$),
('a forced seed is below `first` - 1', $$SELECT hilo_seed('orders', -1, force => true)$$),
('every id up to `max_value` has been handed out', $$SELECT hilo_next_tag('few')$$),
('every id of an `int` column has been handed out', $$SELECT hilo_create('ints', max_value => 2147483647), hilo_seed('ints', 2147483647); SELECT hilo_next_tag('ints')$$),
('no id is left, and `max_value` is the greatest `bigint`', $$SELECT hilo_next_tag('vast', 3)$$),
('a count is null', $$SELECT hilo_next_tag('orders', NULL)$$),
('a count is negative', $$SELECT hilo_next_tag('orders', -1)$$),
('a text id would have more than 512 bytes', $$SELECT hilo_create(repeat('x', 509)); SELECT hilo_next_id(repeat('x', 509))$$),
('no id has been handed out in this session', $$SELECT hilo_current('invoices')$$);

-- identities
INSERT INTO condition (condition, command) VALUES
('the name of an identity is null', $$SELECT identity_next(NULL, 1)$$),
('the name of an identity is empty', $$SELECT identity_next('|')$$),
('the number of values in a row is below 1', $$SELECT identity_next('orders', 0)$$),
('the number of values in a row is above the generator''s', $$SELECT identity_next('orders', 1048577)$$);

-- ranges for clients
INSERT INTO condition (condition, command) VALUES
('`max_value` is above the highest id of `domain_bits`', $$SELECT hilo_create('new', 'scattered', domain_bits => 53, max_value => 9007199254740992)$$),
('ids would repeat, because `scattered` or `domain_bits` changes', $$SELECT hilo_alter('orders', 'scattered')$$),
('a column is attached to, or raises, a generator whose ids are scattered', $$SELECT hilo_create('spread', 'scattered'); ALTER TABLE plain ALTER id SET DEFAULT hilo_next_tag('spread'); SELECT hilo_resync('plain', 'id')$$),
('ids near the end would use up a generator', $$ALTER TABLE plain ALTER id SET DEFAULT hilo_next_tag('orders'); INSERT INTO plain VALUES (990); SELECT hilo_resync('plain', 'id')$$),
('a table has ids above the last one of a generator that its owner could not seed', $$ALTER TABLE plain ALTER id SET DEFAULT hilo_next_tag('few'); INSERT INTO plain VALUES (5); ALTER TABLE plain OWNER TO pg_monitor; SELECT hilo_resync('plain', 'id')$$),
('a counter of RavenDB''s is imported into a generator whose ids are scattered', $$SELECT hilo_create('spread', 'scattered'); SELECT hilo_import_ravendb('{"Raven/Hilo/spread": 5}', NULL)$$),
('a range is asked for of a generator whose ids are scattered', $$SELECT hilo_create('spread', 'scattered'); SELECT hilo_next_range('spread')$$),
('a range is asked for of a generator without gaps', $$SELECT hilo_create('numbers', 'gapless'); SELECT hilo_next_range('numbers')$$),
('`size` is below 1', $$SELECT hilo_next_range('orders', 0)$$),
('`size` is above the generator''s', $$SELECT hilo_next_range('orders', 101)$$),
('`last_max` is above `last`, for a role that may not seed', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_next_range('orders', last_max => 1000)$$),
('`separator` is not one character, or is an ASCII letter or digit, `$` or a vertical bar', $$SELECT hilo_next_range('orders', separator => '--')$$),
('`high` or `last_used` is null', $$SELECT hilo_return_range('orders', 10, NULL)$$),
('`max_lo` is null', $$SELECT hilo_next_hi('orders', NULL)$$),
('`max_lo` is below 1', $$SELECT hilo_next_hi('orders', 0)$$),
('`max_lo` is above the generator''s `max_range_size`', $$SELECT hilo_next_hi('orders', 101)$$);

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
('a document is not a HiLo document', $$SELECT hilo_import_ravendb('{"orders/1": {"Max": 5}}', NULL)$$),
('a counter is not a whole number from 0 to 2^63-1', $$SELECT hilo_import_ravendb('{"Raven/Hilo/orders": {"Max": "5"}}', NULL)$$);

-- rights
INSERT INTO condition (condition, command) VALUES
('the role may not use the generator', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_next_tag('invoices')$$),
('the role may not use the generator, whose owner was dropped', $$SELECT hilo_create('new'), hilo_alter('new', owner => 'regress_hilo_gone'); DROP ROLE regress_hilo_gone; SET LOCAL ROLE regress_hilo_user; SELECT hilo_next_tag('new')$$),
('the role does not own the generator', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_seed('orders', 100)$$),
('no column draws from the generator, and the role may not create one', $$SET LOCAL ROLE pg_monitor; SELECT hilo_next_tag('new')$$),
('the current role is not a member of the new owner', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_create('new'); SELECT hilo_alter('new', owner => 'pg_monitor')$$),
('a role to grant to or to revoke from is null', $$SELECT hilo_grant('orders', NULL)$$),
('a role does not exist', $$SELECT hilo_grant('orders', 'regress_hilo_none')$$);

-- sources of ORMs
CREATE SEQUENCE by_ten INCREMENT 10;
CREATE SEQUENCE by_one;
CREATE UNLOGGED SEQUENCE unlogged;
CREATE TABLE hi (next_hi bigint);
CREATE TABLE floating (next_hi float8);
INSERT INTO hi VALUES (1);
CREATE TABLE two_hi (next_hi bigint);
INSERT INTO two_hi VALUES (1), (2);
CREATE TABLE null_hi (next_hi bigint);
INSERT INTO null_hi VALUES (NULL);
CREATE TABLE defaulted (next_hi bigint, other int DEFAULT 1);
CREATE TABLE ruled (next_hi bigint);
INSERT INTO ruled VALUES (1);
CREATE RULE instead AS ON UPDATE TO ruled DO INSTEAD NOTHING;
SELECT hilo_adopt_sequence_tag('adopted', 'by_ten', 'efcore');
SELECT hilo_adopt_table_tag('adopted_hi', 'hi', 'classic', 10);
CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint);
CREATE ROLE regress_hilo_short;
SELECT hilo_adopt_sequence_tag('ownerless', 'by_ten', 'efcore'), hilo_alter('ownerless', owner => 'regress_hilo_short');
DROP ROLE regress_hilo_short;
INSERT INTO condition (condition, command) VALUES
('the source or the style is null', $$SELECT hilo_adopt_sequence_tag('new', NULL, 'efcore')$$),
('a style is none of a sequence', $$SELECT hilo_adopt_sequence_tag('new', 'by_ten', 'marten')$$),
('a style is none of a table', $$SELECT hilo_adopt_table_tag('new', 'hi', 'efcore', 10)$$),
('a source is no sequence', $$SELECT hilo_adopt_sequence_tag('new', 'hi', 'efcore')$$),
('a source is no table', $$SELECT hilo_adopt_table_tag('new', 'by_ten', 'classic', 10)$$),
('a sequence is temporary or unlogged', $$SELECT hilo_adopt_sequence_tag('new', 'unlogged', 'efcore')$$),
('a table, or a partition or child of it, is temporary or unlogged', $$CREATE TEMP TABLE temp_hi (LIKE hi); SELECT hilo_adopt_table_tag('new', 'temp_hi', 'classic', 10)$$),
('a block cannot be known', $$SELECT hilo_adopt_table_tag('new', 'hi', 'classic')$$),
('a block is not one', $$SELECT hilo_adopt_table_tag('new', 'hi', 'classic', 0)$$),
('a key is given for a table without one', $$SELECT hilo_adopt_table_tag('new', 'hi', 'classic', 10, key_value => 'x')$$),
('a column of the source is of a type that would be rounded, or checked by somebody''s code', $$SELECT hilo_adopt_table_tag('new', 'floating', 'classic', 10)$$),
('a table does not have the columns', $$SELECT hilo_adopt_table_tag('new', 'hi', 'marten', 10)$$),
('a sequence has another INCREMENT than its style and block need, or a CACHE, or is declared CYCLE', $$SELECT hilo_adopt_sequence_tag('new', 'by_one', 'efcore', 10)$$),
('another generator takes the blocks of another style from the source', $$SELECT hilo_adopt_sequence_tag('new', 'by_ten', 'hibernate-pooled')$$),
('a sequence was altered in this transaction', $$ALTER SEQUENCE by_ten RESTART; SELECT hilo_next_tag('adopted')$$),
('the source was dropped, or is missing after a restore', $$DROP SEQUENCE by_ten; SELECT hilo_next_tag('adopted')$$),
('a source gives ids that were handed out, or none', $$SELECT hilo_next_range('adopted'); SELECT hilo_seed('adopted', 5000); SELECT setval('by_ten', 1); SELECT hilo_next_tag('adopted')$$),
('the owner of a generator may not raise the sequence, for another setting of which it is adopted', $$GRANT USAGE ON SEQUENCE by_ten TO regress_hilo_user; SELECT hilo_alter('adopted', owner => 'regress_hilo_user'); SELECT hilo_adopt_sequence_tag('adopted', 'by_ten', 'eclipselink')$$),
('`size` is above the block of a sequence', $$SELECT hilo_next_range('adopted', 11)$$),
('a seed is above every block', $$SELECT hilo_seed('adopted', 9223372036854775807)$$),
('`force` in the seed of an adopted generator', $$SELECT hilo_seed('adopted', 1, force => true)$$),
('`hilo_next_hi` of an adopted generator', $$SELECT hilo_next_hi('adopted', 10)$$),
('an ordering is changed from or to `adopted`', $$SELECT hilo_create('new', 'adopted')$$),
('more than one row could be the source', $$SELECT hilo_adopt_table_tag('new', 'two_hi', 'classic', 10); SELECT hilo_next_tag('new')$$),
('the row of the source holds a null', $$SELECT hilo_adopt_table_tag('new', 'null_hi', 'classic', 10); SELECT hilo_next_tag('new')$$),
('the row of the source is missing, and an expression would decide what is in it', $$SELECT hilo_adopt_table_tag('new', 'defaulted', 'classic', 10); SELECT hilo_next_tag('new')$$),
('a seed lies above the end of an adopted sequence', $$CREATE SEQUENCE short MAXVALUE 10; SELECT hilo_adopt_sequence_tag('new', 'short', 'hibernate-none'); SELECT hilo_seed('new', 10)$$),
('the table of the source has a rule, a CHECK constraint or a generated column', $$SELECT hilo_adopt_table_tag('new', 'ruled', 'classic', 10)$$),
('the row of the source cannot be raised by a block', $$SELECT hilo_adopt_table_tag('new', 'two_hi', 'eclipselink-table', 9223372036854775807, hi_column => 'next_hi', key_column => 'next_hi', key_value => '1'); SELECT hilo_next_tag('new')$$),
('the row of the source is locked, maybe by this transaction', $$SET LOCAL lock_timeout = '100ms'; LOCK TABLE hi; SELECT hilo_next_tag('adopted_hi')$$);

-- where nextval is refused
CREATE FUNCTION wrapped(name text) RETURNS bigint LANGUAGE plpgsql PARALLEL SAFE
	AS 'BEGIN RETURN hilo_next_tag(name); END';
INSERT INTO plain SELECT i, 'orders' FROM generate_series(1, 1000) i;
ANALYZE plain;
INSERT INTO condition (condition, command) VALUES
('the transaction is read-only, as on a standby', $$SET LOCAL transaction_read_only = on; SELECT hilo_next_tag('orders')$$),
('the query runs in parallel', $$SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0;
	SET LOCAL min_parallel_table_scan_size = 0; SET LOCAL max_parallel_workers_per_gather = 2;
	SELECT max(wrapped(data)) FROM plain$$);

-- the tables
CREATE FUNCTION not_a_trigger() RETURNS void LANGUAGE c AS '$libdir/hilo', 'hilo_guard';
CREATE FUNCTION without_extension(text) RETURNS bigint LANGUAGE c AS '$libdir/hilo', 'hilo_next_tag';
INSERT INTO condition (condition, command) VALUES
('a table of hilo''s is changed by UPDATE, DELETE, MERGE or TRUNCATE', $$UPDATE hilo_internal.hilo_hi SET reserved = 0$$),
('a row is restored by a role that may insert, but is neither a superuser nor the owner of the database', $$GRANT USAGE ON SCHEMA hilo_internal TO regress_hilo_user; GRANT INSERT ON hilo_internal.hilo_privilege TO regress_hilo_user; SET LOCAL ROLE regress_hilo_user; INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('invoices', 'regress_hilo_user', false)$$),
('`pg_restore --disable-triggers`, or somebody else, has changed a trigger of hilo', $$ALTER TABLE hilo_internal.hilo_hi ENABLE TRIGGER ALL; SELECT hilo_next_tag('invoices')$$),
('somebody has changed the replica identity of a table of hilo', $$ALTER TABLE hilo_internal.hilo_hi REPLICA IDENTITY DEFAULT; SELECT hilo_next_tag('invoices')$$),
('pg_repack, or somebody else, has created a trigger on a table of hilo', $$CREATE TRIGGER repack_trigger AFTER UPDATE ON hilo_internal.hilo_hi FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger(); SELECT hilo_next_tag('invoices')$$),
('the current transaction has rewritten `hilo_hi`', $$CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey; SELECT hilo_next_tag('invoices')$$),
('the first use of a name in a transaction that has rewritten `hilo_generator`, `hilo_hi`, `hilo_privilege` or an index of theirs', $$REINDEX TABLE hilo_internal.hilo_generator; SELECT hilo_next_tag('other')$$),
('`hilo_hi` is unlogged', NULL),
('a restore brought only one of the two rows of a generator', $$INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "half"}')).*
	FROM hilo_internal.hilo_generator g WHERE name = 'orders'; SELECT hilo_next_tag('half')$$),
('a restore brought only one of the two rows, in `hilo_alter` or `hilo_seed`', $$INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "half"}')).*
	FROM hilo_internal.hilo_generator g WHERE name = 'orders'; SELECT hilo_seed('half', 1)$$),
('`hilo_guard` is not called as a trigger', $$SELECT not_a_trigger()$$),
('`hilo_forget_tables` is not called as an event trigger', $$SELECT hilo_internal.hilo_forget_tables()$$),
('`hilo_join_tables` is not called as an event trigger', $$SELECT hilo_internal.hilo_join_tables()$$),
('the extension is not installed in the database', $$DROP EXTENSION hilo CASCADE; SELECT without_extension('orders')$$),
('the library that the session has loaded is of another version than the extension in the database', $$ALTER TABLE hilo_internal.hilo_generator ADD COLUMN newer int; SELECT hilo_next_tag('orders')$$);

-- anchors
INSERT INTO condition (condition, command) VALUES
('an id to be hashed has more than 512 bytes in lower case', $$SELECT anchor_bucket(repeat('x', 513))$$),
('`anchor_to` is given nothing', $$SELECT anchor_to('', 'orders/1')$$),
('`anchor_to` is given what is no final id', $$SELECT anchor_to('invoices/', 'orders/1')$$),
('nothing can be anchored to the target', $$SELECT anchor_to('invoices/1', '$orders')$$),
('`shards` is not a number of shards', $$SELECT * FROM anchor_ranges(0)$$),
('the number of partitions is not one', $$SELECT anchor_partitions('plain', 0)$$),
('the table is not partitioned by buckets', $$SELECT anchor_partitions('plain', 2)$$),
('an argument of `anchor_report` is null', $$SELECT * FROM anchor_report('plain', NULL)$$),
('`step` is not a number of buckets', $$SELECT * FROM anchor_report('plain', 'data', 0)$$),
('the column of the report does not exist, or is no text', $$SELECT * FROM anchor_report('plain', 'id')$$);
-- number schemes
INSERT INTO condition (condition, command) VALUES
('an id, or a part of one, is not what it can be', $$SELECT id_scatter(0)$$),
('the number of bits is not one', $$SELECT id_encrypt(1, '\x000102030405060708090a0b0c0d0e0f', 64)$$),
('a key has not 16 bytes', $$SELECT id_encrypt(1, '\x736563726574')$$),
('a text is no id''s', $$SELECT id_from_text('000000000001i')$$),
('the time in a trace id, or around it, is infinite', $$SELECT trace_id('infinity', 0, 0, 1)$$),
('the time in a trace id is past the last timestamp', $$SELECT trace_id_parts(1::bigint << 60, '294276-12-31 23:59:59Z')$$),
('a name is reserved, and the role is not a superuser', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_next_tag('hilo.mine')$$),
('`hilo.launch_id` is not set', $$SELECT decimal_id_next()$$),
('a launch has used up its generator_ids', $$SELECT hilo_seed('hilo.decimal_id/99999', 99999), hilo_alter('hilo.decimal_id/99999', max_value => 99999);
	SET LOCAL hilo.launch_id = 99999; SELECT decimal_id_next()$$),
('`hilo.node_no` is not set', $$SELECT trace_id_next()$$);

-- hubs
CREATE SERVER gone FOREIGN DATA WRAPPER nowhere;
CREATE SERVER away FOREIGN DATA WRAPPER nowhere OPTIONS (host '/nowhere', port '1');
CREATE USER MAPPING FOR CURRENT_ROLE SERVER away;
CREATE USER MAPPING FOR regress_hilo_user SERVER away;
CREATE ROLE regress_hilo_gone;
GRANT USAGE ON FOREIGN SERVER away TO regress_hilo_user;
INSERT INTO condition (condition, command) VALUES
('a hub with an ordering that cannot have one', $$SELECT hilo_create('new', 'scattered', hub => 'gone')$$),
('a hub for a generator of hilo''s own', $$SELECT hilo_create('hilo.new', hub => 'gone')$$),
('the hub is not a foreign server', $$SELECT hilo_create('new', hub => 'none')$$),
('the role may not use the foreign server', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_create('new', hub => 'gone')$$),
('the foreign server of the hub was dropped', $$SELECT hilo_create('new', hub => 'gone'); DROP SERVER gone; SELECT hilo_next_tag('new')$$),
('a generator with a hub has no owner', $$SELECT hilo_create('new', hub => 'away'), hilo_alter('new', owner => 'regress_hilo_gone'); DROP ROLE regress_hilo_gone; SELECT hilo_next_tag('new')$$),
('the user mapping has no password, or the hub does not ask for it', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_create('new', hub => 'away'); SELECT hilo_next_tag('new')$$),
('the hub cannot be reached', $$SELECT hilo_create('new', hub => 'away'); SELECT hilo_next_tag('new')$$),
('hilo is not installed on the hub', $$SELECT hilo_create('new', hub => 'bare'); SELECT hilo_next_tag('new')$$),
('`force` in the seed of a generator with a hub', $$SELECT hilo_create('new', hub => 'away'); SELECT hilo_seed('new', 1, true)$$),
('`hilo_next_hi` of a global generator with a hub', $$SELECT hilo_create('new', 'global', hub => 'away'); SELECT hilo_next_hi('new', 10)$$),
('the generator on the hub has a hub itself', $$SELECT hilo_create('new', hub => 'away'); SELECT hilo_internal.hilo_hub_take('new', 'session', 1, true, false, 0, 1000000)$$),
('the generator on the hub is not global', $$SELECT hilo_internal.hilo_hub_take('orders', 'global', 1, true, false, 0, 1000000)$$),
('a Citus worker makes a generator with ids of its own', $$CREATE SERVER hilo_coordinator FOREIGN DATA WRAPPER nowhere; SELECT hilo_create('new')$$),
('a Citus worker first uses a table''s own generator', $$CREATE SERVER hilo_coordinator FOREIGN DATA WRAPPER nowhere; SELECT hilo_next('cut')$$),
('`hilo_citus_setup` runs elsewhere than on the coordinator', $$SELECT hilo_citus_setup()$$),
('`hilo.hub` is set on the hub itself', $$SET LOCAL hilo.hub = 'another'; SELECT hilo_internal.hilo_hub_number(1, 1)$$),
('the caller of `hilo_marten_next_hi`, or the owner of the generator, lacks a right to the table', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_marten_next_hi('mt_hilo', 'x')$$),
('the owner of the generator lacks a right to the sequence', $$SELECT hilo_alter('adopted', owner => 'regress_hilo_user'); SELECT hilo_next_tag('adopted')$$),
('the generator of a source has no owner', $$SELECT hilo_next_tag('ownerless')$$);
-- settings
INSERT INTO condition (condition, command) VALUES
('`hilo.node_tag` is not one to four letters, A to Z', $$SET hilo.node_tag = 'a'$$),
('`hilo.identity_parts_separator` is not one character, or is an ASCII letter or digit, `$` or a vertical bar', $$SET hilo.identity_parts_separator = '--'$$),
('a role without the right sets `hilo.node_tag` or `hilo.failover_skip`', $$SET LOCAL ROLE regress_hilo_user; SET hilo.node_tag = 'B'$$);

SET client_min_messages = error;
DO $$
DECLARE
	c record;
BEGIN
	FOR c IN SELECT * FROM condition ORDER BY n LOOP
		INSERT INTO shown (condition, state, message, detail, hint)
		SELECT c.condition, e.* FROM pg_temp.error_of(coalesce(c.command, '')) e;
	END LOOP;
END $$;
-- in the transaction that does it, it is being rewritten
ALTER TABLE hilo_internal.hilo_hi SET UNLOGGED;
UPDATE shown SET (state, message, detail, hint) =
	(SELECT * FROM pg_temp.error_of($$SELECT hilo_next_tag('invoices')$$))
 WHERE condition = '`hilo_hi` is unlogged';
ALTER TABLE hilo_internal.hilo_hi SET LOGGED;
-- what libpq says
UPDATE shown SET detail = '' WHERE state = '08001';
RESET client_min_messages;

\pset format unaligned
\pset tuples_only on
SELECT concat_ws(E'\n    ', condition, state || ': ' || message,
                 'DETAIL: ' || replace(nullif(detail, ''), format('"%s"', session_user), '"postgres"'), 'HINT: ' || regexp_replace(nullif(hint, ''), '#\d+', '#N'))
  FROM shown ORDER BY n;
\pset format aligned
\pset tuples_only off

-- nothing of all that has changed anything
SELECT name, last FROM hilo_generators() WHERE name IN ('orders', 'invoices', 'few') ORDER BY name;
SELECT count(*) FROM hilo_generators() WHERE name IN ('new', 'half', 'dropped', 'ordres');

DROP TABLE plain, default_one, default_two, parted, orders, cut, serials, users_own, hi, two_hi, null_hi, floating, ruled, defaulted;
DROP SEQUENCE by_ten, by_one, unlogged;
DROP TABLE mt_hilo;
DROP FUNCTION not_a_trigger, without_extension, wrapped;
SET client_min_messages = warning;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
DROP FOREIGN DATA WRAPPER bare CASCADE;
RESET client_min_messages;
DROP DATABASE regress_hilo_bare WITH (FORCE);
SELECT hilo_drop(name) FROM hilo_generators() WHERE name IN ('orders', 'orders|', 'invoices', 'few', 'vast', 'adopted', 'adopted_hi', 'ownerless') OR name LIKE 'own#%';
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user, regress_hilo_gone;
