
# Three servers that take their ids from a hub: none twice, identities in one order
# over all of them, and what the hub knows of them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $transactions = $ENV{HUB_TRANSACTIONS} // 300;

my $hub = hub_node('hub', conf => "hilo.node_tag = 'H'");
my @servers = map { client_of_hub($hub, (qw(B C D))[$_], $_ + 1) } (0 .. 2);
my ($one, $two, $three) = @servers;
foreach my $server (@servers)
{
	$server->safe_psql('postgres', q{
		SELECT hilo_create('orders', hub => 'hub'), hilo_create('tickets|', hub => 'hub');
		CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'));
		CREATE TABLE tickets (id bigint PRIMARY KEY DEFAULT identity_next('tickets'))});
}

# Ranges.
$_->finish or die "pgbench failed" foreach insert_everywhere(4, $transactions,
	"INSERT INTO orders VALUES (DEFAULT), (DEFAULT), (DEFAULT);\n", @servers);
my @ids = ids_of('orders', @servers);
is(scalar @ids, 3 * 4 * 3 * $transactions, 'twelve clients on three servers');
is_unique('no id twice', @ids);
is(on($one,
		'SELECT count(*) FROM (SELECT id, lag(id) OVER () AS before FROM hilo_next_tag(\'orders\', 1000) id) ids WHERE id <= before'),
	0, 'ids rise in a session');

# Identities.
$_->finish or die "pgbench failed" foreach insert_everywhere(2, $transactions / 3,
	"INSERT INTO tickets DEFAULT VALUES;\n", @servers);
@ids = ids_of('tickets', @servers);
is_unique('no identity twice', @ids);
is((sort { $b <=> $a } @ids)[0], scalar @ids, 'and none is left out');
my @sessions = map { hilo_session($_) } @servers;
my @order = map { run_in($sessions[ $_ % 3 ], "SELECT identity_next('tickets')") } (1 .. 30);
is("@order", join(' ', map { @ids + $_ } (1 .. 30)), 'one order over all servers');
is(run_in($sessions[0], "SELECT identity_next('tickets', 10)"),
	'(' . (@ids + 31) . ',' . (@ids + 40) . ')', 'blocks, too');
is(on($two, "SELECT identity_current('tickets')"), @ids + 40,
	'identity_current is the same everywhere');
is(on($hub, "SELECT identity_next('tickets')"), @ids + 41, 'the hub takes part');
is(on($three, "SELECT identity_next_id('tickets|')"), 'tickets/' . (@ids + 42), 'text');
is(on($two, q{SELECT last FROM hilo_generators() WHERE name LIKE '%|'}),
	on($two, "SELECT last FROM hilo_generators() WHERE name = 'tickets|'"),
	'the view shows what came here');

# Other ways to take ids.
my ($low, $high) = split /\|/, on($one, "SELECT low, high FROM hilo_next_range('orders', 500)");
is($high - $low, 499, 'a range for a client');
is(on($one, "SELECT hilo_return_range('orders', $high, $low)"), 'f', 'does not come back');
my $hi = on($one, "SELECT hilo_next_hi('orders', 1000)");
my $next = on($hub, "SELECT hilo_next_tag('orders')");
cmp_ok($next, '>', $hi * 1000 + 999, 'a hi is a whole block of the hub');
like(on($two, "SELECT hilo_next_id('orders')"), qr{^orders/\d+-C$},
	'text ids have the server\'s own tag');

# Ranges for clients come from the server's window, which grows with use.
my $asked = "SELECT ranges FROM hilo_stats() WHERE name = 'clients'";
on($one, "SELECT hilo_create('clients', hub => 'hub')");
is(on($one, "SELECT count(DISTINCT (r).low) FROM (SELECT hilo_next_range('clients', 100) FROM generate_series(1, 1000)) t (r)"),
	1000, 'a thousand ranges for clients');
cmp_ok(on($hub, $asked), '<=', 12, 'in a few calls of the hub');
is(on($one, "SELECT hilo_return_range('clients', high, low - 1, range_no) FROM hilo_next_range('clients', 100)"),
	't', 'the newest comes back');

# Transactions of the caller.
my $session = $sessions[0];
run_in($session, 'BEGIN');
my $rolled_back = run_in($session, "SELECT hilo_next_tag('orders')");
my $ticket = run_in($session, "SELECT identity_next('tickets')");
run_in($session, 'ROLLBACK');
cmp_ok(run_in($session, "SELECT hilo_next_tag('orders')"), '>', $rolled_back,
	'a rollback gives no id back');
is(run_in($session, "SELECT identity_next('tickets')"), $ticket + 1, 'and no identity');
run_in($session, 'BEGIN');
my $prepared = run_in($session, "SELECT hilo_next_tag('orders')");
run_in($session, "PREPARE TRANSACTION 'p'");
cmp_ok(run_in($session, "SELECT hilo_next_tag('orders')"), '>', $prepared, 'PREPARE TRANSACTION');
run_in($session, "ROLLBACK PREPARED 'p'");
is(state_in($one, "SET default_transaction_read_only = on; SELECT hilo_next_tag('orders')"),
	'25006', 'read-only transactions are refused');
is(state_in($one, "SET default_transaction_read_only = on; SELECT identity_next('tickets')"),
	'25006', 'for identities, too');
is(state_in($one,
		"SET default_transaction_isolation = 'serializable'; SELECT hilo_next_tag('orders'), identity_next('tickets')"),
	'00000', 'a serializable one is not');

on($hub, "SELECT hilo_create('long|', 'global', max_range_size => 20000000), hilo_grant('long|', 'servers')");
on($one, "SELECT hilo_create('long|', 'global', max_range_size => 20000000, hub => 'hub')");
is(state_in($one, "SELECT identity_next('long', 12000000)"), '22003',
	'a block that the hub refuses as too long');

# What a session leaves goes back into the window, for the next one.
wait_for_sessions($one, 1);
@ids = ();
foreach (1 .. 20)
{
	push @ids, on($one, "SELECT hilo_next_tag('orders')");
	wait_for_sessions($one, 1);
}
is($ids[-1] - $ids[0], 19, 'twenty sessions, twenty ids');

# Not for another session that has taken a range: its ids would fall.
on($one, "SELECT hilo_create('stocked', hub => 'hub')");
my ($first, $second) = map { hilo_session($one) } (1, 2);
run_in($_, "SELECT hilo_next_tag('stocked')") foreach ($first, $second);
is(run_in($first, "SELECT hilo_release('stocked')"), 31,
	'what lies below the range of another session is returned');
is(run_in($second,
		"SELECT count(*) FROM (SELECT id, lag(id) OVER () AS before FROM hilo_next_tag('stocked', 3000) id) ids WHERE id <= before"),
	0, 'with ids that rise');
end_session($_) foreach ($first, $second);

# Seeds.
is(on($one, "SELECT hilo_seed('orders', 1000000000)"), 1000000000, 'a seed raises the hub');
cmp_ok(on($two, "SELECT low FROM hilo_next_range('orders', 600000)"), '>', 1000000000,
	'and so what others get from there');
cmp_ok(on($one, "SELECT hilo_next_tag('orders')"), '>', 1000000000, 'and this server');
is(state_in($one, "SELECT hilo_seed('orders', 1, true)"), '0A000', 'it cannot lower it');

# The hub knows its servers; a connection writes nothing that is there.
is(on($hub,
		"SELECT string_agg(node_tag || node_no, ' ' ORDER BY node_tag) || count(problem) FROM hilo_nodes()"),
	'B1 C2 D3 H00', 'the hub knows its servers');
my $rows = "SELECT string_agg(xmin::text, ' ' ORDER BY node_tag) FROM hilo_internal.hilo_node";
my $before = on($hub, $rows);
on($one, "SELECT identity_next('tickets')") foreach (1 .. 3);
is(on($hub, $rows), $before, 'connections and refills write nothing there');
$three->append_conf('postgresql.conf', "hilo.node_tag = 'B'\nhilo.node_no = 2");
$three->reload;
ok($three->poll_query_until('postgres', "SELECT current_setting('hilo.node_tag') = 'B'"),
	'another tag');
my (undef, undef, $warning) = $three->psql('postgres', "SELECT identity_next('tickets')");
like($warning, qr/WARNING:  another server of hub "hub" has this server's node tag or number/,
	'two servers with one tag');
like($warning,
	qr/Server "server_B" at \[local\] with system identifier \d+ has node tag B and node_no 1\.\nServer "server_C" .* has node tag C and node_no 2\./,
	'it is said which');
is(on($hub, "SELECT count(problem) FROM hilo_nodes() WHERE node_tag IN ('B', 'C')"), 3,
	'and it shows on the hub');
is(on($hub,
		"SELECT hilo_node_forget(system_identifier, 'B') FROM hilo_internal.hilo_node WHERE node_tag = 'B' AND node_no = 1"),
	1, 'a server is forgotten');
is(on($hub,
		"SELECT string_agg(node_tag || node_no || coalesce(problem, ''), ', ' ORDER BY node_tag, node_no) FROM hilo_nodes()"),
	'B2another server has this node_no, C2another server has this node_no, D3, H0',
	'and what was its fault');
on($hub, 'REVOKE EXECUTE ON FUNCTION hilo_internal.hilo_hub_register FROM servers');
is(state_in($two, "SELECT identity_next('tickets')"), '42501',
	'no ids without the right to register');
on($hub, 'GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_register TO servers');

# Rights: to use a generator is enough, and to have none is to reach nothing.
on($one, q{CREATE ROLE app; GRANT CREATE ON DATABASE postgres TO app; SELECT hilo_create('own|', hub => 'hub'), hilo_grant('own|', 'app')});
is(on($one, "SET ROLE app; SELECT identity_next('own')"), 1,
	'a role that may use the generator needs no mapping');
on($one, "CREATE ROLE nobody");
is(state_in($one, "SET ROLE nobody; SELECT identity_next('own')"), '42501',
	'one that may not is refused');
is(on($hub, "SELECT identity_current('own')"), 1, 'before the hub hears of it');
is(state_in($one, "SET ROLE app; SELECT hilo_create('theirs', hub => 'hub')"), '42501',
	'a hub takes USAGE of the server');
on($one, 'GRANT USAGE ON FOREIGN SERVER hub TO app');
like(error_of($one,
		"SET ROLE app; SELECT hilo_create('theirs', hub => 'hub'), hilo_next_tag('theirs')"),
	qr/ERROR:  42704: user mapping not found for .*"app"/, 'and a mapping');
on($hub, "SELECT hilo_create('closed')");
like(error_of($one, "SELECT hilo_create('closed', hub => 'hub'), hilo_next_tag('closed')"),
	qr/ERROR:  42501: permission denied for generator "closed"\n.*CONTEXT:  hub "hub"/s,
	'and the right on the hub');

# What the server has of the hub is not handed out where rows have it; the table's owner need
# not own the generator.
on($one, "SELECT hilo_create('passed', hub => 'hub'), hilo_grant('passed', 'app')");
my $holding = hilo_session($one, '-c client_min_messages=error');
is(run_in($holding, "SELECT hilo_next_tag('passed')"), 1, 'an id, and more at hand');
on($one, q{
	CREATE TABLE passed (id bigint PRIMARY KEY);
	INSERT INTO passed SELECT generate_series(2, 20);
	ALTER TABLE passed OWNER TO app;
	SET ROLE app;
	SELECT hilo_attach('passed', 'id', 'passed')});
cmp_ok(on($one, 'INSERT INTO passed DEFAULT VALUES RETURNING id'), '>', 20, 'one that no row has');
cmp_ok(run_in($holding, "SELECT hilo_next_tag('passed')"), '>', 20,
	'nor does who had more at hand');
end_session($holding);
on($hub, 'REVOKE EXECUTE ON FUNCTION hilo_internal.hilo_hub_seed FROM servers');
is(state_in($one, q{CREATE TABLE fresh (id bigint); SELECT hilo_attach('fresh', 'id', 'passed')}),
	'00000',
	'a table without such rows does not raise the hub');
on($hub, 'GRANT EXECUTE ON FUNCTION hilo_internal.hilo_hub_seed TO servers');

# A hub's max_range_size, and its end.
on($hub, "SELECT hilo_create('few', max_value => 100, max_range_size => 40), hilo_grant('few', 'servers')");
on($_, "SELECT hilo_create('few', hub => 'hub')") foreach @servers;
my @few = map {
	# what the session before has left is there once it has ended
	wait_for_sessions($servers[$_ % 3], 1);
	on($servers[$_ % 3], "SELECT hilo_next_tag('few')");
} (1 .. 30);
is_unique('up to the end', @few);
is(state_in($one, "SELECT low FROM hilo_next_range('few', 41)"), '22023',
	'more than the hub gives at once');
my ($taken, $state) = (30, '');
foreach my $server (@servers)
{
	do
	{
		wait_for_sessions($server, 1);
		$state = state_in($server, "SELECT hilo_next_tag('few')");
	} while $state eq '00000' && ++$taken;
	is($state, '2200H', 'the end');
}
is($taken, 100, 'all ids of the hub were handed out');

# Who comes near the end of a server's own limit is warned of it once; the hub notes its own.
on($hub, "SELECT hilo_create('ending$_', max_value => 100), hilo_grant('ending$_', 'servers'), hilo_create('ending$_|', max_value => 100), hilo_grant('ending$_|', 'servers')") foreach ('', '_there');
on($one, "SELECT hilo_create('ending$_', hub => 'hub', max_value => 100), hilo_create('ending$_|', hub => 'hub', max_value => 100)")
  foreach ('', '_here');
on($one, "SELECT hilo_create('ending_there', hub => 'hub'), hilo_create('ending_there|', hub => 'hub')");
foreach my $name ('ending', 'ending_here', 'ending_there')
{
	foreach my $take ("count(hilo_next_tag('$name')) FROM generate_series(1, 100)",
		"identity_next('$name', 92)")
	{
		my (undef, undef, $said) = $one->psql('postgres',
			"\\set SHOW_CONTEXT always\nSET hilo.prefetch = off; SELECT $take");
		my @warnings = $said =~ /WARNING:  generator "\Q$name\E\|?" has reserved at least (\d+)%/g;

		is_deeply([ sort @warnings ],
			[ sort { $a <=> $b } keys %{ { map { $_ => 1 } @warnings } } ],
			"$take: each warning once");
		is($warnings[-1], $name eq 'ending_there' ? undef : 90, "$take: of the end");
	}
}
like(slurp_file($hub->logfile), qr/WARNING:  generator "ending_there\|" has reserved at least 90%/,
	'the end of the hub is in its log');

# A range that was on its way when the generator was raised is not handed out.
foreach my $take ("hilo_next_tag('late')", "low FROM hilo_next_range('late')")
{
	my ($holder, $session) = (hilo_session($hub), hilo_session($one));

	on($one, "SELECT hilo_create('late', hub => 'hub')");
	on($hub, "SELECT hilo_create('late'), hilo_grant('late', 'servers')");
	run_in($holder, "BEGIN; SELECT FROM hilo_internal.hilo_hi WHERE name = 'late' FOR UPDATE");
	start_in($session, "SELECT $take");
	$hub->poll_query_until('postgres',
		"SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query ~ 'hilo_hub_take' AND wait_event_type = 'Lock')")
	  or die;
	on($one, q{INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"reserved": 1000}')).* FROM hilo_internal.hilo_hi h WHERE name = 'late'});
	run_in($holder, 'COMMIT');
	is(end_in($session), '55000', "$take: a range from before");
	end_session($_) foreach $holder, $session;
	on($_, "SELECT hilo_drop('late')") foreach $one, $hub;
}

# A dump has the hub, and its restore asks no hub.
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump.sql';
$one->command_ok([ 'pg_dump', '-f', $dump, '-h', $one->host, '-p', $one->port, 'postgres' ],
	'dump');
my $sql = slurp_file($dump);
$sql =~ s/^(CREATE|ALTER|GRANT .* ON FOREIGN) (SERVER|USER MAPPING).*?;$//msg;
my $new = PostgreSQL::Test::Cluster->new('restored');
$new->init;
$new->start;
$new->safe_psql('postgres', $sql =~ s/OWNER TO \S+;/OWNER TO CURRENT_USER;/gr);
is(on($new,
		"SELECT hub || ' ' || (last > 1000000000) FROM hilo_generators() WHERE name = 'orders'"),
	'hub true', 'restored without the server');
is(state_in($new, "SELECT hilo_next_tag('orders')"), '42704', 'which is missed when it is needed');

$_->stop foreach (@servers, $new, $hub);
done_testing();
