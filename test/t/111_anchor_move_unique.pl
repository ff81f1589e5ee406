
# Rows take unique values of each other while their buckets move, and the changes
# come to the new server one by one: no row is lost to one there that is old.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use HiloTest;
use Test::More;

use constant ROWS => 10;

my @names = qw(one two);
my ($root, @shards) = hilo_shards(\@names);

sub query { return $root->safe_psql('postgres', $_[0]); }

# What is unique without the id is so on each server only, and said there.
query(q{
	CREATE TABLE people (id text PRIMARY KEY, email text, place int, seat int);
	CREATE UNIQUE INDEX ON people (docid_fold(id));
	SELECT anchor_partition('people', 2, ARRAY['one', 'two'])});
$shards[0]->safe_psql(
	'postgres', q{
	ALTER TABLE people_0 ADD UNIQUE (email), ADD UNIQUE (place) DEFERRABLE, ADD UNIQUE (seat) DEFERRABLE INITIALLY DEFERRED});
query(q{
	INSERT INTO people SELECT id, no, no, no FROM (
		SELECT id, row_number() OVER () AS no FROM generate_series(1, 200) i, concat('P/', i) id WHERE anchor_bucket(id) < 524288 LIMIT } . ROWS . ') p');

# Makes steps, of one row each, up to a state; gives what they fail with.
sub fault_until
{
	my ($state, $rows_copied) = @_;

	for (1 .. 20 * ROWS)
	{
		return '' if query(sprintf q{
			SELECT coalesce((SELECT state || rows_copied FROM hilo_progress_move), 'done') ~ '^%s%s'}, $state, $rows_copied // '') eq 't';
		my ($code, undef, $error) = $root->psql('postgres', q{SELECT anchor_move_step('people', 1)});
		return $error if $code;
	}
	return "no $state";
}

my ($from, $to) = (0, 1);

# Moves the rows from where they are, and changes them when the move is so far: on
# their server, so that each statement is one there, too.
sub moves_what_changes
{
	my ($what, $change, @when) = @_;
	my $all = q{SELECT string_agg(people::text, ' ' ORDER BY email COLLATE "C") FROM people};

	query("SELECT anchor_move_begin('people', '[0,524288)', '$names[$to]')");
	is(fault_until(@when), '', "$what in state $when[0]");
	my $table = query('SELECT source_name FROM hilo_move ORDER BY no DESC LIMIT 1');
	$shards[$from]->safe_psql('postgres', $change =~ s/\bpeople\b/$table/gr);
	my $before = query($all);
	is(fault_until('done'), '', 'all of it moves');
	is(query($all), $before, 'and each row is there');
	is(query(q{SELECT server FROM anchor_servers('people') WHERE lower(buckets) = 0}), $names[$to], 'where it belongs');
	($from, $to) = ($to, $from);
	return;
}

my $id = q{UPDATE people SET id = translate(id, 'Pp', 'pP')};

foreach my $when ([ 'copy', ROWS / 2 ], ['catch up'])
{
	moves_what_changes('ids change their case', $id, @$when);
	moves_what_changes('and back', $id, @$when);
	moves_what_changes('values go round', q{
		UPDATE people SET email = '-' || email;
		UPDATE people p SET email = n.next FROM (
			SELECT id, ltrim(coalesce(lead(email) OVER w, min(email) OVER ()), '-') AS next FROM people WINDOW w AS (ORDER BY email)) n
		 WHERE n.id = p.id}, @$when);
	moves_what_changes("$_ are exchanged", "UPDATE people SET $_ = " . (ROWS + 1) . " - $_", @$when) for 'place', 'seat';
	moves_what_changes('others have them', q{
		CREATE TEMP TABLE them AS SELECT * FROM people;
		TRUNCATE people;
		INSERT INTO people SELECT translate(t.id, 'Pp', 'pP'), o.email, o.place, o.seat FROM them t JOIN them o ON o.seat = } . (ROWS + 1) . ' - t.seat', @$when);
}

$_->stop for $root, @shards;
done_testing();
