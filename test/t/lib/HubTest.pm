# A hub, and servers that take ids from it.

package HubTest;

use strict;
use warnings;

use Exporter 'import';
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(hub_node admit_servers grant_hub name_hub use_hub client_of_hub on error_of state_in
  insert_everywhere ids_of is_unique citus_node);

# Return a hub, which has a role for its servers.
sub hub_node
{
	my ($name, %params) = @_;
	my $node = hilo_node($name, %params);

	admit_servers($node);
	return $node;
}

# Make the role by which servers come to a hub.
sub admit_servers
{
	my ($node) = @_;

	$node->safe_psql('postgres', q{
		CREATE ROLE servers LOGIN});
	grant_hub($node, 'servers');
	return;
}

# Let a role take ids for another server, of a database [postgres].
sub grant_hub
{
	my ($node, $role, $database) = @_;
	my @functions = map { "hilo_internal.hilo_hub_$_" } qw(register take last seed);
	my $functions = join ', ', @functions;

	# the first use of a name makes its generator there, too
	$database //= 'postgres';
	$node->safe_psql($database,
		"GRANT USAGE ON SCHEMA hilo_internal TO $role; GRANT EXECUTE ON FUNCTION $functions TO $role; GRANT CREATE ON DATABASE $database TO $role");
	return;
}

# Create a foreign server with a mapping for the superuser.
sub name_hub
{
	my ($node, $name, $hub, %more) = @_;
	my %options = (host => $hub->host, port => $hub->port, dbname => 'postgres', %more);
	my $options = join ', ', map { "$_ '$options{$_}'" } sort keys %options;

	$node->safe_psql('postgres', qq{
		CREATE EXTENSION IF NOT EXISTS postgres_fdw;
		CREATE SERVER $name FOREIGN DATA WRAPPER postgres_fdw OPTIONS ($options);
		CREATE USER MAPPING FOR CURRENT_ROLE SERVER $name OPTIONS (user 'servers')});
	return;
}

# Return a server with that tag and number, which knows the hub by the name "hub".
sub client_of_hub
{
	my ($hub, $tag, $number, %params) = @_;
	my $conf = delete $params{conf} // '';
	my $node = hilo_node("server_$tag", %params,
		conf => "hilo.node_tag = '$tag'\nhilo.node_no = $number\nmax_prepared_transactions = 5\n$conf");

	name_hub($node, 'hub', $hub);
	return $node;
}

# Run SQL on a server, and return what it prints.
sub on
{
	my ($server, $sql) = @_;
	return $server->safe_psql('postgres', $sql);
}

# Return what is said of an error: SQLSTATE, message, detail, hint; empty if there is
# none.
sub error_of
{
	my ($node, $sql, %options) = @_;
	my ($status, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\n$sql",
		on_error_stop => 1, %options);

	return $status ? $err : '';
}

# Return the SQLSTATE of a statement in its own session.
sub state_in
{
	my ($node, $sql) = @_;

	return error_of($node, $sql) =~ /ERROR:  (\w{5}):/ ? $1 : '00000';
}

# Have several clients on each server insert rows at the same time; return what is to
# be waited for by finish.
sub insert_everywhere
{
	my ($clients, $transactions, $script, @nodes) = @_;
	my @runs;

	local $ENV{PGAPPNAME} = 'pgbench';
	foreach my $node (@nodes)
	{
		my $file = PostgreSQL::Test::Utils::tempdir . '/insert.sql';

		append_to_file($file, $script);
		push @runs, IPC::Run::start(
			[ 'pgbench', '-n', '-c', $clients, '-t', $transactions, '-f', $file,
				'-h', $node->host, '-p', $node->port, 'postgres' ],
			'<', \undef, '>', \my $out, '2>', \my $err);
	}
	return @runs;
}

# Return all ids of a table on these servers.
sub ids_of
{
	my ($table, @nodes) = @_;

	return map { split /\n/, $_->safe_psql('postgres', "SELECT id FROM $table") } @nodes;
}

# Tests that no id came twice.
sub is_unique
{
	my ($topic, @ids) = @_;
	my %seen;
	my @twice = grep { $seen{$_}++ } @ids;

	return is("@twice[0 .. ($#twice < 9 ? $#twice : 9)]", '', $topic . ' (' . @ids . ' ids)');
}

# Return a server for Citus, which sends no reports.
sub citus_node
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'citus, hilo'
citus.enable_statistics_collection = off
citus.max_adaptive_executor_pool_size = 2
listen_addresses = '127.0.0.1'
max_connections = 200
autovacuum = off
client_min_messages = warning
END
	$node->start;
	return $node;
}

1;
