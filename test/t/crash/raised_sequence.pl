# A sequence that hilo has raised is as high after a kill -9, and after a promotion, wherever it
# was before, and whatever nextval does beside it.
#
# nextval has up to 32 values more in its WAL than on the page: a record that holds only what
# differs from the page goes wrong over that, where they carry into another byte.

use strict;
use warnings;

use FindBin;
use lib map { "$FindBin::RealBin/$_" } qw(../lib ../../proof/torture);

use Faults::Processes;
use HiloTest;
use Test::More;

# nothing but hilo, and commits that ask for it, brings WAL to disk
my $conf = "wal_writer_delay = 10s\nwal_writer_flush_after = 1GB\n";
my $node = hilo_node('raised', allows_streaming => 1, conf => $conf);

# Where each of 300 is, by how many calls of nextval, and to which id it is raised: by a power of
# 256 and to that same byte, by fewer values than are logged, by a few more, and to anywhere.
$node->safe_psql('postgres', q{
	CREATE VIEW heights AS
	SELECT n, 's_' || n AS seq, step, calls, greatest(1, drawn - step * greatest(calls - 1, 0)) AS start,
		CASE n % 10
			WHEN 0 THEN drawn + 1 + n / 10
			WHEN 8 THEN drawn + step * 33 + n / 10
			WHEN 9 THEN drawn + abs(hashint8extended(n, 1)::numeric) * 256 ^ -(n / 10 % 8)
			ELSE drawn + 256::numeric ^ (n % 10) * (1 + n % 3) - 1
		END::bigint AS height
	FROM generate_series(1, 300) n,
		LATERAL (SELECT CASE WHEN n % 3 = 0 THEN 50 ELSE 1 END AS step,
			CASE WHEN n % 11 = 0 THEN 0 ELSE 1 + n * 7 % 41 END AS calls,
			(256::numeric ^ (1 + n / 10 % 3) - 1 - n / 10)::bigint AS drawn) x;
	CREATE FUNCTION draw(seq text, n int) RETURNS bigint LANGUAGE SQL
		AS 'SELECT max(nextval(seq::regclass)) FROM generate_series(1, n)'});

sub make_sequences
{
	$node->safe_psql('postgres', q{
		SELECT hilo_drop(name) FROM hilo_sources() WHERE name ^@ 's_';
		SELECT format('DROP SEQUENCE IF EXISTS %s; CREATE SEQUENCE %1$s START %s INCREMENT %s', seq, start, step) FROM heights \gexec
		SELECT hilo_adopt_sequence_tag(seq, seq::regclass, CASE step WHEN 1 THEN 'hibernate-none' ELSE 'efcore' END),
			draw(seq, calls) FROM heights});
	return;
}

# Raise them all, a third in a transaction that is rolled back; return a table of the answers.
sub raise_all
{
	my ($session) = @_;
	my $raise = q{SELECT format('(%L, %s)', seq, hilo_seed(seq, height)) FROM heights WHERE n};
	my @answers =
	  (run_in($session, "$raise <= 200"), run_in($session, "BEGIN; $raise > 200; ROLLBACK"));

	return join ', ', map { split /\n/ } @answers;
}

# No sequence gives anything at or below what was answered.
sub is_above
{
	my ($topic, $raised, $server) = @_;
	my $lost = $server->safe_psql('postgres', qq{
		SELECT format('%s raised to %s gives %s', seq, last, next)
		FROM (VALUES $raised) raised (seq, last), LATERAL (SELECT nextval(seq::regclass) AS next) x
		WHERE next <= last});

	is($lost, '', $topic);
	return;
}

sub kill_and_start
{
	my ($server, @sessions) = @_;

	Faults::Processes::kill_all($server);
	end_session($_) foreach @sessions;
	$server->start;
	return;
}

foreach (map { [ $_, 0 ], [ $_, 3 ] } qw(no before after))
{
	my ($checkpoint, $calls) = @$_;

	make_sequences();
	$node->safe_psql('postgres', 'CHECKPOINT') if $checkpoint eq 'before';
	my $session = hilo_session($node, '-c synchronous_commit=off');
	my $raised = raise_all($session);
	$node->safe_psql('postgres', 'CHECKPOINT') if $checkpoint eq 'after';
	$raised .= ', ' . $node->safe_psql('postgres',
		"SELECT string_agg(format('(%L, %s)', seq, draw(seq, $calls)), ', ') FROM heights")
	  if $calls;
	kill_and_start($node, $session);
	is_above("$checkpoint checkpoint, then $calls calls of nextval", $raised, $node);
}

# by what rows hold
$node->safe_psql('postgres', q{
	CREATE TABLE resynced (id bigint); CREATE TABLE attached (id bigint); CREATE TABLE joins (id bigint);
	CREATE TABLE joined (id bigint) PARTITION BY RANGE (id);
	SELECT format('CREATE SEQUENCE %I', rel || '_seq') FROM unnest('{resynced,attached,joined}'::text[]) rel \gexec
	SELECT hilo_adopt_sequence(rel, 'id', rel || '_seq', 'hibernate-none'), draw(rel || '_seq', 240)
	FROM unnest('{resynced,attached,joined}'::regclass[]) rel;
	INSERT INTO resynced VALUES (495); INSERT INTO attached VALUES (495); INSERT INTO joins VALUES (495);
	SELECT hilo_attach('attached', 'id');
	ALTER TABLE joined ATTACH PARTITION joins DEFAULT});
my $session = hilo_session($node, '-c synchronous_commit=off');
is(run_in($session, q{SELECT hilo_resync('resynced', 'id')}), 495, 'rows are resynced');
kill_and_start($node, $session);
is_above('by rows', q{('resynced_seq', 495), ('attached_seq', 495), ('joined_seq', 495)}, $node);

# A seed of what was set back writes nothing but the sequence, as the generator's window is higher,
# or nothing at all, as another session has passed it.
sub set_back
{
	$node->safe_psql('postgres', q{
		SELECT hilo_drop(name) FROM hilo_sources() WHERE name = 'back';
		DROP SEQUENCE IF EXISTS back; CREATE SEQUENCE back START 1000;
		SELECT hilo_adopt_sequence_tag('back', 'back', 'hibernate-none'), hilo_next_tag('back'), setval('back', 1)});
	return;
}

foreach my $beside ('SELECT', q{BEGIN; SELECT setval('back', 2000)})
{
	set_back();
	my ($other, $session) = map { hilo_session($node, '-c synchronous_commit=off') } 1 .. 2;
	run_in($other, $beside);
	is(run_in($session, q{SELECT hilo_seed('back', 500)}), 1000, "set back, and beside it $beside");
	kill_and_start($node, $session, $other);
	is_above('it is as high after a crash', q{('back', 1000)}, $node);
}

# with a synchronous standby
my $standby = sync_standby($node);
set_back();
make_sequences();
$session = hilo_session($node, '-c synchronous_commit=local');
my $hasty = hilo_session($node, '-c statement_timeout=1s');
my $raised = raise_all($session);
$standby->stop;
is(state_of($hasty, q{SELECT hilo_seed('back', 500)}), '57014', 'a raise waits for the standby');
$standby->start;
is(run_in($session, q{SELECT hilo_seed('back', 500)}), 1000, 'which comes back');
Faults::Processes::kill_all($node);
end_session($_) foreach $session, $hasty;
$standby->promote;
is_above('on the standby that takes over', "$raised, ('back', 1000)", $standby);
$standby->stop;

# Where the file of a new sequence is synced in place of WAL; this style raises it at once.
my $minimal = hilo_node('minimal', conf => "${conf}wal_level = minimal\nmax_wal_senders = 0\n");
foreach my $threshold ('2MB', '0')
{
	$minimal->safe_psql('postgres', qq{
		SET wal_skip_threshold = '$threshold'; DROP SEQUENCE IF EXISTS pooled;
		BEGIN; CREATE SEQUENCE pooled INCREMENT 50; SELECT hilo_adopt_sequence_tag('pooled', 'pooled', 'nhibernate-pooled'); COMMIT});
	kill_and_start($minimal);
	is_above("wal_level = minimal, $threshold", q{('pooled', 50)}, $minimal);
}
foreach my $kind ('TEMPORARY', 'UNLOGGED')
{
	$session = hilo_session($minimal);
	run_in($session, "CREATE $kind SEQUENCE fleeting");
	is(state_of($session, q{SELECT hilo_adopt_sequence_tag('fleeting', 'fleeting', 'hibernate-none')}),
		'55000', "$kind: not adopted");
	end_session($session);
}

$minimal->stop;
done_testing();
