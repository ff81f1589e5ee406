/*
 * What roles with a table of their own, owners and superusers can do to break
 * hilo, and cannot
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;

-- a default with a constant that is no text, and with a name that can be none
CREATE TABLE attack (id bigint DEFAULT hilo_next_tag('orders'::"char"));
SELECT hilo_generator_of('attack', 'id');
CREATE TABLE attack_name (id bigint DEFAULT hilo_next_tag('orders'::name));
SELECT hilo_generator_of('attack_name', 'id');
INSERT INTO attack_name DEFAULT VALUES RETURNING id;
CREATE TABLE attack_empty (id bigint DEFAULT hilo_next_tag(''));
SELECT hilo_create('attack');
SELECT hilo_drop('attack');
DROP TABLE attack, attack_empty;

-- a drop of a row that the transaction has locked before
SELECT hilo_create('attack');
SELECT hilo_next_tag('attack');
BEGIN;
SAVEPOINT s;
SELECT name FROM hilo_internal.hilo_hi WHERE name = 'attack' FOR UPDATE;
RELEASE s;
SELECT hilo_drop('attack');
SELECT hilo_next_tag('attack');
ROLLBACK;
SELECT count(*) FROM hilo_internal.hilo_hi WHERE name = 'attack';
SELECT hilo_drop('attack');

-- ids above a limit that a rollback brought back: in the window, and held
SELECT hilo_create('attack', max_value => 100);
BEGIN;
SELECT hilo_alter('attack', max_value => 100000);
SELECT low, high FROM hilo_next_range('attack', 100);
SELECT hilo_next_tag('attack');
SELECT low, high FROM hilo_next_range('attack', 100);
SELECT hilo_release('attack');
ROLLBACK;
SELECT hilo_next_tag('attack');
SELECT hilo_drop('attack');

SELECT hilo_create('attack', max_value => 40);
BEGIN;
SELECT hilo_alter('attack', max_value => 1000);
SELECT count(*) FROM hilo_next_tag('attack', 60);
ROLLBACK;
SELECT hilo_next_tag('attack', 0);
SELECT hilo_drop('attack');

-- ids below a first that was raised: held, and in the window
SELECT hilo_create('attack');
SELECT hilo_next_tag('attack');
SELECT low, high FROM hilo_next_range('attack');
SELECT hilo_alter('attack', first => 60);
SELECT hilo_next_tag('attack');
SELECT hilo_drop('attack');

-- an owner that a failed restore left keeps what the dump gave it, or loses it
-- to hilo_create: there are never two
CREATE ROLE regress_hilo_old;
CREATE ROLE regress_hilo_new;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_new;
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('attack', 'regress_hilo_old', true), ('attack_too', 'regress_hilo_old', true);
SET ROLE regress_hilo_new;
SELECT hilo_next_tag('attack');
SELECT hilo_create('attack_too');
RESET ROLE;
SELECT name, owner FROM hilo_generators() WHERE name LIKE 'attack%' ORDER BY name;
SELECT hilo_drop('attack'), hilo_drop('attack_too');
DROP OWNED BY regress_hilo_new;
DROP ROLE regress_hilo_old, regress_hilo_new;

-- definitions that no hilo_create would make
INSERT INTO hilo_internal.hilo_generator VALUES (1, 1, 1, 1, '2026-01-01', true, 63, '', 'bogus', 'attack', 'attack');
INSERT INTO hilo_internal.hilo_generator VALUES (1, 1, 0, 0, '2026-01-01', true, 63, '', 'session', 'attack', 'attack');

-- an index that would have to be evaluated
BEGIN;
CREATE INDEX ON hilo_internal.hilo_generator (upper(written_name));
SELECT hilo_next_tag('attack');
ROLLBACK;
BEGIN;
CREATE INDEX attack ON hilo_internal.hilo_generator (name) WHERE first > 1;
SELECT hilo_alter('orders', range_size => 3);
ROLLBACK;

-- names that are refused take no memory
SET hilo.auto_create = off;
DO $$
BEGIN
	FOR i IN 1 .. 10000 LOOP
		BEGIN
			PERFORM hilo_next_tag('attack' || i);
		EXCEPTION WHEN undefined_object THEN
			NULL;
		END;
	END LOOP;
END $$;
SELECT sum(total_bytes) < 200000 AS small FROM pg_backend_memory_contexts WHERE name LIKE 'hilo%';
DROP TABLE attack_name;
SELECT hilo_drop('orders');
