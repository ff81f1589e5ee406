# Ids through a hub
#
# Three servers and their hub, all on one machine, reached by TCP. The servers take ids at
# the same time; a figure is the sum over the three. "hilo_next; hub" takes ids from
# ranges of the hub. "identity_next; hub" asks the hub for each id, and so does "nextval
# by dblink", by a connection that stays open. "hilo_next" uses no hub. "Ids" are those
# that clients got in statements of 1,000, "inserts" are transactions of one row, flushed
# by the server. A network between the servers adds its round trip to each call of the
# hub. Four servers and their clients share the cores: the ratios say more than the
# figures.
#
# baseline: nextval by dblink
# plot: ids, log

hub_clients=$(sized 1 '1 8' '1 8')
hub_ids=$(sized 100 1000 1000)

setup() {
	local n
	sql -c 'CREATE SEQUENCE remote'
	listen_on_loopback -c max_connections=200
	for n in 1 2 3; do
		make_node "$n"
	done
}

make_node() { # NUMBER
	local data=$dir/node_$1 port=$((PGPORT + $1)) options="host '127.0.0.1', port '$PGPORT', dbname '$PGDATABASE'" tag=BCD
	initdb -D "$data" -A trust -U "$PGUSER" -E UTF8 --no-locale >/dev/null
	cat >>"$data/postgresql.conf" <<-END
		listen_addresses = ''
		unix_socket_directories = '$PGHOST'
		port = $port
		checkpoint_timeout = 1h
		hilo.node_tag = '${tag:$1 - 1:1}'
	END
	PGDATA=$data PGPORT=$port start_server
	sql -p "$port" -d postgres <<-END
		CREATE EXTENSION hilo;
		CREATE EXTENSION postgres_fdw;
		CREATE EXTENSION dblink;
		CREATE SERVER hub FOREIGN DATA WRAPPER postgres_fdw OPTIONS ($options);
		CREATE USER MAPPING FOR CURRENT_ROLE SERVER hub;
		SELECT hilo_create('far', hub => 'hub'), hilo_create('far|', hub => 'hub'), hilo_create('near');
		CREATE FUNCTION remote_nextval() RETURNS bigint LANGUAGE plpgsql AS \$\$
		BEGIN
			IF NOT coalesce('hub' = ANY (dblink_get_connections()), false) THEN
				PERFORM dblink_connect('hub', 'hub');
			END IF;
			RETURN (SELECT id FROM dblink('hub', 'SELECT nextval(''remote'')') AS t (id bigint));
		END \$\$;
		CREATE TABLE made (id bigint, data int);
	END
}

# Set tps, the sum over the servers.
everywhere() { # CLIENTS SCRIPT
	local n runs=()
	for n in 1 2 3; do
		PGPORT=$((PGPORT + n)) PGDATABASE=postgres bench "$1" "$2" >"$dir/report.$n" &
		runs+=($!)
	done
	wait "${runs[@]}"
	tps=$(sed -n 's/^tps = \([0-9.]*\).*/\1/p' "$dir"/report.[123] | awk '{ sum += $1 } END { print sum }')
}

compare() { # CASE CALL
	local client
	for client in $hub_clients; do
		everywhere "$client" "SELECT count($2) FROM generate_series(1, $hub_ids)"
		record "$1" "ids@$(clients_are "$client") a server" 'a second' "$(calc "$hub_ids * $tps")"
		everywhere "$client" "INSERT INTO made VALUES ($2, 1)"
		record "$1" "inserts@$(clients_are "$client") a server" 'a second' "$tps"
	done
}

round() {
	compare 'hilo_next' "hilo_next_tag('near')"
	compare 'hilo_next; hub' "hilo_next_tag('far')"
	compare 'identity_next; hub' "identity_next('far')"
	compare 'nextval by dblink' 'remote_nextval()'
}

finish() {
	local n
	for n in 1 2 3; do
		pg_ctl stop -sm immediate -D "$dir/node_$n"
	done
	listen_no_more
}
