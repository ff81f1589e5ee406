
# Ecto: the default of a column, an attached serial, and ids before the rows.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

# as "mix compile" makes it: _build/ENVIRONMENT/lib
my $libraries = $ENV{ORM_ECTO} // '';
plan skip_all => 'needs ecto_sql and postgrex in a folder ORM_ECTO' unless -d "$libraries/ecto_sql";
need('Elixir', 'elixir', '--version');
$ENV{ERL_LIBS} = $libraries;

my $folder = orm_folder('ecto');
my $node = orm_node('ecto');
my @program = ('elixir', 'insert.exs');
orm_does($folder, @program, 'create');
side_by_side($node, 'Ecto', folder => $folder, program => \@program,
	tables => { serial => undef, by_default => undef, by_ids => undef });
keeps_numbers($node, 'Ecto', $folder, @program, 'numbers');
$node->stop;
done_testing();
