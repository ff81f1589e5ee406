#
# Faults: servers and databases that are copies of the one in use.
#
package Faults::Copies;

use strict;
use warnings;

use Faults::Processes;
use FaultyBuild;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Recorder;

sub faults
{
	return (
		pitr => {
			does => 'recovery to a point in the middle of the run, with a large hilo.failover_skip; the clients go on there',
			whole => \&point_in_time },
		dump => {
			does => 'dump and restore while the old server goes on: the new one begins above what the dump was begun with, and goes on by itself',
			expect => '55000',
			whole => \&dump_restore },
		template => {
			does => 'CREATE DATABASE ... TEMPLATE; ids taken in the copy, which is dropped',
			run => \&template },
		databases => {
			does => 'trace ids of two databases, one of which has another hilo.trace_ahead or is away, over kill -9 of the server',
			expect => '22023,55000',
			whole => \&databases },
		publication => {
			does => 'a publication of all tables, to a server that has the same generators, with clients at both',
			conf => ['wal_level = logical'],
			whole => \&publication });
}

sub point_in_time
{
	my $torture = shift;
	my $end = time + $torture->{seconds};

	# a skip beyond max_value leaves "last" where it was
	$torture->{forgiven} = { holes => 1, outside => 1 };
	do
	{
		my $origin = $torture->new_node('origin');
		my $recorder = $torture->{recorder} = $torture->new_recorder($origin,
			parts => 'session,global,scattered,identity,document,decimal,trace,alter');

		$origin->init(has_archiving => 1, allows_streaming => 1);
		$origin->append_conf('postgresql.conf', Recorder::settings('hilo.failover_skip = 100000000'));
		$origin->start;
		$recorder->set_up;
		$origin->backup('backup');
		$recorder->start;
		$recorder->progress(4000 + $torture->random(4000));
		$origin->safe_psql('postgres', "SELECT pg_create_restore_point('here')");
		$recorder->progress(4000 + $torture->random(4000));
		$recorder->stop;
		my $segment = $origin->safe_psql('postgres', 'SELECT pg_walfile_name(pg_switch_wal())');
		$origin->poll_query_until('postgres', "SELECT last_archived_wal >= '$segment' FROM pg_stat_archiver");
		$origin->stop('immediate');

		my $restored = $torture->new_node('restored');
		$restored->init_from_backup($origin, 'backup', has_restoring => 1, standby => 0);
		$restored->append_conf('postgresql.conf',
			"archive_mode = off\nrecovery_target_name = 'here'\nrecovery_target_action = promote");
		$restored->start;
		$restored->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()');
		$recorder->{node} = $restored;
		$recorder->start;
		$recorder->progress(4000);
		$recorder->stop;
		push @{ $torture->{seen} }, $recorder->check;
		$torture->check_server($restored);
		$restored->stop;
		$torture->{counts}{pitr}++;
		$torture->{injected}++;
	} while (time < $end);
}

sub dump_restore
{
	my $torture = shift;
	my $node = $torture->{node} = $torture->new_node('old');
	my $end = time + $torture->{seconds};

	Recorder::start_server($node);
	my $recorder = $torture->{recorder} = $torture->new_recorder($node);
	$recorder->set_up;
	$recorder->start;
	do
	{
		my $new = $torture->new_node('new');
		my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump';

		Recorder::start_server($new);
		$recorder->progress(2000 + $torture->random(4000));
		my %before = split /\|/, $node->safe_psql('postgres',
			q{SELECT string_agg(format('%s|%s', name, reserved), '|') FROM hilo_internal.hilo_hi WHERE name IN ('window', 'bulk', 'spread')});
		system_or_bail('pg_dump', '-Fc', '-f', $dump, $node->connstr('postgres'));
		system_or_bail('pg_restore', '-d', $new->connstr('postgres'), $dump);
		for (sort keys %before)
		{
			my $last = $new->safe_psql('postgres', "SELECT reserved FROM hilo_internal.hilo_hi WHERE name = '$_'");

			# the clients may have set it back, or dropped it
			my ($drops, $seeds) = @{ $recorder->check }{qw(drops seeds)};
			$torture->broken("$_ was at $before{$_} before the dump, and restored at $last")
			  if $last < $before{$_} && $drops + $seeds == 0;
		}
		clients_at_copy($torture, $new);
		$new->stop;
		$torture->{counts}{dump}++;
		$torture->{injected}++;
	} while (time < $end);
	$recorder->stop;
	push @{ $torture->{seen} }, $recorder->check;
	$torture->check_server($node);
}

# Clients of their own, who see each id of the copy once.
sub clients_at_copy
{
	my ($torture, $new) = @_;
	my $recorder = $torture->new_recorder($new, clients => 2);

	$recorder->start;
	$recorder->progress(2000);
	$recorder->stop;
	my $seen = $recorder->check;
	# it begins where the other one was
	$seen->{holes} = $seen->{gap} = 0;
	push @{ $torture->{seen} }, $seen;
}

# No session may be connected to a template; afterwards both go on, each by itself.
sub template
{
	my $torture = shift;
	my $errors = '';
	my $run = sub {
		my ($database, $sql) = @_;
		my $stderr;
		my $status = eval { $torture->{node}->psql($database, $sql, stderr => \$stderr) };

		$errors .= $stderr // '';
		return $status;
	};
	my $in_copy = q{SELECT hilo_next_tag('order'), identity_next('people'), document_id('users/') FROM generate_series(1, 100)};

	$torture->{recorder}->hold;
	$run->('template1', 'ALTER DATABASE postgres ALLOW_CONNECTIONS false');
	my $failed = 1;
	# a session may have been on the way in
	for (1 .. 5)
	{
		$run->('template1', q{SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'postgres'});
		$failed = $run->('template1', 'CREATE DATABASE copy TEMPLATE postgres');
		last if defined $failed && $failed == 0;
	}
	$run->('template1', "ALTER DATABASE $_ ALLOW_CONNECTIONS true") for qw(postgres copy);
	$torture->{recorder}->release;
	$failed ||= $run->('copy', $in_copy);
	$torture->{recorder}->progress(500, 2);
	$failed ||= $run->('copy', $in_copy);
	$run->('template1', 'DROP DATABASE IF EXISTS copy (FORCE)');
	# a prepared transaction is connected, too; a client may have ended it by now
	$torture->broken("there is no copy to take ids in: $errors")
	  if $failed && $errors !~ /prepared transactions? using the database/;
}

# The databases share the word of their ids, and do not see each other's bounds.
sub databases
{
	my $torture = shift;
	my $node = $torture->{node} = $torture->new_node('databases');
	my $end = time + $torture->{seconds};

	Recorder::start_server($node);
	FaultyBuild::use_in($node, $torture->{library}) if defined $torture->{library};
	my $recorder = $torture->{recorder} = $torture->new_recorder($node, parts => 'trace');
	$recorder->set_up;
	$node->safe_psql('postgres', 'CREATE DATABASE other TEMPLATE postgres');
	$recorder->start;
	{
		local $recorder->{conninfo} = Recorder::conninfo_of($node) =~ s/dbname=postgres/dbname=other/r;
		$recorder->start;
	}
	do
	{
		$torture->try("ALTER DATABASE other SET hilo.trace_ahead = '5s'");
		Faults::Processes::kill_server($torture);
		$recorder->progress(2000, 3);
		$torture->try('ALTER DATABASE other RESET hilo.trace_ahead');
		$torture->try('ALTER DATABASE other ALLOW_CONNECTIONS false');
		Faults::Processes::kill_server($torture);
		$recorder->progress(20_000, 6);
		$torture->try('ALTER DATABASE other ALLOW_CONNECTIONS true');
		$recorder->progress(2000, 3);
		$torture->{counts}{ $torture->{set} }++;
		$torture->{injected}++;
	} while (time < $end);
	$recorder->stop;
	push @{ $torture->{seen} }, $recorder->check;
	$torture->check_server($node);
}

sub publication
{
	my $torture = shift;
	my @nodes = map { $torture->new_node($_) } qw(publisher subscriber);
	my @recorders = map { $torture->new_recorder($_) } @nodes;

	Recorder::start_server($_, $torture->conf) for @nodes;
	$torture->{node} = $nodes[0];
	$torture->{recorder} = $recorders[0];
	# the ORMs' tables and those of numbers have the same rows here and there
	for my $recorder (@recorders)
	{
		$recorder->{parts} = join ',', grep { !/^(adopted|series)$/ } @Recorder::PARTS;
		$recorder->set_up;
	}
	$nodes[0]->safe_psql('postgres', 'DROP TABLE mt_hilo, papers CASCADE; CREATE PUBLICATION everything FOR ALL TABLES');
	$nodes[1]->safe_psql('postgres', 'DROP TABLE mt_hilo, papers CASCADE');
	my $connstr = $nodes[0]->connstr . ' dbname=postgres';
	$nodes[1]->safe_psql('postgres', "CREATE SUBSCRIPTION everything CONNECTION '$connstr' PUBLICATION everything");
	$_->start for @recorders;
	my $end = time + $torture->{seconds};
	do
	{
		$_->progress(1000 + $torture->random(2000)) for @recorders;
		$nodes[ $torture->random(2) ]->restart;
		$torture->{counts}{restart}++;
		$torture->{injected}++;
	} while (time < $end);
	$_->stop for @recorders;
	$nodes[0]->wait_for_catchup('everything');
	$nodes[1]->safe_psql('postgres', 'DROP SUBSCRIPTION everything');
	for (0, 1)
	{
		push @{ $torture->{seen} }, $recorders[$_]->check;
		$torture->check_server($nodes[$_]);
	}
}

1;
