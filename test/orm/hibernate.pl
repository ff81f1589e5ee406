
# Hibernate 6 and 7: each optimizer, with a sequence and with a table, both as
# Hibernate makes them; and an identity, attached or moved to a generator.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

# which block an id is in
my %block = (
	pooled => '(id + 8) / 10',
	pooled_lo => '(id - 1) / 10',
	hilo => '(id - 1) / 10',
	legacy_hilo => 'id / 11',
	pooled_stored_next => '(id + 8) / 10');

foreach my $version (6, 7)
{
	my ($folder, @program) = java_program('hibernate', 'Insert', "pom-$version.xml");
	my $node = orm_node("hibernate_$version");
	my %tables = ('pooled.by_default' => undef);

	$node->safe_psql('postgres', join ';', map { "CREATE SCHEMA $_" } keys %block);
	orm_does($folder, @program, 'create', keys %block);
	foreach my $schema (keys %block)
	{
		(my $style = "hibernate-table-$schema") =~ tr/_/-/;
		$node->safe_psql('postgres', qq{
			SELECT hilo_adopt_table('$schema.by_table', 'id', '$schema.hibernate_sequences', '$style', 10)});
		$tables{"$schema.by_table"} = $block{$schema};
		next if $schema =~ /stored/;

		$style =~ s/table-//;
		$node->safe_psql('postgres', qq{
			SELECT hilo_adopt_sequence('$schema.by_sequence', 'id', '$schema.by_sequence_seq', '$style', 10)});
		$tables{"$schema.by_sequence"} = $block{$schema};
	}
	# the identity that it makes, and the default of a generator
	$node->safe_psql('postgres', "SELECT hilo_attach('pooled.by_default', 'id'"
		  . ($version == 6 ? ')' : ", 'pooled.by_default')"));
	side_by_side($node, $version, folder => $folder, program => \@program, tables => \%tables);
	client_cases($node, $version, folder => $folder, program => \@program,
		table => 'pooled.by_sequence',
		cases => [ 'tasks', 'databases', 'killed' ])
	  if $version == 7;
	keeps_numbers($node, $version, $folder, @program, 'numbers');
	$node->stop;
}

done_testing();
