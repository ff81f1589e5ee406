
# Two servers that write to one table by the recipe of the documentation, each with its own ids,
# and get each other's rows.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my ($both, @own) = doc_examples('Two regions without a link');
my @regions = map { hilo_node("region_$_", allows_streaming => 'logical') } 1, 2;
my $rows = q{SELECT count(*), count(DISTINCT id) FROM orders};
my $insert = q{INSERT INTO orders (item) SELECT 'more' FROM generate_series(1, 500)};

$_->safe_psql('postgres', $both) foreach @regions;
$regions[$_]->safe_psql('postgres', $own[$_]) foreach 0, 1;

SKIP:
{
	skip 'a subscription without the rows of others needs PostgreSQL 16', 2
	  if $regions[0]->pg_version < 16;
	$_->safe_psql('postgres', 'CREATE PUBLICATION rows FOR TABLE orders') foreach @regions;
	foreach my $to (0, 1)
	{
		my $from = $regions[ 1 - $to ]->connstr . ' dbname=postgres';

		$regions[$to]->safe_psql('postgres',
			"CREATE SUBSCRIPTION rows CONNECTION '$from' PUBLICATION rows WITH (origin = none, copy_data = off)");
	}
	$_->safe_psql('postgres', $insert) foreach @regions;
	$regions[0]->wait_for_catchup('rows');
	$_->poll_query_until('postgres', 'SELECT count(*) = 1000 FROM orders WHERE item = $$more$$')
	  or die 'rows are missing' foreach @regions;
	like($_->safe_psql('postgres', $rows), qr/^100[12]\|100[12]$/,
		'each region has the rows of both') foreach @regions;
}

# rows of both in each, by an import
$regions[0]->safe_psql('postgres',
	'INSERT INTO orders SELECT id + 1000000000000000, item FROM orders WHERE id < 1000 ON CONFLICT DO NOTHING');
$regions[1]->safe_psql('postgres',
	'INSERT INTO orders SELECT id - 1000000000000000, item FROM orders WHERE id > 1000000000000000 ON CONFLICT DO NOTHING');
foreach my $i (0, 1)
{
	my $region = $regions[$i];

	$region->safe_psql('postgres', q{SELECT hilo_resync('orders', 'id'), hilo_resync_all()});
	is($region->safe_psql('postgres',
			q{INSERT INTO orders (item) VALUES ('last') RETURNING id / 1000000000000000}),
		$i, 'ids stay in their region');
}
$_->stop foreach @regions;
done_testing();
