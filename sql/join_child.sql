-- Children and copies that are made later: what their parent draws from follows their rows, too, and lies above them.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_child;
CREATE SCHEMA jc;
GRANT ALL ON SCHEMA jc TO regress_hilo_child;
SET search_path = jc, public;
CREATE FUNCTION triggers(VARIADIC rels text[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT regexp_replace(pg_get_triggerdef(oid), 'CREATE TRIGGER (.*) (AFTER .*) ON (.*) FOR.*FUNCTION.*(\(.*\))', '\3: \1 \2 \4 ') || tgenabled::text
	  FROM pg_trigger WHERE tgrelid::regclass::text = ANY (rels) ORDER BY tgrelid::regclass::text
$$;
-- a row with an id in one table, and the next one without in another
CREATE FUNCTION next_after(brought regclass, id bigint, drawn regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	found bigint;
BEGIN
	EXECUTE format('INSERT INTO %s (id) OVERRIDING SYSTEM VALUE VALUES (%s)', brought, id);
	EXECUTE format('INSERT INTO %s DEFAULT VALUES RETURNING id', drawn) INTO found;
	RETURN found;
END $$;

-- on a sequence: INHERITS, LIKE, INHERIT, with a grandchild; its own parent's way of following
CREATE TABLE t (id bigserial PRIMARY KEY, note text);
SELECT hilo_attach('t', 'id', follow => true);
CREATE TABLE child (PRIMARY KEY (id)) INHERITS (t);
CREATE TABLE copy (LIKE t INCLUDING ALL);
CREATE TABLE joins (id bigint NOT NULL, note text);
CREATE TABLE below () INHERITS (joins);
INSERT INTO joins VALUES (100);
INSERT INTO below VALUES (200);
ALTER TABLE joins INHERIT t;
SELECT triggers('child', 'copy', 'joins', 'below');
INSERT INTO t DEFAULT VALUES RETURNING id;
SELECT next_after('child', 300, 't'), next_after('copy', 310, 'copy'), next_after('joins', 320, 't'), next_after('below', 330, 't');
-- one that is not followed has no followed children
CREATE TABLE plain (id bigserial PRIMARY KEY);
CREATE TABLE plain_child () INHERITS (plain);
SELECT triggers('plain_child');
-- of an identity, whose children have none, and whose copies have their own
CREATE TABLE identity (id bigint GENERATED ALWAYS AS IDENTITY, note text);
SELECT hilo_attach('identity', 'id');
CREATE TABLE identity_child () INHERITS (identity);
CREATE TABLE identity_copy (LIKE identity INCLUDING ALL);
SELECT triggers('identity_child', 'identity_copy');
SELECT next_after('identity_child', 10, 'identity');

-- on the table's own generator, where this session holds ids, and on a tag
CREATE TABLE own (id bigint PRIMARY KEY, note text);
CREATE TABLE tagged (id bigint, note text);
SELECT hilo_attach('own', 'id'), hilo_attach('tagged', 'id', 'a tag');
INSERT INTO own DEFAULT VALUES RETURNING id;
CREATE TABLE own_child (PRIMARY KEY (id)) INHERITS (own);
CREATE TABLE own_copy (LIKE own INCLUDING ALL);
CREATE TABLE tagged_child () INHERITS (tagged);
SELECT triggers('own_child', 'own_copy', 'tagged_child');
SELECT next_after('own_child', 3, 'own'), next_after('own_copy', 8, 'own'), next_after('tagged_child', 3, 'tagged');

-- a part with its own source stays on that, and is followed there
CREATE TABLE apart (id bigserial, note text);
ALTER TABLE apart INHERIT t;
SELECT triggers('apart');
-- another role's copy gives that role no right, and no INSERT fails
GRANT SELECT, REFERENCES ON t TO regress_hilo_child;
GRANT USAGE ON SEQUENCE t_id_seq TO regress_hilo_child;
SET ROLE regress_hilo_child;
CREATE TABLE foreign_copy (LIKE t INCLUDING ALL);
INSERT INTO foreign_copy VALUES (1000);
RESET ROLE;
SELECT triggers('foreign_copy');
-- a child of another owner's has the trigger, and needs the right
CREATE TABLE foreign_child (id bigint NOT NULL, note text);
ALTER TABLE foreign_child OWNER TO regress_hilo_child;
INSERT INTO foreign_child VALUES (2000);
ALTER TABLE foreign_child INHERIT t;
SELECT triggers('foreign_child');
INSERT INTO t DEFAULT VALUES RETURNING id < 1000 AS as_before;
INSERT INTO foreign_child VALUES (2001);
GRANT UPDATE ON SEQUENCE jc.t_id_seq TO regress_hilo_child;
SELECT next_after('foreign_child', 2002, 't');

SET client_min_messages = warning;
DROP SCHEMA jc CASCADE;
SELECT hilo_drop('a tag');
DROP ROLE regress_hilo_child;
