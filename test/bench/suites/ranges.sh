# Ranges for clients, beside a table
#
# Clients that hold ranges themselves, as ORMs do, reserve them as fast as they can:
# with `hilo_next_range`; with a counter row; and with a table and a function that
# does what Marten's `mt_get_next_hi` does: read the hi value, write the next one if
# nobody else has meanwhile, else give -1, upon which the client tries again. Ranges
# of 32 in each; a range is one that the client got. Failed are the calls that gave
# none: -1, or an error (40001).
#
# baseline: Marten's function
# plot: ranges (READ COMMITTED), log
# plot: failed calls (SERIALIZABLE)

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

# Counts the ranges by how far the source has moved, and what pgbench calls processed
# or failed by the rest.
ranges() { # CASE QUERY SQL
	local before after report seen
	before=$(sql -c "$2")
	report=$(bench $client "$3")
	after=$(sql -c "$2")
	seen=$(awk -v got=$((after - before)) '
		/^number of transactions actually processed/ { sub("/.*", ""); calls += $NF }
		/^number of failed transactions/ { calls += $5; }
		/^tps/ { tps = $3 }
		/^number of transactions actually processed/ { processed = $NF }
		END {
			print tps * got / processed, 100 * (calls - got) / calls
		}' <<<"$report")
	record "$1" "ranges${isolation:+ ($isolation)}@$(clients_are $client)" 'a second' "${seen% *}"
	record "$1" "failed calls${isolation:+ ($isolation)}@$(clients_are $client)" '%' "${seen#* }"
}

round() {
	local client isolation
	for isolation in 'READ COMMITTED' SERIALIZABLE; do
		export PGOPTIONS="-c default_transaction_isolation=${isolation// /\\ }"
		for client in $clients; do
			ranges "Marten's function" 'SELECT hi FROM marten_hi' "SELECT marten_next_hi('ranges')"
			ranges 'counter row' 'SELECT value / 32 FROM counter' 'UPDATE counter SET value = value + 32 RETURNING value'
			ranges 'hilo_next_range' "SELECT last / 32 FROM hilo_generators" "SELECT low, high FROM hilo_next_range('ranges', size => 32)"
		done
	done
	unset PGOPTIONS
}
