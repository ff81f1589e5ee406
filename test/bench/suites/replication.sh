# A standby, and how far it is behind
#
# A standby streams on the same machine. First it is asynchronous: clients call at a
# steady rate, one id or one row a transaction. WAL is what was sent for each call. The
# lag lies between what the primary has written and what the standby has replayed, and is
# read a hundred times a second. Then the standby is synchronous, with
# `synchronous_commit` at remote_apply: eight clients take as many ids as they can. The
# first call in a range, or in the 32 values that a sequence logs ahead, waits for the
# standby.
#
# baseline: nextval CACHE 1

replication_clients=8 replication_rate=$(sized 200 2000 2000)

setup() {
	id_tables
	sql <<-END
		CREATE SEQUENCE sequence_1 CACHE 1;
		CREATE SEQUENCE sequence_1000 CACHE 1000;
		$(generator adaptive)
		$(generator held 'range_size => 32, max_range_size => 32')
		CREATE TABLE counter (value bigint NOT NULL);
		INSERT INTO counter VALUES (0);
	END
	pg_basebackup -D "$dir/standby" -R -c fast
	echo "port = $((PGPORT + 1))" >>"$dir/standby/postgresql.conf"
	PGDATA=$dir/standby start_server
}

wait_until() { # QUERY that is true then
	until [[ $(sql -c "$1") == t ]]; do
		sleep 0.01
	done
}

at_a_rate() { # TABLE CASE SQL
	local calls watcher
	calls=$((replication_rate * (seconds > 0 ? seconds : 1) / replication_clients))
	wait_until 'SELECT replay_lsn = pg_current_wal_insert_lsn() FROM pg_stat_replication'
	psql -XqAt <<<'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), replay_lsn) FROM pg_stat_replication \watch 0.01' >"$dir/watched" &
	watcher=$!
	record "$2" "$1@WAL" bytes "$(calc "$(wal_of bench $replication_clients "$3" --rate="$replication_rate" -t $calls) / ($calls * $replication_clients)")"
	kill -INT $watcher
	wait $watcher || true
	grep -E '^[0-9]+$' "$dir/watched" | sort -n >"$dir/lag"
	record "$2" "$1@lag p50" bytes "$(percentile 50)"
	record "$2" "$1@lag p99" bytes "$(percentile 99)"
}

percentile() { # PERCENT of the lag
	sed -n "$((($(wc -l <"$dir/lag") * $1 + 99) / 100))p" "$dir/lag"
}

synchronous() { # CASE SQL
	measure $replication_clients "$2"
	record "$1" 'synchronous@ids' 'a second' "$tps"
}

# Call it with each case, and how its ids are asked for.
each_call() { # COMMAND...
	"$@" 'nextval CACHE 1' "SELECT nextval('sequence_1')"
	"$@" 'nextval CACHE 1000' "SELECT nextval('sequence_1000')"
	"$@" 'hilo_next' "SELECT hilo_next('adaptive')"
	"$@" 'hilo_next; ranges held at 32' "SELECT hilo_next('held')"
	"$@" 'counter row' 'UPDATE counter SET value = value + 1 RETURNING value'
}

round() {
	local column
	each_call at_a_rate 'ids'
	for column in "${ids[@]}"; do
		at_a_rate 'rows' "${column%%:*}" "INSERT INTO \"${column%%:*}\" (number) VALUES (1)"
	done
	sql -c "ALTER SYSTEM SET synchronous_standby_names = '*'" -c 'SELECT pg_reload_conf()'
	wait_until "SELECT sync_state = 'sync' FROM pg_stat_replication"
	PGOPTIONS='-c synchronous_commit=remote_apply' each_call synchronous
	sql -c 'ALTER SYSTEM RESET synchronous_standby_names' -c 'SELECT pg_reload_conf()'
	wait_until "SELECT sync_state = 'async' FROM pg_stat_replication"
}

finish() {
	pg_ctl stop -sm immediate -D "$dir/standby"
}
