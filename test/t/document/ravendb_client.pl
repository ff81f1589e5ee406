
# RavenDB's own client for Node.js gets its ids from hilo, by way of an HTTP server
# that knows nothing of ranges.  Subtests named so are RavenDB's tests of its
# clients.

use strict;
use warnings;

use File::Copy;
use FindBin;
use IPC::Run;
use JSON::PP;
use List::Util qw(uniq);
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $sources = "$FindBin::RealBin/../../clients/ravendb";
my $shim_log = "$PostgreSQL::Test::Utils::log_path/ravendb_client_shim.log";
my $client_folder = install_client();

# A time taken for a local one would be hours ago, and ranges never double.
my $node = hilo_node('ravendb', conf => <<'END');
hilo.prefetch = off
timezone = 'America/Los_Angeles'
wal_writer_delay = 10s
END
$node->safe_psql(
	'postgres', q{
	CREATE DATABASE other;
	CREATE ROLE clerk LOGIN;
	ALTER ROLE clerk SET hilo.node_tag = 'B'});
$node->safe_psql('other', 'CREATE EXTENSION hilo');

my $shim = start_shim($node->safe_psql('postgres', 'SELECT current_user'));
my $clerks_shim = start_shim('clerk');
my $client = start_program(
	{ TZ => 'America/Los_Angeles' }, [ 'node', "$client_folder/client.mjs" ]);

subtest 'Max 64 and 128' => sub {
	seed(users => 64, products => 128);
	client_does(open => 'a', $shim->{address}, 'postgres');
	is_deeply(store_one('a', 'User'), ['users/65-A'], 'a user');
	is_deeply(store_one('a', 'Product'), ['products/129-A'], 'a product');
	client_does(close => 'a');
};

subtest 'Capacity_Should_Double' => sub {
	my $started = time;

	seed(orders => 64);
	client_does(open => 'a', $shim->{address}, 'postgres');
	client_does(store => 'a', 'Order', 1, 32);
	is(max_of( 'orders'), 96, '32 ids');
	store_one('a', 'Order');
	my $last = max_of( 'orders');
  SKIP:
	{
		skip 'not within 30 seconds on this machine', 1 if time - $started >= 30;
		is($last, 160, 'one more');
	}
	client_does(close => 'a');
};

subtest 'Return_Unused_Range_On_Dispose' => sub {
	seed(cats => 32);
	client_does(open => 'a', $shim->{address}, 'postgres');
	client_does(store => 'a', 'Cat', 1, 2);
	is(max_of( 'cats'), 64, 'two ids');
	client_does(close => 'a');
	is(max_of( 'cats'), 34, 'dispose');
	client_does(open => 'b', $shim->{address}, 'postgres');
	is_deeply(store_one('b', 'Cat'), ['cats/35-A'], 'another client goes on');
	client_does(close => 'b');
};

subtest 'Hilo_Cannot_Go_Down' => sub {
	seed(birds => 32);
	client_does(open => 'a', $shim->{address}, 'postgres');
	my $ids = store_one('a', 'Bird');
	seed(birds => 12);
	push @$ids, @{ client_does(store => 'a', 'Bird', 1, 128) };
	is_deeply($ids, [ map { "birds/$_-A" } 33 .. 161 ], '128 more');
	client_does(close => 'a');
};

subtest 'ParallelGeneration_NoClashesOrGaps' => sub {
	client_does(open => 'a', $shim->{address}, 'postgres');
	is_deeply([ numbers('A', client_does(store => 'a', 'Goat', 100, 20)) ],
		[ 1 .. 2000 ], '2000 ids of 100 sessions');
	client_does(close => 'a');
};

subtest 'clients, sessions and servers side by side' => sub {
	$node->safe_psql('postgres', q{SELECT hilo_create('horses'), hilo_grant('horses', 'clerk')});
	client_does(open => $_, $shim->{address}, 'postgres') foreach ('a', 'b');
	client_does(open => $_, $clerks_shim->{address}, 'postgres')
	  foreach ('c', 'd');
	my $ids = client_does(store => 'a,b,c,d', 'Horse', 10, 100);
	my @numbers = (numbers('A', $ids), numbers('B', $ids));
	is(scalar @numbers, 4000, 'each id has the tag of its server');
	is(scalar(uniq @numbers), 4000, 'no number twice');
	client_does(close => $_) foreach ('a', 'b', 'c', 'd');
};

subtest 'only the holder of the last range gives back' => sub {
	client_does(open => $_, $shim->{address}, 'postgres') foreach ('a', 'b');
	is_deeply(store_one('a', 'Cow'), ['cows/1-A'], 'one client');
	is_deeply(store_one('b', 'Cow'), ['cows/33-A'], 'another');
	client_does(close => 'a');
	is(max_of( 'cows'), 64, 'the first leaves');
	client_does(close => 'b');
	is(max_of( 'cows'), 33, 'the last leaves');
};

subtest 'the server crashes' => sub {
	client_does(open => 'a', $shim->{address}, 'postgres');
	my $ids = client_does(store => 'a', 'Sheep', 1, 33);
	crash($node);
	client_does(open => 'b', $shim->{address}, 'postgres');
	push @$ids, @{ client_does(store => 'a,b', 'Sheep', 1, 40) };
	is(scalar(uniq @$ids), 113, 'no id twice');
	client_does(close => $_) foreach ('a', 'b');
};

subtest 'a range from before the session was lost' => sub {
	client_does(open => 'a', $shim->{address}, 'postgres');
	store_one('a', 'Pig');
	$node->safe_psql('postgres',
		q{SELECT pg_terminate_backend(pid, 100000) FROM pg_stat_activity
		  WHERE application_name = 'shim'});
	client_does(close => 'a');
	is(max_of( 'pigs'), 32, 'is not given back');
};

subtest 'databases and separators' => sub {
	client_does(open => 'a', $shim->{address}, 'other', '-');
	client_does(open => 'b', $shim->{address}, 'other', 'µ');
	is_deeply(store_one('a', 'User'), ['users-1-A'], 'another database');
	is_deeply(store_one('b', 'User'), ['usersµ33-A'], 'another separator');
	client_does(close => $_) foreach ('a', 'b');
};

subtest 'the end of a generator' => sub {
	$node->safe_psql('postgres',
		q{SELECT hilo_create('tickets', max_value => 40)});
	client_does(open => 'a', $shim->{address}, 'postgres');
	is_deeply(client_does(store => 'a', 'Ticket', 1, 40),
		[ map { "tickets/$_-A" } 1 .. 40 ], 'all ids up to it');
	eval { store_one('a', 'Ticket') };
	like($@, qr/\b2200H\b.*"tickets"/, 'then the error');
	client_does(close => 'a');
};

subtest 'a role that may not seed' => sub {
	seed(bees => 32);
	$node->safe_psql('postgres', q{SELECT hilo_grant('bees', 'clerk')});
	client_does(open => 'a', $clerks_shim->{address}, 'postgres');
	is_deeply(client_does(store => 'a', 'Bee', 1, 40),
		[ map { "bees/$_-B" } 33 .. 72 ], 'takes ranges');
	seed(bees => 12);
	eval { client_does(store => 'a', 'Bee', 1, 128) };
	like($@, qr/\b42501\b.*"bees"/, 'does not raise by lastMax');
	client_does(close => 'a');
};

unlike(slurp_file($shim_log), qr/^404/m, 'the client asked for nothing else');

$_->{run}->kill_kill foreach ($client, $shim, $clerks_shim);
$node->stop;
done_testing();

# Return a folder with the client, if it is to be had.
sub install_client
{
	my $folder = PostgreSQL::Test::Utils::tempdir;
	my $output = '';
	my $version = `node --version 2>/dev/null` // '';

	plan skip_all => 'needs Node.js 20 or later'
	  unless $version =~ /^v(\d+)/ && $1 >= 20;
	plan skip_all => 'needs npm' if system('npm --version >/dev/null 2>&1') != 0;

	foreach my $file ('client.mjs', 'package.json', 'package-lock.json')
	{
		copy("$sources/$file", $folder) or die "could not copy $file: $!";
	}
	local $ENV{HOME} = $folder;
	IPC::Run::run(
		[
			'npm', 'ci', '--prefix', $folder, '--cache', "$folder/cache",
			'--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional',
			'--fetch-retries=1', '--fetch-timeout=60000'
		],
		'<', \undef, '>&', \$output)
	  and return $folder;

	my ($code) = $output =~ /\bcode (\w+)/;
	die $output if !$code || $code =~ /^(EUSAGE|EINTEGRITY|EJSONPARSE)$/;
	plan skip_all => "npm could not get the client: $code";
	return;
}

# Start a program that answers by lines.
sub start_program
{
	my ($environment, $command, @redirections) = @_;
	my %program = (in => '', out => '');
	local %ENV = (%ENV, %$environment);

	$program{run} = IPC::Run::start(
		$command, '<', \$program{in}, '>', \$program{out}, @redirections,
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	return \%program;
}

sub line_from
{
	my ($program) = @_;

	$program->{run}->pump until $program->{out} =~ s/\A(.*)\n//;
	return $1;
}

# Start a shim that connects as that role.
sub start_shim
{
	my ($role) = @_;
	my $program = start_program(
		{
			PGHOST => $node->host,
			PGPORT => $node->port,
			PGUSER => $role,
			PGAPPNAME => 'shim'
		},
		[ $^X, "$sources/shim.pl" ],
		'2>>', $shim_log);

	$program->{address} = line_from($program);
	return $program;
}

# Have the client run a command; return the outcome.
sub client_does
{
	my @command = @_;

	$client->{in} .= "@command\n";
	my $outcome = JSON::PP->new->allow_nonref->decode(line_from($client));
	die "$outcome->{error}\n" if ref $outcome eq 'HASH';
	return $outcome;
}

sub store_one
{
	my ($name, $type) = @_;

	return client_does(store => $name, $type, 1, 1);
}

# Return RavenDB's Max of a collection.
sub max_of
{
	my ($collection) = @_;

	return $node->safe_psql('postgres',
		"SELECT last FROM hilo_generators() WHERE lower(name) = '$collection'");
}

sub seed
{
	my %value = @_;

	$node->safe_psql('postgres', "SELECT hilo_seed('$_', $value{$_}, true)")
	  foreach (keys %value);
	return;
}

# Return the numbers of the ids with that server's tag, sorted.
sub numbers
{
	my ($tag, $ids) = @_;

	return sort { $a <=> $b } map { m{/(\d+)-$tag$} } @$ids;
}
