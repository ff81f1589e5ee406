
# What a session waits for, as pg_stat_activity shows it: by hilo's own name since
# 17, before that as an extension, and by core's names where core waits.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('waits', conf => "max_worker_processes = 2\nhilo.node_no = 12");
my $has_names = $node->safe_psql('postgres', 'SHOW server_version_num') >= 170000;
my $session = hilo_session($node);
my $holder = hilo_session($node);
my $pid = pid_of($session);

# Have the session do what waits; then it is cancelled, or the session that it waits for ends.
# For one of hilo's locks the last argument is its objsubid.
sub waits_for
{
	my ($event, $sql, $until, $objsubid) = @_;

	start_in($session, $sql);
	ok(wait_until_waits($node, $pid, $event), $event);
	is($node->safe_psql('postgres', "SELECT objsubid FROM pg_locks WHERE pid = $pid AND NOT granted AND classid IN ('hilo_internal.hilo_hi'::regclass, 'pg_extension'::regclass)"),
		$objsubid, "objsubid $objsubid")
	  if defined $objsubid;
	$until ? run_in($holder, $until) : $node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	is((split /\n/, end_in($session))[-1], $until ? '00000' : '57014', 'and ends');
	return;
}

sub named
{
	my ($name) = @_;

	return $has_names ? $name : 'Extension';
}

# the row of the generator
$node->safe_psql('postgres', q{SELECT hilo_create('row'), hilo_create('all', 'global')});
run_in($holder, q{BEGIN; SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'row' FOR UPDATE});
waits_for('transactionid', q{SELECT hilo_next_tag('row')});
waits_for('transactionid', q{SELECT hilo_next_tag('row')}, 'ROLLBACK');

# a generator that is being dropped
run_in($holder, q{BEGIN; SELECT hilo_drop('row')});
waits_for('object', q{SELECT hilo_next_tag('row')}, 'ROLLBACK', 0);

# a name that is being created
run_in($holder, q{BEGIN; SELECT hilo_create('name')});
waits_for('object', q{SELECT hilo_next_tag('name')}, 'ROLLBACK', 1);

# a restore
run_in($holder, q{BEGIN; INSERT INTO hilo_internal.hilo_hi SELECT * FROM hilo_internal.hilo_hi WHERE name = 'row'});
waits_for('relation', q{SELECT hilo_next_tag('first used')}, 'ROLLBACK');

# the window, which another session opens
run_in($holder, q{BEGIN; SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'all' FOR UPDATE});
my $opener = hilo_session($node);
my $opener_pid = pid_of($opener);
start_in($opener, q{SELECT hilo_next_tag('all')});
ok(wait_until_waits($node, $opener_pid, 'transactionid'), 'a session opens a window');
waits_for('object', q{SELECT hilo_next_tag('all')}, 'ROLLBACK', 2);
end_in($opener);

# the source of an ORM
$node->safe_psql('postgres', q{
	CREATE TABLE hibernate_unique_key (next_hi int);
	INSERT INTO hibernate_unique_key VALUES (1);
	SELECT hilo_adopt_table_tag('adopted', 'hibernate_unique_key', 'nhibernate-hilo', 10)});
run_in($holder, 'BEGIN; UPDATE hibernate_unique_key SET next_hi = next_hi');
waits_for('transactionid', q{SELECT hilo_next_tag('adopted')});
waits_for('transactionid', q{SELECT hilo_next_tag('adopted')}, 'ROLLBACK');

# a worker that waits for a catalog; its place; the source, and its row
$node->safe_psql('postgres', q{
	CREATE TABLE other_key (next_hi int);
	INSERT INTO other_key VALUES (1);
	SELECT hilo_adopt_table_tag('other', 'other_key', 'nhibernate-hilo', 10), hilo_adopt_table_tag('same', 'hibernate_unique_key', 'nhibernate-hilo', 10)});
my @others = map { hilo_session($node) } 1 .. 3;
my @waits = map { [ $_->[0], pid_of($_->[0]), $_->[1], $_->[2] ] }
  [ $session, named('HiloSourceAnswer'), q{SELECT low FROM hilo_next_range('adopted')} ],
  [ $others[0], 'object', q{SELECT low FROM hilo_next_range('other')} ],
  [ $others[1], 'object', q{SELECT low FROM hilo_next_range('adopted')} ],
  [ $others[2], 'object', q{SELECT low FROM hilo_next_range('same')} ];
run_in($_->[0], $_->[3]) foreach @waits;
run_in($holder, 'BEGIN; LOCK TABLE pg_class IN ACCESS EXCLUSIVE MODE');
foreach my $wait (@waits)
{
	my ($who, $its_pid, $event, $sql) = @$wait;

	start_in($who, $sql);
	wait_until("$event of $sql", sub {
		run_in($holder, "SELECT '$event' IN (wait_event, wait_event_type) FROM pg_stat_activity WHERE pid = $its_pid") eq 't' });
	pass("$event of $sql");
}
run_in($holder, 'COMMIT');
is((split /\n/, end_in($_->[0]))[-1], '00000', 'and ends') foreach @waits;
end_session($_) foreach @others;

# the clock
$node->safe_psql('postgres', 'SELECT trace_id_next()');
$node->safe_psql('postgres', q{SELECT hilo_seed('hilo.trace_id/12', extract(epoch FROM now())::bigint + 1000)});
end_session($_) foreach $session, $holder, $opener;
$node->restart;
$session = hilo_session($node);
$pid = pid_of($session);
waits_for(named('HiloTraceClock'), 'SELECT trace_id_next()');
end_session($session);

# a worker where there is none
$node->append_conf('postgresql.conf', 'max_worker_processes = 0');
$node->restart;
$session = hilo_session($node);
$pid = pid_of($session);
waits_for(named('HiloWorkerSlot'), q{SELECT hilo_next_tag('other')});
end_session($session);
$node->stop;
done_testing();
