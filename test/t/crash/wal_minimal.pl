
# With wal_level = minimal a table that is new in a transaction is not logged:
# what was handed out in the transaction that makes the extension is there after
# a crash all the same.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', conf => q{
wal_level = minimal
max_wal_senders = 0
hilo.return_on_exit = off
});

# Small tables are logged at commit unless the threshold is 0.
foreach my $threshold ('2MB', '0')
{
	my $made = $node->safe_psql(
		'postgres', qq{
		SET wal_skip_threshold = '$threshold';
		BEGIN;
		CREATE EXTENSION hilo;
		SELECT hilo_create('created', first => 5);
		SELECT max(hilo_next_tag('created')) FROM generate_series(1, 500);
		SELECT max(hilo_next_tag('first used')) FROM generate_series(1, 1000);
		COMMIT});
	is($made, "\n504\n1000", "$threshold: ids in the transaction that makes all");

	crash($node);
	ok($node->safe_psql('postgres', q{SELECT hilo_next_tag('created')}) > 504,
		"$threshold: a generator goes on after a crash");
	ok($node->safe_psql('postgres', q{SELECT hilo_next_tag('first used')}) > 1000,
		"$threshold: one that was made by its first use too");

	# Rolled back, there is nothing to be lost.
	$node->safe_psql(
		'postgres', q{
		DROP EXTENSION hilo;
		BEGIN;
		CREATE EXTENSION hilo;
		SELECT hilo_next_tag('first used');
		ROLLBACK});
	crash($node);
	$node->safe_psql('postgres', 'CREATE EXTENSION hilo');
	is($node->safe_psql('postgres', q{SELECT hilo_next_tag('first used')}),
		1, "$threshold: the extension anew");
	$node->safe_psql('postgres', 'DROP EXTENSION hilo');
}

$node->stop;
done_testing();
