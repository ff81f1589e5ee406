
# EclipseLink: its sequence, its table, and start-at-nextval, all as it makes them;
# the default of a column, and ranges of hilo's.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my ($folder, @program) = java_program('eclipselink', 'Insert');
my $node = orm_node('eclipselink');
orm_does($folder, @program, 'create');
$node->safe_psql('postgres', q{
	SELECT hilo_adopt_sequence('by_sequence', 'id', 'by_sequence_seq', 'eclipselink', 10);
	SELECT hilo_adopt_sequence('at_nextval', 'id', 'at_nextval_seq', 'eclipselink-start-at-nextval', 10);
	SELECT hilo_adopt_table('by_table', 'id', 'sequence', 'eclipselink-table', 10);
	ALTER TABLE by_range ALTER id SET DEFAULT hilo_next('by_range');
	ALTER TABLE by_default ALTER id SET DEFAULT hilo_next('by_default')});

# it makes the sequence start with 10 in either case, and skips ids below in one
side_by_side($node, 'EclipseLink', folder => $folder, program => \@program,
	tables => {
		by_sequence => '(id - 1) / 10', by_table => '(id - 1) / 10', at_nextval => 'id / 10',
		by_default => undef, by_range => undef });
client_cases($node, 'EclipseLink', folder => $folder, program => \@program, table => 'by_range',
	models => [ 'by_range', 'by_other' ],
	cases => [ 'tasks', 'databases', 'models', 'failed', 'moved', 'killed' ], short => { by_range => 100 });
keeps_numbers($node, 'EclipseLink', $folder, @program, 'numbers');

# 15 ids are left, and the second block is shorter
$node->safe_psql('postgres', q{SELECT hilo_alter(name, max_value => last + 15) FROM hilo_generators() WHERE name = 'by_range'});
ok(!defined eval { orm_does($folder, @program, 'program', 20, 'by_range') }, 'the ids end in a block');
unlike($@, qr/duplicate key/, 'and none repeats');

is( $node->safe_psql('postgres', q{SELECT string_agg(seqstart::text, ' ') FROM pg_sequence
								   WHERE seqrelid IN ('by_sequence_seq'::regclass, 'at_nextval_seq'::regclass)}),
	'10 10', 'their starts');

# IDENTITY reads lastval(), which is that of the block: the id of another row
$node->safe_psql('postgres', q{
	CREATE SEQUENCE lastval_seq INCREMENT 10;
	SELECT hilo_adopt_sequence('by_lastval', 'id', 'lastval_seq', 'efcore')});
is(orm_does($folder, @program, 'program', 1, 'by_lastval'), "by_lastval 1\n", 'IDENTITY: the id that it has');
is($node->safe_psql('postgres', 'SELECT id FROM by_lastval'), 2, 'IDENTITY: the id of the row');
$node->stop;
done_testing();
