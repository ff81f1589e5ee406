# The ledger, on and off
#
# The ledger records who takes a range (`hilo.ledger`). Its cost is measured for ranges of
# 32 by `hilo_next_range`, a transaction each, as fast as possible; for ids by `hilo_next`,
# in ranges held at 32 and in ranges that adapt; and in the WAL of a range and of an id. The
# cost of a question is measured by `hilo_whois` for an id in the middle of the ledger,
# beside the size of the ledger.
#
# baseline: off
# plot: ranges
# plot: ids

setup() {
	ledger_rows=$(sized 1000 100000 1000000)
	fact "$ledger_rows rows in the ledger that is asked"
	sql <<-END
		SELECT hilo_create('ranges'), hilo_create('held_32', range_size => 32, max_range_size => 32), hilo_create('adaptive');
	END
}

take() { # CASE
	local client
	export PGOPTIONS="-c hilo.ledger=$1"
	for client in $clients; do
		measure "$client" "SELECT low, high FROM hilo_next_range('ranges', size => 32)"
		record "$1" "ranges@$(clients_are "$client")" 'a second' "$tps"
	done
	time_sql "$rows" "SELECT count(hilo_next('held_32')) FROM $many_rows"
	record "$1" 'ids@in ranges of 32' 'ns an id' "$ns"
	time_sql "$rows" "SELECT count(hilo_next('adaptive')) FROM $many_rows"
	record "$1" 'ids@in ranges that adapt' 'ns an id' "$ns"
	record "$1" 'WAL@a range' bytes \
		"$(calc "$(wal_of bench 1 "SELECT low, high FROM hilo_next_range('ranges', size => 32)" -t 1000) / 1000")"
	record "$1" 'WAL@an id in ranges of 32' bytes \
		"$(calc "$(wal_of sql -c "SELECT count(hilo_next('held_32')) FROM generate_series(1, 32000)") / 32000")"
	unset PGOPTIONS
}

round() {
	take off
	take on
}

finish() {
	sql -c 'SET hilo.ledger = on' -c "SELECT count(*) FROM generate_series(1, $ledger_rows), hilo_next_range('ranges', 1)" -c 'ANALYZE hilo_internal.hilo_ledger'
	record on 'asked@a row' bytes "$(calc "$(sql -c "SELECT pg_table_size('hilo_internal.hilo_ledger') / (SELECT count(*)::float8 FROM hilo_internal.hilo_ledger)")")"
	record on 'asked@its index entry' bytes "$(calc "$(sql -c "SELECT pg_indexes_size('hilo_internal.hilo_ledger') / (SELECT count(*)::float8 FROM hilo_internal.hilo_ledger)")")"
	time_sql 20 "SELECT count(hilo_whois('ranges', (SELECT last - $ledger_rows / 2 FROM hilo_generators() WHERE name = 'ranges') + i)) FROM generate_series(1, COUNT) i"
	record on 'asked@hilo_whois' 'ms' "$(calc "$ns / 1e6")"
}
