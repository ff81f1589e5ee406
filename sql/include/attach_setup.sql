\set ECHO none
-- What the files about hilo_attach begin with
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
CREATE SCHEMA at;
GRANT CREATE, USAGE ON SCHEMA at TO regress_hilo_clerk, regress_hilo_other;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_clerk, regress_hilo_other;
SET search_path = at, public;
-- what the test looks at: a column, its sequences, its generator
CREATE FUNCTION state_of(rel regclass, col name,
	OUT "default" text, OUT identity "char", OUT sequence text, OUT generator text, OUT last bigint, OUT max_value bigint, OUT owner regrole)
LANGUAGE sql AS $$
	SELECT pg_get_expr(d.adbin, d.adrelid), a.attidentity,
		(SELECT string_agg(format('%s %s %s', s.objid::regclass, s.deptype, pg_sequence_last_value(s.objid)), ', ' ORDER BY s.objid)
		   FROM pg_depend s JOIN pg_class c ON c.oid = s.objid AND c.relkind = 'S'
		  WHERE s.refclassid = 'pg_class'::regclass AND s.classid = 'pg_class'::regclass AND s.refobjid = rel AND s.refobjsubid = a.attnum),
		g.name, g.last, g.max_value, nullif(g.owner, current_user::regrole)
	FROM pg_attribute a LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
		LEFT JOIN hilo_generators() g ON docid_fold(g.name) = docid_fold((SELECT hilo_generator_of(rel, col)))
	WHERE a.attrelid = rel AND a.attname = col;
$$;
\set ECHO all
