
# Prometheus' postgres_exporter with the queries that come with hilo, as a role that
# may only watch, set up as the documentation has it.

use strict;
use warnings;

use Cwd;
use FindBin;
use HTTP::Tiny;
use IPC::Run;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $program = 'prometheus-postgres-exporter';
my $doc = "$FindBin::RealBin/../../../doc";
my ($make_role, $start) = doc_examples('Prometheus');

plan skip_all => "$program is not to be had"
  unless defined debian_folder($program);

my $node = hilo_node('watched', conf => 'hilo.return_on_exit = off');
my $port = PostgreSQL::Test::Cluster::get_free_port();
my $log = "$PostgreSQL::Test::Utils::log_path/postgres_exporter.log";

$node->safe_psql('postgres', $make_role);
$node->safe_psql(
	'postgres', q{
	CREATE ROLE clerk;
	SELECT hilo_next_tag('orders'), hilo_next_tag(E'it''s "a" \\\\ é');
	SELECT hilo_create('unused', max_value => 2147483647);
	SELECT hilo_seed('half', 4611686018427387904);
	SELECT hilo_create('kept'), hilo_grant('kept', 'clerk');
	SELECT hilo_seed('kept', 9223372036854775807);
	CREATE TABLE fine (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'));
	CREATE TABLE above (id bigint PRIMARY KEY DEFAULT hilo_next_tag('half'));
	CREATE TABLE hidden (id bigint DEFAULT hilo_next_tag('half'));
	INSERT INTO above VALUES (9223372036854775807);
	INSERT INTO hidden VALUES (9223372036854775807);
	CREATE TABLE full_up (id bigint PRIMARY KEY DEFAULT hilo_next_tag('kept'));
	SELECT hilo_create('used_up', max_value => 3);
	SELECT count(*) FROM hilo_next_tag('used_up', 3);
	CREATE TABLE books (id int PRIMARY KEY, isbn serial);
	CREATE TABLE copies (book_id smallint REFERENCES books);
	CREATE SEQUENCE books_seq AS int INCREMENT 50;
	INSERT INTO books VALUES (2100000001, 5);
	ALTER TABLE books ENABLE ROW LEVEL SECURITY;
	CREATE FUNCTION clerks(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1';
	ALTER FUNCTION clerks OWNER TO clerk;
	CREATE TABLE coded (id numeric PRIMARY KEY DEFAULT hilo_next_tag('orders'), t text);
	CREATE INDEX ON coded (clerks(t));
	SELECT setval('books_seq', 1100000000)});

# what has its own counters
$node->safe_psql('postgres',
	q{SELECT hilo_create('all', 'global'), hilo_next_tag('all'); SELECT count(*) FROM hilo_next_tag('orders', 100)});

wait_for_sessions($node, 0);
my $exporter = start_exporter();
wait_until('the exporter', sub { $exporter->pump_nb; scrape() =~ /^pg_up/m });
my $page = scrape();
my %expected = generators();
my %generators = metrics_of($page, 'hilo_generator', qr/generator="(.*?)",server=/);
my %columns;
while ($page =~ /^hilo_column_(\w+)\{attname="(.*?)",.*,generator="(.*?)",relname="(.*?)",sequence="(.*?)",.*\} (\S+)$/mg)
{
	$columns{ $4 ? "$4.$2" : $5 || $3 }{$1} = sprintf('%.2f', $6) + 0;
}

unlike($page, qr/^pg_exporter_(?:last_scrape|user_queries_load)_error.* 1$/m,
	'no error');
is_deeply([ sort keys %generators ], [ sort keys %expected ], 'all generators');
foreach my $name (sort keys %expected)
{
	my @wrong = grep { $generators{$name}{$_} != $expected{$name}{$_} } sort keys %{ $expected{$name} };

	is("@wrong", '', "$name: as in hilo_generators");
}
is_deeply(
	\%columns,
	{
		'fine.id' => { problems => 0, unchecked => 0, used_ratio => 0 },
		'above.id' => { problems => 1, unchecked => 0, used_ratio => 0.5 },
		'hidden.id' => { problems => 0, unchecked => 0, used_ratio => 0.5 },
		'full_up.id' => { problems => 1, unchecked => 0, used_ratio => 1 },
		'books.id' => { problems => 1, unchecked => 0, used_ratio => 0.98 },
		'books.isbn' => { problems => 0, unchecked => 0, used_ratio => 0 },
		'copies.book_id' => { problems => 1, unchecked => 0, used_ratio => 1 },
		'coded.id' => { problems => 0, unchecked => 1, used_ratio => 0 },
		books_seq => { problems => 0, unchecked => 0, used_ratio => 0.51 },
		used_up => { problems => 1, unchecked => 0, used_ratio => 1 }
	},
	'columns: as in hilo_check');

# A generator without an id stays in sight: its sample in the panel, and the alerts.
like(($node->psql('postgres', q{SELECT hilo_next_tag('used_up')}))[2],
	qr/has reached its max_value/, 'a generator without an id');
is($generators{used_up}{used_ratio}, 1, 'which is used up');
SKIP:
{
	my ($panel) = grep { ($_->{title}
		  // '') eq 'Used part of the ids' } @{ decode_json(slurp_file("$doc/grafana_dashboard.json"))->{panels} };
	my $used = $panel->{targets}[0]{expr} =~ s/\$(?:datname|generator)\b/.*/gr;
	my ($series,
		$labels) = $page =~ /^(hilo_generator_used_ratio\{(.*generator="used_up".*)\}) 1$/m;
	my $alert_labels = $labels =~ s/(\w+)=("[^"]*")/$1: $2/gr =~ s/,/, /gr;
	my $tests = PostgreSQL::Test::Utils::tempdir . '/used_up.yaml';

	skip 'promtool is not to be had', 1 unless defined debian_folder('prometheus');
	append_to_file($tests, <<"END");
rule_files: [$doc/prometheus_alerts.yaml]
tests:
  - interval: 1m
    input_series:
      - {series: '$series', values: 1x60}
    promql_expr_test:
      - expr: '$used'
        eval_time: 50m
        exp_samples: [{labels: '$series', value: 1}]
    alert_rule_test:
      - alertname: HiloGeneratorUsedUp
        eval_time: 50m
        exp_alerts:
          - exp_labels: {severity: critical, $alert_labels}
            exp_annotations: {summary: Generator used_up of postgres has no id left.}
END
	my ($said, $wrong) = run_command([ 'promtool', 'test', 'rules', $tests ]);
	like("$said$wrong", qr/SUCCESS/, 'and is in the panel and in an alert');
}

# The counters, at rest.
my %stats = metrics_of($page, 'hilo_stats', qr/generator="(.*?)",server=/);
my %server = metrics_of($page, 'hilo_stats_server', qr/datname="(\w+)"/);
foreach my $counters (values %stats, values %server)
{
	$_ += 0 foreach values %$counters;    # 1e+06
}
is_deeply(\%stats, { counters('hilo_stats()', 'name') }, 'as in hilo_stats');
is_deeply(\%server, { counters('hilo_stats_server()', 'current_database()') },
	'as in hilo_stats_server');
is(join(' ', $page =~ /^# TYPE (hilo_stats\w+) (?!counter$)/mg), '', 'they are counters');

# Whatever the dashboard and the alert rules ask for is there.
my @exprs = expressions(decode_json(slurp_file("$doc/grafana_dashboard.json")));
my %asked;
cmp_ok(scalar @exprs, '>=', 15, 'a dashboard');
my @alerts = slurp_file("$doc/prometheus_alerts.yaml") =~ /^ +expr: (.*)$/mg;
cmp_ok(scalar @alerts, '>=', 4, 'alert rules');
push @exprs, @alerts;
foreach my $expr (@exprs)
{
	is(($expr =~ tr/({[//), ($expr =~ tr/)}]//), "brackets: $expr");
	my @metrics = $expr =~ /\b(hilo_\w+)/g;

	foreach my $metric (@metrics)
	{
		my ($labels) = $expr =~ /\b$metric\{(.*?)\}/;

		$asked{$metric} = 1;
		foreach my $label (($labels // '') =~ /(\w+)=~?"/g, $expr =~ /by \((\w+)\)/g)
		{
			like($page, qr/^$metric\{(?:.*,)?$label="/m, "$metric by $label");
		}
		like($page, qr/^$metric\{/m, $metric);
	}
}
my %metrics = map { $_ => 1 } $page =~ /^(hilo_(?!stats_server)\w+)\{/mg;
is(join(' ', grep { !$asked{$_} } sort keys %metrics), 'hilo_stats_prefetched_total',
	'and they ask for what there is');

$exporter->kill_kill;
$node->stop;
done_testing();

sub start_exporter
{
	my $cwd = getcwd;
	local %ENV = (
		%ENV,
		DSN => $node->connstr . ' dbname=postgres user=monitor sslmode=disable');

	chdir $doc or die $!;
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

# Return the values of a page by what the pattern finds in their labels, and by the
# rest of their names.
sub metrics_of
{
	my ($page, $metric, $label) = @_;
	my %metrics;

	while ($page =~ /^${metric}_(?!server_)(\w+)\{(.*)\} (\S+)$/mg)
	{
		my ($column, $labels, $value) = ($1, $2, $3);
		my ($key) = $labels =~ $label;

		$metrics{ $key =~ s/\\(.)/$1/gr }{$column} = $value;
	}
	return %metrics;
}

# Return the same of hilo_generators, as the superuser sees it.
sub generators
{
	my %generators;
	my @columns =
	  qw(last max_value used_ratio);
	my $values = join ', ', map { "${_}::float8" } @columns;

	foreach (split /\n/, $node->safe_psql('postgres',
			"SELECT name, $values FROM hilo_generators()"))
	{
		my ($name, @values) = split /\|/;

		@{ $generators{$name} }{@columns} = @values;
	}
	return %generators;
}

# Return the counters of a view, as the exporter should, by another column.
sub counters
{
	my ($view, $key) = @_;
	my %counters;
	my @columns = qw(ranges ids prefetched prefetch_hits prefetch_misses
	  prefetch_busy returned lost windows flush_waits flush_seconds);
	my $values = join(', ', @columns) =~ s/flush_seconds/flush_time \/ 1000/r;

	foreach (split /\n/, $node->safe_psql('postgres', "SELECT $key, $values FROM $view"))
	{
		my ($name, @values) = split /\|/;

		@{ $counters{$name} }{ map { "${_}_total" } @columns } = map { $_ + 0 } @values;
	}
	return %counters;
}

# Return the queries in a dashboard.
sub expressions
{
	my ($part) = @_;

	return map { expressions($_) } @$part if ref $part eq 'ARRAY';
	return () if ref $part ne 'HASH';
	return grep { defined && !ref }
	  ($part->{expr}, $part->{type} && $part->{type} eq 'query' ? $part->{definition} : undef),
	  map { expressions($part->{$_}) } sort keys %$part;
}
