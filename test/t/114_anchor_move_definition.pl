
# Tables whose definition or whose rows change on the old server during a move in
# ways that no trigger sees: the move begins again, and is not done before.  And what
# those can do there who may not change the table.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use Test::More;

use constant ROWS => 100;

my ($root, @shards) = hilo_shards([ 'one', 'two' ]);
my ($old, $new) = @shards;

sub query { return $root->safe_psql('postgres', $_[0]); }

sub error_of
{
	my ($statement, $node) = @_;
	my ($code, undef, $error) = ($node // $root)->psql('postgres', "\\set VERBOSITY verbose\n$statement");

	return $code ? $error : 'no error';
}

# A table, and a move that is so far.
sub start_move
{
	my ($state, $buckets) = @_;

	$buckets //= '[0,524288)';
	query(q{
		DROP TABLE IF EXISTS docs;
		CREATE TABLE docs (id text PRIMARY KEY, n int, label text);
		INSERT INTO docs SELECT concat('docs/', i), i, 'label' FROM generate_series(1, } . ROWS . ') i');
	$_->safe_psql('postgres', q{SELECT format('DROP TABLE %s', oid::regclass) FROM pg_class WHERE relname ~ '^docs' AND relkind = 'r' \gexec}) for @shards;
	query(qq{
		SELECT anchor_partition('docs', 2, ARRAY['one', 'two']);
		SELECT anchor_move_begin('docs', '$buckets', 'two')});
	steps_until($root, 'docs', 10, $state);
	return;
}

# The same on both servers, then here.
sub change_all
{
	my ($command) = @_;

	$shards[$_]->safe_psql('postgres', "ALTER TABLE docs_$_ $command") for 0, 1;
	query('ALTER TABLE docs ' . $command =~ s/ (USING|DEFAULT).*//r);
	return;
}

sub moves_all
{
	my ($what) = @_;
	my $all = q{SELECT string_agg(docs::text, ' ' ORDER BY id COLLATE "C") FROM docs};
	my $before = query($all);

	is(error_of(q{SELECT anchor_move('docs', '[0,524288)', 'two')}), 'no error', "$what: the buckets move");
	is(($root->psql('postgres', $all))[1], $before, 'each row is as it was');
	is(query(q{SELECT count(DISTINCT server) FROM anchor_servers('docs')}), '1', 'where it belongs');
	is($_->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname ~ '^docs.*_(changes|steps)'}), '0', 'and nothing of the move is left on ' . $_->name)
	  for @shards;
	return;
}

foreach my $state ('copy', 'catch up', 'switch')
{
	foreach my $command ('ALTER n TYPE bigint USING n * 100', 'ADD token text DEFAULT md5(random()::text)', q{ADD token text DEFAULT 'fixed'},
		'ALTER n TYPE int USING n * 100')
	{
		start_move($state);
		change_all($command);
		moves_all("$command in state $state");
	}
	start_move($state);
	$old->safe_psql('postgres', q{ALTER TABLE docs_0 DROP label; ALTER TABLE docs_0 ADD label text DEFAULT 'other'});
	moves_all("a column of the same name in state $state");
	start_move($state);
	query(q{TRUNCATE docs; INSERT INTO docs SELECT concat('docs/', i), 2 FROM generate_series(10, 30) i});
	moves_all("other rows in state $state");
}

# Columns that are there and not here.
start_move('catch up');
$shards[$_]->safe_psql('postgres', "ALTER TABLE docs_$_ ADD token text DEFAULT md5(random()::text)") for 0, 1;
like(error_of(q{CALL anchor_move_in_steps('docs', '[0,524288)', 'two')}),
	qr/55000.*columns of table public.docs and of public.docs_0 on server "one" differ.*Only one of them has: token text/s,
	'a column that is not here is not forgotten');
is(query('SELECT count(*) FROM docs'), ROWS, 'the table can be used');
query('ALTER TABLE docs ADD token text');
moves_all('with the column here');

# A shard of which a part has moved.
start_move('copy');
query(q{CALL anchor_move_in_steps('docs', '[0,524288)', 'two')});
query(q{SELECT anchor_move('docs', '[0,100000)', 'one')});
$old->safe_psql('postgres', 'ALTER TABLE docs_m2 ADD note text');
$new->safe_psql('postgres', 'ALTER TABLE docs_m1 ADD note text; ALTER TABLE docs_1 ADD note text');
query('ALTER TABLE docs ADD note text');
like(error_of(q{SELECT note FROM docs}), qr/42703.*column "note" does not exist/, 'a view of the rest has not the new column');
like(error_of("ALTER TABLE docs_m1 $_->[0]", $new), qr/$_->[1]/, "and is in the way of $_->[0]") for [ 'DROP n', '2BP01' ], [ 'ALTER n TYPE bigint', '0A000' ];
my ($example) = grep { /CREATE OR REPLACE VIEW/ } doc_examples('anchor_move(rel regclass, buckets int4range, to_server name, chunk_rows int [5000])');
$new->safe_psql('postgres', ($example // '') =~ s/^ALTER.*\n//mr =~ s/orders_0/docs_m1/gr =~ s/orders_m1/docs_m2/gr =~ s/349525/524288/gr);
is(error_of(q{UPDATE docs SET note = md5(id)}), 'no error', 'until it is replaced');
is(($root->psql('postgres', q{SELECT count(*) FROM docs WHERE note = md5(id)}))[1], ROWS, 'for all of its rows');
is(error_of(q{SELECT anchor_move('docs', '[0,1048576)', 'one')}), 'no error', 'and the rest can move');
is(($root->psql('postgres', q{SELECT count(*) FROM docs WHERE note = md5(id)}))[1], ROWS, 'with the column');

# Who may use the old server only.
start_move('catch up', '[0,300000)');
my $changes = $old->safe_psql('postgres', q{SELECT relname FROM pg_class WHERE relname ~ '_changes$'});
$old->safe_psql('postgres', 'CREATE ROLE nobody');
like(error_of("SET ROLE nobody; INSERT INTO $changes (no, id) OVERRIDING SYSTEM VALUE VALUES (1, 'x')", $old), qr/42501/, 'numbers of changes cannot be taken');
like(error_of("SET ROLE nobody; $_", $old), qr/42501/, "$_ is refused") for "SELECT FROM $changes", "DELETE FROM $changes", "UPDATE $changes SET id = 'x'";
$old->safe_psql('postgres', qq{SET ROLE nobody; INSERT INTO $changes (id) SELECT concat('docs/', i) FROM generate_series(1, @{[ROWS]}) i});
is(error_of(q{SELECT anchor_move('docs', '[0,300000)', 'two')}), 'no error', 'ids that do not move do not disturb those that do');
is(query('SELECT count(*), sum(n) FROM docs'), ROWS . '|' . ROWS * (ROWS + 1) / 2, 'and each row is as it was');

$_->stop for $root, @shards;
done_testing();
