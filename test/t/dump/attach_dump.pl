# A column that was moved from its sequence to a generator, in a dump of everything and in one of
# its table.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('attach_dump',
	conf => "hilo.prefetch = off\nhilo.return_on_exit = off");

sub sql
{
	my ($sql, $database) = @_;

	return $node->safe_psql($database // 'postgres', $sql);
}

# the source of the column, and its sequence
my $state = q{
	SELECT column_default, is_identity, pg_get_serial_sequence('orders', 'id')
	FROM information_schema.columns WHERE (table_name, column_name) = ('orders', 'id')};

sql(q{
	CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text);
	INSERT INTO orders (note) SELECT 'before' FROM generate_series(1, 5000);
	SELECT hilo_attach('orders', 'id', 'orders', follow => false);
	INSERT INTO orders (note) VALUES ('after')});

# A dump of everything: the column is on its generator, and has no sequence
$node->command_ok([ 'pg_dump', '-f', "$dir/all", 'postgres' ], 'dump');
sql('CREATE DATABASE whole');
$node->command_ok([ 'psql', '-Xqv', 'ON_ERROR_STOP=1', '-d', 'whole', '-f', "$dir/all" ],
	'restore');
is(sql($state, 'whole'), q{hilo_next('orders'::regclass)|NO|}, 'the column is as it was');
is(sql(q{SELECT count(*) > 0, count(problem) FROM hilo_check()}, 'whole'), 't|0',
	'nothing is wrong with it');
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
is(sql(q{SELECT string_agg(problem, ' ') FROM hilo_check()}, 'part'), 'no generator',
	'the check says what is wrong');
is(sql('SELECT rel, last FROM hilo_resync_all()', 'part'), 'orders|5001', 'and mended');
is(sql(q{SELECT count(*) > 0, count(problem) FROM hilo_check()}, 'part'), 't|0',
	'nothing is wrong any more');
is(sql(q{INSERT INTO orders (note) VALUES ('part') RETURNING id}, 'part'),
	5002, 'its ids go on');

$node->stop;
done_testing();
