
# pg_restore --clean drops and makes the extension while sessions hold ranges of
# it: they forget them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = new_node('main', conf => 'hilo.prefetch = off');

$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION hilo;
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'));
	INSERT INTO orders SELECT FROM generate_series(1, 5);
	CREATE TABLE books (id bigint PRIMARY KEY);
	CREATE SEQUENCE books_seq INCREMENT 10;
	SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore');
	INSERT INTO books DEFAULT VALUES});
wait_for_sessions($node, 0);
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/dump", 'postgres' ], 'dump');

my $idle = $node->background_psql('postgres');
my $busy = $node->background_psql('postgres');
$busy->query_safe('INSERT INTO orders DEFAULT VALUES');
$idle->query_safe('INSERT INTO orders DEFAULT VALUES');
$idle->query_safe(q{SELECT hilo_next_tag('not in the dump')});
is($node->safe_psql('postgres', 'SELECT count(*), max(id) FROM orders'),
	'7|33', 'two sessions hold ranges');

$node->command_ok(
	[
		'pg_restore', '--clean', '--if-exists', '--single-transaction',
		'-d', 'postgres', "$dir/dump"
	],
	'restore over them');

# Ranges kept would give 34 and 7.
is($idle->query_safe('INSERT INTO orders DEFAULT VALUES RETURNING id'),
	33, 'a session begins above what was reserved in the dump');
is($busy->query_safe('INSERT INTO orders DEFAULT VALUES RETURNING id'),
	65, 'the other one above its range');
is($idle->query_safe(q{SELECT hilo_next_tag('not in the dump')}),
	1, 'a generator that is gone begins anew');

# pg_restore drops the sequence before the table that draws from it
is($node->safe_psql('postgres', 'INSERT INTO books DEFAULT VALUES RETURNING id'),
	11, 'an adopted sequence goes on');

# What they give back at their end is not the old ranges either.  One after the
# other, as neither waits for a row that the other one has in hand.
$idle->quit;
$node->poll_query_until(
	'postgres', q{
	SELECT count(*) = 2 FROM pg_stat_activity WHERE datname IS NOT NULL})
  or die 'a session does not end';
$busy->quit;
$node->poll_query_until(
	'postgres', q{
	SELECT last = 65 FROM hilo_generators() WHERE name = 'orders'})
  or die 'the range was not given back';
is($node->safe_psql('postgres', q{SELECT hilo_next_tag('orders')}),
	34, 'ids go on with what the first one has returned');

$node->stop;
done_testing();
