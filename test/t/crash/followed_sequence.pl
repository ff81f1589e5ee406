# A sequence that follows rows, under kill -9 and a promotion: clients bring ids at many heights,
# draw defaults, take ids and ranges, and roll back RESTART and TRUNCATE.  No id comes twice, and
# the next one is above each row, and above whatever a client has got.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use List::Util qw(max);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('followed', allows_streaming => 1, conf => 'wal_writer_delay = 10s');
my @tables = qw(serial identity);
my ($clients, $files) = (4, 0);
my %taken;    # by table: ids that clients have got, also ranges

$node->safe_psql('postgres', q{
	CREATE TABLE serial (id bigserial PRIMARY KEY, is_drawn bool);
	CREATE TABLE identity (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, is_drawn bool);
	SELECT hilo_attach('serial', 'id'), hilo_attach('identity', 'id')});

# What a call takes is on disk before its answer, not only before the commit.
foreach my $call (q{SELECT max(id) FROM hilo_next('serial', 500) id},
	q{SELECT high FROM hilo_next_range('serial', 500)})
{
	my $session = hilo_session($node);
	my $got = run_in($session, "BEGIN; $call");

	kill_all($node);
	end_session($session);
	$node->start;
	cmp_ok($node->safe_psql('postgres', "SELECT hilo_next('serial')"), '>', $got, $call);
}

srand(my $seed = time);
note("seed $seed");

foreach my $round (1 .. 6)
{
	run_clients($node, 150 * $round);
	last_rows($round == 4 ? ('CHECKPOINT', 1) : (36)) if $round % 2 == 0;
	kill_all($node);
	$node->start;
	check($node, "kill $round");
}

my $standby = sync_standby($node);
run_clients($node, 500);
kill_all($node);
$standby->promote;
check($standby, 'promotion');
$standby->stop;
done_testing();

# Start clients, and return once they have got that many answers.
sub run_clients
{
	my ($server, $answers) = @_;
	my @logs = map { "$dir/answers_" . $files++ } 1 .. $clients;
	my $count = sub { 0 + map { slurp_file($_) =~ /\n/g } grep { -e } @logs };

	foreach my $log (@logs)
	{
		append_to_file("$log.sql", join '', map { statement() . ";\n" } 1 .. 20000);
		# it ends with the server
		push @{ $server->{clients} },
		  IPC::Run::start([ 'psql', '-XAt', '-d', $server->connstr('postgres'), '-f', "$log.sql" ],
			'<', \undef, '>', $log, '2>', "$log.err");
	}
	wait_until('answers', sub { $count->() >= $answers });
	return;
}

# Stop the clients.  Bring an id after which 32 values are logged ahead, then maybe something
# else, and another id: nothing logs a value later.
sub last_rows
{
	my @between = @_;
	my $ahead = pop @between;

	$_->kill_kill foreach @{ $node->{clients} };
	wait_for_sessions($node, 0);
	foreach my $table (@tables)
	{
		$node->safe_psql('postgres', join ';', brought($table, 40), @between,
			brought($table, $ahead));
	}
	return;
}

# Return a statement that brings an id so far ahead.
sub brought
{
	my ($table, $ahead) = @_;

	return "INSERT INTO $table OVERRIDING SYSTEM VALUE SELECT last_value + $ahead FROM ${table}_id_seq ON CONFLICT DO NOTHING";
}

sub statement
{
	my $table = $tables[ rand @tables ];
	my $ahead = int(2**rand(21.5));
	my $drawn = "INSERT INTO $table (is_drawn) VALUES (true)";
	my $brought = brought($table, $ahead);
	my @statements = (
		($drawn) x 3,
		($brought) x 3,
		"INSERT INTO $table (is_drawn) SELECT true FROM generate_series(1, 40)",
		"SELECT '$table', id, id FROM hilo_next('$table', 7) id",
		"SELECT '$table', hilo_next('$table'), NULL",
		("SELECT '$table', low, high FROM hilo_next_range('$table', 1 + $ahead % 300)") x 3,
		"BEGIN; $brought; $drawn; COMMIT",
		"BEGIN; $brought; ROLLBACK",
		"BEGIN; $drawn; SAVEPOINT s; $brought; ROLLBACK TO s; $drawn; COMMIT",
		"BEGIN; ALTER SEQUENCE ${table}_id_seq RESTART; $brought; ROLLBACK",
		"BEGIN; TRUNCATE $table RESTART IDENTITY; $drawn; $brought; ROLLBACK");

	push @statements, 'CHECKPOINT' if rand() < 0.5;
	return $statements[ rand @statements ];
}

# Check what the clients that have ended got, and that the server goes on above it.
sub check
{
	my ($server, $what) = @_;

	eval { $_->finish } foreach @{ $node->{clients} };
	$node->{clients} = [];
	foreach my $line (map { split /\n/, slurp_file($_) } glob "$dir/answers_*[0-9]")
	{
		my ($table, $low, $high) = split /\|/, $line;

		next unless defined $low;
		push @{ $taken{$table} }, [ $low, $high || $low ];
	}
	unlink glob "$dir/answers_*[0-9]";
	foreach my $table (@tables)
	{
		my ($max, @drawn) = split /\n/, $server->safe_psql('postgres',
			"SELECT max(id) FROM $table; SELECT id FROM $table WHERE is_drawn");
		my $next = $server->safe_psql('postgres',
			"INSERT INTO $table (is_drawn) VALUES (true) RETURNING id");
		my @ranges = sort { $a->[0] <=> $b->[0] } @{ $taken{$table} }, map { [ $_, $_ ] } @drawn;

		is(scalar(grep { $ranges[$_][0] <= $ranges[ $_ - 1 ][1] } 1 .. $#ranges), 0,
			"$what: no id of $table twice in " . @ranges);
		cmp_ok($next, '>', max($max, map { $_->[1] } @ranges), 'and the next is above all');
	}
	return;
}
