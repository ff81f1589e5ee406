
# Sources of ORMs in dumps: the relation is there before the row that names it; where it
# is not, the restore says so, and the generators do not begin anew.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('dump');
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';
$node->safe_psql('postgres', q{
	CREATE SCHEMA "My App";
	CREATE SEQUENCE "My App"."EntityFrameworkHiLoSequence" INCREMENT 10;
	CREATE TABLE "My App".orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('Orders'));
	SELECT hilo_adopt_sequence_tag('Orders', '"My App"."EntityFrameworkHiLoSequence"', 'efcore');
	CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
	SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', 10, key_value => 'Doc');
	INSERT INTO "My App".orders SELECT FROM generate_series(1, 25);
	SELECT count(*) FROM hilo_next_tag('docs', 25)});
my $sources = $node->safe_psql('postgres', 'SELECT * FROM hilo_sources()');
my $last = last_of($node, 'orders');

subtest 'into a new database' => sub {
	foreach my $format ('plain', 'custom')
	{
		run_log([ 'pg_dump', '-F', $format, '-f', $dump, $node->connstr('postgres') ]);
		$node->safe_psql('postgres', "CREATE DATABASE $format");
		command_ok($format eq 'plain'
			? [ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr($format), '-f',
				$dump ]
			: [ 'pg_restore', '-e', '-d', $node->connstr($format), $dump ],
			"restore of format $format");
		is($node->safe_psql($format, 'SELECT * FROM hilo_sources()'), $sources,
			'the sources are there');
		is($node->safe_psql($format, q{INSERT INTO "My App".orders DEFAULT VALUES RETURNING id}),
			31, 'the next block of the sequence');
		is($node->safe_psql($format, q{SELECT nextval('"My App"."EntityFrameworkHiLoSequence"')}),
			41, 'which is taken');
		is($node->safe_psql($format, q{SELECT low FROM hilo_next_range('docs')}), 31,
			'the next block of the row');
	}
};

subtest 'a dump taken while ids were' => sub {
	$node->safe_psql('postgres', 'CREATE DATABASE busy');
	run_log([ 'psql', '-Xq', '-d', $node->connstr('busy'), '-c', 'CREATE EXTENSION hilo' ]);
	$node->safe_psql('busy', q{
		CREATE SEQUENCE s INCREMENT 10;
		SELECT hilo_adopt_sequence_tag('s', 's', 'efcore');
		SELECT hilo_seed('s', 1000);
		SELECT setval('s', 951)});
	is($node->safe_psql('busy', q{SELECT hilo_next_tag('s')}), 1001,
		'blocks that are known are passed over');
};

subtest 'without the relation' => sub {
	run_log([ 'pg_dump', '-Fp', '-f', $dump, '--exclude-schema="My App"',
			$node->connstr('postgres') ]);
	$node->safe_psql('postgres', 'CREATE DATABASE partly');
	command_ok([ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr('partly'), '-f',
			$dump ],
		'restore');
	my (undef, undef, $error) = $node->psql('partly', q{SELECT hilo_next_tag('orders')});
	like($error, qr/ERROR:  the source of generator "orders" is gone/, 'the error');
	$node->safe_psql('partly',
		q{CREATE SEQUENCE again INCREMENT 10 START 31; SELECT hilo_adopt_sequence_tag('orders', 'again', 'efcore')});
	is($node->safe_psql('partly', q{SELECT hilo_next_tag('orders')}), 31, 'adopted again');
	is($node->safe_psql('partly', q{SELECT low FROM hilo_next_range('docs')}), 31,
		'the other source was restored');
};

subtest 'without a relation that was dropped' => sub {
	$node->safe_psql('partly', 'DROP SEQUENCE again');
	run_log([ 'pg_dump', '-Fp', '-f', $dump, $node->connstr('partly') ]);
	$node->safe_psql('postgres', 'CREATE DATABASE dropped');
	command_ok([ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr('dropped'), '-f',
			$dump ],
		'restore');
	is($node->safe_psql('dropped', 'SELECT name, source FROM hilo_sources()'),
		"docs|mt_hilo\nOrders|", 'the other one is there');
};

subtest 'over what is there' => sub {
	run_log([ 'pg_dump', '-Fp', '-a', '-t', 'hilo_internal.*', '-f', $dump,
			$node->connstr('postgres') ]);
	$node->safe_psql('plain', q{SELECT hilo_next_range('orders') FROM generate_series(1, 3)});
	command_ok([ 'psql', '-X', '-v', 'ON_ERROR_STOP=1', '-q', '-d', $node->connstr('plain'), '-f',
			$dump ],
		'restore');
	is($node->safe_psql('plain', 'SELECT * FROM hilo_sources()'), $sources, 'the sources stay');
	is($node->safe_psql('plain', q{SELECT low FROM hilo_next_range('orders')}), 81, 'and go on');
};

$node->stop;
done_testing();
