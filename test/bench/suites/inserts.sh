# Rows inserted one by one
#
# Transactions of one row (of an id and a number, with a primary key), flushed, by many
# clients. "Table HiLo" is what ORMs do: a client reserves 32 ids by an UPDATE of a row
# in a transaction of its own, and numbers its rows itself. "hilo_next_range" is the
# same with 32 ids from hilo. "counter row" takes each id by an UPDATE in the
# transaction of the row, and keeps its lock until the flush.
#
# baseline: bigserial
# plot: rows

setup() {
	id_tables
	sql <<-END
		CREATE TABLE "hilo_next; global" (id bigint PRIMARY KEY DEFAULT hilo_next('"hilo_next; global"'), number int);
		SELECT hilo_create('"hilo_next; global"', ordering => 'global');
		CREATE TABLE by_client (id bigint PRIMARY KEY, number int);
		SELECT hilo_create('by_client'); -- below the ids of others
		CREATE TABLE hi (name text PRIMARY KEY, next bigint);
		INSERT INTO hi VALUES ('table HiLo', 1e12), ('counter row', 1e15);
	END
}

inserts() { # CASE SCRIPT
	measure "$client" "$2" -D id=0 -D left=0
	record "$1" "rows@$(clients_are "$client")" 'a second' "$tps"
	record "$1" "processor time of the server@$(clients_are "$client")" 'µs a row' "$(calc "$cpu / $processed * 1e6")"
}

numbered_by_client() { # QUERY that gives the lowest id of 32
	cat <<-END
		\\if :left = 0
		$1 \\gset
		\\set left 32
		\\endif
		INSERT INTO by_client VALUES (:id, 1);
		\\set id :id + 1
		\\set left :left - 1
	END
}

round() {
	local client column
	for client in $clients; do
		for column in "${ids[@]}" 'hilo_next; global:'; do
			inserts "${column%%:*}" "INSERT INTO \"${column%%:*}\" (number) VALUES (1)"
		done
		inserts 'table HiLo' "$(numbered_by_client "UPDATE hi SET next = next + 1 WHERE name = 'table HiLo' RETURNING next * 32 AS id")"
		inserts 'hilo_next_range' "$(numbered_by_client "SELECT low AS id FROM hilo_next_range('by_client', 32)")"
		inserts 'counter row' "BEGIN;
			UPDATE hi SET next = next + 1 WHERE name = 'counter row' RETURNING next AS id \\gset
			INSERT INTO by_client VALUES (:id, 1);
			END;"
	done
	sql -c 'TRUNCATE by_client'
}
