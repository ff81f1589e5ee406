
# The examples of the documentation do what it says: each statement in a fenced
# block of SQL runs, and where a comment follows it, that is its result.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('examples', conf => 'hilo.prefetch = off');

examples_of('ravendb.md');
examples_of('choosing.md');
examples_of('hilo.md', 'Document ids');

$node->stop;
done_testing();

# Runs the examples of a page, or of one of its sections, in a database of their
# own and in one session.
sub examples_of
{
	my ($page, $section) = @_;
	my $text = slurp_file("$FindBin::RealBin/../../doc/$page");
	my $database = $page =~ s/\W/_/gr;
	my $statements = 0;
	my $results = 0;

	($text) = $text =~ /^## \Q$section\E$(.*?)^## /ms if defined $section;
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, 'CREATE EXTENSION hilo');
	my $session = $node->background_psql($database, on_error_stop => 0);
	run_in($session, "\\pset fieldsep ' | '");

	foreach my $block ($text =~ /^```sql\n(.*?)^```$/msg)
	{
		while ($block =~ /\G(.*?;)[ \t]*(?:-- (.*?))?\n/sg)
		{
			my ($statement, $expected) = ($1, $2);
			my $result = $session->query($statement);

			is($session->{stderr}, '', "$page: $statement");
			$session->{stderr} = '';
			$statements++;
			next unless defined $expected;
			is($result =~ s/\n/, /gr, $expected, "$page: result of $statement");
			$results++;
		}
	}
	ok($statements > 5 && $results > 0, "$page: $statements examples, $results with a result");
	end_session($session);
	return;
}
