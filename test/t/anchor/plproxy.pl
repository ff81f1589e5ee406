
# The example of the documentation for PL/Proxy, on a proxy and two servers: each id is
# on the server of its bucket, with what is anchored to it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my ($major) = run_sh('"$PG_CONFIG" --version') =~ /(\d+)/;
find_plproxy() or plan skip_all => "there is no PL/Proxy for PostgreSQL $major";

my ($on_each, $on_proxy, $calls) = doc_examples('PL/Proxy');
my @shards = map { hilo_node($_, conf => 'hilo.prefetch = off') } qw(one two);
my $proxy = hilo_node('proxy', conf => 'hilo.prefetch = off');

s/^CREATE EXTENSION hilo;\n//m for $on_each, $on_proxy;
my @connections = map { 'dbname=postgres host=' . $_->host . ' port=' . $_->port } @shards;
$on_proxy =~ s/'dbname=postgres host=one', p1 'dbname=postgres host=two'/'$connections[0]', p1 '$connections[1]'/
  or die 'no servers in the example';
$_->safe_psql('postgres', $on_each) for @shards;
$proxy->safe_psql('postgres', $on_proxy);

my $session = hilo_session($proxy);
while ($calls =~ /\G(.*?;)[ \t]*-- (.*)\n?/g)
{
	my ($statement, $expected) = ($1, $2);

	is(run_in($session, $statement) =~ s/\n/, /gr, $expected, $statement);
}
end_session($session);

$proxy->safe_psql('postgres', q{SELECT order_put(concat('users/', i), 'many') FROM generate_series(1, 200) i});
foreach my $i (0, 1)
{
	is( $shards[$i]->safe_psql('postgres', "SELECT count(*) > 50, count(*) FILTER (WHERE anchor_bucket(id) % 2 <> $i) FROM orders"),
		't|0', 'the rows of its buckets on ' . $shards[$i]->name);
}
is($proxy->safe_psql('postgres', q{SELECT count(*) FROM generate_series(1, 200) i, order_anchored(concat('users/', i))}),
	'200', 'each is found');

$_->stop for $proxy, @shards;
done_testing();

# Make PL/Proxy an extension of the servers that are tested, if Debian has it for
# them.
sub find_plproxy
{
	my $folder = debian_folder("postgresql-$major-plproxy") // return;

	run_sh(<<"END");
for file in $folder/usr/share/postgresql/$major/extension/plproxy*; do
	cp -f "\$file" "\$("\$PG_CONFIG" --sharedir)/extension/" 2>/dev/null || [[ -e "\$("\$PG_CONFIG" --sharedir)/extension/\${file##*/}" ]]
done
cp -f $folder/usr/lib/postgresql/$major/lib/plproxy.so "\$("\$PG_CONFIG" --pkglibdir)/" 2>/dev/null || [[ -e "\$("\$PG_CONFIG" --pkglibdir)/plproxy.so" ]]
END
	return 1;
}
