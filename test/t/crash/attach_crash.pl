# Columns are followed, put on generators and taken off in transactions that crash.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my $node = hilo_node('attach',
	conf => "hilo.prefetch = off\nhilo.return_on_exit = off\nwal_writer_delay = 10s");

sub sql
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# what is left of a column, its sequence and its trigger
my $state = q{
	SELECT a.attidentity, pg_get_expr(d.adbin, d.adrelid), s.deptype,
		(SELECT count(*) FROM pg_trigger WHERE tgrelid = attrelid AND NOT tgisinternal)
	FROM pg_attribute a LEFT JOIN pg_attrdef d ON (adrelid, adnum) = (attrelid, attnum)
		LEFT JOIN pg_depend s ON s.refclassid = 'pg_class'::regclass AND s.classid = 'pg_class'::regclass
			AND (s.refobjid, s.refobjsubid) = (a.attrelid, a.attnum) AND s.deptype IN ('a', 'i')
	WHERE a.attrelid = 'orders'::regclass AND a.attname = 'id'};

sql(q{
	CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text);
	INSERT INTO orders (note) SELECT 'before' FROM generate_series(1, 100);
	SELECT hilo_create('shared')});
my $before = sql($state);
like($before, qr/^a\|.*\|i\|0$/, 'an identity');

# A crash before the commit
my $session = hilo_session($node);
run_in($session, 'BEGIN');
run_in($session, q{SELECT hilo_attach('orders', 'id')});
is(run_in($session, q{INSERT INTO orders OVERRIDING SYSTEM VALUE VALUES (150), (DEFAULT) RETURNING id}),
	"150\n101", 'rows in the transaction that attaches');
is(run_in($session, q{INSERT INTO orders (note) VALUES ('lost') RETURNING id}),
	151, 'are followed');
sql('SELECT pg_switch_wal()');
crash($node, $session);
is(sql($state), $before, 'after a crash the column is not followed');
cmp_ok(sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id}),
	'>', 100, 'and ids go on');

# The same for a generator
$session = hilo_session($node);
my $next = sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id + 1});
run_in($session, 'BEGIN');
run_in($session, q{SELECT hilo_attach('orders', 'id', 'orders')});
is(run_in($session, q{INSERT INTO orders (note) VALUES ('lost') RETURNING id}),
	$next, 'a row in the transaction that moves');
sql('SELECT pg_switch_wal()');
crash($node, $session);
is(sql($state), $before, 'after a crash the column is what it was');
is(sql(q{SELECT count(*) FROM hilo_generators() WHERE name = 'orders'}),
	0, 'and there is no generator');
cmp_ok(sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id}),
	'>=', $next, 'ids go on');

# The same with a generator that was there
$session = hilo_session($node);
run_in($session, 'BEGIN');
run_in($session, q{SELECT hilo_attach('orders', 'id', 'shared')});
crash($node, $session);
is(sql($state), $before, 'nor is it put on one that was there');
cmp_ok(last_of($node, 'shared'), '>=', $next, 'which was raised at once');

# A crash of what waits for a writer
$session = hilo_session($node);
my $writer = hilo_session($node);
run_in($writer, 'BEGIN; INSERT INTO orders (note) VALUES (1)');
my $pid = pid_of($session);
start_in($session, q{SELECT hilo_attach('orders', 'id')});
wait_until_waits($node, $pid, 'Lock');
crash($node, $session, $writer);
is(sql($state), $before, 'nor is it followed by one that waited');

# A crash after the commit
$session = hilo_session($node, '-c synchronous_commit=off');
run_in($session, q{PREPARE add AS INSERT INTO orders (note) VALUES ('x') RETURNING id});
my $last;
$last = run_in($session, 'EXECUTE add') foreach 1 .. 10;
sql(q{SELECT hilo_attach('orders', 'id')});
is(run_in($session, 'EXECUTE add'), $last + 1, 'attached');
crash($node, $session);
is(sql($state), $before =~ s/0$/1/r, 'after a crash, too');
cmp_ok(sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id}),
	'>', $last + 1, 'no id comes back');

# The same for a generator
$session = hilo_session($node, '-c synchronous_commit=off');
run_in($session, q{PREPARE add AS INSERT INTO orders (note) VALUES ('x') RETURNING id});
$last = run_in($session, 'EXECUTE add') foreach 1 .. 10;
sql(q{SELECT hilo_attach('orders', 'id', 'orders', follow => false)});
is(last_of($node, '#public.orders'), $last, 'moved');
is(run_in($session, 'EXECUTE add'),
	$last + 1, 'a prepared statement takes its ids from the generator');
crash($node, $session);
is(sql($state), q{|hilo_next('orders'::regclass)||0}, 'moved after a crash, too');
cmp_ok(sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id}),
	'>', $last + 1, 'no id comes back');

# What resync raised stays raised
sql('INSERT INTO orders VALUES (5000)');
$session = hilo_session($node);
run_in($session, 'BEGIN');
is(run_in($session, q{SELECT hilo_resync('orders', 'id')}), 5000, 'resync');
crash($node, $session);
is(last_of($node, '#public.orders'), 5000, 'stays after a crash');

# Detached in a transaction that crashed: the generator goes on
$session = hilo_session($node);
run_in($session, 'BEGIN');
run_in($session, q{SELECT hilo_detach('orders', 'id')});
sql('SELECT pg_switch_wal()');
crash($node, $session);
is(sql(q{INSERT INTO orders (note) VALUES ('after') RETURNING id}),
	5001, 'not detached by a transaction that crashed');

$node->stop;
done_testing();
