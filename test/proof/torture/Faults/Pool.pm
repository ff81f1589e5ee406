#
# Faults: clients whose calls take turns in few sessions, of Debian's PgBouncer.
#
package Faults::Pool;

use strict;
use warnings;

use Faults::Processes;
use HiloTest ();
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recorder;

my $folder;

sub faults
{
	return map {
		my $mode = $_;
		"pool_$mode" => {
			does => "clients behind PgBouncer in $mode mode, with sessions that are killed and terminated",
			# of PgBouncer, and of what a killed session leaves
			expect => '08P01,58000,57P01',
			skip => sub {
				$folder //= HiloTest::debian_folder('pgbouncer');
				return defined $folder ? undef : 'pgbouncer is not to be had';
			},
			whole => sub { pooled($_[0], $mode) } }
	} qw(transaction statement);
}

sub pooled
{
	my ($torture, $mode) = @_;
	my $node = $torture->{node} = $torture->new_node('pooled');

	Recorder::start_server($node, 'lock_timeout = 2s');
	my $recorder = $torture->{recorder} = $torture->new_recorder($node, pool => $mode);
	$recorder->set_up;
	my $pool = start_pool($node, "$folder/usr/sbin/pgbouncer", 3, "pool_mode = $mode");
	$recorder->{conninfo} = "host=$pool->{host} port=$pool->{port} dbname=postgres connect_timeout=10";
	$recorder->start;
	my $end = time + $torture->{seconds};
	do
	{
		$recorder->progress($torture->random(2000));
		my $what = $torture->pick(qw(kill terminate restart));
		if ($what eq 'kill') { Faults::Processes::kill_child($torture, 'client backend') }
		elsif ($what eq 'terminate')
		{
			$torture->try('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = \'client backend\'');
		}
		else { Faults::Processes::restart($torture, $torture->pick('fast', 'immediate')) }
		$torture->wait_for_server;
		$torture->{counts}{$what}++;
		$torture->{injected}++;
	} while (time < $end);
	$recorder->progress(1000);
	$recorder->stop;
	$pool->{run}->kill_kill;
	push @{ $torture->{seen} }, $recorder->check;
	$torture->check_server($node);
	$node->stop;
}

# Start a PgBouncer with so many sessions, and more settings.
sub start_pool
{
	my ($node, $program, $size, @settings) = @_;
	my $dir = PostgreSQL::Test::Utils::tempdir_short;
	my %started = (host => $dir, port => PostgreSQL::Test::Cluster::get_free_port());
	my $user = getpwuid($<);
	my ($host, $port) = ($node->host, $node->port);

	append_to_file("$dir/users.txt", qq{"$user" ""\n});
	append_to_file("$dir/pgbouncer.ini", join("\n",
			'[databases]', "postgres = host=$host port=$port", '[pgbouncer]',
			"default_pool_size = $size", 'max_client_conn = 200',
			"query_wait_timeout = $PostgreSQL::Test::Utils::timeout_default",
			'auth_type = trust', "auth_file = $dir/users.txt", 'listen_addr =',
			"unix_socket_dir = $dir", "listen_port = $started{port}", 'server_login_retry = 1',
			"logfile = $dir/pgbouncer.log", @settings, ''));
	$started{run} = IPC::Run::start([ $program, '-q', "$dir/pgbouncer.ini" ], '<', \undef, '>',
		\my $out, '2>', \my $err);
	HiloTest::wait_until('PgBouncer', sub { -S "$dir/.s.PGSQL.$started{port}" });
	return \%started;
}

1;
