# What the postmaster saves at an orderly shutdown: windows and what was returned to them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', allows_streaming => 1, has_archiving => 1,
	conf => "max_connections = 100\nshared_preload_libraries = 'hilo'");
my $file = $node->data_dir . '/pg_stat/hilo';

sub value { return $node->safe_psql('postgres', $_[0]) }

# Sessions one after the other share a window, though no other session is there.
value('SELECT hilo_stats_reset()');
my @ids;
my $began = time;
foreach (1 .. 200)
{
	push @ids, value("SELECT hilo_next_tag('lone')");
	wait_for_sessions($node, 0);
}
is(join(' ', @ids), join(' ', 1 .. 200), 'no gap between lone sessions');
# a window is twice as long as one that lasted less than 30 s
my $few = time - $began < 30 ? 4 : 7;
cmp_ok(value("SELECT windows FROM hilo_stats() WHERE name = 'lone'"), '<=', $few, 'few windows');
cmp_ok(value("SELECT flush_waits FROM hilo_stats() WHERE name = 'lone'"), '<=', $few,
	'few waits for the disk');

# A restart loses nothing, with a range of a client that is returned after it.
my ($low, $high, $number) = split /\|/,
value("SELECT low, high, range_no FROM hilo_next_range('lone', 10)");
is($low, 201, 'a range of a client');
foreach my $mode (qw(fast smart))
{
	my @sessions = map { hilo_session($node) } 1 .. 40;
	my @got = map { run_in($_, "SELECT hilo_next_tag('many')") } @sessions;
	if ($mode eq 'smart') { end_session($_) for @sessions }
	$node->stop($mode);
	ok(-e $file, "saved at a $mode shutdown");
	if ($mode eq 'fast') { end_session($_) for @sessions }
	$node->start;
	ok(!-e $file, 'taken at the start');
	push @got, split /\n/, value(q{SELECT hilo_next_tag('many', 40 * 32 - 40)});
	my %seen;
	$seen{$_}++ for @got;
	is(scalar(keys %seen), 40 * 32, 'each id once');
	my $span = (sort { $b <=> $a } @got)[0] - (sort { $a <=> $b } @got)[0] + 1;
	is($span, 40 * 32, 'and none is lost');
}
is(value("SELECT hilo_return_range('lone', $high, $low + 3, $number)"), 't',
	'returned after two restarts');
is(value("SELECT hilo_next_tag('lone')"), $low + 4, 'and handed out');

# Nor does a start that fails.
$node->stop;
my $hba = slurp_file($node->data_dir . '/pg_hba.conf');
$node->append_conf('pg_hba.conf', 'nonsense');
ok(!$node->start(fail_ok => 1), 'a start fails');
open my $mended, '>', $node->data_dir . '/pg_hba.conf' or die;
print $mended $hba;
close $mended;
$node->start;
is(value("SELECT hilo_next_tag('lone')"), $low + 5, 'and loses nothing');

# A crash leaves no file, and one of before is not taken.
$node->stop;
system_or_bail('cp', $file, "$file.old");
$node->start;
my $next = value("SELECT hilo_next_tag('lone')");
$node->stop('immediate');
ok(!-e $file, 'none after a crash');
system_or_bail('cp', "$file.old", $file);
$node->start;
ok(!-e $file, 'an old one is removed');
cmp_ok(value("SELECT hilo_next_tag('lone')"), '>', $next, 'and not used after a crash');

# A full disk costs the file, and leaves nothing of it; nor does a shutdown that was cut off.
symlink '/dev/full', "$file.tmp" or die;
$next = value("SELECT hilo_next_tag('lone')");
$node->stop;
ok(!-e $file && !-l "$file.tmp", 'none of a full disk, nor a part of it');
like(slurp_file($node->logfile), qr/could not write file "pg_stat\/hilo": No space left on device/,
	'which is logged');
append_to_file("$file.tmp", 'cut off');
$node->start;
ok(!-e "$file.tmp", 'a part of one is removed');
cmp_ok(value("SELECT hilo_next_tag('lone')"), '>', $next, 'and ids go on');

# Nor is what sessions found before a restart taken for what is so after it, however often
# something has changed since; a transaction with an xid keeps nothing of what it finds.
value(q{SELECT hilo_create('found', max_range_size => 2000)});
value(q{SELECT hilo_next_tag('found')}) for 1 .. 2;
$node->restart;
value(q{SELECT hilo_alter('found', max_range_size => 40)});
my @sizes = map {
	value("SELECT hilo_alter('lone', max_range_size => 1000 + $_)");
	value(q{BEGIN; CREATE TEMPORARY TABLE t ON COMMIT DROP AS SELECT high - low + 1 AS size
		FROM hilo_next_range('found', last_size => 2000, last_range_at => now()); SELECT size FROM t; COMMIT});
} 1 .. 30;
is("@sizes", join(' ', (40) x 30), 'each change of a definition is seen');

# Nor one of an earlier shutdown, whose window is in use since.
$node->stop;
system_or_bail('cp', $file, "$file.old");
$node->start;
$next = value("SELECT hilo_next_tag('lone')");
$node->stop;
system_or_bail('cp', "$file.old", $file);
$node->start;
cmp_ok(value("SELECT hilo_next_tag('lone')"), '>', $next, 'nor one of an earlier shutdown');

# Nor after a start without the library.
$node->stop;
system_or_bail('cp', $file, "$file.old");
$node->start;
$node->append_conf('postgresql.conf', q{shared_preload_libraries = ''});
$node->restart;
$next = value("SELECT hilo_next_tag('lone')");
system_or_bail('cp', "$file.old", $file);
$node->append_conf('postgresql.conf', q{shared_preload_libraries = 'hilo'});
$node->restart;
cmp_ok(value("SELECT hilo_next_tag('lone')"), '>', $next, 'nor one of before another start');

# Nor one that is written half, or damaged, or of another system, which comes after its name and
# size.
foreach ([ 'written half', sub { truncate $_[0], (-s $file) - 100_000 } ],
	[ 'damaged', sub { seek $_[0], 100, 0; print { $_[0] } 'x' } ],
	[ 'of another system', sub { seek $_[0], 24, 0; print { $_[0] } 'system' } ])
{
	my ($name, $change) = @$_;

	$next = value("SELECT hilo_next_tag('lone')");
	$node->stop;
	open my $changed, '+<', $file or die;
	$change->($changed);
	close $changed;
	$node->start;
	cmp_ok(value("SELECT hilo_next_tag('lone')"), '>', $next + 1, "nor one that is $name");
}

# Nor in a copy that recovers, or is promoted, nor if a backup was restored over it.
$node->stop;
$node->backup_fs_cold('copy');
$node->start;
$node->backup('running');
value("SELECT hilo_next_tag('lone')") for 1 .. 3;
$next = value("SELECT hilo_next_tag('lone')");
archive_wal($node);
system_or_bail('cp', $node->backup_dir . '/copy/pg_stat/hilo',
	$node->backup_dir . '/running/pg_stat/hilo');
foreach ([ copy => 0 ], [ copy => 1 ], [ running => 0 ])
{
	my ($backup, $is_standby) = @$_;
	my $other = PostgreSQL::Test::Cluster->new("${backup}_$is_standby");

	$other->init_from_backup($node, $backup, has_restoring => 1, standby => $is_standby);
	$other->append_conf('postgresql.conf', 'archive_mode = off');
	$other->start;
	$other->promote if $is_standby;
	$other->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()')
	  or die 'the recovery has not ended';
	cmp_ok($other->safe_psql('postgres', q{SELECT hilo_next_tag('lone')}), '>', $next,
		"nor in a $backup backup: $is_standby");
	$other->stop;
}

# Nor that of a server with another node tag, of which this one is a copy.
$next = value("SELECT hilo_next_tag('lone')");
$node->append_conf('postgresql.conf', q{hilo.node_tag = 'B'});
$node->restart;
cmp_ok(value("SELECT hilo_next_tag('lone')"), '>', $next + 1, 'nor that of another node tag');

done_testing();
