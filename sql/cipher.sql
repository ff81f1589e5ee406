/*
 * id_encrypt, id_decrypt
 *
 * The vectors are those of another implementation, in Python; its SipHash has the
 * vectors that its authors publish.
 */
\set key '''\\x000102030405060708090a0b0c0d0e0f''::bytea'
CREATE TEMP TABLE vector (bits int, tweak bigint, id bigint, encrypted bigint);
INSERT INTO vector VALUES
(63, 0, 1, 6900646633436120245), (63, 0, 2, 5393622593221371763),
(63, 0, 3, 1144287920658576417), (63, 0, 1000, 8239165728515999748),
(63, 0, 123456789, 481537548687875013), (63, 0, 9223372036854775806, 1049715729544025821),
(63, 0, 9223372036854775807, 3242742094844979452),
(63, 1, 1, 6858213420741821909), (63, 1, 2, 3735933711214856408),
(63, 1, 3, 7104997715587283481), (63, 1, 1000, 8904972408453148624),
(63, 1, 9223372036854775807, 5198619295428522615),
(53, 0, 1, 6415962473269867), (53, 0, 2, 7028404082799209),
(53, 0, 3, 8696790743311548), (53, 0, 1000, 6489262849480068),
(53, 0, 123456789, 5337498740212907), (53, 0, 9007199254740990, 8195760018260266),
(53, 0, 9007199254740991, 3334152604066560),
(53, 1, 1, 3978819744249480), (53, 1, 2, 7274707493881165);
SELECT count(*), count(*) FILTER (WHERE id_encrypt(id, :key, bits, tweak) = encrypted AND id_decrypt(encrypted, :key, bits, tweak) = id) AS right
  FROM vector;
SELECT id_encrypt(1, :key) = id_encrypt(1, :key, 63, 0) AS defaults, id_decrypt(1, :key) = id_decrypt(1, :key, 63, 0) AS defaults;

-- onto itself, and back
SELECT bits, count(DISTINCT id_encrypt(id, :key, bits)) = (1 << bits) - 1 AS all,
       bool_and(id_decrypt(id_encrypt(id, :key, bits, bits), :key, bits, bits) = id) AS back
  FROM generate_series(2, 12) bits, generate_series(1, (1 << bits) - 1) id GROUP BY bits ORDER BY bits;
-- random: each byte, all bits when one of the plain id changes, of the key or of the tweak
CREATE TEMP TABLE young AS
SELECT bits, id_encrypt(id, :key, bits) AS id FROM unnest(ARRAY[53, 63]) bits, generate_series(1, 65536) id;
\getenv srcdir PG_ABS_SRCDIR
\set random :srcdir '/sql/include/random_bytes.sql'
\i :random
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

SELECT id_encrypt(NULL, :key), id_encrypt(1, NULL), id_decrypt(1, :key, NULL);
SELECT id_encrypt(0, :key);
SELECT id_encrypt(-1, :key);
SELECT id_encrypt(9007199254740992, :key, 53);
SELECT id_decrypt(0, :key);
SELECT id_decrypt(9007199254740992, :key, 53);
SELECT id_encrypt(1, :key, 64);
SELECT id_decrypt(1, :key, 1);
-- no error shows a key
SELECT id_encrypt(1, '');
SELECT id_encrypt(1, '\x736563726574');
SELECT id_decrypt(1, '\x000102030405060708090a0b0c0d0e');
SELECT id_encrypt(1, '\x000102030405060708090a0b0c0d0e0f10');
