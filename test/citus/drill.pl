# A Citus cluster under mixed load, on which everything is done that is done to clusters:
# a shard is moved, another split, a node is added and the shards rebalanced, a worker is
# killed, another is drained, and the coordinator is killed.  Clients note outside the servers what was
# committed; it ends in counts.  hilo_citus_setup is all the set-up there is.
#
#	PG_CONFIG=ROOT/bin/pg_config PROVE_TESTS=test/citus/drill.pl test/run tap
#
# where test/citus/build has made ROOT.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../t/lib";
use HiloTest;
use HubTest qw(citus_node);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

-e run_sh('echo "$("$PG_CONFIG" --sharedir)/extension/citus.control"')
  or plan skip_all => 'Citus is not installed';

my $folder = $PostgreSQL::Test::Utils::tmp_check;
my ($coordinator, @workers) = map { citus_node($_) } qw(coordinator one two three);
my @tables = qw(orders invoices payments);

add_nodes(@workers);
$coordinator->safe_psql('postgres', q{
	CREATE TABLE orders (bucket int CHECK (bucket = anchor_bucket(id)), id text, customer text, changes int DEFAULT 0, PRIMARY KEY (bucket, id));
	CREATE TABLE invoices (bucket int CHECK (bucket = anchor_bucket(id)), id text, order_id text,
		PRIMARY KEY (bucket, id), FOREIGN KEY (bucket, order_id) REFERENCES orders);
	CREATE TABLE payments (bucket int CHECK (bucket = anchor_bucket(order_id)), order_id text, note text,
		id bigint DEFAULT hilo_next_tag('payments'), id_text text DEFAULT hilo_next_id('payments'), ticket bigint DEFAULT identity_next('tickets'),
		PRIMARY KEY (bucket, id), FOREIGN KEY (bucket, order_id) REFERENCES orders);
	SELECT create_distributed_table('orders', 'bucket', shard_count => 12);
	SELECT create_distributed_table(t, 'bucket', colocate_with => 'orders') FROM unnest('{invoices,payments}'::regclass[]) t});

# The load, and what is done under it.
my @clients;
start_client($_) foreach $coordinator, $coordinator, @workers;
wait_for_work();

my ($from, $to) = @workers[0, 1];
step('move', sub {
	my $port = $from->port;
	my $shard = $coordinator->safe_psql('postgres', "SELECT min(shardid) FROM citus_shards WHERE table_name = 'orders'::regclass AND nodeport = $port");

	$coordinator->safe_psql('postgres', "SELECT citus_move_shard_placement($shard, '127.0.0.1', $port, '127.0.0.1', " . $to->port . ", 'force_logical')");
});
step('split', sub {
	# no piece stays: Citus 13 does not come to an end then if rows are updated
	my $nodes = join ', ', map { '(SELECT nodeid FROM pg_dist_node WHERE nodeport = ' . $_->port . ')' } @workers[1, 2];

	let_citus_decode($_) foreach $coordinator, @workers;
	$coordinator->safe_psql('postgres', qq{
		SET statement_timeout = '120s';
		SELECT citus_split_shard_by_split_points(shardid, ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text], ARRAY[$nodes], 'force_logical')
		  FROM citus_shards JOIN pg_dist_shard USING (shardid) WHERE table_name = 'orders'::regclass AND nodeport = } . $from->port . ' LIMIT 1');
	is($coordinator->safe_psql('postgres', q{SELECT count(*) FROM citus_shards WHERE table_name = 'orders'::regclass}), '13', 'there is one shard more');
});
step('new node and rebalance', sub {
	push @workers, citus_node('four');
	introduce($workers[-1]);
	start_client($workers[-1]);
	wait_until('the client of the new node', sub { -e $clients[-1]{errors} && slurp_file($clients[-1]{errors}) =~ /55000: hilo has not been set up/ || committed($clients[-1]) > 0 });
	is(committed($clients[-1]), 0, 'the new node takes no ids before it is set up');
	$coordinator->safe_psql('postgres', 'SELECT hilo_citus_setup()');
	$coordinator->safe_psql('postgres', q{SELECT citus_rebalance_start(rebalance_strategy => 'by_shard_count', shard_transfer_mode => 'force_logical'); SELECT citus_rebalance_wait()});
	cmp_ok($coordinator->safe_psql('postgres', 'SELECT count(*) FROM citus_shards WHERE nodeport = ' . $workers[-1]->port), '>', 0, 'the new node has shards');
});
step('killed worker', sub { crash_and_start($workers[1]) });
step('drain', sub {
	$coordinator->safe_psql('postgres', q{SELECT citus_drain_node('127.0.0.1', } . $from->port . q{, 'force_logical')});
	is($coordinator->safe_psql('postgres', 'SELECT count(*) FROM citus_shards WHERE nodeport = ' . $from->port), '0', 'the drained node has no shard');
});
step('killed coordinator', sub { crash_and_start($coordinator) });

unlink "$folder/drill.run";
waitpid $_->{pid}, 0 foreach @clients;

# What the coordinator has committed Citus commits on the workers after the crash.
wait_until('no transaction is in doubt', sub { 0 == left_over('pg_prepared_xacts') });

# What the clients know to be committed, and what there is.
my (%noted, %changes);
foreach my $client (@clients)
{
	my @lines;

	foreach my $line (split /\n/, slurp_file($client->{log}))
	{
		@lines = () if $line eq 'BEGIN' || $line eq 'ROLLBACK';
		push @lines, $line if $line =~ /\|/;
		next unless $line eq 'COMMIT';
		foreach (@lines)
		{
			my ($kind, @values) = split /\|/;

			push @{ $noted{$kind} }, $values[0];
			push @{ $noted{"$kind $_"} }, $values[$_] foreach 1 .. $#values;
		}
		@lines = ();
	}
}
my %counts;
my %there = map { $_ => [ split /\n/, $coordinator->safe_psql('postgres', "SELECT $_") ] } (
	'id FROM orders', 'id FROM invoices', 'id FROM payments', 'id_text FROM payments', 'ticket FROM payments', 'note FROM payments');
my %kind = (order => 'id FROM orders', invoice => 'id FROM invoices', payment => 'id FROM payments',
	'payment 1' => 'id_text FROM payments', 'payment 2' => 'ticket FROM payments', copy => 'note FROM payments');
foreach my $kind (sort keys %kind)
{
	my %found;

	$found{$_}++ foreach @{ $there{ $kind{$kind} } };
	$counts{lost} += grep { !$found{$_} } @{ $noted{$kind} };
	next if $kind eq 'copy';
	$counts{twice} += grep { $_ > 1 } values %found;
	my %seen;
	$counts{repeated} += grep { $seen{$_}++ } @{ $noted{$kind} };
}
my %copied;
$copied{$_}++ foreach @{ $there{'note FROM payments'} };
$counts{lost} += grep { $copied{$_} != 10 } @{ $noted{copy} };
$changes{$_}++ foreach @{ $noted{change} };
my %changes_there = map { split /\|/ } split /\n/, $coordinator->safe_psql('postgres', 'SELECT id, changes FROM orders');
$counts{lost} += grep { $changes_there{$_} < $changes{$_} } keys %changes;
$counts{apart} += $coordinator->safe_psql('postgres', $_) foreach (
	(map { "SELECT count(*) FROM $_ t LEFT JOIN orders o ON o.bucket = t.bucket AND o.id = t.order_id WHERE o.id IS NULL OR t.bucket <> anchor_bucket(t.order_id)" } qw(invoices payments)),
	q{SELECT count(*) FROM (SELECT s.shardminvalue FROM citus_shards c JOIN pg_dist_shard s ON s.shardid = c.shardid WHERE c.table_name IN ('orders'::regclass, 'invoices'::regclass, 'payments'::regclass)
		GROUP BY s.shardminvalue HAVING count(DISTINCT c.nodeport) <> 1) s});
$counts{"left over"} = 0;
$counts{"left over"} += left_over($_) foreach 'pg_replication_slots', 'pg_subscription';

diag sprintf '%d orders, %d invoices, %d payments, %d rows of COPY and %d changes noted; %d payments in the table',
	(map { scalar @{ $noted{$_} // [] } } qw(order invoice payment)), 10 * @{ $noted{copy} }, scalar @{ $noted{change} }, scalar @{ $there{'id FROM payments'} };
diag 'payments by node: ' . $coordinator->safe_psql('postgres', q{SELECT string_agg(concat(t, ' ', n), ', ' ORDER BY t) FROM (SELECT right(id_text, 1) AS t, count(*) AS n FROM payments GROUP BY 1) p});
diag 'errors: ' . join ', ', errors();
diag join ', ', map { "$_ $counts{$_}" } sort keys %counts;
is($counts{$_}, 0, $_) foreach sort keys %counts;
cmp_ok(scalar @{ $noted{$_} // [] }, '>', 100, "many of $_") foreach qw(order invoice payment copy change);
is($coordinator->safe_psql('postgres', q{SELECT * FROM hilo_check() WHERE problem IS NOT NULL AND rel::text !~ '^pg_'}), '', 'hilo_check finds nothing');

$_->stop foreach $coordinator, @workers;
done_testing();

# Do something to the cluster, and wait until every client has worked after it.
sub step
{
	my ($name, $work) = @_;
	my $start = time;

	$work->();
	diag "$name: " . (time - $start) . ' s';
	wait_for_work();
	return;
}

# Wait until every client has committed something more.
sub wait_for_work
{
	my %before = map { $_->{log} => committed($_) } @clients;

	wait_until('every client has committed more', sub { !grep { committed($_) < $before{ $_->{log} } + 30 } @clients });
	return;
}

sub committed
{
	my ($client) = @_;

	return -e $client->{log} ? scalar(() = slurp_file($client->{log}) =~ /^COMMIT$/mg) : 0;
}

# Kill a server by kill -9, and start it again when its sessions have ended, too.
sub crash_and_start
{
	my ($node) = @_;
	my ($pid) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;

	$node->kill9;
	wait_until('it and its sessions end', sub { !kill(0, $pid) && !grep { (readlink // '') eq $node->data_dir } glob '/proc/[0-9]*/cwd' });
	$node->start;
	return;
}

# Give a node to the cluster; the first ones with the coordinator's tables.
sub add_nodes
{
	introduce(@_);
	$coordinator->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS hilo; SELECT hilo_citus_setup()');
	return;
}

# Make nodes known to the cluster, and the cluster to them.
sub introduce
{
	my (@nodes) = @_;
	my $port = $coordinator->port;

	$_->safe_psql('postgres', 'CREATE EXTENSION citus') foreach @nodes;
	$coordinator->safe_psql('postgres', "CREATE EXTENSION IF NOT EXISTS citus; SELECT citus_set_coordinator_host('127.0.0.1', $port)");
	$coordinator->safe_psql('postgres', "SELECT citus_add_node('127.0.0.1', " . $_->port . ')') foreach @nodes;
	return;
}

# Let Citus decode WAL, which a split does, where a minor release asks for that.
sub let_citus_decode
{
	my ($node) = @_;

	return if $node->safe_psql('postgres', q{SELECT count(*) FROM pg_settings WHERE name = 'output_plugin_libraries'}) eq '0';
	$node->append_conf('postgresql.conf', q{output_plugin_libraries = 'pgoutput, citus'});
	$node->reload;
	return;
}

# Start a client of a node, which writes what it sees to its own log.
sub start_client
{
	my ($node) = @_;
	my $number = @clients;
	my %client = (log => "$folder/client$number.out", errors => "$folder/client$number.err");

	append_to_file("$folder/drill.run", '') if !@clients;
	my $parent = $$;

	$client{pid} = fork // die 'no fork';
	if (!$client{pid})
	{
		for (my $run = 0; -e "$folder/drill.run" && getppid == $parent; $run++)
		{
			my @orders = recent_orders($client{log});

			append_to_file("$folder/client$number.sql", '');
			open my $script, '>', "$folder/client$number.sql" or die;
			print $script script("c$number-$run", @orders);
			close $script;
			system(qq{psql -XAt -v VERBOSITY=verbose -d "} . $node->connstr('postgres') . qq{" -f $folder/client$number.sql >>$client{log} 2>>$client{errors}});
			# the half of a transaction that was cut off
			append_to_file($client{log}, "ROLLBACK\n");
			usleep(100_000) if $? != 0;
		}
		require POSIX;
		POSIX::_exit(0);
	}
	push @clients, \%client;
	return;
}

# Return the last orders that a client may have committed, with their buckets.
sub recent_orders
{
	my ($log) = @_;
	my @orders = -e $log ? slurp_file($log) =~ /^order\|([^|]+)\|(-?\d+)$/mg : ();
	my @pairs;

	push @pairs, [ splice @orders, 0, 2 ] while @orders;
	splice @pairs, 0, @pairs - 10 if @pairs > 10;
	return @pairs;
}

# Return transactions of each kind: with one anchor, with two, by SELECT, by COPY, and changes.
sub script
{
	my ($label, @orders) = @_;
	my $new = "\\unset o\nSELECT hilo_next_id('orders') AS o \\gset\n";
	my $order = "INSERT INTO orders SELECT anchor_bucket(id), id, '$label' FROM (SELECT :'o'::text AS id) o RETURNING 'order', id, bucket;\n";
	my $payment = "INSERT INTO payments (bucket, order_id) VALUES (anchor_bucket(:'o'), :'o') RETURNING 'payment', id, id_text, ticket;\n";
	my $invoice = "SELECT anchor_to(hilo_next_id('invoices'), :'o') AS i \\gset\nINSERT INTO invoices VALUES (anchor_bucket(:'i'), :'i', :'o') RETURNING 'invoice', id;\n";
	my $sql = "BEGIN;\n$new$order$invoice${payment}COMMIT;\n" x 8;

	$sql .= "BEGIN;\n$new$order$payment$new$order${payment}COMMIT;\n" x 2;
	$sql .= "BEGIN;\nINSERT INTO payments (bucket, order_id) SELECT bucket, id FROM orders WHERE customer = '$label' RETURNING 'payment', id, id_text, ticket;\nCOMMIT;\n";
	return $sql if @orders < 10;
	$sql .= "BEGIN;\nUPDATE orders SET changes = changes + 1 WHERE bucket = $_->[1] AND id = '$_->[0]' RETURNING 'change', id;\nCOMMIT;\n" foreach @orders[0 .. 2];
	$sql .= "BEGIN;\nCOPY payments (bucket, order_id, note) FROM stdin;\n";
	$sql .= "$_->[1]\t$_->[0]\t$label\n" foreach @orders;
	return $sql . "\\.\n\\echo 'copy|$label'\nCOMMIT;\n";
}

# Return how many rows a catalog has on all nodes.
sub left_over
{
	my ($catalog) = @_;
	my $rows = 0;

	$rows += $_->safe_psql('postgres', "SELECT count(*) FROM $catalog") foreach $coordinator, @workers;
	return $rows;
}

# Return the errors that the clients got, and how many of each.
sub errors
{
	my %errors;

	foreach my $client (@clients)
	{
		$errors{$_}++ foreach slurp_file($client->{errors}) =~ /(?:ERROR|FATAL):  (\w{5})/g;
	}
	return map { "$_ $errors{$_}" } sort keys %errors;
}
