
# NHibernate: its generators with a table and with a sequence, and the default of a column.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my ($folder, @program) = dotnet_program('nhibernate');
my $node = orm_node('nhibernate');
orm_does($folder, @program, 'create');
$node->safe_psql('postgres', q{
	ALTER TABLE hibernate_unique_key ADD entity text;
	UPDATE hibernate_unique_key SET entity = 'by_hilo';
	SELECT hilo_adopt_table('by_hilo', 'id', 'hibernate_unique_key', 'nhibernate-hilo', 9,
		key_column => 'entity', key_value => 'by_hilo');
	SELECT hilo_adopt_sequence('by_seqhilo', 'id', 'seqhilo_seq', 'nhibernate-seqhilo', 9);
	SELECT hilo_adopt_sequence('by_pooled', 'id', 'pooled_seq', 'nhibernate-pooled', 10);
	SELECT hilo_adopt_sequence('by_pooled_lo', 'id', 'pooled_lo_seq', 'nhibernate-pooled-lo', 10);
	-- NHibernate makes the rows, but two that make one at once fail
	INSERT INTO hibernate_sequences VALUES ('by_table', 1), ('by_table_lo', 1);
	SELECT hilo_adopt_table('by_table', 'id', 'hibernate_sequences', 'nhibernate-enhanced-table', 10);
	SELECT hilo_adopt_table('by_table_lo', 'id', 'hibernate_sequences', 'nhibernate-enhanced-table-pooled-lo', 10);
	});

my %tables = (
	by_hilo => 'id / 10', by_seqhilo => 'id / 10',
	by_pooled => '(id - 1) / 10', by_pooled_lo => '(id - 1) / 10',
	by_table => '(id - 1) / 10', by_table_lo => '(id - 1) / 10',
	by_identity => undef, by_trigger => undef);
$node->safe_psql('postgres', "ALTER TABLE $_ ALTER id SET DEFAULT hilo_next('$_')")
  foreach 'by_identity', 'by_trigger';
side_by_side($node, 'NHibernate', folder => $folder, program => \@program, tables => \%tables);
$node->stop;
done_testing();
