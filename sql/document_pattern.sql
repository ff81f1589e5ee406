/*
 * Patterns of identities in the rows of a table with a trigger that numbers documents: the
 * identity of the collection starts above the rows, and no pattern overwrites one
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE TABLE users (id text NOT NULL CHECK (document_id_valid(id)), doc jsonb);
CREATE UNIQUE INDEX ON users (docid_fold(id));
CREATE TRIGGER users_id BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'Users');
PREPARE store (text, text) AS INSERT INTO users VALUES ($1, jsonb_build_object('name', $2))
	ON CONFLICT (docid_fold(id)) DO UPDATE SET doc = excluded.doc WHERE document_id_strategy($1) = 'semantic' RETURNING id, doc->>'name' AS name;
EXECUTE store ('users/1', 'imported Ann');
EXECUTE store ('USERS/7', 'imported Bob');
EXECUTE store ('users/40-A', 'of HiLo, which is another counter');
EXECUTE store ('orders/90', 'of another collection');
EXECUTE store ('users|', 'new');
EXECUTE store ('USERS|', 'new');
SELECT identity_next('users'), document_id('users|');
-- What is given by its id is overwritten, by a pattern it is not, whatever came between.
EXECUTE store ('users/1', 'changed Ann');
EXECUTE store ('users/12', 'between');
EXECUTE store ('users|', 'new'); EXECUTE store ('users|', 'new');
EXECUTE store ('users|', 'new');
EXECUTE store (NULL, 'new');
EXECUTE store ('users/41-A', 'between');
EXECUTE store ('users/42-A', 'between');
EXECUTE store (NULL, 'new');
SELECT id, doc->>'name' AS name FROM users ORDER BY id COLLATE "C";
-- It is the table's: it is not dropped or renamed while rows may ask for it.
SELECT hilo_generator_of('users', 'id');
SELECT name, columns FROM hilo_generators() WHERE name ~* 'users' ORDER BY name;
SELECT hilo_drop('users|');
SELECT hilo_rename('users|', 'people|');
-- The same by the name of the table, in a partition, and with the strategy of identities.
CREATE TABLE invoices (id text, part int) PARTITION BY LIST (part);
CREATE TABLE invoices_1 PARTITION OF invoices FOR VALUES IN (1);
CREATE TRIGGER number BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
INSERT INTO invoices VALUES ('invoices/5', 1);
INSERT INTO invoices_1 VALUES ('invoices|', 1) RETURNING id;
INSERT INTO invoices VALUES ('invoices|', 1), (NULL, 1) RETURNING id;
CREATE TABLE boats (id text);
CREATE TRIGGER number BEFORE INSERT ON boats FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'boats', 'identity');
INSERT INTO boats VALUES ('boats/3'), (NULL), ('boats|') RETURNING id;
-- Another collection's pattern is a call: it begins at 1.
INSERT INTO boats VALUES ('ships/3'), ('ships|') RETURNING id;
-- A role that may insert may use it, and makes it for the table.
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_app;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_alice;
CREATE SCHEMA a AUTHORIZATION regress_hilo_alice;
SET ROLE regress_hilo_alice;
CREATE TABLE a.cars (id text);
INSERT INTO a.cars VALUES ('cars/8');
CREATE TRIGGER number BEFORE INSERT ON a.cars FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
GRANT INSERT, SELECT ON a.cars TO regress_hilo_app;
GRANT USAGE ON SCHEMA a TO regress_hilo_app;
SET ROLE regress_hilo_app;
INSERT INTO a.cars VALUES ('cars|'), ('Cars|') RETURNING id;
INSERT INTO a.cars VALUES ('vans|');
RESET ROLE;
SELECT name, owner FROM hilo_generators() WHERE name ~ 'cars';
DROP OWNED BY regress_hilo_alice, regress_hilo_app;
DROP ROLE regress_hilo_alice, regress_hilo_app;
DROP TABLE users, invoices, boats;
DO $$ BEGIN PERFORM hilo_drop(name) FROM hilo_generators(); END $$;
