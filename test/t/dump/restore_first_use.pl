
# First uses of names that a restore is about to bring: they wait for it, or are
# refused, but do not begin at 1.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = new_node('main');

$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql(
	'source', q{
	CREATE EXTENSION hilo;
	SELECT hilo_next_range('orders', 1000)});
foreach my $table (map { "hilo_internal.$_" } qw(hilo_generator hilo_hi))
{
	$node->command_ok(
		[
			'pg_dump', '--data-only', '-t', $table, '-f', "$dir/$table",
			'source'
		],
		"dump of $table");
}

sub create_target
{
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target');
	$node->safe_psql('target', 'CREATE EXTENSION hilo');
	return;
}

sub next_id_is_refused
{
	my ($state) = @_;
	my ($ret, $stdout, $stderr) = $node->psql('target', q{
		\set VERBOSITY verbose
		SELECT hilo_next_tag('orders')});

	is($stdout, '', "$state: no id");
	like($stderr, qr/ERROR:  55000: generator "orders" is incomplete/,
		"$state: refused");
	return;
}

# One table is restored and committed, the other is not yet, as it is in a
# parallel restore; either may be the first.
foreach my $order ([qw(hilo_internal.hilo_generator hilo_internal.hilo_hi)],
	[qw(hilo_internal.hilo_hi hilo_internal.hilo_generator)])
{
	my ($first, $second) = @$order;

	create_target();
	$node->safe_psql('target', "\\i $dir/$first");
	next_id_is_refused("only $first restored");
	$node->safe_psql('target', "\\i $dir/$second");
	is($node->safe_psql('target', q{SELECT hilo_next_tag('orders')}),
		1001, "$second restored too");

	# A restore in one transaction, that is still open.
	create_target();
	my $restore = $node->background_psql('target');
	$restore->query_safe("BEGIN;\n\\i $dir/$first\n");

	my $user = $node->background_psql('target');
	$user->query_until(qr/asked/, "\\echo asked\nSELECT hilo_next_tag('orders');\n");
	$node->poll_query_until(
		'postgres', q{
		SELECT count(*) = 1 FROM pg_stat_activity
		WHERE wait_event_type = 'Lock' AND query LIKE '%hilo_next%'})
	  or die 'the first use does not wait';
	$restore->query_safe("\\i $dir/$second\nCOMMIT");
	is($user->query_safe('SELECT'),
		1001, "a first use while $first was restored waits for the rest");
	$restore->quit;
	$user->quit;
}

$node->stop;
done_testing();
