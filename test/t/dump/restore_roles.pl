
# Dumps and restores by the owner of a database, and what becomes of
# generators with roles that are not there.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
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

# A plain role that owns its databases needs a superuser for the extension alone. It
# restores numbers, and its own generators; rights, sources, hubs, and what is
# another owner's it says that it leaves out.
$node->safe_psql(
	'postgres', q{
	CREATE ROLE owner LOGIN;
	CREATE ROLE clerk;
	CREATE ROLE alice LOGIN;
	CREATE DATABASE source OWNER owner});
$node->safe_psql('source', q{
	CREATE EXTENSION hilo;
	CREATE FOREIGN DATA WRAPPER nowhere;
	CREATE SERVER hub FOREIGN DATA WRAPPER nowhere;
	GRANT USAGE ON FOREIGN DATA WRAPPER nowhere TO owner;
	GRANT USAGE ON FOREIGN SERVER hub TO owner;
	GRANT CREATE ON DATABASE source TO alice;
	SELECT hilo_create('supers'), hilo_seed('supers', 300)});
$node->safe_psql('source', q{SELECT hilo_create('alices'), hilo_seed('alices', 200)}, extra_params => [ '-U', 'alice' ]);
$node->safe_psql(
	'source', q{
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'));
	INSERT INTO orders SELECT FROM generate_series(1, 40);
	SELECT hilo_create('granted');
	SELECT hilo_grant('granted', 'clerk');
	SELECT hilo_next_range('granted', 50);
	SELECT hilo_create('open'), hilo_grant('open', 'public'), hilo_create('invoices', 'gapless'), hilo_next_tag('invoices');
	SELECT hilo_create('far', hub => 'hub');
	CREATE SEQUENCE s INCREMENT 10;
	SELECT hilo_adopt_sequence_tag('adopted', 's', 'efcore'), hilo_next_tag('adopted')}, extra_params => [ '-U', 'owner' ]);

my @as_owner = ('-U', 'owner', '--no-password', '-h', $node->host, '-p', $node->port);
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');

# Make a database of the owner's with hilo, and maybe with generators of others.
sub make_target
{
	my ($with_others) = @_;

	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target OWNER owner');
	$node->safe_psql('target', 'CREATE EXTENSION hilo; CREATE FOREIGN DATA WRAPPER nowhere; GRANT USAGE ON FOREIGN DATA WRAPPER nowhere TO owner');
	$node->safe_psql('target', q{
		GRANT CREATE ON DATABASE target TO alice;
		SELECT hilo_create('supers'), hilo_seed('supers', 5), hilo_create('orders'), hilo_seed('orders', 1000), hilo_alter('orders', owner => 'owner');
		SET ROLE alice;
		SELECT hilo_create('alices')}) if $with_others;
	return;
}

# Restores as the owner, and compares what is skipped and what is there then.
sub test_owner
{
	my ($how, $with_others, $dump, @restore) = @_;
	my ($stdout, $stderr);

	make_target($with_others);
	$node->command_ok([ 'pg_dump', @as_owner, '--no-comments', @$dump, 'source' ], "$how: dump by the owner");
	# the foreign server, which is a superuser's
	IPC::Run::run([@restore], '>', \$stdout, '2>', \$stderr);
	my @skipped = sort $stderr =~ /WARNING:  skipping (.*)/g;
	my @expected = (
		'"adopted" of table "hilo_generator"', '"adopted" of table "hilo_source"', '"far" of table "hilo_generator"',
		$with_others ? ('"alices" of table "hilo_hi"', '"supers" of table "hilo_hi"') :
		('the right of role "alice" to generator "alices"', qq(the right of role "$superuser" to generator "supers")),
		'the right of role "clerk" to generator "granted"', 'the right of role "public" to generator "open"');
	is_deeply(\@skipped, [ sort @expected ], "$how: what is skipped");
	is_deeply([ grep { !/foreign|server|member of role|SET ROLE/i } $stderr =~ /ERROR:  (.*)/g ], [], "$how: and nothing failed");
	is($node->safe_psql('target', $generators),
		join("\n", $with_others ? 'alices|alice|f|0' : 'alices|owner|f|200',
			'granted|owner|f|50', 'invoices|owner|f|1', 'open|owner|f|0',
			$with_others ? 'orders|owner|f|1000' : 'orders|owner|f|64',
			$with_others ? "supers|$superuser|f|5" : 'supers|owner|f|300'), "$how: what is there");
	is($node->safe_psql('target', q{SELECT count(*) FROM hilo_sources()}), 0, "$how: no source");
	is($node->safe_psql('target', q{SELECT hilo_create('far'), hilo_next_tag('far')}, extra_params => [ '-U', 'owner' ]) =~ /\d+/,
		1, "$how: what was skipped can be made anew");
	return;
}

foreach my $with_others (0, 1)
{
	my $what = $with_others ? 'alongside generators of others' : 'into nothing';
	my @psql = ('psql', '-Xq', @as_owner, '-d', 'target', '-f');
	my @pg_restore = ('pg_restore', '-v', @as_owner, '-d', 'target');

	test_owner("plain, $what", $with_others, [ '-f', "$dir/plain" ], @psql, "$dir/plain");
	test_owner("inserts, $what", $with_others, [ '--inserts', '-f', "$dir/inserts" ], @psql, "$dir/inserts");
	test_owner("data only, $what", $with_others, [ '--data-only', '-t', 'hilo_internal.*', '-f', "$dir/data" ],
		@psql[ 0 .. $#psql - 1 ], '-c', 'CREATE SEQUENCE s', '-f', "$dir/data");
	test_owner("custom, $what", $with_others, [ '-Fc', '-f', "$dir/custom" ], @pg_restore, "$dir/custom");
	test_owner("parallel, $what", $with_others, [ '-Fd', '-j', '4', '-f', "$dir/directory$with_others" ], @pg_restore, '-j', '4', "$dir/directory$with_others");
}
$node->safe_psql('target', 'DROP TABLE orders');
$node->command_ok([ 'pg_restore', @as_owner, '-j', '4', '--data-only', '-t', 'hilo_hi', '-d', 'target', "$dir/directory1" ], 'once more');
is($node->safe_psql('target', q{SELECT last FROM hilo_generators() WHERE name = 'orders'}), 1000, 'nothing is lowered');

# A superuser restores what the owner has dumped, with sources, hubs and rights.
$node->safe_psql('postgres', 'CREATE DATABASE by_superuser');
$node->command_ok([ 'pg_restore', '-d', 'by_superuser', "$dir/custom" ], 'restore by a superuser');
is($node->safe_psql('by_superuser', 'SELECT name, owner, is_public, grants, hub FROM hilo_generators() ORDER BY name'),
	"adopted|owner|f|{}|\nalices|alice|f|{}|\nfar|owner|f|{}|hub\ngranted|owner|f|{clerk}|\ninvoices|owner|f|{}|\nopen|owner|t|{}|\norders|owner|f|{}|\nsupers|$superuser|f|{}|", 'all are there');
is(psql_as('clerk', 'by_superuser', q{SELECT hilo_next_tag('granted')}), 51, 'a grant is there');
is($node->safe_psql('by_superuser', q{SELECT source FROM hilo_sources()}), 's', 'and a source');
$node->safe_psql('postgres', q{
	DROP DATABASE source;
	CREATE DATABASE source OWNER owner});
$node->safe_psql('source', 'CREATE EXTENSION hilo');
$node->safe_psql(
	'source', q{
	SELECT hilo_next_range('open', 40);
	SELECT hilo_grant('open', 'public');
	SELECT hilo_create('granted');
	SELECT hilo_grant('granted', 'clerk');
	SELECT hilo_next_range('granted', 50)}, extra_params => [ '-U', 'owner' ]);

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
	GRANT CREATE ON DATABASE source TO missing;
	SELECT hilo_grant('granted', 'missing');
	SET ROLE missing;
	SELECT hilo_create('orphan');
	SELECT hilo_grant('orphan', 'clerk');
	SELECT hilo_next_range('orphan', 60)});
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/missing", 'source' ],
	'dump with an owner and a grant');
$node->safe_psql('source', 'DROP OWNED BY missing');
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
is(psql_as('clerk', 'without_role', q{SELECT hilo_next_tag('orphan')}),
	61, 'a role that was granted it goes on with it');

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
	q{SELECT hilo_next_tag('granted')},
	qr/permission denied for generator "granted"/,
	'a role of that name that comes later has no right');
is( $node->safe_psql(
		'without_role', q{
		SELECT hilo_alter('orphan', owner => 'owner');
		SET ROLE owner;
		SELECT hilo_seed('orphan', 1000)}),
	"\n1000", 'a superuser can give it to another owner');

# A generator of a table follows that table: restored with owners and without, and where
# the table is another role's by then.
$node->safe_psql('postgres', 'CREATE DATABASE tables');
$node->safe_psql('tables', q{CREATE EXTENSION hilo; CREATE SCHEMA "a b"; CREATE TABLE "a b"."T" (id bigint DEFAULT hilo_next('"a b"."T"'));
	INSERT INTO "a b"."T" DEFAULT VALUES; ALTER TABLE "a b"."T" OWNER TO alice; CREATE TEMP TABLE t (id bigint DEFAULT hilo_next_tag('temporary')); INSERT INTO t DEFAULT VALUES});
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/tables", 'tables' ], 'dump of a table');
foreach my $option ('--verbose', '--no-owner')
{
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target');
	$node->command_ok([ 'pg_restore', $option, '-d', 'target', "$dir/tables" ], "$option: restored");
	is($node->safe_psql('target', q{SELECT name, owner, last FROM hilo_generators() ORDER BY name}),
		($option eq '--no-owner' ? qq("a b"."T"|$superuser|32) : '"a b"."T"|alice|32') . "\ntemporary|$superuser|32", "$option: its owner");
	$node->safe_psql('target', 'ALTER TABLE "a b"."T" OWNER TO clerk');
	is($node->safe_psql('target', q{SELECT owner FROM hilo_generators() WHERE name ~ 'T'}), 'clerk', "$option: and later");
}

$node->stop;
done_testing();
