# The protocol without a server: the code of the windows of shared memory itself under
# threads that come in between any two of its steps; a model of it, and one of what is on
# disk and on a standby, that are explored to the end.  All see what is wrong when a guard
# is missing.

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

# Run the program, with replacements of text in files of src/; return its counts: none
# when it was aborted, or does not end, as what is replaced may also lead to that.
sub run_threads
{
	my ($arguments, @replacements) = @_;
	my $stdout;

	system_or_bail('rm', '-rf', "$sources/src", "$sources/test");
	system_or_bail('cp', '-R', 'src', 'test', $sources);
	FaultyBuild::change($sources, @replacements);
	system_or_bail($ENV{CC} || 'cc', '-O2', "-I$include", "-I$sources/src",
		'-o', "$sources/window", "$sources/test/proof/model/window.c", '-lpthread');
	if (!IPC::Run::run([ qw(timeout -s KILL 20), "$sources/window", @$arguments ], '>', \$stdout) && $? >> 8 < 128 && ($? & 127) == 0)
	{
		die "window failed: $?";
	}
	return { $stdout =~ /^(\w+) (-?\d+)$/mg };
}

# Run it until what the fault does is seen: that is a matter of chance, and of how busy
# the machine is.
sub run_until
{
	my ($is_seen, @run) = @_;
	my $seen;

	for (1 .. 60)
	{
		$seen = run_threads(@run);
		last if %$seen && $is_seen->($seen);
	}
	return $seen;
}

my @few_slots = ('slot.c', '#define SLOTS 8192', '#define SLOTS 2');
# what else would hide the ids that a generator gets of another
my @no_clip = ('return.c',
	'return range_clip(range, WindowHigh(known));', 'return range;');
my @many = (8, 400_000);
my $seen = run_until(sub { 1 }, [@many], @few_slots);
is("$seen->{repeats} $seen->{disorder} $seen->{missing}", '0 0 0', "$seen->{ids} ids, none twice, none out of order, none missing");

foreach my $fault (
	[ 'a generation that is not compared', 'repeats', 'session.h',
		"WordGeneration(word) != window->generation ||\n\t\t\t", '' ],
	[ 'the rest of a window that nobody gets', 'missing', 'reserve.c',
		"		next->range.low = rest.low;\n", '' ],
	[ 'a window closed in two steps', 'repeats', 'end.c',
		"word = pg_atomic_exchange_u64(&slot->word,\n								  MakeWord(window->generation, WINDOW_CLOSED));",
		'word = pg_atomic_read_u64(&slot->word); pg_atomic_write_u64(&slot->word, MakeWord(window->generation, WINDOW_CLOSED));' ],
	[ 'a slot that changes hands with its window', 'disorder', 'slot.c',
		"		slot_begin_change(slot);\n		SpinLockAcquire(&slot->spinlock);\n		slot->window.key", "		SpinLockAcquire(&slot->spinlock);\n		slot->window.key",
		'slot.c', "		return NULL;\n\n	pg_atomic_write_u64", "		return NULL;\n\n	hold_up(random() % 300);\n	slot_begin_change(slot);\n	pg_atomic_write_u64" ],
	[ 'a window that another one follows, read half', 'disorder', 'slot.c',
		"	*window = slot->window;", "	*window = slot->window;\n	hold_up(random() % 300);\n	window->next.range.high = slot->window.next.range.high;",
		'reserve.c', "	slot_begin_change(slot);\n	next->range = taken.range;", "	hold_up(random() % 300);\n	next->range = taken.range;",
		'reserve.c', "sizeof(next->node_tag));\n	slot_end_change(slot);", "sizeof(next->node_tag));" ],
	[ 'a seed that leaves the window open', 'disorder', 'end.c',
		"		if (slot != NULL)\n			window_close(slot);\n		last = store_seed", '		last = store_seed' ],
	[ 'a seed that takes nothing out of the window', 'disorder', 'end.c',
		'window->range = range_above_id(rest, value);', 'window->range = rest;' ],
	[ 'the range of a client returned twice', 'repeats', 'return.c',
		"	if (done)\n		slot->client.role = InvalidOid;", '' ],
	[ 'a return that compares no number', 'repeats', 'return.c',
		"		slot->client.number == client->number &&\n", '' ],
	[ 'a number that names two ranges', 'repeats', 'slot.c',
		'return (int64) pg_atomic_add_fetch_u64(&segment->numbers, 1);', 'return 7;' ],
	[ 'ids carved from a window that is gone', 'repeats', 'carve.c',
		"	while (WordGeneration(word) == known->generation &&", '	while (true &&',
		'carve.c', "&word,\n										   MakeWord(known->generation,", "&word,\n										   MakeWord(WordGeneration(word)," ],
	[ 'a session that returns what is not on top', 'repeats', 'return.c',
		"	uint64		word = entry->top_word;\n", "	uint64		word = slot == NULL ? 0 : pg_atomic_read_u64(&slot->word);\n" ],
	[ 'a returned range given to two sessions', 'repeats', 'return.c',
		"		range = range_split(rest, size);\n",
		"		range = *rest;\n		range.high = range.low + Min(size, RangeLength(*rest)) - 1;\n" ],
	[ 'a returned range given to a session that is above it', 'disorder', 'return.c',
		'*link != 0 && listed_at(*link)->range.low <= above', 'false' ],
	[ 'a returned range of the generator that had the slot before', 'disorder', 'return.c',
		"	SpinLockAcquire(&slot->spinlock);\n	while", "	hold_up(random() % 1000);\n	SpinLockAcquire(&slot->spinlock);\n	while",
		'return.c', 'WordGeneration(pg_atomic_read_u64(&slot->word)) == known->generation', 'true', @no_clip ],
	[ 'a return to a slot that another generator has', 'repeats', 'return.c',
		'done = window_is_of(&slot->window, &key) && rest.low > slot->floor;', 'done = true;' ],
	[ 'a return that is not on top', 'repeats', 'return.c',
		"done = pg_atomic_compare_exchange_u64(&slot->word, &word,\n											  word - (uint64) ids);", 'pg_atomic_write_u64(&slot->word, word - (uint64) ids);' ],
	[ 'a range carved beyond the window', 'repeats', 'carve.c',
		'Min(WindowHigh(known), cut->max_value)', 'cut->max_value' ])
{
	my ($name, $count, @fault) = @$fault;

	$seen = run_until(sub { $_[0]{$count} > 0 }, [@many], @few_slots, @fault);
	cmp_ok($seen->{$count}, '>', 0, "$name: $seen->{$count} $count");
}

# The models: complete where that takes seconds; and each guard has its reason.
SKIP:
{
	no warnings 'qw';
	skip 'no python3 here', 1 if system('python3 -c "" 2>/dev/null') != 0;

	my $model = sub {
		my ($name, @arguments) = @_;
		my $answer;

		IPC::Run::run([ 'python3', "test/proof/model/$name.py", @arguments ], '>', \$answer)
		  or die "$name.py failed";
		return $answer;
	};
	like($model->('window', 600, $_), qr/^complete/, "windows explored to the end: $_")
	  for qw(none block leave block,leave block,source crash seed,once block,evict,once evict,leave,once);
	foreach (
		'block,evict,once take_generation', 'none take_generation', 'none generation', 'block exchange',
		'seed,once exchange', 'evict,once key', 'seed,once seed_closes', 'seed,once raise_above',
		'seed,once raise_next', 'seed,once raise_generation', 'source take_next', 'block rest_first',
		'block,source adjoins', 'source reserve_first', 'crash reserve_first')
	{
		my ($actions, $guard) = split / /;

		like($model->('window', 600, $actions, $guard), qr/^violation/, "$actions without $guard");
	}

	# ranges carved from a window, and the lives of a generator
	like($model->('carve', 600, $_), qr/^complete/, "carve: explored to the end: $_")
	  for qw(return evict return,evict,once return,leave return,tag lift,once restore crash seed,once return,narrow,once force,once drop,once prepare,once);
	foreach (
		'force word', 'seed word', 'restore word_first', 'drop,once look_lock', 'prepare,once look_lock',
		'return,evict generation', 'return fits', 'restore forget', 'restore window_incarnation', 'return take_out',
		'return return_top', 'return return_generation', 'return,evict return_incarnation', 'return,force,once return_incarnation',
		'return,lift return_floor', 'return list', 'return,evict list_generation', 'return list_above',
		'return,lift list_refused', 'return,restore list_closed', 'return,evict,tag claim_floor', 'return,tag tag_floor',
		'client,return,tag same_tag', 'return,lift seed_floor', 'client,lift seed_read', 'client,lift client_floor',
		'client new_number', 'client number', 'client client_lock', 'client client_cleared', 'force raise', 'drop raise',
		'seed raise', 'restore raise', 'prepare raise', 'client,narrow,once raise_before', 'client,narrow,once follow_word')
	{
		my ($actions, $guard) = split / /;

		like($model->('carve', 600, $actions, $guard), qr/^violation/, "carve: $actions without $guard");
	}
	like($model->('carve', 600, 'waits,drop'), qr/^violation: all wait for each other/,
		'a drop that waits for transactions can wait for one that waits for it');

	# what sessions find for each other
	like($model->('finding', 600, $_), qr/^complete/, "finding: explored to the end: $_") for qw(none rollback,seed);
	like($model->('finding', 600, 'rollback,seed', $_), qr/^violation/, "finding: without $_")
	  for qw(raise raise_locked lock_to_end lock lock_first life_first unchanged compare);

	# the disk and the standby
	like($model->('durable', 600, $_), qr/^complete/, "durable: explored to the end: $_")
	  for qw(session,prefetch,crash session,crash,failover,cancel session,prefetch,cancel,failover
	  window,crash,failover,cancel,level window,prefetch,evict,crash window,prefetch,failover
	  window,carve,crash,failover,level window,carve,prefetch,evict,crash window,carve,prefetch,stop,crash
	  window,carve,stop,half,foreign,plain,crash,copy window,prefetch,stop,half,crash,copy,failover
	  window,carve,failover,cancel gapless,crash,failover,cancel,rollback source,orm,reset);
	foreach (
		'session,crash,level flush', 'session,failover standby', 'session,failover,cancel standby_check',
		'session,level,failover level', 'session,prefetch,failover,cancel mark', 'session,prefetch take_prefetched',
		'window,crash,level flush strictest', 'window,level,failover strictest',
		'window,prefetch take_prefetched', 'window,carve,evict return_open',
		'window,stop,half file_whole', 'window,stop,foreign file_system', 'window,stop,crash file_state file_removed',
		(map { "window,stop,copy $_" } qw(file_state file_checkpoint file_system file_recovery)), 'window,stop,copy,failover file_standby',
		'gapless number_lock', 'gapless,rollback lock_to_end',
		'gapless,crash commit_flush', 'gapless,failover standby', 'source,orm own_transaction', 'source,reset above',
		'source,crash source_flush')
	{
		my ($actions, @guards) = split / /;

		like($model->('durable', 600, $actions, @guards), qr/^violation/, "durable: $actions without @guards");
	}

	# synchronous standbys that change
	like($model->('standbys', 600, $_), qr/^complete/, "standbys: explored to the end: $_") for qw(to_and_fro none first);
	foreach (
		'to_and_fro told', 'none told', 'to_and_fro unread', 'to_and_fro new_record', 'to_and_fro unknown_first',
		'none unwaited', 'to_and_fro again', 'none again', 'to_and_fro anew',
		'to_and_fro,prefetch known_from', 'to_and_fro,cancel failed', 'to_and_fro wait', 'to_and_fro last')
	{
		my ($actions, $guard) = split / /;

		like($model->('standbys', 600, $actions, $guard), qr/^violation/, "standbys: $actions without $guard");
	}
	my $seed = $ENV{HILO_MODEL_SEED} // int(rand(2**31));
	like($model->('durable', "1\@$seed", $_), qr/^no violation/, "durable: walks by chance: $_, seed $seed")
	  for qw(session,prefetch,give,level,cancel,crash,failover window,prefetch,evict,level,cancel,crash,failover
	  window,carve,prefetch,evict,stop,half,copy,level,cancel,crash,failover gapless,level,rollback,cancel,crash,failover
	  source,orm,level,cancel,crash,failover);
	like($model->('standbys', "2\@$seed", $_), qr/^no violation/, "standbys: walks by chance: $_, seed $seed")
	  for qw(to_and_fro,prefetch,cancel,come none,prefetch,cancel,come first,prefetch,cancel,come);
	like($model->('carve', "2\@$seed", $_), qr/^no violation/, "carve: walks by chance: $_, seed $seed")
	  for qw(return,client,evict,crash return,evict,leave,tag return,client,seed,restore,force return,client,lift,leave return,client,narrow return,client,drop,prepare,crash);
}

done_testing();
