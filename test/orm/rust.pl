
# sqlx, Diesel and SeaORM, which read the default of the column back; and tokio-postgres
# with ids that are taken before.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

need('Rust 1.88 or later', 'sh', '-c',
	'cargo --version | grep -E "cargo 1\.(8[89]|9|[1-9][0-9][0-9])"');
my $folder = orm_folder('rust');
$ENV{CARGO_HOME} = "$folder/cargo";
fetch($folder, 'cargo', 'build', '--quiet');

my $node = orm_node('rust');
my @program = ("$folder/target/debug/insert");
orm_does($folder, @program, 'create');
side_by_side($node, 'Rust', folder => $folder, program => \@program,
	tables => { by_sqlx => undef, by_ids => undef, by_diesel => undef, by_seaorm => undef });
keeps_numbers($node, $_, $folder, @program, 'numbers', 0, $_) foreach 'Diesel', 'SeaORM';
$node->stop;
done_testing();
