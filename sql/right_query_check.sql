/*
 * hilo_check, and the rights to what it looks at: those of a table's owner, and the caller's
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/check_setup.sql'
\i :setup

-- a generator of a role that has not the rights of the table's owner
CREATE TABLE owned (id bigint PRIMARY KEY);
SELECT hilo_create('ledger'), hilo_attach('owned', 'id', 'ledger');
ALTER TABLE owned OWNER TO regress_hilo_clerk;
:check WHERE rel = 'owned'::regclass;
SELECT hilo_alter('ledger', owner => 'regress_hilo_other');
:check WHERE rel = 'owned'::regclass;
GRANT regress_hilo_clerk TO regress_hilo_other;
:check WHERE rel = 'owned'::regclass;
REVOKE regress_hilo_clerk FROM regress_hilo_other;
SELECT hilo_revoke('orders', 'public'), hilo_grant('orders', 'regress_hilo_clerk');
GRANT SELECT ON orders TO regress_hilo_clerk;
-- one that the table's owner may use, and not raise
SELECT hilo_create('lent'), hilo_grant('lent', 'regress_hilo_clerk');
CREATE TABLE lent (id bigint DEFAULT hilo_next_tag('lent'));
ALTER TABLE lent OWNER TO regress_hilo_clerk;
INSERT INTO lent VALUES (20);
SELECT hint FROM hilo_check('lent');
SELECT 'SELECT ' || substring(hint FROM 'Run (.*)\.') FROM hilo_check('lent') \gexec
SELECT problem FROM hilo_check('lent');
DROP TABLE lent;
SELECT hilo_drop('lent');

-- one that the owner may not make
SET ROLE regress_hilo_clerk;
CREATE TABLE unmade (id bigint DEFAULT hilo_next_tag('made'));
RESET ROLE;
:check WHERE rel = 'unmade'::regclass;
DROP TABLE unmade;

-- one that has no owner any more
CREATE ROLE regress_hilo_gone;
SELECT hilo_create('ownerless'), hilo_alter('ownerless', owner => 'regress_hilo_gone');
DROP ROLE regress_hilo_gone;
CREATE TABLE ownerless (id bigint DEFAULT hilo_next_tag('ownerless'));
ALTER TABLE ownerless OWNER TO regress_hilo_clerk;
:check WHERE generator = 'ownerless';
SELECT hilo_grant('ownerless', 'regress_hilo_clerk');
:check WHERE generator = 'ownerless';
DROP TABLE ownerless;
SELECT hilo_drop('ownerless');
-- a role that may not see it learns nothing of the rows, nor of the generator
INSERT INTO orders VALUES (5000);
INSERT INTO owned VALUES (5000);
SELECT hilo_grant('ledger', 'regress_hilo_other');
SET ROLE regress_hilo_clerk;
:check WHERE rel IN ('orders'::regclass, 'owned');
SET ROLE regress_hilo_other;
:check WHERE rel IN ('orders'::regclass, 'owned');
RESET ROLE;
GRANT SELECT (id) ON owned TO regress_hilo_other;
SET ROLE regress_hilo_other;
:check WHERE rel = 'owned'::regclass;
RESET ROLE;
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
SET ROLE regress_hilo_other;
:check WHERE rel = 'owned'::regclass;
SET ROLE regress_hilo_clerk;
:check WHERE rel = 'owned'::regclass;
RESET ROLE;
:check WHERE rel = 'owned'::regclass;
DROP TABLE owned;

SET client_min_messages = warning;
DROP SCHEMA ch CASCADE;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
DROP ROLE regress_hilo_clerk, regress_hilo_other;
