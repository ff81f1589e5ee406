# ALTER EXTENSION hilo UPDATE: to a version made here for a trial, from each version that
# has a way to it.  Ids are taken all the time: before the newer package is installed, from
# then to the update, and after it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;

plan skip_all => FaultyBuild::impossible() if FaultyBuild::impossible();

plan skip_all => 'needs test/run' unless $ENV{PRIVATE_INSTALL};

# another PostgreSQL, as other tests use hilo as it is
my $copy = PostgreSQL::Test::Utils::tempdir();
system_or_bail('cp', '-a', "$ENV{PRIVATE_INSTALL}/root", "$ENV{PRIVATE_INSTALL}/bin", $copy);
my ($share, $lib) = map { s/\n//r } `$copy/bin/pg_config --sharedir; $copy/bin/pg_config --pkglibdir`;
my ($scripts, $control, $library) = ("$share/extension/hilo", "$share/extension/hilo.control",
	"$lib/hilo.so");

my ($version) = slurp_file($control) =~ /^default_version = '(.*)'/m;
my ($trial,
	$later) = map { my $more = $_; $version =~ s/^(\d+)\.(\d+).*/"$1." . ($2 + $more) . '.0'/er } 1, 2;

my $node = hilo_node('main', install_path => $copy);
$node->safe_psql('postgres',
	q{CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'), who text); CREATE TABLE stop ()});
is($node->safe_psql('postgres', q{SELECT extversion FROM pg_extension WHERE extname = 'hilo'}),
	$version, 'the version before');
SKIP:
{
	skip 'before 18, a library has no version', 1
	  if $node->safe_psql('postgres', 'SHOW server_version_num') < 180000;
	is($node->safe_psql('postgres',
			q{LOAD 'hilo'; SELECT version FROM pg_get_loaded_modules() WHERE module_name = 'hilo'}),
		$version, 'the version of the library');
}
my @sessions = inserting('before');

# The package: the library with a function more, the whole script and the one of this step.
my $step = q{
	CREATE FUNCTION @extschema@.hilo_trial() RETURNS int LANGUAGE c STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
	COMMENT ON FUNCTION @extschema@.hilo_trial() IS 'for a trial';
	CREATE TABLE hilo_internal.hilo_trial (id bigint PRIMARY KEY, what text NOT NULL DEFAULT 'nothing');
	REVOKE ALL ON hilo_internal.hilo_trial FROM PUBLIC;
	SELECT pg_catalog.pg_extension_config_dump('hilo_internal.hilo_trial', 'WHERE id > 0');
};
my @functions = ('seed.c', 'PG_FUNCTION_INFO_V1(hilo_seed);',
	'PG_FUNCTION_INFO_V1(hilo_seed); PG_FUNCTION_INFO_V1(hilo_trial); Datum hilo_trial(PG_FUNCTION_ARGS) { PG_RETURN_INT32(11); }');
install($trial, $version, $step, FaultyBuild::build('trial', @functions));
push @sessions, inserting('between');

$node->safe_psql('postgres', 'ALTER EXTENSION hilo UPDATE');
push @sessions, inserting('after');
is($node->safe_psql('postgres', 'SELECT hilo_trial()'), 11, 'the update has brought its function');
foreach my $who (qw(before between after))
{
	my $count = rows_of($who);

	wait_until("rows of $who after the update", sub { rows_of($who) > $count + 100 });
	pass("sessions of $who go on");
}
$node->safe_psql('postgres', 'INSERT INTO stop DEFAULT VALUES');
is(end_in($_), '00000', 'no insert has failed') foreach @sessions;
end_session($_) foreach @sessions;

# After each way, the database has what a new installation has.
$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->safe_psql('fresh', 'CREATE EXTENSION hilo');
my $fresh = catalogue('fresh');
like($fresh, qr/FUNCTION public\.hilo_next_tag\(.*TABLE hilo_internal\.hilo_trial /s,
	'the catalogue has what there is');
is_catalogue('postgres', $fresh, 'the catalogue after the update under load');
foreach my $old (split /\n/, $node->safe_psql('postgres',
		"SELECT source FROM pg_extension_update_paths('hilo') WHERE target = '$trial' AND path IS NOT NULL"))
{
	my $name = "from $old";

	$node->safe_psql('postgres', qq{CREATE DATABASE "$name"});
	$node->safe_psql($name,
		"CREATE EXTENSION hilo VERSION '$old'; SELECT hilo_next_tag('orders'); ALTER EXTENSION hilo UPDATE");
	is_catalogue($name, $fresh, "the catalogue $name");
}

# A library and tables that do not fit.
my $unfit = qr/the library and the tables of extension "hilo" have different versions.*run ALTER EXTENSION hilo UPDATE/s;
my $session = hilo_session($node);
run_in($session, 'INSERT INTO orders DEFAULT VALUES');
install($later, $trial, 'ALTER TABLE hilo_internal.hilo_hi ADD COLUMN newer int;',
	FaultyBuild::build('later', @functions, 'own_table.c', '{"hilo_hi", 7,', '{"hilo_hi", 8,'));
like(($node->psql('postgres', 'INSERT INTO orders DEFAULT VALUES'))[2], $unfit,
	'tables that are too old');
run_in($session, 'INSERT INTO orders DEFAULT VALUES');
$node->safe_psql('postgres', 'ALTER EXTENSION hilo UPDATE');
$node->safe_psql('postgres', 'INSERT INTO orders DEFAULT VALUES');
$session->query('INSERT INTO orders DEFAULT VALUES');
like($session->{stderr}, $unfit, 'a library that is too old');
end_session($session);
$node->stop;
done_testing();

# Start a session that inserts rows until it is to stop.
sub inserting
{
	my ($who) = @_;
	my $one = hilo_session($node);

	start_in($one, qq{
		DO \$\$ BEGIN
			LOOP
				EXIT WHEN EXISTS (SELECT FROM stop);
				INSERT INTO orders (who) VALUES ('$who');
				COMMIT;
			END LOOP;
		END \$\$});
	wait_until("rows of $who", sub { rows_of($who) > 100 });
	return $one;
}

sub rows_of
{
	my ($who) = @_;

	return $node->safe_psql('postgres', "SELECT count(*) FROM orders WHERE who = '$who'");
}

# Install a version, as a package does: each file is there at once.
sub install
{
	my ($new, $old, $sql, $build) = @_;

	put_in_place("$scripts--$new.sql", slurp_file("$scripts--$old.sql") . $sql);
	put_in_place("$scripts--$old--$new.sql", $sql);
	put_in_place($library, slurp_file("$build.so"));
	put_in_place($control, slurp_file($control) =~ s/(default_version = ')[^']*/$1$new/r);
	return;
}

sub put_in_place
{
	my ($file, $content) = @_;

	open my $handle, '>:raw', "$file.new" or die "$file.new: $!";
	print $handle $content;
	close $handle or die "$file.new: $!";
	chmod 0755, "$file.new";
	rename "$file.new", $file or die "$file: $!";
	return;
}

sub is_catalogue
{
	my ($database, $right, $name) = @_;
	my @right = split /\n/, $right;
	my @found = split /\n/, catalogue($database);
	my ($first) = grep { ($right[$_] // '') ne ($found[$_] // '') } 0 .. ($#found > $#right
	  ? $#found : $#right);

	is($found[ $first // 0 ], $right[ $first // 0 ], $name);
	return;
}

# Return the statements that make what belongs to the extension, without what each database has
# its own of.
sub catalogue
{
	my ($database) = @_;
	my ($dump) = run_command([ 'pg_dump', '--binary-upgrade', '--schema-only', '-d',
			$node->connstr($database), '--exclude-table=public.*' ]);
	my $configuration = $node->safe_psql($database, q{
		SELECT relation::regclass, condition FROM pg_extension, unnest(extconfig, extcondition) t (relation, condition)
		 WHERE extname = 'hilo' ORDER BY relation::regclass::text});

	return $dump =~ s/\b(?:\d{5,}|[\dA-F]+\/[\dA-F]+)\b/N/gr =~ s/^SET relfrozenxid.*//mgr =~ s/^\\(un)?restrict .*//mgr . $configuration;
}
