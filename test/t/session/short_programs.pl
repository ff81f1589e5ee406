
# How many ids a hundred programs of one row take, in each way that the reference names.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my %statements = (
	q{DEFAULT hilo_next('orders')} => q{SELECT hilo_next('orders')},
	q{hilo_next_range('orders', size => 1)} => q{SELECT low FROM hilo_next_range('orders', size => 1)},
	q{hilo_next_range('orders'), and hilo_return_range with its range_no} =>
	  q{SELECT low, high, range_no FROM hilo_next_range('orders') \gset
		SELECT hilo_return_range('orders', :high, :low, :range_no)},
	q{hilo_next_range('orders'), with ranges of 32} => q{SELECT low FROM hilo_next_range('orders')});
my %taken = slurp_file("$FindBin::RealBin/../../../doc/reference.md") =~ /^\| ([^|]*`[^|]*) \| ([0-9,]+) \| [0-9,]+ \|$/mg;
my $next = q{
	\c
	DO $$ BEGIN
		WHILE EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) LOOP
			PERFORM pg_stat_clear_snapshot();
		END LOOP;
	END $$;
};
my $node = hilo_node('short_programs');
$node->safe_psql('postgres', 'CREATE TABLE orders (id bigint PRIMARY KEY)');

is(join("\n", sort map { tr/`//dr } keys %taken), join("\n", sort keys %statements),
	'the ways of the page');
foreach my $way (sort keys %taken)
{
	my $statement = $statements{ $way =~ tr/`//dr };

	$node->safe_psql('postgres',
		q{SELECT hilo_drop('orders') FROM hilo_generators() WHERE name = 'orders'; SELECT hilo_create('orders')});
	$node->safe_psql('postgres', join $next, ("$statement;") x 100);
	wait_for_sessions($node, 0);
	is($node->safe_psql('postgres', q{SELECT last FROM hilo_generators() WHERE name = 'orders'}),
		$taken{$way} =~ tr/,//dr, "a hundred programs: $way");
}
$node->stop;
done_testing();
