
# A table that is fed by logical replication: ids of columns that only the
# subscriber has are made there, by the copy of the table and by each change
# that is applied; the trigger for ids fires there if it is set to.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = hilo_node('publisher', allows_streaming => 'logical');
my $subscriber = hilo_node('subscriber', conf => "hilo.node_tag = 'B'");

$publisher->safe_psql(
	'postgres', q{
	CREATE TABLE orders (id text PRIMARY KEY, note text);
	CREATE TABLE notes (id text, n int PRIMARY KEY);
	CREATE TRIGGER orders_id BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
	CREATE TABLE plain (k int PRIMARY KEY);
	CREATE PUBLICATION pub FOR TABLE orders, notes, plain;
	INSERT INTO plain SELECT generate_series(1, 100);
	INSERT INTO orders (note) SELECT i FROM generate_series(1, 100) i;
	INSERT INTO notes SELECT CASE WHEN i % 3 = 0 THEN 'notes|' END, i FROM generate_series(1, 100) i});
$subscriber->safe_psql(
	'postgres', q{
	CREATE TABLE orders (
		number bigint DEFAULT hilo_next_tag('received'),
		hilo_id text DEFAULT hilo_next_id('received'),
		identity bigint DEFAULT identity_next('received'),
		identity_id text DEFAULT identity_next_id('received|'),
		server_side text DEFAULT document_id('received/'),
		guid text DEFAULT document_id(),
		id text PRIMARY KEY, note text);
	CREATE TABLE notes (id text, n int PRIMARY KEY);
	CREATE TRIGGER orders_id BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
	CREATE TRIGGER notes_id BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
	ALTER TABLE notes ENABLE REPLICA TRIGGER notes_id;
	CREATE TABLE plain (k int PRIMARY KEY, id bigint DEFAULT hilo_next('plain'))});

$subscriber->safe_psql('postgres',
	"CREATE SUBSCRIPTION sub CONNECTION '" . $publisher->connstr . " dbname=postgres' PUBLICATION pub");
$subscriber->wait_for_subscription_sync($publisher, 'sub');
is(made(), 'f|100|100|100|100|100|100', 'by the copy of the table');
is(noted(), '100|67|33', 'by the trigger');
my $plain = q{SELECT count(*), count(DISTINCT id), hilo_next('plain') > max(id) FROM plain};
is($subscriber->safe_psql('postgres', $plain), '100|100|t', "by the table's own generator");

$publisher->safe_psql(
	'postgres', q{
	INSERT INTO orders (note) SELECT i FROM generate_series(101, 200) i;
	INSERT INTO orders (id) VALUES ('orders/');
	INSERT INTO plain SELECT generate_series(101, 200);
	UPDATE orders SET note = 'changed' WHERE note = '7';
	DELETE FROM orders WHERE note = '8';
	INSERT INTO notes SELECT CASE WHEN i % 3 = 0 THEN 'notes|' END, i FROM generate_series(101, 200) i});
$publisher->wait_for_catchup('sub');
is(made(), 'f|200|200|200|200|200|200', 'by the changes that are applied');
is(noted(), '200|134|66', 'by the trigger');
is($subscriber->safe_psql('postgres', $plain), '200|200|t', "by the table's own generator");

# What the publisher made comes as it is.
my $ids = 'SELECT id, note FROM orders ORDER BY id';
is($subscriber->safe_psql('postgres', $ids), $publisher->safe_psql('postgres', $ids), 'ids of the publisher');

# The two write to the same table without meeting: by the node tag.
$subscriber->safe_psql('postgres', 'INSERT INTO orders (note) SELECT i FROM generate_series(1, 100) i');
is( $subscriber->safe_psql('postgres',
		q{SELECT node_tag, count(DISTINCT number) FROM (SELECT (document_id_parts(id)).* FROM orders) t
		  WHERE strategy = 'hilo' GROUP BY node_tag ORDER BY node_tag}),
	"A|199\nB|100", 'ids of both');

unlike(slurp_file($subscriber->logfile), qr/ERROR/, 'no worker failed');

$subscriber->stop;
$publisher->stop;
done_testing();

# Return whether a column has an id missing, and how many ids each has.
sub made
{
	return $subscriber->safe_psql('postgres', q{
		SELECT bool_or(num_nulls(number, hilo_id, identity, identity_id, server_side, guid) > 0),
			   count(DISTINCT number), count(DISTINCT hilo_id), count(DISTINCT identity),
			   count(DISTINCT identity_id), count(DISTINCT server_side), count(DISTINCT guid)
		FROM orders});
}

# Return how many ids the trigger made, of HiLo's and of an identity's.
sub noted
{
	return $subscriber->safe_psql('postgres', q{
		SELECT count(DISTINCT id), count(*) FILTER (WHERE id LIKE '%-B'),
			   count(*) FILTER (WHERE id ~ '^notes/\d+$') FROM notes});
}
