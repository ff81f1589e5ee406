# test/private-install removes everything, even if a second signal comes while it does so: timeout
# and make each send one.

use strict;
use warnings;

use IPC::Run qw(start timeout);
use POSIX qw(mkfifo);
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'needs test/run' unless $ENV{PRIVATE_INSTALL};

# A command that takes its time to end.
my $end = PostgreSQL::Test::Utils::tempdir() . '/end';
my $command = 'trap "echo ends; read <$0; exit" TERM; echo $PRIVATE_INSTALL; sleep 600 & wait';
mkfifo($end, 0600) or die $!;
my $run = start([ 'test/private-install', 'bash', '-c', $command, $end ],
	'<', \undef, '>', \my $output, timeout(180));

$run->pump until $output =~ m{^(/tmp/hilo\.\w+)\n}m;
my $folder = $1;
ok(-d $folder, 'the command runs');
$run->signal('TERM');
$run->pump until $output =~ /^ends\n/m;
$run->signal('TERM');
append_to_file($end, "\n");
$run->finish;
is($run->full_result(0) >> 8, 143, 'a signal has ended it');
ok(!-e $folder, 'nothing is left behind');

done_testing();
