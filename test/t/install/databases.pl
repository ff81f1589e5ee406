
# Databases that are copied, dropped and made again: each has generators of its
# own, and a copy goes on above its template.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', conf => 'hilo.return_on_exit = off');

my $generators = 'SELECT name, reserved FROM hilo_internal.hilo_hi ORDER BY name';

$node->safe_psql('postgres', 'CREATE DATABASE original');
$node->safe_psql(
	'original', q{
	CREATE EXTENSION hilo;
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'));
	INSERT INTO orders SELECT FROM generate_series(1, 100);
	SELECT hilo_create('limited', first => 10, max_value => 20);
	SELECT hilo_next_tag('limited')});
# what a session loses at its end is reserved until then
$node->poll_query_until('postgres',
	q{SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = 'original'});
my $expected = $node->safe_psql('original', $generators);

foreach my $strategy (qw(wal_log file_copy))
{
	$node->safe_psql('postgres',
		"CREATE DATABASE copy TEMPLATE original STRATEGY $strategy");
	is($node->safe_psql('copy', $generators),
		$expected, "$strategy: a copy has the generators of its template");
	$node->safe_psql('copy', 'INSERT INTO orders SELECT FROM generate_series(1, 100)');
	is( $node->safe_psql(
			'copy', 'SELECT count(*), count(DISTINCT id) FROM orders'),
		'200|200',
		"$strategy: ids go on above");
	is($node->safe_psql('original', $generators),
		$expected, "$strategy: the template is left alone");

	crash($node);
	$node->safe_psql('copy', 'INSERT INTO orders SELECT FROM generate_series(1, 100)');
	is( $node->safe_psql(
			'copy', 'SELECT count(*), count(DISTINCT id) FROM orders'),
		'300|300',
		"$strategy: after a crash too");
	$node->safe_psql('postgres', 'DROP DATABASE copy (FORCE)');
}

# A new database of the same name begins anew.
$node->safe_psql('postgres', 'DROP DATABASE original (FORCE)');
$node->safe_psql('postgres', 'CREATE DATABASE original');
$node->safe_psql('original', 'CREATE EXTENSION hilo');
is($node->safe_psql('original', q{SELECT hilo_next_tag('orders')}),
	1, 'a new database of the same name begins anew');

# Even the incarnations are the same in a copy, and yet they know nothing of each
# other, not even their locks.
$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE original');
my $here = $node->background_psql('original');
my $there = $node->background_psql('copy');
$here->query_safe('BEGIN');
is($here->query_safe(q{SELECT hilo_next_tag('orders')}), 33, 'one database');
is($there->query_safe(q{SELECT hilo_seed('orders', 700, true)}),
	700, 'a forced seed in another does not wait');
is($here->query_safe(q{SELECT hilo_next_tag('orders')}), 34, 'and changes no other');
is($there->query_safe(q{SELECT hilo_next_tag('orders')}), 701, 'but its own');
$here->quit;
$there->quit;

$node->stop;
done_testing();
