# Columns that their generator follows
#
# Rows of (id, a short text) into a table with a primary key, by one client: a column on
# a generator, one that the generator follows (`hilo_attach` with `follow`), one with a
# trigger in PL/pgSQL that does as much by hand, and bigserial. The ids come from the
# generator in INSERT ... SELECT, in COPY without the id, and in transactions of one row.
# In "brought along" rows have ids of their own, above all others: COPY in one
# transaction, and one row a transaction.
#
# baseline: not followed
# plot: processor time of the server

setup() {
	follow_rows=$(sized 2000 100000 1000000)
	fact "$follow_rows rows"
	by_hand='CREATE OR REPLACE FUNCTION by_hand() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
			IF NEW.id IS DISTINCT FROM hilo_current($a$loaded$a$) THEN PERFORM hilo_seed($a$loaded$a$, NEW.id); END IF;
			RETURN NEW;
		END$$;
		CREATE TRIGGER by_hand BEFORE INSERT OR UPDATE OF id ON loaded FOR EACH ROW EXECUTE FUNCTION by_hand();'
}

make_table() { # CASE
	local attach="SELECT hilo_attach('loaded', 'id');"
	[[ $1 != followed ]] || attach="SELECT hilo_attach('loaded', 'id', follow => true);"
	[[ $1 != by* ]] || attach+=$by_hand
	[[ $1 != bigserial ]] || attach=
	sql <<-END
		SET client_min_messages = warning;
		DROP TABLE IF EXISTS loaded;
		CREATE TABLE loaded (id bigserial PRIMARY KEY, item text);
		$attach
		INSERT INTO loaded (item) VALUES ('first');
		CHECKPOINT;
	END
}

load() { # CASE WAY COMMAND...
	local cpu started took
	make_table "$1"
	cpu=$(cpu_of_ended_sessions)
	started=$(now)
	"${@:3}"
	took=$(calc "$(now) - $started")
	cpu=$(calc "$(cpu_of_ended_sessions) - $cpu")
	[[ $(sql -c 'SELECT count(*) FROM loaded') == $((follow_rows + 1)) ]]
	record "$1" "time@$2" s "$took"
	record "$1" "processor time of the server@$2" s "$cpu"
}

items() { awk -v rows="$follow_rows" 'BEGIN { for (i = 1; i <= rows; i++) print "item " i }'; }

insert_select() { sql -c "INSERT INTO loaded (item) SELECT 'item ' || i FROM generate_series(1, $follow_rows) i"; }

copy_items() { items | sql -c 'COPY loaded (item) FROM STDIN'; }

copy_with_ids() { items | awk '{ print 1e9 + NR "\t" $0 }' OFMT=%d CONVFMT=%d | sql -c 'COPY loaded FROM STDIN'; }

round() {
	local case
	for case in 'not followed' followed 'by hand in PL/pgSQL' bigserial; do
		load "$case" 'INSERT ... SELECT' insert_select
		load "$case" COPY copy_items
		make_table "$case"
		measure 1 "INSERT INTO loaded (item) VALUES ('item')"
		record "$case" 'processor time of a transaction of one row@from the generator' 'µs' "$(calc "$cpu / $processed * 1e6")"
		# by hand each id is a seed, which is on disk before the next
		[[ $case != by* ]] || continue
		load "$case" 'COPY; brought along' copy_with_ids
		make_table "$case"
		measure 1 "INSERT INTO loaded VALUES ((SELECT max(id) + 100 FROM loaded), 'item')"
		record "$case" 'processor time of a transaction of one row@brought along' 'µs' "$(calc "$cpu / $processed * 1e6")"
	done
	sql -c 'DROP TABLE loaded'
}
