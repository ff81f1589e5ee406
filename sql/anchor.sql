/*
 * anchor_bucket, anchor_of, anchor_to, anchor_match
 */
SET client_encoding TO UTF8;
SET default_toast_compression = pglz;

-- RavenDB's buckets
CREATE TEMP TABLE vector (id text, bucket int);
INSERT INTO vector VALUES
	('users/1', 1005385),
	('users/1-A', 977134),
	('Users/1-A', 977134),
	('USERS/1-a', 977134),
	('orders/54-B', 469144),
	('orders/54-C', 277303),
	('users/0000000000000000001-A', 808066),
	('Users/4', 690258),
	('Users/70$Users/4', 690258),
	('Users/71$users/4', 690258),
	('a$b$users/4', 690258),
	('Users/1$foo', 309823),
	('foo', 309823),
	('$foo', 706099),
	('$', 1029530),
	('a$', 584089),
	('users/1$', 584089),
	('users/1/$abc', 461209),
	('abc', 461209),
	('users/1$a', 814683),
	('users/2$a', 814683),
	('users/3$a', 814683),
	('a', 814683),
	('users/1$b', 237467),
	('b', 237467),
	('users/1$c', 415725),
	('c', 415725),
	('Raven/Hilo/users', 706057),
	('Raven/Hilo/Users', 706057),
	('Raven/Hilo/orders', 638964),
	('eu/0', 857695),
	('asia/1', 331878),
	('invoices/1$orders/54-B', 469144),
	('ÜBER/1', 700489),
	('über/1', 700489),
	('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 760304),
	('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 798955),
	('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 133286),
	('users/$', 584089),
	('$$', 584089),
	('a$$', 584089),
	('$$a', 814683);
SELECT count(*) AS vectors, count(*) FILTER (WHERE anchor_bucket(id) = bucket) AS right FROM vector;
SELECT id, bucket, anchor_bucket(id) FROM vector WHERE anchor_bucket(id) <> bucket;

-- where the anchor begins
SELECT id, anchor_of(id), anchor_bucket(id) = anchor_bucket(anchor_of(id)) AS same
  FROM unnest(ARRAY['orders/54-B', 'invoices/1$orders/54-B', 'a$b$c', '$foo', '$', 'a$', '$$', '$$a', 'ab$c', '',
                    'ÜBER$ÄB', '€$', '$€', 'Invoices/1$Orders/54-B']) id;
-- nothing after it, and nothing at all, hash the empty string
SELECT anchor_bucket(''), anchor_bucket('users/1$'), anchor_bucket(NULL), anchor_of(NULL);

-- every length, and every byte of ASCII in every place of a word
SELECT count(DISTINCT anchor_bucket(repeat('A', n))) AS buckets,
       count(*) FILTER (WHERE anchor_bucket(repeat('A', n)) = anchor_bucket(repeat('a', n))) AS folded,
       count(*) FILTER (WHERE anchor_bucket(repeat('x', 512 - n) || '$' || repeat('y', n - 1)) = anchor_bucket(repeat('y', n - 1))) AS anchored
  FROM generate_series(1, 510) n;
SELECT count(*) FILTER (WHERE anchor_bucket(id) IS DISTINCT FROM anchor_bucket(lower(id COLLATE "C"))) AS differ,
       count(DISTINCT lower(id COLLATE "C")) AS ids, count(DISTINCT anchor_bucket(id)) AS buckets
  FROM generate_series(1, 127) c, generate_series(0, 16) n,
       concat(repeat('_', n), chr(c), repeat('_', 16 - n)) id;

-- lower case beyond ASCII is that of docid_fold
SELECT count(*) FILTER (WHERE anchor_bucket(id) <> anchor_bucket(docid_fold(id))) AS differ
  FROM generate_series(128, 70000) c, concat('users/', chr(c), '-A') id WHERE c NOT BETWEEN 55296 AND 57343;
SELECT anchor_bucket(U&'\0130') = anchor_bucket('i') AS dotted, anchor_bucket(U&'\212A') = anchor_bucket('k') AS kelvin,
       anchor_bucket(U&'\+010400') = anchor_bucket(U&'\+010428') AS beyond_bmp;

-- the limit is one of the lower case
SELECT anchor_bucket(repeat('x', 513));
SELECT anchor_bucket(repeat(U&'\023A', 171));
SELECT anchor_bucket(repeat(U&'\023A', 170)) IS NOT NULL AS fits, anchor_bucket(repeat(U&'\212A', 512)) = anchor_bucket(repeat('k', 512)) AS shrinks;
SELECT anchor_bucket(repeat(U&'\212A', 513));
SELECT anchor_bucket(repeat('x', 10000000));
-- of the whole id, not of the anchor
SELECT anchor_bucket(repeat('x', 510) || '$yz');
SELECT anchor_of(repeat('x', 1000) || '$yz');

-- an index, a partition key and a generated column may rest on it
SELECT proname, pronargs, provolatile, proisstrict, proparallel FROM pg_proc WHERE proname ~ '^anchor_(bucket|of|to|match)$' ORDER BY 1, 2;
CREATE TABLE anchor_doc (id text, bucket int GENERATED ALWAYS AS (anchor_bucket(id)) STORED);
CREATE INDEX ON anchor_doc (anchor_bucket(id));
INSERT INTO anchor_doc SELECT id FROM vector;
SELECT count(*) FROM anchor_doc WHERE anchor_bucket(id) = anchor_bucket('ORDERS/54-B');
-- short and long headers, compressed, toasted: the last two need a row that is too wide
CREATE TEMP TABLE anchor_toast (compressed text, apart text, wide text);
ALTER TABLE anchor_toast ALTER apart SET STORAGE EXTERNAL, ALTER wide SET STORAGE PLAIN;
INSERT INTO anchor_toast SELECT repeat('Ab', n), repeat('Ab', n), repeat('x', 1800) FROM unnest(ARRAY[1, 60, 63, 64, 65, 256]) n;
SELECT length(apart), pg_column_compression(compressed), anchor_bucket(compressed) = anchor_bucket(repeat('aB', length(apart) / 2)) AS is_right,
       anchor_bucket(compressed) = anchor_bucket(apart) AS is_same FROM anchor_toast ORDER BY 1;
SELECT pg_relation_size(reltoastrelid) > 0 AS toasted FROM pg_class WHERE oid = 'anchor_toast'::regclass;
DROP TABLE anchor_doc;

-- anchor_to
SELECT anchor_to('invoices/1', 'orders/54-B'), anchor_to('invoices/1', 'orders/54-B$users/1'),
       anchor_to('invoices/1$users/7', 'orders/54-B'), anchor_to('invoices/1', 'users/1$'), anchor_to('$a', 'b');
SELECT count(*) AS differ FROM vector a, vector b
 WHERE b.id NOT LIKE '%/' AND (b.id NOT LIKE '$%' OR b.id LIKE '$%$%') AND a.id NOT LIKE '%/'
   AND anchor_bucket(anchor_to(a.id, b.id)) <> anchor_bucket(b.id);
SELECT anchor_to(NULL, 'a'), anchor_to('a', NULL);
SELECT length(anchor_to(repeat('x', 255), repeat('y', 256)));
SELECT anchor_to(repeat('x', 256), repeat('y', 256));
SELECT length(anchor_to(repeat('x', 256), repeat('y', 256) || '$z'));
SELECT length(anchor_to(repeat('x', 256), repeat(U&'\212A', 255)));
SELECT anchor_to(repeat('x', 1000000), repeat('y', 1000000));
SELECT anchor_to('', 'a');
SELECT anchor_to('a', '');
SELECT anchor_to('users/', 'a');
SELECT anchor_to('users|', 'a');
SELECT anchor_to('a', 'users/');
SELECT anchor_to('a', 'users|');
SELECT anchor_to('a', '$foo');
SELECT anchor_to('a', '$');

-- anchor_match is nothing to the planner but the two conditions
EXPLAIN (COSTS off, VERBOSE) SELECT FROM vector WHERE anchor_match(id, 'orders/54-B');
SELECT id FROM vector WHERE anchor_match(id, 'orders/54-B');
SELECT anchor_match('a', 'A'), anchor_match(NULL, 'a'), anchor_match('a', NULL);

-- no search_path leads it astray
CREATE SCHEMA anchor_astray;
CREATE FUNCTION anchor_astray.anchor_bucket(text) RETURNS int LANGUAGE sql AS 'SELECT 7';
CREATE FUNCTION anchor_astray.eq(int, int) RETURNS bool LANGUAGE sql AS 'SELECT false';
CREATE OPERATOR anchor_astray.= (LEFTARG = int, RIGHTARG = int, FUNCTION = anchor_astray.eq);
SET search_path = anchor_astray, public, pg_catalog;
SELECT anchor_match('a', 'a');
RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA anchor_astray CASCADE;
RESET client_min_messages;
