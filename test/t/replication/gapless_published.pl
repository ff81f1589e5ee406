# A publication of all tables does no harm to numbers without gaps on the other side.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my $node = hilo_node('main', allows_streaming => 'logical');
my $subscriber = hilo_node('subscriber');
$node->safe_psql('postgres', q{
	CREATE TABLE invoice (no bigint PRIMARY KEY DEFAULT hilo_next('invoice'), n int);
	SELECT hilo_create('invoice', 'gapless');
	INSERT INTO invoice SELECT FROM generate_series(1, 500);
	SELECT hilo_create('lower', 'gapless')});
$node->safe_psql('postgres', 'CREATE PUBLICATION everything FOR ALL TABLES');
$subscriber->safe_psql('postgres', q{
	CREATE TABLE invoice (no bigint PRIMARY KEY, n int);
	SELECT hilo_create('invoice', 'gapless'), hilo_next('invoice')});
my $connstr = $node->connstr . ' dbname=postgres';
$subscriber->safe_psql('postgres',
	"CREATE SUBSCRIPTION all_of_it CONNECTION '$connstr' PUBLICATION everything");
$subscriber->wait_for_subscription_sync($node, 'all_of_it');
$node->safe_psql('postgres', q{
	INSERT INTO invoice SELECT FROM generate_series(1, 10);
	SELECT hilo_create('another', 'gapless'), hilo_next_tag('another');
	SELECT hilo_drop('lower')});
$node->wait_for_catchup('all_of_it');
is($subscriber->safe_psql('postgres', 'SELECT max(no) FROM invoice'),
	$node->safe_psql('postgres', 'SELECT max(no) FROM invoice'), 'rows arrive with their numbers');
is($subscriber->safe_psql('postgres', 'SELECT * FROM hilo_internal.hilo_gapless'),
	'1|#public.invoice', 'generators are left alone');
is($subscriber->safe_psql('postgres', q{SELECT hilo_next('invoice')}), 2,
	'and go on by themselves');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION all_of_it');
$subscriber->stop;
$node->stop;
done_testing();
