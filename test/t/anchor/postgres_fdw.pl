
# The example of the documentation for postgres_fdw, on three servers: each id is on the
# server of its bucket, with what is anchored to it, and a statement on it goes there.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my ($on_each, $on_root, $calls) = doc_examples('postgres_fdw');
my %shards = map { $_ => hilo_node($_) } qw(one two);
my $root = hilo_node('root', conf => 'hilo.prefetch = off');

s/^CREATE EXTENSION hilo;\n//m for $on_each, $on_root;
foreach my $name (keys %shards)
{
	my ($host, $port) = ($shards{$name}->host, $shards{$name}->port);

	$shards{$name}->safe_psql('postgres', $on_each);
	$on_root =~ s/host '$name'/host '$host', port '$port'/ or die "no server $name in the example";
}
$root->safe_psql('postgres', $on_root);

my $session = hilo_session($root);
while ($calls =~ /\G(.*?;)[ \t]*-- (.*)\n?/g)
{
	my ($statement, $expected) = ($1, $2);

	is(run_in($session, $statement), $expected, $statement);
}
end_session($session);

$root->safe_psql('postgres',
	q{INSERT INTO orders SELECT concat('users/', i) FROM generate_series(1, 200) i});
is($shards{one}->safe_psql('postgres',
		'SELECT count(*) > 50, bool_and(anchor_bucket(id) < 524288) FROM orders'),
	't|t', 'the lower buckets');
is($shards{two}->safe_psql('postgres',
		'SELECT count(*) > 50, bool_and(anchor_bucket(id) >= 524288) FROM orders'),
	't|t', 'and the upper ones');
like($root->safe_psql('postgres',
		q{EXPLAIN (VERBOSE, COSTS OFF) SELECT customer FROM orders WHERE anchor_match(id, 'orders/1-A')}),
	qr/\AForeign Scan on public.orders_0 .*\n.*\n *Remote SQL: .* WHERE .*anchor_bucket\(id\)/,
	'one server is asked for the bucket');

$_->stop for $root, values %shards;
done_testing();
