
# Trace ids rise, and none comes twice: not when more are asked for than fit into
# a second, not after a crash in that second, not if the clock goes back, not
# in another database, not on a promoted standby.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('main', allows_streaming => 1, conf => qq{
hilo.node_no = 12
max_connections = 50
});
$node->safe_psql(
	'postgres', q{
	CREATE DATABASE other;
	CREATE TABLE id (n bigint GENERATED ALWAYS AS IDENTITY, id bigint)});
$node->safe_psql('other', 'CREATE EXTENSION hilo');

my %seen;
my $highest = 0;

# Take ids, and say how many of them came before or are not above all others.
sub faults
{
	my ($server, $database, $count) = @_;
	my $faults = 0;

	foreach my $id (split /\n/, $server->safe_psql($database,
			"SELECT trace_id_next() FROM generate_series(1, $count)"))
	{
		$faults++ if $seen{$id}++ || $id <= $highest;
		$highest = $id if $id > $highest;
	}
	return $faults;
}

# Return the second that a node may have issued ids up to.
sub bound
{
	my ($database) = @_;

	return $node->safe_psql($database,
		q{SELECT last FROM hilo_generators() WHERE name = 'hilo.trace_id/12'});
}

sub second_of
{
	my ($id) = @_;

	return $node->safe_psql('postgres',
		"SELECT extract(epoch FROM (trace_id_parts($id)).ts)::bigint");
}

is(faults($node, 'postgres', 1000), 0, 'ids rise');

# more than there are in a second
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*), count(*) FILTER (WHERE id <= before), count(DISTINCT id >> 38) > 1,
			   max(id) >> 38 <= (SELECT last & 33554431 FROM hilo_generators())
		  FROM (SELECT id, lag(id) OVER () AS before FROM (SELECT trace_id_next() AS id FROM generate_series(1, 4500000)) t) t}),
	'4500000|0|t|t',
	'4.5 million ids rise, over more than a second, within the bound');
is(faults($node, 'postgres', 10), 0, 'those after it are above');
is( $node->safe_psql('postgres',
		q{SELECT max((trace_id_parts(id)).ts) <= clock_timestamp() + interval '1 s' FROM (SELECT trace_id_next() AS id) t}),
	't', 'ids are not ahead of the clock further than they may');

# bounds raised as far as can be, or further than there are seconds: nothing spins, or begins anew
foreach my $case ([ 17, '9223372036854775807', 'SELECT trace_id_next()' ],
	[ 18, '(1::bigint << 42) - 1', '' ])
{
	my ($no, $bound, $before) = @$case;
	my $errors;

	$node->safe_psql('postgres',
		"SET hilo.node_no = $no; $before; SELECT hilo_seed('hilo.trace_id/$no', $bound)");
	$node->psql('postgres',
		"SET statement_timeout = '100ms'; SET hilo.node_no = $no; SELECT trace_id_next()",
		stderr => \$errors);
	like($errors, qr/canceling statement due to statement timeout/, "node $no waits for its bound");
}

# 32 clients
$node->pgbench(
	'--no-vacuum --client=32 --transactions=50',
	0, [qr/processed: 1600\/1600/], [qr/^$/],
	'32 clients',
	{ 'trace_ids' => 'INSERT INTO id (id) SELECT trace_id_next() FROM generate_series(1, 20)' });
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT id) FROM id'),
	'32000|32000', 'each got its own');

# crashes, one after the other, within a second or not much more
foreach my $crash (1 .. 4)
{
	is(faults($node, 'postgres', 2000), 0, "ids rise before crash $crash");
	crash($node);
	is(faults($node, $_, 10), 0, "and after it in $_") foreach ('other', 'postgres');
}
cmp_ok(second_of($highest) - time, '<=', 2,
	'crashes have not put ids ahead of the clock');
$node->restart;
is(faults($node, 'postgres', 10), 0, 'and after a restart');

# the bound is on disk before an id of its second leaves
cmp_ok(bound('postgres'), '>=', second_of($highest), 'the bound');

# as if the clock had gone back while the server was down
my $ahead = time + 6;
$node->safe_psql('postgres', "SELECT hilo_seed('hilo.trace_id/12', $ahead)");
$node->restart;
is(faults($node, 'postgres', 10), 0, 'ids rise after the clock went back');
cmp_ok(second_of($highest), '>', $ahead, 'above what was issued before');
cmp_ok(time + 1, '>=', second_of($highest), 'by waiting for it');

# a wait can be cancelled, and timed out
$node->safe_psql('postgres', q{
	SELECT hilo_seed('hilo.trace_id/12', extract(epoch FROM now())::bigint + 1000)});
$node->restart;
my $session = hilo_session($node);
my $pid = pid_of($session);
start_in($session, 'SELECT trace_id_next()');
ok(wait_until_waits($node, $pid, 'Extension'), 'a call waits');
$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
like(end_in($session), qr/57014/, 'and is cancelled');
is(state_of($session, q{SET statement_timeout = '100ms'; SELECT trace_id_next()}),
	'57014', 'or timed out');
is(run_in($session,
		q{SET hilo.node_no = 13; RESET statement_timeout; SELECT (trace_id_parts(trace_id_next())).node_no}),
	'13', 'other nodes do not wait');
end_session($session);
$node->append_conf('postgresql.conf', 'hilo.trace_ahead = 2000s');
$node->reload;
ok($node->poll_query_until('postgres',
		q{SELECT (trace_id_parts(trace_id_next())).ts > now() + interval '900 s'}),
	'the setting says how far ids may be ahead');

# What one database uses up ahead of the clock, the others know after a restart.
foreach my $of ('DATABASE other', 'ROLE CURRENT_ROLE IN DATABASE other', 'a client')
{
	local $ENV{PGOPTIONS} = $of eq 'a client' ? '-c hilo.trace_ahead=3000s' : '';

	$node->safe_psql('postgres', "ALTER $of SET hilo.trace_ahead = '3000s'") if $of ne 'a client';
	my (undef, $kept, $error) =
	  $node->psql('other', 'SELECT trace_id_next(); SELECT trace_id_next(); SELECT 1',
		on_error_stop => 0);
	like($error, qr/(ERROR:  the value of parameter "hilo.trace_ahead" was refused.*){2}/s,
		"none for $of");
	is($kept, '1', 'and the session goes on');
	$node->safe_psql('postgres', "ALTER $of RESET hilo.trace_ahead") if $of ne 'a client';
}
is( $node->safe_psql('other',
		q{SET hilo.trace_ahead = '3000s'; SET client_min_messages = error; SELECT FROM hilo_stats(); SHOW hilo.trace_ahead}),
	'2000s', 'and none of before the library is loaded');
$node->append_conf('postgresql.conf', 'hilo.trace_ahead = 1s');
$node->restart;

# more nodes than there is room for: each session waits for itself
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*), count(DISTINCT id), count(DISTINCT (trace_id_parts(id)).node_no)
		  FROM (SELECT trace_id_next() AS id FROM generate_series(1, 2), generate_series(101, 1126) node,
				LATERAL (SELECT set_config('hilo.node_no', node::text, false)) s OFFSET 0) t}),
	'2052|2052|1026',
	'ids of more nodes than there is room for');

# ids ahead of the clock, a crash, and a database that does not know of them
$highest = 0;
$node->append_conf('postgresql.conf', qq{
hilo.node_no = 15
hilo.trace_ahead = 20s
});
$node->safe_psql('postgres', q{
	SELECT hilo_seed('hilo.trace_id/15', extract(epoch FROM now())::bigint + 15)});
$node->restart;
is(faults($node, 'postgres', 10), 0, 'ids ahead of the clock');
crash($node);
is(faults($node, 'other', 10), 0, 'those of another database are above');

# A restart costs seconds, however far ahead of the clock ids may be.
$node->append_conf('postgresql.conf', qq{
hilo.node_no = 16
hilo.trace_ahead = 1h
});
foreach my $start (1, 2)
{
	$node->restart;
	is(scalar $node->psql('postgres', q{SET statement_timeout = '60s'; SELECT trace_id_next()}),
		0, "an id soon after start $start");
}

# as far as it can be
$node->append_conf('postgresql.conf', qq{
hilo.node_no = 19
hilo.trace_ahead = 2147483647
});
$node->restart;
cmp_ok(second_of($node->safe_psql('postgres', 'SELECT trace_id_next()')), '>', time() + 2147482,
	'an id above all that another database may have issued before the start');

# a standby issues none, and goes on above its primary when it is promoted
$node->append_conf('postgresql.conf', qq{
hilo.node_no = 14
hilo.trace_ahead = 1s
});
$node->restart;
$highest = 0;
my $standby = standby_of($node);
is(faults($node, 'postgres', 1000), 0, 'ids of a primary');
$node->wait_for_catchup($standby);
my ($status, undef, $stderr) = $standby->psql('postgres', 'SELECT trace_id_next()');
like($stderr, qr/cannot execute trace_id_next\(\) in a read-only transaction/, 'none of a standby');
$node->stop('immediate');
$standby->promote;
is(faults($standby, 'postgres', 1000), 0, 'ids of its promoted standby');
$standby->stop;

# a clock that is set back, with the server at work and while it is down
my $folder = debian_folder('libfaketime');
my ($library) = defined $folder ? glob("$folder/usr/lib/*/faketime/libfaketime.so.1") : ();
SKIP:
{
	skip 'libfaketime is not to be had', 3 unless $library;
	skip 'libfaketime and sanitizers call each other without end', 3 if $ENV{ASAN_OPTIONS};

	my $offset = PostgreSQL::Test::Utils::tempdir . '/faketimerc';
	local $ENV{FAKETIME_TIMESTAMP_FILE} = $offset;
	local $ENV{FAKETIME_NO_CACHE} = 1;
	local $ENV{LD_PRELOAD} = $library;
	my $clock = PostgreSQL::Test::Cluster->new('clock');

	append_to_file($offset, "+0\n");
	$clock->init;
	$clock->append_conf('postgresql.conf', 'hilo.node_no = 1');
	$clock->start;
	delete local $ENV{LD_PRELOAD};
	$clock->safe_psql('postgres', 'CREATE EXTENSION hilo');
	$highest = 0;
	%seen = ();
	is(faults($clock, 'postgres', 1000), 0, 'ids by a clock');

	unlink $offset;
	append_to_file($offset, "-2\n");
	cmp_ok($clock->safe_psql('postgres', 'SELECT extract(epoch FROM clock_timestamp())::bigint'),
		'<', time, 'that was set back');
	is(faults($clock, 'postgres', 1000), 0, 'rise still');

	$ENV{LD_PRELOAD} = $library;
	$clock->stop('immediate');
	unlink $offset;
	append_to_file($offset, "-4\n");
	$clock->start;
	delete $ENV{LD_PRELOAD};
	is(faults($clock, 'postgres', 1000), 0, 'and after a crash meanwhile');
	$clock->stop;
}

done_testing();
