# A copy of a database with the OID of one that is gone does not go on in that one's window.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main');

$node->safe_psql('postgres', 'CREATE DATABASE model');
$node->safe_psql('model', q{
	CREATE EXTENSION hilo;
	CREATE TABLE t (id bigint PRIMARY KEY DEFAULT hilo_next('t'));
	SELECT hilo_create('t', 'global')});
$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE model OID 60000');
is($node->safe_psql('copy', q{SELECT hilo_next('t')}), 1, 'an id of the copy');

# Its row knows nothing of the window, or has been raised as far by another session.
foreach my $ids (0, 5)
{
	$node->safe_psql('model', "INSERT INTO t SELECT FROM generate_series(1, $ids)");
	wait_for_sessions($node, 0);
	$node->safe_psql('postgres', 'DROP DATABASE copy');
	$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE model OID 60000');
	is($node->safe_psql('copy',
			q{INSERT INTO t DEFAULT VALUES RETURNING id > (SELECT coalesce(max(id), 0) FROM t)}),
		't', "an id above those of the copy: $ids");
}
my $last = $node->safe_psql('copy', 'SELECT max(id) FROM t');
$node->stop('immediate');
$node->start;
cmp_ok($node->safe_psql('copy', q{SELECT hilo_next('t')}), '>', $last, 'which no crash repeats');

done_testing();
