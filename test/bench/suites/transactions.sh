# Transactions of one statement
#
# pgbench takes one id a transaction, with prepared statements. The ratios are to a
# function that does nothing, which is as fast as this server and its clients can be.
#
# baseline: empty function
# plot: transactions, log

setup() {
	has_uuidv7=$(sql -c "SELECT to_regprocedure('uuidv7()') IS NOT NULL")
	sql <<-END
		CREATE SEQUENCE sequence_1 CACHE 1;
		CREATE SEQUENCE sequence_1000 CACHE 1000;
		$(generator adaptive)
		$(generator held 'range_size => 1000, max_range_size => 1000')
		CREATE TABLE counter (value bigint NOT NULL);
		INSERT INTO counter VALUES (0);
	END
}

transactions() { # CASE SQL
	measure $client "$2"
	record "$1" "transactions@$(clients_are $client)" 'a second' "$tps"
	record "$1" "processor time of the server@$(clients_are $client)" 'µs a transaction' "$(calc "$cpu / $processed * 1e6")"
}

round() {
	local client
	for client in $clients; do
		transactions 'empty function' "SELECT empty('x')"
		transactions hilo_next "SELECT hilo_next('adaptive')"
		transactions 'hilo_next; ranges held at 1000' "SELECT hilo_next('held')"
		transactions 'nextval CACHE 1000' "SELECT nextval('sequence_1000')"
		transactions 'nextval CACHE 1' "SELECT nextval('sequence_1')"
		transactions 'gen_random_uuid' 'SELECT gen_random_uuid()'
		[[ $has_uuidv7 != t ]] || transactions uuidv7 'SELECT uuidv7()'
		transactions 'counter row' 'UPDATE counter SET value = value + 1 RETURNING value'
	done
}
