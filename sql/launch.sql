/*
 * The log of launches
 */
CREATE ROLE regress_hilo_user;
SELECT decimal_launch('first'), decimal_launch(NULL), decimal_launch('third');
-- a number is taken, and logged, whatever becomes of the transaction
BEGIN;
SELECT decimal_launch('rolled back');
ROLLBACK;
SELECT decimal_launch('after');
-- so no part of it may be what goes with the transaction
BEGIN;
SELECT decimal_launch((SELECT string_agg(md5(i::text), '') FROM generate_series(1, 1000) i));
ROLLBACK;
VACUUM hilo_internal.hilo_launch;
SELECT id, note, role = current_user AS role, time BETWEEN now() - interval '1 min' AND now() AS time FROM hilo_launches() ORDER BY id;

-- who may call it may be said; anyone may read the log, and nobody change it
SET ROLE regress_hilo_user;
SELECT decimal_launch('mine');
SELECT count(*) FROM hilo_launches();
INSERT INTO hilo_internal.hilo_launch VALUES (6, 'mine', 'me', now());
RESET ROLE;
GRANT EXECUTE ON FUNCTION decimal_launch(text) TO regress_hilo_user;
SET ROLE regress_hilo_user;
SELECT decimal_launch('granted');
RESET ROLE;
SELECT id, note, role FROM hilo_launches() WHERE note = 'granted';
REVOKE EXECUTE ON FUNCTION decimal_launch(text) FROM regress_hilo_user;
UPDATE hilo_internal.hilo_launch SET note = 'other';
DELETE FROM hilo_internal.hilo_launch;
TRUNCATE hilo_internal.hilo_launch;
BEGIN READ ONLY;
SELECT decimal_launch('read only');
ROLLBACK;
-- what a restore inserts is merged
INSERT INTO hilo_internal.hilo_launch SELECT id, 'restored', role, time FROM hilo_launches();
INSERT INTO hilo_internal.hilo_launch VALUES (7, 'restored', 'somebody', '2026-01-01');
SELECT id, note FROM hilo_launches() ORDER BY id;

-- a number that only the log knows is taken, too
SELECT decimal_launch('next');

-- the last one
SELECT hilo_seed('hilo.launch', 99998);
SELECT decimal_launch('last');
SELECT decimal_launch('none');
SELECT max(id) FROM hilo_launches();
SELECT hilo_drop('hilo.launch');

-- half a generator, as a restore that has failed for a table leaves it
BEGIN;
SELECT hilo_create('launch_half');
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "hilo.launch"}')).* FROM hilo_internal.hilo_generator g WHERE name = 'launch_half';
SELECT decimal_launch('launch_half');
ROLLBACK;
DROP ROLE regress_hilo_user;
