/*
 * id_scatter and id_gather
 */
CREATE TEMP TABLE vector (bits int, id bigint, scattered bigint);
INSERT INTO vector VALUES
(63, 1, 6471288949233678957), (63, 2, 409535292213455106), (63, 3, 6810301218366398272), (63, 1000, 8244780283711962385),
(63, 123456789, 5379949189915938301), (63, 9223372036854775806, 5972536240795155941), (63, 9223372036854775807, 8268309097012090827),
(53, 1, 5682747778309162), (53, 2, 3662646901172862), (53, 3, 6191579631016853), (53, 1000, 3852391423121606),
(53, 123456789, 4570830999169071), (53, 9007199254740990, 1289077835444276), (53, 9007199254740991, 3349797923416936);
SELECT * FROM vector WHERE id_scatter(id, bits) IS DISTINCT FROM scattered OR id_gather(scattered, bits) IS DISTINCT FROM id;
SELECT count(*) FROM vector;
SELECT id_scatter(1) = id_scatter(1, 63) AS is_63, id_gather(1) = id_gather(1, 63) AS is_63;

-- 1 .. 2^bits - 1 onto itself: all of small domains
SELECT bits, count(DISTINCT id_scatter(id, bits)) = (1 << bits) - 1 AS all,
       bool_and(id_scatter(id, bits) BETWEEN 1 AND (1 << bits) - 1) AS within,
       bool_and(id_gather(id_scatter(id, bits), bits) = id) AS back
  FROM generate_series(2, 16) bits, generate_series(1, (1 << bits) - 1) id GROUP BY bits ORDER BY bits;
-- some of every domain, both ways
SELECT count(*), bool_and(id_gather(id_scatter(id, bits), bits) = id AND id_scatter(id_gather(id, bits), bits) = id) AS back,
       bool_and(id_scatter(id, bits) BETWEEN 1 AND max AND id_gather(id, bits) BETWEEN 1 AND max) AS within
  FROM generate_series(2, 63) bits, LATERAL (SELECT (9223372036854775807::bigint >> (63 - bits)) AS max) m, generate_series(1, 500) i,
       LATERAL (SELECT CASE i WHEN 1 THEN 1 WHEN 2 THEN max WHEN 3 THEN max / 2 + 1 ELSE (hashint8extended(i, bits) & 9223372036854775807) % max + 1 END AS id) t;

/*
 * The ids of a young generator look random: each byte of them, and each bit,
 * when one bit of the plain id changes.  255 degrees of freedom: above 378 is
 * one chance in a million.
 */
CREATE TEMP TABLE young AS
SELECT bits, id_scatter(id, bits) AS id FROM unnest(ARRAY[53, 63]) bits, generate_series(1, 65536) id;
\getenv srcdir PG_ABS_SRCDIR
\set random :srcdir '/sql/include/random_bytes.sql'
\i :random
-- half of the bits change with each bit of the id, and each does with about every second
SELECT bits, round(avg(flips) / bits, 2) AS flips, min(flips) > bits * 0.05 AS some_in_each
  FROM (SELECT bits, bit_count((id_scatter(id, bits) # id_scatter(id # (1::bigint << bit), bits))::bit(64)) AS flips
          FROM unnest(ARRAY[53, 63]) bits, generate_series(1100, 1999) id, generate_series(0, bits - 1) bit) t
 GROUP BY bits ORDER BY bits;
SELECT bits, round(min(share), 1) AS low, round(max(share), 1) AS high
  FROM (SELECT bits, out_bit, avg(((id_scatter(id, bits) # id_scatter(id # (1::bigint << bit), bits)) >> out_bit) & 1) AS share
          FROM unnest(ARRAY[53, 63]) bits, generate_series(1100, 1299) id, generate_series(0, bits - 1) bit, generate_series(0, bits - 1) out_bit
         GROUP BY bits, out_bit) t
 GROUP BY bits ORDER BY bits;
-- odd and even do not take turns
SELECT bits, count(*) FILTER (WHERE id & 1 <> before & 1) BETWEEN 32000 AND 33500 AS mixed
  FROM (SELECT bits, id, lag(id) OVER () AS before FROM young) t GROUP BY bits ORDER BY bits;

SELECT id_scatter(NULL), id_gather(1, NULL);
SELECT id_scatter(0);
SELECT id_scatter(-1);
SELECT id_scatter(9007199254740992, 53);
SELECT id_gather(0);
SELECT id_gather((-9223372036854775808));
SELECT id_gather(9007199254740992, 53);
SELECT id_scatter(1, 64);
SELECT id_scatter(1, 1);
SELECT id_gather(1, 0);
SELECT id_gather(1, -53);
