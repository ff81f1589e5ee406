
# Everything that rewrites our tables and indexes, while sessions take ids and
# make generators: they meet no error and no id twice, and the indexes know every
# row.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

use constant WORKERS => 3;

my $node = new_node('main');

mkdir $node->basedir . '/space' or die "mkdir: $!";
$node->safe_psql('postgres',
	"CREATE TABLESPACE space LOCATION '" . $node->basedir . "/space'");

# Each round takes from a generator with ranges of one id, from one with ranges that are held
# for a while, and, unless it is to be calm, from a name that is new.
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION hilo;
	CREATE EXTENSION amcheck;
	SELECT hilo_create('single', max_value => 1000000, range_size => 1, max_range_size => 1);
	SELECT hilo_create('held', max_value => 1000000, range_size => 4, max_range_size => 4);
	CREATE TABLE ids (name text, id bigint, PRIMARY KEY (name, id));
	CREATE TABLE calm ();
	CREATE TABLE stop ();
	CREATE PROCEDURE take(worker int) LANGUAGE plpgsql AS $$
	DECLARE
		round int;
		new_name text;
	BEGIN
		LOOP
			round := nextval('rounds_' || worker);
			INSERT INTO ids VALUES ('single', hilo_next_tag('single'));
			INSERT INTO ids VALUES ('held', hilo_next_tag('held'));
			IF NOT EXISTS (SELECT FROM calm) THEN
				new_name := format('%s %s', worker, round);
				INSERT INTO ids VALUES (new_name, hilo_next_tag(new_name));
			END IF;
			COMMIT;
			EXIT WHEN EXISTS (SELECT FROM stop);
		END LOOP;
	END$$});

my @workers;
foreach my $i (1 .. WORKERS)
{
	$node->safe_psql('postgres', "CREATE SEQUENCE rounds_$i");
	my $worker = $node->background_psql('postgres', on_error_stop => 0);
	$worker->query_until(qr/begins/, "\\echo begins\nCALL take($i);\n");
	push @workers, $worker;
}

# Wait until every worker has made rounds that began after now.
sub wait_for_rounds
{
	my @rounds = map { "(SELECT last_value FROM rounds_$_)" } 1 .. WORKERS;
	my @before =
	  split /\|/, $node->safe_psql('postgres', 'SELECT ' . join ', ', @rounds);

	$node->poll_query_until('postgres',
		'SELECT ' . join ' AND ',
		map { "$rounds[$_] >= $before[$_] + 2" } 0 .. $#rounds)
	  or die 'a worker is stuck';
	return;
}

sub run_under_load
{
	my ($command) = @_;
	my (undef, undef, $stderr) = $node->psql('postgres', $command);

	wait_for_rounds();
	return $stderr;
}

# A new row of a first use is visible to every snapshot, so a check of all rows
# must not meet one.
sub index_is_sound
{
	my ($index) = @_;

	return is(
		$node->safe_psql(
			'postgres', "SELECT FROM bt_index_check('$index', true)"),
		'',
		"$index knows every row");
}

foreach my $table (map { "hilo_internal.$_" } qw(hilo_hi hilo_generator hilo_privilege))
{
	is(run_under_load($_), '', $_)
	  foreach (
		"VACUUM (FREEZE) $table",
		"VACUUM (FULL) $table",
		"CLUSTER $table USING " . (split /\./, $table)[1] . "_pkey",
		"REINDEX TABLE $table",
		"ALTER INDEX ${table}_pkey SET TABLESPACE space",
		"ALTER TABLE $table SET TABLESPACE space");

	$node->safe_psql('postgres', 'INSERT INTO calm DEFAULT VALUES');
	wait_for_rounds();
	foreach my $command ("REINDEX TABLE CONCURRENTLY $table",
		"REINDEX INDEX CONCURRENTLY ${table}_pkey")
	{
		is(run_under_load($command), '', $command);
		index_is_sound("${table}_pkey");
	}
	$node->safe_psql('postgres', 'TRUNCATE calm');
}

$node->safe_psql('postgres', 'INSERT INTO stop DEFAULT VALUES');
foreach my $worker (@workers)
{
	# A repeated id would be a violation of the primary key.
	$worker->query('SELECT');
	is($worker->{stderr}, '', 'a worker has met no error and no id twice');
	$worker->quit;
}

foreach my $table (map { "hilo_internal.$_" } qw(hilo_hi hilo_generator hilo_privilege))
{
	index_is_sound("${table}_pkey");
}
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*) - (SELECT count(DISTINCT name) FROM ids) FROM hilo_internal.hilo_hi}),
	0,
	'as many generators as names');

$node->stop;
done_testing();
