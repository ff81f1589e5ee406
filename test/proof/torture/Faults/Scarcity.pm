#
# Faults: something runs out.
#
package Faults::Scarcity;

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recorder;

sub faults
{
	return (
		memory => {
			does => 'a limit to the memory of clients\' sessions, close to what they have',
			# libraries do not fit either, nor do connections to the hub, nor a ROLLBACK
			expect => '53200,58P01,08001,08006,25P02',
			run => \&memory },
		shared_memory => {
			does => 'out of shared memory: a session takes all the locks there can be',
			# a worker that does not come up has no answer
			expect => '53200,55000',
			conf => [ 'max_locks_per_transaction = 10', 'max_connections = 40', 'max_prepared_transactions = 20' ],
			alone => 1,
			run => \&shared_memory },
		slots => {
			does => 'hilo.max_generators of two, with many more generators than that',
			conf => [ q{shared_preload_libraries = 'hilo'}, 'hilo.max_generators = 2' ],
			alone => 1,
			weight => 0,
			run => sub { } },
		workers => {
			does => 'no slot for background workers: refills of tables of ORMs fail',
			expect => '53000',
			conf => [ 'max_worker_processes = 0', 'max_logical_replication_workers = 0' ],
			alone => 1,
			weight => 0,
			run => sub { } },
		disk_wal => {
			does => 'no space for WAL, on a small tmpfs',
			skip => \&no_tmpfs,
			expect => '53100,58P01,58030',
			alarms => qr/No space left on device/,
			whole => sub { full_disk($_[0], 'wal') } },
		disk_data => {
			does => 'no space for data, on a small tmpfs',
			skip => \&no_tmpfs,
			expect => '53100,58P01,58030',
			# the latter of a new session, at the file of core's relcache
			alarms => qr/No space left on device|could not write init file/,
			whole => sub { full_disk($_[0], 'data') } });
}

sub memory
{
	my $torture = shift;

	for my $pid (split /\n/, $torture->try(q{SELECT pid FROM pg_stat_activity WHERE application_name = 'recorder'}))
	{
		open my $status, '<', "/proc/$pid/status" or next;
		my ($size) = join('', <$status>) =~ /^VmSize:\s+(\d+)/m or next;
		my $limit = 1024 * ($size + $torture->pick(0, 0, 8, 64, 256));

		run_quietly('prlimit', "--pid=$pid", "--as=$limit");
	}
	$torture->{recorder}->progress(1000, 2);
	$torture->try(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'recorder'});
}

sub shared_memory
{
	my $torture = shift;
	my $greedy = $torture->session;

	# an error leaves the locks of before
	$torture->in_session($greedy, 'SELECT count(pg_advisory_lock(i)) FROM generate_series(1, 1000000) i');
	$torture->{recorder}->progress(1000, 2);
	$torture->end_session($greedy);
}

# Return why there can be no file system of our own.
sub no_tmpfs
{
	my $folder = PostgreSQL::Test::Utils::tempdir;

	run_quietly('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', $folder)
	  or return 'no right to mount a tmpfs here';
	run_quietly('umount', $folder);
	return undef;
}

sub run_quietly
{
	my (@command) = @_;
	my $output;

	return eval { IPC::Run::run(\@command, '<', \undef, '>', \$output, '2>&1') };
}

# WAL or data are on a disk that is filled to the last byte, and made free again.
sub full_disk
{
	my ($torture, $which) = @_;
	my $node = $torture->{node} = $torture->new_node('disk');
	my $base = $node->basedir;
	my $disk = $which eq 'wal' ? "$base/wal" : "$base/pgdata";
	my $end = time + $torture->{seconds};

	mkdir $_ for $disk, "$base/wal";
	run_quietly('mount', '-t', 'tmpfs', '-o', 'size=200m,mode=0700', 'tmpfs', $disk) or die 'no tmpfs';
	mkdir "$disk/pg_wal", 0700 if $which eq 'wal';
	$node->init(extra => [ '--waldir', $which eq 'wal' ? "$disk/pg_wal" : "$base/wal", '--wal-segsize=1' ]);
	$node->append_conf('postgresql.conf', Recorder::settings('min_wal_size = 2MB', 'max_wal_size = 20MB'));
	$node->start;
	my $recorder = $torture->{recorder} = $torture->new_recorder($node);
	$recorder->set_up;
	$recorder->start;
	do
	{
		$recorder->progress(2000 + $torture->random(3000));
		run_quietly('dd', 'if=/dev/zero', "of=$disk/filler", 'bs=8k');
		# more than the files of WAL that are there already
		$torture->try(q{SELECT count(pg_logical_emit_message(true, 'x', repeat('x', 8000))) FROM generate_series(1, 5000)})
		  if $which eq 'wal';
		# first uses need room for their rows, too
		$recorder->progress(3000, 3);
		$torture->try('CHECKPOINT') if $torture->random(2);
		unlink "$disk/filler";
		if (!kill 0, $node->{_pid} // 0 or !-f $node->data_dir . '/postmaster.pid')
		{
			$node->{_pid} = undef;
			$node->start;
		}
		$torture->wait_for_server;
		$torture->{counts}{"disk_$which"}++;
		$torture->{injected}++;
	} while (time < $end);
	$recorder->progress(2000);
	$recorder->stop;
	push @{ $torture->{seen} }, $recorder->check;
	$torture->check_server($node);
	$node->stop('immediate');
	run_quietly('umount', $disk);
}

1;
