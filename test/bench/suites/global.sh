# One order for all
#
# All sessions take the ids of a global generator from one window in shared memory. The
# peer is a sequence with CACHE 1, which also keeps the order of calls. "One call" is the
# cost of an id in a statement of millions of rows, above an empty function. "Ids" are
# taken in statements of 1,000, "transactions" take one id each. The peer of gapless
# numbers is a counter row, which works in the same way.
#
# baseline: nextval CACHE 1
# plot: ids, log

global_clients=$(sized 2 32 32)

setup() {
	sql <<-END
		CREATE SEQUENCE sequence_1 CACHE 1;
		$(generator shared "ordering => 'global'")
		$(generator latency "ordering => 'global', range_size => 500, max_range_size => 500")
		$(generator gapless "ordering => 'gapless'")
		SELECT hilo_create('shared_identity|');
		CREATE TABLE counter (value bigint NOT NULL);
		INSERT INTO counter VALUES (0);
	END
}

one_call() { # CASE FUNCTION
	time_sql "$rows" "SELECT count($2) FROM $many_rows"
	[[ $1 == 'empty function' ]] && take_as_base && return
	record_above "$1" 'one call above an empty function@time' 'one call above an empty function@processor time' 'ns an id'
}

ids() { # CASE FUNCTION
	measure $client "SELECT count($2) FROM generate_series(1, 1000)"
	record "$1" "ids@$(clients_are $client)" 'a second' "$(calc "1000 * $tps")"
}

transactions() { # CASE SQL
	measure $client "$2"
	record "$1" "transactions@$(clients_are $client)" 'a second' "$tps"
	record "$1" "processor time of the server@$(clients_are $client)" 'µs a transaction' "$(calc "$cpu / $processed * 1e6")"
}

latency() { # CASE SQL
	rm -f "$dir"/log.*
	bench "$global_clients" "$2" --rate="$(sized 200 4000 4000)" -l --log-prefix="$dir/log" >/dev/null
	cat "$dir"/log.* >>"$dir/latency $1"
}

round() {
	local client
	one_call 'empty function' "empty('x')"
	one_call 'nextval CACHE 1' "nextval('sequence_1')"
	one_call identity_next "identity_next('shared_identity')"
	one_call 'hilo_next; global' "hilo_next('shared')"
	for client in $clients; do
		ids 'empty function' "empty('x')"
		ids 'nextval CACHE 1' "nextval('sequence_1')"
		ids identity_next "identity_next('shared_identity')"
		transactions 'empty function' "SELECT empty('x')"
		transactions 'nextval CACHE 1' "SELECT nextval('sequence_1')"
		transactions identity_next "SELECT identity_next('shared_identity')"
		transactions gapless "SELECT hilo_next('gapless')"
		transactions 'counter row' 'UPDATE counter SET value = value + 1 RETURNING value'
	done
	latency 'empty function' "SELECT empty('x')"
	latency 'nextval CACHE 1' "SELECT nextval('sequence_1')"
	latency 'hilo_next; global' "SELECT hilo_next('latency')"
}

finish() {
	local log metric value
	for log in "$dir/latency "*; do
		test/bench/percentiles <"$log" | while read -r metric value; do
			[[ ! $metric =~ ^p ]] || record "${log#"$dir/latency "}" "latency@$metric" µs "$value"
		done
	done
}
