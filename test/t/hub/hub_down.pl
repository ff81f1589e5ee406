
# A hub that is down, killed, frozen, set back, older or the wrong one: sessions go on
# with what the server holds, then say so, and no id comes twice.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $transactions = $ENV{HUB_TRANSACTIONS} // 1500;
my $rounds = $ENV{HUB_ROUNDS} // 3;

my $hub = hub_node('hub', conf => q{shared_preload_libraries = 'hilo'});
my @servers = map { client_of_hub($hub, (qw(B C D))[$_], $_ + 1) } (0 .. 2);
my ($one, $two, $three) = @servers;
foreach my $server (@servers)
{
	$server->safe_psql('postgres', q{
		SELECT hilo_create('orders', hub => 'hub'), hilo_create('tickets|', hub => 'hub');
		CREATE TABLE orders (id bigint DEFAULT hilo_next_tag('orders'));
		CREATE TABLE tickets (id bigint DEFAULT identity_next('tickets'))});
}

# Take ids one by one until there is an error; return that, and them.
sub drain
{
	my ($session, $name) = @_;
	my @ids;

	for (;;)
	{
		my $id = $session->query("SELECT hilo_next_tag('$name')");
		last if $session->{stderr} ne '';
		push @ids, $id;
		die 'no end' if @ids > 100000;
	}
	my $error = $session->{stderr};
	$session->{stderr} = '';
	return ($error, @ids);
}

# Down: identities fail at once, HiLo at the end of what there is, others never.
my $session = hilo_session($one);
my @ids = map { run_in($session, "SELECT hilo_next_tag('orders')") } (1 .. 20);
push @ids, map { on($two, "SELECT hilo_next_tag('orders')") } (1 .. 5);
my $ticket = run_in($session, "SELECT identity_next('tickets')");
$hub->stop;
like(error_of($one, "SELECT identity_next('tickets')"),
	qr/ERROR:  08001: could not connect to hub "hub"\nDETAIL:  .*No such file.*\nHINT:  Ids will be available again/s,
	'an identity fails at once');
is(state_of($session, "SELECT identity_next('tickets')"), '08001',
	'in a session that was connected, too');
is(state_of($session, "SELECT identity_current('tickets')"), '08001', 'identity_current');
is(on($one, "SELECT high - low FROM hilo_next_range('orders', 10)"), 9,
	'a range for a client is carved from the window');
is(state_in($one, "SELECT low FROM hilo_next_range('orders', 10000)"), '08001',
	'a longer one than that has is not');
is(state_in($one, "SELECT hilo_seed('orders', 1000)"), '08001', 'a seed');
push @ids, on($one, "SELECT hilo_next_tag('orders')");
# what that session has left is back
wait_for_sessions($one, 1);
my ($error, @rest) = drain($session, 'orders');
cmp_ok(scalar @rest, '>', 32, 'HiLo goes on for more than a range: ' . @rest);
like($error, qr/could not connect to hub "hub"/, 'then it says so');
is(state_in($one, "SELECT hilo_next_tag('orders')"), '08001', 'in other sessions, too');
push @ids, @rest, on($two, "SELECT hilo_next_tag('orders')");
is(on($two, "SELECT count(*) FROM hilo_generators() WHERE hub = 'hub'"), 2, 'the views are there');
like(on($one,
		"SELECT document_id('users/'), document_id(), document_id('users/1'), hilo_next_tag('local')"),
	qr{^users/0000000000000000001-B\|[0-9a-f-]{36}\|users/1\|1$}, 'other ids never notice');
is(on($one, 'SELECT count(*) > 0 FROM hilo_generators()'), 't', 'nor do views');
is(state_in($one,
		"SELECT hilo_create('while_down', hub => 'hub'), hilo_alter('while_down', range_size => 64), hilo_drop('while_down')"),
	'00000', 'generators are made and dropped');

$hub->start;
push @ids, run_in($session, "SELECT hilo_next_tag('orders')");
is(run_in($session, "SELECT identity_next('tickets')"), $ticket + 1,
	'the sessions go on when it is back');
push @ids, map { on($_, "SELECT hilo_next_tag('orders')") } @servers;
is_unique('no id twice', @ids);

# A prefetch that fails is no error and not tried at each call, but every ten seconds.
$hub->stop;
my $position = -s $three->logfile;
my $began = time;
my $long = hilo_session($three);
drain($long, 'orders');
my $said = () = slurp_file($three->logfile, $position) =~ /ahead of need/g;
cmp_ok($said, '<=', 1 + (time - $began) / 10,
	"a hub that is down is left alone for a while ($said)");
$hub->start;

# With hilo.hub_window a server has ids for an hour, at its pace: at 1,000 a second, too.
foreach my $window ('0', '2h')
{
	on($hub, "SELECT hilo_create('for_$window', max_range_size => 16777216), hilo_grant('for_$window', 'servers')");
	on($one, "SELECT hilo_create('for_$window', hub => 'hub', max_range_size => 16777216)");
	on($one,
		"SET hilo.hub_window = '$window'; SELECT count(hilo_next_tag('for_$window')) FROM generate_series(1, 2000)");
}
$hub->stop;
is(state_in($one, "SELECT hilo_next_tag('for_0', 200000)"), '08001', 'a window of a minute ends');
is(on($one, "SELECT count(*) FROM hilo_next_tag('for_2h', 3600000)"), 3_600_000,
	'one of two hours lasts an hour');
$hub->start;

# Killed, again and again, with its sessions and those of the servers.
foreach my $round (1 .. $rounds)
{
	# round 2 kills a server, the others cut off sessions of another one
	my $cut = $round == 2 ? $two : $one;
	my $enough = 50 + on($cut, 'SELECT count(*) FROM tickets');
	my @runs = insert_everywhere(3, $transactions,
		"INSERT INTO orders VALUES (DEFAULT);\nINSERT INTO tickets VALUES (DEFAULT);\n", @servers);
	$cut->poll_query_until('postgres', "SELECT count(*) >= $enough FROM tickets")
	  or die 'no tickets';
	if ($round == 1)
	{
		crash($hub);
	}
	elsif ($round == 2)
	{
		crash($two);
	}
	else
	{
		on($_, q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pgbench' OR usename = 'servers'})
		  foreach ($one, $hub);
	}
	# sessions that were cut off, by an error or with their server, have failed
	cmp_ok((grep { !$_->finish } @runs) + 0, '>', 0, "round $round cut off sessions");
}
is_unique('a killed hub, a killed server, killed sessions', ids_of('orders', @servers));
is_unique('no identity twice', ids_of('tickets', @servers));
on($_, 'TRUNCATE orders, tickets') foreach @servers;

# Killed just after it has given ids to a session that commits nothing; no other session
# brings them to disk.
$three->append_conf('postgresql.conf', 'wal_writer_delay = 10s');
my @held;
foreach my $round (1 .. 3)
{
	$three->restart;
	push @held, on($three, "SELECT hilo_next_tag('orders')");
	on($three, 'CHECKPOINT');
	my $holding = hilo_session($three);
	push @held, run_in($holding, "SELECT hilo_next_tag('orders')");
	crash($three, $holding);
	push @held, on($three, "SELECT hilo_next_tag('orders')");
}
is_unique('ids of a server that was killed', @held);

# Frozen in the middle of an answer: the wait can be cancelled, and nothing is lost.
end_session($session);
$session = hilo_session($one);
$ticket = run_in($session, "SELECT identity_next('tickets')");
my $frozen = on($hub,
	"SELECT pid FROM pg_stat_activity WHERE usename = 'servers' AND state = 'idle' ORDER BY backend_start DESC LIMIT 1");
kill 'STOP', $frozen;
is(state_of($session, "SET statement_timeout = '300ms'; SELECT identity_next('tickets')"), '57014',
	'a wait for the hub ends with the statement');
kill 'CONT', $frozen;
my $after = run_in($session, "RESET statement_timeout; SELECT identity_next('tickets')");
cmp_ok($after, '>', $ticket, 'the next one comes by another connection');
cmp_ok($after, '<=', $ticket + 2, 'an answer that was lost is a gap');
ok($hub->poll_query_until('postgres',
		"SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $frozen"),
	'the old connection is gone');

# The row on the hub is held: as a local one would, the session waits, and others
# of its server with it.
my $holder = hilo_session($hub);
my $waiter = hilo_session($one);
my $second = hilo_session($one);
use_up($one);
hold_row($holder);
my @pids = map { pid_of($_) } ($waiter, $second);
start_in($waiter, "SELECT hilo_next_tag('orders')");
ok(wait_until_waits($one, $pids[0], $one->pg_version >= 17 ? 'HiloHub' : 'Extension'),
	'a session waits for the hub');
start_in($second, "SELECT hilo_next_tag('orders')");
ok(wait_until_waits($one, $pids[1], 'Lock'), 'a second one waits for it');
on($one, "SELECT pg_cancel_backend($pids[0])");
like(end_in($waiter), qr/57014/, 'it is cancelled');
ok(wait_until_waits($one, $pids[1], 'Extension'), 'then the second one asks');
run_in($holder, 'ROLLBACK');
like(end_in($second), qr/^\d+\n00000$/, 'and gets its id');

# A cancel there is none here: ahead of need it is no error, and it can be caught.
on($hub, "ALTER ROLE servers SET statement_timeout = '100ms'");
my $patient = hilo_session($one);
run_in($patient, "SELECT hilo_next_tag('orders')");
hold_row($holder);
($error, @rest) = drain($patient, 'orders');
like($error, qr/statement timeout/, 'the hub cancels');
is(run_in($patient, "SELECT next IS NULL FROM hilo_session() WHERE name = 'orders'"), 't',
	'no id is left then: ' . @rest);
is(state_of($patient, "SELECT hilo_next_tag('orders')"), '08006',
	'it is the hub that has not answered');
run_in($holder, 'ROLLBACK');
on($hub, 'ALTER ROLE servers RESET statement_timeout');
end_session($patient);

# A whole server that is frozen does not answer a new connection either.
on($one, "ALTER SERVER hub OPTIONS (ADD connect_timeout '1')");
kill 'STOP', $hub->{_pid};
my $new = hilo_session($one);
is(state_of($new, "SELECT identity_next('tickets')"), '08006', 'connect_timeout ends the wait');
kill 'CONT', $hub->{_pid};
on($one, "ALTER SERVER hub OPTIONS (DROP connect_timeout)");
like(run_in($new, "SELECT identity_next('tickets')"), qr/^\d+$/, 'then it answers');

# Set back, or another one of that name: its ids may be in use.
on($hub, 'SELECT hilo_node_forget(system_identifier) FROM hilo_nodes()');
on($hub, "SELECT hilo_seed('orders', 0, true)");
use_up($_) foreach @servers;
like(error_of($one, "SELECT hilo_next_tag('orders')"),
	qr/ERROR:  55000: hub "hub" is behind generator "orders"\nDETAIL:  It gave the range \d+ to \d+, but ids up to \d+ have been received\.\nHINT:  On the hub, raise the generator with hilo_seed/,
	'a hub that was set back is refused');
is(state_in($one, "SELECT low FROM hilo_next_range('orders', 5)"), '55000', 'for clients, too');
on($hub, "SELECT hilo_drop('tickets|')");
is(state_in($one, "SELECT identity_next('tickets')"), '55000',
	'so is an identity that was dropped, and made again by its use');
my $top = (sort { $b <=> $a } map { on($_,
			"SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'orders'") } @servers)[0];
on($hub, "SELECT hilo_seed('orders', $top)");
cmp_ok(on($_, "SELECT hilo_next_tag('orders')"), '>', $top, 'raised, it serves again')
  foreach @servers;

# Nor do ids come twice where another one takes its place while it has not answered yet.
on($hub, 'CREATE DATABASE other');
$hub->safe_psql('other', 'CREATE EXTENSION hilo');
grant_hub($hub, 'servers', 'other');
on($one, "SELECT hilo_create('moved|', hub => 'hub'), identity_next('moved')");
my $asking = hilo_session($one);
run_in($asking, "BEGIN; SELECT identity_next('moved')");
my $keeper = hilo_session($hub);
run_in($keeper, 'BEGIN; LOCK TABLE hilo_internal.hilo_node IN ACCESS EXCLUSIVE MODE');
start_in($asking, "SELECT identity_next('moved') FROM generate_series(1, 3)");
$hub->poll_query_until('postgres',
	"SELECT count(*) = 1 FROM pg_stat_activity WHERE usename = 'servers' AND wait_event_type = 'Lock'") or die 'no session waits at the hub';
on($one, "ALTER SERVER hub OPTIONS (SET dbname 'other'); SELECT hilo_seed(name, reserved) FROM hilo_internal.hilo_hi WHERE name = 'moved|'");
my @moved = map { on($one, "SELECT identity_next('moved')") } 1 .. 3;
run_in($keeper, 'COMMIT');
push @moved, end_in($asking) =~ /^([1-9]\d*)$/mg;
is_unique('none of a hub that is replaced while it is asked', @moved);
cmp_ok(scalar @moved, '>=', 6, 'and the session goes on');
on($one, "ALTER SERVER hub OPTIONS (SET dbname 'postgres')");
end_session($_) foreach ($asking, $keeper);

# Not there, or the wrong one.
name_hub($one, 'bare', $hub, dbname => 'template1');
like(error_of($one, "SELECT hilo_create('bare|', hub => 'bare'), identity_next('bare')"),
	qr/ERROR:  55000: extension "hilo" is not installed on hub "bare"/, 'no extension');
name_hub($one, 'nowhere', $hub, port => 1);
is(state_in($one, "SELECT hilo_create('nowhere', hub => 'nowhere'), hilo_next_tag('nowhere')"),
	'08001', 'no server');
name_hub($one, 'no_database', $hub, dbname => 'none');
like(error_of($one, "SELECT hilo_create('none', hub => 'no_database'), hilo_next_tag('none')"),
	qr/ERROR:  08001: .*\nDETAIL:  .*database "none" does not exist/, 'no database');

# Loops.
name_hub($hub, 'self', $hub);
on($hub, "SELECT hilo_create('self', hub => 'self'), hilo_grant('self', 'servers'), hilo_create('self|', hub => 'self'), hilo_grant('self|', 'servers')");
on($hub, q{GRANT USAGE ON FOREIGN SERVER self TO servers;
	CREATE USER MAPPING FOR servers SERVER self OPTIONS (user 'servers', password_required 'false');
	SET ROLE servers; SELECT hilo_create('own', hub => 'self')});
like(error_of($hub, "SELECT hilo_next_tag('self')"),
	qr/ERROR:  55000: generator "self" gets its own ids from hub "self"\nDETAIL:  .*\nCONTEXT:  hub "self"/s, 'its own hub');
is(state_in($hub, $_), '55000', $_) foreach (
	"SELECT identity_next('self')", "SELECT identity_current('self')",
	"SELECT hilo_seed('own', 10)",
	"SELECT low FROM hilo_next_range('self', 1)", "SELECT hilo_next_hi('self', 10)");
is(state_in($hub, "SELECT hilo_seed('self', 10)"), '42501',
	'a hub is seeded by the owner of its generator');
name_hub($hub, 'back', $one);
on($one, 'CREATE ROLE servers LOGIN');
grant_hub($one, 'servers');
on($hub, "SELECT hilo_create('circle', hub => 'back'), hilo_grant('circle', 'servers')");
on($one, "SELECT hilo_create('circle', hub => 'hub'), hilo_grant('circle', 'servers')");
like(error_of($_, "SELECT hilo_next_tag('circle')"), qr/55000: generator "circle" gets its own ids/,
	'a circle of two') foreach ($one, $hub);

# Passwords: an owner without superuser rights is never taken for this server.
on($hub, "ALTER ROLE servers PASSWORD 'right'; CREATE ROLE trusted LOGIN");
grant_hub($hub, 'trusted');
unlink $hub->data_dir . '/pg_hba.conf';
$hub->append_conf('pg_hba.conf', "local all servers scram-sha-256\nlocal all all trust");
$hub->reload;
on($one, q{CREATE ROLE owner; GRANT CREATE ON DATABASE postgres TO owner; GRANT USAGE ON FOREIGN SERVER hub TO owner; CREATE USER MAPPING FOR owner SERVER hub OPTIONS (user 'servers');
	SET ROLE owner; SELECT hilo_create('owned|', hub => 'hub')});
sub with_mapping { my ($options, $role) = @_; on($one,
		"ALTER USER MAPPING FOR owner SERVER hub OPTIONS ($options)"); return error_of($one,
		"SELECT identity_next('owned')"); }
like(error_of($one, "SELECT identity_next('owned')"),
	qr/2F003: password is required for hub "hub"\nDETAIL:  The user mapping has no password/,
	'a mapping without a password');
like(with_mapping("ADD password 'wrong'"), qr/08001: .*\nDETAIL:  .*password authentication failed/,
	'a wrong password');
is(with_mapping("SET password 'right'"), '', 'the right one');
on($hub, "SELECT hilo_grant('owned|', 'trusted')");
like(with_mapping("SET user 'trusted'"), qr/2F003: .*\nDETAIL:  The hub has not asked/,
	'a hub that asks for none');
is(with_mapping("ADD password_required 'false'"), '', 'a superuser may allow that');
on($one, 'ALTER SERVER hub OWNER TO owner');
like(error_of($one, "SELECT identity_next('owned')"), qr/2F003: .*\nDETAIL:  The hub has not asked/,
	'but not the owner that says where the hub is');
on($one, 'ALTER SERVER hub OWNER TO '
  . $one->safe_psql('postgres', 'SELECT quote_ident(current_user)'));
on($one, q{CREATE FOREIGN DATA WRAPPER lax; CREATE SERVER lax FOREIGN DATA WRAPPER lax OPTIONS (host '} . $hub->host . q{', port '} . $hub->port . q{', dbname 'postgres');
	GRANT USAGE ON FOREIGN SERVER lax TO owner; CREATE USER MAPPING FOR owner SERVER lax OPTIONS (user 'trusted', password 'x', password_required 'false')});
like(error_of($one, "SELECT hilo_alter('owned|', hub => 'lax'); SELECT identity_next('owned')"),
	qr/2F003/, 'not by a wrapper that lets any role say so');
append_to_file($one->data_dir . '/passwords', '*:*:*:servers:right');
chmod 0600, $one->data_dir . '/passwords';
on($one, q{CREATE SERVER filed FOREIGN DATA WRAPPER lax OPTIONS (host '} . $hub->host . q{', port '} . $hub->port . q{', dbname 'postgres', passfile '} . $one->data_dir . q{/passwords');
	GRANT USAGE ON FOREIGN SERVER filed TO owner; CREATE USER MAPPING FOR PUBLIC SERVER filed OPTIONS (user 'servers');
	SELECT hilo_create('filed|', hub => 'filed'); SET ROLE owner; SELECT hilo_create('theirs|', hub => 'filed')});
like(error_of($one, "SELECT identity_next('filed'); SELECT identity_next('theirs')"),
	qr/2F003: .*\nDETAIL:  The user mapping has no password/,
	'nor by a password that is only a superuser\'s, over a connection that stands');

# A server that is moved or dropped while a session is connected.
my $live = hilo_session($two);
on($two, "ALTER USER MAPPING FOR CURRENT_ROLE SERVER hub OPTIONS (ADD password 'right')");
like(run_in($live, "SELECT identity_next('more')"), qr/^1$/, 'a local identity') ;
on($two, "SELECT hilo_create('live|', hub => 'hub')");
is(run_in($live, "SELECT identity_next('live')"), 1, 'connected');
on($two, "ALTER SERVER hub OPTIONS (SET port '1')");
is(state_of($live, "SELECT identity_next('live')"), '08001',
	'a change of the server is seen by a session that is connected');
on($two, "ALTER SERVER hub OPTIONS (SET port '" . $hub->port . "')");
is(run_in($live, "SELECT identity_next('live')"), 2, 'and the next one');
on($two, 'DROP SERVER hub CASCADE');
is(state_of($live, "SELECT identity_next('live')"), '42704', 'a server that is dropped');
run_in($live, "SELECT hilo_alter('live|', hub => '')");
is(run_in($live, "SELECT identity_next('live')"), 3, 'without a hub it goes on by itself');

$_->stop foreach (@servers, $hub);
done_testing();

# Hold the row of the orders on the hub, where no window is open any more.
sub hold_row
{
	my ($session) = @_;

	run_in($session,
		"SELECT hilo_seed('orders', reserved + 1) FROM hilo_internal.hilo_hi WHERE name = 'orders'");
	run_in($session,
		"BEGIN; SELECT reserved FROM hilo_internal.hilo_hi WHERE name = 'orders' FOR UPDATE");
	return;
}

# Uses up what a server holds of orders.
sub use_up
{
	my ($server) = @_;

	on($server, q{SELECT hilo_alter('orders', hub => '')});
	on($server,
		q{SELECT hilo_seed('orders', reserved) FROM hilo_internal.hilo_hi WHERE name = 'orders'});
	on($server, q{SELECT hilo_alter('orders', hub => 'hub')});
	return;
}
