# WAL, and the hot row
#
# The first table has the WAL for each id, with one id a transaction and with many a
# statement. A sequence logs 32 values ahead; a range is one change of one row. The other
# table has as many ranges as a hundred sessions reserve in an hour (each about every 36
# seconds), while an older transaction keeps its snapshot. A counter row leaves a dead
# version each time; the row of a generator is changed in place.
#
# baseline: nextval CACHE 1
# plot: WAL for an id, log

setup() {
	wal_ids=$(sized 1000 20000 100000)
	hot_ranges=${BENCH_HOT_RANGES:-$(sized 100 2000 10000)}
	rounds=$((rounds < 2 ? rounds : 2)) # bytes are the same in each
	fact "$hot_ranges ranges under an old snapshot"
	sql <<-END
		CREATE SEQUENCE sequence_1 CACHE 1;
		CREATE SEQUENCE sequence_32 CACHE 32;
		$(generator adaptive)
		$(generator held_32 'range_size => 32, max_range_size => 32')
		SELECT hilo_create('hot', range_size => 32, max_range_size => 32);
		CREATE TABLE counter (id int PRIMARY KEY, value bigint NOT NULL);
		INSERT INTO counter VALUES (1, 0);
		CREATE TABLE hot (id int PRIMARY KEY, value bigint NOT NULL);
		INSERT INTO hot VALUES (1, 0);
	END
}

wal_for_ids() { # CASE CALL
	record "$1" 'WAL for an id@one a transaction' bytes \
		"$(calc "$(wal_of bench 1 "SELECT $2" -t $wal_ids) / $wal_ids")"
	record "$1" 'WAL for an id@many a statement' bytes \
		"$(calc "$(wal_of sql -c "SELECT count($2) FROM generate_series(1, $wal_ids)") / $wal_ids")"
}

hot_row() { # CASE SCRIPT TABLE
	local wal holder late
	mkfifo "$dir/holder"
	psql -Xq <"$dir/holder" >/dev/null &
	holder=$!
	exec 4>"$dir/holder"
	rm "$dir/holder"
	echo 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT txid_current();' >&4
	until [[ $(sql -c "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'") == 1 ]]; do
		sleep 0.05
	done
	wal=$(wal_of bench 1 "$2" -t "$hot_ranges")
	late=$(bench 1 "$2" -t 100 | sed -n 's/^latency average = \([0-9.]*\) ms/\1/p')
	record "$1" 'hot row under an old snapshot@WAL' 'bytes a range' "$(calc "$wal / $hot_ranges")"
	record "$1" 'hot row under an old snapshot@a range in the end' ms "$late"
	record "$1" 'hot row under an old snapshot@table and index' kB \
		"$(calc "$(sql -c "SELECT pg_total_relation_size('$3')") / 1024")"
	exec 4>&-
	wait $holder
	sql -c "VACUUM FULL counter" -c 'VACUUM FULL hot'
}

round() {
	wal_for_ids 'nextval CACHE 1' "nextval('sequence_1')"
	wal_for_ids 'nextval CACHE 32' "nextval('sequence_32')"
	wal_for_ids 'hilo_next' "hilo_next('adaptive')"
	wal_for_ids 'hilo_next; ranges held at 32' "hilo_next('held_32')"
	record 'counter row' 'WAL for an id@one a transaction' bytes \
		"$(calc "$(wal_of bench 1 'UPDATE counter SET value = value + 1 RETURNING value' -t $((wal_ids / 10))) / ($wal_ids / 10)")"
	hot_row 'counter row' 'UPDATE hot SET value = value + 32 WHERE id = 1 RETURNING value' hot
	hot_row 'hilo_next_range' "SELECT low, high FROM hilo_next_range('hot', size => 32)" hilo_internal.hilo_hi
}
