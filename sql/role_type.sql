/*
 * The type hilo_role: a role by its name, or none, and never an error
 */
BEGIN;
CREATE ROLE regress_hilo_user;
CREATE ROLE "Regress Hilo";
CREATE ROLE "regress_""hilo""";
CREATE ROLE U&"regress_hilo\0009\005C\00E9,'";
CREATE ROLE regress_hilo_with_a_name_that_takes_all_of_the_sixty_three_byte;
CREATE ROLE "-";
CREATE ROLE "10";
CREATE TEMP TABLE role (n int, role hilo_internal.hilo_role);
INSERT INTO role VALUES
(1, 'regress_hilo_user'), (2, 'Regress Hilo'), (3, 'regress_"hilo"'), (4, U&'regress_hilo\0009\005C\00E9,'''),
(5, 'regress_hilo_with_a_name_that_takes_all_of_the_sixty_three_byte'), (6, '-'), (7, '10'), (8, NULL);
SELECT n, r.role, rolname = r.role::text AS by_name
  FROM role r LEFT JOIN pg_roles a ON a.oid = r.role ORDER BY n;
SELECT count(DISTINCT r.role) FROM role r;

-- out and in again, in each format
\getenv abs_builddir PG_ABS_BUILDDIR
\set file '\'' :abs_builddir '/results/hilo_role.data\''
\set out '\\copy role TO ' :file
\set in '\\copy copied (n, role) FROM ' :file
CREATE TEMP TABLE copied (format text DEFAULT 'text', n int, role hilo_internal.hilo_role);
:out
:in
ALTER TABLE copied ALTER format SET DEFAULT 'csv';
:out (FORMAT csv)
:in (FORMAT csv)
SELECT format, count(*), every(c.role::oid IS NOT DISTINCT FROM r.role::oid) AS same
  FROM copied c JOIN role r USING (n) GROUP BY format ORDER BY format;

-- A name is a name: nothing is folded, unquoted, shortened or taken for an OID.
SELECT name, name::hilo_internal.hilo_role::oid = 0 AS none
  FROM (VALUES ('Regress_Hilo_User'), ('"Regress Hilo"'), (' regress_hilo_user'), ('public'), ('none'), (''),
               ('regress_hilo_with_a_name_that_takes_all_of_the_sixty_three_bytes')) v (name);
SELECT '10'::hilo_internal.hilo_role::oid = 10 AS bootstrap_superuser,
       'regress_hilo_user'::hilo_internal.hilo_role = 'regress_hilo_user'::regrole AS same;

-- A role that is gone is written as an empty name, and read as none.
DROP ROLE "-", regress_hilo_user, "10";
SELECT n, r.role FROM role r WHERE n IN (1, 6, 7) ORDER BY n;
TRUNCATE copied;
:in (FORMAT csv)
SELECT n, c.role::oid = 0 AS none FROM copied c ORDER BY n;
SELECT ''::hilo_internal.hilo_role::oid, 'regress_hilo_user'::hilo_internal.hilo_role;

-- Its row in hilo_privilege is left out, and the others are not.
SELECT hilo_create('role');
COPY hilo_internal.hilo_privilege (generator, role, is_owner) FROM stdin;
role	regress_hilo_user	f
role	Regress Hilo	f
role		f
role	regress_hilo_user	t
\.
INSERT INTO hilo_internal.hilo_privilege (generator, role, is_owner) VALUES ('role', 'regress_hilo_none', false), ('role', 'regress_"hilo"', false);
SELECT p.role, is_owner FROM hilo_internal.hilo_privilege p
 WHERE generator = 'role' AND NOT is_owner ORDER BY p.role::text COLLATE "C";
ROLLBACK;
