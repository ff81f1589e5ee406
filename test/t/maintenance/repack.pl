
# REPACK of hilo's tables, while ids are taken: no id repeats.  REPACK (CONCURRENTLY)
# would lose what changes in place.  It refuses the tables, and once it does not, hilo
# takes no id.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my $node = hilo_node('main', allows_streaming => 'logical');
plan skip_all => 'REPACK came with 19' 
  if $node->safe_psql('postgres', 'SHOW server_version_num') < 190000;

my %seen;
$node->safe_psql('postgres', q{SELECT hilo_create('orders', max_range_size => 32)});
takes_ids($node->background_psql('postgres'), 'at first');

foreach my $table (split /\n/, $node->safe_psql('postgres',
	q{SELECT tgrelid::regclass FROM pg_trigger WHERE tgname = 'hilo_guard_rows' ORDER BY 1}))
{
	my ($result, undef, $error) = $node->psql('postgres', "REPACK (CONCURRENTLY) $table");

	isnt($result, 0, "$table: REPACK (CONCURRENTLY) fails");
	like($error, qr/does not support tables with REPLICA IDENTITY (NOTHING|FULL)/,
		'because of the replica identity');
	$node->safe_psql('postgres', "REPACK $table");
}
takes_ids($node->background_psql('postgres'), 'rewritten by REPACK');

# A REPACK that waits for a session to end its transaction, which takes ids.
my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query_safe('BEGIN; LOCK hilo_internal.hilo_hi IN ROW EXCLUSIVE MODE');
my $repack = repack_starts('REPACK');
takes_ids($session, 'while REPACK waits');
$repack->quit;
takes_ids($node->background_psql('postgres'), 'after it');

$session = $node->background_psql('postgres', on_error_stop => 0);
$session->query_safe(q{ALTER EVENT TRIGGER hilo_join_tables DISABLE;
	ALTER TABLE hilo_internal.hilo_hi REPLICA IDENTITY DEFAULT;
	BEGIN; LOCK hilo_internal.hilo_hi IN ROW EXCLUSIVE MODE});
$repack = repack_starts('REPACK (CONCURRENTLY)');
takes_ids($session, undef);
like($session->{stderr}, qr/table "hilo_hi" of extension "hilo" has been altered/,
	'none is reserved while REPACK (CONCURRENTLY) could run');
$session->quit;
$repack->quit;
crash($node);
my (undef, undef, $hint) = $node->psql('postgres', q{SELECT hilo_next_tag('orders')});
$node->safe_psql('postgres', $hint =~ /HINT:  Run (.*) as a superuser/);
takes_ids($node->background_psql('postgres'), 'as the hint says, and after a crash');

$node->stop;
done_testing();

# Let it wait for the table of numbers.
sub repack_starts
{
	my ($command) = @_;
	my $other = $node->background_psql('postgres', on_error_stop => 0);

	$other->query_until(qr/started/, "\\echo started\n$command hilo_internal.hilo_hi;\n");
	ok( $node->poll_query_until('postgres',
			q{SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'}),
		"$command waits");
	return $other;
}

# Enough to reserve windows; without a name what is refused, too.
sub takes_ids
{
	my ($taker, $what) = @_;
	my $ids = $taker->query(q{SELECT hilo_next_tag('orders') FROM generate_series(1, 500)});
	my $repeated = grep { $seen{$_}++ } split /\n/, $ids;

	return if !defined $what && $taker->{stderr};
	is($repeated, 0, ($what // 'refused') . ': no id repeats');
	$taker->query('COMMIT');
	$taker->quit;
	return;
}
