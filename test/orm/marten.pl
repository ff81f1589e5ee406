
# Marten: with its own mt_hilo and mt_get_next_hi, and with hilo's; SQL writes
# documents alongside it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my ($folder, @program) = dotnet_program('marten');
my $node = orm_node('marten');
orm_does($folder, @program, 'create', 'own', 'provided');
# Marten's own function fails in one of two programs that come first
$node->safe_psql('postgres', q{SELECT own.mt_get_next_hi('Order'); SELECT hilo_provide_marten('provided')});
foreach my $schema ('own', 'provided')
{
	$node->safe_psql('postgres', qq{
		SELECT hilo_adopt_table_tag('$schema', '$schema.mt_hilo', 'marten', 10, key_value => 'Order');
		CREATE VIEW $schema.orders AS SELECT id, data->>'Writer' AS writer, xmin FROM $schema.mt_doc_order;
		CREATE RULE document AS ON INSERT TO $schema.orders DO INSTEAD
			INSERT INTO $schema.mt_doc_order (id, data)
			SELECT id, jsonb_build_object('Id', id, 'Writer', new.writer) FROM hilo_next_tag('$schema') id});
}
side_by_side($node, 'Marten', folder => $folder, program => \@program,
	tables => { 'own.orders' => '(id - 1) / 10', 'provided.orders' => '(id - 1) / 10' });

is( $node->safe_psql('postgres', q{SELECT string_agg(lanname, ' ' ORDER BY pronamespace::regnamespace::text)
								   FROM pg_proc p JOIN pg_language l ON l.oid = prolang WHERE proname = 'mt_get_next_hi'}),
	'plpgsql sql', 'each has its own function');
$node->stop;
done_testing();
