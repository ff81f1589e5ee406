# Scattered keys
#
# Rows are inserted into a table with other rows, right after a checkpoint. Keys in order
# go to the last page of the index. Scattered keys each go to a page of their own, which
# is read, and written to the WAL as a whole the first time after a checkpoint. Their
# index is also larger in the end, because its pages are split in the middle. The pattern
# "plain stored; sealed shown" avoids that: the table has plain keys, and the query that
# shows a key computes the sealed one with `id_encrypt`.
#
# baseline: plain
# plot: after a checkpoint: WAL, log

key="'\\x000102030405060708090a0b0c0d0e0f'"

setup() {
	present=$(sized 2000 100000 1000000)
	added=$((present / 50))
	fact "$present rows; then $added"
	sql -c "ALTER SYSTEM SET synchronous_commit = off" -c 'SELECT pg_reload_conf()'
}

insert() { # TYPE KEY ROWS [RETURNING]
	sql -c "INSERT INTO keyed_by_$1 SELECT $2 FROM generate_series(1, $3) ${4:-}"
}

measure() { # CASE TYPE KEY [RETURNING]
	local start wal
	sql -q <<-END
		DROP TABLE IF EXISTS keyed_by_$2;
		CREATE TABLE keyed_by_$2 (id $2 PRIMARY KEY);
		SELECT hilo_drop(name) FROM hilo_generators() WHERE name IN ('plain', 'spread');
		SELECT hilo_create('plain'), hilo_create('spread', 'scattered');
	END
	insert "$2" "$3" "$present" >/dev/null
	sql -c 'CHECKPOINT'
	start=$(now)
	wal=$(wal_of insert "$2" "$3" "$added" "${4:-}")
	record "$1" 'after a checkpoint: time@time' 'µs a row' "$(calc "($(now) - $start) * 1e6 / $added")"
	record "$1" 'after a checkpoint: WAL@WAL' 'bytes a row' "$(calc "$wal / $added")"
	record "$1" 'index@size' 'bytes a row' \
		"$(calc "$(sql -c "SELECT pg_relation_size('keyed_by_$2_pkey')") / ($present + $added)")"
}

round() {
	measure 'plain' bigint "hilo_next_tag('plain')"
	measure 'plain stored; sealed shown' bigint "hilo_next_tag('plain')" "RETURNING id_encrypt(id, $key)"
	measure 'scattered' bigint "hilo_next_tag('spread')"
	measure 'sealed' bigint "id_encrypt(hilo_next_tag('plain'), $key)"
	measure 'gen_random_uuid' uuid 'gen_random_uuid()'
}
