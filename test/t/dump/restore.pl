
# A dump restored into an empty database, in every format: generators are what
# they were, ids go on above, and no range of the old database is of any use.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

# A session that ends gives ids back a moment after its client has gone.
my $node = new_node('main', conf => 'hilo.return_on_exit = off');

$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql(
	'source', q{
	CREATE EXTENSION hilo;
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('Orders'));
	INSERT INTO orders SELECT FROM generate_series(1, 1000);
	SELECT hilo_create('Limited', first => 10, max_value => 1000,
					   range_size => 5, max_range_size => 50);
	SELECT hilo_next_tag('Limited');
	SELECT hilo_create('unused', first => 100);
	SELECT hilo_create('left');
	CREATE ROLE somebody;
	SELECT hilo_create('granted');
	SELECT hilo_grant('granted', 'somebody');
});

# A session leaves an inner range in the window, which is of the old database.
my $holder = $node->background_psql('source');
run_in($holder, q{SET hilo.return_on_exit = on});
run_in($holder, q{SELECT hilo_next_tag('left')});
run_in($holder, q{SELECT hilo_next_range('left', 10)});
my $pid = pid_of($holder);
end_session($holder);
wait_for_end($node, $pid);

# The last range reserved is one that a client holds.
my $range_no = $node->safe_psql('source',
	q{SELECT range_no FROM hilo_next_range('top', 100)});

my $generators = q{
	SELECT name, ordering, owner, is_public, first, last, max_value,
		   range_size, max_range_size, domain_bits, created
	FROM hilo_generators()};
my $privileges = q{SELECT * FROM hilo_internal.hilo_privilege ORDER BY generator, role};
my $incarnations = q{SELECT incarnation FROM hilo_internal.hilo_hi ORDER BY name};

# windows are not in a dump
my %reserved = split /[|\n]/,
	$node->safe_psql('source', q{SELECT name, reserved FROM hilo_internal.hilo_hi});
my $expected = $node->safe_psql('source',
	$generators =~ s/\blast,/(SELECT reserved FROM hilo_internal.hilo_hi h WHERE h.name = lower(g.name)),/r . " g; $privileges");
my %is_old = map { $_ => 1 } split /\n/,
  $node->safe_psql('source', $incarnations);

sub test_restore
{
	my ($how, $dump, @restore) = @_;

	$node->command_ok([ 'pg_dump', @$dump, 'source' ], "$how: dump");
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target');
	$node->command_ok([ @restore ], "$how: restore");

	is($node->safe_psql('target', "$generators; $privileges"),
		$expected, "$how: the generators are what they were");
	is( scalar(
			grep { $is_old{$_} } split /\n/,
			$node->safe_psql('target', $incarnations)),
		0,
		"$how: each is another incarnation");
	is( $node->safe_psql(
			'target',
			qq{SELECT hilo_return_range('top', 100, 0, $range_no)}),
		'f',
		"$how: a range of the source cannot be returned");
	is($node->safe_psql('target', q{SELECT hilo_next_tag('top')}),
		$reserved{top} + 1, "$how: so the next id lies above it");
	is($node->safe_psql('target', q{SELECT hilo_next_tag('LEFT')}),
		$reserved{left} + 1, "$how: what was returned is not handed out");
	is($node->safe_psql('target', q{SELECT hilo_next_tag('unused')}),
		100, "$how: a generator that was not used begins with its first id");
	is( $node->safe_psql(
			'target', q{
			WITH new AS (INSERT INTO orders SELECT FROM generate_series(1, 100)
						 RETURNING id)
			SELECT min(new.id) > (SELECT max(id) FROM orders) FROM new}),
		't',
		"$how: ids go on above those of the table");
	return;
}

test_restore(@$_) foreach ways_to_restore(PostgreSQL::Test::Utils::tempdir);

$node->stop;
done_testing();
