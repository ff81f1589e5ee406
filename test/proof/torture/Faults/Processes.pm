#
# Faults: processes of the server that are killed, ended or stopped.
#
package Faults::Processes;

use strict;
use warnings;

use Cwd qw(abs_path);
use HiloTest ();
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recorder;
use Time::HiRes qw(usleep);

sub faults
{
	return (
		kill_server => {
			does => 'kill -9 of the postmaster and all its processes at once',
			weight => 4,
			run => \&kill_server },
		kill_compared => {
			does => 'the same, with a recovery that compares each page with what it was',
			conf => [ q{wal_consistency_checking = 'all'} ],
			alone => 1,
			run => \&kill_compared },
		kill_postmaster => {
			does => 'kill -9 of the postmaster alone',
			run => \&kill_postmaster },
		kill_backend => {
			does => 'kill -9 of the server process of a client',
			weight => 2,
			run => sub { kill_child($_[0], 'client backend') } },
		kill_walwriter => {
			does => 'kill -9 of the walwriter',
			run => sub { kill_child($_[0], 'walwriter') } },
		kill_checkpointer => {
			does => 'kill -9 of the checkpointer',
			run => sub { kill_child($_[0], 'checkpointer') } },
		immediate => {
			does => 'immediate shutdown, and start',
			weight => 2,
			run => sub { restart($_[0], 'immediate') } },
		fast => {
			does => 'fast shutdown, and start',
			run => sub { restart($_[0], 'fast') } },
		smart => {
			does => 'smart shutdown, which waits for the clients to leave, a fast one if that takes long, and start',
			conf => [q{shared_preload_libraries = 'hilo'}],
			run => \&smart },
		terminate => {
			does => 'pg_terminate_backend of about half of the clients\' sessions',
			weight => 4,
			run => \&terminate },
		stop_holder => {
			does => 'SIGSTOP, for five seconds, of a session that holds the row of a generator, and of a client\'s',
			run => \&stop_holder });
}

# All of it, so that no process writes anything any more.
sub kill_server
{
	my $torture = shift;

	kill_all($torture->{node});
	$torture->{node}->start;
}

sub kill_compared
{
	my $torture = shift;

	kill_all($torture->{node});
	return if $torture->{node}->start(fail_ok => 1);
	$torture->broken('the recovery has failed');
	die "there is no server\n";
}

sub kill_all
{
	my $node = shift;
	my $postmaster = postmaster($node);
	my @all;

	kill 'STOP', $postmaster;
	@all = ($postmaster, children($postmaster));
	my @known = known(@all);
	kill 'KILL', @all;
	$node->{_pid} = undef;
	# one that was just being made was not among them, and may wait for those for ever
	HiloTest::wait_until('the last of its processes', sub { !kill 'KILL', at_work($node) });
	wait_until_gone($node, @known);
}

# Wait until no process of a server is left that was killed: those that are known(),
# which a process must have waited for, and all that are at work in its folder.
sub wait_until_gone
{
	my ($node, @known) = @_;

	HiloTest::wait_until('the killed server', sub { !is_there(@known) && !at_work($node) });
}

# The processes that are at work in the folder of a server.
sub at_work
{
	my $node = shift;
	my $folder = abs_path($node->data_dir);

	return map { m{(\d+)/cwd$} } grep { (readlink($_) // '') eq $folder } glob '/proc/[0-9]*/cwd';
}

# Processes with when they started: their numbers alone may be others' before long.
sub known
{
	return grep { $_->[1] ne '-' } map { [ $_, started($_) ] } @_;
}

# Whether one of those known() is there yet.
sub is_there
{
	return scalar grep { started($_->[0]) eq $_->[1] } @_;
}

# When a process started; '-' when there is none.
sub started
{
	my $pid = shift;

	open my $stat, '<', "/proc/$pid/stat" or return '-';
	return (split / /, (<$stat> // '') =~ s/.*\) //sr)[19] // '-';
}

# Its processes find out by themselves; a server that is started before they
# have must not harm anything, but it cannot be.
sub kill_postmaster
{
	my $torture = shift;
	my $postmaster = postmaster($torture->{node});
	my @all;

	kill 'STOP', $postmaster;
	@all = known($postmaster, children($postmaster));
	kill 'KILL', $postmaster;
	$torture->{node}{_pid} = undef;
	wait_until_gone($torture->{node}, @all);
	$torture->{node}->start;
}

# One process; the postmaster ends the others and starts anew.
sub kill_child
{
	my ($torture, $type) = @_;
	my @pids = split /\n/, $torture->try(
		"SELECT pid FROM pg_stat_activity WHERE backend_type = '$type' AND
			pid <> pg_backend_pid() ORDER BY random() LIMIT 1");

	my @known = known(@pids);
	kill 'KILL', $pids[0] if @pids;
	# until the postmaster has seen it, the server answers as if nothing were
	HiloTest::wait_until('the postmaster to see it', sub { !is_there(@known) });
	$torture->wait_for_server;
}

sub restart
{
	my ($torture, $mode) = @_;

	$torture->{node}->stop($mode);
	$torture->{node}->start;
}

# Clients may be long in leaving: they wait for the locks of prepared transactions
# whose owners have left.
sub smart
{
	my $torture = shift;
	my $node = $torture->{node};
	my $output;

	$torture->end_session(delete $torture->{old_snapshot});
	IPC::Run::run([ 'pg_ctl', '-D', $node->data_dir, '-m', 'smart', '-t', 10, 'stop' ],
		'<', \undef, '>', \$output, '2>&1')
	  ? $node->{_pid} = undef
	  : $node->stop('fast');
	$node->start;
}

sub terminate
{
	my $torture = shift;

	$torture->try(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE application_name = 'recorder' AND random() < 0.5});
}

sub stop_holder
{
	my $torture = shift;
	my $name = $torture->pick(qw(single small order window people| bulk));
	my $holder = $torture->session;
	my $client = $torture->try(q{SELECT pid FROM pg_stat_activity
		WHERE application_name = 'recorder' ORDER BY random() LIMIT 1});
	my @stopped = grep { $_ } (
		$torture->in_session($holder, 'SELECT pg_backend_pid()'), $client);

	$torture->in_session($holder,
		"BEGIN; SELECT FROM hilo_internal.hilo_hi WHERE name = '$name' FOR UPDATE");
	kill 'STOP', @stopped;
	usleep(5_000_000);
	kill 'CONT', @stopped;
	$torture->in_session($holder, $torture->pick('COMMIT', 'ROLLBACK'));
	$torture->end_session($holder);
}

# The processes whose parent is the postmaster.
sub children
{
	my $postmaster = shift;
	my @children;

	for my $file (glob '/proc/[0-9]*/stat')
	{
		open my $stat, '<', $file or next;
		push @children, $1
		  if (<$stat> // '') =~ /^(\d+) \(.*\) \S (\d+)/ && $2 == $postmaster;
	}
	return @children;
}

sub postmaster
{
	my $node = shift;

	return (split /\n/,
		slurp_file($node->data_dir . '/postmaster.pid'))[0];
}

1;
