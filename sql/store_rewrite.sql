/*
 * A rewrite of hilo_hi: a change in place would go to a file that a rollback
 * throws away, so it is refused
 */
SET hilo.prefetch = off;
SELECT hilo_create('rewrite', range_size => 1, max_range_size => 1);
SELECT hilo_next_tag('rewrite');

BEGIN;
CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey;
SAVEPOINT s;
SELECT hilo_next_tag('rewrite');
ROLLBACK TO s;
SELECT low FROM hilo_next_range('rewrite', 1);
ROLLBACK TO s;
SELECT hilo_seed('rewrite', 100);
ROLLBACK TO s;
SELECT hilo_next_tag('rewrite_first_use');
ROLLBACK TO s;
ROLLBACK;
SELECT hilo_next_tag('rewrite');

-- what a session holds it may hand out
SELECT hilo_create('rewrite_held');
SELECT hilo_next_tag('rewrite_held');
BEGIN;
CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey;
SELECT hilo_next_tag('rewrite_held');
-- what cannot be given back without waiting or harm is lost
SELECT hilo_release('rewrite_held');
SELECT returned, lost FROM hilo_stats() WHERE name = 'rewrite_held';
ROLLBACK;
SELECT hilo_next_tag('rewrite_held');

-- committed by itself a rewrite is no matter
CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey;
SELECT hilo_next_tag('rewrite');
VACUUM FULL hilo_internal.hilo_hi, hilo_internal.hilo_generator, hilo_internal.hilo_privilege;
SELECT hilo_next_tag('rewrite');
REINDEX TABLE hilo_internal.hilo_hi;
SELECT hilo_next_tag('rewrite');
REINDEX TABLE CONCURRENTLY hilo_internal.hilo_hi;
SELECT hilo_next_tag('rewrite');
ALTER TABLE hilo_internal.hilo_hi SET WITHOUT CLUSTER;
BEGIN;
REINDEX TABLE hilo_internal.hilo_hi;
SELECT hilo_next_tag('rewrite');
ROLLBACK;
SELECT hilo_next_tag('rewrite'), hilo_next_tag('rewrite_held');

-- a first use makes rows that stay, so also their entries in the indexes must
DO $$
DECLARE
	changed text;
	given bigint;
BEGIN
	FOREACH changed IN ARRAY ARRAY[
		'REINDEX TABLE hilo_internal.hilo_hi',
		'REINDEX INDEX hilo_internal.hilo_generator_pkey',
		'REINDEX TABLE hilo_internal.hilo_privilege',
		'ALTER EVENT TRIGGER hilo_join_tables DISABLE; ALTER TABLE hilo_internal.hilo_hi DROP CONSTRAINT hilo_hi_pkey',
		'ALTER TABLE hilo_internal.hilo_hi DROP CONSTRAINT hilo_hi_pkey, ADD CONSTRAINT hilo_hi_pkey PRIMARY KEY (name)',
		'CLUSTER hilo_internal.hilo_generator USING hilo_generator_pkey']
	LOOP
		BEGIN
			EXECUTE changed;
			given := hilo_next_tag('rewrite_first_use');
			RAISE EXCEPTION USING errcode = 'PH001', message = 'got ' || given;
		EXCEPTION WHEN object_not_in_prerequisite_state OR SQLSTATE 'PH001' THEN
			RAISE INFO '%: %', changed, SQLERRM;
		END;
	END LOOP;
END $$;
SELECT hilo_next_tag('rewrite_first_use');
SELECT hilo_drop('rewrite_first_use');

-- a table that is new itself goes away with its generators, but its rewrite may
-- be undone alone
BEGIN;
DROP EXTENSION hilo;
CREATE EXTENSION hilo;
SELECT hilo_next_tag('rewrite');
SELECT hilo_seed('rewrite', 100);
SAVEPOINT s;
CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey;
SELECT hilo_next_tag('rewrite');
ROLLBACK TO s;
SELECT hilo_next_tag('rewrite');
ROLLBACK;
SELECT hilo_next_tag('rewrite');

SELECT hilo_drop('rewrite'), hilo_drop('rewrite_held');
