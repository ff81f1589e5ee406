CREATE FUNCTION hilo_internal.hilo_check_column(
	rel oid, attnum int2, folded text, sequence oid, trigger oid,
	has_source bool, is_key bool,
	OUT state text, OUT detail text, OUT unchecked text, OUT type_max int8,
	OUT highest int8, OUT last int8, OUT max_value int8, OUT used_ratio float8,
	OUT hint text, OUT lowest int8, OUT may_draw bool,
	OUT may_use bool, OUT may_raise bool, OUT group_arguments text,
	OUT can_resync bool)
RETURNS record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION hilo_internal.hilo_check_column IS
	'return what hilo_check asks about a column';

CREATE FUNCTION @extschema@.hilo_check(
	rel regclass DEFAULT NULL, OUT rel regclass, OUT col name,
	OUT generator text, OUT problem text, OUT detail text, OUT hint text,
	OUT used_ratio float8, OUT sequence regclass)
RETURNS SETOF record LANGUAGE sql SET jit = off
BEGIN ATOMIC
	WITH reference AS MATERIALIZED (
		SELECT * FROM hilo_internal.hilo_check_references()
	), subject AS MATERIALIZED (
		SELECT listed.*, checked.*
		  FROM hilo_internal.hilo_check_subjects($1::oid) listed
			   CROSS JOIN LATERAL hilo_internal.hilo_check_column(
				listed.rel, listed.attnum,
				CASE WHEN listed.generator IS NOT NULL THEN listed.folded END,
				listed.sequence, listed.trigger, listed.has_source,
					listed.is_key) checked
		 WHERE $1 IS NULL OR listed.rel = $1
			OR listed.rel IN (
				SELECT r.referenced_rel FROM reference r WHERE r.rel = $1)
	), referenced AS (
		-- the ids that a column refers to
		SELECT r.rel, r.attnum, max(greatest(p.last, p.highest)) AS last,
			   min(p.unchecked) AS unchecked,
			   min(format('%s.%I of type %s', p.rel::regclass, p.attname,
				   format_type(a.atttypid, NULL))) AS described
		  FROM reference r
			   JOIN subject p
			   ON (p.rel, p.attnum) = (r.referenced_rel, r.referenced_attnum)
			   JOIN pg_attribute a
			   ON (a.attrelid, a.attnum) = (p.rel, p.attnum)
		 GROUP BY r.rel, r.attnum
	)
	SELECT subject.rel::regclass, subject.attname, subject.generator,
		   problem.problem, problem.detail,
		   CASE WHEN fact.owner_may_raise THEN ''
			   ELSE format('If role %I is to be trusted with the %s: ',
				   fact.table_owner, fact.source_kind) END || problem.hint,
		   counter.used_ratio, fact.sequence_name
	  FROM subject
		   LEFT JOIN referenced
		   ON NOT subject.has_source
			   AND (referenced.rel, referenced.attnum) = (subject.rel,
				   subject.attnum)
		   CROSS JOIN LATERAL (
			SELECT greatest(subject.last, referenced.last) AS last,
				   coalesce(subject.max_value, subject.type_max) AS max_value,
				   greatest(subject.used_ratio,
					   CASE WHEN referenced.last >= subject.type_max THEN 1
						   ELSE referenced.last::float8 / subject.type_max END)
							   AS used_ratio,
				   coalesce(subject.unchecked,
					   CASE WHEN referenced.last IS NULL
						   THEN referenced.unchecked END)
					   AS unchecked) counter
		   CROSS JOIN LATERAL (
			SELECT subject.sequence IS NULL AS no_sequence,
				   subject.sequence::regclass AS sequence_name,
				   pg_get_userbyid(subject.relowner) AS table_owner,
				   subject.folded ~ '^#' AS is_own,
				   CASE WHEN subject.sequence IS NOT NULL THEN 'sequence'
					   WHEN NOT subject.has_source THEN 'type'
					   WHEN subject.trigger IS NOT NULL THEN 'group'
					   ELSE 'generator' END AS source_kind,
				   CASE WHEN subject.sequence IS NOT NULL THEN 'value'
					   ELSE concat('id', ' in ' || referenced.described) END
						   AS value_noun,
				   subject.highest >= 0.75 * counter.max_value AS is_high,
				   -- any role's default may name it
				   coalesce(subject.may_raise AND subject.may_draw,
					   has_sequence_privilege(subject.relowner,
						   subject.sequence, 'UPDATE'),
					   true) AS owner_may_raise,
				   counter.max_value = subject.type_max
					   AND subject.type_max < 9223372036854775807
					   AS ends_with_type,
				   subject.rel IS NULL AND NOT subject.is_named AS is_free,
				   'Raise its limit with ALTER SEQUENCE ... AS bigint or '
					   'MAXVALUE.' AS raise_limit,
				   format('hilo_resync(%L, %L)', subject.table_name,
					   subject.attname) AS resync,
				   format('hilo_group_seed(%L, %L, %s%s)', subject.table_name,
					   subject.attname,
					   subject.highest, subject.group_arguments) AS group_seed,
				   format('A group of rows holds numbers up to %s, '
					   'its last number is %s.', subject.highest, counter.last)
					   AS group_last,
				   -- the next value from there on that the sequence steps on
				   least(greatest(counter.last + div(
						subject.highest::numeric - counter.last
							+ subject.seqincrement - 1,
						subject.seqincrement) * subject.seqincrement,
						subject.lowest),
					   subject.seqmax) AS setval_value,
				   CASE WHEN subject.trigger IS NOT NULL
					   THEN 'Drop the trigger, change the type of the column to '
						   'bigint, and create the trigger again.'
					   WHEN NOT subject.has_source
						   OR subject.seqmax > subject.type_max
					   THEN 'Change the type of the column to bigint.'
					   WHEN subject.sequence IS NOT NULL
					   THEN 'Change the type of the column to bigint, then raise '
						   'the limit of the sequence with ALTER SEQUENCE ... '
						   'AS bigint.'
					   ELSE 'Call hilo_attach with follow => false, change the '
						   'type of the column to bigint, and call hilo_attach '
						   'again.' END AS widen) fact
		   CROSS JOIN LATERAL (
			SELECT listed.*, count(*) OVER () AS problems
			  FROM (
				-- if there are no rows, a first use makes it
				SELECT 1 AS rank, subject.state AS problem,
					   CASE subject.state WHEN 'no generator'
						   THEN 'There is no such generator.'
						   WHEN 'incomplete generator'
						   THEN 'Only some tables of hilo have rows of it: a '
							   'restore has not finished, has failed for the '
							   'others, or has left them out.'
						   ELSE subject.detail END AS detail,
					   CASE WHEN subject.state = 'incomplete generator'
						   THEN 'Restore the other tables. Or define the '
							   'generator again as it was, with hilo_create, or '
							   'with the call that adopted its source. If '
							   'hilo_hi has no row of it, run hilo_drop first.'
						   WHEN subject.state IN ('check failed',
							   'default not recognized') THEN subject.hint
						   WHEN subject.state = 'own generator in Citus'
						   THEN format('Run hilo_attach(%L, %L, %L).',
							   subject.table_name,
							   subject.attname, '##' || subject.table_name)
						   WHEN subject.state <> 'no generator' THEN NULL
						   WHEN subject.is_table AND subject.can_resync
						   THEN concat('Run ', fact.resync,
							   '. If its ordering was '
							   'not the default, run hilo_create first.',
							   ' If an ORM calls nextval for '
								   || subject.other_sequence::regclass
								   || ', adopt that sequence first.')
						   -- a view or foreign table has no generator
						   WHEN fact.is_own
						   THEN 'Let the default call hilo_next_tag.'
						   ELSE 'Create it with hilo_create, and raise it with '
							   'hilo_seed.' END AS hint
				 WHERE subject.state <> 'fine'
				   AND (subject.state <> 'no generator'
					   OR coalesce(subject.highest::text,
						counter.unchecked, subject.other_sequence::text)
							IS NOT NULL)
				UNION ALL
				SELECT 2, 'rows above last',
					   CASE WHEN subject.group_arguments IS NOT NULL
						   THEN fact.group_last
						   ELSE format('The column holds ids up to %s, the %s''s '
							   'last %s is %s.', subject.highest,
								   fact.source_kind,
								   fact.value_noun,
							   counter.last) END,
					   -- hilo_resync refuses that, too
					   CASE WHEN counter.max_value - subject.highest
							   <= (counter.max_value::numeric - counter.last) / 10
						   THEN concat('Correct the row, or give it another id.',
							   ' If it is no mistake, do this: ' || CASE
								WHEN fact.ends_with_type THEN fact.widen
								WHEN counter.max_value = 9223372036854775807
									THEN NULL
								WHEN fact.no_sequence
								THEN 'Raise max_value with hilo_alter.'
								ELSE fact.raise_limit END)
						   ELSE CASE WHEN fact.is_high
							   AND counter.used_ratio < 0.75
								THEN 'If that id is a mistake, correct its row. '
									'Otherwise run '
								ELSE 'Run ' END
							|| CASE WHEN subject.group_arguments IS NOT NULL
								THEN fact.group_seed || '.'
								WHEN NOT fact.no_sequence
								THEN format('setval(%1$L, greatest(%2$s, '
									'nextval(%1$L))).', fact.sequence_name,
										fact.setval_value)
								WHEN NOT subject.may_raise
									OR counter.max_value < subject.type_max
									OR fact.is_high
										AND counter.used_ratio < 0.75
								THEN format('hilo_seed(%L, %s).',
									subject.generator, subject.highest)
								ELSE fact.resync || '.' END END
				 WHERE subject.highest
					> counter.last + coalesce(subject.seqincrement::numeric - 1,
						0)
				UNION ALL
				SELECT 3, CASE WHEN fact.ends_with_type THEN 'type'
						   ELSE fact.source_kind END || ' nearly used up',
					   format('The last %s is %s, the last one possible is %s.',
						   fact.value_noun, counter.last, counter.max_value),
					   CASE WHEN fact.ends_with_type THEN fact.widen
						   WHEN subject.trigger IS NOT NULL
							   OR NOT subject.has_source
							   OR subject.sequence IS NOT NULL
							   AND counter.max_value = 9223372036854775807
						   THEN 'No integer type goes further.'
						   WHEN fact.no_sequence THEN subject.hint
						   ELSE fact.raise_limit END
					   || CASE WHEN subject.highest < 0.5 * counter.max_value
							   AND (subject.group_arguments IS NOT NULL
								   OR subject.column_count = 1
									   AND subject.lowest IS NOT NULL)
						   THEN format(' If a mistake took it there, and no id '
							   'above %s is in use, run %s.', subject.highest,
							   CASE WHEN subject.group_arguments IS NOT NULL
								   THEN fact.group_seed
								   WHEN fact.no_sequence
								   THEN format('hilo_seed(%L, %s, force => true)',
									   subject.generator,
									   greatest(subject.highest,
										   subject.lowest))
								   ELSE format('setval(%L, %s)',
									   fact.sequence_name,
										   fact.setval_value) END)
						   WHEN coalesce(subject.generator, subject.rel::text)
							   IS NOT NULL
							   AND coalesce(fact.is_high,
								   referenced.last IS NULL)
							   AND (fact.ends_with_type
								   OR counter.max_value = subject.seqmax)
						   THEN concat(' If a single row took it there by '
							   'mistake, correct the row',
							   CASE WHEN subject.has_source
								   THEN ' and set the ' || fact.source_kind
									   || ' back'
							   END, ' instead.')
						   ELSE '' END
				 WHERE counter.used_ratio >= 0.75
				UNION ALL
				SELECT 3, 'last above rows', fact.group_last,
					   'If a mistake took it there, run ' || fact.group_seed
					   || '. Deleted rows leave such a gap, too.'
				 WHERE subject.group_arguments IS NOT NULL
					 AND subject.highest <= counter.last
				   AND counter.used_ratio < 0.75
				UNION ALL
				SELECT 3, 'numbers below 1',
					   format('Rows brought numbers down to %s, and the '
						   'trigger has kept them.', subject.lowest),
					   'Let the program leave the column out of INSERT, or send '
					   'NULL. Then correct these rows.'
				 WHERE subject.trigger IS NOT NULL AND subject.lowest < 1
				UNION ALL
				SELECT 4, 'type too small',
					   format('The last %s is %s, the type of the column ends at '
						   '%s.', fact.value_noun, counter.last,
							   subject.type_max),
							   fact.widen
				 WHERE counter.used_ratio < 0.75
				   AND subject.type_max < 9223372036854775807
				   AND counter.last >= subject.type_max / 2
				UNION ALL
				SELECT 5, 'foreign owner',
					   'The generator belongs to a role without the rights of '
					   'the table''s owner, so an INSERT without an id fails. '
					   'That role could set it back so that its ids repeat.',
					   CASE WHEN fact.is_own
						   THEN format('Run ALTER TABLE %s OWNER TO %I if both '
							   'tables are to have one owner',
							   substr(subject.folded, 2)::oid::regclass,
								   fact.table_owner)
						   ELSE format('Run hilo_alter(%L, owner => %L) if no '
							   'other column draws from it', subject.generator,
							   fact.table_owner) END
					   || ', or let the column draw from another generator.'
				 WHERE NOT subject.may_draw
				UNION ALL
				SELECT 6, 'no right',
					   format('The table''s owner may not use the %s, so an '
						   'INSERT without an id fails.', fact.source_kind),
					   CASE WHEN fact.no_sequence
						   THEN format('Run hilo_grant(%L, %L).',
							   subject.generator, fact.table_owner)
						   ELSE format('Run GRANT USAGE ON SEQUENCE %s TO %I.',
							   fact.sequence_name, fact.table_owner) END
				 WHERE NOT coalesce(subject.may_use, subject.is_identity
						OR has_sequence_privilege(subject.relowner,
							subject.sequence,
							'USAGE, UPDATE'))
				UNION ALL
				SELECT 6, 'no right',
					   'The table''s owner may not raise the sequence, so a row '
					   'with a higher id fails.',
					   format('Run GRANT UPDATE ON SEQUENCE %s TO %I.',
						   fact.sequence_name, fact.table_owner)
				 WHERE subject.is_followed
				   AND NOT has_sequence_privilege(subject.relowner,
					   subject.sequence,
					'UPDATE')
				UNION ALL
				SELECT 7, CASE WHEN subject.is_followed THEN 'not followed'
						   ELSE 'no default' END, subject.fault, subject.mend
				 WHERE subject.fault IS NOT NULL
				UNION ALL
				SELECT 7, 'second source',
					   coalesce(
						'Its parent table ' || subject.parent_table::regclass
							|| ' gets its ids from another source.',
						'The trigger hilo_number_assign keeps the numbers of the '
							'column''s ' || lower(subject.column_source) || '.',
						'Sequence ' || subject.other_sequence::regclass
							|| ' may hand out the same ids.'),
					   CASE WHEN subject.parent_table IS NOT NULL
						   AND subject.trigger IS NOT NULL
						   THEN 'Drop the trigger of the part.'
						   WHEN subject.parent_table IS NOT NULL
							   AND subject.column_source IS NULL
							   AND subject.type_max IS NULL
						   THEN 'Give the column the default of that table, then '
							   'call hilo_resync.'
						   WHEN subject.parent_table IS NOT NULL
							   AND subject.column_source IS NULL
						   THEN format('Run hilo_attach(%1$L, %2$L%3$s).',
							   subject.parent_table::regclass, subject.attname,
							   CASE WHEN subject.parent_has_sequence
								   THEN format(', %L',
									   subject.parent_table::regclass) END)
						   WHEN subject.column_source IS NOT NULL
						   THEN CASE WHEN subject.parent_table IS NULL
								   THEN 'Drop the trigger, or run '
								   ELSE 'Run ' END
							   || format('ALTER TABLE %s ALTER %I DROP %s. Drop a '
								   'sequence that the column still owns.',
								   subject.table_name, subject.attname,
									   subject.column_source)
						   WHEN subject.other_is_named
						   THEN 'Other objects use it. Let all of them use one '
							   'generator, or run hilo_adopt_sequence_tag, and '
							   'hilo_attach with that tag.'
						   ELSE 'If no function or program calls nextval for it, '
							   'drop it. If an ORM does, such as after a restore '
							   'without hilo''s rows, run '
							   'hilo_adopt_sequence_tag, and hilo_attach with '
							   'that tag.' END
				 WHERE coalesce(subject.column_source,
					 subject.parent_table::text) IS NOT NULL
					OR subject.other_sequence IS NOT NULL
						AND subject.state = 'fine'
				UNION ALL
				-- a table's own generator, beside what its key or its whole has
				SELECT 7, 'second source',
					   'The table''s ids come from another source.',
					   format('Run hilo_drop(%L), then hilo_resync for the column '
						   'that draws.', subject.generator)
				 WHERE subject.rel IS NULL AND fact.is_own AND EXISTS (
					SELECT FROM subject other
						   LEFT JOIN pg_index i
						   ON i.indrelid = other.rel AND i.indisunique
							   AND other.attnum = ANY (i.indkey)
							   AND other.has_source
						   LEFT JOIN pg_inherits p
						   ON '#' || p.inhparent::text = other.folded
					 WHERE subject.folded IN ('#' || i.indrelid::text,
						'#' || p.inhrelid::text))
				UNION ALL
				SELECT 8, NULL, 'rows not checked: ' || counter.unchecked, NULL
				 WHERE counter.unchecked IS NOT NULL
				   AND coalesce(subject.rel, subject.sequence) IS NOT NULL
				UNION ALL
				SELECT 9, 'table is gone',
					   'The table was dropped while event triggers were off. A '
					   'new table with its OID would get its ids and its grants.',
					   format('Run hilo_drop(%L).', subject.generator)
				 WHERE subject.rel IS NULL AND fact.is_own
				   AND subject.owner IS NULL
				UNION ALL
				SELECT 9, NULL,
					   format('The type of the column ends at %s, but the %s '
						   'ends at %s.', subject.type_max, fact.source_kind,
							   counter.max_value),
					   CASE WHEN subject.is_followed
						   THEN format('Run ALTER SEQUENCE %s AS bigint.',
							   fact.sequence_name)
						   ELSE format('If the column has been widened, run '
							   'hilo_attach(%L, %L).', subject.table_name,
								   subject.attname) END
				 WHERE (subject.is_followed OR fact.no_sequence
						AND subject.lowest IS NOT NULL
						AND subject.column_count = 1
							AND fact.owner_may_raise)
				   AND counter.max_value < subject.type_max
				   AND counter.max_value IN (32767, 2147483647)
				UNION ALL
				SELECT 10, NULL,
					   CASE WHEN subject.rel IS NOT NULL
						   AND subject.state <> 'fine'
						   THEN 'The first use creates the generator.'
						   WHEN subject.is_followed
						   THEN 'The sequence follows the ids in rows.'
						   WHEN subject.rel IS NOT NULL
						   THEN 'It refers to ' || referenced.described || '.'
						   WHEN subject.sequence IS NULL
						   THEN 'No column draws from the generator.'
						   WHEN fact.is_free
						   THEN 'No column draws from the sequence.'
						   ELSE 'No column uses the values of the sequence '
							   'unchanged.' END,
					   CASE WHEN subject.rel IS NULL AND subject.owner IS NULL
							   AND NOT fact.is_own AND subject.state = 'fine'
						   THEN format('Its owner was dropped. Run '
							   'hilo_alter(%1$L, owner => ...), or '
							   'hilo_drop(%1$L) if no function or program uses '
							   'it.', subject.generator)
						   WHEN subject.rel IS NULL AND fact.is_own
						   THEN 'If an INSERT is to draw from it, call '
							   'hilo_attach with the column.'
						   WHEN fact.is_free AND subject.seqincrement > 1
							   AND subject.sequence NOT IN (
								SELECT other.other_sequence FROM subject other
								 WHERE other.other_sequence IS NOT NULL)
						   THEN format('If a program calls nextval for the ids '
							   'of a column, adopt it: hilo_adopt_sequence('
							   '''TABLE'', ''COLUMN'', %L, ''STYLE'', %s), with '
							   'the style of that program.', fact.sequence_name,
							   subject.seqincrement)
						   END
			  ) listed) problem
	 WHERE (problem.rank < 10 OR problem.problems = 1
			OR subject.rel IS NULL AND fact.is_own IS NOT TRUE
				AND problem.hint IS NOT NULL)
	   AND subject.state IS NOT NULL AND ($1 IS NULL OR subject.rel = $1)
	   AND ((subject.has_source OR subject.is_key)
		   OR referenced.rel IS NOT NULL)
	   -- what an extension has made is not the user's to mend
	   AND (subject.sequence IS NULL AND subject.has_source
		   OR coalesce(subject.rel, subject.sequence) NOT IN (
			SELECT d.objid FROM pg_depend d
			 WHERE d.classid = 'pg_class'::regclass AND d.deptype = 'e'))
	 ORDER BY subject.rel, subject.attnum, subject.folded, subject.sequence,
		 problem.rank, problem.detail;
END;
COMMENT ON FUNCTION @extschema@.hilo_check IS
	'list the columns that get ids from a generator or a sequence, with a row for each problem';
