# A suite that hangs is ended when its time is over; test/run says so, and names the files
# that did not run.  The time is longer on a machine that has much to do.  The programs that
# test/run calls are stand-ins here: make prints what pg_regress and prove print, and hangs.

use strict;
use warnings;

use IPC::Run qw(run);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

plan skip_all => 'needs test/run' unless $ENV{PRIVATE_INSTALL};

my $folder = PostgreSQL::Test::Utils::tempdir();
mkdir "$folder/$_" or die "$_: $!" foreach qw(bin data);
stand_in($_, '') foreach qw(initdb pg_ctl);
stand_in(pg_config => 'echo PostgreSQL 18.0');
stand_in(nproc => 'echo 1');
append_to_file("$folder/idle", "0.50 0.40 0.30 1/100 1000\n");
append_to_file("$folder/busy", "8.90 0.40 0.30 1/100 1000\n");

# a build that works, then a suite that does not end
my @regress = map { s{sql/(.*)\.sql}{$1}r } glob 'sql/*.sql';
my $first = shift @regress;
stand_in(make => <<"END");
case "\$*" in
*PROVE_TESTS=*) printf 'test/t/a/a.pl .. ok\\ntest/t/b/b.pl .. \\nDubious, test returned 1\\n' ;;
*installcheck*) printf 'ok 1         - $first       12 ms\\n' ;;
*) exit ;;
esac
echo hangs >&2
sleep 1000
END

my ($seconds, $output) = test_run('idle', 'regress');
like($output, qr/^test\/run: the suite regress has run out of time$/m, 'it says so');
like($output,
	qr/^test\/run: these files of the suite regress did not run:\n(?:  sql\/\w+\.sql\n){${\ scalar @regress}}/m,
	'and names the files that did not run');
unlike($output, qr/^  sql\/$first\.sql$/m, 'except for the one that did');
like($output, qr/^1 passed, ${\ scalar @regress} failed$/m, 'these are failures');

($seconds, $output) = test_run('idle', 'tap');
like($output, qr/did not run:\n  test\/t\/c\/c\.pl\ntap: 1 passed, 2 failed in \d+ s\n1 passed, 2 failed$/m,
	'prove: a file that failed has run');

my ($longer) = test_run('busy', 'tap');
cmp_ok($longer, '>', 2 * $seconds, "$longer s, not $seconds s, when the machine has much to do");

done_testing();

sub stand_in
{
	my ($program, $script) = @_;

	append_to_file("$folder/bin/$program", "#!/bin/sh\n$script\n");
	chmod 0755, "$folder/bin/$program" or die "$program: $!";
	return;
}

# Run a suite by test/run; return the seconds that it took, and what it printed.
sub test_run
{
	my ($load, $suite) = @_;
	my $start = time;
	local %ENV = (%ENV, PRIVATE_INSTALL => $folder, PGDATA => "$folder/data", PGHOST => $folder,
		PATH => "$folder/bin:$ENV{PATH}", LOADAVG => "$folder/$load", KEPT_OBJECTS => '', SUITE_SECONDS => 2,
		PROVE_TESTS => join(' ', map { "test/t/$_/$_.pl" } qw(a b c)));

	run([ 'test/run', $suite ], '<', \undef, '>', \my $output, '2>&1');
	return (time - $start, $output);
}
