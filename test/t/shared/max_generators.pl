# hilo.max_generators: whatever their number, generators that take each other's place
# in shared memory hand out no id twice, and lose few.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', conf => "shared_preload_libraries = 'hilo'\nhilo.max_generators = 1");

# A session that has an id twice fails by the key.
$node->safe_psql('postgres', q{
	CREATE TABLE seen (name text, id int8, PRIMARY KEY (name, id));
	SELECT hilo_create('t' || i, CASE WHEN i % 2 = 0 THEN 'global' ELSE 'session' END) FROM generate_series(1, 8) i});
my $script = PostgreSQL::Test::Utils::tempdir() . '/take.sql';
append_to_file($script, q{\set i random(1, 8)
INSERT INTO seen SELECT 't' || :i, hilo_next_tag('t' || :i) FROM generate_series(1, 3);
});

sub take
{
	my (@options) = @_;
	my ($stdout, $stderr);

	return IPC::Run::start([ 'pgbench', '-n', '-c', 4, @options, '-f', $script,
			$node->connstr('postgres') ],
		'>', \$stdout, '2>', \$stderr);
}

foreach my $number (1, 5, 2, 8192, 1)
{
	$node->append_conf('postgresql.conf', "hilo.max_generators = $number");
	$node->restart;
	ok(take('-t', 40)->finish, "$number generators in shared memory, eight in use");
	my $before = $node->safe_psql('postgres', 'SELECT count(*) FROM seen');
	my $run = take('-T', 60);
	$node->poll_query_until('postgres', "SELECT count(*) > $before + 100 FROM seen") or die;
	crash($node);
	$run->finish;
	ok(take('-t', 40)->finish, 'after a crash');
}
unlike(slurp_file($node->logfile), qr/ (23505|XX\d{3}) |PANIC|TRAP/, 'no id twice');

# Generators used in turn: each time one comes back, its window is half as long.
$node->append_conf('postgresql.conf', 'hilo.max_generators = 2');
$node->restart;
foreach my $ordering (qw(session global))
{
	$node->safe_psql('postgres',
		"SELECT hilo_create('$ordering' || i, '$ordering') FROM generate_series(1, 8) i");
	$node->safe_psql('postgres',
		"SELECT count(hilo_next_tag('$ordering' || i)) FROM generate_series(1, 8) i") for 1 .. 30;
	cmp_ok($node->safe_psql('postgres',
			"SELECT max(reserved) FROM hilo_internal.hilo_hi WHERE name LIKE '$ordering%'"),
		'<', 120, "of 30 ids one at a time, $ordering ones lose few");
	is($node->safe_psql('postgres',
			"SELECT max(id) - min(id) FROM hilo_next_tag('${ordering}1', 1000) id"),
		999, 'and a call for many gets them in a row');
}

# A new generator has a whole window, however many there were before it.
$node->safe_psql('postgres', q{SELECT hilo_create('new' || i, range_size => 100) FROM generate_series(1, 5) i});
$node->safe_psql('postgres', q{SELECT hilo_next_tag('new' || i) FROM generate_series(1, 5) i});
is($node->safe_psql('postgres', q{SELECT DISTINCT reserved FROM hilo_internal.hilo_hi WHERE name LIKE 'new%'}),
	100, 'a new generator has a whole window when all slots are taken');

# A generator that is dropped leaves its slot: the others keep theirs.
$node->append_conf('postgresql.conf', 'hilo.max_generators = 3');
$node->restart;
$node->safe_psql('postgres', q{
	SELECT hilo_create('kept'), hilo_create('back');
	SELECT hilo_next_tag('kept')});
$node->safe_psql('postgres', q{
	SELECT hilo_create('gone');
	SELECT hilo_next_tag('gone');
	SELECT hilo_drop('gone');
	CREATE TABLE gone (id int8 PRIMARY KEY DEFAULT hilo_next('gone'));
	INSERT INTO gone DEFAULT VALUES;
	DROP TABLE gone;
	INSERT INTO seen SELECT 'back', hilo_next_tag('back', 5);
	BEGIN;
	SELECT hilo_drop('back');
	ROLLBACK;
	INSERT INTO seen SELECT 'back', hilo_next_tag('back', 5)}) for 1 .. 20;
is($node->safe_psql('postgres', q{SELECT ranges FROM hilo_stats() WHERE name = 'kept'}),
	1, 'no window is lost to generators that were dropped');

# A server that does not preload hilo cannot have the setting.
$node->append_conf('postgresql.conf', q{shared_preload_libraries = ''});
$node->restart;
is($node->psql('postgres',
		q{SET client_min_messages = warning; SELECT hilo_next_tag('session1') > 0}, stdout => \my $is_id, stderr => \my $warning),
	0, 'not preloaded');
is($is_id, 't', 'ids go on');
like($warning, qr/WARNING:  invalid configuration parameter name "hilo.max_generators"/,
	'with a warning');
$node->stop;

done_testing();
