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
	"hilo_next_id|in a SELECT|empty select|$select|hilo_next_id('t')"
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
	statements_of_setup | make_single
}

statements_of_setup() {
	local call
	cat <<-END
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

statements_to_count() {
	local call statement argument
	for call in "${calls[@]}"; do
		IFS='|' read -r _ _ _ statement argument <<<"$call"
		echo "$few $(many "$argument") ${statement/@/$argument}"
	done
}

round() {
	local call case column empty i=0 counted
	local -A cost
	mapfile -t counted < <(statements_to_count | count_instructions)
	for call in "${calls[@]}"; do
		IFS='|' read -r case column empty _ <<<"$call"
		cost["$case $column"]=${counted[i]}
		[[ ! $empty ]] || record "$case" "instructions@$column" 'a call' "$(calc "${counted[i]} - ${cost[$empty]}")"
		i=$((i + 1))
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
