
# A table behind PL/Proxy, on a proxy and two servers: each id is on the server of its
# bucket, with what is anchored to it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'there is no PL/Proxy for this PostgreSQL' unless defined debian_extension('plproxy');

my @shards = map { hilo_node($_, conf => 'hilo.prefetch = off') } qw(one two);
my $proxy = hilo_node('proxy', conf => 'hilo.prefetch = off');
my @connections = map { 'dbname=postgres host=' . $_->host . ' port=' . $_->port } @shards;
my $calls = <<'END';
SELECT order_put(hilo_next_id('orders'), 'Ada');                           -- orders/1-A
SELECT order_put(anchor_to('notes/1', 'orders/1-A'), 'on Ada''s order');   -- notes/1$orders/1-A
SELECT * FROM order_anchored('orders/1-A');                                -- notes/1$orders/1-A, orders/1-A
END

$_->safe_psql('postgres', <<'END') for @shards;
CREATE TABLE orders (id text PRIMARY KEY, customer text);
CREATE FUNCTION order_put(order_id text, order_customer text) RETURNS text LANGUAGE sql AS $$
    INSERT INTO orders VALUES (order_id, order_customer) RETURNING id $$;
CREATE FUNCTION order_anchored(order_id text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT id FROM orders WHERE anchor_bucket(id) = anchor_bucket(order_id) ORDER BY id $$;
END
$proxy->safe_psql('postgres', <<"END");
CREATE EXTENSION plproxy;
CREATE SERVER shards FOREIGN DATA WRAPPER plproxy OPTIONS (p0 '$connections[0]', p1 '$connections[1]');
CREATE USER MAPPING FOR CURRENT_USER SERVER shards;
CREATE FUNCTION order_put(order_id text, order_customer text) RETURNS text LANGUAGE plproxy AS \$\$
    CLUSTER 'shards'; RUN ON anchor_bucket(order_id); \$\$;
CREATE FUNCTION order_anchored(order_id text) RETURNS SETOF text LANGUAGE plproxy AS \$\$
    CLUSTER 'shards'; RUN ON anchor_bucket(order_id); \$\$;
END

my $session = hilo_session($proxy);
while ($calls =~ /\G(.*?;)[ \t]*-- (.*)\n?/g)
{
	my ($statement, $expected) = ($1, $2);

	is(run_in($session, $statement) =~ s/\n/, /gr, $expected, $statement);
}
end_session($session);

$proxy->safe_psql('postgres',
	q{SELECT order_put(concat('users/', i), 'many') FROM generate_series(1, 200) i});
foreach my $i (0, 1)
{
	is( $shards[$i]->safe_psql('postgres',
			"SELECT count(*) > 50, count(*) FILTER (WHERE anchor_bucket(id) % 2 <> $i) FROM orders"),
		't|0', 'the rows of its buckets on ' . $shards[$i]->name);
}
is($proxy->safe_psql('postgres',
		q{SELECT count(*) FROM generate_series(1, 200) i, order_anchored(concat('users/', i))}),
	'200', 'each is found');

$_->stop for $proxy, @shards;
done_testing();
