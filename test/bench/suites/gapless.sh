# Gapless numbers
#
# Transactions of one row, flushed. All clients number their rows from one series: by the
# default `hilo_next` of a gapless generator, by the trigger `hilo_number_assign` without
# a group, or by a counter row, which the INSERT itself updates. The peer is bigserial,
# which leaves gaps. With 1 ms of work, the statement sleeps after it has inserted its
# row. A library makes each flush of the WAL take 2 ms longer (test/bench/slow_flush.c).
#
# baseline: bigserial
# plot: a flush takes 2 ms longer: rows, log

gapless_clients=${BENCH_CLIENTS:-$(sized '1 2' '1 8 32' '1 8 16 32 64')}
gapless_working_clients=$(sized 2 '8 32' '8 32')

setup() {
	gcc -shared -fPIC -o "$dir/slow_flush.so" test/bench/slow_flush.c
	sql <<-END
		CREATE TABLE bigserial (id bigserial PRIMARY KEY);
		$(generator hilo_next "ordering => 'gapless'")
		ALTER TABLE hilo_next ALTER id SET DEFAULT hilo_next('hilo_next');
		CREATE TABLE hilo_number_assign (id bigint PRIMARY KEY);
		CREATE TRIGGER number BEFORE INSERT ON hilo_number_assign
			FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('id', 'gapless');
		CREATE TABLE counter (last bigint NOT NULL);
		INSERT INTO counter VALUES (0);
		CREATE TABLE counted (id bigint PRIMARY KEY);
	END
}

rows() { # CASE INSERT
	local client
	for client in $gapless_clients; do
		measure "$client" "$2"
		record "$1" "$disk: rows@$(clients_are "$client")" 'a second' "$tps"
	done
	for client in $gapless_working_clients; do
		measure "$client" "$2 RETURNING pg_sleep(0.001)"
		record "$1" "$disk: rows with 1 ms of work@$(clients_are "$client")" 'a second' "$tps"
	done
}

each_way() { # DISK
	local disk=$1
	rows bigserial 'INSERT INTO bigserial DEFAULT VALUES'
	rows hilo_next 'INSERT INTO hilo_next DEFAULT VALUES'
	rows hilo_number_assign 'INSERT INTO hilo_number_assign DEFAULT VALUES'
	rows 'counter row' 'WITH number AS (UPDATE counter SET last = last + 1 RETURNING last)
		INSERT INTO counted SELECT last FROM number'
}

round() {
	each_way 'the disk as it is'
	pg_ctl stop -sm fast
	LD_PRELOAD=$dir/slow_flush.so start_server -c wal_sync_method=fdatasync
	each_way 'a flush takes 2 ms longer'
	pg_ctl stop -sm fast
	start_server
}
