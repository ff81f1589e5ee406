# What runs in a private copy of a PostgreSQL with hilo finds no hilo there, and changes no file
# of that PostgreSQL.  It may kill a server, and leave one, under a PID 1 that does not wait for
# orphans.

use strict;
use warnings;

use Digest::SHA;
use File::Find qw(find);
use IPC::Run qw(run);
use PostgreSQL::Test::Utils;
use Test::More;

my $copy = $ENV{PRIVATE_INSTALL};
plan skip_all => 'needs test/run' unless $copy && -x 'test/private-install';

# the machine's PostgreSQL: the copy that this test runs in, with hilo as `make install` leaves it
my $machine = PostgreSQL::Test::Utils::tempdir();
system_or_bail('cp', '-a', "$copy/root", "$copy/bin", $machine);
my ($lib) = map { s/\n//r } `$machine/bin/pg_config --pkglibdir`;
system_or_bail('mkdir', '-p', "$lib/bitcode/hilo");
append_to_file("$lib/bitcode/$_", "bitcode\n") foreach 'hilo.index.bc', 'hilo/next.bc';
my $before = checksums();
my @hilo = grep { m{/hilo} } keys %$before;
cmp_ok(scalar(@hilo), '>', 4, 'hilo is there');

$ENV{PG_CONFIG} = "$machine/bin/pg_config";
my ($found, $errors) = run_command([ 'test/private-install', 'bash', '-euc', <<'END' ]);
folders=("$(pg_config --bindir)" "$(pg_config --sharedir)" "$(pg_config --pkglibdir)")
find "${folders[@]}" -name 'hilo*'
find -L "${folders[@]}" -type f -print0 | while IFS= read -rd '' file; do
	chmod u+w "$file"
	echo more >>"$file"
done
END
is($errors, '', 'each file of the copy can be written');
is($found, '', 'none is of hilo');
is_deeply(checksums(), $before, 'and none is the machine\'s');

SKIP:
{
	my @container = ('unshare', '--user', "--map-user=$<", '--pid', '--fork', '--kill-child', '--mount-proc',
		'perl', '-e', 'exit(system(@ARGV) >> 8)');
	skip 'no namespaces here', 1 unless run([ @container, 'true' ], '&>', '/dev/null');
	ok(run([ 'timeout', 120, @container, 'test/private-install', 'bash', '-euc', <<'END' ]), 'it ends');
test/new-server "$PRIVATE_INSTALL/log" --no-sync </dev/null
kill -KILL "$(head -n 1 "$PGDATA/postmaster.pid")"
until pg_ctl start -sw -l "$PRIVATE_INSTALL/log"; do sleep 0.1; done
END
}
done_testing();

# Return the files of the machine's PostgreSQL, each with the checksum of what it has.
sub checksums
{
	my %files;

	find({ no_chdir => 1, wanted => sub { $files{$_} = Digest::SHA->new(1)->addfile($_)->hexdigest if -f } },
		"$machine/root");
	return \%files;
}
