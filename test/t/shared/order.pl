# Of two calls of a global generator, the one that returns before the other
# begins has the smaller value: with 32 clients, windows that are crossed all
# the time, seeds, changes of the definition, and a server that fails.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../../proof/order", "$FindBin::RealBin/../lib";

use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;
use Order;

my @queries = (
	"SELECT id, id FROM identity_next('x') id",
	"SELECT id, id FROM hilo_next_tag('x|') id",
	"SELECT low, high FROM identity_next('x', 3)",
	"SELECT low, high FROM identity_next('x', 40)",
	"SELECT id, id FROM hilo_next_tag('x|', 20) id",
	"SELECT id, id FROM unnest(ARRAY[identity_next('x'), identity_next('X')]) id",
	"SELECT substr(id, 3), substr(id, 3) FROM identity_next_id('x|') id");

sub start_node
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', q{
restart_after_crash = on
autovacuum = off
log_statement = none
log_line_prefix = '%m [%p] %e '
max_connections = 60
client_min_messages = error
});
	$node->start;
	return $node;
}

# It may fail: a session was cut off, or the server is not quite back.
sub try_sql
{
	my ($node, $sql) = @_;
	local $ENV{PGOPTIONS} = '-c lock_timeout=2s -c statement_timeout=10s';

	eval { $node->psql('postgres', $sql) };
	return;
}

my $some = 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()
	AND backend_type = \'client backend\' ORDER BY random() LIMIT 8';
my %disruptions = (
	seed => sub { try_sql($_[0], q{
		SELECT identity_seed('x', identity_current('x') + 1000)}) },
	seed_of_nothing => sub { try_sql($_[0], q{SELECT identity_seed('x', 1)}) },
	seed_rolled_back => sub { try_sql($_[0], q{BEGIN;
		SELECT identity_seed('x', identity_current('x') + 10); ROLLBACK}) },
	alter => sub { try_sql($_[0], q{
		SELECT hilo_alter('x|', range_size => 1 + (random() * 30)::int)}) },
	alter_rolled_back => sub { try_sql($_[0], q{BEGIN;
		SELECT hilo_alter('x|', range_size => 32, max_range_size => 1048576); ROLLBACK}) },
	gapless_rolled_back => sub { try_sql($_[0], q{BEGIN;
		SELECT hilo_alter('x|', 'gapless', range_size => 32, max_range_size => 1048576); ROLLBACK}) },
	range => sub { try_sql($_[0], q{SELECT hilo_next_range('x|', 5)}) },
	terminate => sub { try_sql($_[0],
		"SELECT pg_terminate_backend(pid) FROM ($some) AS victim") },
	cancel => sub { try_sql($_[0],
		"SELECT pg_cancel_backend(pid) FROM ($some) AS victim") },
	pause => sub { try_sql($_[0], q{BEGIN;
		SELECT FROM hilo_internal.hilo_hi FOR UPDATE;
		DO $$BEGIN
			WHILE NOT EXISTS (SELECT FROM pg_locks
					WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))) LOOP
			END LOOP;
		END$$; ROLLBACK}) },
	kill => sub {
		my ($node) = @_;
		my ($stdout, $pid);

		eval { (undef, $pid) = $node->psql('postgres', "$some OFFSET 3") };
		kill 'KILL', $1 if ($pid // '') =~ /^(\d+)/;
		$node->poll_query_until('postgres', undef, '');
	},
	stop_immediate => sub { $_[0]->stop('immediate'); $_[0]->start },
	stop_fast => sub { $_[0]->stop('fast'); $_[0]->start });

my $node = start_node('order');
$node->safe_psql('postgres', q{
	CREATE EXTENSION hilo;
	SELECT hilo_create('x|', max_value => 2000000, range_size => 8, max_range_size => 64)});
my $order = Order->new($node, 32, @queries);
$order->progress(2000);
foreach my $disruption ((sort keys %disruptions) x 2)
{
	$disruptions{$disruption}->($node);
	$order->progress(400);
}
my $seen = $order->stop;
cmp_ok($seen->{calls}, '>', 5000, "$seen->{calls} calls");
is($seen->{disorder}, 0, 'none got a smaller value than one before it');
is($seen->{repeats}, 0, 'and no value came twice');
$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP| XX\d{3} |WARNING:  you don/,
	'nothing in the log that should never be there');

# If no session is cut off there is not even a gap.
$node->start;
$node->safe_psql('postgres',
	q{SELECT hilo_drop('x|'), hilo_create('x|', max_value => 2000000, range_size => 8, max_range_size => 64)});
$order = Order->new($node, 32, @queries);
$order->progress(2000);
$disruptions{$_}->($node) for qw(alter seed_of_nothing alter_rolled_back pause);
$order->progress(2000);
$seen = $order->stop;
is($seen->{disorder} + $seen->{repeats}, 0, 'one order');
is($node->safe_psql('postgres', q{SELECT identity_current('x') - identity_next('x')}),
	-1, 'the next value is the next');
is($seen->{missing}, 0, "of $seen->{calls} calls none has left a gap");
$node->stop;

# The clients see the faults of a build that has one.
SKIP:
{
	my $impossible = FaultyBuild::impossible();
	skip $impossible, 1 if $impossible;

	my $library = FaultyBuild::build('blind', 'hand_out.c', 'if (shared_try_next(entry))',
		"if (entry->window.length > 0)
				entry->window.generation =
					WordGeneration(pg_atomic_read_u64(entry->window.word));
			if (shared_try_next(entry))");
	$node = start_node('faulty');
	FaultyBuild::use_in($node, $library);
	$node->safe_psql('postgres',
		q{SELECT hilo_create('x|', range_size => 8, max_range_size => 16)});
	foreach (1 .. 20)
	{
		$order = Order->new($node, 8, $queries[0]);
		$order->progress(500);
		$seen = $order->stop;
		last if $seen->{disorder} && $seen->{repeats};
	}
	cmp_ok($seen->{disorder} * $seen->{repeats}, '>', 0,
		"a window is taken for another one: $seen->{disorder} in disorder, $seen->{repeats} repeats");
	$node->stop;
}

done_testing();
