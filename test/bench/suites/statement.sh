# Ids within one statement
#
# The cost of an id in a statement of millions of rows, above a C function that does
# nothing (an empty function's own time is in the last table). "Ranges from" is the
# default: the session knows how many ids the statement needs, and carves longer ranges.
# "Ranges held" is `max_range_size` at that size: the session carves a range for every
# so many ids. Windows, which wait for the disk, grow with the pace in both.
#
# baseline: nextval
# plot: processor time above an empty function's, log

sizes='32 1000 100000'

setup() {
	local size
	for size in $sizes; do
		sql <<-END
			CREATE SEQUENCE sequence_$size CACHE $size;
			$(generator from_$size "range_size => $size")
			$(generator held_$size "range_size => $size, max_range_size => $size")
		END
	done
}

call() { # FUNCTION [ROWS]
	time_sql "${2:-$rows}" "SELECT count($1) FROM $many_rows"
}

above_empty() { # CASE SIZE
	record_above "$1" "time above an empty function's@CACHE or range $2" "processor time above an empty function's@CACHE or range $2" 'ns an id'
}

round() {
	local size
	call "empty('x')"
	take_as_base
	record 'empty function' 'all in all@time' 'ns a row' "$ns"
	for size in $sizes; do
		call "nextval('sequence_$size')"
		above_empty nextval "$size"
		call "hilo_next('from_$size')"
		above_empty 'hilo_next; ranges from' "$size"
		# ranges of 32 keep waiting for the disk: fewer will do
		call "hilo_next('held_$size')" $((size == 32 ? rows / 10 : rows))
		above_empty 'hilo_next; ranges held' "$size"
	done
}
