
# Columns are put on generators and taken off while others write, in transactions
# that crash, and are dumped and restored.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('attach',
	conf => "hilo.prefetch = off\nhilo.return_on_exit = off\nwal_writer_delay = 10s");

sub sql
{
	my ($sql, $database) = @_;

	return $node->safe_psql($database // 'postgres', $sql);
}

# what is left of a column and its sequence
my $state = q{
	SELECT a.attidentity, pg_get_expr(d.adbin, d.adrelid), s.deptype
	FROM pg_attribute a LEFT JOIN pg_attrdef d ON (adrelid, adnum) = (attrelid, attnum)
		LEFT JOIN pg_depend s ON s.refclassid = 'pg_class'::regclass AND s.classid = 'pg_class'::regclass
			AND (s.refobjid, s.refobjsubid) = (a.attrelid, a.attnum) AND s.deptype IN ('a', 'i')
	WHERE a.attrelid = 'orders'::regclass AND a.attname = 'id'};

sql(q{
	CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text);
	INSERT INTO orders (note) SELECT 'before' FROM generate_series(1, 100);
	SELECT hilo_create('shared')});
my $before = sql($state);
like($before, qr/^a\|.*\|i$/, 'an identity');

# A crash before the commit
my $session = hilo_session($node);
run_in($session, 'BEGIN');
run_in($session, q{SELECT hilo_attach('orders', 'id')});
is(run_in($session, q{INSERT INTO orders (note) VALUES ('lost') RETURNING id}),
	101, 'a row in the transaction that attaches');
sql('SELECT pg_switch_wal()');
crash($node, $session);
is(sql($state), $before, 'after a crash the column is what it was');
is(sql(q{SELECT count(*) FROM hilo_generators() WHERE name = 'orders'}),
	0, 'and there is no generator');
cmp_ok(sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id}),
	'>', 100, 'ids go on');

# The same with a generator that was there
$session = hilo_session($node);
run_in($session, 'BEGIN');
run_in($session, q{SELECT hilo_attach('orders', 'id', 'shared')});
crash($node, $session);
is(sql($state), $before, 'nor is it put on one that was there');
cmp_ok(last_of($node, 'shared'), '>=', 101, 'which was raised at once');

# A crash of what waits for a writer
$session = hilo_session($node);
my $writer = hilo_session($node);
run_in($writer, 'BEGIN; INSERT INTO orders (note) VALUES (1)');
my $pid = pid_of($session);
start_in($session, q{SELECT hilo_attach('orders', 'id')});
wait_until_waits($node, $pid, 'Lock');
crash($node, $session, $writer);
is(sql($state), $before, 'nor by one that waited');

# A crash after the commit
$session = hilo_session($node, '-c synchronous_commit=off');
run_in($session, q{PREPARE add AS INSERT INTO orders (note) VALUES ('x') RETURNING id});
my $last;
$last = run_in($session, 'EXECUTE add') foreach 1 .. 10;
sql(q{SELECT hilo_attach('orders', 'id', follow => false)});
is(last_of($node, '#public.orders'), $last, 'attached');
is(run_in($session, 'EXECUTE add'),
	$last + 1, 'a prepared statement takes its ids from the generator');
crash($node, $session);
is(sql($state), q{|hilo_next('orders'::regclass)|}, 'attached after a crash, too');
cmp_ok(sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id}),
	'>', $last + 1, 'no id comes back');

# What resync raised stays raised
sql('INSERT INTO orders VALUES (5000)');
$session = hilo_session($node);
run_in($session, 'BEGIN');
is(run_in($session, q{SELECT hilo_resync('orders', 'id')}), 5000, 'resync');
crash($node, $session);
is(last_of($node, '#public.orders'), 5000, 'stays after a crash');

# Detached in a transaction that crashed: the generator goes on, and so would the
# sequence
$session = hilo_session($node);
run_in($session, 'BEGIN');
run_in($session, q{SELECT hilo_detach('orders', 'id')});
sql('SELECT pg_switch_wal()');
crash($node, $session);
is(sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id}),
	5001, 'not detached by a transaction that crashed');

# A dump of everything: the column is on its generator, the sequence is its own
$node->command_ok([ 'pg_dump', '-f', "$dir/all", 'postgres' ], 'dump');
sql('CREATE DATABASE whole');
$node->command_ok([ 'psql', '-Xqv', 'ON_ERROR_STOP=1', '-d', 'whole', '-f', "$dir/all" ],
	'restore');
is(sql($state, 'whole'), sql($state), 'the column is as it was');
is(sql(q{SELECT string_agg(problem, ' ') FROM hilo_check()}, 'whole'), '', 'nothing is wrong with it');
cmp_ok(sql(q{INSERT INTO orders (note) VALUES ('whole') RETURNING id}, 'whole'),
	'>', 5001, 'its ids go on');
like(sql(q{SELECT hilo_detach('orders', 'id'); INSERT INTO orders (note) VALUES ('whole') RETURNING id}, 'whole'),
	qr/^\n?50[0-9]\d/, 'and go on when it is detached');

# A dump of the one table: the generator stays behind
$node->command_ok([ 'pg_dump', '-t', 'orders', '-f', "$dir/one", 'postgres' ],
	'dump of one table');
sql('CREATE DATABASE part');
sql('CREATE EXTENSION hilo', 'part');
$node->command_ok([ 'psql', '-Xqv', 'ON_ERROR_STOP=1', '-d', 'part', '-f', "$dir/one" ],
	'restore of one table');
is(sql(q{SELECT string_agg(problem, ' ') FROM hilo_check()}, 'part'), 'no generator', 'the check says what is wrong');
is(sql('SELECT rel, last FROM hilo_resync_all()', 'part'), 'orders|5001', 'and mended');
is(sql(q{SELECT string_agg(problem, ' ') FROM hilo_check()}, 'part'), '', 'nothing is wrong any more');
is(sql(q{INSERT INTO orders (note) VALUES ('part') RETURNING id}, 'part'),
	5002, 'its ids go on');

# A partition alone.  Since 17 it has the identity of the partitioned table, which
# would remain there.
sql(q{
	CREATE TABLE parted (id int GENERATED ALWAYS AS IDENTITY, part int) PARTITION BY LIST (part);
	CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
	CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2) PARTITION BY LIST (part);
	CREATE TABLE parted_2_2 PARTITION OF parted_2 FOR VALUES IN (2);
	INSERT INTO parted (part) VALUES (1), (2)});
foreach my $table ('parted_1', 'parted_2', 'parted_2_2')
{
	my (undef, undef, $error) = $node->psql('postgres', "SELECT hilo_attach('$table', 'id')");
	like($error, qr/ERROR:  column "id" of table "$table" gets its ids from another source/, "$table alone is refused");
}
SKIP:
{
	skip 'partitions have no identity before 17', 2 if $node->pg_version < 17;
	is(sql(q{INSERT INTO parted_1 (part) VALUES (1) RETURNING id}), 3, 'and is as it was');
	is(sql(q{ALTER TABLE parted DETACH PARTITION parted_1; SELECT hilo_attach('parted_1', 'id');
		INSERT INTO parted_1 (part) VALUES (1) RETURNING id}), "\n4", 'detached it can be');
}
sql(q{SELECT hilo_attach('parted', 'id')});
is(sql(q{SELECT string_agg(DISTINCT g, ' ') FROM pg_class, hilo_generator_of(oid, 'id') g WHERE relname ~ '^parted(_2.*)?$'}),
	'parted', 'with the partitioned table they are attached');
is(sql(q{SELECT count(*) FROM pg_attribute WHERE attrelid::regclass::text LIKE 'parted%' AND attidentity <> ''}),
	0, 'and no identity is left');

# Back and forth while others write: no id twice, and no session fails.
sql('CREATE TABLE busy (id bigserial PRIMARY KEY, note text)');
append_to_file("$dir/insert.sql", "INSERT INTO busy (note) SELECT 'x' FROM generate_series(1, 3);\n");
my $output = '';
my $load = IPC::Run::start(
	[ 'pgbench', '-n', '-c', '4', '-t', '2000', '-f', "$dir/insert.sql", $node->connstr('postgres') ],
	'<', \undef, '>&', \$output);
my $moves = 0;
while ($load->pumpable)
{
	$load->pump_nb;
	sql(q{SELECT hilo_attach('busy', 'id', 'busy')});
	sql(q{SELECT hilo_detach('busy', 'id')});
	sql(q{SELECT hilo_resync_all()});
	$moves++;
}
ok($load->finish, 'no session failed') or diag($output);
cmp_ok($moves, '>', 2, "moved $moves times");
is(sql('SELECT count(*), count(DISTINCT id) FROM busy'), '24000|24000', 'no id twice');

# Tables with triggers that are dropped while a session looks at what they draw from
my $looker = hilo_session($node);
start_in($looker, q{DO $$ BEGIN FOR i IN 1 .. 1000000 LOOP
	PERFORM FROM hilo_internal.hilo_columns(); COMMIT; EXIT WHEN to_regclass('stop') IS NOT NULL; END LOOP; END $$});
for my $round (1 .. 10)
{
	sql(q{DO $$ BEGIN FOR i IN 1 .. 200 LOOP EXECUTE format('CREATE TABLE seen_%1$s (id text);
		CREATE TRIGGER t BEFORE INSERT ON seen_%1$s FOR EACH ROW EXECUTE FUNCTION document_id_assign(''id'', ''x'')', i); END LOOP; END $$});
	sql(q{DO $$ BEGIN FOR i IN 1 .. 200 LOOP EXECUTE format('DROP TABLE seen_%s', i); END LOOP; END $$});
}
sql('CREATE TABLE stop ()');
like(end_in($looker), qr{00000$}, 'tables that are dropped meanwhile fail no look');

# A sequence that gets another file while a session looks at it
sql('DROP TABLE stop; CREATE TABLE restarted (id serial)');
start_in($looker, q{DO $$ BEGIN FOR i IN 1 .. 1000000 LOOP
	PERFORM FROM hilo_check('restarted'); COMMIT; EXIT WHEN to_regclass('stop') IS NOT NULL; END LOOP; END $$});
sql(q{DO $$ BEGIN FOR i IN 1 .. 5000 LOOP ALTER SEQUENCE restarted_id_seq RESTART; COMMIT; END LOOP; END $$});
sql('CREATE TABLE stop ()');
like(end_in($looker), qr{00000$}, 'nor does a sequence that is altered');

$node->stop;
done_testing();
