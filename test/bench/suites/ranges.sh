# Ranges for clients, beside a table
#
# Clients that hold ranges themselves, as ORMs do, reserve ranges of 32 as fast as they
# can: with `hilo_next_range`, with a counter row, and with a table and a function like
# Marten's `mt_get_next_hi`. That function reads the hi value, and writes the next one. If
# another session has written it meanwhile, the function returns -1 and the client tries
# again. A failed call returned -1 or an error (40001), and no range.
#
# baseline: Marten's function
# plot: ranges (READ COMMITTED), log

setup() {
	sql <<-END
		SELECT hilo_create('ranges', range_size => 32);
		CREATE TABLE counter (value bigint NOT NULL);
		INSERT INTO counter VALUES (0);
		CREATE TABLE marten_hi (entity text PRIMARY KEY, hi bigint NOT NULL);
		INSERT INTO marten_hi VALUES ('ranges', 0);
		CREATE FUNCTION marten_next_hi(of text) RETURNS bigint LANGUAGE plpgsql AS \$\$
		DECLARE
			seen bigint;
		BEGIN
			SELECT hi INTO seen FROM marten_hi WHERE entity = of;
			UPDATE marten_hi SET hi = seen + 1 WHERE entity = of AND hi = seen;
			RETURN CASE WHEN FOUND THEN seen + 1 ELSE -1 END;
		END \$\$;
	END
}

# A range is one by which the source has moved.
ranges() { # CASE QUERY SQL
	local before got column calls tps cpu processed report
	before=$(sql -c "$2")
	measure $client "$3"
	got=$(($(sql -c "$2") - before))
	calls=$((processed + $(sed -n 's/^number of failed transactions: \([0-9]*\).*/\1/p' <<<"$report")))
	column="($isolation)@$(clients_are $client)"
	record "$1" "ranges $column" 'a second' "$(calc "$tps * $got / $processed")"
	record "$1" "failed calls $column" '%' "$(calc "100 * ($calls - $got) / $calls")"
	record "$1" "processor time of the server $column" 'µs a range' "$(calc "$cpu / $got * 1e6")"
}

round() {
	local client isolation
	for isolation in 'READ COMMITTED' SERIALIZABLE; do
		export PGOPTIONS="-c default_transaction_isolation=${isolation// /\\ }"
		for client in $clients; do
			ranges "Marten's function" 'SELECT hi FROM marten_hi' "SELECT marten_next_hi('ranges')"
			ranges 'counter row' 'SELECT value / 32 FROM counter' 'UPDATE counter SET value = value + 32 RETURNING value'
			ranges 'hilo_next_range' "SELECT last / 32 FROM hilo_generators()" "SELECT low, high FROM hilo_next_range('ranges', size => 32)"
		done
	done
	unset PGOPTIONS
}
