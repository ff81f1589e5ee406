/*
 * The arithmetic of ranges: sizes, blocks, limits
 */
CREATE FUNCTION range_size(generator text, last_size bigint, age interval) RETURNS bigint
LANGUAGE sql AS $$
	SELECT CASE WHEN r.high - r.low + 1 = r.last_size THEN r.last_size END
	  FROM hilo_next_range(generator, NULL, last_size, clock_timestamp() - age) r
$$;

-- RavenDB's rule, by the age of the last range; a negative one lies in the future
SELECT hilo_create('range');
SELECT last_size,
       range_size('range', last_size, NULL) AS unknown,
       range_size('range', last_size, '-1 hour') AS "-1 h",
       range_size('range', last_size, '10 s') AS "10 s",
       range_size('range', last_size, '45 s') AS "45 s",
       range_size('range', last_size, '90 s') AS "90 s",
       range_size('range', last_size, '300 years') AS "300 y"
  FROM unnest(ARRAY[-9223372036854775808, -1, 0, 1, 16, 17, 31, 32, 33, 64, 65, 101,
                    524288, 524289, 1048576, 1048577, 4194304]) last_size;
SELECT age, range_size('range', 64, age) FROM unnest('{29 s,31 s,59 s,61 s}'::interval[]) age;
-- doubled it would overflow
SELECT last_size, range_size('range', last_size, '10 s') AS "10 s",
       range_size('range', last_size, '-1 hour') AS "-1 h"
  FROM unnest(ARRAY[4611686018427387903, 4611686018427387904, 9223372036854775807]) last_size;
SELECT r.last_size FROM hilo_next_range('range', NULL, 100, '-infinity') r;
SELECT r.last_size FROM hilo_next_range('range', NULL, 100, 'infinity') r;
SELECT r.last_size FROM hilo_next_range('range', NULL, NULL, NULL) r;
-- between a generator's own limits
SELECT hilo_create('range_own', range_size => 8, max_range_size => 64);
SELECT last_size, range_size('range_own', last_size, '10 s') AS "10 s",
       range_size('range_own', last_size, '90 s') AS "90 s"
  FROM unnest(ARRAY[0, 3, 4, 5, 8, 16, 17, 31, 32, 33, 64, 65]) last_size;

-- a size beyond what is left, up to the last bigint
SELECT hilo_create('range_end');
SELECT low, high, last_size FROM hilo_next_range('range_end', 32);
SELECT low, high, last_size FROM hilo_next_range('range_end', NULL, 9223372036854775807);
SELECT * FROM hilo_next_range('range_end');
SELECT hilo_seed('range_end', 9223372036854775774, force => true);
SELECT low, high FROM hilo_next_range('range_end', 32);
SELECT low, high FROM hilo_next_range('range_end', 32);
SELECT low FROM hilo_next_range('range_end', 1);
SELECT hilo_next_tag('range_end');

-- whole blocks: the next hi, at least 1, with all keys above the last id
SELECT hilo_create('range_block', max_value => 10000);
SELECT seed, block, hilo_seed('range_block', seed, force => true) = seed AS seeded,
       hilo_next_hi('range_block', block) AS hi
  FROM (VALUES (0, 1), (0, 10), (9, 10), (10, 10), (11, 10), (19, 10), (20, 10),
               (0, 1000), (999, 1000), (1000, 1000), (1999, 1000), (8999, 1000),
               (9999, 1)) t (seed, block);
SELECT last FROM hilo_generators() WHERE name = 'range_block';
-- one that max_value cuts is not to be had
SELECT hilo_seed('range_block', 9001, force => true);
SELECT hilo_next_hi('range_block', 1000);
SELECT hilo_next_hi('range_block', 999);
SELECT hilo_next_hi('range_block', 500);
SELECT last FROM hilo_generators() WHERE name = 'range_block';
-- at the last bigint
SELECT hilo_create('range_block_end', max_range_size => 9223372036854775807);
SELECT hilo_next_hi('range_block_end', 9223372036854775807);
SELECT hilo_next_hi('range_block_end', 4611686018427387905);
SELECT hilo_seed('range_block_end', 9223372036854775806, force => true);
SELECT hilo_next_hi('range_block_end', 4611686018427387904);
SELECT hilo_next_hi('range_block_end', 1);
SELECT hilo_next_hi('range_block_end', 1);
SELECT hilo_seed('range_block_end', 4611686018427387904, force => true);
SELECT hilo_next_hi('range_block_end', 4611686018427387904);
SELECT hilo_seed('range_block_end', 4611686018427387903, force => true);
SELECT hilo_next_hi('range_block_end', 4611686018427387904);
SELECT last FROM hilo_generators() WHERE name = 'range_block_end';

DROP FUNCTION range_size;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'range%';
