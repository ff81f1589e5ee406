# Servers with hilo, sessions whose statements may fail or wait, and the examples
# of doc/hilo.md.

package HiloTest;

use strict;
use warnings;

use Exporter 'import';
use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(hilo_node hilo_session run_in state_of start_in end_in
  end_session pid_of wait_for_end wait_until_waits last_of old_servers
  doc_examples run_sh);

# Gives a server that is running, with hilo in database postgres.
sub hilo_node
{
	my ($name, %params) = @_;
	my $conf = delete $params{conf} // '';
	my $install_path = delete $params{install_path};
	my $node =
	  PostgreSQL::Test::Cluster->new($name, install_path => $install_path);

	$node->init(%params);
	$node->append_conf('postgresql.conf', <<"END");
autovacuum = off
client_min_messages = warning
$conf
END
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION hilo');
	return $node;
}

# Gives a session that goes on after an error.
sub hilo_session
{
	my ($node, $settings) = @_;

	local $ENV{PGOPTIONS} = $settings if defined $settings;
	return $node->background_psql('postgres', on_error_stop => 0);
}

# Runs a statement that must not fail; gives its output.
sub run_in
{
	my ($session, $sql) = @_;
	my $output = $session->query($sql);

	die "failed: $sql\n$session->{stderr}" if $session->{stderr} ne '';
	return $output;
}

# Runs a statement; gives its SQLSTATE.
sub state_of
{
	my ($session, $sql) = @_;
	my @lines = split /\n/, $session->query("$sql;\n\\echo :SQLSTATE");

	$session->{stderr} = '';
	return $lines[-1];
}

# Sends a statement and does not wait for its end.
sub start_in
{
	my ($session, $sql) = @_;

	$session->query_until(qr/^sent$/m,
		"\\echo sent\n$sql;\n\\echo :SQLSTATE\n");
	return;
}

# Waits for the end of what start_in sent; gives its output, then its SQLSTATE.
sub end_in
{
	my ($session) = @_;
	my $output = $session->query('');

	$session->{stderr} = '';
	return $output;
}

# Ends a session, also one whose psql may be gone already.
sub end_session
{
	my ($session) = @_;

	# the end of its input would not do: a server that was started since then
	# has inherited the other end of that pipe
	eval { $session->quit; 1 } or $session->{run}->kill_kill;
	return;
}

sub pid_of
{
	my ($session) = @_;

	return run_in($session, 'SELECT pg_backend_pid()');
}

# Waits until a backend is gone.
sub wait_for_end
{
	my ($node, $pid) = @_;

	return $node->poll_query_until('postgres',
		"SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid");
}

# Waits until a backend waits for an event of that name or type.
sub wait_until_waits
{
	my ($node, $pid, $event) = @_;

	return $node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE pid = $pid
		 AND '$event' IN (wait_event, wait_event_type)");
}

# Gives how far a generator has been reserved.
sub last_of
{
	my ($node, $name) = @_;

	return $node->safe_psql('postgres',
		"SELECT last FROM hilo_hi WHERE name = '$name'");
}

# Gives the folders of the servers to upgrade from: of older majors, as
# test/upgrade/run has them, or else the one that is tested.
sub old_servers
{
	my @servers = split /:/, $ENV{HILO_OLD_SERVERS} // '';

	return @servers ? @servers : undef;
}

# Gives the examples of a section of doc/hilo.md.
sub doc_examples
{
	my ($heading) = @_;
	my $doc = slurp_file("$FindBin::RealBin/../../doc/hilo.md");
	my ($section) = $doc =~ /^##+ \Q$heading\E\n(.*?)(?=^##|\z)/ms
	  or die "no section $heading";

	return $section =~ /^```(?:sql|sh)\n(.*?)\n```$/msg;
}

# Runs the lines of a shell, which must not fail; gives their output.
sub run_sh
{
	my ($lines, %env) = @_;
	local %ENV = (%ENV, %env);
	my ($output, $errors);

	IPC::Run::run([ 'bash', '-euo', 'pipefail', '-c', $lines ],
		'<', \undef, '>', \$output, '2>', \$errors)
	  or die "failed: $lines\n$output$errors";
	print $errors;
	chomp $output;
	return $output;
}

1;
