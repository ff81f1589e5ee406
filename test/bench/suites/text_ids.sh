# Ids as text
#
# The cost of a text id in a statement of many rows, above a number that is converted to
# text. A GUID by `document_id` is the text of `gen_random_uuid()`; the other ids are a
# number from memory between a name and a node tag.
#
# baseline: gen_random_uuid()::text

numbers='generate_series(1::bigint, COUNT / 1000) a, generate_series(1::bigint, 1000) b'

call() { # EXPRESSION
	time_sql "$rows" "SELECT count($1) FROM $numbers"
}

above_number() { # CASE EXPRESSION
	call "$2"
	record_above "$1" 'time above b::text@time' 'time above b::text@processor time' 'ns an id'
}

round() {
	call 'b::text'
	take_as_base
	above_number 'gen_random_uuid()::text' 'gen_random_uuid()::text'
	above_number 'hilo_next_id' "hilo_next_id('orders')"
	above_number 'identity by document_id' "document_id('users|')"
	above_number 'server-side by document_id' "document_id('users/')"
	above_number 'GUID by document_id' 'document_id()'
	above_number 'artificial_id' "artificial_id('sales', b)"
}
