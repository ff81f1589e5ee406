# Rows on three servers against one
#
# A table by `anchor_partition` whose shards are on three servers, beside one whose only
# shard is on one of them, and one that is not partitioned, here. All four servers are on
# this machine and share its processors and its disk, so what more servers could do at
# once does not show: the figures say what the way over postgres_fdw costs. Rows inserted
# by INSERT … SELECT in one statement; then INSERT of one row, and point reads by id,
# prepared, by many clients; each read is planned anew, and the server is asked what it
# would cost.
#
# baseline: one server
# plot: one row
# plot: point read by id

tables=(
	'here:orders_here'
	'one server:orders_one'
	'three servers:orders_three'
)

setup() {
	local name port=$PGPORT
	shard_rows=$(sized 1000 100000 300000)
	fact "$shard_rows rows; 3 servers for shards"
	servers=()
	trap stop_shards EXIT
	sql -c 'CREATE EXTENSION postgres_fdw'
	for name in one two three; do
		port=$((port + 1))
		servers+=("$dir/$name")
		initdb -D "$dir/$name" -A trust -U "$PGUSER" -E UTF8 --no-locale >/dev/null
		sed "s/^#port = .*/port = $port/" -i "$dir/$name/postgresql.conf"
		cat >>"$dir/$name/postgresql.conf" <<-END
			port = $port
			listen_addresses = ''
			unix_socket_directories = '$PGHOST'
			checkpoint_timeout = 1h
			max_wal_size = 16GB
		END
		pg_ctl start -D "$dir/$name" -sw -l "$dir/$name.log"
		sql -p "$port" -d postgres -c 'CREATE EXTENSION hilo'
		sql -c "CREATE SERVER $name FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$PGHOST', port '$port', dbname 'postgres')" \
			-c "CREATE USER MAPPING FOR CURRENT_USER SERVER $name"
	done
	sql <<-END
		CREATE TABLE orders_here (id text PRIMARY KEY, item text);
		CREATE TABLE orders_one (LIKE orders_here INCLUDING ALL);
		CREATE TABLE orders_three (LIKE orders_here INCLUDING ALL);
		SELECT anchor_partition('orders_one', 1, '{one}'), anchor_partition('orders_three', 3, '{one,two,three}');
		CREATE SEQUENCE made;
	END
}

stop_shards() {
	local data
	for data in "${servers[@]}"; do
		pg_ctl stop -D "$data" -sm immediate
	done
}

insert_many() { # CASE TABLE
	local started
	sql -c "DELETE FROM $2" -c CHECKPOINT
	started=$(now)
	sql -c "INSERT INTO $2 SELECT concat('orders/', i, '-A'), concat('item ', i) FROM generate_series(1, $shard_rows) i"
	record "$1" 'INSERT … SELECT@rate' 'rows/s' "$(calc "$shard_rows / ($(now) - $started)")"
	[[ $1 == here ]] || return 0
	sql -c "VACUUM ANALYZE $2"
}

insert_one() { # CASE TABLE CLIENTS
	measure "$3" "INSERT INTO $2 VALUES (concat('made/', nextval('made')), 'one');"
	record "$1" "one row@$(clients_are "$3")" 'rows/s' "$tps"
}

read_one() { # CASE TABLE CLIENTS
	local condition='anchor_match(id, :id)'
	[[ $1 != here ]] || condition='id = :id'
	# no concat: what is not IMMUTABLE is not sent to a server
	measure "$3" "\\set n random(1, $shard_rows)
		SELECT item FROM $2 WHERE ${condition//:id/"('orders/' || :n::text || '-A')"};"
	record "$1" "point read by id@$(clients_are "$3")" 'reads/s' "$tps"
}

round() {
	local table count
	for table in "${tables[@]}"; do
		insert_many "${table%%:*}" "${table#*:}"
		for count in $clients; do
			insert_one "${table%%:*}" "${table#*:}" "$count"
			read_one "${table%%:*}" "${table#*:}" "$count"
		done
	done
}

finish() {
	stop_shards
	trap - EXIT
}
