/*
 * hilo_next_tag, hilo_next, hilo_next_id, hilo_current
 */
SET hilo.prefetch = off;
SELECT hilo_create('Next');

-- count
SELECT * FROM hilo_next_tag('next', 3);
SELECT hilo_next_tag('next', 2), hilo_next_tag('next');
SELECT count(*), min(id), max(id), count(DISTINCT id) FROM hilo_next_tag('next', 1000) id;
SELECT * FROM hilo_next_tag('next', 0);
SELECT last, hilo_current('next') FROM hilo_generators() WHERE name = 'Next';
SELECT hilo_next_tag('next', -1) LIMIT 1;
SELECT hilo_next_tag('next', -9223372036854775808) LIMIT 1;
SELECT * FROM hilo_next_tag('next', NULL);
SELECT * FROM hilo_next_tag(NULL, 1);
SELECT * FROM hilo_next_tag('', 0);
SELECT hilo_next_tag('next', 9223372036854775807) LIMIT 2;
-- more than there are
SELECT hilo_create('next_few', max_value => 10);
SELECT count(*) FROM hilo_next_tag('next_few', 7);
SELECT * FROM hilo_next_tag('next_few', 4);
SELECT * FROM hilo_next_tag('next_few', 1);
SELECT * FROM hilo_next_tag('next_few', 0);
-- of a range in hand, of two, and interleaved with single ones
SELECT hilo_drop('next_few'), hilo_create('next_few', range_size => 4, max_range_size => 4);
SELECT hilo_next_tag('next_few'), array(SELECT hilo_next_tag('next_few', 2)), hilo_next_tag('next_few'),
       array(SELECT hilo_next_tag('next_few', 9)), hilo_next_tag('next_few');

-- text ids: the name as first written, separator, number, node tag
SELECT hilo_next_id('NEXT') = 'Next/' || hilo_current('next') || '-A' AS as_written;
SELECT hilo_create('next_id', max_value => 100000, range_size => 3, max_range_size => 3);
SELECT hilo_next_id('next_id'), hilo_next_tag('next_id'), hilo_next_id('next_id');
SET hilo.identity_parts_separator = '-';
SELECT hilo_next_id('next_id');
SET hilo.identity_parts_separator = U&'\00B7';
SELECT hilo_next_id('next_id');
RESET hilo.identity_parts_separator;
SELECT hilo_next_id('next_id');
-- the node tag as it was when the range was taken, not when the id is
SET hilo.node_tag = 'B';
SELECT hilo_next_id('next_id');
SET hilo.node_tag = 'CDEF';
SELECT hilo_next_id('next_id'), hilo_next_id('next_id');
SELECT hilo_next_id('next_id');
SELECT name, node_tag FROM hilo_session() WHERE name = 'next_id';
-- also of one reserved ahead
SELECT hilo_drop('next_id'), hilo_create('next_id', max_value => 100000, range_size => 4, max_range_size => 4);
SET hilo.node_tag = 'B';
SET hilo.prefetch = on;
SELECT hilo_next_id('next_id'), hilo_next_id('next_id'), hilo_next_id('next_id');
SET hilo.node_tag = 'C';
SELECT hilo_next_id('next_id'), hilo_next_id('next_id'), hilo_next_id('next_id');
SELECT count(*) FROM hilo_next_tag('next_id', 3);
SELECT hilo_next_id('next_id');
RESET hilo.node_tag;
SET hilo.prefetch = off;
-- what was returned to windows of another node tag is a gap
SELECT hilo_create('next_tag', max_value => 100000, range_size => 4, max_range_size => 4), hilo_next_id('next_tag');
SELECT low FROM hilo_next_range('next_tag', 4);
SELECT hilo_release('next_tag');
SET hilo.node_tag = 'B';
SELECT low FROM hilo_next_range('next_tag', 4);
SELECT hilo_next_id('next_tag'), hilo_drop('next_tag');
RESET hilo.node_tag;
-- 512 bytes at most; what does not fit is a gap
SELECT length(hilo_next_id(name)), hilo_current(name), hilo_drop(name)
  FROM (SELECT repeat('x', 508) AS name, hilo_create(repeat('x', 508))) t;
SELECT hilo_create(repeat('x', 509));
SELECT hilo_next_id(repeat('x', 509));
SELECT hilo_next_tag(repeat('x', 509));
SELECT hilo_seed(repeat('x', 509), 9);
SELECT hilo_next_id(repeat('x', 509));
SELECT hilo_drop(repeat('x', 509));

-- current: this session's last id, in any way it got it but by a range for clients
SELECT hilo_create('next_current');
SELECT hilo_current('next_current');
SELECT hilo_next_tag('next_current'), hilo_current('next_current'), hilo_current('NEXT_current');
SELECT low, hilo_current('next_current') FROM hilo_next_range('next_current', 10);
SELECT hilo_next_hi('next_current', 100), hilo_current('next_current');
SELECT count(*), hilo_current('next_current') FROM hilo_next_tag('next_current', 5);
SELECT hilo_next_id('next_current'), hilo_current('next_current');
SELECT hilo_release('next_current'), hilo_current('next_current');
SELECT hilo_seed('next_current', 5000), hilo_current('next_current');
BEGIN;
SELECT hilo_next_tag('next_current');
ROLLBACK;
SELECT hilo_current('next_current');
SELECT hilo_current(NULL);
SELECT hilo_current('next_current_none');
-- it creates nothing and works where currval does
BEGIN READ ONLY;
SELECT hilo_current('next_current');
COMMIT;
\c -
SELECT hilo_current('next_current');

-- of a table, by a constant, a variable and a count; under its name of now
SET hilo.prefetch = off;
CREATE TABLE next_rows (id bigint DEFAULT hilo_next('next_rows'), no int);
INSERT INTO next_rows VALUES (DEFAULT, 1), (DEFAULT, 2) RETURNING *;
SELECT hilo_next('next_rows'), hilo_next(oid), array(SELECT hilo_next('next_rows', 3)), hilo_current('next_rows')
  FROM pg_class WHERE oid = 'next_rows'::regclass;
ALTER TABLE next_rows RENAME TO next_lines;
SELECT hilo_next('next_lines'), hilo_current('next_lines');
SELECT hilo_next('next_rows');
SELECT hilo_next(NULL);
SELECT * FROM hilo_next(NULL, 1);
SELECT * FROM hilo_next('next_lines', NULL);
SELECT * FROM hilo_next('next_lines', -1);
DROP TABLE next_lines;

SELECT hilo_drop(name) FROM hilo_generators() WHERE name ILIKE 'next%';
