
# The consumers of an outbox in doc/recipes.md, under load: each row is read once.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

my ($recipe) = slurp_file("$FindBin::RealBin/../../../doc/recipes.md") =~ /^## An outbox (.*?)^## /ms;
my ($delete) = $recipe =~ /^(DELETE FROM outbox.*?;)/ms;
my ($read) = $recipe =~ /^(SELECT made_in, id.*?;)/ms;
$read =~ s/\('0', 0\)/(%s)/ or die 'no place for the last row';

my $node = new_node('main');
$node->safe_psql('postgres', 'CREATE EXTENSION hilo');
$node->safe_psql('postgres', $_) foreach $recipe =~ /^((?:CREATE|SELECT hilo_attach).*?;)/msg;

# a third of the writers' transactions is rolled back, and lower ids commit later
my $writer = $node->basedir . '/writer.sql';
append_to_file($writer, <<~'END');
	\set end random(1, 3)
	\set us random(100, 20000)
	BEGIN;
	INSERT INTO outbox (event) VALUES ('a'), ('b');
	INSERT INTO journal (event) VALUES ('a'), ('b');
	INSERT INTO written SELECT id FROM journal WHERE made_in = pg_current_xact_id();
	\sleep :us us
	\if :end > 1
	COMMIT;
	\else
	ROLLBACK;
	\endif
	END
$node->safe_psql('postgres', 'CREATE TABLE written (id bigint)');
my $load = IPC::Run::start([ 'pgbench', '-n', '-c', 6, '-t', 150, '-f', $writer,
	$node->connstr('postgres') ], '>', \my $out, '2>', \my $err);

my @consumers = map { hilo_session($node) } 1, 2;
my ($position, $batches, $deleted) = (q{'0', 0}, 0, 0);
my (%seen, $rows);
do
{
	$load->pump_nb;
	$rows = 0;
	foreach (@consumers)
	{
		my @events = split /\n/, $_->query_safe($delete);
		$deleted += @events;
		$rows += @events;
	}
	foreach (split /\n/, $consumers[0]->query_safe(sprintf $read, $position))
	{
		my ($made_in, $id) = split /\|/;
		$seen{$id}++;
		$position = "'$made_in', $id";
		$rows++;
	}
	$batches++ if $rows;
} while ($load->pumpable || $rows);
$load->finish;
is($load->result(0), 0, 'the writers came to their end') or diag $err;

my @written = split /\n/, $node->safe_psql('postgres', 'SELECT id FROM written ORDER BY id');
cmp_ok($batches, '>', 10, 'the consumers worked beside the writers');
cmp_ok(scalar @written, '>', 600, 'which wrote');
is($deleted, scalar @written, 'rows that are taken away: each once');
is_deeply([ sort { $a <=> $b } keys %seen ], \@written, 'rows that stay: none is skipped');
is_deeply([ grep { $seen{$_} > 1 } keys %seen ], [], 'and none is read twice');

end_session($_) foreach @consumers;
$node->stop;
done_testing();
