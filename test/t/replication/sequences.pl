
# Logical replication of sequences, which came with 19: it carries that of an adopted
# generator, and no generator.  Where it sets a sequence back, no id repeats.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my $publisher = hilo_node('publisher', allows_streaming => 'logical');
plan skip_all => 'sequences are replicated since 19'
  if $publisher->safe_psql('postgres', 'SHOW server_version_num') < 190000;
my $subscriber = hilo_node('subscriber');
my $take = q{SELECT max(hilo_next_tag('items')), max(hilo_next_tag('own')) FROM generate_series(1, 1000)};

$_->safe_psql('postgres', q{
	CREATE SEQUENCE items_seq INCREMENT 10;
	SELECT hilo_adopt_sequence_tag('items', 'items_seq', 'efcore'), hilo_create('own')})
  foreach $publisher, $subscriber;
is($publisher->safe_psql('postgres', $take), '1000|1000', 'ids of the publisher');

$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub FOR ALL SEQUENCES');
is($publisher->safe_psql('postgres', 'SELECT sequencename FROM pg_publication_sequences'),
	'items_seq', 'hilo has no sequence');
$subscriber->safe_psql('postgres',
	"CREATE SUBSCRIPTION sub CONNECTION '" . $publisher->connstr
	  . " dbname=postgres' PUBLICATION pub");
wait_for_sequences();
is($subscriber->safe_psql('postgres', $take),
	'2000|1000', 'an adopted generator goes on above those, another begins anew');

# Further back than hilo itself would skip blocks.
$subscriber->safe_psql('postgres', $take);
$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION sub REFRESH SEQUENCES');
wait_for_sequences();
my (undef, $ids, $error) = $subscriber->psql('postgres', $take);
is($ids, '', 'no id if the sequence has been set back');
like($error, qr/the source of generator "items" has been set back/, 'but an error');
$subscriber->safe_psql('postgres', q{SELECT hilo_seed('items', 3000)});
is($subscriber->safe_psql('postgres', $take), '4000|3000', 'raised, it goes on');

$subscriber->stop;
$publisher->stop;
done_testing();

sub wait_for_sequences
{
	ok($subscriber->poll_query_until('postgres', 'SELECT srsubstate FROM pg_subscription_rel', 'r'),
		'the sequences have been copied');
	return;
}
