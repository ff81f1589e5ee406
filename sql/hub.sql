/*
 * Generators with a hub, which here is another database of the server
 */
\set home :DBNAME
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/hub_setup.sql'
\i :setup
CREATE DATABASE regress_hilo_hub;
\c regress_hilo_hub
CREATE EXTENSION hilo;
\c :home
SET client_min_messages = warning;
CREATE FOREIGN DATA WRAPPER regress_hilo;
CREATE SERVER regress_hilo_hub FOREIGN DATA WRAPPER regress_hilo OPTIONS (:hub_place, dbname 'regress_hilo_hub', fetch_size 'not for libpq');
CREATE USER MAPPING FOR PUBLIC SERVER regress_hilo_hub :hub_user;

-- what is created
SELECT hilo_create('far', hub => 'regress_hilo_hub');
SELECT hilo_create('far|', hub => 'regress_hilo_hub');
SELECT name, ordering, hub FROM hilo_generators() WHERE hub <> '' ORDER BY name;
SELECT hilo_create('near', hub => '');
SELECT hub = '' AS none FROM hilo_generators() WHERE name = 'near';

-- ids
SELECT hilo_next_tag('far'), hilo_next_tag('far'), hilo_next_id('far');
SELECT count(*), min(id), max(id) FROM hilo_next_tag('far', 40) id;
SELECT hilo_current('far');
SELECT identity_next('far'), identity_next_id('far|'), identity_next('far', 10), identity_next('far|');
SELECT identity_current('far'), hilo_current('far|'), identity_seed('far', 100), identity_next('far');
SELECT low, high FROM hilo_next_range('far', 10);
SELECT hilo_next_hi('far', 1000);
SELECT hilo_seed('far', 5000), hilo_seed('far', 10), hilo_seed('far', NULL), hilo_next_tag('far');
SELECT hilo_seed('far', 1, true);
SELECT hilo_release('far') > 0 AS released;
SELECT hilo_next_tag('far');
-- the hub's own
\c regress_hilo_hub
SELECT name, ordering, last > 5000 AS above FROM hilo_generators() ORDER BY name;
SELECT hilo_next_tag('far') > 5001 AS above, identity_next('far');
SELECT hilo_seed('far', 10000);
\c :home
SELECT identity_next('far');

-- a default
CREATE TABLE far_rows (id bigint DEFAULT hilo_next_tag('far'), data int);
INSERT INTO far_rows (data) SELECT generate_series(1, 100);
SELECT count(DISTINCT id) FROM far_rows;
SELECT problem FROM hilo_check() WHERE generator = 'far';
-- the rows of another server are no problem
INSERT INTO far_rows VALUES (20000);
SELECT problem, detail FROM hilo_check() WHERE generator = 'far';
DROP TABLE far_rows;

-- alter: what is held from before is forgotten
SELECT hilo_alter('far', range_size => 64, hub => 'regress_hilo_hub');
SELECT range_size, hub FROM hilo_generators() WHERE name = 'far';
SELECT hilo_alter('far', hub => '');
SELECT hub = '' AS none FROM hilo_generators() WHERE name = 'far';
SELECT count(*) FROM hilo_next_tag('far', 3);
SELECT hilo_alter('far', hub => 'regress_hilo_hub');
BEGIN;
SELECT hilo_alter('near', hub => 'regress_hilo_hub');
SELECT hilo_next_tag('near');
ROLLBACK;
SELECT last, hub = '' AS none FROM hilo_generators() WHERE name = 'near';
-- nor after a rollback what was taken without the hub
BEGIN;
SELECT hilo_alter('far', hub => '');
SELECT hilo_next_tag('far');
ROLLBACK;
-- the generator was another one before: its ids are in use
SELECT hilo_seed('near', 1000);
SELECT hilo_alter('near', hub => 'regress_hilo_hub');
SELECT hilo_next_tag('near');
SELECT hilo_seed('near', 1000);
SELECT hilo_next_tag('near');
-- nor is what is left of its own window the hub's
SELECT hilo_create('grown');
SELECT max(hilo_next_tag('grown')) FROM generate_series(1, 60);
SELECT reserved - last AS in_window FROM hilo_generators() g JOIN hilo_internal.hilo_hi h ON h.name::text = g.name WHERE g.name = 'grown';
\c regress_hilo_hub
SELECT hilo_create('grown'), hilo_seed('grown', 1000);
\c :home
SELECT hilo_alter('grown', hub => 'regress_hilo_hub');
SELECT hilo_next_tag('grown');
SELECT hilo_alter('grown', hub => '');
SELECT hilo_next_tag('grown');
SELECT hilo_drop('grown');

-- what cannot go together
SELECT hilo_create('new', 'scattered', hub => 'regress_hilo_hub');
SELECT hilo_create('new', 'gapless', hub => 'regress_hilo_hub');
SELECT hilo_create('new', hub => 'nowhere');
SELECT hilo_alter('far', ordering => 'gapless');
-- the order that the hub has not
SELECT hilo_create('sorted', 'global', hub => 'regress_hilo_hub');
SELECT hilo_next_tag('sorted');
\c regress_hilo_hub
SELECT hilo_alter('sorted', ordering => 'global');
\c :home
SELECT hilo_next_tag('sorted'), hilo_next_tag('sorted');
-- limits of this server, and of the hub
SELECT hilo_create('small', max_value => 100, hub => 'regress_hilo_hub');
SELECT count(*), max(id) FROM hilo_next_tag('small', 100) id;
SELECT hilo_next_tag('small');
SELECT hilo_create('small|', max_value => 100, hub => 'regress_hilo_hub');
SELECT identity_next('small', 98);
SELECT identity_next('small', 3);
-- what is refused is not taken
SELECT identity_next('small', 2), identity_current('small');
SELECT identity_next('small');
SELECT hilo_create('small_hi', max_value => 100, hub => 'regress_hilo_hub');
SELECT hilo_next_hi('small_hi', 60);
SELECT hilo_next_hi('small_hi', 30);
SELECT low, high FROM hilo_next_range('small_hi', 50);
-- a hi of what has one order
\c regress_hilo_hub
SELECT hilo_create('blocks', 'global');
\c :home
SELECT hilo_create('blocks', 'global', hub => 'regress_hilo_hub');
SELECT hilo_next_tag('blocks');
SELECT hilo_next_hi('blocks', 10);
SELECT low, high FROM hilo_next_range('blocks', 10);
\c regress_hilo_hub
SELECT hilo_next_tag('small'), identity_next('small'), hilo_next_tag('small_hi');
\c :home
-- what the server has is there
SELECT hilo_create('stocked', max_value => 100, hub => 'regress_hilo_hub'), hilo_next_tag('stocked');
SELECT count(*), max(id) FROM hilo_next_tag('stocked', 99) id;
SELECT hilo_next_tag('stocked');
-- a range of several sessions would be more than there are numbers
SELECT hilo_create('huge', range_size => 4611686018427387904, max_range_size => 4611686018427387904, hub => 'regress_hilo_hub');
SELECT hilo_next_tag('huge');

-- names in any encoding, a schema of any name
\c regress_hilo_hub
CREATE SCHEMA "Any name";
DROP EXTENSION hilo;
CREATE EXTENSION hilo SCHEMA "Any name";
\c :home
SELECT hilo_create('Größe''s', hub => 'regress_hilo_hub');
SELECT hilo_next_tag('größe''S');

-- a generator of the hub that shares the numbers of an ORM
\c regress_hilo_hub
SET search_path = "Any name", public;
CREATE SEQUENCE orm_seq INCREMENT 1000;
CREATE SEQUENCE orm_small_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('orm', 'orm_seq', 'efcore'), hilo_adopt_sequence_tag('orm_small', 'orm_small_seq', 'efcore');
\c :home
SELECT hilo_create('orm', hub => 'regress_hilo_hub'), hilo_create('orm_small', hub => 'regress_hilo_hub');
SELECT array_agg(id) FROM hilo_next_tag('orm', 3) id;
SELECT low, high FROM hilo_next_range('orm', 10);
SELECT hilo_next_tag('orm_small');
SELECT hilo_next_hi('orm_small', 10);
SELECT low, high FROM hilo_next_range('orm_small', 10);

-- a name is a tag's, whatever tables are there; beside a table's own generator of that owner it is made on purpose
\c regress_hilo_hub
SET search_path = public, "Any name";
CREATE TABLE far_table (id bigint PRIMARY KEY DEFAULT hilo_next('far_table'));
INSERT INTO far_table DEFAULT VALUES;
CREATE TABLE far_tag (id bigint PRIMARY KEY DEFAULT hilo_next_tag('far_tag'));
CREATE TABLE far_serial (id bigserial PRIMARY KEY);
CREATE TABLE far_both (id bigint PRIMARY KEY DEFAULT hilo_next('far_both'));
SELECT hilo_create('##far_both');
\c :home
SELECT count(hilo_create(name, hub => 'regress_hilo_hub')) FROM unnest('{far_table,far_tag,far_serial,far_both}'::text[]) name;
SELECT hilo_next_tag('far_table');
SELECT hilo_next_tag('far_tag');
SELECT hilo_next_tag('far_serial');
SELECT hilo_next_tag('far_both');
CREATE TABLE near_table (id bigint PRIMARY KEY);
SELECT hilo_create('near_table', hub => 'regress_hilo_hub');
DROP TABLE near_table;
\c regress_hilo_hub
SELECT name FROM "Any name".hilo_generators() WHERE name ~ 'far_' ORDER BY name;
\c :home

-- decimal ids
SET hilo.launch_id = 31415;
SELECT hilo_create('hilo.decimal_id/31415', hub => 'regress_hilo_hub');
SELECT counter, generator_id, launch_id FROM decimal_id_parts(decimal_id_next());
SELECT counter, generator_id, launch_id FROM decimal_id_parts(decimal_id_next());
\c regress_hilo_hub
SELECT name, last FROM "Any name".hilo_generators() WHERE name !~ 'far_' ORDER BY name;
\c :home
SELECT hilo_drop(name) FROM hilo_generators() WHERE hub <> '' OR name = 'near';
SET client_min_messages = warning;
DROP FOREIGN DATA WRAPPER regress_hilo CASCADE;
DROP DATABASE regress_hilo_hub WITH (FORCE);
DROP ROLE regress_hilo_hub;
