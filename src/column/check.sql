CREATE FUNCTION hilo_internal.hilo_look(
	rel oid, attnum int2, folded text, sequence oid, trigger oid, is_key bool, OUT state text, OUT detail text, OUT unchecked text,
	OUT type_max int8, OUT highest int8, OUT last int8, OUT max_value int8, OUT used_ratio float8, OUT limit_hint text,
	OUT lowest int8, OUT ordering text, OUT is_foreign bool, OUT may_use bool, OUT may_raise bool, OUT grp text)
RETURNS record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION hilo_internal.hilo_look IS 'return what hilo_check asks of a column';

CREATE FUNCTION @extschema@.hilo_check(
	rel regclass DEFAULT NULL, OUT rel regclass, OUT col name, OUT generator text, OUT problem text,
	OUT detail text, OUT hint text, OUT used_ratio float8, OUT sequence regclass)
RETURNS SETOF record LANGUAGE sql SET jit = off
BEGIN ATOMIC
	WITH drawing AS MATERIALIZED (
		SELECT * FROM hilo_internal.hilo_columns()
	), listed AS MATERIALIZED (
		SELECT g.folded, g.name, g.owner FROM hilo_internal.hilo_generator_list() g
	), adopted AS MATERIALIZED (
		SELECT h.source::oid AS adopted, l.folded FROM @extschema@.hilo_sources() h JOIN listed l ON l.name = h.name
	), sequence AS (
		-- those of a default, be it a domain's, that is just nextval, with or without casts; of an identity; owned
		SELECT coalesce(a.attrelid, f.adrelid) AS rel, coalesce(a.attnum, f.adnum) AS attnum,
			   q.seqrelid AS sequence, false AS is_owned
		  FROM pg_sequence q JOIN pg_depend d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, q.seqrelid)
			   LEFT JOIN pg_attrdef f ON (d.classid, d.objid) = ('pg_attrdef'::regclass, f.oid)
			   LEFT JOIN (pg_type t
				   JOIN pg_depend u ON (u.refclassid, u.refobjid, u.classid) = ('pg_type'::regclass, t.oid, 'pg_class'::regclass)
				   JOIN pg_attribute a ON (a.attrelid, a.attnum) = (u.objid, u.objsubid) AND NOT a.atthasdef
				   JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'f'))
			   ON (d.classid, d.objid) = ('pg_type'::regclass, t.oid)
		 -- its length first, which takes no memory; so below
		 WHERE CASE WHEN octet_length(coalesce(f.adbin, t.typdefaultbin)::text) < 2000
			   THEN coalesce(f.adbin, t.typdefaultbin)::text ~ ('^[{]((FUNCEXPR [^{]*:funcformat [12] [^{]*:args [(]|'
				   || '(RELABELTYPE|COERCEVIAIO|COERCETODOMAIN) :arg )[{])*FUNCEXPR :funcid 1574 ') END
		UNION ALL
		SELECT d.refobjid, d.refobjsubid::int2, d.objid, d.deptype = 'a'
		  FROM pg_depend d JOIN pg_sequence q ON (d.classid, d.objid) = ('pg_class'::regclass, q.seqrelid)
		 WHERE d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
	), source AS MATERIALIZED (
		SELECT u.*, d.generator, d.folded, CASE WHEN d.rel IS NULL THEN s.sequences[1] END AS sequence,
			   CASE WHEN d.rel IS NULL THEN nullif(s.sequences[array_length(s.sequences, 1)], s.sequences[1])
				   ELSE s.sequences[1] END AS other,
			   NULL::oid AS trigger, NULL::oid AS owner, a.attname, a.attidentity, a.atthasdef, coalesce(d.folded, '') AS key
		  FROM drawing d FULL JOIN (
			SELECT q.rel, q.attnum, array_agg(q.sequence ORDER BY q.is_owned) AS sequences
			  FROM sequence q GROUP BY q.rel, q.attnum) s USING (rel, attnum) AS u
			   -- OFFSET 0 keeps it a look by index, whatever a plan expects; so below
			   CROSS JOIN LATERAL (
			SELECT a.attname, a.attidentity, a.atthasdef FROM pg_attribute a
			 WHERE (a.attrelid, a.attnum) = (coalesce(d.rel, s.rel), coalesce(d.attnum, s.attnum)) OFFSET 0) a
		UNION ALL
		SELECT t.tgrelid, a.attnum, NULL, NULL, NULL, NULL, t.oid, NULL, a.attname, a.attidentity, a.atthasdef, ''
		  FROM pg_trigger t CROSS JOIN LATERAL (
			SELECT a.attnum, a.attname, a.attidentity, a.atthasdef FROM pg_attribute a
			 WHERE (a.attrelid, a.attname) = (t.tgrelid, CASE WHEN octet_length(t.tgargs) < 2000
				   THEN convert_from(substring(t.tgargs FROM 1 FOR position(decode('00', 'hex') IN t.tgargs) - 1),
					   getdatabaseencoding())::name END)
			OFFSET 0) a
		 WHERE t.tgfoid = '@extschema@.hilo_number_assign'::regproc AND t.tgnargs > 0 AND NOT EXISTS (
			-- of which it is a copy
			SELECT FROM pg_inherits i JOIN pg_trigger p ON p.tgrelid = i.inhparent
			 WHERE i.inhrelid = t.tgrelid AND (p.tgfoid, p.tgargs) = (t.tgfoid, t.tgargs))
		UNION ALL
		SELECT NULL, NULL, g.name, g.folded, NULL, NULL, NULL, g.owner, NULL, NULL, NULL, ''
		  FROM listed g WHERE NOT EXISTS (SELECT FROM drawing d WHERE d.folded = g.folded) AND g.folded !~ '^hilo[.]|[|]$'
		UNION ALL
		SELECT NULL, NULL, NULL, NULL, q.seqrelid, NULL, NULL, NULL, NULL, NULL, NULL, ''
		  FROM pg_sequence q WHERE q.seqrelid NOT IN (SELECT q.sequence FROM sequence q UNION ALL SELECT l.adopted FROM adopted l)
	), refers AS MATERIALIZED (
		SELECT f.conrelid AS rel, c.attnum, f.confrelid AS parent, c.parent_attnum
		  FROM pg_constraint f CROSS JOIN LATERAL unnest(f.conkey, f.confkey) c (attnum, parent_attnum)
		 WHERE f.contype = 'f' AND f.conparentid = 0
	), numbered AS MATERIALIZED (
		SELECT s.*, NULL::bool AS is_key FROM source s
		UNION ALL
		-- those without a source: keys, by their rows, and what refers to others
		SELECT k.rel, k.attnum, NULL, NULL, NULL, NULL, NULL, NULL, a.attname, a.attidentity, a.atthasdef, '', bool_or(k.is_key)
		  FROM (SELECT i.indrelid AS rel, i.indkey[0] AS attnum, true AS is_key
				  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid AND c.relkind IN ('r', 'p')
				 WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND (i.indisprimary OR i.indnkeyatts = 1)
				   AND i.indrelid >= 16384
				UNION ALL SELECT r.rel, r.attnum, false FROM refers r) k
			   CROSS JOIN LATERAL (SELECT a.attname, a.attidentity, a.atthasdef, a.atttypid FROM pg_attribute a WHERE (a.attrelid, a.attnum) = (k.rel, k.attnum) OFFSET 0) a
			   JOIN pg_type t ON t.oid = a.atttypid AND t.typcategory = 'N'
		 WHERE (k.rel, k.attnum) NOT IN (SELECT s.rel, s.attnum FROM source s WHERE s.rel IS NOT NULL)
		 GROUP BY k.rel, k.attnum, a.attname, a.attidentity, a.atthasdef
	), apart AS (
		-- parts of a table that has another source, or is asked for their keys, some levels up: others may plant many
		SELECT s.rel, s.attnum, s.key, min(whole.rel) AS whole, bool_or(whole.is_numbered) AS is_numbered
		  FROM (SELECT s.*, above FROM numbered s CROSS JOIN LATERAL (WITH RECURSIVE up AS (SELECT s.rel AS above, 0 AS level
				UNION SELECT unnest(ARRAY(SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = above)), level + 1 FROM up
				 WHERE level < 30)
				SELECT DISTINCT above FROM up) p WHERE s.rel IN (SELECT i.inhrelid FROM pg_inherits i) AND ($1 IS NULL OR s.rel = $1) OFFSET 0) s
			   JOIN (SELECT t.rel, t.attname, t.trigger IS NOT NULL AS is_numbered, t.is_key, bool_or(t.atthasdef) AS has_default,
					  array_agg(concat(t.folded, ' ', t.sequence)) AS sources FROM numbered t WHERE t.is_key IS NOT FALSE
					 GROUP BY 1, 2, 3, 4) whole
			   ON (whole.rel, whole.attname) = (s.above, s.attname) AND whole.rel <> s.rel
		 WHERE CASE WHEN coalesce(s.is_key, whole.is_key) IS NOT NULL THEN s.is_key
			   WHEN s.trigger IS NOT NULL THEN pg_partition_root(s.rel) IS NOT NULL WHEN NOT whole.is_numbered
			   THEN concat(s.folded, ' ', s.sequence) <> ALL (whole.sources)
			   ELSE s.atthasdef AND NOT whole.has_default END
		 GROUP BY s.rel, s.attnum, s.key
	), beside AS MATERIALIZED (
		-- for a table with a sequence: a generator of no column, the table's own, or a tag of its name and owner
		SELECT DISTINCT ON (c.oid) c.oid AS rel, g.generator
		  FROM pg_class c CROSS JOIN LATERAL (VALUES ('#' || c.oid), (c.relname::text),
				(c.relnamespace::regnamespace || '.' || quote_ident(c.relname))) n (name)
			   JOIN source g ON g.rel IS NULL AND g.folded = CASE getdatabaseencoding()
			   WHEN 'UTF8' THEN @extschema@.docid_fold(n.name) ELSE lower(n.name) END
		 WHERE c.oid IN (SELECT s.rel FROM source s WHERE s.sequence IS NOT NULL)
		   AND (g.folded ~ '^#' OR pg_has_role(g.owner, c.relowner, 'USAGE'))
		 ORDER BY c.oid, g.folded
	), subject AS (
		-- FULL JOIN is no loop
		SELECT s.*, c.relname, c.relnamespace, c.relowner, c.relkind IN ('r', 'p') AS is_table, beside.generator AS beside,
			   count(*) OVER (PARTITION BY s.folded, s.sequence) AS users, apart.whole, q.seqmax, q.seqincrement,
			   coalesce(
				   CASE WHEN (s.other, coalesce(s.folded, '')) NOT IN (SELECT l.adopted, l.folded FROM adopted l) THEN s.other END,
				   -- or the owner's, called as ORMs do, which is no column's, and which no default or the like uses
				   (SELECT min(o.oid) FROM pg_class o
					 WHERE s.generator IS NOT NULL AND o.relkind = 'S' AND o.relnamespace = c.relnamespace
					   AND pg_has_role(o.relowner, c.relowner, 'USAGE')
					   AND o.relname IN (c.relname || '_seq', c.relname || '_SEQ', c.relname || 'Sequence', c.relname || '_' || s.attname || '_seq')
					   AND o.oid NOT IN (SELECT l.adopted FROM adopted l)
					   AND NOT EXISTS (SELECT FROM pg_depend d
						 WHERE (d.classid, d.objid) = ('pg_class'::regclass, o.oid) AND d.deptype IN ('a', 'i')
							OR (d.refclassid, d.refobjid) = ('pg_class'::regclass, o.oid) AND d.deptype = 'n'))) AS second,
			   CASE WHEN s.trigger IS NULL AND apart.is_numbered IS NOT TRUE THEN NULL
				   WHEN s.attidentity <> '' THEN 'IDENTITY' WHEN s.atthasdef THEN 'DEFAULT' END AS given
		  FROM numbered s FULL JOIN apart USING (rel, attnum, key)
			   LEFT JOIN pg_sequence q ON q.seqrelid = s.sequence LEFT JOIN pg_class c ON c.oid = coalesce(rel, s.sequence)
			   -- where the ids of the primary key are the question
			   LEFT JOIN (beside JOIN pg_index i ON i.indrelid = beside.rel AND i.indisprimary AND i.indnkeyatts = 1)
			   ON beside.rel = s.rel AND i.indkey[0] = s.attnum AND s.sequence IS NOT NULL
		 WHERE pg_is_other_temp_schema(c.relnamespace) IS NOT TRUE AND (s.is_key AND apart.whole IS NOT NULL) IS NOT TRUE AND NOT EXISTS (
			SELECT FROM pg_inherits i JOIN source p ON p.rel = i.inhparent WHERE (i.inhrelid, p.sequence) = (s.rel, s.sequence))
	), looked AS MATERIALIZED (
		SELECT s.*, l.*
		  FROM subject s CROSS JOIN LATERAL hilo_internal.hilo_look(
			s.rel, s.attnum, CASE WHEN s.generator IS NOT NULL THEN s.folded END, s.sequence, s.trigger, s.is_key) l
		 WHERE $1 IS NULL OR s.rel = $1 OR s.rel IN (SELECT r.parent FROM refers r WHERE r.rel = $1)
	), parent AS (
		SELECT r.rel, r.attnum, max(greatest(p.last, p.highest)) AS last, min(p.unchecked) AS unchecked,
			   min(format('%s.%I of type %s', p.rel::regclass, p.attname, format_type(a.atttypid, NULL))) AS called
		  FROM refers r JOIN looked p ON (p.rel, p.attnum) = (r.parent, r.parent_attnum)
			   JOIN pg_attribute a ON (a.attrelid, a.attnum) = (p.rel, p.attnum)
		 GROUP BY r.rel, r.attnum
	)
	SELECT s.rel::regclass, s.attname, s.generator, p.problem, p.detail,
		   CASE WHEN v.may THEN '' ELSE format('If role %I is to be trusted with the %s: ', pg_get_userbyid(s.relowner), v.what) END
			   || p.hint, u.used_ratio, s.sequence::regclass
	  FROM looked s LEFT JOIN parent f ON s.is_key IS NOT NULL AND (f.rel, f.attnum) = (s.rel, s.attnum)
	 CROSS JOIN LATERAL (
		SELECT greatest(s.last, f.last) AS last, coalesce(s.max_value, s.type_max) AS max_value,
			   greatest(s.used_ratio, CASE WHEN f.last >= s.type_max THEN 1 ELSE f.last::float8 / s.type_max END) AS used_ratio,
			   coalesce(s.unchecked, CASE WHEN f.last IS NULL THEN f.unchecked END) AS unchecked,
			   s.relnamespace::regnamespace || '.' || quote_ident(s.relname) AS called) u
	 CROSS JOIN LATERAL (
		SELECT s.sequence IS NULL AS is_generator,
			   CASE WHEN s.sequence IS NOT NULL THEN 'sequence' WHEN s.is_key IS NOT NULL THEN 'type'
				   WHEN s.trigger IS NULL THEN 'generator' ELSE 'group' END AS what,
			   CASE WHEN s.sequence IS NOT NULL THEN 'value' ELSE concat('id', ' in ' || f.called) END AS number,
			   s.highest >= 0.75 * u.max_value AS is_high,
			   -- any role's default may name it
			   coalesce(s.may_raise AND NOT s.is_foreign, has_sequence_privilege(s.relowner, s.sequence, 'UPDATE'), true) AS may,
			   u.max_value = s.type_max AND s.type_max < 9223372036854775807 AS ends_with_type,
			   s.rel IS NULL AND NOT EXISTS (SELECT FROM pg_depend d
				WHERE (d.refclassid, d.refobjid) = ('pg_class'::regclass, s.sequence) AND d.deptype = 'n') AS is_free,
			   format('hilo_resync(%L, %L)', u.called, s.attname) AS resync,
			   format('hilo_group_seed(%L, %L, %s%s)', u.called, s.attname, s.highest, s.grp) AS group_seed,
			   format('A group of rows holds numbers up to %s, its last number is %s.', s.highest, u.last) AS group_last,
			   -- the next value from there on that the sequence steps on
			   least(greatest(u.last + div(s.highest::numeric - u.last + s.seqincrement - 1, s.seqincrement) * s.seqincrement,
				   s.lowest), s.seqmax) AS step,
			   CASE WHEN s.trigger IS NOT NULL
				   THEN 'Drop the trigger, change the type of the column to bigint, and create the trigger again.'
				   WHEN s.is_key IS NOT NULL OR s.seqmax > s.type_max THEN 'Change the type of the column to bigint.'
				   WHEN s.sequence IS NOT NULL
				   THEN 'Change the type of the column to bigint, then raise the limit of the sequence with ALTER SEQUENCE ... AS bigint.'
				   WHEN EXISTS (SELECT FROM pg_trigger g WHERE (g.tgrelid, g.tgfoid) = (s.rel, '@extschema@.hilo_follow'::regproc) AND s.attnum = ANY (g.tgattr))
				   THEN 'Call hilo_attach with follow => false, change the type of the column to bigint, and call hilo_attach again.'
				   ELSE 'Change the type of the column to bigint, then raise max_value with hilo_alter.' END AS widen) v
	 CROSS JOIN LATERAL (
		SELECT t.*, count(*) OVER () AS told FROM (
			-- where there are no rows, a first use makes it
			SELECT 1 AS no, s.state AS problem,
				CASE s.state WHEN 'no generator' THEN 'There is no such generator.'
					WHEN 'incomplete generator'
					THEN 'Only some tables of hilo have rows of it: a restore has not finished, has failed for the others, or has left them out.'
					ELSE s.detail END AS detail,
				CASE WHEN s.state = 'incomplete generator'
					THEN format('Restore the other tables, or define the generator again as it was, with hilo_create, hilo_adopt_sequence%1$s or hilo_adopt_table%1$s, after hilo_drop if hilo_hi has no row of it.',
						CASE WHEN s.folded ~ '^#' THEN '' ELSE '_tag' END)
					WHEN s.detail ~ '^permission denied (to create|for sequence)|^the source of generator|does not fit style|^tag "|has a generator of its own$'
					THEN 'An INSERT without an id fails with this error. Follow its hint.'
					WHEN s.state <> 'no generator' THEN NULL
					WHEN s.is_table AND (u.unchecked ~ 'neither whole numbers|foreign table') IS NOT TRUE
					THEN format('Run %s, after hilo_create if its ordering was not the default', v.resync)
						|| coalesce(CASE WHEN s.folded ~ '^#' THEN ', or hilo_adopt_sequence' ELSE ', or after hilo_adopt_sequence_tag' END
							|| ' if an ORM calls nextval for ' || s.second::regclass, '') || '.'
					-- a view or foreign table has no generator of its own
					WHEN s.folded ~ '^#' THEN 'Set the default to hilo_next_tag of a tag.'
					ELSE 'Create it with hilo_create, and raise it with hilo_seed.' END AS hint
			 WHERE s.state <> 'fine' AND (s.state <> 'no generator' OR coalesce(s.highest::text, u.unchecked, s.second::text) IS NOT NULL)
			UNION ALL
			SELECT 2, 'rows above last',
				CASE WHEN s.grp IS NOT NULL THEN v.group_last
					ELSE format('The column holds ids up to %s, the %s''s last %s is %s.', s.highest, v.what, v.number, u.last) END,
				-- as hilo_resync, which refuses that
				CASE WHEN u.max_value - s.highest <= (u.max_value::numeric - u.last) / 10
				THEN 'Correct the row, or give it another id. If it is no mistake, widen the type of the column, and raise the end of the sequence with ALTER SEQUENCE ... AS bigint or MAXVALUE, or that of the generator with hilo_alter.'
				ELSE CASE WHEN v.is_high AND u.used_ratio < 0.75 THEN 'If that id is a mistake, correct its row. Otherwise run '
					ELSE 'Run ' END
				|| CASE WHEN s.grp IS NOT NULL THEN v.group_seed || '.'
					WHEN v.is_generator
						AND (NOT s.may_raise OR u.max_value < s.type_max OR v.is_high AND u.used_ratio < 0.75)
					THEN format('hilo_seed(%L, %s).', s.generator, s.highest)
					WHEN v.is_generator THEN v.resync || '.'
					ELSE format('setval(%1$L, greatest(%2$s, nextval(%1$L))).', s.sequence::regclass, v.step)
						|| CASE WHEN (s.rel, s.attnum, false) NOT IN (SELECT q.rel, q.attnum, q.is_owned FROM sequence q)
							OR s.users > 1 OR s.seqincrement > 1 OR s.whole IS NOT NULL OR s.sequence IN (SELECT l.adopted FROM adopted l)
							OR NOT pg_has_role(s.relowner, (SELECT o.relowner FROM pg_class o WHERE o.oid = s.sequence), 'USAGE') OR EXISTS (
							SELECT FROM pg_depend d WHERE (d.refclassid, d.refobjid) = ('pg_class'::regclass, s.sequence)
							   AND d.classid <> 'pg_attrdef'::regclass AND d.deptype = 'n') THEN ''
						ELSE format(' With hilo_attach(%L, %L) the ids stay above such rows.', u.called, s.attname) END
					END END
			 WHERE s.highest > u.last + coalesce(s.seqincrement::numeric - 1, 0)
			UNION ALL
			SELECT 3, CASE WHEN v.ends_with_type THEN 'type' ELSE v.what END || ' nearly used up',
				format('The last %s is %s, the last one possible is %s.', v.number, u.last, u.max_value),
				CASE WHEN v.ends_with_type THEN v.widen
					WHEN s.trigger IS NOT NULL OR s.is_key IS NOT NULL OR s.sequence IS NOT NULL AND u.max_value = 9223372036854775807
					THEN 'No integer type goes further.'
					WHEN v.is_generator THEN s.limit_hint
					ELSE 'Raise its limit with ALTER SEQUENCE ... AS bigint or MAXVALUE.' END
				|| CASE WHEN s.highest < 0.5 * u.max_value AND (s.users = 1 AND s.lowest IS NOT NULL OR s.grp IS NOT NULL)
					THEN format(' If a mistake took it there, and no id above %s is in use, run %s.', s.highest, CASE WHEN s.grp IS NOT NULL THEN v.group_seed
						WHEN v.is_generator
						THEN format('hilo_seed(%L, %s, force => true)', s.generator, greatest(s.highest, s.lowest))
						ELSE format('setval(%L, %s)', s.sequence::regclass, v.step) END)
					WHEN coalesce(s.generator, s.rel::text) IS NOT NULL AND s.is_key IS NULL AND coalesce(v.is_high, true) AND (v.ends_with_type OR u.max_value = s.seqmax)
					THEN ' If a single row took it there by mistake, correct the row and set the ' || v.what || ' back instead.'
					ELSE '' END
			 WHERE u.used_ratio >= 0.75
			UNION ALL
			SELECT 3, 'last above rows', v.group_last,
				'If a mistake took it there, run ' || v.group_seed || '. Deleted rows leave such a gap, too.'
			 WHERE s.grp IS NOT NULL AND s.highest <= u.last AND u.used_ratio < 0.75
			UNION ALL
			SELECT 3, 'numbers below 1', format('Rows hold numbers down to %s, which the trigger has kept as the rows'' own.', s.lowest),
				'Let the program leave the column out of INSERT, or send NULL. Then correct these rows.'
			 WHERE s.trigger IS NOT NULL AND s.lowest < 1
			UNION ALL
			SELECT 4, 'type too small',
				format('The last %s is %s, the type of the column ends at %s.', v.number, u.last, s.type_max), v.widen
			 WHERE u.used_ratio < 0.75 AND s.type_max < 9223372036854775807 AND u.last >= s.type_max / 2
			UNION ALL
			SELECT 5, 'foreign owner',
				'The generator belongs to a role without the rights of the table''s owner. '
				'That role could drop the generator, or set it back so that its ids repeat.',
				format(CASE WHEN s.folded ~ '^#' THEN 'Run ALTER TABLE %3$s OWNER TO %4$s if both tables are to have one owner'
						ELSE 'Run hilo_alter(%1$L, owner => %2$L) if no other column draws from it' END
					|| ', or let the column draw from another generator.', s.generator, pg_get_userbyid(s.relowner),
					CASE WHEN s.folded ~ '^#' THEN substr(s.folded, 2)::oid::regclass END, quote_ident(pg_get_userbyid(s.relowner)))
			 WHERE s.is_foreign
			UNION ALL
			SELECT 6, 'no right', format('The table''s owner may not use the %s, so an INSERT without an id fails.', v.what),
				CASE WHEN v.is_generator THEN format('Run hilo_grant(%L, %L).', s.generator, pg_get_userbyid(s.relowner))
					ELSE format('Run GRANT USAGE ON SEQUENCE %s TO %I.', s.sequence::regclass, pg_get_userbyid(s.relowner)) END
			 WHERE coalesce(NOT s.may_use, s.attidentity = '' AND NOT has_sequence_privilege(s.relowner, s.sequence, 'USAGE, UPDATE'))
			UNION ALL
			SELECT 7, 'second source',
				coalesce('Table ' || s.whole::regclass || ', which it is a part of, has its ids from elsewhere.',
					'The trigger hilo_number_assign keeps the numbers of the column''s ' || lower(s.given) || '.',
					'Sequence ' || s.second::regclass || ' may hand out the same ids.',
					'Generator ' || s.beside || ', which no column draws from, hands out the same ids.'),
				CASE WHEN s.whole IS NOT NULL AND s.trigger IS NOT NULL THEN 'Drop the trigger of the part.'
					WHEN s.whole IS NOT NULL AND s.given IS NULL AND s.type_max IS NULL
					THEN 'Give the column the default of that table, then call hilo_resync.'
					WHEN s.whole IS NOT NULL AND s.given IS NULL THEN format('Run hilo_attach(%L, %L).', s.whole::regclass, s.attname)
					WHEN s.given IS NOT NULL
					THEN CASE WHEN s.whole IS NULL THEN 'Drop the trigger, or run ' ELSE 'Run ' END || format(
						'ALTER TABLE %s ALTER %I DROP %s. Drop a sequence that the column still owns.', u.called, s.attname, s.given)
					WHEN s.second IS NULL
					THEN format('Run hilo_attach(%L, %L, %L), or hilo_drop(%3$L) if nothing takes ids of it.', u.called, s.attname, s.beside)
					WHEN s.second IN (SELECT l.adopted FROM adopted l) OR EXISTS (SELECT FROM pg_depend d
						WHERE (d.refclassid, d.refobjid) = ('pg_class'::regclass, s.second) AND d.deptype = 'n')
					THEN 'Other objects use it. Put all of them on one generator, or adopt the sequence with hilo_adopt_sequence.'
					ELSE 'If no function or program calls nextval for it, drop it. '
						'If an ORM does, as before a restore without hilo''s rows, drop the column''s default and its generator, '
						'if it has one, run hilo_adopt_sequence, and run hilo_resync.' END
			 WHERE coalesce(s.given, s.whole::text, s.beside) IS NOT NULL
				OR s.second IS NOT NULL AND coalesce(s.ordering, s.sequence::text) IS NOT NULL
			UNION ALL
			SELECT 8, NULL, 'rows not checked: ' || u.unchecked, NULL
			 WHERE u.unchecked IS NOT NULL AND coalesce(s.rel, s.sequence) IS NOT NULL
			UNION ALL
			SELECT 9, 'table is gone',
				'The table was dropped while event triggers were off. A new table with its OID would get its ids and its grants.',
				format('Run hilo_drop(%L).', s.generator)
			 WHERE s.rel IS NULL AND s.folded ~ '^#' AND s.owner IS NULL
			UNION ALL
			SELECT 9, NULL, format('%s columns draw from sequence %s.', s.users, s.sequence::regclass), NULL
			 WHERE s.sequence IS NOT NULL AND s.users > 1
			UNION ALL
			SELECT 9, NULL, format('The type of the column ends at %s, the generator at %s.', s.type_max, u.max_value),
				format('If the column has been widened, run hilo_attach(%L, %L).', u.called, s.attname)
			 WHERE s.lowest IS NOT NULL AND s.ordering <> 'scattered' AND s.users = 1 AND v.may
			   AND u.max_value IN (32767, 2147483647) AND u.max_value < s.type_max
			UNION ALL
			SELECT 10, NULL, CASE WHEN s.rel IS NOT NULL AND s.state <> 'fine' THEN 'The generator is made by its first use.'
					WHEN s.rel IS NOT NULL THEN 'It refers to ' || f.called || '.'
					WHEN s.sequence IS NULL THEN 'No column draws from the generator.'
					WHEN v.is_free THEN 'No column draws from the sequence.'
					ELSE 'No column has the values of the sequence as they are.' END,
				CASE WHEN s.rel IS NULL AND s.owner IS NULL AND s.folded !~ '^#' AND s.state = 'fine'
					THEN format('Its owner was dropped. Run hilo_alter(%1$L, owner => ...), or hilo_drop(%1$L) if no function or program takes ids of it.', s.generator)
					WHEN s.folded ~ '.[|]$' AND s.ordering = 'global' AND s.lowest IS NOT NULL
					THEN format('If its numbers must have no gaps, run hilo_alter(%L, ''gapless''): '
						'a restore without hilo''s rows forgets that.', s.generator)
					WHEN v.is_free AND s.seqincrement > 1 AND s.sequence NOT IN (SELECT o.second FROM looked o WHERE o.second IS NOT NULL)
					THEN format('If a program calls nextval for the ids of a column, adopt it: '
						'hilo_adopt_sequence(''TABLE'', ''COLUMN'', %L, ''hibernate-pooled'', %s), in the style of that program.',
						s.sequence::regclass, s.seqincrement) END
		  ) t
	 ) p
	 WHERE (p.no < 10 OR p.told = 1 OR s.rel IS NULL AND p.hint IS NOT NULL) AND s.state IS NOT NULL AND ($1 IS NULL OR s.rel = $1)
	   AND (s.is_key IS NOT FALSE OR f.rel IS NOT NULL)
	   -- what an extension has made is not the user's to mend
	   AND (s.sequence IS NULL AND s.is_key IS NULL OR coalesce(s.rel, s.sequence) NOT IN (
		SELECT d.objid FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.deptype = 'e'))
	 ORDER BY s.rel, s.attnum, s.folded, s.sequence, p.no;
END;
COMMENT ON FUNCTION @extschema@.hilo_check IS
	'list every column that has its ids from a generator or a sequence, or those of one table, with a row for each problem';
