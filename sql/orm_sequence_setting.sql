/*
 * An ORM's sequence with another INCREMENT, or another setting in hilo, than before
 */
SET hilo.prefetch = on;
CREATE TABLE plain (id bigint);
-- OpenJPA alters the INCREMENT at its first use; the rest of a block goes with it
CREATE SEQUENCE openjpa_sequence INCREMENT 20;
SELECT hilo_adopt_sequence_tag('pets', 'openjpa_sequence', 'openjpa', 20);
SELECT hilo_next_tag('pets');
ALTER SEQUENCE openjpa_sequence INCREMENT 10;
SELECT count(hilo_next_tag('pets')) FROM generate_series(1, 19);
SELECT hilo_next_tag('pets');
ALTER SEQUENCE openjpa_sequence INCREMENT 50;
SELECT hilo_next_tag('pets');
ALTER SEQUENCE openjpa_sequence INCREMENT 20;
SELECT hilo_next_tag('pets');
ALTER SEQUENCE openjpa_sequence INCREMENT 50;
-- another source for it, by its owner; the default that calls it stays
ALTER TABLE plain ALTER id SET DEFAULT hilo_next_tag('pets');
SELECT hilo_adopt_sequence_tag('pets', 'openjpa_sequence', 'openjpa');
SELECT low, high FROM hilo_next_range('pets');
SELECT style, block FROM hilo_sources() WHERE name = 'pets';
-- in the transaction that alters it, its values may come again
BEGIN;
ALTER SEQUENCE openjpa_sequence RESTART 1000;
SELECT hilo_next_range('pets');
ROLLBACK;
-- with a sequence, all of it may be one transaction
BEGIN;
CREATE SEQUENCE fresh INCREMENT 10;
SELECT hilo_adopt_sequence_tag('fresh', 'fresh', 'efcore');
SELECT hilo_next_tag('fresh');
ROLLBACK;
SELECT count(*) FROM hilo_sources() WHERE name = 'fresh';
-- the end of the sequence, and that of the generator
CREATE SEQUENCE short INCREMENT 10 MAXVALUE 25;
SELECT hilo_adopt_sequence_tag('short', 'short', 'efcore');
SELECT count(*), max(hilo_next_tag) FROM hilo_next_tag('short', 30);
SELECT hilo_next_tag('short');
CREATE SEQUENCE ints AS integer INCREMENT 10 START 2147483641;
SELECT hilo_adopt_sequence_tag('ints', 'ints', 'efcore'), hilo_alter('ints', max_value => 2147483647);
SELECT low, high FROM hilo_next_range('ints');
SELECT hilo_next_tag('ints');

-- what the ORM has by the setting before is not handed out by another one
CREATE SEQUENCE shorter INCREMENT 50;
SELECT hilo_adopt_sequence_tag('shorter', 'shorter', 'efcore');
SELECT nextval('shorter');
ALTER SEQUENCE shorter INCREMENT 10;
SELECT hilo_next_tag('shorter');
SELECT hilo_adopt_sequence_tag('shorter', 'shorter', 'efcore');
SELECT hilo_next_tag('shorter'), nextval('shorter');
SELECT hilo_adopt_sequence_tag('shorter', 'shorter', 'efcore'), hilo_next_tag('shorter');
CREATE SEQUENCE shorter_hi;
SELECT hilo_adopt_sequence_tag('shorter_hi', 'shorter_hi', 'hibernate-hilo', 50);
SELECT nextval('shorter_hi'), nextval('shorter_hi');
SELECT hilo_adopt_sequence_tag('shorter_hi', 'shorter_hi', 'hibernate-hilo', 10);
SELECT hilo_next_tag('shorter_hi'), nextval('shorter_hi');
-- a seed does not rely on what a rollback takes back
CREATE SEQUENCE restarted INCREMENT 10;
SELECT hilo_adopt_sequence_tag('restarted', 'restarted', 'efcore'), hilo_next_tag('restarted');
BEGIN;
ALTER SEQUENCE restarted RESTART WITH 2001;
SELECT hilo_seed('restarted', 1000);
ROLLBACK;
SELECT hilo_seed('restarted', 1000), nextval('restarted');
BEGIN;
DROP SEQUENCE restarted;
SELECT hilo_seed('restarted', 2000);
ROLLBACK;

DROP TABLE plain;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
DROP SEQUENCE openjpa_sequence, short, ints, shorter, shorter_hi, restarted;
