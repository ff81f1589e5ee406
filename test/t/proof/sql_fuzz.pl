
# Every function that SQL can call, with arguments drawn from what is usual, extreme
# or wrong for their types, in transactions that commit, roll back and fail: the
# server never crashes, and never answers XX000.
#
# HILO_FUZZ_SEED repeats the statements of a run, HILO_FUZZ_CALLS says how many calls each
# session does.

use strict;
use warnings;

use FindBin;
use lib map { "$FindBin::RealBin/../../$_" } qw(t/lib proof/attack);
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Surface qw(one_of);
use Test::More;

my $seed = $ENV{HILO_FUZZ_SEED} // int(rand(1 << 31));
my $calls = $ENV{HILO_FUZZ_CALLS} // 1500;
my $sessions = 3;
srand $seed;
note "HILO_FUZZ_SEED=$seed HILO_FUZZ_CALLS=$calls";

my %values = (
	bool => [qw(true false)],
	int2 => [qw(0 1 -1 32767 -32768)],
	int4 => [qw(0 1 -1 2 3 16 53 63 64 1023 1048575 1048576 2147483647 -2147483648)],
	int8 => [
		qw(0 1 -1 2 31 32 1000 99999 922337202 9007199254740991 9007199254740992
		  6123839962065403905 14150009200065 9223372036854775807 -9223372036854775808)
	],
	float8 => [qw(0 0.01 1 -1 1e308 'NaN' 'Infinity')],
	text => [
		"''", "' '", "'|'", "'/'", "'\$'", "'a'", "'b'", "'A'", "'orders'", "'users|'", "'users/'",
		"'users/1\$orders/54-B'", "'orders/0000000000000000001-A'", "'\$\$\$'", "E'\\n'", "'é'",
		"'İ'", "'%s%n'",
		"repeat('x', 511)", "repeat('x', 513)", "repeat('é|', 300)", "'hilo.decimal_id/1'",
		"'00000003NQK8N'",
		"'session'", "'global'", "'scattered'", "'gapless'", "'adopted'", "'efcore'", "'marten'",
		"'classic'",
		"'-'", "'public'", "'\"'", "';'", "'pg_class'"
	],
	bytea => [ "''", "'\\x00'", "'\\x000102030405060708090a0b0c0d0e0f'" ],
	name => [ "'a'", "'id'", "'public'", "''", "'ctid'", "'postgres'", "'clerk'", "'no such'" ],
	regclass => [ "'t'", "'s'", "'v'", "'hilo_internal.hilo_hi'", "'pg_class'",
		"'hilo_internal.hilo_hi_pkey'", "0", "1", "'p'" ],
	regtype => [ "'int8'", "0" ],
	timestamptz => [ "'now'", "'epoch'", "'infinity'", "'-infinity'", "'4714-11-24 BC'",
		"'294276-12-31'" ],
	interval => [ "'1 s'", "'0'", "'-1 day'", "'178000000 years'" ],
	jsonb => [ "'{}'", "'[]'", "'1'", "'[{\"Max\": 7, \"\@metadata\": {\"\@id\": \"Raven/Hilo/a\"}}]'", "'{\"users|\": 9}'", "'[{\"Max\": 1e400, \"\@metadata\": {\"\@id\": \"Raven/Hilo/a\"}}]'" ],
	int4range => [ "'empty'", "'[0,1)'", "'(,)'", "'[5,1048576)'", "'[-3,7]'" ],
	_int4 => [ "'{}'", "'{0,1}'", "'{1,1}'", "'{NULL}'", "'{2147483647}'", "'{{1,2},{3,4}}'" ],
	_text => [ "'{}'", "'{a,b|}'", "'{NULL}'", "'{\"\"}'", "'{{a},{b}}'" ],
	_name => [ "'{}'", "'{a,b}'", "'{NULL}'" ],
	cstring => [ "'a'", "''", "'1'" ]);

my $node = hilo_node('fuzzed', conf => q{
max_worker_processes = 20
max_prepared_transactions = 5
deadlock_timeout = '50ms'
hilo.node_no = 7
});
$node->safe_psql(
	'postgres', q{
	ALTER DATABASE postgres SET statement_timeout = '2s';
	ALTER DATABASE postgres SET hilo.launch_id = 7;
	CREATE ROLE clerk;
	CREATE TABLE t (id bigint DEFAULT hilo_next_tag('a'), n int, d text);
	CREATE TABLE p (id text, n int) PARTITION BY RANGE (anchor_bucket(id));
	CREATE SEQUENCE s INCREMENT 10;
	CREATE VIEW v AS SELECT * FROM t;
	SELECT hilo_create('b', 'global'), hilo_create('c', 'gapless'), hilo_create('a')});

# Not what is made to fail (types' input) or to be waited for.
my @functions = split /\n/, $node->safe_psql(
	'postgres', q{
	SELECT format('%I.%I', pronamespace::regnamespace, proname), prokind, proretset, string_agg(t.typname, ',' ORDER BY ordinality)
	  FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid AND d.classid = 'pg_proc'::regclass
	  LEFT JOIN unnest(p.proargtypes) WITH ORDINALITY a (typ, ordinality) ON true
	  LEFT JOIN pg_type t ON t.oid = a.typ
	 WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'hilo') AND d.deptype = 'e'
	   AND prorettype <> 'trigger'::regtype AND NOT 'internal'::regtype = ANY (proargtypes)
	 GROUP BY p.oid ORDER BY p.oid});
cmp_ok(scalar @functions, '>', 80, 'functions of the extension');

sub argument
{
	my ($type) = @_;
	my $base = $type;

	$base =~ s/^(?:id63|id53)$/int8/;
	$base =~ s/^(?:docid|any|anyelement|varchar)$/text/;
	$base =~ s/^(?:oid|regproc)$/regclass/;
	my $value = rand() < 0.07 ? 'NULL' : one_of(@{ $values{$base} // ["''"] });
	return $value . ($type eq 'any' ? '' : "::$type");
}

sub call
{
	my ($name, $kind, $is_set, $types) = split /\|/, one_of(@functions);
	my $call = "$name(" . join(', ', map { argument($_) } split /,/, $types) . ')';

	return $kind eq 'p' ? "CALL $call" : $is_set eq 't' ? "SELECT * FROM $call LIMIT 100"
	  : "SELECT $call";
}

# What is around the calls; the names of savepoints and prepared transactions need
# not exist.
my @around = (
	'BEGIN', 'BEGIN ISOLATION LEVEL SERIALIZABLE', 'BEGIN READ ONLY', ('COMMIT', 'ROLLBACK') x 4,
	'SAVEPOINT s',
	'ROLLBACK TO s', 'RELEASE s', "PREPARE TRANSACTION 'p'", "ROLLBACK PREPARED 'p'",
	"COMMIT PREPARED 'p'",
	'SET ROLE clerk', 'RESET ROLE', 'INSERT INTO t DEFAULT VALUES', 'DISCARD ALL',
	'SET hilo.prefetch = off',
	'SET hilo.auto_create = off', 'RESET ALL', 'ALTER SEQUENCE s INCREMENT 5',
	'SET search_path = pg_temp',
	'SET session_replication_role = replica');

my $dir = PostgreSQL::Test::Utils::tempdir;
my @running = map {
	my %run = (err => "$dir/$_.err");
	append_to_file("$dir/$_.sql", (rand() < 0.25 ? one_of(@around) : call()) . ";\n")
	  for (($_) x $calls);
	$run{psql} = IPC::Run::start(
		[ 'psql', '-XqAt', '-d', $node->connstr('postgres'), '-f', "$dir/$_.sql" ],
		'>', '/dev/null', '2>', $run{err});
	\%run;
} 1 .. $sessions;
$_->{psql}->finish foreach @running;
wait_for_sessions($node, 0);

my $log = slurp_file($node->logfile);
my @bad = grep { /\bXX\d\d\d |PANIC|terminated by signal|server process/ } split /\n/, $log;
is(join("\n", @bad[ 0 .. ($#bad < 9 ? $#bad : 9) ]), '',
	"no crash and no XX000; HILO_FUZZ_SEED=$seed");
is(scalar(grep { slurp_file($_->{err}) =~ /connection|server closed/i } @running), 0,
	'no session was lost');
cmp_ok(scalar(() = $log =~ /ERROR:  /g), '>', $sessions * $calls / 20, 'errors there were');
is( $node->safe_psql('postgres', q{SELECT count(*) FROM pg_locks WHERE locktype <> 'virtualxid' AND pid <> pg_backend_pid()
	  AND virtualtransaction NOT LIKE '-1/%'}),
	0, 'no lock is left');

# A generator goes on.
$node->safe_psql('postgres', "SELECT hilo_create('after'), hilo_next_tag('after')");
$node->stop;
done_testing();
