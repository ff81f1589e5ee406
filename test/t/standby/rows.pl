
# An id of a committed row never comes again on a server that has the row, whatever
# synchronous_standby_names was before, and whichever standby is promoted.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

my %ids = ('ranges of sessions' => "hilo_next_tag('session')",
	'the window of all' => "hilo_next_tag('global')",
	'a window reserved ahead' => "hilo_next_tag('ahead')",
	'no gaps' => "hilo_next_tag('gapless')",
	'decimal ids' => 'decimal_id_next()',
	'trace ids' => 'trace_id_next()');
my $script = PostgreSQL::Test::Utils::tempdir() . '/insert.sql';
append_to_file($script,
	'SET hilo.prefetch = ' . (/ahead/ ? 'on' : 'off')
	  . ";\nINSERT INTO ids VALUES ('$_', $ids{$_});\n")
  for sort keys %ids;

my $primary = hilo_node('primary', allows_streaming => 1,
	conf => "hilo.failover_skip = 0\nhilo.node_no = 7");
# windows of so few ids that most rows need another one
$primary->safe_psql('postgres', q{
	ALTER DATABASE postgres SET hilo.launch_id = 7;
	CREATE TABLE ids (kind text, id bigint);
	SELECT hilo_create(name, ordering, max_value => 4 * 32768, range_size => 1, max_range_size => 2)
	FROM (VALUES ('session', 'session'), ('global', 'global'), ('ahead', 'global')) generator (name, ordering);
	SELECT hilo_create('gapless', 'gapless')});
my %standbys = map { $_ => standby_of($primary, $_) } qw(one two);
my ($receiver) = $standbys{two}->safe_psql('postgres',
	q{SELECT pid FROM pg_stat_activity WHERE backend_type = 'walreceiver'});

# Start clients that insert rows, so many each, or until the server is gone.
sub start_clients
{
	my ($node, @rows) = @_;

	return IPC::Run::start(
		[ 'pgbench', '-n', '-c', 4, '-f', $script, @rows, '-h', $node->host, '-p', $node->port,
			'postgres' ],
		'<', \undef, '>', \my $output, '2>', \my $errors);
}

sub rows_of { return $_[0]->safe_psql('postgres', 'SELECT count(*) FROM ids') }

sub wait_for_rows
{
	my $rows = rows_of($primary);

	return wait_until('rows', sub { rows_of($primary) >= $rows + 100 });
}

# Change the list while the clients go on, and wait until that standby is the one.
sub load_list
{
	my ($standby) = @_;

	$primary->append_conf('postgresql.conf', "synchronous_standby_names = '$standby'");
	$primary->reload;
	$primary->poll_query_until('postgres',
		q{SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'}, $standby)
	  or die "the list is not $standby";
	return;
}

my $clients = start_clients($primary, '-T', 600);
foreach my $standby (qw(one two) x 3)
{
	load_list($standby);
	wait_for_rows();
}

# one goes on to a standby that misses the last rows, and is promoted with and without them
load_list('one');
kill 'STOP', $receiver;
wait_for_rows();
load_list('two');
$primary->poll_query_until('postgres',
	q{SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep'}) or die 'no session waits';
$primary->kill9;
kill 'CONT', $receiver;
$clients->finish;

foreach my $name (sort keys %standbys)
{
	my $standby = $standbys{$name};

	$standby->promote;
	my $rows = rows_of($standby);
	ok(start_clients($standby, '-t', 50)->finish, "$name goes on");
	is(rows_of($standby), $rows + 4 * 50 * keys %ids, 'with its rows');
	is($standby->safe_psql('postgres',
			q{SELECT kind, count(*) - count(DISTINCT id) FROM ids GROUP BY kind HAVING count(*) > count(DISTINCT id)}),
		'', 'and no id of a row comes again');
	$standby->stop;
}
done_testing();
