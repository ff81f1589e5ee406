# The code of the windows of shared memory itself, without a server, under threads that
# come in between any two of its steps.  They see what is wrong when a guard is missing.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;

my $impossible = FaultyBuild::impossible();
plan skip_all => $impossible if $impossible;

my $sources = PostgreSQL::Test::Utils::tempdir();
my $include = `$ENV{PG_CONFIG} --includedir-server` =~ s/\n//r;

# Build the program, with replacements of text in files of src/.
sub build
{
	my (@replacements) = @_;

	system_or_bail('rm', '-rf', "$sources/src", "$sources/test");
	system_or_bail('cp', '-R', 'src', 'test', $sources);
	FaultyBuild::change($sources, @replacements);
	system_or_bail($ENV{CC} || 'cc', '-O2', "-I$include", "-I$sources/src",
		'-o', "$sources/window", "$sources/test/proof/model/window.c", '-lpthread');
}

# Run it; return its counts: none when it was aborted, or does not end, as a fault may also
# lead to that.
sub run_threads
{
	my $stdout;

	if (!IPC::Run::run([ qw(timeout -s KILL 20), "$sources/window", 8, 400_000 ], '>', \$stdout)
		  && $? >> 8 < 128 && ($? & 127) == 0)
	{
		die "window failed: $?";
	}
	return { $stdout =~ /^(\w+) (-?\d+)$/mg };
}

# Run it until what the fault does is seen: that is a matter of chance, and of how busy
# the machine is.
sub run_until
{
	my ($is_seen, @replacements) = @_;
	my $seen;

	build(@replacements);
	for (1 .. 60)
	{
		$seen = run_threads();
		last if %$seen && $is_seen->($seen);
	}
	return $seen;
}

my @few_slots = ('slot.c', 'max_generators = 8192', 'max_generators = 2');
# what else would hide the ids that a generator gets of another
my @no_clip = ('return.c',
	'return range_clip(range, WindowHigh(known));', 'return range;');
# what else would reserve for a generator that has lost the slot, and not end
my @no_prefetch = ('reserve.c',
	'if (try_lock_window(entry->incarnation))', 'if (false && try_lock_window(entry->incarnation))');
my $seen = run_until(sub { 1 }, @few_slots);
is("$seen->{repeats} $seen->{disorder} $seen->{missing}", '0 0 0',
	"$seen->{ids} ids, none twice, none out of order, none missing");

foreach my $fault (
	[ 'a generation that is not compared', 'repeats', 'session.h',
		"WordGeneration(word) != window->generation ||\n			WordOffset", 'WordOffset' ],
	[ 'the rest of a window that no session gets', 'missing', 'reserve.c',
		"		window->next.low = window->last + 1;\n", "		lost -= window->length;\n" ],
	[ 'a window closed in two steps', 'repeats', 'end.c',
		"WordOffset(pg_atomic_exchange_u64(&slot->word,\n												  MakeWord(generation, 0)));\n",
		"WordOffset(pg_atomic_read_u64(&slot->word));\n	pg_atomic_write_u64(&slot->word, MakeWord(generation, 0));\n" ],
	[ 'a slot that changes hands with its window', 'disorder', 'end.c',
		"		window_close(slot);\n		slot_free(slot);\n", "		slot_free(slot);\n",
		@no_prefetch ],
	[ 'a window that another one follows, read half', 'disorder', 'slot.c',
		"	SpinLockRelease(&slot->spinlock);\n	return word;\n",
		"	SpinLockRelease(&slot->spinlock);\n	hold_up(random() % 300);\n	SpinLockAcquire(&slot->spinlock);\n	window->next.high = slot->window.next.high;\n	SpinLockRelease(&slot->spinlock);\n	return word;\n" ],
	[ 'a window that is read while it is changed', 'repeats', 'slot.c',
		"	SpinLockAcquire(&slot->spinlock);\n	*window", '	*window',
		'slot.c', "word = pg_atomic_read_u64(&slot->word);\n	SpinLockRelease(&slot->spinlock);",
		'word = pg_atomic_read_u64(&slot->word);' ],
	[ 'a seed that leaves the window open', 'disorder', 'end.c',
		"		if (slot != NULL)\n			window_close(slot);\n		hi.reserved = store_seed",
		'		hi.reserved = store_seed' ],
	[ 'a seed that takes nothing out of the window', 'disorder', 'end.c',
		'	window->last = Max(window->last, Min(value, Max(high, window->next.high)));', '', @no_prefetch ],
	[ 'a return that compares no number', 'repeats', 'return.c',
		"		slot->client.number == client->number &&\n", '' ],
	[ 'a number that names two ranges', 'repeats', 'session.h',
		'((int64) ((uint64) random_number() >> 11))', '7' ],
	[ 'ids carved from a window that is gone', 'repeats', 'carve.c',
		"	while (WordGeneration(word) == known->generation &&", '	while (true &&',
		'carve.c', "&word,\n										   MakeWord(known->generation,",
		"&word,\n										   MakeWord(WordGeneration(word)," ],
	[ 'a session that returns what is not on top', 'repeats', 'return.c',
		"	uint64		word = entry->top_word;\n",
		"	uint64		word = slot == NULL ? 0 : pg_atomic_read_u64(&slot->word);\n" ],
	[ 'a returned range given to two sessions', 'repeats', 'return.c',
		"		range = range_split(rest, size);\n",
		"		range = *rest;\n		range.high = range.low + Min(size, RangeLength(*rest)) - 1;\n" ],
	[ 'a returned range given to a session that is above it', 'disorder', 'return.c',
		'*link != 0 && listed_at(*link)->range.low <= above', 'false' ],
	[ 'a returned range of the generator that had the slot before', 'disorder', 'return.c',
		"	LWLockAcquire(shared_lock, LW_EXCLUSIVE);\n	while",
		"	hold_up(random() % 1000);\n	LWLockAcquire(shared_lock, LW_EXCLUSIVE);\n	while",
		'return.c', 'WordGeneration(pg_atomic_read_u64(&slot->word)) == known->generation', 'true',
		@no_clip ],
	[ 'a return to a slot that another generator has', 'repeats', 'return.c',
		"done = window_is_of(&slot->window, entry->incarnation) &&\n		rest.low > slot->floor;", 'done = true;' ],
	[ 'a return that is not on top', 'repeats', 'return.c',
		"pg_atomic_compare_exchange_u64(&slot->word, &word,\n									   word - WINDOW_RETURNABLE - (uint64) ids);", '(pg_atomic_write_u64(&slot->word, word - WINDOW_RETURNABLE - (uint64) ids), true);' ],
	[ 'a range carved beyond the window', 'repeats', 'carve.c',
		'range_to_carve(last, WindowHigh(known), cut)', 'range_to_carve(last, cut->max_value, cut)' ])
{
	my ($name, $count, @fault) = @$fault;

	$seen = run_until(sub { $_[0]{$count} > 0 }, @few_slots, @fault);
	cmp_ok($seen->{$count}, '>', 0, "$name: $seen->{$count} $count");
}

done_testing();
