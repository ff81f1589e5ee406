
# Dumps and restores by the owner of a database, and what becomes of
# generators whose roles are not there.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = new_node('main', conf => 'hilo.return_on_exit = off');

my $generators = q{
	SELECT name, owner, is_public, last FROM hilo_generators() ORDER BY name};

sub psql_as
{
	my ($role, $database, $sql) = @_;

	return $node->safe_psql($database, "SET ROLE $role; $sql");
}

# A plain role that owns its databases needs a superuser for the extension alone.
$node->safe_psql(
	'postgres', q{
	CREATE ROLE owner LOGIN;
	CREATE ROLE clerk;
	CREATE DATABASE source OWNER owner;
	CREATE DATABASE target OWNER owner});
$node->safe_psql($_, 'CREATE EXTENSION hilo') foreach qw(source target);
$node->safe_psql(
	'source', q{
	SELECT hilo_next_range('open', 40);
	SELECT hilo_create('granted');
	SELECT hilo_grant('granted', 'clerk');
	SELECT hilo_next_range('granted', 50)}, extra_params => [ '-U', 'owner' ]);

my @as_owner = ('-U', 'owner', '--no-password');
$node->command_ok(
	[ 'pg_dump', @as_owner, '--no-comments', '-Fd', '-f', "$dir/owner", 'source' ],
	'dump by the owner');
$node->command_ok(
	[ 'pg_restore', @as_owner, '-j', '2', '-d', 'target', "$dir/owner" ],
	'restore by it');
is($node->safe_psql('target', $generators),
	"granted|owner|f|50\nopen|owner|t|40", 'all are there');
is(psql_as('clerk', 'target', q{SELECT hilo_next('granted')}),
	51, 'a grant is there');
$node->command_ok(
	[
		'pg_restore', @as_owner, '--data-only', '-j', '2', '-d', 'target',
		"$dir/owner"
	],
	'data restored by it over what is there');
is($node->safe_psql('target', q{SELECT last FROM hilo_generators() WHERE name = 'granted'}),
	82, 'nothing is lowered');

# A role that was dropped would be dumped as a number, which may be another
# role's at the restore.
$node->safe_psql(
	'source', q{
	CREATE ROLE leaver;
	SELECT hilo_grant('granted', 'leaver');
	DROP ROLE leaver});
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/leaver", 'source' ],
	'dump with a grant to a role that was dropped');
$node->safe_psql('postgres', 'CREATE DATABASE without_leaver');
$node->command_ok(
	[ 'pg_restore', '-d', 'without_leaver', "$dir/leaver" ],
	'restore of it');
is( $node->safe_psql(
		'without_leaver',
		'SELECT generator, role::text FROM hilo_internal.hilo_privilege ORDER BY 1, 2'),
	"granted|clerk\ngranted|owner\nopen|owner",
	'the grant is not in it');

# A role that is missing at the restore costs what it owned or was granted,
# nothing else, and the restore goes on without a word.
$node->safe_psql(
	'source', q{
	CREATE ROLE missing;
	SELECT hilo_grant('granted', 'missing');
	SET ROLE missing;
	SELECT hilo_create('orphan');
	SELECT hilo_grant('orphan', 'clerk');
	SELECT hilo_next_range('orphan', 60)});
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/missing", 'source' ],
	'dump with an owner and a grant');
$node->safe_psql(
	'postgres', q{
	DROP ROLE missing;
	CREATE DATABASE without_role});
$node->command_checks_all([ 'pg_restore', '-d', 'without_role', "$dir/missing" ],
	0, [qr/^$/], [qr/^$/], 'restore where the role is missing');
is($node->safe_psql('without_role', $generators),
	"granted|owner|f|50\nopen|owner|t|40\norphan||f|60",
	'no last is lost, and no other owner');
is( $node->safe_psql(
		'without_role',
		'SELECT generator, role, is_owner FROM hilo_internal.hilo_privilege ORDER BY generator, role::text'),
	"granted|clerk|f\ngranted|owner|t\nopen|owner|t\norphan|clerk|f",
	'nor another grant');
is(psql_as('clerk', 'without_role', q{SELECT hilo_next('orphan')}),
	61, 'whoever was granted it goes on with it');

sub is_refused
{
	my ($role, $sql, $message, $what) = @_;
	my ($ret, $stdout, $stderr) =
	  $node->psql('without_role', "SET ROLE $role; $sql");

	return like($stderr, $message, $what);
}

is_refused(
	$_,
	q{SELECT hilo_seed('orphan', 99)},
	qr/must be owner of generator "orphan"/,
	"$_ may not change it") foreach qw(owner clerk);
$node->safe_psql('without_role', 'CREATE ROLE missing');
is_refused(
	'missing',
	q{SELECT hilo_next('granted')},
	qr/permission denied for generator "granted"/,
	'a role of that name that comes later has no right');
is( $node->safe_psql(
		'without_role', q{
		SELECT hilo_alter('orphan', owner => 'owner');
		SET ROLE owner;
		SELECT hilo_seed('orphan', 1000)}),
	"\n1000", 'a superuser can give it to another owner');

$node->stop;
done_testing();
