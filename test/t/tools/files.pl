# What make install puts below DESTDIR: nothing with a name that is not hilo's, and pages with
# the pictures and pages that they name.  make uninstall removes all of it.  The library is
# made anew for another PostgreSQL.

use strict;
use warnings;

use File::Find qw(find);
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'no sources here' unless -f 'src/hilo.c' && -f 'Makefile';

my $root = PostgreSQL::Test::Utils::tempdir();

system_or_bail('make', '-s', 'install', "DESTDIR=$root");
my @installed = sort(files());
my ($docs) = map { m{^(.*/hilo)/README\.md$} } @installed;
ok($docs, 'the pages are there');
is_deeply([ grep { !m{/hilo(\.so|\.control|--[\d.]+\.sql|_\w+\.sql)$} && !m{^\Q$docs\E/} } @installed ],
	[], 'each file has its own name, or lies in the folder of the pages');
is_deeply([ map { missing($_) } grep { /\.md$/ } @installed ], [], 'no page names one that is missing');

system_or_bail('make', '-s', 'uninstall', "DESTDIR=$root");
is_deeply([ files() ], [], 'uninstall removes every file');
ok(!-e "$root$docs", 'and the folder of the pages');

my $pg_config = $ENV{PG_CONFIG} // 'pg_config';
append_to_file("$root/pg_config", qq(#!/bin/sh\n"$pg_config" "\$@" | sed 's/^PostgreSQL /&0/'\n));
chmod 0755, "$root/pg_config";
unlike(`make -n hilo.so PG_CONFIG='$pg_config'`, qr/hilo\.c/, 'the same PostgreSQL compiles nothing');
like(`make -n hilo.so PG_CONFIG='$root/pg_config'`, qr/hilo\.c/, 'another PostgreSQL compiles anew');
done_testing();

sub files
{
	my @files;

	find({ no_chdir => 1, wanted => sub { push @files, s/^\Q$root\E//r if -f } }, $root);
	return @files;
}

# Return what a page links to and is not installed, except the sources.
sub missing
{
	my ($page) = @_;
	my ($folder) = $page =~ m{(.*)/};
	my @links = slurp_file("$root$page") =~ m{\]\(([^)#:]+)[^):]*\)}g;

	return map { "$page: $_" } grep { !-e "$root$folder/$_" && !($folder eq $docs && m{^\.\./}) } @links;
}
