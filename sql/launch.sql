/*
 * The numbers of launches
 */
CREATE ROLE regress_hilo_user;
SELECT decimal_launch('first'), decimal_launch(NULL), decimal_launch('third');
-- a number is taken, whatever becomes of the transaction
BEGIN;
SELECT decimal_launch('rolled back');
ROLLBACK;
SELECT decimal_launch('after');

-- who may call it may be said
SET ROLE regress_hilo_user;
SELECT decimal_launch('mine');
RESET ROLE;
GRANT EXECUTE ON FUNCTION decimal_launch(text) TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT decimal_launch('granted');
RESET ROLE;
REVOKE EXECUTE ON FUNCTION decimal_launch(text) FROM regress_hilo_user;
BEGIN READ ONLY;
SELECT decimal_launch('read only');
ROLLBACK;

-- the last one
SELECT hilo_seed('hilo.launch', 99998);
SELECT decimal_launch('last');
SELECT decimal_launch('none');
SELECT hilo_drop('hilo.launch');

-- half a generator, as a restore that has failed for a table leaves it
BEGIN;
SELECT hilo_create('launch_half');
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "hilo.launch"}')).* FROM hilo_internal.hilo_generator g WHERE name = 'launch_half';
SELECT decimal_launch('launch_half');
ROLLBACK;
DROP ROLE regress_hilo_user;
