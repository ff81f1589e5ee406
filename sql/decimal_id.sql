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

/*
 * The numbers of a launch
 */
CREATE FUNCTION counted(id bigint) RETURNS text LANGUAGE sql AS $$SELECT format('%s of generator %s of launch %s', counter, generator_id, launch_id) FROM decimal_id_parts(id)$$;
SET hilo.launch_id = 0;
SELECT counted(decimal_id_next());
SET hilo.launch_id = 65;
SELECT counted(decimal_id_next()), counted(decimal_id_next());
BEGIN;
SELECT counted(decimal_id_next());
ROLLBACK;
-- by all sessions together
\c -
SET hilo.launch_id = 65;
SET hilo.auto_create = off;
SELECT counted(decimal_id_next());
CREATE TABLE decimal_id (id bigint DEFAULT decimal_id_next());
INSERT INTO decimal_id SELECT FROM generate_series(1, 10000);
SELECT count(DISTINCT id), counted(min(id)), counted(max(id)) FROM decimal_id;
-- another launch, and back
SET hilo.launch_id = 66;
SELECT counted(decimal_id_next());
SET hilo.launch_id = 65;
SELECT counted(decimal_id_next());
SELECT name, last > 0 AS taken, max_value, owner, is_public FROM hilo_generators() WHERE name ~ 'decimal' ORDER BY name;

-- a counter that is used up begins again with the next generator_id, until the launch has none left
SET hilo.launch_id = 66;
SELECT hilo_seed('hilo.decimal_id/66', 922337201);
SELECT counted(decimal_id_next()), counted(decimal_id_next()), counted(decimal_id_next());
SELECT hilo_seed('hilo.decimal_id/66', 922337202::bigint * 99999 - 1);
SELECT counted(decimal_id_next());
SELECT counted(decimal_id_next());
SET hilo.launch_id = 65;
SELECT counted(decimal_id_next());

-- not for a role that may not
CREATE ROLE regress_hilo_user;
SET hilo.launch_id = 71;
SET ROLE regress_hilo_user;
SELECT counted(decimal_id_next());
RESET ROLE;
SET hilo.launch_id = 65;
SET ROLE regress_hilo_user;
SELECT counted(decimal_id_next());
SET hilo.launch_id = 67;
SELECT hilo_next_tag('hilo.decimal_id/65');
SELECT current_user;
SELECT hilo_next_range('hilo.decimal_id/65', 10);
SELECT hilo_seed('hilo.decimal_id/65', 1, force => true);
SELECT hilo_drop('hilo.decimal_id/65');
SELECT hilo_next_tag('hilo.decimal_id/70');
SELECT hilo_next_tag('HILO.decimal_id/70');
SELECT hilo_create('hilo.decimal_id/70');
SELECT hilo_seed('hilo.decimal_id/70', 1);
SELECT count(*) FROM hilo_generators() WHERE name ~ '^hilo\.';
RESET ROLE;
-- a drop leaves the number, so the launch goes on above it
SET hilo.launch_id = 71;
SELECT hilo_drop('hilo.decimal_id/71');
SELECT (p).counter > 1 AS above, (p).generator_id FROM (SELECT decimal_id_parts(decimal_id_next()) AS p OFFSET 0) d;
SET hilo.launch_id = 65;
-- nor is one given to any role but a superuser
SELECT hilo_alter('hilo.decimal_id/65', owner => 'regress_hilo_user');
BEGIN READ ONLY;
SELECT counted(decimal_id_next());
ROLLBACK;
SET hilo.launch_id = 100000;
SET hilo.launch_id = -1;

-- half a generator, as a restore that has failed for a table leaves it
SET hilo.launch_id = 73;
BEGIN;
SELECT hilo_create('half');
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "hilo.decimal_id/73"}')).* FROM hilo_internal.hilo_generator g WHERE name = 'half';
SELECT decimal_id_next();
ROLLBACK;

-- an error in it leaves the role what it was
SET hilo.launch_id = 74;
GRANT SET ON PARAMETER hilo.launch_id TO regress_hilo_user;
SELECT hilo_create('hilo.decimal_id/74', max_value => 1);
SET ROLE regress_hilo_user;
DO $$
BEGIN
	FOR i IN 1 .. 2 LOOP
		PERFORM decimal_id_next();
	END LOOP;
EXCEPTION WHEN OTHERS THEN
	RAISE NOTICE '%, as %', sqlerrm, current_user;
END $$;
RESET ROLE;
REVOKE SET ON PARAMETER hilo.launch_id FROM regress_hilo_user;

DROP TABLE decimal_id;
DROP FUNCTION counted(bigint);
DROP ROLE regress_hilo_user;
SELECT count(hilo_drop(name)) AS dropped FROM hilo_generators() WHERE name ~ '^hilo\.decimal_id/';
