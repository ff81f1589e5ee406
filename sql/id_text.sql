/*
 * Ids as text: 13 digits, in the order of the ids; nothing else is read
 */
CREATE TEMP TABLE sample AS
SELECT id, id_text(id) AS plain, id_text(id, true) AS checked
  FROM unnest(ARRAY[1, 9, 10, 31, 32, 36, 37, 1000, 123456789, 2147483647, 9007199254740991,
                    9223372036854775806, 9223372036854775807]) id;
SELECT *, id_text(id, false) = plain AS same, id_from_text(plain) = id AND id_from_text(plain, false) = id AS back,
       id_from_text(checked, true) = id AS checked_back
  FROM sample ORDER BY id;
SELECT id_text(NULL), id_text(1, NULL), id_from_text(NULL), id_from_text('0000000000001', NULL);

-- there and back, and in order
CREATE TEMP TABLE many AS
SELECT id FROM (SELECT (hashint8extended(i, 8) & 9223372036854775807) >> (i % 63)::int
                  FROM generate_series(1, 20000) i) t (id) WHERE id > 0
 UNION SELECT i FROM generate_series(1, 2000) i
 UNION SELECT 9223372036854775807 - i FROM generate_series(0, 2000) i;
SELECT count(*) > 20000 AS many,
       bool_and(id_from_text(id_text(id)) = id AND id_from_text(id_text(id, true), true) = id) AS back,
       bool_and(length(id_text(id)) = 13 AND length(id_text(id, true)) = 14) AS length
  FROM many;
SELECT count(*) FROM (SELECT id_text(id) COLLATE "C" <= lag(id_text(id)) OVER (ORDER BY id) AS wrong FROM many) t WHERE wrong;

-- one wrong digit, and two neighbors in the wrong order, do not pass the check
CREATE FUNCTION pg_temp.is_read(id text) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	PERFORM id_from_text(id, true);
	RETURN true;
EXCEPTION WHEN invalid_text_representation OR numeric_value_out_of_range THEN
	RETURN false;
END $$;
SELECT count(*), count(*) FILTER (WHERE pg_temp.is_read(overlay(text PLACING symbol FROM place FOR 1))) AS read
  FROM (SELECT id_text(1234567890123456789, true) AS text) t, generate_series(1, 14) place,
       regexp_split_to_table('0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U', '') symbol
 WHERE substr(text, place, 1) <> symbol;
SELECT count(*), count(*) FILTER (WHERE pg_temp.is_read(overlay(text PLACING reverse(substr(text, place, 2)) FROM place FOR 2))) AS read
  FROM (SELECT id_text(1234567890123456789, true) AS text) t, generate_series(1, 13) place
 WHERE substr(text, place, 1) <> substr(text, place + 1, 1);

-- what id_text does not write
SELECT id_text(0);
SELECT id_text(-1);
SELECT id_text(0, true);
SELECT id_from_text('0000000000000');
SELECT id_from_text('7ZZZZZZZZZZZZ'), id_from_text('8000000000000');
SELECT id_from_text('ZZZZZZZZZZZZZ');
SELECT id_from_text('');
SELECT id_from_text('1');
SELECT id_from_text('00000000000001');
SELECT id_from_text('00000000000011', false);
SELECT id_from_text('0000000000001', true);
SELECT id_from_text('000000000001a');
SELECT id_from_text('000000000001I');
SELECT id_from_text('000000000001L');
SELECT id_from_text('000000000001O');
SELECT id_from_text('000000000001U');
SELECT id_from_text('000000000001*');
SELECT id_from_text(' 000000000001');
SELECT id_from_text('00000000-0001');
SELECT id_from_text('00000000000é');
SELECT id_from_text('00000000000012', true);
SELECT id_from_text('0000000000010u', true);
