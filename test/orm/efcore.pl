
# EF Core: the default of a column, and UseHiLo, with and without a default in the model.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my ($folder, @program) = dotnet_program('efcore');
my $node = orm_node('efcore');
my %tables = (by_hilo => '(id - 1) / 10', by_both => '(id - 1) / 10', by_default => undef);
orm_does($folder, @program, 'create', sort keys %tables);
$node->safe_psql('postgres', q{
	SELECT hilo_adopt_sequence('by_hilo', 'id', 'orders_hilo', 'efcore', 10);
	SELECT hilo_adopt_sequence('by_both', 'id', 'by_both_hilo', 'efcore', 10)});
side_by_side($node, 'EF Core', folder => $folder, program => \@program, tables => \%tables);
$node->stop;
done_testing();
