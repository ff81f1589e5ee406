#
# Faults: the leader of a cluster that Patroni keeps is killed, with its Patroni, as if its
# machine were gone; Patroni and etcd are Debian's.
#
package Faults::Patroni;

use strict;
use warnings;

use Faults::Processes;
use HiloTest ();
use HTTP::Tiny;
use IPC::Run;
use POSIX ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recorder;

use constant KILLS => $ENV{TORTURE_PATRONI_KILLS} || 10;

my $folder;
my %rest_ports;

sub faults
{
	return (
		patroni => {
			does => 'kill -9 of the leader and of its Patroni, ten times, with a synchronous standby that takes over',
			expect => '25006',
			# the old leader asks for its own timeline, before it is rewound
			alarms => qr/requested starting point .* is not in this server's history/,
			skip => sub {
				$folder //= HiloTest::debian_folder('patroni', 'etcd-server', 'python3-etcd');
				return defined $folder ? undef : 'patroni and etcd-server are not to be had';
			},
			whole => \&kill_leaders });
}

sub kill_leaders
{
	my $torture = shift;
	my $dir = PostgreSQL::Test::Utils::tempdir_short;
	my @nodes = map { $torture->new_node($_) } qw(one other);
	my $etcd = start_etcd($dir);
	my %patronis;

	$patronis{$_} = start_patroni($dir, $etcd, $nodes[$_]) for 0, 1;
	eval { run_clients($torture, $dir, $etcd, \@nodes, \%patronis); 1 } or $torture->broken($@);
	kill 'KILL', values %patronis, $etcd->{pid};
	waitpid $_, 0 for values %patronis, $etcd->{pid};
	Faults::Processes::kill_all($_) for grep { -f $_->data_dir . '/postmaster.pid' } @nodes;
}

sub run_clients
{
	my ($torture, $dir, $etcd, $nodes, $patronis) = @_;
	my $leader = wait_for_pair($torture, $nodes);

	$torture->{recorder} = $torture->new_recorder($nodes->[$leader], nodes => $nodes,
		commits => 'on');
	$torture->{recorder}->set_up;
	$torture->{recorder}->start;
	for (1 .. KILLS)
	{
		$torture->{recorder}->progress(1000 + $torture->random(4000));
		kill 'KILL', $patronis->{$leader};
		waitpid $patronis->{$leader}, 0;
		Faults::Processes::kill_all($nodes->[$leader]);
		# a machine that comes back finds no server that holds its files
		unlink $nodes->[$leader]->data_dir . '/postmaster.pid';
		$torture->{counts}{patroni}++;
		$torture->{injected}++;
		HiloTest::wait_until('the other one to take over',
			sub { leads($torture, $nodes->[ 1 - $leader ]) });
		$patronis->{$leader} = start_patroni($dir, $etcd, $nodes->[$leader]);
		$leader = wait_for_pair($torture, $nodes);
	}
	$torture->{recorder}->progress(2000);
	$torture->{recorder}->stop;
	push @{ $torture->{seen} }, $torture->{recorder}->check($nodes->[$leader]);
	$torture->check_server($nodes->[$leader]);
}

sub leads { return $_[0]->try('SELECT NOT pg_is_in_recovery()', $_[1]) eq 't' }

# Wait until one leads, and the other one may take its place by what Patroni has noted
# down; return which leads.
sub wait_for_pair
{
	my ($torture, $nodes) = @_;
	my $leader;

	HiloTest::wait_until('a leader with a synchronous standby',
		sub {
			($leader) = grep { is($nodes->[$_], 'primary') && is($nodes->[ 1 - $_ ], 'sync') } 0, 1;
			return defined $leader;
		});
	return $leader;
}

# Ask the Patroni of a node whether that is in a role.
sub is
{
	my ($node, $role) = @_;

	return HTTP::Tiny->new(timeout => 2)->get("http://127.0.0.1:$rest_ports{$node->name}/$role")->{success};
}

sub start_etcd
{
	my ($dir) = @_;
	my ($client,
		$peer) = map { "http://127.0.0.1:" . PostgreSQL::Test::Cluster::get_free_port() } 1, 2;
	my $pid = run_in_background("$dir/etcd.log", "$folder/usr/bin/etcd", '--data-dir', "$dir/etcd",
		'--listen-client-urls', $client, '--advertise-client-urls', $client, '--listen-peer-urls',
		$peer,
		'--initial-advertise-peer-urls', $peer, '--initial-cluster', "default=$peer");

	return { pid => $pid, hosts => $client =~ s{^http://}{}r };
}

# Start the Patroni of a node, which makes and starts the server.
sub start_patroni
{
	my ($dir, $etcd, $node) = @_;
	my $name = $node->name;
	my $conf = "$dir/$name.yml";

	if (!-f $conf)
	{
		$rest_ports{$name} = PostgreSQL::Test::Cluster::get_free_port();
		append_to_file($conf, conf_of($dir, $etcd, $node, $rest_ports{$name}));
	}
	local $ENV{PYTHONPATH} = "$folder/usr/lib/python3/dist-packages";
	return run_in_background($node->logfile, 'python3', '-m', 'patroni', $conf);
}

sub conf_of
{
	my ($dir, $etcd, $node, $rest_port) = @_;
	my $bin = `pg_config --bindir` =~ s/\n//r;
	my ($name, $port, $host, $data) = ($node->name, $node->port, $node->host, $node->data_dir);
	my $user = getpwuid($<);
	my $parameters = join '', map { /^(\S+) = (.*)$/ ? "        $1: $2\n" : () }
	  split /\n/, Recorder::settings('hilo.failover_skip = 0', 'wal_keep_size = 1GB');

	return <<"END";
scope: torture
name: $name
restapi:
  listen: 127.0.0.1:$rest_port
  connect_address: 127.0.0.1:$rest_port
etcd3:
  hosts: $etcd->{hosts}
bootstrap:
  dcs:
    ttl: 8
    loop_wait: 1
    retry_timeout: 3
    maximum_lag_on_failover: 1073741824
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        wal_log_hints: 'on'
$parameters
  initdb:
    - encoding: UTF8
    - no-sync
    - auth: trust
postgresql:
  listen: 127.0.0.1:$port
  connect_address: 127.0.0.1:$port
  data_dir: $data
  bin_dir: $bin
  pgpass: $dir/$name.pgpass
  authentication:
    superuser:
      username: $user
    replication:
      username: $user
    rewind:
      username: $user
  pg_hba:
    - local all all trust
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
  parameters:
    unix_socket_directories: $host
END
}

sub run_in_background
{
	my ($log, @command) = @_;
	my $pid = fork // die "fork: $!";

	if ($pid == 0)
	{
		open STDIN, '<', '/dev/null';
		open STDOUT, '>>', $log;
		open STDERR, '>&', \*STDOUT;
		exec @command or POSIX::_exit(1);
	}
	return $pid;
}

1;
