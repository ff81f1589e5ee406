# What holds between releases: all files have one version, and the script that was frozen
# for a version is the one of the sources, as long as it is the version of the sources.

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'no sources here' unless -f 'test/release' && -f 'src/hilo.sql';

# in a copy, as other tests use the sources
my $copy = PostgreSQL::Test::Utils::tempdir();
system_or_bail('sh', '-c', 'tar --exclude=./tmp_check --exclude-vcs-ignores -cf - . | tar -C "$1" -xf -', 'sh', $copy);
chdir $copy or die "$copy: $!";

my ($version) = slurp_file('hilo.control') =~ /^default_version = '(.*)'/m;
my $frozen = "sql/release/hilo--$version.sql";
my $was_there = -f $frozen;

my ($said, $error) = run_command([ 'test/release', 'agree' ]);
is_deeply([ grep { !/^ok / } split /\n/, $said ], [ '10 passed, 0 failed' ], 'the checks');

system_or_bail('test/release', 'freeze') unless $was_there;
is(slurp_file($frozen), slurp_file("hilo--$version.sql"), 'what is frozen is what make installs');

my $right = slurp_file($frozen);
append_to_file($frozen, "SELECT 1;\n");
like((run_command([ 'test/release', 'agree' ]))[0], qr/^FAILED the frozen script is that of src/m,
	'a script that differs is found');
unlink $frozen;
append_to_file($frozen, $right) if $was_there;

my $control = slurp_file('hilo.control');
unlink 'hilo.control';
append_to_file('hilo.control', $control =~ s/\Q$version\E/9.9.9/r);
like((run_command([ 'test/release', 'agree' ]))[0], qr/^FAILED META\.json has the version/m,
	'a version that only the control file has is found');
done_testing();
