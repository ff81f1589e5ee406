
# Buckets move from one server to another while their rows are read and changed;
# whoever moves them is interrupted at any point, servers crash, and no row is
# lost, doubled or old.  HILO_MOVE_SEED and HILO_MOVE_KILLS repeat a run or make a
# longer one, HILO_MOVE_FEW is for servers on which a move takes minutes.

use strict;
use warnings;

use FindBin;
use IPC::Run qw(start finish);
use lib "$FindBin::RealBin/lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

use constant FEW => $ENV{HILO_MOVE_FEW};
use constant ROWS => FEW ? 60 : 6000;

my $seed = $ENV{HILO_MOVE_SEED} // time;
my $kills = $ENV{HILO_MOVE_KILLS} // (FEW ? 4 : 20);
diag "HILO_MOVE_SEED=$seed";
srand $seed;

my @names = qw(one two three);
my ($root, @shards) = hilo_shards(\@names);
$root->safe_psql(
	'postgres', q{
	CREATE TABLE orders (id text PRIMARY KEY, customer text, n int NOT NULL CHECK (n >= 0));
	CREATE INDEX ON orders (customer);
	INSERT INTO orders SELECT concat('orders/', i, '-A'), 'fixed', 0 FROM generate_series(1, } . ROWS . q{) i;
	SELECT anchor_partition('orders', 3, ARRAY['one', 'two', 'three'])});

sub query { return $root->safe_psql('postgres', $_[0]); }

# What all rows are, and where: here, and by what each server has itself.
sub sum_of_all
{
	return query(q{SELECT count(*), count(DISTINCT id), sum(n), md5(string_agg(concat(id, ':', n), ',' ORDER BY id COLLATE "C")) FROM orders});
}

sub is_in_place
{
	my ($when) = @_;

	is(query(q{SELECT count(*) FROM orders o JOIN anchor_servers('orders') s ON s.partition = o.tableoid WHERE NOT anchor_bucket(o.id) <@ s.buckets}),
		'0', "$when: each row is where it belongs");
	is(query(q{SELECT sum(upper(buckets) - lower(buckets)) FROM anchor_servers('orders')}), '1048576', "$when: each bucket has a server");
	my $there = 0;
	$there += $_->safe_psql('postgres', q{
		SELECT coalesce(sum((xpath('//c/text()', query_to_xml(format('SELECT count(*) AS c FROM %s', oid::regclass), false, true, '')))[1]::text::int), 0)
		  FROM pg_class WHERE relname LIKE 'orders%' AND relkind = 'r'})
	  for @shards;
	is($there, query('SELECT count(*) FROM orders'), "$when: the servers have each row once");
	is($_->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname ~ '_(changes|steps)$'; SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'hilo_move%' AND NOT tgisinternal AND tgrelid::regclass::text LIKE 'orders%'}),
		"0\n0", "$when: nothing of a move is left on " . $_->name)
	  for @shards;
	return;
}

sub error_of
{
	my ($statement) = @_;
	my ($code, undef, $error) = $root->psql('postgres', "\\set VERBOSITY verbose\n$statement");

	return $code ? $error : 'no error';
}

# With nobody else there: a part out of the middle, the parts that are left, back.
my $before = sum_of_all();
foreach my $move ([ '[100000,200000)', 'two' ], [ '[0,100000)', 'three' ], [ '[150000,250000)', 'three' ], [ '[0,1048576)', 'one' ], [ '[349525,1048576)', 'two' ])
{
	query("SELECT anchor_move('orders', '$move->[0]', '$move->[1]', 500)");
	is(query("SELECT count(*) FROM anchor_servers('orders') WHERE buckets && '$move->[0]' AND server <> '$move->[1]'"), '0', "$move->[0] are on $move->[1]");
	is(sum_of_all(), $before, 'with all rows');
	is_in_place("$move->[0] to $move->[1]");
	last if FEW;
}

# Where a server has a part of its table only, rows change in every way.
query(q{CALL anchor_move_in_steps('orders', '[400000,500000)', 'three')});
foreach my $id ('orders/7-A', 'orders/1-A', 'orders/2-A', 'orders/3-A', 'orders/4-A')
{
	is( query(qq{
			UPDATE orders SET n = n + 1 WHERE anchor_match(id, '$id') AND random() < 2 RETURNING n;
			UPDATE orders SET n = n - 1 WHERE anchor_match(id, '$id');
			DELETE FROM orders WHERE anchor_match(id, '$id') AND random() < 2;
			INSERT INTO orders VALUES ('$id', 'fixed', 0) RETURNING n;
			BEGIN; DELETE FROM orders WHERE id = '$id'; ROLLBACK;
			SELECT n FROM orders WHERE id = '$id' FOR UPDATE}),
		"1\n0\n0", "$id changes");
}
is(sum_of_all(), $before, 'and all is as before');
like(error_of(q{UPDATE orders SET id = 'orders/x' || n WHERE customer = 'fixed'}), qr/23514|44000/, 'an id cannot leave its part');
like(error_of('TRUNCATE orders'), qr/55000.*does not allow truncates/, 'a part cannot be truncated');

# What is refused.
like(error_of(q{CALL anchor_move_in_steps('orders', '[0,2000000)', 'two')}), qr/22023.*not between 0 and 1048576/, 'buckets that do not exist');
like(error_of(q{CALL anchor_move_in_steps('orders', 'empty', 'two')}), qr/22023/, 'no buckets');
like(error_of(q{CALL anchor_move_in_steps('orders', '[0,10)', NULL)}), qr/22004/, 'null');
like(error_of(q{CALL anchor_move_in_steps('orders', '[0,10)', 'nobody')}), qr/42704.*server "nobody" does not exist/, 'an unknown server');
like(error_of(q{CALL anchor_move_in_steps('hilo_shards', '[0,10)', 'two')}), qr/42809.*is not partitioned by buckets/, 'another table');
query(q{CREATE TABLE local (id text PRIMARY KEY); SELECT anchor_partition('local', 2); CREATE ROLE nobody});
like(error_of(q{CALL anchor_move_in_steps('local', '[0,10)', 'two')}), qr/0A000.*are on this server/, 'rows of this server');
like(error_of(q{BEGIN; SELECT FROM orders LIMIT 1; SELECT anchor_move('orders', '[0,10)', 'two')}), qr/25001.*in a transaction that uses it/, 'a transaction that uses the table');
like(error_of(q{SELECT anchor_move('orders', '[0,10)', 'nobody')}), qr/42704.*server "nobody" does not exist.*background worker moving buckets/s, 'an error of the worker');
like(error_of(q{SELECT anchor_move('orders', '[0,10)', 'two', 0)}), qr/22023.*chunk_rows must be at least 1/, 'no rows at a time');
like(error_of(q{SET ROLE nobody; CALL anchor_move_in_steps('orders', '[0,10)', 'two')}), qr/42501.*must be owner of table orders/, 'who does not own it');
query(q{CREATE TABLE twice (id text PRIMARY KEY, n int, twice int GENERATED ALWAYS AS (n * 2) STORED);
	INSERT INTO twice VALUES ('a', 1); SELECT anchor_partition('twice', 3, ARRAY['one', 'two', 'three'])});
like(error_of(q{CALL anchor_move_in_steps('twice', '[0,10)', 'two')}), qr/0A000.*can move together only/, 'a part with generated columns');
query(q{CALL anchor_move_in_steps('twice', '[0,1048576)', 'two')});
is(query(q{UPDATE twice SET n = 2 WHERE id = 'a' RETURNING twice; SELECT count(DISTINCT server) FROM anchor_servers('twice')}), "4\n1", 'all of it moves');

# What is changed and truncated between the steps.
query(q{CREATE TABLE cut (id text PRIMARY KEY, n int, doc json DEFAULT '{}');
	INSERT INTO cut SELECT concat('cut/', i), 1 FROM generate_series(1, 600) i;
	SELECT anchor_partition('cut', 3, ARRAY['one', 'two', 'three']);
	SELECT anchor_move_begin('cut', '[0,349525)', 'two')});
query(q{SELECT anchor_move_step('cut', 50)}) for 1 .. 3;
is(query(q{SELECT state, rows_copied FROM hilo_progress_move WHERE rel = 'cut'::regclass}), 'copy|100', 'half-way');
query(q{UPDATE cut SET n = 2 WHERE anchor_bucket(id) < 349525; DELETE FROM cut WHERE id ~ '7$'});
my $cut = query(q{SELECT count(*), sum(n) FROM cut});
like(error_of(q{SELECT anchor_move('cut', '[0,10)', 'two')}), qr/55000.*has not ended.*anchor_move\('public.cut', '\[0,349525\)', 'two'\)/s, 'another move waits');
query(q{SELECT anchor_move('cut', '[0,349525)', 'two', 50)});
is(query(q{SELECT count(*), sum(n) FROM cut}), $cut, 'changes between the steps are there');
query(q{SELECT anchor_move_begin('cut', '[0,1048576)', 'three')});
query(q{SELECT anchor_move_step('cut', 50)}) for 1 .. 3;
query(q{TRUNCATE cut; INSERT INTO cut SELECT concat('cut/', i), 3 FROM generate_series(1, 100) i; SELECT anchor_move('cut', '[0,1048576)', 'three')});
is(query(q{SELECT count(*), sum(n), (SELECT count(*) FROM anchor_servers('cut') WHERE server <> 'three') FROM cut}), '100|300|0', 'so is TRUNCATE');

# A change that is committed while the move waits for it.
my $writer = hilo_session($root);
my $mover = hilo_session($root);
$mover->{hilo_pid} = pid_of($mover);
run_in($writer, q{BEGIN; UPDATE cut SET n = 4 WHERE anchor_match(id, 'cut/1')});
start_in($mover, q{CALL anchor_move_in_steps('cut', '[0,1048576)', 'one')});
wait_until_waits($root, $mover->{hilo_pid}, 'Lock') or die;
run_in($writer, 'COMMIT');
end_in($mover);
is(query(q{SELECT count(*), sum(n), (SELECT count(*) FROM anchor_servers('cut') WHERE server <> 'one') FROM cut}), '100|301|0', 'a change that it waited for');
end_session($_) for $writer, $mover;

# A role with few rights, and others that watch.
foreach my $node ($root, @shards)
{
	$node->safe_psql('postgres', 'CREATE ROLE shop LOGIN; GRANT CREATE ON SCHEMA public TO shop');
}
query("GRANT USAGE ON FOREIGN SERVER $_ TO shop; CREATE USER MAPPING FOR shop SERVER $_ OPTIONS (user 'shop', password_required 'false')") for @names;
query(q{SET ROLE shop; CREATE TABLE mine (id text PRIMARY KEY);
	INSERT INTO mine SELECT concat('mine/', i) FROM generate_series(1, 300) i;
	SELECT anchor_partition('mine', 3, ARRAY['one', 'two', 'three'])});
query(q{SET ROLE shop; SELECT anchor_move('mine', '[100000,900000)', 'one')});
is(query(q{SET ROLE shop; UPDATE mine SET id = id; SELECT count(*) FROM mine}), '300', 'its owner moves a table');
is($shards[0]->safe_psql('postgres', q{SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relname ~ '^mine'}), 'shop', 'as the role of the user mapping');
is(query(q{SET ROLE shop; SELECT count(*) > 0 FROM hilo_move WHERE rel = 'mine'::regclass}), 't', 'who sees what was moved');
is(query(q{SET ROLE nobody; SELECT count(*) FROM hilo_move}), '0', 'others do not, as there are ids');
like(error_of(q{SET ROLE nobody; INSERT INTO hilo_move (rel, no, requested, buckets, from_server, to_server, target_schema)
	VALUES ('mine'::regclass, 99, '[0,1)', '[0,1)', 'one', 'two', 'public')}), qr/42501.*row-level security/, 'and cannot note one');
is(error_of(q{SET ROLE nobody; UPDATE hilo_move SET state = 'copy'}), 'no error', 'nor change one');
is(query(q{SELECT count(*) FROM hilo_move WHERE state = 'copy'}), '0', 'that is there');

# In schemas of their own, with names that need quotes.
$_->safe_psql('postgres', 'CREATE DATABASE own') for $root, @shards;
$_->safe_psql('own', 'CREATE SCHEMA "its %s Own"; CREATE EXTENSION hilo SCHEMA "its %s Own"') for $root, @shards;
$root->safe_psql('own', 'CREATE EXTENSION postgres_fdw');
foreach my $i (0, 1)
{
	$root->safe_psql('own', sprintf q{
		CREATE SERVER "the %1$s" FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%2$s', port '%3$s', dbname 'own');
		CREATE USER MAPPING FOR CURRENT_USER SERVER "the %1$s"}, $names[$i], $shards[$i]->host, $shards[$i]->port);
}
is( $root->safe_psql('own', q{
		CREATE SCHEMA "a ""Shop""";
		CREATE TABLE "a ""Shop"""."an 'Order'" ("its Id" varchar(50) PRIMARY KEY, n int);
		INSERT INTO "a ""Shop"""."an 'Order'" SELECT concat('x/', i), i FROM generate_series(1, 100) i;
		SELECT "its %s Own".anchor_partition('"a ""Shop"""."an ''Order''"', 2, '[0:1]={the one,the two}');
		SELECT "its %s Own".anchor_move('"a ""Shop"""."an ''Order''"', '[100000,600000)', 'the two', 7);
		UPDATE "a ""Shop"""."an 'Order'" SET n = -n WHERE "its Id" = 'x/7';
		SELECT count(*), sum(n) FROM "a ""Shop"""."an 'Order'";
		SELECT buckets, server FROM "its %s Own".anchor_servers('"a ""Shop"""."an ''Order''"')}),
	"\n\n100|5036\n[0,100000)|the one\n[100000,524288)|the two\n[524288,1048576)|the two", 'names that need quotes');

# Clients: each change is noted here, in the same transaction.
query(q{CREATE TABLE changed (id text, by int, at timestamptz DEFAULT now())});
my $dir = PostgreSQL::Test::Utils::tempdir;
# else their locks, of seconds each, are hardly ever gone within the half second that a step waits
my $rest = FEW ? "\\sleep 60 s\n" : '';
append_to_file("$dir/write", q{
\set i random(1, } . ROWS . q{)
\set what random(1, 4)
BEGIN;
UPDATE orders SET n = n + 1 WHERE anchor_match(id, concat('orders/', :i, '-A'));
INSERT INTO changed VALUES (concat('orders/', :i, '-A'), 1);
COMMIT;
SELECT nextval('made') AS made \gset
BEGIN;
INSERT INTO orders VALUES (concat('made/', :made), 'made', 1);
INSERT INTO changed VALUES (concat('made/', :made), 1);
COMMIT;
\if :what = 1
BEGIN;
DELETE FROM orders WHERE anchor_match(id, concat('made/', :made));
INSERT INTO changed VALUES (concat('made/', :made), -1);
COMMIT;
\endif
} . $rest);
append_to_file("$dir/read", q{
SELECT 1 / (count(*) = } . ROWS . q{ AND count(DISTINCT id) = } . ROWS . q{)::int FROM orders WHERE customer = 'fixed';
} . $rest);
query('CREATE SEQUENCE made');

sub clients
{
	my ($script, $count) = @_;
	my $log = "$dir/$script.log";

	# a change that meets another one of the same row is tried again
	return start([ 'pgbench', '-n', '-c', $count, '-T', 86400, '-f', "$dir/$script", '--max-tries=1000', $root->connstr('postgres') ], '>', $log, '2>', "$log.2");
}

sub lost_changes
{
	return query(q{
		SELECT count(*) FROM (SELECT id, sum(by) AS n FROM changed GROUP BY id) c FULL JOIN orders o USING (id)
		 WHERE coalesce(c.n, 0) <> coalesce(o.n, 0)});
}

# Starts a move in a session of its own.
sub start_move
{
	my ($buckets, $to, $rows) = @_;
	my $session = hilo_session($root);
	$session->{hilo_pid} = pid_of($session);
	start_in($session, random_call() . "('orders', '$buckets', '$to', $rows)");
	return $session;
}

# Half of them by the function, whose work a background worker does.
sub random_call
{
	return rand() < 0.5 ? 'CALL anchor_move_in_steps' : 'SELECT anchor_move';
}

sub random_move
{
	my ($low, $high) = sort { $a <=> $b } int rand 1048576, 1 + int rand 1048576;

	$high++ if $low == $high;
	return ("[$low,$high)", $names[ rand @names ]);
}

sub unfinished
{
	my $move = query(q{SELECT requested, to_server FROM hilo_move WHERE state <> 'done' ORDER BY no LIMIT 1});

	return $move eq '' ? () : split /\|/, $move;
}

sub end_moves
{
	while (my @move = unfinished())
	{
		query("CALL anchor_move_in_steps('orders', '$move[0]', '$move[1]')");
	}
	return;
}

# Starts a move, and waits until it has come as far as chance wants it to, or has ended: at
# once where all is in place.
sub start_move_to_a_moment
{
	my @states = ('prepare', 'copy', 'catch up', 'switch', 'clean', 'done');
	my $from = query(q{SELECT coalesce(min(no) FILTER (WHERE state <> 'done'), max(no) + 1, 1) FROM hilo_move});
	my ($state, $rows) = (1 + int rand @states - 1, int rand ROWS / 3);
	my $session = start_move(@_);

	$root->poll_query_until('postgres', sprintf(q{
		SELECT EXISTS (SELECT FROM hilo_move
		 WHERE no >= %d AND (array_position(ARRAY['%s'], state), rows_copied) >= (%d, %d))
		 OR EXISTS (SELECT FROM pg_stat_activity WHERE pid = %d AND state = 'idle' AND query ~ 'anchor_move')},
		$from, join(q{','}, @states), $state, $rows, $session->{hilo_pid}))
	  or die "no move comes to $states[ $state - 1 ]";
	return $session;
}

my @clients = (clients('write', FEW ? 1 : 3), clients('read', 1));
my %killed_in;
my $resumed = 0;
for my $round (1 .. $kills)
{
	my @move = unfinished();
	$resumed++ if @move;
	@move = random_move() if !@move;
	my $session = start_move_to_a_moment(@move, 1 + int rand 400);
	my $state = query(q{SELECT coalesce((SELECT state FROM hilo_progress_move ORDER BY no LIMIT 1), 'none')});
	$killed_in{$state}++;
	if ($round % 2)
	{
		query("SELECT pg_terminate_backend($session->{hilo_pid})");
		wait_for_end($root, $session->{hilo_pid});
	}
	else
	{
		query("SELECT pg_cancel_backend($session->{hilo_pid})");
		end_in($session);
	}
	end_session($session);
}
diag "killed in: " . join ', ', map { "$_ $killed_in{$_}" } sort keys %killed_in;
cmp_ok($resumed, '>', FEW ? 0 : 3, "$resumed moves were resumed after a kill");
end_moves();
foreach my $client (@clients)
{
	ok($client->pumpable, 'the clients have met no error') or diag slurp_file("$dir/write.log.2"), slurp_file("$dir/read.log.2");
	$client->signal('TERM');
	eval { finish $client };
}
is(slurp_file("$dir/read.log.2") =~ /ERROR/, '', 'no reader has missed a row or seen it twice');
is(slurp_file("$dir/write.log.2") =~ /ERROR/, '', 'no writer has failed');
cmp_ok(query('SELECT count(*) FROM changed'), '>', FEW ? 1 : 200, 'rows have changed meanwhile');
is(lost_changes(), '0', 'each change is there, once');
is_in_place('after the kills');

# Crashes of each server, at random points.
$before = sum_of_all();
foreach my $node ($shards[0], $root, FEW ? () : ($shards[1], $shards[0], $shards[1]))
{
	my @move = unfinished();
	@move = ('[0,1048576)', (query(q{SELECT count(*) FROM anchor_servers('orders') WHERE server = 'one'}) > 0 ? 'two' : 'one')) if !@move;
	my $session = start_move_to_a_moment(@move, 100);
	$node->stop('immediate');
	my $output = $node == $root ? '' : end_in($session);
	end_session($session);
	$node->start;
	is(sum_of_all(), $before, 'all rows are there after a crash of ' . $node->name);
}
end_moves();
is(sum_of_all(), $before, 'and at the end');
is_in_place('after the crashes');
is(query(q{SELECT count(*) FROM hilo_progress_move}), '0', 'no move goes on');

$_->stop for $root, @shards;
done_testing();
