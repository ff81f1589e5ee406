
# Numbers per group with a publication of all tables: first rows of groups, which are inserted
# speculatively, are decoded, and the subscriber keeps its own groups.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$publisher->init(allows_streaming => 'logical');
$subscriber->init;
foreach my $node ($publisher, $subscriber)
{
	$node->start;
	$node->safe_psql('postgres', q{
		CREATE EXTENSION hilo;
		CREATE TABLE bills (id bigserial PRIMARY KEY, k int, number int, sort int);
		CREATE TRIGGER number BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'k');
		CREATE TRIGGER sort BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('sort', 'global', 'k')});
}
$publisher->safe_psql('postgres', q{CREATE PUBLICATION p FOR ALL TABLES; INSERT INTO bills (k) VALUES (1), (1)});
$subscriber->safe_psql('postgres', sprintf q{CREATE SUBSCRIPTION s CONNECTION '%s' PUBLICATION p}, $publisher->connstr . ' dbname=postgres');
$subscriber->wait_for_subscription_sync($publisher, 's');

$publisher->safe_psql('postgres', q{
	INSERT INTO bills (k) SELECT i % 10 FROM generate_series(1, 100) i;
	BEGIN; INSERT INTO bills (k) VALUES (1), (77); ROLLBACK;
	BEGIN; SAVEPOINT s; INSERT INTO bills (k) VALUES (78), (78); ROLLBACK TO s; INSERT INTO bills (k) VALUES (78), (79); COMMIT;
	SELECT hilo_group_seed('bills', 'number', 500, 80), hilo_group_seed('bills', 'sort', 500, 80);
	INSERT INTO bills (k) VALUES (80)});
$publisher->wait_for_catchup('s');
my $bills = 'SELECT * FROM bills ORDER BY id';
is($subscriber->safe_psql('postgres', $bills), $publisher->safe_psql('postgres', $bills), 'all rows have arrived');
is($publisher->safe_psql('postgres', 'SELECT number, sort FROM bills WHERE k IN (78, 80) ORDER BY k'), "1|1\n501|501", 'with their numbers');
my $after = $subscriber->safe_psql('postgres', q{SELECT count(*) FROM hilo_internal.hilo_series});
is($after, 0, 'and no group, as the trigger does not fire for them');
is($subscriber->safe_psql('postgres', q{INSERT INTO bills (id, k) VALUES (1000, 80), (1001, 81) RETURNING number, sort}), "502|502\n1|1", 'groups begin above their rows');
done_testing();
