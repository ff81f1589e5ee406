# The first call in a transaction
#
# Once a transaction and generator, `hilo_next` locks the generator and looks whether
# it has changed; `nextval` locks its sequence. Many transactions of one call each,
# made by a procedure so that no client stands between them, above the same with an
# empty function.
#
# baseline: nextval

setup() {
	local call
	sql <<-END
		CREATE SEQUENCE s CACHE 100000;
		SELECT hilo_create('s', range_size => 100000, max_range_size => 100000);
	END
	for call in empty nextval hilo_next; do
		sql <<-END
			CREATE PROCEDURE call_$call(count int) LANGUAGE plpgsql AS \$\$
			BEGIN
				FOR i IN 1 .. count LOOP PERFORM $call('s'); COMMIT; END LOOP;
			END \$\$;
		END
	done
}

round() {
	local call empty_ns empty_cpu_ns
	for call in empty nextval hilo_next; do
		time_sql $((rows / 20)) "CALL call_$call(COUNT)"
		if [[ $call == empty ]]; then
			empty_ns=$ns empty_cpu_ns=$cpu_ns
			continue
		fi
		record $call "above an empty function@time" 'ns a transaction' "$(calc "$ns - $empty_ns")"
		[[ ! $cpu_ns ]] ||
			record $call "above an empty function@processor time" 'ns a transaction' "$(calc "$cpu_ns - $empty_cpu_ns")"
	done
}
