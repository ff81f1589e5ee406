# Number schemes
#
# What a call costs in a statement of millions of rows, above a C function that does
# nothing. `decimal_id_next` and `trace_id_next` take their ids from memory that all
# sessions share; trace ids are limited to 4.2 million a second of the clock, so here
# they may run ahead of it (`hilo.trace_ahead`). The others are functions of a number:
# `id_scatter` mixes it, `id_encrypt` hashes it ten times.
#
# baseline: nextval CACHE 1
# plot: time above an empty function's, log

# numbers of the right type, so that no cast is measured
numbers='generate_series(1::bigint, COUNT / 1000) a, generate_series(1::bigint, 1000) b'
key="'\\x000102030405060708090a0b0c0d0e0f'"

setup() {
	sql <<-END
		CREATE SEQUENCE sequence_1 CACHE 1;
		CREATE SEQUENCE sequence_1000 CACHE 1000;
		$(generator plain)
		$(generator spread "'scattered'")
		ALTER DATABASE $suite SET hilo.launch_id = 1;
		ALTER DATABASE $suite SET hilo.node_no = 1;
		LOAD 'hilo';
		ALTER SYSTEM SET hilo.trace_ahead = '1d';
		SELECT pg_reload_conf();
	END
	has_uuidv7=$(sql -c "SELECT to_regprocedure('uuidv7()') IS NOT NULL")
}

call() { # FUNCTION
	time_sql "$rows" "SELECT count($1) FROM $numbers"
}

above_empty() { # CASE CALL
	call "$2"
	record_above "$1" "time above an empty function's@time" "time above an empty function's@processor time" 'ns a call'
}

round() {
	call "empty('x')"
	take_as_base
	above_empty 'nextval CACHE 1' "nextval('sequence_1')"
	above_empty 'nextval CACHE 1000' "nextval('sequence_1000')"
	above_empty 'clock_timestamp' 'clock_timestamp()'
	above_empty 'gen_random_uuid' 'gen_random_uuid()'
	[[ $has_uuidv7 != t ]] || above_empty 'uuidv7' 'uuidv7()'
	above_empty 'hilo_next' "hilo_next('plain')"
	above_empty 'hilo_next; scattered' "hilo_next('spread')"
	above_empty 'decimal_id_next' 'decimal_id_next()'
	above_empty 'trace_id_next' 'trace_id_next()'
	above_empty 'id_scatter' 'id_scatter(b)'
	above_empty 'id_encrypt' "id_encrypt(b, $key)"
	above_empty 'id_encrypt; 53 bits' "id_encrypt(b, $key, 53)"
	above_empty 'id_text' 'id_text(b)'
}
