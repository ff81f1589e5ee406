
# pgx, sqlc, ent and GORM: the default of the column, and ids before the rows or a COPY.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

need('Go', 'go', 'version');
my $folder = orm_folder('go');
$ENV{GOPATH} = "$folder/path";
$ENV{GOCACHE} = "$folder/cache";
# The compiler takes most of the time: let it collect less garbage, optimize nothing, and write
# nothing for debuggers.  The tool that generates is built alike, which "go tool" does not do:
# what both need is compiled once.
$ENV{GOGC} = 400;
$ENV{GOFLAGS} = "-mod=readonly -modcacherw -race '-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w'";
fetch($folder, 'go', 'build', '-o', 'generate', 'entgo.io/ent/cmd/ent');
orm_does($folder, "$folder/generate", 'generate', './ent/schema');
fetch($folder, 'go', 'build', '-o', 'insert', '.');

my $node = orm_node('go');
my @program = ("$folder/insert");
orm_does($folder, @program, 'create');
side_by_side($node, 'Go', folder => $folder, program => \@program,
	tables => { map { $_ => undef } 'by_pgx', 'by_copy', 'by_sqlc', 'items', 'by_gorms' });
keeps_numbers($node, $_, $folder, @program, 'numbers', 0, $_) foreach 'GORM', 'ent';

# go-testfixtures switches triggers of all tables off and on, also of hilo's
$node->safe_psql('postgres', q{
	CREATE TABLE attached (id bigserial PRIMARY KEY, writer text);
	SELECT hilo_attach('attached', 'id')});
is(orm_does($folder, @program, 'fixtures'), "70001\n", 'the next row after go-testfixtures');
is($node->safe_psql('postgres', q{INSERT INTO by_pgx (writer) VALUES ('next') RETURNING writer}),
	'next', 'also where a generator gives the id');
$node->stop;

SKIP: {
	# building it takes minutes, so it is not fetched
	skip 'needs sqlc in the path' unless eval { orm_does($folder, 'sqlc', 'version') };
	is(orm_does($folder, 'sqlc', 'diff'), '', 'sqlc generates the code that ran');
}
done_testing();
