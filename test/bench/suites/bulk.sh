# Bulk loads
#
# A million rows of (id, a number, a short text) into an empty table with a primary key,
# by a client in one transaction: INSERT ... SELECT; INSERT with 1,000 rows a statement;
# COPY without the id column, which the default fills; and COPY with it. For the last of
# these, the ids are reserved first: by one call of `hilo_next_range`, or by one
# `nextval` a row. The client makes uuids itself. The sequence is that of bigserial,
# with its default CACHE of 1.
#
# COPY hands rows to the table in batches only if no default calls a volatile function
# other than `nextval`. With `hilo_next` it does so where hilo is preloaded. Elsewhere,
# reserve the ids and send them with the rows.
#
# baseline: bigserial
# plot: processor time of the server

setup() {
	bulk_rows=$(sized 2000 100000 1000000)
	fact "$bulk_rows rows"
	id_columns loaded
}

# What the client sends, without ids, one row a line.
payload() {
	awk -v rows="$bulk_rows" 'BEGIN { for (i = 1; i <= rows; i++) printf "%d\titem %d\n", i, i }'
}

insert_select() {
	sql -c "INSERT INTO loaded (number, item) SELECT i, 'item ' || i FROM generate_series(1, $bulk_rows) i"
}

insert_many() {
	awk -v rows="$bulk_rows" 'BEGIN {
		print "BEGIN;"
		for (i = 1; i <= rows; i++)
			printf "%s(%d, \047item %d\047)%s", i % 1000 == 1 ? "INSERT INTO loaded (number, item) VALUES " : "", i, i, i % 1000 ? "," : ";\n"
		print "COMMIT;"
	}' | sql
}

copy_rows() {
	payload | sql -c 'COPY loaded (number, item) FROM STDIN'
}

copy_with_ids() { # the ids as they come, beside the rows
	"ids_of_${source// /_}" | paste - <(payload) | sql -c 'COPY loaded (id, number, item) FROM STDIN'
}

ids_of_bigserial() {
	sql -c "COPY (SELECT nextval('loaded_id_seq') FROM generate_series(1, $bulk_rows)) TO STDOUT"
}

ids_of_identity_column() { ids_of_bigserial; }

ids_of_hilo_next() {
	sql -F ' ' -c "SELECT low, high FROM hilo_next_range('loaded', size => $bulk_rows)" |
		awk '{ for (id = $1; id <= $2; id++) print id }'
}

ids_of_gen_random_uuid() {
	perl -e 'srand 1; for (1 .. $ARGV[0]) {
		printf "%08x-%04x-4%03x-%04x-%08x%04x\n", int rand 2**32, int rand 2**16, int rand 2**12,
		  0x8000 | rand 2**14, int rand 2**32, int rand 2**16 }' "$bulk_rows"
}

ids_of_uuidv7() { # what a client's library would make
	sql -c "COPY (SELECT uuidv7() FROM generate_series(1, $bulk_rows)) TO STDOUT"
}

load() { # WAY COMMAND
	local started wal took cpu create=
	[[ $source != hilo_next ]] || create="SELECT hilo_create('loaded');"
	sql <<-END
		SET client_min_messages = warning;
		DROP TABLE IF EXISTS loaded;
		CREATE TABLE loaded (id $type PRIMARY KEY, number int, item text);
		$create
		CHECKPOINT;
	END
	cpu=$(cpu_of_ended_sessions)
	started=$(now)
	wal=$(wal_of "$2")
	took=$(calc "$(now) - $started")
	cpu=$(calc "$(cpu_of_ended_sessions) - $cpu")
	[[ $(sql -c 'SELECT count(*) FROM loaded') == "$bulk_rows" ]]
	record "$source" "time@$1" s "$took"
	record "$source" "processor time of the server@$1" s "$cpu"
	record "$source" "WAL@$1" 'bytes a row' "$(calc "$wal / $bulk_rows")"
	record "$source" "index@$1" 'bytes a row' "$(calc "$(sql -c "SELECT pg_relation_size('loaded_pkey')") / $bulk_rows")"
}

round() {
	local id source type
	for id in "${ids[@]}"; do
		source=${id%%:*} type=${id#*:}
		load 'INSERT ... SELECT' insert_select
		load 'INSERT of 1000 rows' insert_many
		load 'COPY' copy_rows
		load 'COPY with ids' copy_with_ids
	done
	pg_ctl stop -sm fast
	start_server -c shared_preload_libraries=hilo
	for id in "${ids[@]}"; do
		source=${id%%:*} type=${id#*:}
		load 'COPY; hilo preloaded' copy_rows
	done
	sql -c 'DROP TABLE loaded'
	pg_ctl stop -sm fast
	start_server
}
