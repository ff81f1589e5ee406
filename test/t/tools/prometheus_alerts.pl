
# The alert rules that come with hilo, by Prometheus' own tool.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'promtool is not to be had' unless defined debian_folder('prometheus');

my $rules = "$FindBin::RealBin/../../../doc/prometheus_alerts.yaml";
my $tests = PostgreSQL::Test::Utils::tempdir . '/alerts.yaml';

# Two generators of 10,000,000 ids, in steps of five minutes: one uses 288,000 a day,
# the other one was seeded above most of them and is at rest.
append_to_file($tests, <<"END");
rule_files: [$rules]
evaluation_interval: 1h
tests:
  - interval: 5m
    input_series:
      - {series: 'hilo_generator_max_value{datname="d", generator="fast"}', values: 10000000x7200}
      - {series: 'hilo_generator_last{datname="d", generator="fast"}', values: 0+1000x7200}
      - {series: 'hilo_generator_used_ratio{datname="d", generator="fast"}', values: 0+0.00011x7200}
      - {series: 'hilo_generator_used_ratio{datname="d", generator="ended"}', values: 0.5x7000 1x200}
      - {series: 'hilo_stats_ids_total{datname="d", generator="fast"}', values: 0+1500x7200}
      - {series: 'hilo_stats_returned_total{datname="d", generator="fast"}', values: 0+500x7200}
      - {series: 'hilo_stats_prefetch_hits_total{datname="d", generator="fast"}', values: 0+10x7200}
      - {series: 'hilo_stats_prefetch_misses_total{datname="d", generator="fast"}', values: 0x7000 0+30x200}
      - {series: 'hilo_generator_max_value{datname="d", generator="seeded"}', values: 10000000x7200}
      - {series: 'hilo_generator_last{datname="d", generator="seeded"}', values: 0x7000 7000000x200}
      - {series: 'hilo_stats_ids_total{datname="d", generator="seeded"}', values: 32x7200}
      - {series: 'hilo_stats_returned_total{datname="d", generator="seeded"}', values: 0x7200}
      - {series: 'hilo_column_problems{datname="d", relname="t", attname="id", generator="g"}', values: 0x7000 2x200}
      - {series: 'hilo_column_problems{datname="d", sequence="s"}', values: 0x7000 1x200}
      - {series: 'hilo_column_unchecked{datname="d", relname="t", attname="id", generator="g"}', values: 0x7000 1x200}
      - {series: 'hilo_column_used_ratio{datname="d", relname="t", attname="id", generator="g"}', values: 0+0.00013x7200}
      - {series: 'hilo_column_used_ratio{datname="d", sequence="s"}', values: 0.1x6900 0.3x300}
    alert_rule_test:
END

# An alert does not fire at one time, and does at a later one, with these labels and summaries.
sub fires
{
	my ($name, $before, $after, %summaries) = @_;

	append_to_file($tests, <<"END");
      - {alertname: $name, eval_time: $before, exp_alerts: []}
      - alertname: $name
        eval_time: $after
        exp_alerts:
END
	append_to_file($tests, <<"END") foreach sort keys %summaries;
          - exp_labels: {datname: d, $_}
            exp_annotations: {summary: "$summaries{$_}"}
END
	return;
}

my $column = 'relname: t, attname: id, generator: g';

fires('HiloGeneratorEndsSoon', '4d', '600h',
	'generator: fast, severity: critical' => 'Generator fast of d will have no id left in 9.7 days.');
fires('HiloGeneratorNearlyUsedUp', '500h', '590h',
	'generator: fast, severity: warning' => 'Generator fast of d has reserved 77.88% of its ids.',
	'generator: ended, severity: warning' => 'Generator ended of d has reserved 100% of its ids.');
fires('HiloGeneratorUsedUp', '500h', '590h',
	'generator: ended, severity: critical' => 'Generator ended of d has no id left.');
fires('HiloColumnProblem', '500h', '590h',
	"$column, severity: warning" => 'hilo_check() reports 2 problems: column t.id of d.',
	'sequence: s, severity: warning' => 'hilo_check() reports 1 problems: sequence s of d.');
fires('HiloColumnUnchecked', '500h', '590h',
	"$column, severity: warning" => 'hilo_check() may not look: column t.id of d. Grant pg_read_all_data to its role.');
fires('HiloColumnNearlyUsedUp', '500h', '590h',
	"$column, severity: critical" => '92.04% of the ids are used: column t.id of d.');
fires('HiloColumnEndsSoon', '24h', '590h',
	"$column, severity: critical" => 'No id will be left within thirty days: column t.id of d.');
fires('HiloRangesTooSmall', '500h', '590h',
	'generator: fast, severity: warning' => 'Sessions wait for 75% of the ranges of fast in d: the disk is slow, or busy.');

command_ok([ 'promtool', 'check', 'rules', $rules ], 'rules');
command_ok([ 'promtool', 'test', 'rules', $tests ], 'that fire when they should');

done_testing();
