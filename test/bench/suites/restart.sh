# Restarts and crashes
#
# Eight sessions take ten ids each from every source and stay. Then the server is
# restarted (`pg_ctl stop -m fast`), or crashes (`-m immediate`). An id is lost if no
# client got it, and none will. Sessions that end with the server return their ranges, which the
# server saves, as `hilo` is in `shared_preload_libraries`; a crash saves nothing. The time
# of the first id is that of the first call in a new session, once the server answers.
#
# baseline: nextval CACHE 1

restart_sessions=8

setup() {
	local size
	# case, the call, how many ids a session takes by it, how far it is
	sources=(
		"hilo_next|hilo_next('plain')|1|CASE last WHEN 0 THEN 0 ELSE (SELECT max(id) - 2000 FROM hilo_next('plain', 2000) id) END FROM hilo_generators() WHERE name = 'plain'"
	)
	sql -c 'CREATE TABLE plain (id bigint PRIMARY KEY)'
	for size in 1 32 1000; do
		sql -c "CREATE SEQUENCE sequence_$size CACHE $size" -c "SELECT nextval('sequence_$size')"
		sources+=("nextval CACHE $size|nextval('sequence_$size')|$size|last_value FROM sequence_$size")
	done
}

# Leaves sessions behind that have taken ids, and will be ended by the server.
take_ids() {
	local i source call
	for ((i = 1; i <= restart_sessions; i++)); do
		{
			for source in "${sources[@]}"; do
				IFS='|' read -r _ call _ _ <<<"$source"
				echo "SELECT $call FROM generate_series(1, 10);"
			done
			echo "SELECT pg_sleep(3600);"
		} | psql -Xq >/dev/null 2>&1 &
	done
	until [[ $(sql -c "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "$restart_sessions" ]]; do
		sleep 0.05
	done
}

restart() { # WAY MODE
	local source case call took position started
	local -A before
	# nothing waits there of the time before
	sql -c "SELECT hilo_drop('plain', true)" -c "SELECT hilo_create('plain')"
	for source in "${sources[@]}"; do
		IFS='|' read -r case _ _ position <<<"$source"
		before[$case]=$(sql -c "SELECT $position")
	done
	take_ids
	pg_ctl stop -sm "$2"
	wait $(jobs -p) || true
	started=$(now)
	start_server -c shared_preload_libraries=hilo
	record PostgreSQL "until it answers@$1" s "$(calc "$(now) - $started")"
	for source in "${sources[@]}"; do
		IFS='|' read -r case call took position <<<"$source"
		record "$case" "the first id@$1" ms \
			"$(psql -XqAt -c '\timing on' -c "SELECT $call" | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p')"
		wait_for_sessions_to_end
		record "$case" "ids lost@$1" 'of 80 taken' \
			$(($(sql -c "SELECT $position") - before[$case] - 10 * restart_sessions - took))
	done
}

round() {
	pg_ctl stop -sm fast
	start_server -c shared_preload_libraries=hilo
	restart restart fast
	restart crash immediate
	pg_ctl stop -sm fast
	start_server
}
