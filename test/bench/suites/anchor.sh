# Buckets, and tables partitioned by them
#
# The first table has the cost of `anchor_bucket` for ids of 10 to 512 bytes, beside
# PostgreSQL's hashes, above a C function that takes the text and does nothing. Then
# come tables of 16 partitions: by `anchor_bucket(id)`, by a column with the bucket, and
# by HASH (id). They are filled by COPY, with the bucket in the data, and queried by id,
# with prepared statements, by one client. `anchor_report` shows how the rows spread
# over the buckets: ranges of 32768, with 5 % of the rows anchored to one id.
#
# baseline: HASH
# plot: time above an empty function's

sizes='10 30 100 512'
tables=(
	'HASH:hashed'
	'anchor_bucket(id):anchored'
	'bucket column:bucketed'
)

setup() {
	local size
	copy_rows=$(sized 2000 100000 1000000)
	fact "$copy_rows rows in 16 partitions"
	for size in $sizes; do
		sql -c "CREATE TABLE ids_$size AS SELECT rpad(concat('Orders/', i, '-A'), $size, 'x') AS id FROM generate_series(100, 1099) i"
	done
	# a target, and its rows in a table without partitions, to copy from
	sql <<-END
		CREATE TABLE rows AS
			SELECT CASE WHEN i % 20 = 0 THEN concat('invoices/', i, '\$orders/54-B') ELSE concat('orders/', i, '-A') END AS id,
				   concat('item ', i) AS item
			  FROM generate_series(1, $copy_rows) i;
		COPY (SELECT id, item FROM rows) TO '$dir/rows';
		COPY (SELECT id, item, anchor_bucket(id) FROM rows) TO '$dir/rows_with_bucket';
		CREATE TABLE hashed (id text PRIMARY KEY, item text) PARTITION BY HASH (id);
		SELECT format('CREATE TABLE hashed_%s PARTITION OF hashed FOR VALUES WITH (MODULUS 16, REMAINDER %1\$s)', i)
		  FROM generate_series(0, 15) i \gexec
		CREATE TABLE anchored (id text NOT NULL, item text) PARTITION BY RANGE (anchor_bucket(id));
		SELECT anchor_partitions('anchored', 16);
		SELECT format('ALTER TABLE anchored_%s ADD PRIMARY KEY (id)', shard) FROM anchor_ranges(16) \gexec
		CREATE TABLE bucketed (id text, item text, bucket int CHECK (bucket = anchor_bucket(id)), PRIMARY KEY (bucket, id))
			PARTITION BY RANGE (bucket);
		SELECT format('CREATE TABLE bucketed_%s PARTITION OF bucketed FOR VALUES FROM (%s) TO (%s)', shard, lower(buckets), upper(buckets))
		  FROM anchor_ranges(16) \gexec
	END
}

hash_ids() { # CASE FUNCTION
	time_sql "$rows" "SELECT count($2) FROM ids_$size, generate_series(1, COUNT / 1000)"
	[[ $1 == empty ]] && take_as_base && return
	record_above "$1" "time above an empty function's@$size bytes" "processor time above an empty function's@$size bytes" 'ns a call'
}

copy_into() { # CASE TABLE
	local file=rows started
	[[ $2 != bucketed ]] || file=rows_with_bucket
	sql -c "TRUNCATE $2" -c CHECKPOINT
	started=$(now)
	sql -c "COPY $2 FROM '$dir/$file'"
	record "$1" 'COPY@time' s "$(calc "$(now) - $started")"
	sql -c "VACUUM ANALYZE $2"
}

query_by_id() { # CASE TABLE
	local condition='id = :id'
	[[ $2 != anchored ]] || condition='anchor_match(id, :id)'
	[[ $2 != bucketed ]] || condition='anchor_match(bucket, id, :id)'
	measure 1 "\\set n random(0, $copy_rows / 20 - 1)
		SELECT item FROM $2 WHERE ${condition//:id/"concat('orders/', :n::int * 20 + 1, '-A')"};"
	record "$1" 'point query by id@rate' 'a second' "$tps"
}

histogram() {
	local number rows
	sql -F ' ' -c "SELECT row_number() OVER (ORDER BY buckets), rows FROM anchor_report('anchored', 'id')" |
		while read -r number rows; do
			record rows "rows by bucket@$number" rows "$rows"
		done
}

round() {
	local size table
	for size in $sizes; do
		hash_ids empty 'empty(id)'
		hash_ids anchor_bucket 'anchor_bucket(id)'
		hash_ids hashtextextended 'hashtextextended(id, 0)'
		hash_ids md5 'md5(id)'
	done
	for table in "${tables[@]}"; do
		copy_into "${table%%:*}" "${table#*:}"
		query_by_id "${table%%:*}" "${table#*:}"
	done
	histogram
}
