/*
 * id_encrypt, id_decrypt and those of any interval
 *
 * The vectors are those of another implementation, in Python, whose SipHash has the
 * vectors that its authors publish.
 */
\set key '''\\x000102030405060708090a0b0c0d0e0f''::bytea'
CREATE TEMP TABLE vector (low bigint, high bigint, tweak bigint, id bigint, encrypted bigint);
INSERT INTO vector VALUES
(1, 9223372036854775807, 0, 1, 6900646633436120245), (1, 9223372036854775807, 0, 2, 5393622593221371763),
(1, 9223372036854775807, 0, 3, 1144287920658576417), (1, 9223372036854775807, 0, 1000, 8239165728515999748),
(1, 9223372036854775807, 0, 123456789, 481537548687875013), (1, 9223372036854775807, 0, 9223372036854775806, 1049715729544025821),
(1, 9223372036854775807, 0, 9223372036854775807, 3242742094844979452),
(1, 9223372036854775807, 1, 1, 6858213420741821909), (1, 9223372036854775807, 1, 2, 3735933711214856408),
(1, 9223372036854775807, 1, 3, 7104997715587283481), (1, 9223372036854775807, 1, 1000, 8904972408453148624),
(1, 9223372036854775807, 1, 9223372036854775807, 5198619295428522615),
(1, 9007199254740991, 0, 1, 6415962473269867), (1, 9007199254740991, 0, 2, 7028404082799209),
(1, 9007199254740991, 0, 3, 8696790743311548), (1, 9007199254740991, 0, 1000, 6489262849480068),
(1, 9007199254740991, 0, 123456789, 5337498740212907), (1, 9007199254740991, 0, 9007199254740990, 8195760018260266),
(1, 9007199254740991, 0, 9007199254740991, 3334152604066560),
(1, 9007199254740991, 1, 1, 3978819744249480), (1, 9007199254740991, 1, 2, 7274707493881165),
(1, 1000000, 0, 1, 73029), (1, 1000000, 0, 2, 197086), (1, 1000000, 0, 3, 646031), (1, 1000000, 0, 1000, 862389),
(1, 1000000, 0, 999999, 858138), (1, 1000000, 0, 1000000, 553344), (1, 1000000, 1, 1, 197790),
(-9223372036854775808, 9223372036854775807, 0, 1, -2343230964777470767),
(-9223372036854775808, 9223372036854775807, 0, 2, 1413733053934552834),
(-9223372036854775808, 9223372036854775807, 0, 9223372036854775807, 5680250687099318397),
(-9223372036854775808, 9223372036854775807, -1, 5, 5444851199608079021), (-9223372036854775808, 9223372036854775807, 9223372036854775807, -5, 4859686293092561922),
(0, 2, 0, 0, 2), (0, 2, 0, 1, 0), (0, 2, 0, 2, 1), (0, 3, 0, 0, 2), (0, 3, 0, 1, 3), (0, 3, 0, 2, 1), (0, 3, 0, 3, 0),
(0, 4, 0, 0, 0), (0, 4, 0, 1, 1), (0, 4, 0, 2, 4), (0, 4, 0, 3, 2), (0, 4, 0, 4, 3), (-7, 250, 0, -7, 183), (-7, 250, 0, -6, 52);
SELECT * FROM vector
 WHERE id_encrypt_range(id, :key, low, high, tweak) IS DISTINCT FROM encrypted
    OR id_decrypt_range(encrypted, :key, low, high, tweak) IS DISTINCT FROM id;
SELECT count(*), count(*) FILTER (WHERE id_encrypt(id, :key, bits, tweak) = encrypted AND id_decrypt(encrypted, :key, bits, tweak) = id) AS right
  FROM vector JOIN (VALUES (9223372036854775807, 63), (9007199254740991, 53)) t (high, bits) USING (high) WHERE low = 1;
SELECT id_encrypt(1, :key) = id_encrypt(1, :key, 63, 0) AS defaults, id_decrypt(1, :key) = id_decrypt(1, :key, 63, 0) AS defaults,
       id_encrypt_range(1, :key, 1, 9) = id_encrypt_range(1, :key, 1, 9, 0) AS defaults,
       id_decrypt_range(1, :key, 1, 9) = id_decrypt_range(1, :key, 1, 9, 0) AS defaults;

-- onto itself: all of small intervals, wherever they lie
CREATE TEMP TABLE small (low bigint, high bigint);
INSERT INTO small VALUES (1, 1), (0, 1), (0, 2), (0, 3), (0, 4), (1, 1000), (-7, 250), (-9223372036854775808, -9223372036854775808),
(-9223372036854775808, -9223372036854775803), (9223372036854775800, 9223372036854775807), (9223372036854775807, 9223372036854775807);
INSERT INTO small SELECT -n / 2, n - n / 2 FROM generate_series(5, 70) n;
INSERT INTO small SELECT 10, n FROM unnest(ARRAY[1032, 1033, 1034, 4105, 5000]) n;
SELECT low, high FROM (
	SELECT low, high, id, id_encrypt_range(id, :key, low, high, tweak) AS encrypted, tweak
	  FROM small, generate_series(0, 1) tweak, LATERAL (SELECT low + i AS id FROM generate_series(0, high - low) i) t) t
 GROUP BY low, high, tweak
HAVING count(DISTINCT encrypted) <> high - low + 1 OR NOT bool_and(encrypted BETWEEN low AND high)
    OR NOT bool_and(id_decrypt_range(encrypted, :key, low, high, tweak) = id);
SELECT bits, count(DISTINCT id_encrypt(id, :key, bits)) = (1 << bits) - 1 AS all
  FROM generate_series(2, 12) bits, generate_series(1, (1 << bits) - 1) id GROUP BY bits ORDER BY bits;
-- some of all kinds of intervals, both ways, under many keys
CREATE TEMP TABLE kind AS
SELECT i, decode(md5(i::text), 'hex') AS key, hashint8extended(i, 1) AS tweak, least(a, b) AS low, greatest(a, b) AS high
  FROM generate_series(1, 2000) i, LATERAL (SELECT hashint8extended(i, 2) >> (i % 8 * 9) AS a, hashint8extended(i, 3) >> (i / 8 % 8 * 9) AS b) t;
SELECT count(*), count(*) FILTER (WHERE high::numeric - low > 9223372036854775807) > 5 AS some_are_wide,
       bool_and(id_encrypt_range(id, key, low, high, tweak) BETWEEN low AND high AND id_decrypt_range(id, key, low, high, tweak) BETWEEN low AND high) AS within,
       bool_and(id_decrypt_range(id_encrypt_range(id, key, low, high, tweak), key, low, high, tweak) = id) AS back,
       bool_and(id_encrypt_range(id_decrypt_range(id, key, low, high, tweak), key, low, high, tweak) = id) AS back
  FROM kind, LATERAL (SELECT unnest(ARRAY[low, high, (low::numeric + mod(abs(hashint8extended(i, 4)::numeric), high::numeric - low + 1))::bigint]) AS id) t;

-- random: each byte, all bits when one of the plain id changes, of the key or of the tweak
CREATE TEMP TABLE young AS
SELECT bits, id_encrypt(id, :key, bits) AS id FROM unnest(ARRAY[53, 63]) bits, generate_series(1, 65536) id;
SELECT bits, shift, round(chi_square) < 378 AS random
  FROM (SELECT bits, shift, sum((n - 256.0) ^ 2 / 256) AS chi_square
          FROM (SELECT bits, shift, (id >> shift) & 255 AS byte, count(*) AS n
                  FROM young, generate_series(0, 48, 8) shift WHERE shift + 8 <= bits GROUP BY 1, 2, 3) t
         GROUP BY bits, shift) t
 ORDER BY bits, shift;
SELECT bits, round(avg(flips) / bits, 2) AS flips, min(flips) > bits * 0.1 AS many_in_each
  FROM (SELECT bits, bit_count((id_encrypt(id, :key, bits) # id_encrypt(id # (1::bigint << bit), :key, bits))::bit(64)) AS flips
          FROM unnest(ARRAY[53, 63]) bits, generate_series(1100, 1599) id, generate_series(0, bits - 1) bit) t
 GROUP BY bits ORDER BY bits;
SELECT bits, round(min(share), 1) AS low, round(max(share), 1) AS high
  FROM (SELECT bits, out_bit, avg(((id_encrypt(id, :key, bits) # id_encrypt(id # (1::bigint << bit), :key, bits)) >> out_bit) & 1) AS share
          FROM unnest(ARRAY[53, 63]) bits, generate_series(1100, 1149) id, generate_series(0, bits - 1) bit, generate_series(0, bits - 1) out_bit
         GROUP BY bits, out_bit) t
 GROUP BY bits ORDER BY bits;
SELECT round(avg(bit_count((id_encrypt(id, :key) # id_encrypt(id, set_bit(:key, bit, 1 - get_bit(:key, bit))))::bit(64))) / 63, 2) AS of_key
  FROM generate_series(1, 50) id, generate_series(0, 127) bit;
SELECT round(avg(bit_count((id_encrypt(id, :key) # id_encrypt(id, :key, 63, 1::bigint << bit))::bit(64))) / 63, 2) AS of_tweak
  FROM generate_series(1, 50) id, generate_series(0, 63) bit;

SELECT id_encrypt(NULL, :key), id_encrypt(1, NULL), id_decrypt_range(1, :key, NULL, 9);
SELECT id_encrypt(0, :key);
SELECT id_encrypt(-1, :key);
SELECT id_encrypt(9007199254740992, :key, 53);
SELECT id_decrypt(0, :key);
SELECT id_decrypt(9007199254740992, :key, 53);
SELECT id_encrypt(1, :key, 64);
SELECT id_decrypt(1, :key, 1);
SELECT id_encrypt_range(10, :key, 1, 9);
SELECT id_encrypt_range(0, :key, 1, 9);
SELECT id_decrypt_range(-8, :key, -7, 250);
SELECT id_encrypt_range(1, :key, 2, 1);
SELECT id_decrypt_range(1, :key, 9223372036854775807, -9223372036854775808);
-- no error shows a key
SELECT id_encrypt(1, '');
SELECT id_encrypt(1, '\x736563726574');
SELECT id_decrypt(1, '\x000102030405060708090a0b0c0d0e');
SELECT id_encrypt_range(1, '\x000102030405060708090a0b0c0d0e0f10', 1, 9);
SELECT id_decrypt_range(1, '\x736563726574', 1, 9);
