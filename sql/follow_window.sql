-- Ids that rows bring to the window of a followed generator: its word goes up to them, and nothing else.
SET hilo.prefetch = off;
CREATE SCHEMA fw;
SET search_path = fw, public;
CREATE FUNCTION last(generator text) RETURNS bigint LANGUAGE sql AS $$
	SELECT last FROM hilo_generators() WHERE name = generator
$$;
CREATE TABLE t (id bigint PRIMARY KEY, no int UNIQUE CHECK (no > 0));
SELECT hilo_create('t', range_size => 200, max_range_size => 200), hilo_attach('t', 'id', follow => true);
-- all ids come from one window
SELECT ordering FROM hilo_generators() WHERE name = 't';

-- within the window no row of hilo changes; above it the number does, in place
INSERT INTO t VALUES (10);
CREATE TEMP VIEW row AS SELECT ctid, xmin, reserved FROM hilo_internal.hilo_hi WHERE name = '#' || 'fw.t'::regclass::oid;
SELECT count(*) FROM row;
SELECT * FROM row \gset
INSERT INTO t VALUES (12), (11), (60);
INSERT INTO t DEFAULT VALUES RETURNING id;
SELECT ctid = :'ctid' AS same, reserved = :reserved AS untouched FROM row;
INSERT INTO t VALUES (5000);
INSERT INTO t DEFAULT VALUES RETURNING id;
SELECT ctid = :'ctid' AND xmin = :'xmin' AS same, reserved > 5000 AS above FROM row;
SELECT windows, handed_out, lost FROM hilo_stats() WHERE name = 't';

-- a row that is refused moves nothing
INSERT INTO t VALUES (5002, 7);
INSERT INTO t VALUES (5050, -7);
INSERT INTO t VALUES (5051, 7);
INSERT INTO t VALUES (5052, 7) ON CONFLICT (no) DO NOTHING;
INSERT INTO t VALUES (5053, 7) ON CONFLICT (no) DO UPDATE SET no = 8;
INSERT INTO t VALUES (90000, -7);
SELECT last('t');
-- a rollback leaves a gap
BEGIN;
INSERT INTO t VALUES (5010);
ROLLBACK;
INSERT INTO t DEFAULT VALUES RETURNING id;

-- a client's range comes back if no row has brought an id of what is returned
SELECT low, high, range_no FROM hilo_next_range('t', 10) \gset
UPDATE t SET id = id WHERE id = :low - 1;
SELECT hilo_return_range('t', :high, :low - 1, :range_no) AS returned, last('t') = :low - 1 AS as_before;
SELECT low, high, range_no FROM hilo_next_range('t', 10) \gset
INSERT INTO t VALUES (:low + 3), (:low + 1);
SELECT hilo_return_range('t', :high, :low + 2, :range_no) AS returned, last('t') = :high AS as_before;
SELECT hilo_return_range('t', :high, :low + 3, :range_no) AS returned, last('t') = :low + 3 AS lower;
INSERT INTO t DEFAULT VALUES RETURNING id = :low + 4 AS next;
SELECT low, high, range_no FROM hilo_next_range('t', 10) \gset
INSERT INTO t VALUES (:high + 1);
SELECT hilo_return_range('t', :high, :low, :range_no) AS returned;
INSERT INTO t DEFAULT VALUES RETURNING id = :high + 2 AS next;

-- jumps in a row find a window after the second one
CREATE TABLE jumps (id bigint PRIMARY KEY);
SELECT hilo_attach('jumps', 'id', follow => true);
INSERT INTO jumps SELECT 1000000 * i FROM generate_series(1, 10) i;
SELECT ranges, last('jumps') FROM hilo_stats() WHERE name = 'jumps';
INSERT INTO jumps DEFAULT VALUES RETURNING id;

-- the end: ids above the last window, up to max_value, and when all are reserved
CREATE TABLE short (id smallint PRIMARY KEY);
SELECT hilo_attach('short', 'id', follow => true);
INSERT INTO short VALUES (20000), (32766);
INSERT INTO short DEFAULT VALUES RETURNING id;
INSERT INTO short VALUES (1);
SELECT hilo_seed('short', 32760, force => true);
INSERT INTO short VALUES (32765);
DELETE FROM short;
INSERT INTO short VALUES (32767);
INSERT INTO short DEFAULT VALUES;
INSERT INTO short VALUES (2);

-- altered so that sessions hold ids, and back
CREATE TABLE altered (id bigint PRIMARY KEY);
SELECT hilo_attach('altered', 'id', follow => true);
INSERT INTO altered VALUES (10);
SELECT hilo_alter('altered', 'session');
INSERT INTO altered DEFAULT VALUES RETURNING id;
INSERT INTO altered VALUES (20), (50);
INSERT INTO altered DEFAULT VALUES RETURNING id > 50 AS above;
SELECT hilo_alter('altered', 'global');
INSERT INTO altered VALUES (1000);
INSERT INTO altered DEFAULT VALUES RETURNING id;
-- an existing generator is made global, which takes its owner
CREATE ROLE regress_hilo_clerk;
SELECT hilo_create('shared'), hilo_grant('shared', 'regress_hilo_clerk');
GRANT CREATE, USAGE ON SCHEMA fw TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
CREATE TABLE fw.others (id bigint PRIMARY KEY);
SELECT hilo_attach('fw.others', 'id', 'shared', follow => true);
RESET ROLE;
SELECT hilo_attach('others', 'id', 'shared', follow => true);
SELECT ordering FROM hilo_generators() WHERE name = 'shared';
-- the table's owner may not raise it: an id that was reserved and not handed out, and one handed out
SET ROLE regress_hilo_clerk;
INSERT INTO fw.others DEFAULT VALUES RETURNING id;
INSERT INTO fw.others VALUES (2);
RESET ROLE;
INSERT INTO others VALUES (2);
SELECT hilo_next_tag('shared');
SET ROLE regress_hilo_clerk;
INSERT INTO fw.others VALUES (2);
RESET ROLE;

SET client_min_messages = warning;
DROP SCHEMA fw CASCADE;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
DROP ROLE regress_hilo_clerk;
