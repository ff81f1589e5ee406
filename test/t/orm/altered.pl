# What is left of a block of an adopted sequence that was altered or restarted: over a restart
# that keeps windows, in a prepared transaction, and in several databases.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('altered',
	conf => "shared_preload_libraries = 'hilo'\nmax_prepared_transactions = 2");

sub value { return $node->safe_psql('postgres', $_[0]) }

# The window's ids up to 10, and a list with what a session has returned.
sub fill
{
	my ($name) = @_;

	value(qq{
		CREATE SEQUENCE ${name}_hilo INCREMENT 100;
		SELECT hilo_adopt_sequence_tag('$name', '${name}_hilo', 'efcore'), hilo_alter('$name', range_size => 5);
		CREATE TABLE $name (id bigint PRIMARY KEY DEFAULT hilo_next_tag('$name'), by text);
		ALTER SEQUENCE ${name}_hilo OWNED BY $name.id});
	my @sessions = map { hilo_session($node) } 1 .. 2;
	run_in($_, "INSERT INTO $name VALUES (DEFAULT)") foreach @sessions;
	end_session($_) foreach @sessions;
	return;
}

# The ORM takes a block, and SQL goes on, which may need the sequence to be adopted again.
sub goes_on
{
	my ($name, $increment, $is) = @_;
	my ($before, $after) = ('', '');

	value(qq{INSERT INTO $name SELECT generate_series(v, v + $increment - 1), 'orm' FROM nextval('${name}_hilo') v});
	$node->psql('postgres', "INSERT INTO $name SELECT FROM generate_series(1, 150)",
		stderr => \$before);
	$node->psql('postgres', qq{
		SELECT hilo_adopt_sequence_tag('$name', '${name}_hilo', 'efcore', $increment);
		INSERT INTO $name SELECT FROM generate_series(1, 150)}, stderr => \$after);
	unlike($before . $after, qr/duplicate key/, $is);
	cmp_ok(value(qq{SELECT count(*) FROM $name WHERE by IS NULL}), '>=', 152, "$is: with ids");
	return;
}

fill($_) foreach qw(before after truncated kept);
value('ALTER SEQUENCE before_hilo INCREMENT 50');
$node->restart;
value('ALTER SEQUENCE after_hilo INCREMENT 50');
value('TRUNCATE truncated RESTART IDENTITY; INSERT INTO truncated VALUES (0), (-1)');
is(value(q{INSERT INTO kept VALUES (DEFAULT) RETURNING id}), 2,
	'a restart loses nothing of a sequence that stays');
goes_on('before', 50, 'altered before the restart');
goes_on('after', 50, 'altered after the restart');
goes_on('truncated', 100, 'restarted after the restart');

subtest 'a copy of the database' => sub {
	fill('copied');
	$node->safe_psql('template1', 'CREATE DATABASE other TEMPLATE postgres');
	value('ALTER SEQUENCE copied_hilo INCREMENT 50');
	goes_on('copied', 50, 'here');
	is($node->safe_psql('other', q{INSERT INTO copied VALUES (DEFAULT) RETURNING id}), 101,
		'and there');
};

subtest 'a prepared transaction' => sub {
	my $session = hilo_session($node);

	fill('prepared');
	value(q{BEGIN; INSERT INTO prepared VALUES (DEFAULT); PREPARE TRANSACTION 'p'});
	start_waiting($node, $session, 'relation', 'ALTER SEQUENCE prepared_hilo INCREMENT 50');
	value(q{ROLLBACK PREPARED 'p'});
	end_in($session);
	goes_on('prepared', 50, 'an ALTER SEQUENCE waits for it');

	fill('second');
	value(q{BEGIN; ALTER SEQUENCE second_hilo INCREMENT 50; SELECT hilo_adopt_sequence_tag('second', 'second_hilo', 'efcore', 50); PREPARE TRANSACTION 'p'});
	start_waiting($node, $session, 'Lock', q{INSERT INTO second VALUES (DEFAULT) RETURNING id});
	value(q{COMMIT PREPARED 'p'});
	like(end_in($session), qr/^101$/m, 'who takes an id waits for one that alters');
	$session->quit;
	$node->safe_psql('postgres', 'DELETE FROM second WHERE id = 101');
	goes_on('second', 50, 'and goes on');
};

done_testing();
