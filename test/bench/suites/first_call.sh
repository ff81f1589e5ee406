# The first call in a transaction
#
# Once in each transaction and for each generator, `hilo_next` checks whether the
# generator has changed; `nextval` locks its sequence. A procedure makes many
# transactions of one call each, without a client between them. The cost of the same
# procedure with an empty function is subtracted.
#
# baseline: nextval

setup() {
	local call name
	sql <<-END
		CREATE SEQUENCE s CACHE 100000;
		$(generator g 'range_size => 100000, max_range_size => 100000')
	END
	for call in empty nextval hilo_next; do
		name=g
		[[ $call != nextval ]] || name=s
		sql <<-END
			CREATE PROCEDURE call_$call(count int) LANGUAGE plpgsql AS \$\$
			BEGIN
				FOR i IN 1 .. count LOOP PERFORM $call('$name'); COMMIT; END LOOP;
			END \$\$;
		END
	done
}

round() {
	local call
	for call in empty nextval hilo_next; do
		time_sql $((rows / 20)) "CALL call_$call(COUNT)"
		if [[ $call == empty ]]; then
			take_as_base
			continue
		fi
		record_above $call 'above an empty function@time' 'above an empty function@processor time' 'ns a transaction'
	done
}
