
# Prometheus' postgres_exporter with the queries that come with hilo, as a role that
# may only watch, set up as doc/hilo.md has it.

use strict;
use warnings;

use Cwd;
use FindBin;
use HTTP::Tiny;
use IPC::Run;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $program = 'prometheus-postgres-exporter';
my ($make_role, $start) = doc_examples('postgres_exporter');
my $path = find_exporter();
my $node = hilo_node('watched', conf => 'hilo.return_on_exit = off');
my $port = PostgreSQL::Test::Cluster::get_free_port();
my $log = "$PostgreSQL::Test::Utils::log_path/093_postgres_exporter_exporter.log";

$node->safe_psql('postgres', $make_role);
$node->safe_psql(
	'postgres', q{
	CREATE ROLE clerk;
	SELECT hilo_next('orders'), hilo_next(E'it''s "a" \\\\ é');
	SELECT hilo_create('unused', max_value => 2147483647);
	SELECT hilo_seed('half', 4611686018427387904);
	SELECT hilo_create('kept'), hilo_grant('kept', 'clerk');
	SELECT hilo_seed('kept', 9223372036854775807);
	CREATE TABLE fine (id bigint DEFAULT hilo_next('orders'));
	CREATE TABLE above (id bigint DEFAULT hilo_next('half'));
	CREATE TABLE hidden (id bigint DEFAULT hilo_next('half'));
	INSERT INTO above VALUES (9223372036854775807);
	INSERT INTO hidden VALUES (9223372036854775807);
	CREATE TABLE full_up (id bigint DEFAULT hilo_next('kept'));
	GRANT SELECT (id) ON fine, above, full_up TO monitor});

my $exporter = start_exporter();
wait_until_up();
my %before = generators();
my $page = scrape();
my %after = generators();
my %generators = metrics_of($page, 'hilo_generator', qr/generator="(.*?)",server=/);
my %columns = metrics_of($page, 'hilo_column', qr/relname="(\w+)"/);

unlike($page, qr/^pg_exporter_(?:last_scrape|user_queries_load)_error.* 1$/m,
	'no error');
is_deeply([ sort keys %generators ], [ sort keys %after ], 'all generators');
foreach my $name (sort keys %after)
{
	# some values change as time goes by
	my @wrong = grep {
		!lies_between($generators{$name}{$_}, $before{$name}{$_}, $after{$name}{$_})
	} sort keys %{ $after{$name} };

	is("@wrong", '', "$name: as in hilo_generators");
}
is_deeply(
	\%columns,
	{
		fine => { problems => 0, unchecked => 0 },
		above => { problems => 1, unchecked => 0 },
		hidden => { problems => 0, unchecked => 1 },
		full_up => { problems => 1, unchecked => 0 }
	},
	'columns: as in hilo_check');

$exporter->kill_kill;
$node->stop;
done_testing();

# Gives what goes before the search path, with Debian's package taken apart in a
# folder if it is not installed.
sub find_exporter
{
	my $folder = PostgreSQL::Test::Utils::tempdir;

	return '' if IPC::Run::run([ 'bash', '-c', "command -v $program" ]);
	IPC::Run::run(
		[
			'bash', '-c',
			"cd $folder && apt-get -q -o Acquire::Retries=0 download $program && dpkg-deb -x $program*.deb ."
		]) or plan skip_all => "$program is not to be had";
	return "$folder/usr/bin:";
}

sub start_exporter
{
	my $cwd = getcwd;
	local %ENV = (
		%ENV,
		PATH => $path . $ENV{PATH},
		DSN => $node->connstr . ' dbname=postgres user=monitor sslmode=disable');

	chdir "$FindBin::RealBin/../../doc" or die $!;
	my $exporter = IPC::Run::start(
		[ 'bash', '-c', "$start --web.listen-address=127.0.0.1:$port" ],
		'<', \undef, '>&', $log);
	chdir $cwd or die $!;
	return $exporter;
}

sub scrape
{
	return HTTP::Tiny->new->get("http://127.0.0.1:$port/metrics")->{content};
}

sub wait_until_up
{
	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return if scrape() =~ /^pg_up/m;
		$exporter->pump_nb;
		usleep(100_000);
	}
	die slurp_file($log);
}

# Gives the values of a page by what the pattern finds in their labels, and by the
# rest of their names.
sub metrics_of
{
	my ($page, $metric, $label) = @_;
	my %metrics;

	while ($page =~ /^${metric}_(\w+)\{(.*)\} (\S+)$/mg)
	{
		my ($column, $labels, $value) = ($1, $2, $3);
		my ($key) = $labels =~ $label;

		$metrics{ $key =~ s/\\(.)/$1/gr }{$column} = $value;
	}
	return %metrics;
}

# Gives the same of hilo_generators, as the superuser sees it.
sub generators
{
	my %generators;
	my @columns =
	  qw(last max_value used_ratio days_to_exhaustion ranges_per_minute);
	my $values = join ', ', map { "coalesce(${_}::float8, 'NaN')" } @columns;

	foreach (split /\n/, $node->safe_psql('postgres',
			"SELECT name, $values FROM hilo_generators"))
	{
		my ($name, @values) = split /\|/;

		@{ $generators{$name} }{@columns} = @values;
	}
	return %generators;
}

sub lies_between
{
	my ($value, @ends) = @_;

	return $value eq 'NaN' if $ends[0] eq 'NaN';
	@ends = sort { $a <=> $b } @ends;
	return $ends[0] <= $value && $value <= $ends[1];
}
