# Numbers per group
#
# The first row of each group of a table, then another one, in transactions of 1,000 groups by one client, with a new
# session for every 10,000: the trigger `hilo_number_assign`, a trigger in PL/pgSQL that keeps a table with a counter for
# each group, and one that takes `max() + 1`, which repeats numbers as soon as two sessions write to one group. Then the
# bytes that a group costs beside its rows, and how long `pg_dump` and `pg_restore` of the database take. A million groups,
# without the ordering `global`, is `make bench SUITES=groups BENCH_GROUPS=1000000 BENCH_ROUNDS=1`.
#
# baseline: counter table

setup() {
	groups=${BENCH_GROUPS:-$(sized 100 2000 10000)}
	fact "$groups groups"
	export PGDATABASE=groups
}

make_table() { # CASE
	dropdb --if-exists --force groups 2>/dev/null
	createdb groups
	sql <<-END
		CREATE EXTENSION hilo;
		CREATE TABLE numbered (grp int, number int, PRIMARY KEY (grp, number));
		CREATE TABLE counter (grp int PRIMARY KEY, last int NOT NULL) WITH (fillfactor = 50);
		CREATE FUNCTION by_counter() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN
			INSERT INTO counter AS c VALUES (NEW.grp, 1)
				ON CONFLICT (grp) DO UPDATE SET last = c.last + 1 RETURNING last INTO NEW.number;
			RETURN NEW;
		END\$\$;
		CREATE FUNCTION by_max() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN
			SELECT coalesce(max(number), 0) + 1 INTO NEW.number FROM numbered WHERE grp = NEW.grp;
			RETURN NEW;
		END\$\$;
		CREATE TRIGGER number BEFORE INSERT ON numbered FOR EACH ROW EXECUTE FUNCTION $2;
		CHECKPOINT;
	END
}

insert_rows() {
	local from to
	for ((from = 1; from <= groups; from = to + 1)); do
		to=$((from + 9999 < groups ? from + 9999 : groups))
		sql <<-END
			SELECT format('INSERT INTO numbered SELECT generate_series(%s, %s)', i, least(i + 999, $to))
			  FROM generate_series($from, $to, 1000) i \\gexec
		END
	done
}

size() { # of what keeps the numbers
	sql -c "SELECT sum(pg_total_relation_size(oid)) FROM pg_class
		WHERE relkind = 'r' AND (relname = 'counter' OR relnamespace = 'hilo_internal'::regnamespace)"
}

time_of() { # COMMAND...
	local started
	started=$(now)
	"$@" >/dev/null
	took=$(calc "$(now) - $started")
}

measure_case() { # CASE TRIGGER
	local dump empty
	make_table "$@"
	empty=$(size)
	time_of insert_rows
	record "$1" 'time of a row@first of its group' 'µs' "$(calc "$took / $groups * 1e6")"
	time_of insert_rows
	record "$1" 'time of a row@next of its group' 'µs' "$(calc "$took / $groups * 1e6")"
	[[ $(sql -c 'SELECT count(*), min(number), max(number) FROM numbered') == "$((2 * groups))|1|2" ]]
	sql -c 'VACUUM'
	record "$1" 'size@a group' bytes "$(calc "($(size) - $empty) / $groups")"
	dump=$(mktemp)
	time_of pg_dump -Fc -f "$dump"
	record "$1" 'time@dump' s "$took"
	dropdb groups
	createdb groups
	time_of pg_restore -d groups "$dump"
	record "$1" 'time@restore' s "$took"
	rm "$dump"
	# a restore begins above the window
	(($(sql -c 'INSERT INTO numbered VALUES (1) RETURNING number') >= 3))
}

round() {
	measure_case 'counter table' 'by_counter()'
	measure_case 'hilo; gapless' "hilo_number_assign('number', 'gapless', 'grp')"
	# the first row of a group waits for the disk: an hour for a million
	((groups > 100000)) || measure_case 'hilo; global' "hilo_number_assign('number', 'global', 'grp')"
	measure_case 'max() + 1' 'by_max()'
}
