# Entities through Hibernate and SQLAlchemy
#
# Entities of (id, a number, a short text) in transactions of 1,000, by one client,
# after 5,000 to warm up. One case has the ids of the ORM's own sequence: Hibernate
# takes blocks of 50 from it by its pooled optimizer, SQLAlchemy calls `nextval` in the
# INSERT. In the other cases the ids come from `hilo_next_range`, 50 or 1,000 at a time,
# in generators of `test/bench/orm`, from `hilo_next` as the default of the
# column, or from an identity column. Hibernate sends rows one by one if the database
# makes their ids, and otherwise in batches of 50. SQLAlchemy sends 1,000 rows in a
# statement in any case.
#
# A range of hilo is a call of its own before the rows, and each id of the range is a
# call of Python's. SQLAlchemy's own sequence, and the default of the column, come with
# the rows.
#
# baseline: own sequence
# plot: entities

setup() {
	orm_rows=$(sized 100 100000 100000)
	orm_dir=$dir/orm
	mkdir "$orm_dir"
	listen_on_loopback
	fact "$orm_rows entities"
	orms=()
	try_orm Hibernate 'Java, Maven or the network is missing'
	try_orm SQLAlchemy 'Python, venv or the network is missing'
	((${#orms[@]})) || rounds=0
}

finish() {
	listen_no_more
}

try_orm() { # NAME WHAT-IS-MISSING
	if "get_$1" >"$orm_dir/log" 2>&1; then
		orms+=("$1")
		"run_$1" create >/dev/null
	else
		echo "orm: $1 is not measured; $2" >&2
		fact "$1 is not measured; $2"
	fi
}

get_Hibernate() {
	cp test/bench/orm/Bench.java test/orm/hibernate/pom-7.xml "$orm_dir" &&
		(cd "$orm_dir" && mvn -q -B -f pom-7.xml \
			org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib &&
			javac -cp 'lib/*' -d . *.java)
}

run_Hibernate() { # create or ROWS
	java -XX:+UseSerialGC -cp "$orm_dir/lib/*:$orm_dir" Bench "$1" 2>"$orm_dir/err" || { cat "$orm_dir/err" >&2; return 1; }
	[[ $1 != create ]] || sql -c "ALTER TABLE hilo_default ALTER id DROP IDENTITY" \
		-c "ALTER TABLE hilo_default ALTER id SET DEFAULT hilo_next('hilo_default')"
}

get_SQLAlchemy() {
	cp test/bench/orm/bench.py test/orm/sqlalchemy/requirements.txt "$orm_dir" &&
		python3 -m venv "$orm_dir/venv" &&
		"$orm_dir/venv/bin/pip" install -q --no-deps --only-binary :all: -r "$orm_dir/requirements.txt"
}

run_SQLAlchemy() { # create or ROWS
	"$orm_dir/venv/bin/python" "$orm_dir/bench.py" "$1"
}

round() {
	local name figures way speed
	for name in "${orms[@]}"; do
		sql -c "SELECT format('TRUNCATE %I;', relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
			AND oid NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e' AND classid = 'pg_class'::regclass)" | sql
		sql -c CHECKPOINT
		figures=$("run_$name" "$orm_rows")
		while IFS=';' read -r way speed; do
			record "$way" "entities@$name" 'a second' "$(calc "$speed")"
		done <<<"$figures"
	done
}
