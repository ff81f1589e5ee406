# test/bench/lib.sh
#
# What the suites of test/bench/run measure with; it sources this file, and says
# what a suite is.

# --- figures

# One figure of this round.
record() { # CASE METRIC UNIT VALUE
	[[ $* != *,* && ${4:-} ]] || die "bad figure in suite $suite: $*"
	echo "$suite,$1,$2,$3,$4,$round" >&3
}

# What is the same for the whole suite, for the line below its heading.
fact() { # TEXT
	echo "$suite,,,,${1//,/;}," >&3
}

# The one of three values that fits BENCH_SIZE.
sized() { # TINY QUICK FULL
	case $BENCH_SIZE in
		tiny) echo "$1" ;;
		quick) echo "$2" ;;
		full) echo "$3" ;;
	esac
}

calc() { # EXPRESSION: of awk
	awk "BEGIN { printf \"%.6g\", $1 }"
}

median() { # reads numbers
	sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}

now() { # seconds
	echo "$EPOCHREALTIME"
}

# --- SQL

sql() { # OPTION... (psql's; the SQL by -c, or on standard input)
	psql -XqAt -v ON_ERROR_STOP=1 "$@"
}

# Sets ns and cpu_ns: what each of COUNT calls costs in a statement that has a count
# for the word COUNT, in time and in processor time of the server (empty where the
# kernel does not tell), after the session has warmed up.
time_sql() { # COUNT STATEMENT
	local cpu="SELECT 'cpu ' || split_part(pg_read_file('/proc/self/schedstat', 0, 100, true), ' ', 1)"
	read -r ns cpu_ns < <(sql <<-END | awk '
		/^Time:/ { ns = $2 * 1e6 }
		/^cpu / { cpu[n++] = $2 }
		END { print ns / '"$1"', n ? (cpu[1] - cpu[0]) / '"$1"' : "" }'
		SET jit = off;
		${2//COUNT/1000};
		$cpu;
		\\timing on
		${2//COUNT/$1};
		\\timing off
		$cpu;
	END
	)
}

# Has record_above measure above what the last time_sql has found.
take_as_base() {
	base_ns=$ns base_cpu_ns=$cpu_ns
}

record_above() { # CASE METRIC-OF-TIME METRIC-OF-PROCESSOR-TIME UNIT
	record "$1" "$2" "$4" "$(calc "$ns - $base_ns")"
	[[ ! $cpu_ns ]] || record "$1" "$3" "$4" "$(calc "$cpu_ns - $base_cpu_ns")"
}

# COUNT rows without a table; a single generate_series would first write them to disk.
many_rows='generate_series(1, COUNT / 1000) a, generate_series(1, 1000) b'

# Bytes of WAL that were written while a command ran.
wal_of() { # COMMAND...
	local before after
	before=$(sql -c 'SELECT pg_current_wal_insert_lsn()')
	"$@" >/dev/null
	after=$(sql -c "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '$before')")
	echo "$after"
}

# --- many clients

# pgbench's report on a script; with seconds = 0 a few transactions must do, and an
# option -t says how many they are.
bench() { # CLIENTS SCRIPT OPTION...
	local length=(-T "$seconds") threads
	[[ $seconds != 0 ]] || length=(-t 20)
	[[ " ${*:3} " != *' -t '* ]] || length=()
	threads=$(($(nproc) < $1 ? $(nproc) : $1))
	pgbench -n -M prepared -c "$1" -j "$threads" "${length[@]}" "${@:3}" -f <(echo "$2") 2>"$dir/pgbench.err" ||
		{ cat "$dir/pgbench.err" >&2; return 1; }
}

# Sets tps, the transactions a second; processed, how many there were; and cpu, the
# processor time of the server in them, in seconds.
measure() { # CLIENTS SCRIPT OPTION...
	local before
	before=$(cpu_of_ended_sessions)
	report=$(bench "$@")
	cpu=$(calc "$(cpu_of_ended_sessions) - $before")
	tps=$(sed -n 's/^tps = \([0-9.]*\).*/\1/p' <<<"$report")
	processed=$(sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p' <<<"$report")
}

clients_are() { # NUMBER: a column
	(($1 == 1)) && echo '1 client' || echo "$1 clients"
}

# Comes back when no session of the suite is left but this one's.
wait_for_sessions_to_end() {
	local left
	while left=$(sql -c "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()") && ((left > 0)); do
		sleep 0.05
	done
}

# Seconds of processor time; the postmaster is told when a session has ended.
cpu_of_ended_sessions() {
	wait_for_sessions_to_end
	awk -v hertz="$(getconf CLK_TCK)" '{ printf "%.2f", ($16 + $17) / hertz }' "/proc/$(head -n 1 "$PGDATA/postmaster.pid")/stat"
}

# --- the server

build() {
	local flags
	make -s install >"$dir/make.log" 2>&1 || { cat "$dir/make.log"; return 1; }
	read -ra flags <<<"$("$PG_CONFIG" --cflags) $("$PG_CONFIG" --cflags_sl)"
	gcc "${flags[@]}" -I"$("$PG_CONFIG" --includedir-server)" -shared -o "$dir/empty.so" test/bench/empty.c
}

make_server() {
	initdb -A trust -U "$PGUSER" -E UTF8 --no-locale >/dev/null
	# no checkpoint comes in between, whatever is measured
	cat >>"$PGDATA/postgresql.conf" <<-END
		listen_addresses = ''
		unix_socket_directories = '$PGHOST'
		checkpoint_timeout = 1h
		max_wal_size = 16GB
	END
	start_server
	trap 'pg_ctl stop -sm immediate' EXIT
}

start_server() { # OPTION... of postgres
	pg_ctl start -sw -l "$dir/server.log" -o "$*" || { tail -n 40 "$dir/server.log"; return 1; }
}

make_empty() { # the function, as SQL
	echo "CREATE FUNCTION empty(text) RETURNS bigint AS '$dir/empty' LANGUAGE C VOLATILE PARALLEL UNSAFE;"
}

run_suite() {
	local round=0
	export PGDATABASE=$suite
	createdb "$suite"
	sql -c 'CREATE EXTENSION hilo' -c "$(make_empty)"
	setup() { :; }
	finish() { :; }
	source "test/bench/suites/$suite.sh"
	setup
	describe_run
	for ((round = 1; round <= rounds; round++)); do
		echo "$suite: round $round of $rounds" >&2
		round
	done
	round=all
	finish
	PGDATABASE=postgres dropdb --force "$suite"
}

describe_run() {
	local flush=$dir/flush
	fact "$(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed -n 1p)"
	[[ -f $flush ]] || dd if=/dev/zero of="$flush" bs=8k count=500 status=none
	fact "$(df --output=fstype "$dir" | tail -n 1); 8 kB written and flushed in $(
		dd if=/dev/zero of="$flush" bs=8k count=500 conv=notrunc oflag=dsync 2>&1 |
			awk -F', *' '/copied/ { printf "%.0f µs", $(NF - 1) / 500 * 1e6 }')"
	fact "PostgreSQL $(sql -c "SELECT split_part(current_setting('server_version'), ' ', 1)")"
	fact "gcc $(gcc -dumpfullversion)"
	fact "hilo $BENCH_COMMIT"
	fact "load $(cut -d' ' -f1 /proc/loadavg) before"
	fact "$BENCH_SIZE size; rounds: $rounds"
}
