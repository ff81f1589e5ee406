CREATE FUNCTION @extschema@.hilo_adopt_sequence(
	name pg_catalog.text,
	sequence pg_catalog.regclass,
	style pg_catalog.text,
	block pg_catalog.int8 DEFAULT NULL)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_adopt_sequence IS
	'creates a generator whose ranges come from the sequence of an ORM';

CREATE FUNCTION @extschema@.hilo_adopt_table(
	name pg_catalog.text,
	rel pg_catalog.regclass,
	style pg_catalog.text,
	block pg_catalog.int8 DEFAULT NULL,
	key_column pg_catalog.name DEFAULT NULL,
	key_value pg_catalog.text DEFAULT NULL,
	hi_column pg_catalog.name DEFAULT NULL,
	initial pg_catalog.int8 DEFAULT NULL)
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_adopt_table IS
	'creates a generator whose ranges come from a row in the table of an ORM';

-- a barrier: no condition of a query sees a row of hilo_source that the view hides
CREATE VIEW @extschema@.hilo_sources WITH (security_barrier = true) AS
	SELECT g.name,
		   CASE WHEN s.relation::pg_catalog.text OPERATOR(pg_catalog.<>) ''
				THEN pg_catalog.to_regclass(s.relation::pg_catalog.text) END AS source,
		   s.style, s.block, s.initial, s.hi_column, s.key_column, s.key_value
	  FROM @extschema@.hilo_generators g
	  JOIN @extschema@.hilo_source s
		   ON s.generator OPERATOR(pg_catalog.=) @extschema@.docid_fold(g.name)
	 WHERE g.ordering OPERATOR(pg_catalog.=) 'adopted';

COMMENT ON VIEW @extschema@.hilo_sources IS
	'where the ranges of adopted generators come from';
