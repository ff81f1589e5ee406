/*
 * hilo_source: what is kept of a source, and what becomes of it
 */
CREATE SEQUENCE openjpa_sequence INCREMENT 50;
SELECT hilo_adopt_sequence_tag('pets', 'openjpa_sequence', 'openjpa');
SELECT low, high FROM hilo_next_range('pets');
-- renamed, moved, dropped
CREATE SCHEMA elsewhere;
ALTER SEQUENCE openjpa_sequence RENAME TO "Pets";
ALTER SEQUENCE "Pets" SET SCHEMA elsewhere;
SELECT source FROM hilo_sources() WHERE name = 'pets';
SELECT low, high FROM hilo_next_range('pets');
CREATE TABLE pet (id bigint DEFAULT hilo_next_tag('pets'));
SELECT problem, detail FROM hilo_check() WHERE rel = 'pet'::regclass;
-- in use, it is dropped only with what depends on it; the first way as the hint says
DROP SEQUENCE elsewhere."Pets";
BEGIN;
ALTER TABLE public.pet ALTER id DROP DEFAULT;
SELECT hilo_drop('pets');
DROP SEQUENCE elsewhere."Pets";
ROLLBACK;
BEGIN;
DROP TABLE pet;
DROP SEQUENCE elsewhere."Pets";
ROLLBACK;
BEGIN;
DROP SCHEMA elsewhere CASCADE;
ROLLBACK;
DROP SEQUENCE elsewhere."Pets" CASCADE;
SELECT hilo_next_range('pets');
SELECT problem, detail FROM hilo_check() WHERE rel = 'pet'::regclass;
DROP TABLE pet;
SELECT source IS NULL FROM hilo_sources() WHERE name = 'pets';

-- no role changes the table but by adopting
UPDATE hilo_internal.hilo_source SET block = 1;
DELETE FROM hilo_internal.hilo_source;
SELECT hilo_drop('pets');
SELECT count(*) FROM hilo_internal.hilo_source;
DROP SCHEMA elsewhere;
