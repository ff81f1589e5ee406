
# Tables whose shards are on three servers: each statement on one id goes to one
# of them, joins of what is anchored run there, rows go in batches, and a scan of
# all asks them at once.  And what goes wrong leaves all as it was.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

use constant ROWS => 3000;

my @names = qw(one two three);
my ($root, @shards) = hilo_shards(\@names, conf => "log_statement = 'all'");
my $servers = "ARRAY['one', 'two', 'three']";

# What a table has goes along.
$root->safe_psql(
	'postgres', q{
	CREATE SCHEMA "its Own";
	CREATE TABLE "its Own"."an Order" (
		dropped int,
		id text PRIMARY KEY,
		"No" serial,
		customer varchar(20) COLLATE "C" DEFAULT 'nobody',
		amount numeric(10, 2) CONSTRAINT "is Positive" CHECK (amount > 0),
		twice numeric GENERATED ALWAYS AS (amount * 2) STORED,
		UNIQUE (amount, id)
	) WITH (fillfactor = 70);
	ALTER TABLE "its Own"."an Order" DROP COLUMN dropped;
	CREATE INDEX " ON ""its Own"".""an Order""" ON "its Own"."an Order" (customer) WHERE amount > 1;
	CREATE UNIQUE INDEX ON "its Own"."an Order" (docid_fold(id));
	INSERT INTO "its Own"."an Order" (id, amount) SELECT concat('orders/', i, '-A'), i FROM generate_series(1, } . ROWS . q{) i});
my $sum = q{SELECT count(*), sum(amount), sum(twice), md5(string_agg(id || "No", ',' ORDER BY id COLLATE "C")) FROM "its Own"."an Order"};
my $before = $root->safe_psql('postgres', $sum);
$root->safe_psql('postgres', qq{SELECT anchor_partition('"its Own"."an Order"', 3, $servers)});
is($root->safe_psql('postgres', $sum), $before, 'every row is there');
is( $root->safe_psql('postgres', q{SELECT * FROM anchor_servers('"its Own"."an Order"')}),
	join("\n",
		'[0,349525)|"its Own"."an Order_0"|one', '[349525,699050)|"its Own"."an Order_1"|two',
		'[699050,1048576)|"its Own"."an Order_2"|three'),
	'each server has its buckets');

my $described = q{
	SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), nullif(attcollation, 0)::regcollation, attnotnull, nullif(attgenerated, '')), ', ' ORDER BY attnum)
	FROM pg_attribute WHERE attrelid = '"its Own"."an Order_1"'::regclass AND attnum > 0;
	SELECT reloptions FROM pg_class WHERE oid = '"its Own"."an Order_1"'::regclass;
	SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '"its Own"."an Order_1"'::regclass AND contype = 'c' ORDER BY 1;
	SELECT substring(pg_get_indexdef(indexrelid) FROM 'USING.*'), indisunique FROM pg_index WHERE indrelid = '"its Own"."an Order_1"'::regclass ORDER BY 1};
is( $shards[1]->safe_psql('postgres', $described),
	join("\n",
		'id text "default" t, No integer t, customer character varying(20) "C" f, amount numeric(10,2) f, twice numeric f s',
		'{fillfactor=70}',
		'hilo_buckets|CHECK (((anchor_bucket(id) >= 349525) AND (anchor_bucket(id) < 699050)))',
		'is Positive|CHECK ((amount > (0)::numeric))',
		'USING btree (amount, id)|t',
		q{USING btree (customer) WHERE (amount > (1)::numeric)|f},
		'USING btree (docid_fold(id))|t', 'USING btree (id)|t'),
	'the table of a shard is like the table');

# One that two statements of each kind use.
$root->safe_psql(
	'postgres', qq{
	CREATE TABLE orders (id text PRIMARY KEY, customer text);
	CREATE TABLE items (id text PRIMARY KEY, order_id text, item text);
	INSERT INTO orders SELECT concat('orders/', i, '-A'), i % 10 FROM generate_series(1, @{[ROWS]}) i;
	SELECT anchor_partition('orders', 3, $servers), anchor_partition('items', 3, $servers);
	INSERT INTO items SELECT anchor_to(concat('items/', i), concat('orders/', i % @{[ROWS]} + 1, '-A')),
							 concat('orders/', i % @{[ROWS]} + 1, '-A'), i FROM generate_series(1, @{[2 * ROWS]}) i;
	ANALYZE orders, items});

# Gives the remote statements of a plan, with the servers' shards.
sub plan_of
{
	my ($statement, $settings) = @_;

	return $root->safe_psql('postgres', ($settings // '') . "EXPLAIN (VERBOSE, COSTS off) $statement");
}

sub is_for_one
{
	my ($statement, $remote) = @_;
	my $plan = plan_of($statement);
	my @remote = $plan =~ /Remote SQL: (.*)/g;
	my %tables = map { $_ => 1 } $plan =~ /on public\.(\w+_\d)/g;

	is(keys %tables, 1, "one server: $statement") or diag $plan;
	like(join("\n", @remote), $remote, 'which is sent the condition') or diag $plan;
	return;
}

is_for_one(q{SELECT * FROM orders WHERE anchor_match(id, 'orders/7-A')},
	qr/^SELECT id, customer FROM public\.orders_1 WHERE .*anchor_bucket\(id\) = \d+.*$/);
is_for_one(q{UPDATE orders SET customer = 'x' WHERE anchor_match(id, 'orders/7-A')}, qr/id = 'orders\/7-A'/);
is_for_one(q{DELETE FROM orders WHERE anchor_match(id, 'orders/7-A')}, qr/id = 'orders\/7-A'/);

my $join = q{SELECT o.customer, i.item FROM orders o JOIN items i ON anchor_bucket(i.id) = anchor_bucket(o.id) AND i.order_id = o.id};
my $plan = plan_of($join, 'SET enable_partitionwise_join = on; ');
my @joins = $plan =~ /Remote SQL: (SELECT .* INNER JOIN .*)/g;
is(@joins, 3, 'a join of what is anchored runs on each server') or diag $plan;
is( $root->safe_psql('postgres', "SET enable_partitionwise_join = on; SELECT count(*) FROM ($join) j"), 2 * ROWS,
	'and finds all of it');
$plan = plan_of("$join WHERE anchor_match(o.id, 'orders/7-A')");
like($plan, qr/FROM public\.orders_1 .*FROM public\.items_1 /s, 'that of one id asks one of them') or diag $plan;
unlike($plan, qr/_[02]/, 'and no other');
$plan = plan_of('SELECT * FROM orders');
is(() = $plan =~ /Async Foreign Scan/g, 3, 'a scan asks all servers at once') or diag $plan;

is($root->safe_psql('postgres', q{SELECT sum(rows) FROM anchor_report('orders', 'id')}), ROWS, 'the report reads all of them');

# How many statements of a kind a server has been sent since then.
sub statements
{
	my ($shard, $offset, $regexp) = @_;

	return scalar(() = slurp_file($shard->logfile, $offset) =~ /execute [^:]+: $regexp/g);
}

my @offsets = map { -s $_->logfile } @shards;
$root->safe_psql('postgres', q{INSERT INTO orders SELECT concat('more/', i), 'more' FROM generate_series(1, 900) i});
my @inserts = map { statements($shards[$_], $offsets[$_], qr/INSERT INTO public\.orders_/) } 0 .. 2;
cmp_ok($_, '<=', 6, "rows go in batches: $_ statements for about 300 rows") for @inserts;
cmp_ok($_, '>', 0, 'to each server') for @inserts;
@offsets = map { -s $_->logfile } @shards;
$root->safe_psql('postgres', q{INSERT INTO orders VALUES ('users/7-A', 'one')});
is((grep { statements($shards[$_], $offsets[$_], qr/INSERT/) > 0 } 0 .. 2), 1, 'one row goes to one server');
my $rows = join '', map { "copied/$_\tcopied\n" } 1 .. 300;
ok( IPC::Run::run([ 'psql', '-Xqd', $root->connstr('postgres'), '-c', 'COPY orders FROM STDIN' ], '<', \$rows), 'COPY');
is($root->safe_psql('postgres', q{SELECT count(*), count(DISTINCT tableoid) FROM orders WHERE customer = 'copied'}), '300|3', 'goes to all of them');
is( $root->safe_psql('postgres', q{
		UPDATE orders SET customer = 'changed' WHERE anchor_match(id, 'copied/1') RETURNING customer;
		DELETE FROM orders WHERE anchor_match(id, 'copied/2') RETURNING id;
		SELECT count(*) FROM orders WHERE id IN ('copied/1', 'copied/2')}),
	"changed\ncopied/2\n1", 'rows change and go');

# Gives the SQLSTATE and the message of a statement that fails.
sub error_of
{
	my ($statement, $node) = @_;
	my ($code, undef, $error) = ($node // $root)->psql('postgres', "\\set VERBOSITY verbose\n$statement");

	return $code ? $error : 'no error';
}

like(error_of(q{INSERT INTO orders VALUES ('users/7-A')}), qr/23505.*orders_\d_pkey/, 'an id is unique');
like(error_of(q{UPDATE orders SET id = 'users/8-A' WHERE anchor_match(id, 'users/7-A')}), qr/23514.*hilo_buckets/,
	'an id cannot change to one of another server');
like(error_of(q{INSERT INTO "its Own"."an Order" (id, amount) VALUES ('x', -1)}), qr/23514.*is Positive/, 'a check holds');
is($root->safe_psql('postgres', q{INSERT INTO "its Own"."an Order" (id, amount) VALUES ('x', 5) RETURNING "No", customer, twice}),
	ROWS + 2 . '|nobody|10.00', 'defaults are those of the table');

# In steps, and a shard that stays here.
$root->safe_psql(
	'postgres', q{
	CREATE TABLE steps AS SELECT concat('steps/', i) AS id, i FROM generate_series(1, 1000) i;
	CREATE ROLE keeper;
	CREATE ROLE other;
	ALTER TABLE steps OWNER TO keeper;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO other;
	CALL anchor_partition_in_steps('steps', 3, ARRAY['three', NULL, 'one']);
	ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM other});
is( $root->safe_psql('postgres', q{
		SELECT server, (SELECT count(*) > 300 FROM steps WHERE tableoid = partition) FROM anchor_servers('steps');
		SELECT count(*), sum(i) FROM steps}),
	"three|t\n|t\none|t\n1000|500500", 'in steps');
is( $root->safe_psql('postgres', q{
		SELECT relname, pg_get_userbyid(relowner), has_table_privilege('other', oid, 'SELECT, INSERT, UPDATE, DELETE')
		FROM pg_class WHERE relname ~ '^steps(_\d)?$' ORDER BY 1}),
	join("\n", map { "$_|keeper|f" } qw(steps steps_0 steps_1 steps_2)), 'the partitions are their owner\'s alone');

# What goes wrong leaves all as it was.
$root->safe_psql('postgres', q{
	CREATE TABLE bad AS SELECT concat('bad/', i) AS id FROM generate_series(1, 300) i;
	CREATE FOREIGN DATA WRAPPER other; CREATE SERVER other FOREIGN DATA WRAPPER other;
	CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '} . $root->host . q{', port '} . $root->port . q{', dbname 'postgres');
	CREATE USER MAPPING FOR CURRENT_USER SERVER here;
	CREATE SERVER alias FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '} . $shards[0]->host . q{', port '} . $shards[0]->port . q{', dbname 'postgres');
	CREATE USER MAPPING FOR CURRENT_USER SERVER alias;
	CREATE SERVER bare FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '} . $shards[0]->host . q{', port '} . $shards[0]->port . q{', dbname 'template1');
	CREATE USER MAPPING FOR CURRENT_USER SERVER bare});

sub is_refused
{
	my ($list, $error, $what) = @_;

	foreach my $call ("SELECT anchor_partition('bad', 3, ARRAY[$list]::name[])", "CALL anchor_partition_in_steps('bad', 3, ARRAY[$list]::name[])")
	{
		like(error_of($call), $error, "$what: $call");
		is( $root->safe_psql('postgres', q{
				SELECT relkind, (SELECT count(*) FROM bad) FROM pg_class WHERE relname = 'bad';
				SELECT count(*) FROM pg_class WHERE relname LIKE 'bad\_%'}),
			"r|300\n0", 'the table is as it was');
		is($_->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname LIKE 'bad%'}), '0', 'nothing is left on ' . $_->name)
		  for grep { $_->{_pid} } @shards;
	}
	return;
}

is_refused(q{'one', 'two'}, qr/22023.*3 shards need as many servers, not 2/, 'too few');
is_refused(q{'one', 'two', 'one'}, qr/22023.*server "one" is given 2 times/, 'a shard twice');
is_refused(q{'one', 'two', 'alias'}, qr/22023.*servers "one" and "alias" are the same database/, 'by two names');
is_refused(q{'one', 'two', 'here'}, qr/22023.*server "here" is this database/, 'itself');
is_refused(q{'one', 'two', 'nobody'}, qr/42704.*server "nobody" does not exist/, 'an unknown one');
is_refused(q{'one', 'two', 'other'}, qr/42809.*server "other" is not one of postgres_fdw/, 'one of another kind');
is_refused(q{'one', 'two', 'bare'}, qr/55000.*server "bare" does not have this version of hilo/, 'one without hilo');
$root->safe_psql('postgres', q{CREATE ROLE nobody LOGIN; CREATE TABLE mine (id text); ALTER TABLE mine OWNER TO nobody});
like(error_of(q{SET ROLE nobody; SELECT anchor_partition('mine', 3, ARRAY['one', 'two', 'three'])}), qr/42501.*permission denied for foreign server/, 'no right to the server');

# A wrong password.
$shards[2]->safe_psql('postgres', q{CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'right'});
my $hba = slurp_file($shards[2]->data_dir . '/pg_hba.conf');
unlink $shards[2]->data_dir . '/pg_hba.conf';
$shards[2]->append_conf('pg_hba.conf', "local all guarded scram-sha-256\n$hba");
$shards[2]->reload;
$root->safe_psql('postgres', q{ALTER USER MAPPING FOR CURRENT_USER SERVER three OPTIONS (user 'guarded', password 'wrong')});
is_refused(q{'one', 'two', 'three'}, qr/08001.*could not connect to server "three".*password authentication failed/s, 'a wrong password');
$root->safe_psql('postgres', q{ALTER USER MAPPING FOR CURRENT_USER SERVER three OPTIONS (SET password 'right')});

# A table that is there.
$shards[2]->safe_psql('postgres', 'CREATE TABLE bad_2 (id text)');
like(error_of("SELECT anchor_partition('bad', 3, $servers)"), qr/42P07.*table public.bad_2 already exists on server "three"/, 'a name that is taken');
$shards[2]->safe_psql('postgres', 'DROP TABLE bad_2');

# What an interrupted call has left: the same rows, and others.
# And what was made for another table.
my $mark = $root->safe_psql('postgres', q{SELECT anchor_shard_mark('bad')});
foreach my $left (
	[ 'bad/1', $mark, qr/^no error$/ ],
	[ 'lost/1', $mark, qr/42P07.*It has rows that are not here/s ],
	[ 'bad/1', 'hilo: another', qr/42P07.*It is not one that an interrupted call has left/s ])
{
	my ($shard) = $root->safe_psql('postgres', "SELECT anchor_bucket('$left->[0]') / 349525");
	$shards[$shard]->safe_psql('postgres', qq{
		CREATE TABLE bad_$shard (id text); COMMENT ON TABLE bad_$shard IS '$left->[1]'; INSERT INTO bad_$shard VALUES ('$left->[0]')});
	like(error_of("BEGIN; SELECT anchor_partition('bad', 3, $servers); ROLLBACK"), $left->[2], "left behind: $left->[0], $left->[1]");
	is($shards[$shard]->safe_psql('postgres', "SELECT id FROM bad_$shard; DROP TABLE bad_$shard"), $left->[0], 'the rollback brings it back');
}

# The shards of another database, although they are empty.
$root->safe_psql('postgres', q{CREATE DATABASE second});
my $carts = q{CREATE TABLE carts (id text PRIMARY KEY, n int); SELECT anchor_partition('carts', 3, ARRAY['one', 'two', 'three'])};
$root->safe_psql('postgres', $carts);
$root->safe_psql('second', 'CREATE EXTENSION hilo; CREATE EXTENSION postgres_fdw');
$root->safe_psql('second', sprintf q{
	CREATE SERVER %1$s FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%2$s', port '%3$s', dbname 'postgres');
	CREATE USER MAPPING FOR CURRENT_USER SERVER %1$s}, $names[$_], $shards[$_]->host, $shards[$_]->port)
  for 0 .. 2;
my (undef, undef, $taken) = $root->psql('second', $carts, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
like($taken, qr/42P07: table public.carts_0 already exists on server "one".*It is not one that an interrupted call has left/s,
	'shards of another database are not taken over');
$root->safe_psql('postgres', q{INSERT INTO carts VALUES ('carts/1', 1)});
$root->psql('second', 'DELETE FROM carts');
is($root->safe_psql('postgres', 'SELECT * FROM carts'), 'carts/1|1', 'and their rows stay');

# A server that is down, before and in the middle of the rows.
$shards[2]->stop;
is_refused(q{'one', 'two', 'three'}, qr/08001.*could not connect to server "three"/, 'one that is down');
like(error_of('SELECT count(*) FROM orders'), qr/08001|08006/, 'rows that are there are not given');
is($root->safe_psql('postgres', q{SELECT count(*) FROM orders WHERE anchor_match(id, 'orders/7-A')}), '1', 'those of another server are');
$shards[2]->start;
is($root->safe_psql('postgres', 'SELECT count(*) FROM orders'), ROWS + 1200, 'and all of them afterwards');

$_->stop for $root, @shards;
done_testing();
