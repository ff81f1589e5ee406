
# EclipseLink: its sequence, its table, and start-at-nextval, all as it makes them;
# and the default of a column.

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
	ALTER TABLE by_default ALTER id SET DEFAULT hilo_next('by_default')});

# it makes the sequence start with 10 in either case, and skips ids below in one
side_by_side($node, 'EclipseLink', folder => $folder, program => \@program,
	tables => {
		by_sequence => '(id - 1) / 10', by_table => '(id - 1) / 10', at_nextval => 'id / 10',
		by_default => undef });
client_cases($node, 'EclipseLink', folder => $folder, program => \@program, table => 'by_sequence',
	cases => [ 'tasks', 'killed' ]);
keeps_numbers($node, 'EclipseLink', $folder, @program, 'numbers');

is( $node->safe_psql('postgres', q{SELECT string_agg(seqstart::text, ' ') FROM pg_sequence
								   WHERE seqrelid IN ('by_sequence_seq'::regclass, 'at_nextval_seq'::regclass)}),
	'10 10', 'their starts');

# IDENTITY reads lastval(), which is right for a serial that is attached
$node->safe_psql('postgres', q{
	SELECT hilo_attach('by_lastval', 'id');
	INSERT INTO by_lastval (id, writer) VALUES (7, 'first')});
is(orm_does($folder, @program, 'program', 1, 'by_lastval'), "by_lastval 9\n",
	'IDENTITY: the id that it has from an attached serial');
is($node->safe_psql('postgres', 'SELECT max(id) FROM by_lastval'), 9, 'is that of the row');

# and that of the block for a generator: the id of another row
$node->safe_psql('postgres', q{
	DELETE FROM by_lastval;
	CREATE SEQUENCE lastval_seq INCREMENT 10;
	SELECT hilo_adopt_sequence('by_lastval', 'id', 'lastval_seq', 'efcore')});
is(orm_does($folder, @program, 'program', 1, 'by_lastval'), "by_lastval 10\n",
	'IDENTITY: the id that it has');
is($node->safe_psql('postgres', 'SELECT id FROM by_lastval'), 11, 'IDENTITY: the id of the row');
$node->stop;
done_testing();
