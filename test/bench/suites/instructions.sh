# Instructions
#
# The cost of a call is measured in instructions of the processor, which do not depend
# on other work of the machine. Valgrind's callgrind counts them in one server process,
# as the difference between many calls and few, and above the same statement with an
# empty function (for `hilo_next('orders', count)`, with `generate_series`). Work of the
# kernel, such as writing to disk, is not counted. test/bench/instructions keeps the
# figures of each PostgreSQL and compiler.
#
# baseline: nextval

few=1000 many=20000 many_of_the_slow=4000

# case, column, the empty case, a statement with COUNT calls of @, which stands for the last
select='SELECT count(@) FROM generate_series(1, COUNT)'
default='INSERT INTO @ (number) SELECT generate_series(1, COUNT)'
first='CALL call_@(COUNT)'
calls=(
	"empty|select||$select|empty('x')"
	"nextval|in a SELECT|empty select|$select|nextval('s')"
	"hilo_next|in a SELECT|empty select|$select|hilo_next('g')"
	"hilo_next_tag|in a SELECT|empty select|$select|hilo_next_tag('t')"
	"hilo_next_id|in a SELECT|empty select|$select|hilo_next_id('g')"
	"hilo_next_range|in a SELECT|empty select|$select|hilo_next_range('g', 32)"
	"empty|count||SELECT count(*) FROM @|generate_series(1, COUNT)"
	"hilo_next with count|in a SELECT|empty count|SELECT count(*) FROM @|hilo_next('g', COUNT)"
	"empty|default||$default|with_empty"
	"nextval|as a column default|empty default|$default|with_nextval"
	"hilo_next|as a column default|empty default|$default|with_hilo_next"
	"empty|first||$first|empty"
	"nextval|first of a transaction|empty first|$first|nextval"
	"hilo_next|first of a transaction|empty first|$first|hilo_next"
	"hilo_next_tag|first of a transaction|empty first|$first|hilo_next_tag"
)

setup() {
	if ! command -v valgrind >/dev/null; then
		echo "instructions: not counted; valgrind is missing" >&2
		fact 'not counted; valgrind is missing'
		rounds=0
		return
	fi
	rounds=1
	initdb -A trust -U "$PGUSER" -E UTF8 --no-locale --no-sync -D "$dir/single" >/dev/null
	# else the first tables in single-user mode would have OIDs of system catalogs
	pg_resetwal -o 100000 -D "$dir/single" >/dev/null
	statements_of_setup | single >"$dir/single.log" 2>&1
}

single() { # statements on standard input, each with an empty line behind it
	"${valgrind[@]}" postgres --single -j -D "$dir/single" -c fsync=off -c jit=off -c track_counts=off postgres
}

statements_of_setup() {
	local call
	cat <<-END
		CREATE EXTENSION hilo;

		$(make_empty)

		CREATE FUNCTION bench_mark() RETURNS void AS '$dir/empty' LANGUAGE C VOLATILE;

		CREATE SEQUENCE s CACHE 1000000;

		CREATE TABLE g (id bigint PRIMARY KEY);

		SELECT hilo_create(name, range_size => 1000000) FROM unnest(ARRAY['g', 't']) name;

	END
	for call in empty nextval hilo_next hilo_next_tag; do
		local name=g
		[[ $call != hilo_next_tag ]] || name=t
		[[ $call != nextval ]] || name=s
		cat <<-END
			CREATE PROCEDURE call_$call(times int) LANGUAGE plpgsql AS \$\$
				BEGIN FOR i IN 1 .. times LOOP PERFORM $call('$name'); COMMIT; END LOOP; END \$\$;

			CREATE TABLE with_$call (id bigint DEFAULT $call('$name'), number int);

		END
	done
}

# Each statement with many calls and with few, between marks.
statements_to_count() {
	local call statement argument count
	for call in "${calls[@]}"; do
		IFS='|' read -r _ _ _ statement argument <<<"$call"
		statement=${statement/@/$argument}
		printf '%s;\n\n' "${statement/COUNT/100}"
		for count in $few "$(many "$argument")"; do
			printf 'SELECT bench_mark();\n\n%s;\n\nSELECT bench_mark();\n\n' "${statement/COUNT/$count}"
		done
	done
}

round() {
	local valgrind=(valgrind --tool=callgrind --dump-before=bench_mark --callgrind-out-file="$dir/callgrind.out" --log-file="$dir/valgrind.log")
	local call case column empty argument i=0 counted
	local -A cost
	statements_to_count | single >"$dir/single.log" 2>&1
	for call in "${calls[@]}"; do
		IFS='|' read -r case column empty _ argument <<<"$call"
		# a part ends at each mark: warm-up, few, what is between, many
		counted=$(calc "($(part $((i + 4))) - $(part $((i + 2)))) / ($(many "$argument") - $few)")
		cost["$case $column"]=$counted
		[[ ! $empty ]] || record "$case" "instructions@$column" 'a call' "$(calc "$counted - ${cost[$empty]}")"
		i=$((i + 4))
	done
}

# So many that what the server does now and then, as reporting statistics, is little
# beside them.
many() { # ARGUMENT
	case $1 in
		empty | nextval | hilo_next | hilo_next_tag | hilo_next_range*) echo $many_of_the_slow ;;
		*) echo $many ;;
	esac
}

# Instructions from a mark to the next.
part() { # NUMBER
	sed -n 's/^summary: //p' "$dir/callgrind.out.$1"
}
