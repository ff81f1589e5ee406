# Columns whose ids are followed
#
# Rows of (id, a short text) into a table with a primary key: a column on a generator that
# follows it, one on a generator that does not (`follow => false`), bigserial, bigserial that
# `hilo_attach` has its sequence follow, and bigserial with a trigger in PL/pgSQL that calls
# setval. The ids come from the generator or the sequence in INSERT ... SELECT, in COPY without the id, and in transactions of one
# row. In "brought along" rows have ids of their own, above all others: COPY in one
# transaction, and one row a transaction, by 1 and by 8 clients.
#
# baseline: not followed
# plot: processor time of the server

setup() {
	follow_rows=$(sized 2000 100000 1000000)
	fact "$follow_rows rows"
	setval='CREATE OR REPLACE FUNCTION by_setval() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
			IF NEW.id > (SELECT last_value FROM loaded_id_seq) THEN PERFORM setval($a$loaded_id_seq$a$, NEW.id); END IF;
			RETURN NULL;
		END$$;
		CREATE TRIGGER by_setval AFTER INSERT ON loaded FOR EACH ROW EXECUTE FUNCTION by_setval();'
}

make_table() { # CASE
	local source
	case $1 in
		followed) source="SELECT hilo_attach('loaded', 'id', 'loaded');" ;;
		'not followed') source="SELECT hilo_attach('loaded', 'id', 'loaded', follow => false);" ;;
		'bigserial; followed') source="SELECT hilo_attach('loaded', 'id');" ;;
		*setval) source=$setval ;;
		*) source= ;;
	esac
	sql <<-END
		SET client_min_messages = warning;
		DROP TABLE IF EXISTS loaded;
		DROP SEQUENCE IF EXISTS elsewhere;
		CREATE TABLE loaded (id bigserial PRIMARY KEY, item text);
		CREATE SEQUENCE elsewhere INCREMENT 3 MINVALUE 1000000 CACHE 100;
		$source
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

one_row() { # CASE CLIENTS WHAT INSERT
	make_table "$1"
	measure "$2" "$4"
	record "$1" "processor time of a transaction of one row@$3" 'µs' "$(calc "$cpu / $processed * 1e6")"
}

round() {
	local case
	for case in 'not followed' followed bigserial 'bigserial; followed' 'bigserial; setval'; do
		load "$case" 'INSERT ... SELECT' insert_select
		load "$case" COPY copy_items
		load "$case" 'COPY; brought along' copy_with_ids
		one_row "$case" 1 'from the generator' "INSERT INTO loaded (item) VALUES ('item')"
		one_row "$case" 1 'brought along' "INSERT INTO loaded VALUES (nextval('elsewhere'), 'item')"
		one_row "$case" 8 'brought along; 8 clients' "INSERT INTO loaded VALUES (nextval('elsewhere'), 'item')"
	done
	sql -c 'DROP TABLE loaded; DROP SEQUENCE elsewhere'
}
