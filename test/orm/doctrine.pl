
# Doctrine ORM 2 or 3: its sequence, and the default of a column.  Debian says which
# versions.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my @php = php_command('PHP with Doctrine ORM',
	'Doctrine/ORM/autoload.php', q{class_exists('Doctrine\ORM\EntityManager')}, 'php-doctrine-orm');

my $folder = orm_folder('doctrine');
my $node = orm_node('doctrine');
my @program = (@php, 'insert.php');
orm_does($folder, @program, 'create');
$node->safe_psql('postgres', q{
	SELECT hilo_adopt_sequence('by_sequence', 'id', 'by_sequence_seq', 'doctrine');
	SELECT hilo_attach('by_default', 'id'), hilo_attach('by_default_parent', 'id'), hilo_attach('apart.by_default', 'id');
	INSERT INTO by_default (writer) VALUES ('first');
	CREATE TABLE by_currval (id bigserial PRIMARY KEY, writer text)});
my %tables = (by_sequence => '(id - 1) / 10', by_default => undef);
side_by_side($node, 'Doctrine', folder => $folder, program => \@program, tables => \%tables);
client_cases($node, 'Doctrine', folder => $folder, program => \@program, table => 'by_default',
	models => [ 'by_default', 'by_default_parent', 'apart.by_default' ], cases => ['models']);
keeps_numbers($node, 'Doctrine', $folder, @program, 'numbers', 0);

# as it does without hilo
ok(!defined eval { orm_does($folder, @program, 'fork', 20, 'by_sequence') },
	'SEQUENCE keeps its block over a fork');
like($@, qr/duplicate key .* "by_sequence_pkey"/, 'and repeats ids');

# IDENTITY reads currval() or lastval(), which is right for a serial that is attached
$node->safe_psql('postgres', q{
	SELECT hilo_attach('by_currval', 'id');
	INSERT INTO by_currval VALUES (7, 'first')});
my $known = orm_does($folder, @program, 'program', 20, 'by_currval');
is( $known,
	$node->safe_psql('postgres', q{
		SELECT string_agg(format(E'by_currval %s\n', id), '' ORDER BY id)
		FROM by_currval WHERE writer <> 'first'}),
	'IDENTITY: the ids of the rows');

# and that of the block for a generator: ids that other rows have
$node->safe_psql('postgres', q{
	DELETE FROM by_currval;
	ALTER SEQUENCE by_currval_id_seq INCREMENT 10;
	SELECT hilo_adopt_sequence('by_currval', 'id', 'by_currval_id_seq', 'doctrine')});
if (defined(my $output = eval { orm_does($folder, @program, 'program', 20, 'by_currval') }))
{
	my %known = map { $_ => 1 } split /\n/, $output;
	is_deeply([ sort keys %known ], [ 'by_currval 77', 'by_currval 87' ],
		'IDENTITY: two ids for twenty objects');
	is($node->safe_psql('postgres', q{SELECT min(id), max(id), count(*) FROM by_currval}),
		'77|96|20', 'but the rows have theirs');
}
else
{
	like($@, qr/EntityIdentityCollisionException/,
		'IDENTITY: ORM 3 refuses two objects with one id');
}
$node->stop;
done_testing();
