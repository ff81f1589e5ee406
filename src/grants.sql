-- Who may do what with hilo: what stands here, and no more.

-- ALTER DEFAULT PRIVILEGES may have given more, as TRIGGER on a relation, by which
-- code of one role runs as another.  The functions that are not here, and types, are
-- for PUBLIC, and a database may mean them for others: they keep what it gave.
DO $$
DECLARE
	relations pg_catalog.text;
	roles pg_catalog.text;
BEGIN
	WITH member AS (
		SELECT d.classid, d.objid
		  FROM pg_catalog.pg_depend d
		  JOIN pg_catalog.pg_extension e
			   ON d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass
			   AND d.refobjid OPERATOR(pg_catalog.=) e.oid
		 WHERE e.extname OPERATOR(pg_catalog.=) 'hilo' AND d.deptype OPERATOR(pg_catalog.=) 'e'
	), given AS (
		SELECT c.oid::pg_catalog.regclass AS relation, c.relowner AS owner, c.relacl AS acl
		  FROM pg_catalog.pg_class c
		  JOIN member m ON m.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
			   AND m.objid OPERATOR(pg_catalog.=) c.oid
		UNION ALL
		SELECT NULL, p.proowner, p.proacl
		  FROM pg_catalog.pg_proc p
		  JOIN member m ON m.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
			   AND m.objid OPERATOR(pg_catalog.=) p.oid
	)
	SELECT pg_catalog.string_agg(DISTINCT g.relation::pg_catalog.text, ', '),
		   pg_catalog.concat_ws(', ', 'PUBLIC',
			   pg_catalog.string_agg(DISTINCT pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)), ', '))
	  INTO relations, roles
	  FROM given g
	  LEFT JOIN LATERAL pg_catalog.aclexplode(g.acl) a
			ON a.grantee OPERATOR(pg_catalog.<>) ALL (ARRAY[0::pg_catalog.oid, g.owner]);

	EXECUTE pg_catalog.concat('REVOKE ALL ON ', relations, ' FROM ', roles);
	EXECUTE pg_catalog.concat('REVOKE ALL ON FUNCTION
			@extschema@.hilo_guard, @extschema@.hilo_guard_worker,
			@extschema@.hilo_shards_check, @extschema@.hilo_server_command_run,
			@extschema@.decimal_launch, @extschema@.hilo_ledger_prune,
			@extschema@.hilo_hub_register, @extschema@.hilo_node_forget,
			@extschema@.hilo_hub_launch, @extschema@.hilo_hub_generator_id
		FROM ', roles);
END $$;

-- The owner of a trusted install can dump and restore these.
GRANT SELECT, INSERT ON @extschema@.hilo_hi, @extschema@.hilo_gapless, @extschema@.hilo_generator,
	@extschema@.hilo_privilege, @extschema@.hilo_source, @extschema@.hilo_launches, @extschema@.hilo_node
	TO @extowner@;

-- And has these, and may give them to others.
GRANT SELECT, INSERT, UPDATE, DELETE ON @extschema@.hilo_shards TO @extowner@ WITH GRANT OPTION;
GRANT SELECT, INSERT, DELETE ON @extschema@.hilo_prefixes TO @extowner@ WITH GRANT OPTION;

-- There are not many launches, nor of the ids of one; what is pruned cannot be
-- asked for any more.
GRANT EXECUTE ON FUNCTION @extschema@.decimal_launch, @extschema@.hilo_ledger_prune,
	@extschema@.hilo_hub_register, @extschema@.hilo_node_forget,
	@extschema@.hilo_hub_launch, @extschema@.hilo_hub_generator_id
	TO @extowner@ WITH GRANT OPTION;

GRANT SELECT ON @extschema@.hilo_launches, @extschema@.hilo_node, @extschema@.hilo_shards, @extschema@.hilo_prefixes
	TO PUBLIC;
GRANT SELECT ON @extschema@.hilo_generators, @extschema@.hilo_identities, @extschema@.hilo_nodes,
	@extschema@.hilo_progress_move, @extschema@.hilo_session, @extschema@.hilo_sources,
	@extschema@.hilo_stats, @extschema@.hilo_stats_server
	TO PUBLIC;
-- A row of hilo_move is for the owner of its table, by a policy.
GRANT SELECT, INSERT, UPDATE ON @extschema@.hilo_move TO PUBLIC;
GRANT SELECT, INSERT ON @extschema@.hilo_server_command TO PUBLIC;
