# Servers with hilo, sessions with statements that may fail or wait, the examples of
# doc/, and programs of Debian's.

package HiloTest;

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);
use File::Glob qw(bsd_glob);
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

our @EXPORT = qw(new_node hilo_node standby_of sync_standby hilo_session run_in state_of
  start_in start_waiting end_in end_session pid_of wait_for_end wait_for_sessions
  wait_until_waits last_of old_servers doc_examples run_sh debian_folder debian_extension
  wait_until crash kill_all archive_wal recover_to ways_to_restore make_hold);

my $nodes = 0;
my ($init, $run) = (\&PostgreSQL::Test::Cluster::init, \&PostgreSQL::Test::Utils::system_or_bail);
{
	no warnings 'redefine';
	*PostgreSQL::Test::Cluster::init = \&init_as_copy;
}

# Initialize a server.  The first one of a test is a copy of the first one of another test,
# which is faster; the second one of the second, up to the eighth: those of one test have
# identifiers of their own.
sub init_as_copy
{
	my ($node, %params) = @_;

	return $init->(@_)
	  if !$ENV{PRIVATE_INSTALL} || $params{extra} || $node->{_install_path} || $nodes == 8;

	my ($data, $template) = ($node->data_dir, "$ENV{PRIVATE_INSTALL}/template." . ++$nodes);
	no warnings 'redefine';
	local *PostgreSQL::Test::Utils::system_or_bail = sub {
		return $run->(@_) if $_[0] ne 'initdb';
		return $run->('cp', '-R', $template, $data) if -d $template;
		$run->(@_);
		$run->('cp', '-R', $data, "$template.$$");
		rename "$template.$$", $template or $run->('rm', '-r', "$template.$$");
	};
	return $init->($node, %params);
}

# Return a server that is running, without hilo as yet.  Its log has the SQLSTATEs.
sub new_node
{
	my ($name, %params) = @_;
	my $conf = delete $params{conf} // '';
	my $install_path = delete $params{install_path};
	my $node =
	  PostgreSQL::Test::Cluster->new($name, install_path => $install_path);

	$node->init(%params);
	$node->append_conf('postgresql.conf',
		"client_min_messages = warning\nlog_line_prefix = '%m [%p] %e '\n$conf");
	$node->start;
	return $node;
}

# Return a server that is running, with hilo in database postgres.
sub hilo_node
{
	my ($name, %params) = @_;
	my $conf = delete $params{conf} // '';
	my $node = new_node($name, %params, conf => "autovacuum = off\n$conf");

	$node->safe_psql('postgres', 'CREATE EXTENSION hilo');
	return $node;
}

# Return a standby of a server, which is running.
sub standby_of
{
	my ($primary, $name, $conf) = @_;
	my $standby = PostgreSQL::Test::Cluster->new($name // 'standby');

	$primary->backup($standby->name);
	$standby->init_from_backup($primary, $standby->name, has_streaming => 1);
	$standby->append_conf('postgresql.conf', $conf) if defined $conf;
	$standby->start;
	return $standby;
}

# Return a standby that a server waits for from now on.
sub sync_standby
{
	my ($primary) = @_;
	my $standby = standby_of($primary);

	$primary->append_conf('postgresql.conf', "synchronous_standby_names = 'standby'");
	$primary->reload;
	# no session waits for it before its walsender and the checkpointer have read that
	$primary->poll_query_until('postgres',
		q{SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')})
	  or die 'the standby is not synchronous';
	$primary->safe_psql('postgres', 'CHECKPOINT');
	return $standby;
}

# Crash a server and start it again; these sessions were its clients.
sub crash
{
	my ($node, @sessions) = @_;

	$node->stop('immediate');
	end_session($_) foreach @sessions;
	$node->start;
	return;
}

# End a server and its sessions by kill -9.
sub kill_all
{
	my ($node) = @_;
	my @pids = (
		slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/,
		split /\n/,
		$node->safe_psql('postgres',
			'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()'));

	$node->kill9;
	kill 'KILL', @pids;
	wait_until('the processes are gone', sub { !kill 0, @pids });
	return;
}

# Wait until all WAL of a server is in its archive.
sub archive_wal
{
	my ($node) = @_;

	# at the start of a segment nothing would be switched, nor archived
	$node->safe_psql('postgres', q{SELECT pg_logical_emit_message(true, '', '')});
	my $segment = $node->safe_psql('postgres', 'SELECT pg_walfile_name(pg_switch_wal())');

	$node->poll_query_until('postgres',
		"SELECT last_archived_wal >= '$segment' FROM pg_stat_archiver")
	  or die 'the WAL was not archived';
	return;
}

# Return a server recovered from the backup and the archive of another, up to a target.
sub recover_to
{
	my ($name, $origin, $target) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init_from_backup($origin, 'backup', has_restoring => 1, standby => 0);
	$node->append_conf('postgresql.conf',
		"archive_mode = off\nrecovery_target_action = promote\n$target");
	$node->start;
	$node->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()')
	  or die 'the recovery has not ended';
	return $node;
}

# Return the ways of a dump into files of a folder and of its restore into the database
# target: each a name, options of pg_dump and a command that restores.
sub ways_to_restore
{
	my ($dir) = @_;
	my @psql = ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', 'target', '-f');
	my @restore = ('pg_restore', '-d', 'target');

	return (
		[ 'plain', [ '-f', "$dir/plain" ], @psql, "$dir/plain" ],
		[ 'inserts', [ '--inserts', '-f', "$dir/inserts" ], @psql, "$dir/inserts" ],
		[ 'replica role', [ '-f', "$dir/replica" ],
			'env', 'PGOPTIONS=-c session_replication_role=replica', @psql, "$dir/replica" ],
		[ 'through the root', [ '--load-via-partition-root', '-f', "$dir/root" ], @psql,
			"$dir/root" ],
		[ 'custom', [ '-Fc', '-f', "$dir/custom" ], @restore, "$dir/custom" ],
		[ 'one transaction', [ '-Fc', '-f', "$dir/whole" ], @restore, '--single-transaction',
			"$dir/whole" ],
		[ 'parallel', [ '-Fd', '-j', '4', '-f', "$dir/directory" ], @restore, '-j', '4',
			"$dir/directory" ]);
}

# Return a session that goes on after an error.
sub hilo_session
{
	my ($node, $settings) = @_;

	local $ENV{PGOPTIONS} = $settings if defined $settings;
	my $session = $node->background_psql('postgres', on_error_stop => 0);

	# the time limit is that of a statement, not of all
	$session->set_query_timer_restart;
	return $session;
}

# Run a statement that must not fail; return its output.
sub run_in
{
	my ($session, $sql) = @_;
	my $output = $session->query($sql);

	die "failed: $sql\n$session->{stderr}" if $session->{stderr} ne '';
	return $output;
}

# Run a statement; return its SQLSTATE.
sub state_of
{
	my ($session, $sql) = @_;
	my @lines = split /\n/, $session->query("$sql;\n\\echo :SQLSTATE");

	$session->{stderr} = '';
	return $lines[-1];
}

# Send a statement and do not wait for its end.
sub start_in
{
	my ($session, $sql) = @_;

	$session->query_until(qr/^sent$/m,
		"\\echo sent\n$sql;\n\\echo :SQLSTATE\n");
	return;
}

# Start a statement that has to wait, for that event; return its backend.
sub start_waiting
{
	my ($node, $session, $event, $sql) = @_;
	my $pid = pid_of($session);

	start_in($session, $sql);
	wait_until_waits($node, $pid, $event) or die "$sql does not wait for $event";
	return $pid;
}

# Wait for the end of what start_in sent; return its output, then its SQLSTATE.
sub end_in
{
	my ($session) = @_;
	my $output = $session->query('');

	$session->{stderr} = '';
	return $output;
}

# End a session, even if its psql may be gone already.
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

# Wait until a backend is gone.
sub wait_for_end
{
	my ($node, $pid) = @_;

	return $node->poll_query_until('postgres',
		"SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid");
}

# Wait until so many sessions are left.
sub wait_for_sessions
{
	my ($node, $count) = @_;

	$node->poll_query_until('postgres',
		"SELECT count(*) = $count FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
	  or die 'timed out waiting for sessions to end';
	return;
}

# Wait until a backend waits for an event of that name or type.
sub wait_until_waits
{
	my ($node, $pid, $event) = @_;

	return $node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE pid = $pid
		 AND '$event' IN (wait_event, wait_event_type)");
}

# Wait until it is so; die if that takes too long.
sub wait_until
{
	my ($what, $condition) = @_;
	my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;

	until ($condition->())
	{
		die "timed out waiting for $what" if $attempts-- == 0;
		usleep(10_000);
	}
	return;
}

# Return how far a generator has been reserved.
sub last_of
{
	my ($node, $name) = @_;

	return $node->safe_psql('postgres',
		"SELECT reserved FROM hilo_internal.hilo_hi WHERE name = '$name'::hilo_internal.hilo_key");
}

# Make hold(), a function of triggers that waits until no session has the advisory lock 1.
# Another session waits for the lock, so that the one that runs hold() waits for none.
sub make_hold
{
	my ($node) = @_;
	my ($host, $port) = ($node->host, $node->port);

	$node->safe_psql('postgres', qq{
		CREATE EXTENSION IF NOT EXISTS postgres_fdw;
		CREATE SERVER itself FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres');
		CREATE USER MAPPING FOR CURRENT_ROLE SERVER itself;
		CREATE VIEW lock_here AS SELECT 1 AS locked FROM pg_advisory_xact_lock(1);
		CREATE FOREIGN TABLE lock_there (locked int) SERVER itself OPTIONS (table_name 'lock_here');
		CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
			'BEGIN PERFORM FROM public.lock_there; RETURN NEW; END'});
	return;
}

# Return the folders of the servers to upgrade from: of older majors, as
# test/upgrade has them, or else the one that is tested.
sub old_servers
{
	my @servers = split /:/, $ENV{HILO_OLD_SERVERS} // '';

	return @servers ? @servers : undef;
}

# Return the examples of a section of a page in doc/.
sub doc_examples
{
	my ($heading) = @_;
	my ($section) = map { slurp_file($_) =~ /^#+ \Q$heading\E\n(.*?)(?=^##|\z)/ms } bsd_glob(dirname(__FILE__) . "/../../../doc/*.md")
	  or die "no section $heading";

	return $section =~ /^```(?:sql|sh|ini)\n(.*?)\n```$/msg;
}

# Run the lines of a shell, which must not fail; return their output.
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

# Return the folder under which packages of Debian's are, with all that they need:
# '' if they are installed, else one into which they are taken apart.  Their
# programs and libraries are found from now on.  Undefined if they are not to be
# had.
sub debian_folder
{
	my @packages = @_;
	my $folder = PostgreSQL::Test::Utils::tempdir;
	my ($output, $errors);

	IPC::Run::run(
		[ 'bash', '-euo', 'pipefail', '-c', <<'END', 'bash', $folder, @packages ], '<', \undef, '>', \$output, '2>', \$errors)
cd "$1"
missing=$(apt-get -s install --no-install-recommends "${@:2}" | sed -n 's/^Inst \([^ ]*\).*/\1/p')
[[ $missing ]] || exit 0
apt-get -q -o Acquire::Retries=0 download $missing >&2
for deb in *.deb; do dpkg-deb -x "$deb" .; done
echo unpacked
END
	  or return;
	return '' if $output eq '';

	$ENV{PATH} = join ':', "$folder/usr/bin", "$folder/usr/sbin", $ENV{PATH};
	$ENV{LD_LIBRARY_PATH} = join ':', "$folder/usr/lib", glob("$folder/usr/lib/*-linux-*"),
	  $ENV{LD_LIBRARY_PATH} // ();
	return $folder;
}

# Give the servers that are tested an extension of Debian's.  Return the folder of what its
# package has for their major; undefined if it is not to be had.
sub debian_extension
{
	my ($name) = @_;
	my ($major) = run_sh('"$PG_CONFIG" --version') =~ /(\d+)/;
	my $folder = debian_folder("postgresql-$major-$name") // return;

	# another test may do so at the same time, or the package be installed
	run_sh(<<"END");
copy() { cp -f "\$1" "\$2/" 2>/dev/null || [[ -e \$2/\${1##*/} ]]; }
for file in $folder/usr/share/postgresql/$major/extension/*$name*; do
	copy "\$file" "\$("\$PG_CONFIG" --sharedir)/extension"
done
copy $folder/usr/lib/postgresql/$major/lib/*$name.so "\$("\$PG_CONFIG" --pkglibdir)"
END
	return "$folder/usr/lib/postgresql/$major";
}

1;
