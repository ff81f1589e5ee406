# A database stays the same one whatever is done to its row in pg_database: its
# windows go on.  A copy that gets the number of a database that was dropped is
# another one: it repeats no id that its own tables have.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', conf => 'log_statement = none');
my $oid = 60000;
my $next = q{INSERT INTO seen SELECT hilo_next_tag('x')};
my %place;

$node->safe_psql('postgres', 'CREATE ROLE app');
$node->safe_psql('postgres',
	q{SET allow_in_place_tablespaces = on; CREATE TABLESPACE space LOCATION ''});

# All at once: a copy needs a template without connections.
sub take
{
	my ($database, $count) = @_;
	my $ids = $node->safe_psql($database, join ';', ("$next RETURNING id") x $count);

	return (split /\n/, $ids)[-1];
}

# Copy a database to a number, or to the next one.
sub copy_of
{
	my ($template, $database, $number) = @_;

	$place{$database} = $number // $oid++;
	$node->poll_query_until('postgres',
		"SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = '$template'");
	$node->safe_psql('postgres',
		"CREATE DATABASE $database OID = $place{$database} TEMPLATE $template");
	return;
}

# Drop a database, and give its number to a copy of another, which the answer is then.
sub replace_by
{
	my ($database, $template) = @_;

	$node->safe_psql('postgres', "DROP DATABASE $database (FORCE)");
	copy_of($template, $database, $place{$database});
	return;
}

# The primary key would refuse an id that the tables have.
sub goes_on
{
	my ($database, $what) = @_;
	my ($highest, $floor) = split /\|/, $node->safe_psql($database,
		'SELECT max(id), (SELECT max(floor) FROM floors) FROM seen');
	my ($status, undef, $stderr) =
	  $node->psql($database, "$next FROM generate_series(1, 300); $next");

	is($stderr, '', "$what: no id repeats");
	is($node->safe_psql($database,
			"SELECT count(*) FROM seen WHERE id > $highest AND id <= $floor"),
		0, "$what: nor is below a seed")
	  if $floor;
	return;
}

foreach my $preload ('', 'hilo')
{
	my $how = $preload ? 'preloaded' : 'not preloaded';
	my $restart = sub { $node->restart if $preload };

	$node->append_conf('postgresql.conf', "shared_preload_libraries = '$preload'");
	$node->restart;
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS renamed');
	$node->safe_psql('postgres', 'CREATE DATABASE origin');
	$node->safe_psql('origin', q{
		CREATE EXTENSION hilo;
		CREATE TABLE seen (id bigint PRIMARY KEY);
		CREATE TABLE floors (floor bigint);
		SELECT hilo_create('x', 'global');
		SELECT hilo_create('y', max_range_size => 16000000)});

	# whatever changes its row
	copy_of('origin', 'lasting');
	take('lasting', 3);
	my $last = take('lasting', 1);
	my $database = 'lasting';
	foreach my $change (
		'GRANT CONNECT ON DATABASE lasting TO PUBLIC',
		'GRANT ALL ON DATABASE lasting TO app',
		'REVOKE ALL ON DATABASE lasting FROM app',
		'ALTER DATABASE lasting CONNECTION LIMIT 50',
		'ALTER DATABASE lasting WITH IS_TEMPLATE true',
		q{ALTER DATABASE lasting SET work_mem = '8MB'},
		'ALTER DATABASE lasting OWNER TO app',
		'ALTER DATABASE lasting RESET ALL',
		'ALTER DATABASE lasting REFRESH COLLATION VERSION',
		'ALTER DATABASE lasting SET TABLESPACE space',
		q{COMMENT ON DATABASE lasting IS 'app'},
		'ALTER DATABASE lasting SET TABLESPACE pg_default',
		'ALTER DATABASE lasting WITH IS_TEMPLATE false',
		'ALTER DATABASE lasting RENAME TO renamed')
	{
		$node->poll_query_until('postgres',
			"SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = 'lasting'");
		$node->safe_psql('postgres', $change);
		$database = 'renamed' if $change =~ /RENAME/;
		$restart->() if $change =~ /LIMIT|RENAME/;
		is(take($database, 1), ++$last, "$how: $change");
	}
	if ($node->pg_version >= 17)
	{
		$node->safe_psql($database, q{
			CREATE FUNCTION greet() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
			CREATE EVENT TRIGGER greet ON login EXECUTE FUNCTION greet()});
		is($node->safe_psql('postgres',
				"SELECT dathasloginevt FROM pg_database WHERE datname = '$database'"),
			't', 'it has a login trigger');
		is(take($database, 1), ++$last, "$how: a login trigger");
		$node->safe_psql($database, 'DROP EVENT TRIGGER greet');
		is(take($database, 1), ++$last, "$how: and its end, which a login notes");
	}
	take('origin', 1);
	my $session = $node->background_psql($database, on_error_stop => 0);
	is(run_in($session, "$next RETURNING id"), ++$last, "$how: a session");
	$node->safe_psql('postgres', "REVOKE TEMP ON DATABASE $database FROM PUBLIC");
	is(run_in($session, "$next RETURNING id"), ++$last, "$how: that stays meanwhile");
	end_session($session);

	# another copy of the origin, which has handed out ids since
	copy_of('origin', 'app');
	take('app', 3);
	take('origin', 5);
	replace_by('app', 'origin');
	$restart->();
	goes_on('app', "$how: another copy");

	# a copy of the database itself, as it was one or some windows ago
	foreach my $ids (0, 300)
	{
		take('app', 1);
		copy_of('app', 'early');
		take('app', $ids + 3);
		copy_of('app', 'late');
		replace_by('app', 'early');
		$restart->();
		goes_on('app', "$how: itself, $ids ids ago");
		replace_by('app', 'late');
		goes_on('app', "$how: itself, later");
		replace_by('app', 'early');
		take('app', 1);
		replace_by('app', 'late');
		goes_on('app', "$how: itself, later, after few ids");
		$node->safe_psql('postgres', "DROP DATABASE $_") foreach 'early', 'late';
	}

	# a range past the window comes first, and takes the row beyond all that was reserved
	my $next_y = q{SELECT max(id) FROM hilo_next_tag('y', 300) id};
	$node->safe_psql('app', $next_y);
	copy_of('app', 'early');
	$node->safe_psql('app', $next_y) foreach 1 .. 3;
	replace_by('app', 'early');
	my $high = $node->safe_psql('app', q{SELECT high FROM hilo_next_range('y', 12000000)});
	cmp_ok($node->safe_psql('app', q{SELECT hilo_next_tag('y')}),
		'>', $high, "$how: a range past the window of the database before");
	$node->safe_psql('postgres', 'DROP DATABASE early');

	# both were raised
	copy_of('app', 'raised');
	$node->safe_psql('app', q{SELECT hilo_seed('x', (SELECT max(id) + 1000 FROM seen))});
	take('app', 2);
	$node->safe_psql('raised',
		q{INSERT INTO floors SELECT hilo_seed('x', (SELECT max(id) + 5000 FROM seen))});
	replace_by('app', 'raised');
	goes_on('app', "$how: a copy that was raised");

	# what no session has looked at since the copy
	copy_of('app', 'read');
	take('app', 40);
	replace_by('app', 'read');
	is($node->safe_psql('app', q{SELECT last >= (SELECT max(id) FROM seen) FROM hilo_generators() WHERE name = 'x'}),
		't', "$how: last is not below the ids of the copy");
	goes_on('app', "$how: a copy that was read");
	$node->safe_psql('postgres', "DROP DATABASE $_") foreach qw(app raised read origin);
}
$node->stop;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP| XX\d{3} /, 'the log has no complaint');

done_testing();
