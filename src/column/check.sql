CREATE FUNCTION hilo_internal.hilo_look(
	rel oid, attnum int2, folded text, sequence oid, trigger oid, is_key bool,
	OUT state text, OUT detail text, OUT unchecked text, OUT type_max int8,
	OUT highest int8, OUT last int8, OUT max_value int8, OUT used_ratio float8,
	OUT hint text, OUT lowest int8, OUT is_foreign bool,
	OUT may_use bool, OUT may_raise bool, OUT grp text)
RETURNS record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION hilo_internal.hilo_look IS
	'return what hilo_check asks about a column';

CREATE FUNCTION @extschema@.hilo_check(
	rel regclass DEFAULT NULL, OUT rel regclass, OUT col name,
	OUT generator text, OUT problem text, OUT detail text, OUT hint text,
	OUT used_ratio float8, OUT sequence regclass)
RETURNS SETOF record LANGUAGE sql SET jit = off
BEGIN ATOMIC
	WITH refers AS MATERIALIZED (
		SELECT * FROM hilo_internal.hilo_check_references()
	), looked AS MATERIALIZED (
		SELECT s.*, l.*
		  FROM hilo_internal.hilo_check_subjects($1::oid) s
			   CROSS JOIN LATERAL hilo_internal.hilo_look(
				s.rel, s.attnum,
				CASE WHEN s.generator IS NOT NULL THEN s.folded END,
				s.sequence, s.trigger, s.is_key) l
		 WHERE $1 IS NULL OR s.rel = $1
			OR s.rel IN (SELECT r.parent FROM refers r WHERE r.rel = $1)
	), parent AS (
		-- the ids that a column refers to
		SELECT r.rel, r.attnum, max(greatest(p.last, p.highest)) AS last,
			   min(p.unchecked) AS unchecked,
			   min(format('%s.%I of type %s', p.rel::regclass, p.attname,
				   format_type(a.atttypid, NULL))) AS called
		  FROM refers r
			   JOIN looked p ON (p.rel, p.attnum) = (r.parent, r.parent_attnum)
			   JOIN pg_attribute a
			   ON (a.attrelid, a.attnum) = (p.rel, p.attnum)
		 GROUP BY r.rel, r.attnum
	)
	SELECT s.rel::regclass, s.attname, s.generator, p.problem, p.detail,
		   CASE WHEN v.may THEN ''
			   ELSE format('If role %I is to be trusted with the %s: ',
				   v.table_owner, v.what) END || p.hint,
		   u.used_ratio, v.named
	  FROM looked s
		   LEFT JOIN parent f
		   ON s.is_key IS NOT NULL AND (f.rel, f.attnum) = (s.rel, s.attnum)
		   CROSS JOIN LATERAL (
			SELECT greatest(s.last, f.last) AS last,
				   coalesce(s.max_value, s.type_max) AS max_value,
				   greatest(s.used_ratio,
					   CASE WHEN f.last >= s.type_max THEN 1
						   ELSE f.last::float8 / s.type_max END) AS used_ratio,
				   coalesce(s.unchecked,
					   CASE WHEN f.last IS NULL THEN f.unchecked END)
					   AS unchecked) u
		   CROSS JOIN LATERAL (
			SELECT s.sequence IS NULL AS is_generator,
				   s.sequence::regclass AS named,
				   pg_get_userbyid(s.relowner) AS table_owner,
				   s.folded ~ '^#' AS is_own,
				   CASE WHEN s.sequence IS NOT NULL THEN 'sequence'
					   WHEN s.is_key IS NOT NULL THEN 'type'
					   WHEN s.trigger IS NOT NULL THEN 'group'
					   ELSE 'generator' END AS what,
				   CASE WHEN s.sequence IS NOT NULL THEN 'value'
					   ELSE concat('id', ' in ' || f.called) END AS number,
				   s.highest >= 0.75 * u.max_value AS is_high,
				   -- any role's default may name it
				   coalesce(s.may_raise AND NOT s.is_foreign,
					   has_sequence_privilege(s.relowner, s.sequence, 'UPDATE'),
					   true) AS may,
				   u.max_value = s.type_max AND s.type_max < 9223372036854775807
					   AS ends_with_type,
				   s.rel IS NULL AND NOT s.is_used AS is_free,
				   'Raise its limit with ALTER SEQUENCE ... AS bigint or '
					   'MAXVALUE.' AS raise_limit,
				   format('hilo_resync(%L, %L)', s.called, s.attname) AS resync,
				   format('hilo_group_seed(%L, %L, %s%s)', s.called, s.attname,
					   s.highest, s.grp) AS group_seed,
				   format('A group of rows holds numbers up to %s, '
					   'its last number is %s.', s.highest, u.last)
					   AS group_last,
				   -- the next value from there on that the sequence steps on
				   least(greatest(u.last + div(
						s.highest::numeric - u.last + s.seqincrement - 1,
						s.seqincrement) * s.seqincrement, s.lowest),
					   s.seqmax) AS step,
				   CASE WHEN s.trigger IS NOT NULL
					   THEN 'Drop the trigger, change the type of the column to '
						   'bigint, and create the trigger again.'
					   WHEN s.is_key IS NOT NULL OR s.seqmax > s.type_max
					   THEN 'Change the type of the column to bigint.'
					   WHEN s.sequence IS NOT NULL
					   THEN 'Change the type of the column to bigint, then raise '
						   'the limit of the sequence with ALTER SEQUENCE ... '
						   'AS bigint.'
					   ELSE 'Call hilo_attach with follow => false, change the '
						   'type of the column to bigint, and call hilo_attach '
						   'again.' END AS widen) v
		   CROSS JOIN LATERAL (
			SELECT t.*, count(*) OVER () AS told
			  FROM (
				-- if there are no rows, a first use makes it
				SELECT 1 AS no, s.state AS problem,
					   CASE s.state WHEN 'no generator'
						   THEN 'There is no such generator.'
						   WHEN 'incomplete generator'
						   THEN 'Only some tables of hilo have rows of it: a '
							   'restore has not finished, has failed for the '
							   'others, or has left them out.'
						   ELSE s.detail END AS detail,
					   CASE WHEN s.state = 'incomplete generator'
						   THEN 'Restore the other tables. Or define the '
							   'generator again as it was, with hilo_create, or '
							   'with the call that adopted its source. If '
							   'hilo_hi has no row of it, run hilo_drop first.'
						   WHEN s.state IN ('check failed',
							   'default not recognized') THEN s.hint
						   WHEN s.state = 'own generator in Citus'
						   THEN format('Run hilo_attach(%L, %L, %L).', s.called,
							   s.attname, '##' || s.called)
						   WHEN s.state <> 'no generator' THEN NULL
						   WHEN s.is_table AND (u.unchecked
							   ~ 'neither whole numbers|foreign table')
							   IS NOT TRUE
						   THEN concat('Run ', v.resync, '. If its ordering was '
							   'not the default, run hilo_create first.',
							   ' If an ORM calls nextval for '
								   || s.second::regclass
								   || ', adopt that sequence first.')
						   -- a view or foreign table has no generator
						   WHEN v.is_own
						   THEN 'Let the default call hilo_next_tag.'
						   ELSE 'Create it with hilo_create, and raise it with '
							   'hilo_seed.' END AS hint
				 WHERE s.state <> 'fine'
				   AND (s.state <> 'no generator' OR coalesce(s.highest::text,
						u.unchecked, s.second::text) IS NOT NULL)
				UNION ALL
				SELECT 2, 'rows above last',
					   CASE WHEN s.grp IS NOT NULL THEN v.group_last
						   ELSE format('The column holds ids up to %s, the %s''s '
							   'last %s is %s.', s.highest, v.what, v.number,
							   u.last) END,
					   -- hilo_resync refuses that, too
					   CASE WHEN u.max_value - s.highest
							   <= (u.max_value::numeric - u.last) / 10
						   THEN concat('Correct the row, or give it another id.',
							   ' If it is no mistake, do this: ' || CASE
								WHEN v.ends_with_type THEN v.widen
								WHEN u.max_value = 9223372036854775807 THEN NULL
								WHEN v.is_generator
								THEN 'Raise max_value with hilo_alter.'
								ELSE v.raise_limit END)
						   ELSE CASE WHEN v.is_high AND u.used_ratio < 0.75
								THEN 'If that id is a mistake, correct its row. '
									'Otherwise run '
								ELSE 'Run ' END
							|| CASE WHEN s.grp IS NOT NULL THEN v.group_seed || '.'
								WHEN NOT v.is_generator
								THEN format('setval(%1$L, greatest(%2$s, '
									'nextval(%1$L))).', v.named, v.step)
								WHEN NOT s.may_raise OR u.max_value < s.type_max
									OR v.is_high AND u.used_ratio < 0.75
								THEN format('hilo_seed(%L, %s).', s.generator,
									s.highest)
								ELSE v.resync || '.' END END
				 WHERE s.highest > u.last + coalesce(s.seqincrement::numeric - 1, 0)
				UNION ALL
				SELECT 3, CASE WHEN v.ends_with_type THEN 'type'
						   ELSE v.what END || ' nearly used up',
					   format('The last %s is %s, the last one possible is %s.',
						   v.number, u.last, u.max_value),
					   CASE WHEN v.ends_with_type THEN v.widen
						   WHEN s.trigger IS NOT NULL OR s.is_key IS NOT NULL
							   OR s.sequence IS NOT NULL
							   AND u.max_value = 9223372036854775807
						   THEN 'No integer type goes further.'
						   WHEN v.is_generator THEN s.hint
						   ELSE v.raise_limit END
					   || CASE WHEN s.highest < 0.5 * u.max_value
							   AND (s.grp IS NOT NULL
								   OR s.users = 1 AND s.lowest IS NOT NULL)
						   THEN format(' If a mistake took it there, and no id '
							   'above %s is in use, run %s.', s.highest,
							   CASE WHEN s.grp IS NOT NULL THEN v.group_seed
								   WHEN v.is_generator
								   THEN format('hilo_seed(%L, %s, force => true)',
									   s.generator,
									   greatest(s.highest, s.lowest))
								   ELSE format('setval(%L, %s)',
									   v.named, v.step) END)
						   WHEN coalesce(s.generator, s.rel::text) IS NOT NULL
							   AND coalesce(v.is_high, f.last IS NULL)
							   AND (v.ends_with_type OR u.max_value = s.seqmax)
						   THEN concat(' If a single row took it there by '
							   'mistake, correct the row',
							   CASE WHEN s.is_key IS NULL
								   THEN ' and set the ' || v.what || ' back'
							   END, ' instead.')
						   ELSE '' END
				 WHERE u.used_ratio >= 0.75
				UNION ALL
				SELECT 3, 'last above rows', v.group_last,
					   'If a mistake took it there, run ' || v.group_seed
					   || '. Deleted rows leave such a gap, too.'
				 WHERE s.grp IS NOT NULL AND s.highest <= u.last
				   AND u.used_ratio < 0.75
				UNION ALL
				SELECT 3, 'numbers below 1',
					   format('Rows brought numbers down to %s, and the '
						   'trigger has kept them.', s.lowest),
					   'Let the program leave the column out of INSERT, or send '
					   'NULL. Then correct these rows.'
				 WHERE s.trigger IS NOT NULL AND s.lowest < 1
				UNION ALL
				SELECT 4, 'type too small',
					   format('The last %s is %s, the type of the column ends at '
						   '%s.', v.number, u.last, s.type_max), v.widen
				 WHERE u.used_ratio < 0.75 AND s.type_max < 9223372036854775807
				   AND u.last >= s.type_max / 2
				UNION ALL
				SELECT 5, 'foreign owner',
					   'The generator belongs to a role without the rights of '
					   'the table''s owner, so an INSERT without an id fails. '
					   'That role could set it back so that its ids repeat.',
					   CASE WHEN v.is_own
						   THEN format('Run ALTER TABLE %s OWNER TO %I if both '
							   'tables are to have one owner',
							   substr(s.folded, 2)::oid::regclass, v.table_owner)
						   ELSE format('Run hilo_alter(%L, owner => %L) if no '
							   'other column draws from it', s.generator,
							   v.table_owner) END
					   || ', or let the column draw from another generator.'
				 WHERE s.is_foreign
				UNION ALL
				SELECT 6, 'no right',
					   format('The table''s owner may not use the %s, so an '
						   'INSERT without an id fails.', v.what),
					   CASE WHEN v.is_generator
						   THEN format('Run hilo_grant(%L, %L).', s.generator,
							   v.table_owner)
						   ELSE format('Run GRANT USAGE ON SEQUENCE %s TO %I.',
							   v.named, v.table_owner) END
				 WHERE NOT coalesce(s.may_use, s.is_identity
						OR has_sequence_privilege(s.relowner, s.sequence,
							'USAGE, UPDATE'))
				UNION ALL
				SELECT 6, 'no right',
					   'The table''s owner may not raise the sequence, so a row '
					   'with a higher id fails.',
					   format('Run GRANT UPDATE ON SEQUENCE %s TO %I.', v.named,
						   v.table_owner)
				 WHERE s.is_followed
				   AND NOT has_sequence_privilege(s.relowner, s.sequence,
					'UPDATE')
				UNION ALL
				SELECT 7, CASE WHEN s.is_followed THEN 'not followed'
						   ELSE 'no default' END, s.fault, s.mend
				 WHERE s.fault IS NOT NULL
				UNION ALL
				SELECT 7, 'second source',
					   coalesce(
						'Its parent table ' || s.whole::regclass
							|| ' gets its ids from another source.',
						'The trigger hilo_number_assign keeps the numbers of the '
							'column''s ' || lower(s.given) || '.',
						'Sequence ' || s.second::regclass
							|| ' may hand out the same ids.'),
					   CASE WHEN s.whole IS NOT NULL AND s.trigger IS NOT NULL
						   THEN 'Drop the trigger of the part.'
						   WHEN s.whole IS NOT NULL AND s.given IS NULL
							   AND s.type_max IS NULL
						   THEN 'Give the column the default of that table, then '
							   'call hilo_resync.'
						   WHEN s.whole IS NOT NULL AND s.given IS NULL
						   THEN format('Run hilo_attach(%1$L, %2$L%3$s).',
							   s.whole::regclass, s.attname,
							   CASE WHEN s.whole_has_sequence
								   THEN format(', %L', s.whole::regclass) END)
						   WHEN s.given IS NOT NULL
						   THEN CASE WHEN s.whole IS NULL
								   THEN 'Drop the trigger, or run '
								   ELSE 'Run ' END
							   || format('ALTER TABLE %s ALTER %I DROP %s. Drop a '
								   'sequence that the column still owns.',
								   s.called, s.attname, s.given)
						   WHEN s.second_is_used
						   THEN 'Other objects use it. Let all of them use one '
							   'generator, or run hilo_adopt_sequence_tag, and '
							   'hilo_attach with that tag.'
						   ELSE 'If no function or program calls nextval for it, '
							   'drop it. If an ORM does, such as after a restore '
							   'without hilo''s rows, run '
							   'hilo_adopt_sequence_tag, and hilo_attach with '
							   'that tag.' END
				 WHERE coalesce(s.given, s.whole::text) IS NOT NULL
					OR s.second IS NOT NULL AND s.state = 'fine'
				UNION ALL
				-- a table's own generator, beside what its key or its whole has
				SELECT 7, 'second source',
					   'The table''s ids come from another source.',
					   format('Run hilo_drop(%L), then hilo_resync for the column '
						   'that draws.', s.generator)
				 WHERE s.rel IS NULL AND v.is_own AND EXISTS (
					SELECT FROM looked o
						   LEFT JOIN pg_index i
						   ON i.indrelid = o.rel AND i.indisunique
							   AND o.attnum = ANY (i.indkey)
							   AND o.is_key IS NULL
						   LEFT JOIN pg_inherits p
						   ON '#' || p.inhparent::text = o.folded
					 WHERE s.folded IN ('#' || i.indrelid::text,
						'#' || p.inhrelid::text))
				UNION ALL
				SELECT 8, NULL, 'rows not checked: ' || u.unchecked, NULL
				 WHERE u.unchecked IS NOT NULL
				   AND coalesce(s.rel, s.sequence) IS NOT NULL
				UNION ALL
				SELECT 9, 'table is gone',
					   'The table was dropped while event triggers were off. A '
					   'new table with its OID would get its ids and its grants.',
					   format('Run hilo_drop(%L).', s.generator)
				 WHERE s.rel IS NULL AND v.is_own AND s.owner IS NULL
				UNION ALL
				SELECT 9, NULL,
					   format('The type of the column ends at %s, but the %s '
						   'ends at %s.', s.type_max, v.what, u.max_value),
					   CASE WHEN s.is_followed
						   THEN format('Run ALTER SEQUENCE %s AS bigint.', v.named)
						   ELSE format('If the column has been widened, run '
							   'hilo_attach(%L, %L).', s.called, s.attname) END
				 WHERE (s.is_followed OR v.is_generator
						AND s.lowest IS NOT NULL AND s.users = 1 AND v.may)
				   AND u.max_value < s.type_max
				   AND u.max_value IN (32767, 2147483647)
				UNION ALL
				SELECT 10, NULL,
					   CASE WHEN s.rel IS NOT NULL AND s.state <> 'fine'
						   THEN 'The first use creates the generator.'
						   WHEN s.is_followed
						   THEN 'The sequence follows the ids in rows.'
						   WHEN s.rel IS NOT NULL
						   THEN 'It refers to ' || f.called || '.'
						   WHEN s.sequence IS NULL
						   THEN 'No column draws from the generator.'
						   WHEN v.is_free
						   THEN 'No column draws from the sequence.'
						   ELSE 'No column uses the values of the sequence '
							   'unchanged.' END,
					   CASE WHEN s.rel IS NULL AND s.owner IS NULL
							   AND NOT v.is_own AND s.state = 'fine'
						   THEN format('Its owner was dropped. Run '
							   'hilo_alter(%1$L, owner => ...), or '
							   'hilo_drop(%1$L) if no function or program uses '
							   'it.', s.generator)
						   WHEN s.rel IS NULL AND v.is_own
						   THEN 'If an INSERT is to draw from it, call '
							   'hilo_attach with the column.'
						   WHEN v.is_free AND s.seqincrement > 1
							   AND s.sequence NOT IN (
								SELECT o.second FROM looked o
								 WHERE o.second IS NOT NULL)
						   THEN format('If a program calls nextval for the ids '
							   'of a column, adopt it: hilo_adopt_sequence('
							   '''TABLE'', ''COLUMN'', %L, ''STYLE'', %s), with '
							   'the style of that program.', v.named,
							   s.seqincrement)
						   END
			  ) t) p
	 WHERE (p.no < 10 OR p.told = 1
			OR s.rel IS NULL AND v.is_own IS NOT TRUE AND p.hint IS NOT NULL)
	   AND s.state IS NOT NULL AND ($1 IS NULL OR s.rel = $1)
	   AND (s.is_key IS NOT FALSE OR f.rel IS NOT NULL)
	   -- what an extension has made is not the user's to mend
	   AND (s.sequence IS NULL AND s.is_key IS NULL
		   OR coalesce(s.rel, s.sequence) NOT IN (
			SELECT d.objid FROM pg_depend d
			 WHERE d.classid = 'pg_class'::regclass AND d.deptype = 'e'))
	 ORDER BY s.rel, s.attnum, s.folded, s.sequence, p.no, p.detail;
END;
COMMENT ON FUNCTION @extschema@.hilo_check IS
	'list the columns that get ids from a generator or a sequence, with a row for each problem';
