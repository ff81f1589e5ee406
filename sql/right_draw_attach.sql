-- Columns put on a generator: row security, rights and search_path.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

-- row security hides nothing, even if it is forced; rights
SET ROLE regress_hilo_clerk;
CREATE TABLE secret (id bigint, who name DEFAULT current_user);
INSERT INTO secret VALUES (77, 'somebody');
ALTER TABLE secret ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON secret USING (who = current_user);
SELECT count(*) FROM secret;
SELECT hilo_attach('secret', 'id');
SELECT hilo_next('secret');
SELECT hilo_seed('secret', 1, force => true), hilo_resync('secret', 'id'), hilo_next('secret');
SET ROLE regress_hilo_other;
SELECT hilo_attach('secret', 'id', 'mine');
SELECT hilo_detach('secret', 'id');
SELECT hilo_resync('secret', 'id');
SELECT hilo_generator_of('secret', 'id');
-- a generator of another owner, who could set it back, is not shared
CREATE TABLE mine (id bigint);
SELECT hilo_attach('mine', 'id', 'secret');
RESET ROLE;
SELECT hilo_grant('secret', 'regress_hilo_other');
SET ROLE regress_hilo_other;
SELECT hilo_attach('mine', 'id', 'secret');
SELECT hilo_generator_of('mine', 'id');
RESET ROLE;
-- nor by a superuser; except if its owner has the rights of the table's
SELECT hilo_attach('mine', 'id', 'secret');
GRANT regress_hilo_other TO regress_hilo_clerk;
SET ROLE regress_hilo_other;
SELECT hilo_attach('mine', 'id', 'secret');
INSERT INTO mine DEFAULT VALUES RETURNING id;
-- to use it is not to change it
INSERT INTO mine VALUES (1000);
SELECT hilo_attach('mine', 'id', 'secret');
SELECT hilo_resync('mine', 'id');
DELETE FROM mine WHERE id = 1000;
ALTER TABLE mine ALTER id TYPE int;
SELECT hilo_attach('mine', 'id', 'secret');
RESET ROLE;
REVOKE regress_hilo_other FROM regress_hilo_clerk;
SELECT hilo_revoke('secret', 'regress_hilo_other');
SET ROLE regress_hilo_other;
SELECT hilo_detach('mine', 'id');
ALTER TABLE mine ALTER id DROP DEFAULT;
-- and a sequence
CREATE TABLE unseen (id bigint);
RESET ROLE;
CREATE SEQUENCE unseen_sequence;
ALTER TABLE unseen ALTER id SET DEFAULT nextval('unseen_sequence');
SET ROLE regress_hilo_other;
SELECT hilo_attach('unseen', 'id');
RESET ROLE;
DROP TABLE unseen;
-- superusers; the generator and the sequence are the table owner's
SELECT hilo_attach('mine', 'id', 'new');
SELECT hilo_detach('mine', 'id');
SELECT s.sequence, relowner::regrole, g.owner FROM state_of('mine', 'id') s, hilo_generators() g, pg_class
 WHERE g.name = 'new' AND pg_class.oid = 'mine_id_seq'::regclass;
DROP TABLE mine, secret;

-- a right to use the sequence gives none to use the generator
CREATE ROLE regress_hilo_third;
CREATE TABLE closed (id serial, own bigint GENERATED ALWAYS AS IDENTITY, small smallserial);
GRANT USAGE ON SEQUENCE closed_id_seq TO regress_hilo_clerk;
GRANT UPDATE ON SEQUENCE closed_id_seq TO regress_hilo_other;
GRANT SELECT ON SEQUENCE closed_id_seq TO regress_hilo_third;
GRANT USAGE ON SEQUENCE closed_own_seq TO PUBLIC, regress_hilo_clerk;
GRANT USAGE ON SCHEMA at TO regress_hilo_third;
ALTER TABLE closed OWNER TO regress_hilo_third;
SELECT hilo_attach('closed', col, concat('closed ', col)) FROM unnest('{id,own,small}'::name[]) col;
SELECT name, owner = current_user::regrole AS is_own, is_public, (SELECT array_agg(g ORDER BY g) FROM unnest(grants) g) AS grants, max_range_size FROM hilo_generators() WHERE name LIKE 'closed%' ORDER BY name;
DROP TABLE closed;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'closed%';
-- reserved names are made for no role
CREATE TABLE innocent (id bigint DEFAULT hilo_next_tag('hilo.decimal_id/65'), other bigint DEFAULT hilo_next_tag('hilo.launch'));
INSERT INTO innocent VALUES (1000, 1000);
ALTER TABLE innocent OWNER TO regress_hilo_other;
SELECT * FROM hilo_resync_all() WHERE rel = 'innocent'::regclass;
SELECT hilo_resync('innocent', 'id');
SELECT hilo_attach('innocent', 'id', 'hilo.trace_id/12');
SELECT count(*) FROM hilo_generators() WHERE name LIKE 'hilo.%';
DROP TABLE innocent;
REVOKE USAGE ON SCHEMA at FROM regress_hilo_third;
DROP ROLE regress_hilo_third;

-- functions, operators and types that come first in search_path
CREATE SCHEMA evil;
CREATE FUNCTION evil.hilo_next_tag(text) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE 'evil hilo_next'; END $$;
CREATE FUNCTION evil.nextval(regclass) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE 'evil nextval'; END $$;
CREATE AGGREGATE evil.max(bigint) (SFUNC = int8pl, STYPE = bigint);
CREATE DOMAIN evil.text AS varchar CHECK (VALUE IS NULL);
CREATE DOMAIN evil.regclass AS oid CHECK (VALUE IS NULL);
CREATE FUNCTION evil(bigint) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'evil index'; RETURN true; END $$;
CREATE TABLE tricked (id bigint);
INSERT INTO tricked VALUES (5), (6);
SET client_min_messages = error;
CREATE INDEX ON tricked (id) WHERE evil(id);
CREATE INDEX ON tricked (evil(id));
RESET client_min_messages;
SET search_path = evil, pg_catalog, at, public;
SELECT public.hilo_attach('at.tricked', 'id');
SET search_path = at, public;
SELECT "default", last FROM state_of('tricked', 'id');
SET search_path = evil, pg_catalog, at, public;
SELECT public.hilo_detach('at.tricked', 'id');
SET search_path = at, public;
SELECT "default" FROM state_of('tricked', 'id');
DROP TABLE tricked;

SET client_min_messages = warning;
DROP SCHEMA evil CASCADE;

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
