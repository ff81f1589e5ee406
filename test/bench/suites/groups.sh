# Numbers per group
#
# A trigger numbers the rows of each group: `hilo_number_assign`, one in PL/pgSQL that
# keeps a table with a counter for each group, by INSERT … ON CONFLICT DO UPDATE …
# RETURNING, and one that takes `max() + 1`, which repeats numbers as soon as two sessions
# write to one group, and so has one client.
#
# Instructions, WAL and bytes are those above the same row in a table without a trigger,
# in a warm session. Valgrind's callgrind counts the instructions, without the kernel's.
# The rows are in transactions of their own, but for "50 in a statement"; the WAL is
# without full-page images. The bytes are those of a group in what keeps the numbers, with
# its index, after 1,000 groups in each statement.
#
# baseline: counter table

hilo="hilo_number_assign('number', '%s', 'grp')"
# case, which is the table, trigger, partitions
cases=(
	'no trigger'
	'counter table|by_counter()'
	'max() + 1|by_max()'
	"hilo; gapless|${hilo/\%s/gapless}"
	"hilo; global|${hilo/\%s/global}"
)
partitioned=(
	'no trigger; 16 partitions||16'
	"hilo; gapless; 16 partitions|${hilo/\%s/gapless}|16"
	"hilo; global; 16 partitions|${hilo/\%s/global}|16"
)
# column, rows in a statement, the rows' groups
statements=(
	"first row of a group|1|VALUES (nextval('s'))"
	"first row; 50 in a statement|50|SELECT nextval('s') FROM generate_series(1, 50)"
	'next row|1|VALUES (0)'
)

setup() {
	groups=${BENCH_GROUPS:-$(sized 100 10000 1000000)}
	held=$(sized 0 10 60)
	group_clients=${BENCH_CLIENTS:-$(sized '1 2' '1 8 32' '1 8 32')}
	fact "$groups groups; a snapshot is held for $held s"
	schema | sql
	# would write WAL, and make space
	autovacuum off
	if command -v valgrind >/dev/null; then
		{ schema && procedures; } | make_single
	else
		fact 'instructions not counted; valgrind is missing'
	fi
}

autovacuum() { # on, off
	sql -c "ALTER SYSTEM SET autovacuum = $1" -c 'SELECT pg_reload_conf()'
}

# Each statement has an empty line behind it.
schema() {
	local case trigger partitions default
	cat <<-END
		CREATE SEQUENCE s CACHE 100000;

		CREATE TABLE counter (grp int PRIMARY KEY, last int NOT NULL) WITH (fillfactor = 50);

		CREATE FUNCTION by_counter() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN
			INSERT INTO counter AS c VALUES (NEW.grp, 1)
				ON CONFLICT (grp) DO UPDATE SET last = c.last + 1 RETURNING last INTO NEW.number;
			RETURN NEW;
		END\$\$;

		CREATE FUNCTION by_max() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN
			SELECT coalesce(max(number), 0) + 1 INTO NEW.number FROM "max() + 1" WHERE grp = NEW.grp;
			RETURN NEW;
		END\$\$;

	END
	while IFS='|' read -r case trigger partitions; do
		default=
		[[ $trigger ]] || default=" DEFAULT nextval('s')"
		cat <<-END
			CREATE TABLE "$case" (grp int, number int$default, PRIMARY KEY (grp, number))
				${partitions:+PARTITION BY HASH (grp)};

			DO \$\$ BEGIN FOR i IN 1 .. ${partitions:-0} LOOP
				EXECUTE format('CREATE TABLE %I PARTITION OF "$case" FOR VALUES WITH (MODULUS 16, REMAINDER %s)', '$case ' || i, i - 1);
			END LOOP; END \$\$;

		END
		[[ ! $trigger ]] || printf '%s\n\n' "CREATE TRIGGER number BEFORE INSERT ON \"$case\" FOR EACH ROW EXECUTE FUNCTION $trigger;"
	done < <(printf '%s\n' "${cases[@]}" "${partitioned[@]}")
}

procedures() {
	local case column rows source
	while IFS='|' read -r case _; do
		while IFS='|' read -r column rows source; do
			cat <<-END
				CREATE PROCEDURE "$case: $column"(times int) LANGUAGE plpgsql AS \$\$
					BEGIN FOR i IN 1 .. times / $rows LOOP INSERT INTO "$case" (grp) $source; COMMIT; END LOOP; END \$\$;

			END
		done < <(printf '%s\n' "${statements[@]}")
	done < <(printf '%s\n' "${cases[@]}" "${partitioned[@]}")
}

record_instructions() {
	local case partitions column base i=0 counted
	local -A cost
	mapfile -t counted < <(
		for case in "${cases[@]}" "${partitioned[@]}"; do
			for column in "${statements[@]}"; do
				echo "$(sized '50 100' '200 1000' '200 1000') CALL \"${case%%|*}: ${column%%|*}\"(COUNT)"
			done
		done | count_instructions
	)
	while IFS='|' read -r case _ partitions; do
		base="no trigger${partitions:+; $partitions partitions}"
		while IFS='|' read -r column _; do
			cost["$case $column"]=${counted[i]}
			[[ $case == "$base" ]] ||
				record "$case" "instructions@$column" 'a row' "$(calc "${counted[i]} - ${cost[$base $column]}")"
			i=$((i + 1))
		done < <(printf '%s\n' "${statements[@]}")
	done < <(printf '%s\n' "${cases[@]}" "${partitioned[@]}")
}

record_wal() {
	local case column rows source wal many base
	local -A cost
	many=$(sized 10 1000 1000)
	while IFS='|' read -r case _; do
		while IFS='|' read -r column rows source; do
			bench 1 "INSERT INTO \"$case\" (grp) $source" -t 10
			wal=$(wal_of bench 1 "INSERT INTO \"$case\" (grp) $source" -t "$many")
			cost["$case $column"]=$wal
			[[ $case == "no trigger" ]] ||
				record "$case" "WAL@$column" 'bytes a row' "$(calc "($wal - ${cost[no trigger $column]}) / $many / $rows")"
		done < <(printf '%s\n' "${statements[@]}")
	done < <(printf '%s\n' "${cases[@]}")
}

# One more row for each of the round's groups.
number_groups() { # CASE
	local from=$((1000000000 + round * groups))
	sql <<-END
		SELECT format('INSERT INTO %I (grp) SELECT generate_series(%s, %s)', '$1', i, least(i + 999, $from + $groups - 1))
		  FROM generate_series($from, $from + $groups - 1, 1000) i \\gexec
	END
}

size() { # of what keeps the numbers
	sql -c "SELECT pg_total_relation_size('counter') + pg_total_relation_size('hilo_internal.hilo_series')"
}

record_groups() {
	local case column started before
	for case in "${cases[@]}"; do
		case=${case%%|*}
		# packed
		sql -c 'VACUUM FULL counter' -c 'VACUUM FULL hilo_internal.hilo_series'
		before=$(size)
		for column in first next; do
			started=$(now)
			number_groups "$case"
			record "$case" "many groups in a statement@$column row" 'µs a row' "$(calc "($(now) - $started) / $groups * 1e6")"
			[[ $case == no\ trigger || $case == max* ]] ||
				record "$case" "size@after the $column row" 'bytes a group' "$(calc "($(size) - $before) / $groups")"
		done
		[[ $case == no\ trigger || $(sql -c "SELECT count(*), min(number), max(number) FROM \"$case\"
			WHERE grp >= 1000000000 + $round * $groups") == "$((2 * groups))|1|2" ]]
	done
}

record_rows() { # TABLE GROUP
	local case client
	for case in "${cases[@]}"; do
		case=${case%%|*}
		for client in $group_clients; do
			((client == 1)) || [[ $case != max* ]] || continue
			measure "$client" "INSERT INTO \"$case\" (grp) VALUES ($2)"
			record "$case" "$1@$(clients_are "$client")" 'rows a second' "$tps"
		done
	done
}

# All clients in one group, before a snapshot keeps all versions of its row, and in the end.
record_held() {
	local case insert column holder clients=${group_clients##* }
	for case in "${cases[@]:1}"; do
		case=${case%%|*}
		[[ $case != max* ]] || continue
		insert="INSERT INTO \"$case\" (grp) VALUES (0)"
		for column in before held; do
			record "$case" "a snapshot is held@$column" 'rows a second' \
				"$(bench "$clients" "$insert" | sed -n 's/^tps = \([0-9.]*\).*/\1/p')"
			[[ $column == before ]] || continue
			sql -c 'BEGIN ISOLATION LEVEL REPEATABLE READ' -c 'TABLE counter' -c 'SELECT pg_sleep(3600)' >/dev/null 2>&1 &
			holder=$!
			seconds=$held bench "$clients" "$insert" >/dev/null
		done
		sql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(3600)'" >/dev/null
		wait "$holder" || true
	done
}

round() {
	# what neither the load nor another round changes
	if ((round == 1)); then
		record_groups
		! command -v valgrind >/dev/null || record_instructions
		record_wal
		autovacuum on
	fi
	record_rows 'one group' 0
	record_rows 'a thousand groups' 'random() * 999'
	record_rows 'always a new group' "nextval('s')"
	((round > 1)) || record_held
}
