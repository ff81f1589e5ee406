-- Errors that statements show: of names, definitions, ids and ranges.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/errors_setup.sql'
\set teardown :srcdir '/sql/include/errors_teardown.sql'
\i :setup

-- names
CREATE TABLE cut (id int DEFAULT hilo_next('cut'));
CREATE TABLE constants (id int PRIMARY KEY DEFAULT 7);
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
('a text stands for a table that has its ids from elsewhere', $$SELECT low FROM hilo_next_range('constants')$$),
('a generator of that name was dropped in this transaction', $$SELECT hilo_create('dropped'); SELECT hilo_drop('dropped'); SELECT hilo_next_tag('dropped')$$),
('the current transaction has changed the generator''s scattering, `domain_bits`, hub or source, or ordering `gapless`', $$SELECT hilo_alter('invoices', 'scattered'); SELECT hilo_next_tag('invoices')$$);

-- hilo_create, hilo_alter and hilo_drop
CREATE TABLE default_one (id bigint DEFAULT hilo_next_tag('orders'));
CREATE TABLE default_two (id bigint DEFAULT hilo_next_tag('invoices'), no text DEFAULT hilo_next_id('invoices'));
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
('a counter of RavenDB''s is imported into a generator whose ids are scattered', $$SELECT hilo_create('spread', 'scattered'); SELECT hilo_import_ravendb('[{"Max": 5, "@metadata": {"@id": "Raven/Hilo/spread"}}]', NULL)$$),
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

-- rights
INSERT INTO condition (condition, command) VALUES
('the role may not use the generator', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_next_tag('invoices')$$),
('the role may not use the generator, whose owner was dropped', $$SELECT hilo_create('new'), hilo_alter('new', owner => 'regress_hilo_gone'); DROP ROLE regress_hilo_gone; SET LOCAL ROLE regress_hilo_user; SELECT hilo_next_tag('new')$$),
('the role does not own the generator', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_seed('orders', 100)$$),
('no column draws from the generator, and the role may not create one', $$SET LOCAL ROLE pg_monitor; SELECT hilo_next_tag('new')$$),
('the current role is not a member of the new owner', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_create('new'); SELECT hilo_alter('new', owner => 'pg_monitor')$$),
('a role to grant to or to revoke from is null', $$SELECT hilo_grant('orders', NULL)$$),
('a role does not exist', $$SELECT hilo_grant('orders', 'regress_hilo_none')$$);

-- settings
INSERT INTO condition (condition, command) VALUES
('`hilo.node_tag` is not one to four letters, A to Z', $$SET hilo.node_tag = 'a'$$),
('`hilo.identity_parts_separator` is not one character, or is an ASCII letter or digit, `$` or a vertical bar', $$SET hilo.identity_parts_separator = '--'$$),
('a role without the right sets `hilo.node_tag` or `hilo.failover_skip`', $$SET LOCAL ROLE regress_hilo_user; SET hilo.node_tag = 'B'$$);

SELECT pg_temp.errors();

DROP TABLE cut, constants, default_one, default_two;
\i :teardown
