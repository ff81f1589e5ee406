
# Whoever stops waiting for a number learns from the error's context whose it is.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node('main');
my %waits = (
	q{SELECT hilo_next_tag('bills')} => 'next number of generator "bills"',
	'INSERT INTO invoice VALUES (7)' => 'number of a group in column "no" of table "invoice"');

$node->safe_psql('postgres', q{
	SELECT hilo_create('bills', 'gapless');
	CREATE TABLE invoice (customer int, no bigint, UNIQUE (customer, no));
	CREATE TRIGGER number BEFORE INSERT ON invoice FOR EACH ROW
		EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'customer')});
foreach my $first ('the first', 'the next')
{
	my $holder = hilo_session($node);

	run_in($holder, 'BEGIN');
	run_in($holder, $_) foreach sort keys %waits;
	foreach my $draw (sort keys %waits)
	{
		my (undef, undef, $said) = $node->psql('postgres', "SET lock_timeout = '10ms'; $draw");

		like($said, qr/lock timeout\n(?s:.*)CONTEXT: (?s:.*)\Q$waits{$draw}\E/, "$first: $draw");
	}
	run_in($holder, 'COMMIT');
	$holder->quit;
}
$node->stop;
done_testing();
