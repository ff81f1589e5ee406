
# pg_dumpall into a new server: roles, databases and all lasts come along.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';
my $old = PostgreSQL::Test::Cluster->new('old');
my $new = PostgreSQL::Test::Cluster->new('new');
foreach my $node ($old, $new)
{
	$node->init;
	$node->append_conf(
		'postgresql.conf', q{
client_min_messages = warning
hilo.return_on_exit = off
});
	$node->start;
}

$old->safe_psql(
	'postgres', q{
	CREATE ROLE clerk;
	CREATE DATABASE shop;
	CREATE EXTENSION hilo;
	SELECT hilo_next_range('orders', 50)});
$old->safe_psql(
	'shop', q{
	CREATE SCHEMA ids;
	CREATE EXTENSION hilo SCHEMA ids;
	SELECT ids.hilo_create('orders', max_value => 1000);
	SELECT ids.hilo_next_range('orders', 70);
	SELECT ids.hilo_alter('orders', owner => 'clerk');
	SELECT ids.hilo_grant('orders', 'clerk')});

$old->command_ok([ 'pg_dumpall', '--no-role-passwords', '-f', $dump ], 'dump');
# The role that runs all this exists already.
$new->command_ok([ 'psql', '-Xqd', 'postgres', '-f', $dump ], 'restore');

is( $new->safe_psql(
		'postgres', q{
		SELECT name, last, owner::text = current_user FROM hilo_generators();
		SELECT hilo_next_tag('orders')}),
	"orders|50|t\n51",
	'a database that every server has');
is( $new->safe_psql(
		'shop', q{
		SELECT name, last, owner, is_public, max_value FROM ids.hilo_generators();
		SELECT ids.hilo_next_tag('orders')}),
	"orders|70|clerk|f|1000\n71",
	'another database, another schema, a role');

$_->stop foreach ($old, $new);
done_testing();
