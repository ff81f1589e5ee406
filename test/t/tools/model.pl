# The protocol without a server: models of the windows of shared memory, of what is on disk and
# on standbys, of a hub and of an ORM's sequence, which are explored to the end.  They see what
# is wrong when a guard is missing.

use strict;
use warnings;

use IPC::Run;
use Test::More;

plan skip_all => 'no python3 here' if system('python3 -c "" 2>/dev/null') != 0;

sub model
{
	my ($name, @arguments) = @_;
	my $answer;

	IPC::Run::run([ 'python3', "test/proof/model/$name.py", @arguments ], '>', \$answer)
	  or die "$name.py failed";
	return $answer;
}

no warnings 'qw';

# windows: complete if that takes seconds; and each guard has its reason
like(model('window', 600, $_), qr/^complete/, "windows explored to the end: $_")
  for qw(none block leave block,leave block,source crash seed,once block,evict,once evict,leave,once);
foreach (
	'block,evict,once take_generation', 'none take_generation', 'none generation', 'block exchange',
	'seed,once exchange', 'evict,once key', 'seed,once seed_closes', 'seed,once raise_above',
	'seed,once raise_next', 'seed,once raise_generation', 'source take_next', 'block rest_first',
	'block,source adjoins', 'source reserve_first', 'crash reserve_first', 'block spinlock')
{
	my ($actions, $guard) = split / /;

	like(model('window', 600, $actions, $guard), qr/^violation/, "$actions without $guard");
}

# ranges carved from a window, and the lives of a generator
like(model('carve', 600, $_), qr/^complete/, "carve: explored to the end: $_")
  for qw(return evict return,evict,once return,leave return,tag lift,once restore crash seed,once return,narrow,once force,once drop,once prepare,once);
foreach (
	'force word', 'seed word', 'restore word_first', 'drop,once look_lock',
	'prepare,once look_lock',
	'return,evict generation', 'return fits', 'restore forget', 'restore window_incarnation',
	'return take_out',
	'return return_top', 'return return_generation', 'return,evict return_incarnation',
	'return,force,once return_incarnation',
	'return,lift return_floor', 'return list', 'return,evict list_generation', 'return list_above',
	'return,lift list_refused', 'return,restore list_closed', 'return,evict,tag claim_floor',
	'return,tag tag_floor',
	'client,return,tag same_tag', 'return,lift seed_floor', 'client,lift seed_read',
	'client,lift client_floor',
	'client new_number', 'client number', 'client client_lock', 'client client_cleared',
	'force raise', 'drop raise',
	'seed raise', 'restore raise', 'prepare raise', 'client,narrow,once raise_before',
	'client,narrow,once follow_word')
{
	my ($actions, $guard) = split / /;

	like(model('carve', 600, $actions, $guard), qr/^violation/, "carve: $actions without $guard");
}
like(model('carve', 600, 'waits,drop'), qr/^violation: all wait for each other/,
	'a drop that waits for transactions can wait for one that waits for it');

# ids that rows bring to a followed generator
like(model('brought', 600, $_), qr/^complete/, "brought: explored to the end: $_")
  for qw(none client,once ahead,once seed,once evict,once crash,once);
foreach (
	'none window_end', 'none exchange', 'none reserve', 'client,once client_bit',
	'client,once client_floor',
	'client,once client_again', 'crash,once draw_flush', 'crash,once carve_flush',
	'ahead,crash next_lsn', 'seed,crash seed_flush')
{
	my ($actions, $guard) = split / /;

	like(model('brought', 600, $actions, $guard), qr/^violation/,
		"brought: $actions without $guard");
}

# the disk and the standby
like(model('durable', 600, $_), qr/^complete/, "durable: explored to the end: $_")
  for qw(session,prefetch,crash session,crash,failover,cancel session,prefetch,cancel,failover
  window,crash,failover,cancel,level window,prefetch,evict,crash window,prefetch,failover
  window,carve,crash,failover,level window,carve,prefetch,evict,crash window,carve,prefetch,stop,crash
  window,carve,stop,half,foreign,plain,crash,copy window,prefetch,stop,half,crash,copy,failover
  window,carve,failover,cancel gapless,crash,failover,cancel,rollback source,orm,reset);
foreach (
	'session,crash,level flush', 'session,failover standby',
	'session,failover,cancel standby_check',
	'session,level,failover level', 'session,prefetch,failover,cancel mark',
	'session,prefetch take_prefetched',
	'window,crash,level flush strictest', 'window,level,failover strictest',
	'window,prefetch take_prefetched', 'window,carve,evict return_open',
	'window,stop,half file_whole', 'window,stop,foreign file_system',
	'window,stop,crash file_state file_removed',
	(map { "window,stop,copy $_" } qw(file_state file_checkpoint file_system file_recovery)),
	'window,stop,copy,plain file_timeline', 'window,stop,copy,failover file_standby',
	'gapless number_lock', 'gapless,rollback lock_to_end',
	'gapless,crash commit_flush', 'gapless,failover standby', 'source,orm own_transaction',
	'source,reset above',
	'source,crash source_flush')
{
	my ($actions, @guards) = split / /;

	like(model('durable', 600, $actions, @guards), qr/^violation/,
		"durable: $actions without @guards");
}

# identities of a hub that crashes, is raised, or is replaced
like(model('hub', 600, $_), qr/^complete/, "hub: explored to the end: $_")
  for qw(other,crash seed,other,crash replace,crash);
foreach ('other,crash hub_flush', 'replace above', 'seed lost', 'replace forget', 'replace noted')
{
	my ($actions, $guard) = split / /;

	like(model('hub', 600, $actions, $guard), qr/^violation/, "hub: $actions without $guard");
}

# a tag of a Citus coordinator, of which workers have windows
like(model('recall', 600, $_), qr/^complete/, "recall: explored to the end: $_")
  for qw(none change raise worker);
foreach (
	'change lock', 'change define', 'change recall', 'change waits', 'change tries', 'change again',
	'raise raise_first', 'raise raise_recall', 'raise waits', 'worker raise_unlocked')
{
	my ($actions, $guard) = split / /;

	like(model('recall', 600, $actions, $guard), qr/^violation/, "recall: $actions without $guard");
}

# a tag of a hub that is dropped or lowered while servers have windows
like(model('lent', 600, $_), qr/^complete/, "lent: explored to the end: $_")
  for qw(drop seed forget,drop,seed);
foreach ('drop left', 'drop lock', 'drop under_lock', 'seed refused', 'forget,drop windows_first')
{
	my ($actions, $guard) = split / /;

	like(model('lent', 600, $actions, $guard), qr/^violation/, "lent: $actions without $guard");
}

# databases that are dropped, and copies with their numbers
like(model('database', 600, 'few'), qr/^complete/, 'database: explored to the end');
foreach ('few tenancy', 'few reserved', 'none new_tenancy', 'few,past past_tenancy',
	'few,seed new_life', 'few,past look')
{
	my ($actions, $guard) = split / /;

	like(model('database', 600, $actions, $guard), qr/^violation/,
		"database: $actions without $guard");
}

# slots that generators get and lose
like(model('slot', 600, $_), qr/^complete/, "slot: explored to the end: $_") for qw(none drop);
foreach ('none window_lock', 'drop drop_lock', 'none find_again', 'none closes', 'drop drop_closes',
	'none unlinks', 'none segment_lock')
{
	my ($actions, $guard) = split / /;

	like(model('slot', 600, $actions, $guard), qr/^violation/, "slot: $actions without $guard");
}

# a sequence that is altered while hilo has a block of it
like(model('source', 600, $_), qr/^complete/, "source: explored to the end: $_")
  for qw(orm alter orm,alter orm,alter,return);
foreach ('orm,alter lock', 'orm,alter range_file', 'orm,alter window_file',
	'orm,alter,return closes', 'orm,alter,return floor')
{
	my ($actions, $guard) = split / /;

	like(model('source', 600, $actions, $guard), qr/^violation/, "source: $actions without $guard");
}

# a sequence that is raised in place, beside nextval, which logs ahead
like(model('raised', 600, $_), qr/^complete/, "raised: explored to the end: $_")
  for qw(nextval,checkpoint,crash nextval,crash,failover);
foreach ('nextval,crash whole', 'nextval,crash log_count', 'nextval,crash flush',
	'nextval,crash seen', 'nextval,failover standby')
{
	my ($actions, $guard) = split / /;

	like(model('raised', 600, $actions, $guard), qr/^violation/, "raised: $actions without $guard");
}

# what a promoted server skips, and the windows that restarts lose, of what is left
like(model('skip', 600, $_), qr/^complete/, "skip: explored to the end: $_")
  for qw(restart,failover,seed,force restart,failover,large,seed,force failover,gapless,seed);
foreach ('restart share', 'failover,large cut', 'failover skip', 'failover,seed seed_keeps',
	'failover,force force_stamps', 'failover,gapless gapless_skips')
{
	my ($actions, $guard) = split / /;

	like(model('skip', 600, $actions, $guard), qr/^violation/, "skip: $actions without $guard");
}

# the first use of a table's generator, in transactions that are rolled back
like(model('first_use', 600, $_), qr/^complete/, "first use: explored to the end: $_")
  for qw(savepoint,crash made,savepoint drop,crash forget move,savepoint create,savepoint rows);
foreach (
	'savepoint frozen', 'rows own_definition', 'savepoint left', 'rows above_rows', 'rows new_life',
	'none wait', 'create wait',
	'made,savepoint subtransaction', 'forget gone', 'drop keeps_lock', 'move moved_left',
	'move moved_refused', 'move wait')
{
	my ($actions, $guard) = split / /;

	like(model('first_use', 600, $actions, $guard), qr/^violation/,
		"first use: $actions without $guard");
}

# rows that join a table, beside sessions with ranges, and a first use
like(model('joined', 600, $_), qr/^complete/, "joined: explored to the end: $_")
  for qw(none first,rollback,loader,disable,detach);
foreach ('none raises', 'none forgets', 'rollback stays', 'none lock', 'first open_rows',
	'first name', 'first looks_again', 'loader always', 'disable enable')
{
	my ($actions, $guard) = split / /;

	like(model('joined', 600, $actions, $guard), qr/^violation/, "joined: $actions without $guard");
}

my $seed = $ENV{HILO_MODEL_SEED} // int(rand(2**31));
like(model('durable', "1\@$seed", $_), qr/^no violation/,
	"durable: walks by chance: $_, seed $seed")
  for qw(session,prefetch,give,level,cancel,crash,failover window,prefetch,evict,level,cancel,crash,failover
  window,carve,prefetch,evict,stop,half,copy,level,cancel,crash,failover gapless,level,rollback,cancel,crash,failover
  source,orm,level,cancel,crash,failover);
like(model('brought', "1\@$seed", 'client,ahead,seed,evict,crash'), qr/^no violation/,
	"brought: walks by chance: seed $seed");
like(model('first_use', "1\@$seed", $_), qr/^no violation/,
	"first use: walks by chance: $_, seed $seed")
  for qw(rows,savepoint,crash,drop rows,savepoint,forget,create made,rows,savepoint,drop,move);
like(model('database', "1\@$seed", 'past,seed,evict'), qr/^no violation/,
	"database: walks by chance: seed $seed");
like(model('carve', "1\@$seed", $_), qr/^no violation/, "carve: walks by chance: $_, seed $seed")
  for qw(return,client,evict,crash return,evict,leave,tag return,client,seed,restore,force return,client,lift,leave return,client,narrow return,client,drop,prepare,crash);

done_testing();
