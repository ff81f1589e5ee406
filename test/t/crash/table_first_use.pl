
# First uses of tables' generators in transactions that are rolled back, in part or wholly, with
# tables that are dropped and made again, while the server crashes: no id of a table comes
# twice, whatever became of the transaction that was given it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my $seed = $ENV{HILO_CRASH_SEED} // int(rand(2**31));
my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('killed');
srand($seed);

sub make
{
	my ($n) = @_;

	return "CREATE TABLE t$n (id bigint PRIMARY KEY DEFAULT hilo_next('t$n'), k int);\n";
}

# Return what one client does: each id that it has is in a file at once.
sub script
{
	my ($client, $round) = @_;
	my $out = '';

	foreach (1 .. 300)
	{
		my $n = int(rand(4));
		my $to = "TO PROGRAM 'cat >> $dir/ids.$client.$round'";
		my @takes = (
			"COPY (SELECT 't$n'::regclass::oid, id, id FROM hilo_next('t$n', 3) id) $to;\n",
			"COPY (INSERT INTO t$n (k) VALUES (1) RETURNING tableoid, id, id) $to;\n",
			"DELETE FROM t$n;\n");

		$out .= "BEGIN;\n";
		$out .= "INSERT INTO written VALUES (1);\n" if rand() < 0.8;
		$out .= "SAVEPOINT s;\n" . $takes[ rand @takes ]
		  . (rand() < 0.7 ? "ROLLBACK TO s;\n" : "RELEASE s;\n") if rand() < 0.5;
		$out .= $takes[ rand @takes ] foreach 1 .. 1 + rand(2);
		$out .= "DROP TABLE t$n;\n" . (rand() < 0.5 ? make($n) . $takes[1] : '') if rand() < 0.3;
		$out .= rand() < 0.5 ? "ROLLBACK;\n" : "COMMIT;\n";
		$out .= make($n) if rand() < 0.3;
	}
	my $file = "$dir/script.$client.$round";
	append_to_file($file, $out);
	return $file;
}

$node->safe_psql('postgres', join('', 'CREATE TABLE written (k int);', map { make($_) } 0 .. 3));
my ($errors, $kills) = ('', 5);
foreach my $round (1 .. $kills)
{
	my @clients = map {
		my $told = "$dir/told.$_.$round";
		IPC::Run::start([ 'psql', '-Xq', '-v', 'VERBOSITY=verbose', '-d',
				$node->connstr('postgres'), '-f', script($_, $round) ],
			'>', '/dev/null', '2>', $told)
	} 1 .. 4;

	sleep 1 + rand(2);
	crash($node);
	IPC::Run::finish($_) foreach @clients;
	$errors .= join '', map { slurp_file($_) } glob "$dir/told.*.$round";
}

# an OID that comes again is another table, which is not seen here: there are too few
my %had;
my ($ids, @twice) = (0);
foreach my $line (map { split /\n/, slurp_file($_) } glob "$dir/ids.*")
{
	my ($table, $low, $high) = split /\t/, $line;

	foreach my $id ($low .. $high)
	{
		push @twice, "$table: $id" if $had{$table}{$id}++;
		$ids++;
	}
}
note "seed $seed: $ids ids of " . keys(%had) . ' tables';
cmp_ok($ids, '>', 50, 'ids were handed out');
is("@twice", '', 'none of them twice');
my @bad = grep { /ERROR:/
  && !/ERROR:  (42P01|42P07|42710|25P02|40P01|55000|55P03|57P0\d|23505: .*"pg_)/ } split /\n/, $errors;
is(join("\n", @bad[ 0 .. ($#bad < 9 ? $#bad : 9) ]), '',
	'no other error than those of tables that are gone, or deadlocks');
is($node->safe_psql('postgres',
		q{SELECT count(*) - count(DISTINCT name::text) FROM hilo_internal.hilo_hi}),
	0, 'no name has two rows');
is($node->safe_psql('postgres',
		q{SELECT count(*) FROM hilo_internal.hilo_generator WHERE name::text ^@ '#' AND NOT EXISTS (SELECT FROM pg_class WHERE '#' || oid = name::text)}),
	0, 'no definition is left of a table that is gone');
$node->stop;
done_testing();
