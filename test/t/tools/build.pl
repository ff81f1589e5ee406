# test/build compiles only what no run before has compiled with the same headers and flags.  The
# compiler is a stand-in, whose object is a line with its arguments.

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'needs test/run' unless $ENV{PRIVATE_INSTALL} && -x 'test/build';

my $folder = PostgreSQL::Test::Utils::tempdir();
my $sources = 0;
mkdir "$folder/$_" or die "$_: $!" foreach qw(bin kept);
append_to_file("$folder/bin/gcc", <<'END');
#!/bin/bash
while (($#)) && [[ $1 != -o ]]; do compiles+=$([[ $1 != -c ]] || echo yes); shift; done
(($#)) || exit 0
echo "$@" >"$2"
[[ ! $compiles ]] || echo "$3" >>"$COMPILED"
END
chmod 0755, "$folder/bin/gcc" or die "gcc: $!";
$ENV{PATH} = "$folder/bin:$ENV{PATH}";
$ENV{COMPILED} = "$folder/compiled";
$ENV{KEPT_OBJECTS} = "$folder/kept";

my @all = map { s/\n//r } sort `ls src/*.c src/call/*.c`;
is_deeply([ compiled() ], \@all, 'at first it compiles all');
is_deeply([ compiled() ], [], 'for the same sources, nothing');
is_deeply([ compiled('src/call/next.c') ], ['src/call/next.c'], 'for a changed source, this one');
is_deeply([ compiled('src/call/call.h') ], \@all, 'for a changed header, all');
{
	local $ENV{COPT} = '-DANOTHER_FLAG';
	is_deeply([ compiled() ], \@all, 'with other flags, all');
}
append_to_file("$folder/pg_config", "#!/bin/sh\n'$ENV{PG_CONFIG}' \"\$@\" | sed 's/PostgreSQL /&0/'\n");
chmod 0755, "$folder/pg_config" or die "pg_config: $!";
{
	local $ENV{PG_CONFIG} = "$folder/pg_config";
	is_deeply([ compiled() ], \@all, 'for another PostgreSQL, all');
}
unlink glob "$folder/kept/src.call.next.c.*";
is_deeply([ compiled() ], ['src/call/next.c'], 'what is not kept any more is compiled anew');
done_testing();

# Build a new copy of the sources, with a line more in these files; return what was compiled.
sub compiled
{
	my (@changed) = @_;
	my $copy = "$folder/sources" . $sources++;

	mkdir $copy or die "$copy: $!";
	system_or_bail('cp', '-R', @$_, $copy) foreach [qw(Makefile hilo.control src doc sql)], [qw(--parents test/build)];
	# a few files are enough
	unlink glob("$copy/{src,src/*}/*.o"), grep { !m{/call/} } glob "$copy/src/*/*.c";
	append_to_file("$copy/$_", "/* changed */\n") foreach @changed;
	append_to_file($ENV{COMPILED}, '');
	run_log([ 'env', '-C', $copy, 'test/build', "DESTDIR=$folder/installed" ])
	  or die 'the build failed';
	my @compiled = map { s/\n//r } sort split /^/, slurp_file($ENV{COMPILED});
	unlink $ENV{COMPILED};
	return @compiled;
}
