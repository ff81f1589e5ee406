# The recorder sees the repeats of a build that has a fault.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../recorder";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;
use Recorder;

my $impossible = FaultyBuild::impossible();
plan skip_all => $impossible if $impossible;

# Runs the recorder until it has seen a repeat; gives how many.
sub repeats
{
	my ($node, @failure) = @_;
	my $recorder = Recorder->new($node, clients => 4,
		seed => $ENV{HILO_RECORDER_SEED}, pace => 20_000);
	my $seen;

	note "seed $recorder->{seed}";
	$recorder->set_up;
	$recorder->start;
	for (1 .. 20)
	{
		$recorder->fail(@failure) if @failure;
		$recorder->progress(20_000);
		$seen = $recorder->check;
		last if $seen->{repeats} > 0;
	}
	$recorder->stop;
	note "$seen->{ids} ids, $seen->{repeats} repeats, $seen->{seeds} seeds, ",
	  $recorder->failures;
	note grep { /^repeats/ } split /^/m, $seen->{told};
	return $seen->{repeats};
}

sub faulty_server
{
	my ($name, @fault) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	Recorder::start_server($node);
	FaultyBuild::use_in($node, FaultyBuild::build($name, @fault));
	return $node;
}

my $node = faulty_server('no_flush', 'store.c', "\tXLogFlush(lsn);\n", '');
cmp_ok(repeats($node, 'kill_server'),
	'>', 0, 'ids repeat after a crash when no flush comes before them');
$node->stop('immediate');

$node = faulty_server('kept_cache', 'session_entry.c',
	"\telse if (entry->epoch != hi.epoch)\n\t\tsession_forget(entry);\n", '');
cmp_ok(repeats($node),
	'>', 0, 'ids repeat after a forced seed when sessions keep their ranges');
$node->stop('immediate');

done_testing();
