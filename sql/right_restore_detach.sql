-- What the owner of a database restores into hilo_taken is executed by no detach, and gives nothing
-- that the table's owner could not give.
\set database :DBNAME
\set SHOW_CONTEXT never
CREATE ROLE regress_hilo_mallory;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_clerk;
CREATE DATABASE regress_hilo_planted OWNER regress_hilo_mallory ENCODING 'UTF8' TEMPLATE template0;
\c regress_hilo_planted
SET hilo.prefetch = off;
CREATE EXTENSION hilo;
CREATE SCHEMA secret;
CREATE SCHEMA alice AUTHORIZATION regress_hilo_alice;
SET ROLE regress_hilo_alice;
CREATE TABLE alice.plain (id bigint, t text);
CREATE TABLE alice.orders (id serial, t text);
GRANT SELECT ON alice.orders TO regress_hilo_clerk;
RESET ROLE;
SELECT hilo_attach('alice.plain', 'id'), hilo_attach('alice.orders', 'id');

-- a row as a dump has it
CREATE FUNCTION plant(col text, kind "char" DEFAULT 's', schema name DEFAULT 'mallory', sequence name DEFAULT 'planted', rights text[] DEFAULT '{}',
					  comment text DEFAULT '', max_value int8 DEFAULT 9999) RETURNS void LANGUAGE sql AS $$
	INSERT INTO hilo_internal.hilo_taken VALUES (col::hilo_internal.hilo_column, 1, 1, max_value, 1, 'bigint', schema, sequence, kind, false, rights, comment)
$$;
CREATE FUNCTION sequence_of(rel regclass) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', pg_get_userbyid(c.relowner), c.oid::regclass, array_remove(c.relacl::text[], format('%s=rwU/%1$s', c.relowner::regrole)), obj_description(c.oid, 'pg_class'))
	  FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S' WHERE d.refobjid = rel AND d.classid = 'pg_class'::regclass
$$;
SET SESSION AUTHORIZATION regress_hilo_mallory;
CREATE SCHEMA mallory;

-- not of another's table, nor in the place of a row; what is missing is left out
SELECT plant('alice.plain.id'), plant('alice.orders.id'), plant('mallory.nothing.id'), plant('alice.orders.nothing'), plant(''), plant('a.b');
SELECT plant('alice.orders.');
UPDATE hilo_internal.hilo_taken SET kind = 's';
DELETE FROM hilo_internal.hilo_taken;
RESET SESSION AUTHORIZATION;
SELECT col, schema, sequence, kind, rights FROM hilo_internal.hilo_taken;

-- of his own, which another owner then has
SET SESSION AUTHORIZATION regress_hilo_mallory;
CREATE TABLE mallory.odd (id bigint DEFAULT hilo_next('mallory.odd'));
CREATE TABLE mallory.free (id bigint DEFAULT hilo_next('mallory.free'));
CREATE TABLE mallory.kind (id bigint DEFAULT hilo_next('mallory.kind'));
CREATE TABLE mallory.rights (id bigint DEFAULT hilo_next('mallory.rights'));
CREATE TABLE mallory.type (id int DEFAULT hilo_next('mallory.type'));
GRANT SELECT ON mallory.rights TO regress_hilo_clerk;
SELECT plant('mallory.odd.id', sequence => 'x; DROP TABLE alice.orders; --"''', comment => $$'; ALTER ROLE regress_hilo_mallory SUPERUSER; --$$),
	plant('mallory.odd.id', sequence => 'second'),
	plant('mallory.free.id', 'f', 'secret'), plant('mallory.kind.id', 'x'),
	plant('mallory.rights.id', rights => ARRAY['USAGE regress_hilo_mallory', 'UPDATE* regress_hilo_clerk', 'SELECT regress_hilo_clerk', 'USAGE ', 'SELECT regress_hilo_gone',
		'USAGE', 'USAGE*', '* ', '', NULL, 'USAGE regress_hilo_clerk; ALTER ROLE regress_hilo_mallory SUPERUSER', 'USAGE, SELECT regress_hilo_clerk', 'USAGE*, UPDATE regress_hilo_clerk']);
RESET SESSION AUTHORIZATION;
ALTER TABLE mallory.rights OWNER TO regress_hilo_alice;
GRANT CREATE, USAGE ON SCHEMA mallory TO regress_hilo_alice;
SELECT hilo_detach(format('mallory.%s', rel), 'id') FROM unnest('{odd,free,kind,rights}'::text[]) rel;
SELECT rel, sequence_of(format('mallory.%s', rel)) FROM unnest('{odd,kind,rights}'::text[]) rel;
SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'mallory.free'::regclass;
-- the row that was not replaced
SELECT hilo_detach('alice.orders', 'id');
SELECT sequence_of('alice.orders');
SELECT rolsuper FROM pg_roles WHERE rolname = 'regress_hilo_mallory';

\c :database
DROP DATABASE regress_hilo_planted WITH (FORCE);
DROP ROLE regress_hilo_mallory, regress_hilo_alice, regress_hilo_clerk;
