# Latency of single calls
#
# Clients that send calls at a steady rate; ranges are held at 250, so that one call in
# 250 needs the next range. The time that pgbench was late to send a call is not
# counted. p50 and p99 are medians of the rounds; the other figures are over all rounds.
#
# baseline: empty function

latency_clients=8 latency_rate=2000

setup() {
	sql <<-END
		CREATE SEQUENCE sequence_250 CACHE 250;
		CREATE SEQUENCE sequence_1000 CACHE 1000;
		$(generator held 'range_size => 250, max_range_size => 250')
	END
}

latency() { # CASE SQL
	rm -f "$dir"/log.*
	bench $latency_clients "$2" --rate=$latency_rate -l --log-prefix="$dir/log" >/dev/null
	cat "$dir"/log.* | tee -a "$dir/latency $1" | test/bench/percentiles | record_percentiles "$1" '^p(50|99)$'
}

record_percentiles() { # CASE PATTERN
	local metric value
	while read -r metric value; do
		[[ ! $metric =~ $2 ]] || record "$1" "$metric" µs "$value"
	done
}

round() {
	latency 'empty function' "SELECT empty('x')"
	latency 'nextval CACHE 1000' "SELECT nextval('sequence_1000')"
	latency 'nextval CACHE 250' "SELECT nextval('sequence_250')"
	latency 'hilo_next' "SELECT hilo_next('held')"
	PGOPTIONS='-c hilo.prefetch=off' latency 'hilo_next; hilo.prefetch off' "SELECT hilo_next('held')"
}

finish() {
	local log
	for log in "$dir/latency "*; do
		test/bench/percentiles <"$log" | record_percentiles "${log#"$dir/latency "}" '^(p99\.9+|max)$'
	done
}
