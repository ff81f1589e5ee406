/*
 * Decimal ids and their parts
 */
SELECT decimal_id(1415, 92, 65), decimal_id(1, 0, 1), decimal_id(922337202, 99999, 99999);
SELECT id, (decimal_id_parts(id)).* FROM unnest(ARRAY[14150009200065, 10000000001, 10000000000, 9223372029999999999]) id;
-- exact in JavaScript up to this counter, whatever the rest
SELECT decimal_id(900718, 99999, 99999)::id53, decimal_id(900719, 92547, 40991)::id53;
SELECT decimal_id(900719, 92547, 40992)::id53;
-- there and back; in the order of the counter, then of the others
SELECT count(*), bool_and((p.counter, p.generator_id, p.launch_id) = (c, g, l)) AS back
  FROM unnest(ARRAY[1, 2, 900719, 922337202]) c, unnest(ARRAY[0, 1, 54321, 99999]) g, unnest(ARRAY[1, 2, 54321, 99999]) l,
       decimal_id_parts(decimal_id(c, g, l)) p;
SELECT count(*) FROM (
	SELECT decimal_id(c, g, l) <= lag(decimal_id(c, g, l)) OVER (ORDER BY c, g, l) AS wrong
	  FROM unnest(ARRAY[1, 2, 900719, 922337202]) c, unnest(ARRAY[0, 1, 54321, 99999]) g, unnest(ARRAY[1, 2, 54321, 99999]) l) t
 WHERE wrong;
SELECT decimal_id(NULL, 1, 1), decimal_id_parts(NULL);

SELECT decimal_id(0, 1, 1);
SELECT decimal_id(-1, 1, 1);
SELECT decimal_id(922337203, 1, 1);
SELECT decimal_id(9223372036854775807, 1, 1);
SELECT decimal_id(1, -1, 1);
SELECT decimal_id(1, 100000, 1);
SELECT decimal_id(1, 1, 0);
SELECT decimal_id(1, 1, 100000);
SELECT decimal_id_parts(9999999999);
SELECT decimal_id_parts(0);
SELECT decimal_id_parts(-14150009200065);
SELECT decimal_id_parts(9223372030000000000);
SELECT decimal_id_parts(9223372036854775807);
