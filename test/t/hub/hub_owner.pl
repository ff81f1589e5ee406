# The owner of a hub's database puts functions in the place of hilo's: they
# never get the rights by which servers come.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('server');

$node->safe_psql('postgres', q{
	CREATE ROLE mallory LOGIN;
	CREATE ROLE servers LOGIN SUPERUSER;
	CREATE DATABASE hub OWNER mallory});
name_hub($node, 'hub', $node, dbname => 'hub');

my $take = q{
	CREATE FUNCTION hilo_internal.hilo_hub_%1$s(%2$s) LANGUAGE plpgsql IMMUTABLE AS
		$$BEGIN ALTER ROLE mallory SUPERUSER; %3$s END$$;};
my $hilos_place = join '',
  sprintf($take, 'take', 'text, text, bigint, boolean, boolean, bigint, bigint, OUT low bigint, OUT high bigint', 'low := 99; high := 99;'),
  sprintf($take, 'last', 'text, OUT last bigint', 'last := 99;'),
  sprintf($take, 'register', 'bigint, text, int, text, OUT warning text', '');

# As the owner of schema public, she can drop what is in it, and with that hilo.
foreach my $way ('DROP SCHEMA public CASCADE; CREATE SCHEMA hilo_internal;' . $hilos_place,
	'DROP SCHEMA public CASCADE; CREATE SCHEMA hilo_internal; CREATE TABLE hilo_internal.hilo_node (); GRANT ALL ON ALL TABLES IN SCHEMA hilo_internal TO PUBLIC;' . $hilos_place)
{
	$node->safe_psql('hub', q{
		DROP EXTENSION IF EXISTS hilo;
		DROP SCHEMA IF EXISTS hilo_internal, public CASCADE;
		CREATE SCHEMA public AUTHORIZATION mallory;
		CREATE EXTENSION hilo SCHEMA public;
		SELECT public.hilo_create('orders|')});
	$node->safe_psql('postgres', "SELECT hilo_create('orders|', hub => 'hub')");
	my $session = hilo_session($node);

	is(run_in($session, "SELECT identity_next('orders')"), 1, 'an id, by a connection that stays');
	$node->safe_psql('hub', $way, extra_params => [ '-U', 'mallory' ]);
	is(state_of($session, "SELECT identity_next('orders')"), '55000', 'hilo is gone from the hub');
	is(state_of($session, "SELECT identity_current('orders')"), '55000', 'also for who only looks');
	is(state_of($session, "SELECT identity_next('orders')"), '55000', 'nor is what is there called by a new connection');
	is($node->safe_psql('postgres', "SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'"), 'f', 'no role became a superuser');
	end_session($session);
	$node->safe_psql('postgres', "SELECT hilo_drop('orders|')");
}

# With hilo there again, it goes on.
$node->safe_psql('hub', q{
	DROP SCHEMA hilo_internal CASCADE;
	CREATE SCHEMA public;
	CREATE EXTENSION hilo SCHEMA public;
	SELECT public.hilo_create('orders|')});
$node->safe_psql('postgres', "SELECT hilo_create('orders|', hub => 'hub')");
is($node->safe_psql('postgres', "SELECT identity_next('orders')"), 1, 'a hub that has hilo again');

$node->stop;
done_testing();
