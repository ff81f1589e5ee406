/*
 * The doors of hilo: everything that it installs, its owners, and the roles that may use it; and
 * where its code changes the user.  A new door shows here
 */
-- (since 17 the types of rows and arrays are members, too)
CREATE VIEW member AS
	SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
	  LEFT JOIN pg_type t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid
	 WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'hilo'
	   AND (t.oid IS NULL OR t.typrelid = 0 AND t.typcategory <> 'A');
CREATE FUNCTION rights(acl aclitem[], kind "char", owner oid) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(grantee || ':' || rights, ' ' ORDER BY grantee COLLATE "C"), 'nobody')
	  FROM (SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS grantee,
				   string_agg(privilege_type || CASE WHEN is_grantable THEN '*' ELSE '' END, ',' ORDER BY privilege_type) AS rights
			  FROM aclexplode(coalesce(acl, acldefault(kind, owner))) WHERE grantee <> owner GROUP BY 1) g
$$;
CREATE FUNCTION owner(role oid) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN rolsuper THEN 'superuser' ELSE 'no superuser' END FROM pg_authid WHERE oid = role
$$;
-- what kinds of objects there are
SELECT classid::regclass, count(*) FROM member GROUP BY 1 ORDER BY classid::regclass::text COLLATE "C";
SELECT nspname, owner(nspowner), rights(nspacl, 'n', nspowner)
  FROM pg_namespace JOIN member ON classid = 'pg_namespace'::regclass AND objid = oid;
-- functions: language, owner, security, settings, rights
SELECT oid::regprocedure, (SELECT lanname FROM pg_language l WHERE l.oid = prolang), owner(proowner),
	   CASE WHEN prosecdef THEN 'DEFINER' ELSE 'INVOKER' END, proconfig, rights(proacl, 'f', proowner)
  FROM pg_proc JOIN member ON classid = 'pg_proc'::regclass AND objid = oid ORDER BY oid::regprocedure::text COLLATE "C";
-- relations: kind, owner, row security, rights on it and on its columns
SELECT oid::regclass, relkind, owner(relowner), relrowsecurity, rights(relacl, 'r', relowner),
	   (SELECT count(attacl) FROM pg_attribute WHERE attrelid = c.oid)
  FROM pg_class c JOIN member ON classid = 'pg_class'::regclass AND objid = oid ORDER BY oid::regclass::text COLLATE "C";
-- their rules, policies and triggers
SELECT ev_class::regclass, rulename FROM pg_rewrite JOIN member ON classid = 'pg_class'::regclass AND objid = ev_class;
SELECT polrelid::regclass, polname FROM pg_policy JOIN member ON classid = 'pg_class'::regclass AND objid = polrelid;
SELECT tgrelid::regclass, tgname, tgfoid::regprocedure, tgenabled
  FROM pg_trigger JOIN member ON classid = 'pg_class'::regclass AND objid = tgrelid WHERE NOT tgisinternal
 ORDER BY tgrelid::regclass::text COLLATE "C", tgname COLLATE "C";
-- types
SELECT oid::regtype, typtype, owner(typowner), rights(typacl, 'T', typowner)
  FROM pg_type JOIN member ON classid = 'pg_type'::regclass AND objid = oid ORDER BY oid::regtype::text COLLATE "C";

-- The schema of CREATE EXTENSION has functions and domains, and not too many.
SELECT count(*), count(*) <= 85 AS few FROM pg_proc JOIN member ON classid = 'pg_proc'::regclass AND objid = oid
 WHERE pronamespace = (SELECT extnamespace FROM pg_extension WHERE extname = 'hilo');
SELECT count(*) FROM pg_class JOIN member ON classid = 'pg_class'::regclass AND objid = oid
 WHERE relnamespace = (SELECT extnamespace FROM pg_extension WHERE extname = 'hilo');
SELECT oid::regtype FROM pg_type JOIN member ON classid = 'pg_type'::regclass AND objid = oid
 WHERE typnamespace = (SELECT extnamespace FROM pg_extension WHERE extname = 'hilo') AND typtype <> 'd';
-- PUBLIC has nothing in hilo_internal but what functions show of it.
SELECT has_schema_privilege('public', 'hilo_internal', 'USAGE'), has_schema_privilege('public', 'hilo_internal', 'CREATE'),
	   (SELECT count(*) FROM pg_proc WHERE pronamespace = 'hilo_internal'::regnamespace AND has_function_privilege('public', oid, 'EXECUTE'));

-- Where code changes the user or the security context, or starts with no user.
\getenv abs_srcdir PG_ABS_SRCDIR
\cd :abs_srcdir
\! cd src && grep -oE '\b(Set|Get)(UserId|UserIdAndSecContext|SessionUserId|OuterUserId|CurrentRoleId|SessionAuthorization)\b|\bSECURITY_[A-Z_]+|\bBackgroundWorkerInitializeConnection\w*|\bSwitchTo(Untrusted)?User\b|"(SET|RESET) (LOCAL |SESSION )?(ROLE|SESSION)|set_config_option\("(role|session)' *.c */*.[ch] | grep -v ':GetUserId$' | LC_ALL=C sort | uniq -c | awk '{print $2, $1}'

DROP FUNCTION rights, owner;
DROP VIEW member;
