-- Tags under another name; a table's generator goes by its table.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA re;
GRANT CREATE, USAGE ON SCHEMA re TO regress_hilo_clerk, regress_hilo_other;
SET search_path = re, public;
CREATE VIEW generator AS SELECT name, ordering, owner = current_user::regrole AS mine, last, max_value, grants FROM hilo_generators();

-- the stream goes on, in the column and for roles
CREATE TABLE customers (id int PRIMARY KEY, name text);
SELECT hilo_attach('customers', 'id', 'people', follow => true), hilo_grant('people', 'regress_hilo_clerk');
INSERT INTO customers (name) VALUES ('Ann'), ('Bob') RETURNING id;
SELECT hilo_rename('people', 'Clients');
INSERT INTO customers (name) VALUES ('Cat') RETURNING id > 2 AS above;
INSERT INTO customers VALUES (1000);
INSERT INTO customers (name) VALUES ('Dan') RETURNING id;
SELECT * FROM generator;
SELECT pg_get_expr(adbin, adrelid), hilo_generator_of('customers', 'id') FROM pg_attrdef WHERE adrelid = 'customers'::regclass;
SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'customers'::regclass;
SET ROLE regress_hilo_clerk;
SELECT hilo_next_tag('CLIENTS') > 1001 AS above;
RESET ROLE;
SELECT hilo_current('people');
-- the case of a name alone; the same name
SELECT hilo_rename('clients', 'CLIENTS'), hilo_rename('clients', 'CLIENTS');
SELECT name FROM generator;
-- there and back: no range of before is used
SELECT hilo_next_tag('clients') AS before \gset
SELECT hilo_rename('clients', 'x'), hilo_rename('x', 'clients');
SELECT hilo_next_tag('clients') > :before AS above;
-- one of the old name is another one
SELECT hilo_next_tag('people');

-- a table's: with it, in the column, in the trigger of follow, for clients
CREATE TABLE orders (id int PRIMARY KEY, item text);
SELECT hilo_attach('orders', 'id', follow => true);
INSERT INTO orders VALUES (DEFAULT, 'a'), (100, 'b');
SELECT hilo_rename('orders', 'sales');
ALTER TABLE orders RENAME TO sales;
SELECT low FROM hilo_next_range('sales', 1);
INSERT INTO sales VALUES (DEFAULT, 'c'), (500, 'd'), (DEFAULT, 'e') RETURNING id > 100 AS above;
SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'sales'::regclass;
SELECT name, hilo_generator_of('sales', 'id') FROM generator WHERE name ~ 'orders|sales';
-- no tag comes into its place, but where that is meant
SELECT hilo_create('stray');
SELECT hilo_rename('stray', 'Sales');
SELECT hilo_rename('stray', '##sales');
SELECT hilo_current('sales');
SELECT name FROM generator WHERE name ~ 'sales';
SELECT hilo_drop('##sales');

-- rolled back, also to a savepoint: nothing has happened, and no id is used in between
SELECT hilo_create('old'), hilo_next_tag('old');
CREATE TABLE uses (id bigint DEFAULT hilo_next_tag('old'));
BEGIN;
SELECT hilo_rename('old', 'new');
SAVEPOINT s;
INSERT INTO uses DEFAULT VALUES;
ROLLBACK TO s;
SELECT hilo_next_tag('old');
ROLLBACK TO s;
SELECT * FROM hilo_next_range('new', 10);
ROLLBACK TO s;
SELECT hilo_next_hi('new', 10);
ROLLBACK;
INSERT INTO uses DEFAULT VALUES RETURNING id > 1 AS above;
BEGIN;
SAVEPOINT s;
SELECT hilo_rename('old', 'new');
ROLLBACK TO s;
INSERT INTO uses DEFAULT VALUES RETURNING id > 2 AS above;
SELECT hilo_create('new'), hilo_next_tag('new');
COMMIT;
SELECT hilo_drop('new');
BEGIN;
SELECT hilo_rename('old', 'new'), hilo_rename('new', 'newer'), hilo_rename('newer', 'old');
INSERT INTO uses DEFAULT VALUES;
COMMIT;
INSERT INTO uses DEFAULT VALUES RETURNING id > 3 AS above;

-- every ordering, and the ids of an ORM
CREATE SEQUENCE orm INCREMENT 50;
SELECT hilo_create('g', 'gapless'), hilo_create('i|'), hilo_create('s', 'scattered'), hilo_create('r'),
	hilo_adopt_sequence_tag('o', 'orm', 'hibernate-pooled');
SELECT hilo_next_tag('g'), hilo_next_tag('g'), hilo_next_tag('i|'), hilo_next_tag('s'), hilo_next_tag('r'), hilo_next_tag('o');
SELECT hilo_rename(name, name || '2') FROM generator WHERE name IN ('g', 's', 'r', 'o');
SELECT hilo_rename('i|', 'i2|');
SELECT hilo_next_tag('g2'), hilo_next_tag('i2|') > 1, id_gather(hilo_next_tag('s2'), 63) > 1 AS s, hilo_next_tag('r2') > 1 AS r, hilo_next_tag('o2') > 1 AS o;
SELECT name, source FROM hilo_sources();

-- partitions and children go with it, except one with its own generator
CREATE TABLE parted (id bigint DEFAULT hilo_next_tag('p'), part int) PARTITION BY LIST (part);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted (id DEFAULT hilo_next('parted_2')) FOR VALUES IN (2);
CREATE TABLE parent (id int DEFAULT hilo_next_tag('p'));
CREATE TABLE child (id int DEFAULT hilo_next('child')) INHERITS (parent);
SELECT hilo_create('p'), hilo_rename('p', 'q"''');
SELECT adrelid::regclass, pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid::regclass::text ~ 'par|chi' ORDER BY 1;

-- refused: a name that is taken, reserved, of another kind; what draws by something else; another's
SELECT hilo_rename('g2', 'S2');
SELECT hilo_rename('g2', 'hilo.x');
SELECT hilo_rename('g2', 'g|');
SELECT hilo_rename('s2', 's|');
SELECT hilo_rename('r2', 'r|');
SELECT hilo_rename('i2|', 'i');
SELECT length(document_id('any/'));
SELECT hilo_rename('|', 'any|');
SELECT hilo_rename('nobody', 'x');
SELECT hilo_rename('g2', '');
SELECT hilo_rename('g2', NULL);
CREATE TABLE texts (id text DEFAULT hilo_next_id('r2'));
SELECT hilo_rename('r2', 'r3');
DROP TABLE texts;
SET ROLE regress_hilo_clerk;
SELECT hilo_rename('g2', 'mine');
CREATE TABLE re.mine (id bigint DEFAULT hilo_next_tag('re.mine'));
INSERT INTO re.mine DEFAULT VALUES RETURNING id;
-- the owner of a table, who may create no other generator
SELECT hilo_rename('re.mine', 'ours');
SELECT hilo_rename('re.mine', 're.mine/ours');
INSERT INTO re.mine DEFAULT VALUES RETURNING id > 1 AS above;
-- a table of a role without the right to use it has no say
RESET ROLE;
SET ROLE regress_hilo_other;
CREATE TABLE re.strange (id bigint DEFAULT hilo_next_tag('re.mine/ours'));
RESET ROLE;
SET ROLE regress_hilo_clerk;
SELECT hilo_rename('re.mine/ours', 're.mine');
-- one of a role with it must be changed by that role
SELECT hilo_grant('re.mine', 'regress_hilo_other');
RESET ROLE;
ALTER TABLE strange ALTER id SET DEFAULT hilo_next_tag('re.mine');
SET ROLE regress_hilo_clerk;
SELECT hilo_rename('re.mine', 're.mine/ours');
RESET ROLE;

SET client_min_messages = warning;
DROP SCHEMA re CASCADE;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
DROP ROLE regress_hilo_clerk, regress_hilo_other;
