
# A standby may be promoted that does not know what the primary handed out
# last: each generator first skips ids, once, and no range of before counts.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = hilo_node('primary', allows_streaming => 1);
my $standby = standby_of($primary);

$primary->safe_psql('postgres', "SELECT hilo_create('left')");
my @sessions = map { hilo_session($primary) } (1, 2);
run_in($_, "SELECT hilo_next_tag('left')") foreach @sessions;
foreach my $session (@sessions)
{
	my $pid = pid_of($session);
	end_session($session);
	wait_for_end($primary, $pid);
}

# every generator has reserved 52 ids, by two ranges of 20 out of windows of 20 and 32
my @names = qw(default none fixed seeded low_seed forced returned gapless merged);
$primary->safe_psql('postgres',
	"SELECT hilo_create('few', max_value => 100), hilo_create('unused')");
my @numbers = split /\n/, $primary->safe_psql('postgres',
	join(';', map { "SELECT range_no FROM hilo_next_range('$_', 20)" } (@names, @names)));
$primary->safe_psql('postgres',
	q{SELECT hilo_create('huge', range_size => 1::bigint << 62, max_range_size => 1::bigint << 62), hilo_next_range('huge')});
$primary->safe_psql('postgres', q{CREATE TABLE hi (next_hi bigint); INSERT INTO hi VALUES (1);
	SELECT hilo_adopt_table_tag('adopted', 'hi', 'classic', 10), hilo_alter('adopted', max_value => 109);
	SELECT hilo_next_tag('adopted', 90);
	CREATE TABLE seeded_hi (next_hi bigint); INSERT INTO seeded_hi VALUES (1);
	SELECT hilo_adopt_table_tag('adopted_seeded', 'seeded_hi', 'classic', 10), hilo_next_range('adopted_seeded', 1500)});
my %range_no;
# the last one of each
$range_no{$_} = pop @numbers foreach reverse @names;

$primary->wait_for_catchup($standby);
$primary->stop('immediate');
$standby->promote;

sub value_of
{
	my (@statements) = @_;

	return (split /\n/, $standby->safe_psql('postgres', join(';', @statements)))[-1];
}

my $take = 'SELECT low FROM hilo_next_range';

is(value_of("$take('default', 5)"), 117, 'twice the last window is skipped');
like(
	slurp_file($standby->logfile),
	qr/LOG:  generator "default" skipped 64 ids/,
	'and logged');
is(value_of("$take('default', 5)"), 122, 'once');
is(value_of('SET hilo.failover_skip = 0', "$take('none', 5)"),
	53, 'nothing is, with hilo.failover_skip = 0');
is(value_of("$take('none', 5)"), 58, 'and not later on');
is(value_of('SET hilo.failover_skip = 100', "$take('fixed', 5)"),
	153, 'or as many as it says');
is(value_of("SELECT hilo_next_tag('default')"), 127, 'hilo_next goes on');

is(value_of("SELECT hilo_seed('seeded', 60)"), 60, 'a seed does not skip');
is(value_of("$take('seeded', 5)"), 125, 'and leaves that to what follows it');
is(value_of("SELECT hilo_seed('low_seed', 10)"),
	52, 'a seed that changes nothing does not skip');
is(value_of("$take('low_seed', 5)"), 117, 'and leaves that to what follows it');
is(value_of("SELECT hilo_seed('forced', 60, true)"),
	60, 'a forced seed does not skip');
is(value_of("$take('forced', 5)"), 61, 'nor does what follows it');

my $return = "SELECT hilo_return_range('returned', 40, 30, $range_no{returned})";
is(value_of($return), 'f', 'a range of the old primary is not taken back');
is(value_of("$take('returned', 5)"), 117, 'so it is not handed out again');
is(value_of($return), 'f', 'now nor later');
is(value_of("SELECT hilo_alter('gapless', 'gapless')", "SELECT hilo_next_tag('gapless')"), 117,
	'numbers without gaps begin above what is skipped');

is(value_of("SELECT hilo_alter('unused', 'gapless')", "SELECT hilo_next_tag('unused')"), 65,
	'also if none is known to be handed out');

is(value_of("SELECT hilo_next_tag('few')"), 13, 'an eighth of the ids, if twice the range is too much');
is(value_of("SELECT hilo_next_tag('adopted', 10)"), 109,
	'of a source of an ORM nothing is skipped');
is(value_of("SELECT hilo_seed('adopted_seeded', 2000)"), 2000, 'nor by a seed');

is(value_of("INSERT INTO hilo_internal.hilo_hi SELECT * FROM hilo_internal.hilo_hi WHERE name = 'merged'", "$take('merged', 5)"),
	117, 'what a restore brings before the first range leaves the skip to it');

is(value_of("SELECT hilo_next_tag('left')"), 129,
	'what sessions of the old primary returned is not handed out');

my (undef, undef, $stderr) = $standby->psql('postgres', q{SELECT hilo_next_tag('huge')},
	extra_params => [ '-v', 'VERBOSITY=sqlstate' ]);
is($stderr, 'psql:<stdin>:1: WARNING:  01000',
	'nor does a generator end where twice the last range are more ids than there are');

is(value_of("SELECT hilo_next_tag('new')"), 1, 'a new generator skips nothing');

# what was skipped is on disk
crash($standby);
cmp_ok(value_of("$take('default', 5)"), '>', 127, 'all goes on after a crash');

$standby->stop;
done_testing();
