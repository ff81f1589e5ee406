# Sessions that come and go, and many generators
#
# A thousand sessions, eight at a time, take ten ids each and end. Ids that they have
# reserved but neither used nor returned are lost. The time includes the connection. The
# first call of a session loads the library, unless it is in `shared_preload_libraries`,
# looks the generator up and carves a range out of the window, which stays open. Before
# PostgreSQL 16 most of that time goes into the settings of the library.
#
# Memory is what a session keeps for each generator or sequence that it has used, by
# `pg_backend_memory_contexts`. The calls among many generators use them in turn, each
# call in a transaction of its own. The first use of each, and of each sequence, would wait
# for the disk once; here the server does not flush. By default there is room for 8,192
# generators in shared memory.
#
# baseline: nextval CACHE 1

setup() {
	local size
	churn_sessions=$(sized 16 200 1000)
	fact "$churn_sessions short sessions"
	many=$(sized '200' '9000' '9000 100000')
	for size in 1 32 1000; do
		sql -c "CREATE SEQUENCE sequence_$size CACHE $size" -c "SELECT nextval('sequence_$size')"
	done
	sql <<-END
		$(generator churn)
		$(generator kept)
		$(generator first)
	END
}

# The source has moved on by the ids handed out and those lost.
short_sessions() { # CASE CALL POSITION
	local before took
	before=$(sql -c "SELECT $3")
	took=$(bench 8 "SELECT $2 FROM generate_series(1, 10)" --connect -t $((churn_sessions / 8)) |
		sed -n 's/^latency average = \([0-9.]*\) ms/\1/p')
	wait_for_sessions_to_end
	record "$1" 'short sessions@ids lost' 'a session' \
		"$(calc "($(sql -c "SELECT $3") - $before) / $churn_sessions - 10")"
	record "$1" 'short sessions@time' ms "$took"
}

first_calls() { # CASE CALL
	local i session
	for ((i = 0; i < $(sized 2 10 20); i++)); do
		session=$(psql -XqAt -c '\timing on' -c "SELECT $2" -c "SELECT $2" | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p')
		echo $session
	done >"$dir/first"
	record "$1" 'calls of a session@first' ms "$(cut -d' ' -f1 "$dir/first" | median)"
	record "$1" 'calls of a session@second' ms "$(cut -d' ' -f2 "$dir/first" | median)"
}

# Make many of a kind, a thousand a transaction, and use each of them twice.
many_of() { # CASE NUMBER CREATE CALL
	local started size first second memory
	size=$(sql -c 'SELECT pg_database_size(current_database())')
	started=$(now)
	sql -c "
		DO \$\$ BEGIN
			FOR i IN 1 .. $2 LOOP
				$3;
				IF i % 1000 = 0 THEN COMMIT; END IF;
			END LOOP;
		END \$\$"
	record "$1" "among $2@create" 'µs each' "$(calc "($(now) - $started) / $2 * 1e6")"
	size=$(sql -c "SELECT pg_database_size(current_database()) - $size")
	read -r first second memory < <(use_each_twice "$2" "$4")
	record "$1" "among $2@first use" 'µs each' "$first"
	record "$1" "among $2@next use" 'µs each' "$second"
	record "$1" "among $2@memory" 'bytes each' "$memory"
	record "$1" "among $2@disk" 'bytes each' "$(calc "$size / $2")"
}

use_each_twice() { # NUMBER CALL
	sql <<-END | awk '
		/^Time/ { call[++calls] = $2 * 1000 / '"$1"' }
		/^memory/ { memory[++looks] = $2 }
		END { print call[1], call[2], (memory[2] - memory[1]) / '"$1"' }'
		CREATE FUNCTION pg_temp.memory() RETURNS text LANGUAGE sql AS
			'SELECT ''memory '' || sum(used_bytes) FROM pg_backend_memory_contexts';
		CREATE PROCEDURE pg_temp.call_all(times int) LANGUAGE plpgsql AS \$\$
		BEGIN
			FOR i IN 1 .. times LOOP PERFORM $2; COMMIT; END LOOP;
		END \$\$;
		CALL pg_temp.call_all(1);
		SELECT pg_temp.memory();
		\\timing on
		CALL pg_temp.call_all($1);
		CALL pg_temp.call_all($1);
		\\timing off
		SELECT pg_temp.memory();
	END
}

round() {
	short_sessions 'nextval CACHE 1' "nextval('sequence_1')" 'last_value FROM sequence_1'
	short_sessions 'nextval CACHE 32' "nextval('sequence_32')" 'last_value FROM sequence_32'
	short_sessions 'nextval CACHE 1000' "nextval('sequence_1000')" 'last_value FROM sequence_1000'
	short_sessions 'hilo_next' "hilo_next('churn')" "last FROM hilo_generators() WHERE name = 'churn'"
	PGOPTIONS='-c hilo.return_on_exit=off' short_sessions 'hilo_next; hilo.return_on_exit off' \
		"hilo_next('kept')" "last FROM hilo_generators() WHERE name = 'kept'"

	first_calls 'empty function' "empty('x')"
	first_calls 'nextval CACHE 1' "nextval('sequence_1')"
	first_calls 'hilo_next' "hilo_next('first')"
	pg_ctl stop -sm fast
	start_server -c shared_preload_libraries=hilo
	first_calls 'hilo_next; in shared_preload_libraries' "hilo_next('first')"
	short_sessions 'nextval CACHE 1; in shared_preload_libraries' "nextval('sequence_1')" 'last_value FROM sequence_1'
	short_sessions 'hilo_next; in shared_preload_libraries' \
		"hilo_next('churn')" "last FROM hilo_generators() WHERE name = 'churn'"
	pg_ctl stop -sm fast
	start_server
}

finish() {
	local number
	pg_ctl stop -sm fast
	start_server -c fsync=off
	for number in $many; do
		many_of hilo_next "$number" "PERFORM hilo_create('n${number}_' || i)" "hilo_next_tag('n${number}_' || i)"
		many_of 'nextval CACHE 1' "$number" "EXECUTE 'CREATE SEQUENCE n${number}_' || i" "nextval('n${number}_' || i)"
	done
	pg_ctl stop -sm fast
	start_server -c fsync=off -c shared_preload_libraries=hilo -c hilo.max_generators=200000
	for number in $many; do
		many_of 'hilo_next; hilo.max_generators 200000' "$number" "PERFORM hilo_create('m${number}_' || i)" "hilo_next_tag('m${number}_' || i)"
	done
}
