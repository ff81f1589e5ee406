-- Errors that statements show: of anchors and number schemes.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/errors_setup.sql'
\set teardown :srcdir '/sql/include/errors_teardown.sql'
\i :setup

-- anchors
INSERT INTO condition (condition, command) VALUES
('an id to be hashed has more than 512 bytes in lower case', $$SELECT anchor_bucket(repeat('x', 513))$$),
('`anchor_to` is given nothing', $$SELECT anchor_to('', 'orders/1')$$),
('`anchor_to` is given what is no final id', $$SELECT anchor_to('invoices/', 'orders/1')$$),
('nothing can be anchored to the target', $$SELECT anchor_to('invoices/1', '$orders')$$),
('`shards` is not a number of shards', $$SELECT * FROM anchor_ranges(0)$$),
('the number of partitions is not one', $$SELECT anchor_partitions('plain', 0)$$);

-- number schemes
INSERT INTO condition (condition, command) VALUES
('an id, or a part of one, is not what it can be', $$SELECT id_scatter(0)$$),
('the number of bits is not one', $$SELECT id_encrypt(1, '\x000102030405060708090a0b0c0d0e0f', 64)$$),
('a key has not 16 bytes', $$SELECT id_encrypt(1, '\x736563726574')$$),
('a text is no id''s', $$SELECT id_from_text('000000000001i')$$),
('the time in a trace id, or around it, is infinite', $$SELECT trace_id('infinity', 0, 0, 1)$$),
('the time in a trace id is past the last timestamp', $$SELECT trace_id_parts(1::bigint << 60, '294276-12-31 23:59:59Z')$$),
('a name is reserved, and the role is not a superuser', $$SET LOCAL ROLE regress_hilo_user; SELECT hilo_next_tag('hilo.mine')$$),
('`hilo.launch_id` is not set for the database', $$SELECT decimal_id_next()$$),
('a launch has used up its numbers', $$SELECT hilo_create('hilo.decimal_id/99999', first => 92232797862799);
	SET LOCAL hilo.launch_id = 99999; SELECT decimal_id_next()$$),
('`hilo.node_no` is not set', $$SELECT trace_id_next()$$);

SELECT pg_temp.errors();

\i :teardown
