
# The examples of the documentation for Citus, if it is installed, on a coordinator and
# two workers: a statement about an anchor goes to one node, joins of what is anchored
# run where it is, and no id comes twice, whichever node evaluates hilo_next.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

-e run_sh('echo "$("$PG_CONFIG" --sharedir)/extension/citus.control"')
  or plan skip_all => 'Citus is not installed';

my ($coordinator, @workers) = map { citus_node($_) } qw(coordinator one two);
my %tags;
my ($nodes, $tables, $default, $attached) = doc_examples('Citus');
my $naive = 'INSERT INTO naive (k) SELECT k FROM source';

# Nodes and tables.
$_->safe_psql('postgres', 'CREATE EXTENSION citus') for @workers;
my ($before, $setup) = $nodes =~ /(.*)(SELECT \* FROM hilo_citus_setup.*)/s
  or die 'no set-up in the example';
like(error_of($coordinator, 'SELECT hilo_citus_setup()'),
	qr/function hilo_citus_setup\(\) does not exist/, 'no hilo yet');
run_example($coordinator, $before);
is(on_each('SELECT count(*) FROM pg_extension WHERE extname = \'hilo\''), '1 1 1',
	'hilo is on every node');
note($coordinator->safe_psql('postgres', 'SELECT citus_version()'));
like(error_of($coordinator, q{
	CREATE TABLE generated (id text, bucket int GENERATED ALWAYS AS (anchor_bucket(id)) STORED);
	SELECT create_distributed_table('generated', 'bucket')}),
	qr/must not use GENERATED ALWAYS/, 'the bucket cannot be generated');
run_example($coordinator, $tables);
$coordinator->safe_psql('postgres', q{
	INSERT INTO orders SELECT anchor_bucket(id), id, 'many' FROM (SELECT concat('orders/', i, '-B') AS id FROM generate_series(1, 300) i) o;
	INSERT INTO invoices SELECT anchor_bucket(id), id, order_id
	  FROM (SELECT concat('invoices/', i, '$orders/', i, '-B') AS id, concat('orders/', i, '-B') AS order_id FROM generate_series(1, 300) i) o});
is(state_in($coordinator,
		q{INSERT INTO orders VALUES (anchor_bucket('orders/6'), 'orders/7', 'Bob')}),
	'23514', 'a wrong bucket is refused');
is(state_in($coordinator,
		q{INSERT INTO invoices VALUES (anchor_bucket('1$orders/7'), '1$orders/7', 'orders/7')}),
	'23503', 'foreign keys are kept');
is($coordinator->safe_psql('postgres', q{
	SELECT count(DISTINCT colocation_id), count(*) FROM citus_tables WHERE table_name IN ('orders'::regclass, 'invoices'::regclass)}), '1|2', 'the tables are colocated');
is($coordinator->safe_psql('postgres', 'SELECT count(DISTINCT nodeport) FROM citus_shards'), '2',
	'on both workers');

# Where statements run: from the coordinator, and from a worker.
my $join = 'FROM orders o JOIN invoices i ON i.bucket = o.bucket AND i.order_id = o.id';
foreach my $node ($coordinator, $workers[0])
{
	my $from = 'from ' . $node->name;

	foreach my $statement (
		"SELECT o.customer, i.id $join WHERE anchor_match(o.bucket, o.id, 'orders/7-B')",
		"SELECT o.customer, i.id $join WHERE o.bucket = anchor_bucket('orders/7-B')",
		"INSERT INTO orders VALUES (anchor_bucket('orders/8'), 'orders/8', 'Bob')",
		"UPDATE orders SET customer = 'Bob' WHERE anchor_match(bucket, id, 'orders/7-B')",
		"DELETE FROM invoices WHERE anchor_match(bucket, id, 'invoices/7\$orders/7-B')")
	{
		like(plan_of($node, $statement), qr/Task Count: 1\n/, "one node $from: $statement");
	}
	like(plan_of($node, "SELECT * FROM orders WHERE id = 'orders/7-B'"), qr/Task Count: 32\n/,
		"by id alone, all shards $from");
	my $plan = plan_of($node, "SELECT count(*) $join");
	like($plan, qr/Task Count: 32\n.*->  Task\n.* Join\n/s, "a join of all is pushed down $from");
	unlike($plan, qr/MapMerge/, "and moves no rows $from");
	is($node->safe_psql('postgres', "SELECT count(*) $join"), '301', "and finds all $from");
}
like(error_of($coordinator,
		'SELECT count(*) FROM orders o JOIN invoices i ON anchor_bucket(i.id) = anchor_bucket(o.id) AND i.order_id = o.id'),
	qr/requires repartitioning/, 'a join by anchor_bucket is not');
is(prepared('auto'), join("\n", ('many') x 7),
	'a prepared statement computes the bucket of its parameter');
like(prepared('force_generic_plan'), qr/could not create distributed plan/,
	'a generic plan cannot');

# Before the one call no worker takes an id.
$coordinator->safe_psql('postgres', q{
	CREATE TABLE source (k int PRIMARY KEY);
	CREATE TABLE naive (k int, id bigint DEFAULT hilo_next_tag('naive'), t text DEFAULT hilo_next_id('naive'), PRIMARY KEY (k, id));
	CREATE TABLE attached (k int, id bigserial, PRIMARY KEY (k, id));
	SELECT create_distributed_table(t, 'k', shard_count => 8) FROM unnest('{source,naive,attached}'::regclass[]) t;
	INSERT INTO source SELECT generate_series(1, 200);
	INSERT INTO attached (k) SELECT generate_series(1, 20)});
like(error_of($coordinator, q{SELECT hilo_attach('attached', 'id')}),
	qr/0A000: sequence public\.attached_id_seq cannot follow Citus table "attached"\n.*hilo_attach\('public\.attached', 'id', '##public\.attached'\)/s,
	'no sequence follows rows of other nodes');
$coordinator->safe_psql('postgres', q{SELECT hilo_attach('attached', 'id', '##attached')});
my $not_set_up = qr/ERROR:  55000: hilo has not been set up on this Citus worker\n.*HINT:  Run hilo_citus_setup\(\) on the coordinator\./s;
like(error_of($coordinator, $naive), $not_set_up, 'a worker that is not set up takes no id');
like(error_of($workers[0], 'INSERT INTO attached (k) VALUES (5)'), $not_set_up,
	'nor after hilo_attach on the coordinator');
like(error_of($workers[0], $_), $not_set_up, $_)
  foreach q{SELECT hilo_create('own')}, q{SELECT hilo_attach('source', 'k')},
	'SET hilo.launch_id = 7; SELECT decimal_id_next()';
is($coordinator->safe_psql('postgres', 'SELECT count(*) FROM naive'), '0',
	'and nothing is inserted');
like(error_of($workers[0], 'SELECT hilo_citus_setup()'),
	qr/55000: this server is not the coordinator of a Citus cluster/, 'a worker sets no server up');
run_example($coordinator, $setup);
is($coordinator->safe_psql('postgres',
		q{SELECT string_agg(node_tag, ' ' ORDER BY node_tag) FROM hilo_citus_setup()}),
	'A B C', 'once more, and each node has its tag');

# No node repeats the ids of another.
$coordinator->safe_psql('postgres',
	"$naive; $naive; INSERT INTO naive (k) SELECT generate_series(1, 100)");
is($coordinator->safe_psql('postgres',
		'SELECT count(*), count(DISTINCT id), count(DISTINCT t) FROM naive'),
	'500|500|500', 'no id twice');
cmp_ok($workers[0]->safe_psql('postgres', 'INSERT INTO attached (k) VALUES (5) RETURNING id'), '>',
	20, 'the attached column goes on above its rows');
is($workers[0]->safe_psql('postgres',
		q{SELECT string_agg(DISTINCT rel::text, ' ') FROM hilo_check() WHERE rel::text !~ '^pg_'}),
	'attached invoices naive orders source', 'hilo_check passes over shards');
$coordinator->safe_psql('postgres',
	q{INSERT INTO attached VALUES (1, 500000); SELECT hilo_resync('attached', 'id')});
cmp_ok($workers[1]->safe_psql('postgres', q{SELECT hilo_next_tag('attached')}), '>', 500000,
	'hilo_resync finds the rows of shards');
is($workers[0]->safe_psql('postgres', q{SET hilo.launch_id = 7; SELECT decimal_id_next() <> 0}),
	't', 'decimal ids');
like(error_of($workers[0], q{SELECT hilo_create('own')}),
	qr/55000: generator "own" cannot hand out its own ids on a Citus worker/, 'still not its own');

# A default that names its table cannot be distributed: the column gets a tag first, above the
# table's own generator.
$coordinator->safe_psql('postgres', q{
	CREATE TABLE moved (k int, id bigserial, PRIMARY KEY (k, id));
	INSERT INTO moved (k) SELECT generate_series(1, 20);
	SELECT hilo_attach('moved', 'id', 'moved', follow => false)});
like(error_of($coordinator, q{SELECT create_distributed_table('moved', 'k', shard_count => 8)}),
	qr/relation "public\.moved" does not exist/, 'a default with a table is not distributed');
is($coordinator->safe_psql('postgres', q{SELECT problem, hint FROM hilo_check('moved') WHERE problem IS NOT NULL}),
	q{own generator in Citus|Run hilo_attach('public.moved', 'id', '##public.moved').},
	'which hilo_check knows before');
my $above = $coordinator->safe_psql('postgres', q{INSERT INTO moved (k) VALUES (1) RETURNING id});
$coordinator->safe_psql('postgres',
	q{SELECT hilo_attach('public.moved', 'id', '##public.moved'); SELECT create_distributed_table('moved', 'k', shard_count => 8)});
is_unique('the tag goes on above', $above, 1 .. 20,
	map { $_->safe_psql('postgres',
			'INSERT INTO moved (k) SELECT k FROM generate_series(1, 50) k RETURNING id') =~ /\d+/g } $coordinator,
	@workers);
is($coordinator->safe_psql('postgres',
		q{SELECT hilo_drop('#moved'); SELECT hilo_generator_of('moved', 'id'), low > 20 FROM hilo_next_range('moved')}) =~ s/^\n//r,
	'public.moved|t', 'which has the name of the table');
is($coordinator->safe_psql('postgres', q{SELECT count(*) FROM hilo_check('moved') WHERE problem IS NOT NULL}),
	'0', 'and no problem');

# A local table has its own generator; one that Citus manages, or has copied to all nodes, needs
# a tag.
is($coordinator->safe_psql('postgres', q{
	CREATE TABLE here (id bigint PRIMARY KEY DEFAULT hilo_next('here'), k int);
	INSERT INTO here (k) SELECT generate_series(1, 5);
	SELECT max(id) FROM here;
	SELECT high FROM hilo_next_range('here', 1000)}), "5\n1032", 'a local table has its own generator');
$coordinator->safe_psql('postgres', q{SELECT citus_add_local_table_to_metadata('here')});
my $no_own = qr/0A000: Citus table "here" cannot have its own generator\n.*HINT:  Run hilo_attach on the coordinator with the column, or/s;
like(error_of($_, 'INSERT INTO here (k) VALUES (1)'), $no_own,
	'but none as Citus has made it, from ' . $_->name) foreach $coordinator, @workers;
like(error_of($coordinator, q{SELECT hilo_next_range('here')}), $no_own, 'for no client');
$coordinator->safe_psql('postgres', q{SELECT hilo_attach('here', 'id')});
is_unique('which goes on above all ids that were handed out', 1 .. 1032,
	map { $_->safe_psql('postgres',
			'INSERT INTO here (k) SELECT generate_series(1, 20) RETURNING id') =~ /\d+/g } $coordinator,
	@workers);
$coordinator->safe_psql('postgres', q{
	CREATE TABLE everywhere (id bigint PRIMARY KEY DEFAULT hilo_next('everywhere'), k int);
	INSERT INTO everywhere (k) SELECT generate_series(1, 5)});
like(error_of($coordinator, q{SELECT create_reference_table('everywhere')}),
	qr/42P01: relation "public\.everywhere" does not exist/,
	'nor is a reference table made with it');
$coordinator->safe_psql('postgres',
	q{SELECT hilo_attach('everywhere', 'id', '##everywhere'); SELECT create_reference_table('everywhere')});
is_unique('but with a tag', 1 .. 5,
	map { $_->safe_psql('postgres',
			'INSERT INTO everywhere (k) SELECT generate_series(1, 20) RETURNING id') =~ /\d+/g } $coordinator,
	@workers);
# a node that is added has no copy
$coordinator->safe_psql('postgres', 'DROP TABLE everywhere');

# A table is no shard because its name ends with the number of one.
my $shard = $coordinator->safe_psql('postgres',
	q{SELECT min(shardid) FROM pg_dist_shard WHERE logicalrelid = 'naive'::regclass});
is($coordinator->safe_psql('postgres', qq{
	CREATE TABLE log_$shard (id bigint DEFAULT hilo_next('log_$shard'));
	INSERT INTO log_$shard VALUES (100);
	INSERT INTO log_$shard VALUES (DEFAULT) RETURNING id}), '101', 'a table is no shard by its number');
is($coordinator->safe_psql('postgres', q{
	SET client_min_messages = error;
	CREATE TABLE "long_täble_nämes_are_cut_and_have_a_hash_of_eight_digits" (k int, id bigint DEFAULT hilo_next_tag('long'));
	SELECT create_distributed_table('"long_täble_nämes_are_cut_and_have_a_hash_of_eight_digits"', 'k', shard_count => 8);
	INSERT INTO "long_täble_nämes_are_cut_and_have_a_hash_of_eight_digits" VALUES (1)}), '', 'a long name');
is($workers[$_]->safe_psql('postgres',
		q{SELECT count(*) FROM hilo_check() WHERE rel::text ~ 'long_'}),
	'1', "and its shards are known on $_") foreach 0, 1;

# Each node has values of its own sequence: one that is set above them would repeat those of
# another.
$coordinator->safe_psql('postgres', q{
	CREATE TABLE plain (k int, id bigserial);
	SELECT create_distributed_table('plain', 'k', shard_count => 8);
	CREATE TABLE later (k int, id bigint DEFAULT hilo_next_tag('later'));
	SELECT create_distributed_table('later', 'k', shard_count => 8);
	INSERT INTO later (k) VALUES (1)});
$workers[0]->safe_psql('postgres', 'INSERT INTO plain (k) VALUES (1)');
is($coordinator->safe_psql('postgres', q{SELECT problem IS NULL, detail FROM hilo_check('plain')}),
	't|rows not checked: each Citus node has its own values',
	'hilo_check does not raise a sequence');
is($workers[0]->safe_psql('postgres',
		q{SELECT problem IS NULL, hint IS NULL FROM hilo_check('later')}),
	't|t', 'a worker finds the generator of the coordinator');

like(error_of($coordinator, q{SELECT hilo_resync('plain', 'id')}),
	qr/0A000: sequence public\.plain_id_seq cannot follow Citus table "plain"\n.*hilo_attach\('public\.plain', 'id', '##public\.plain'\)/s,
	'nor does hilo_resync');
$coordinator->safe_psql('postgres', q{
	CREATE TABLE numbered_by_core (k int, id bigint GENERATED BY DEFAULT AS IDENTITY);
	SELECT create_distributed_table('numbered_by_core', 'k')});
like(error_of($coordinator, q{SELECT hilo_attach('numbered_by_core', 'id')}),
	qr/0A000: .* cannot follow Citus table .*\nHINT:  Citus keeps an identity of a distributed table/s,
	'nor an identity');
$coordinator->safe_psql('postgres', 'DROP TABLE numbered_by_core');
like(error_of($coordinator,
		q{SELECT hilo_attach('plain', 'id', '##plain'); SELECT hilo_detach('plain', 'id')}),
	qr/0A000: .*\nDETAIL:  Citus workers begin anew with each sequence\./,
	'nor is a column moved back to one');

# Workers number no groups, of which each shard would have its own series.
foreach my $ordering (qw(gapless global))
{
	like(error_of($coordinator, qq{
		SET citus.enable_unsafe_triggers = on;
		CREATE TABLE bills_$ordering (k int, g int, number bigint);
		SELECT create_distributed_table('bills_$ordering', 'k', shard_count => 8);
		CREATE TRIGGER number BEFORE INSERT ON bills_$ordering FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', '$ordering', 'g');
		INSERT INTO bills_$ordering SELECT generate_series(1, 20), 7}), qr/cannot number groups on a Citus worker/, "no $ordering numbers of a worker");
}

# A table that Citus manages is a shard behind another table; a dump names that.
like($coordinator->safe_psql('postgres', q{COPY hilo_internal.hilo_hi TO STDOUT}),
	qr/\t#public\.here$/m, 'a dump has the name of the table');
is($coordinator->safe_psql('postgres', q{
	SELECT undistribute_table('here');
	INSERT INTO here (k) VALUES (1) RETURNING id > 1032}) =~ s/^\n//r, 't',
	'which keeps its tag when Citus gives it back');

$coordinator->safe_psql('postgres', q{
	CREATE TABLE letters (id text PRIMARY KEY, n int);
	CREATE TRIGGER id BEFORE INSERT ON letters FOR EACH ROW EXECUTE FUNCTION document_id_assign('id');
	SELECT citus_add_local_table_to_metadata('letters')});
like($coordinator->safe_psql('postgres', 'INSERT INTO letters (n) VALUES (1) RETURNING id'),
	qr{^letters/\d+-A$}, 'and so has a document of it');

# The collection of the page on RavenDB, distributed.
my ($people) = slurp_file("$FindBin::RealBin/../../../doc/ravendb.md") =~ /^(CREATE TABLE people .*?^SELECT people_store)/ms
  or die 'no people in the page';
$people =~ s/ PARTITION BY RANGE \(bucket\)|^CREATE TABLE people_.*\n|SELECT people_store$//mg;
$people =~ s/(?=^CREATE FUNCTION)/SELECT create_distributed_table('people', 'bucket');\n/m;
$coordinator->safe_psql('postgres', $people);
is( $coordinator->safe_psql('postgres', join ';', map { "SELECT people_store($_, '{}')" }
	  q{NULL}, q{'people/'}, q{'people|'}, q{'people/ada'}, q{'People/ADA'},
		q{anchor_to('notes/1', 'people/ada')}),
	join("\n",
		qw(people/1-A people/0000000000000000001-A people/1 people/ada People/ADA notes/1$people/ada)),
	'a collection of documents resolves patterns');
is($coordinator->safe_psql('postgres', q{SELECT count(*), count(DISTINCT bucket) FROM people}),
	'5|4', 'overwrites, and anchors');
like(plan_of($coordinator, q{SELECT doc FROM people WHERE anchor_match(bucket, id, 'people/ada')}),
	qr/Task Count: 1\n/, 'and is asked on one node');

# Roles have the rights that they have on the coordinator.
$coordinator->safe_psql('postgres', q{
	CREATE ROLE owner LOGIN; CREATE ROLE app LOGIN; CREATE ROLE eve LOGIN;
	CREATE SCHEMA shop AUTHORIZATION owner; GRANT USAGE ON SCHEMA shop TO app; GRANT CREATE ON SCHEMA public TO eve;
	SET ROLE owner;
	CREATE TABLE shop.carts (k int, id bigint DEFAULT hilo_next_tag('shop.carts'), PRIMARY KEY (k, id));
	SELECT create_distributed_table('shop.carts', 'k', shard_count => 8);
	GRANT INSERT, SELECT ON shop.carts TO app;
	SELECT hilo_create('shop.carts');
	SET ROLE eve;
	CREATE TABLE mine (k int, id bigint DEFAULT hilo_next_tag('shop.carts'));
	SELECT create_distributed_table('mine', 'k', shard_count => 8)});
is_unique('who may insert takes ids',
	$workers[0]->safe_psql('postgres',
		'INSERT INTO shop.carts SELECT i FROM generate_series(1, 5) i RETURNING id',
		extra_params => [ '-U', 'app' ]) =~ /\d+/g);
is($coordinator->safe_psql('postgres',
		q{SELECT owner FROM hilo_generators() WHERE name = 'shop.carts'}),
	'owner', "of the table owner's generator");
is(state_as($workers[$_], 'eve', 'INSERT INTO mine SELECT i FROM generate_series(1, 5) i'), '42501',
	"and no other role on $_") foreach 0, 1;

# A column without a source takes a tag with the schema, also in the schema of a tenant.
run_example($coordinator, $attached);
my (undef, undef, $notice) = $coordinator->psql('postgres', q{
	SET client_min_messages = notice;
	CREATE TABLE imported (k int, id bigint);
	SELECT create_distributed_table('imported', 'k', shard_count => 8);
	SELECT hilo_attach('imported', 'id')});
like($notice, qr/"public\.imported" does not follow the ids that rows bring\n.*Run hilo_resync/s,
	'and says so');
$coordinator->safe_psql('postgres', q{
	SET citus.enable_schema_based_sharding = on;
	CREATE SCHEMA t1; CREATE SCHEMA t2;
	CREATE TABLE t1.visits (id bigint PRIMARY KEY);
	CREATE TABLE t2.visits (id bigint PRIMARY KEY);
	SELECT hilo_attach('t1.visits', 'id'), hilo_attach('t2.visits', 'id')});
is($coordinator->safe_psql('postgres', q{
	SELECT name, ordering FROM hilo_generators() WHERE name ~ '[.]visits$' ORDER BY name}),
	"public.visits|session\nt1.visits|session\nt2.visits|session", 'each tenant has its own');
is_unique('ids of a tenant', map { $_->safe_psql('postgres',
			'INSERT INTO t1.visits SELECT FROM generate_series(1, 40) RETURNING id') =~ /\d+/g } $coordinator,
	@workers);

# Each node takes ids: in defaults, where clients are connected, and where rows are.
my ($create, $inserts) = $default =~ /(.*?\n\n)(.*)/s or die 'no INSERT in the example';
my $by_select = 'INSERT INTO payments (bucket, order_id) SELECT bucket, id FROM orders';
run_example($coordinator, $create);
%tags = ();
run_example($coordinator, $inserts);
like(new_tags(), qr/^A1 B\d+ C\d+$/,
	'the coordinator evaluates the default of VALUES, the workers that of SELECT');
is($coordinator->safe_psql('postgres', 'SELECT count(*) FROM payments'), '302', 'for each row');
$workers[0]->safe_psql('postgres', q{INSERT INTO payments (bucket, order_id) SELECT anchor_bucket(id), id
	FROM (SELECT concat('orders/', i, '-B') AS id FROM generate_series(1, 300) i) o});
is(new_tags(), 'B300', 'the node of the client that of SELECT without a table');
$workers[1]->safe_psql('postgres', "COPY payments (bucket, order_id) FROM stdin;\n"
	. $coordinator->safe_psql('postgres',
		"COPY (SELECT bucket, id FROM orders LIMIT 290) TO stdout") . "\n\\.\n");
is(new_tags(), 'C290', 'and that of COPY');
$_->finish or die 'pgbench failed'
  foreach insert_everywhere(3, 20,
		"\\set i random(1, 300)\nINSERT INTO payments (bucket, order_id)\n"
	. "  SELECT anchor_bucket(id), id FROM (SELECT concat('orders/', :i, '-B') AS id) o;\n$by_select LIMIT 5;\n", $coordinator, @workers);
like(error_of($coordinator, "UPDATE payments SET id = hilo_next_tag('payments')"),
	qr/must not be VOLATILE/, 'UPDATE takes none');
is_unique('no id twice', $coordinator->safe_psql('postgres', 'SELECT id FROM payments') =~ /\d+/g,
	$coordinator->safe_psql('postgres',
		q{SELECT split_part(split_part(id_text, '/', 2), '-', 1) FROM payments}) =~ /\d+/g,
	map { $_->safe_psql('postgres',
			q{SELECT hilo_next_tag('payments', 100)}) =~ /\d+/g } $coordinator,
	@workers);
is_unique('no id twice where rows are read',
	$coordinator->safe_psql('postgres', q{SELECT hilo_next_tag('payments') FROM orders}) =~ /\d+/g,
	$workers[0]->safe_psql('postgres', q{SELECT hilo_next_tag('payments') FROM orders}) =~ /\d+/g);
is($coordinator->safe_psql('postgres',
		'SELECT string_agg(node_tag, \'\' ORDER BY node_tag) FROM hilo_nodes()'),
	'ABC', 'the coordinator knows its workers');

like(error_of($coordinator, q{
	SET ROLE owner;
	CREATE TABLE shop.forced (k int, id bigint);
	SELECT create_distributed_table('shop.forced', 'k', shard_count => 8);
	ALTER TABLE shop.forced ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
	SELECT hilo_attach('shop.forced', 'id')}),
	qr/42501: query would be affected by row-level security policy for table "forced"/,
	'but not those that are hidden');

# A new node is set up by the same call.  A tag that it had has no ids of its own any more, also
# in sessions that hold some; its tables have.
my $three = citus_node('three');
$three->safe_psql('postgres',
	q{CREATE EXTENSION hilo;
	CREATE TABLE kept (id bigint PRIMARY KEY DEFAULT hilo_next('kept'));
	CREATE TABLE drawing (id bigint PRIMARY KEY DEFAULT hilo_next_tag('of three'))});
my @open = hilo_session($three);
run_in($open[0], q{SELECT hilo_next_tag('of three')});
$three->safe_psql('postgres', 'CREATE EXTENSION citus');
push @open, hilo_session($three);
run_in($open[1], q{SELECT hilo_next_tag('of three'); INSERT INTO kept DEFAULT VALUES});
like(error_of($three, 'SELECT hilo_citus_setup()'),
	qr/55000: the workers do not know the coordinator\n.*HINT:  Run citus_set_coordinator_host/s,
	'one that is alone');
push @workers, $three;
$coordinator->safe_psql('postgres', q{SELECT citus_add_node('127.0.0.1', } . $three->port . ')');
like(error_of($three, 'INSERT INTO naive (k) SELECT 1'), $not_set_up,
	'and which takes no id before');
is(state_of($_, q{SELECT hilo_next_tag('of three')}), '55000', 'nor one of its own') foreach @open;
end_session($_) foreach @open;
like(error_of($coordinator, 'SELECT hilo_citus_setup()'),
	qr/ids of generators on this worker would repeat those of other nodes: 'of three'/,
	'nor while it has generators of its own');
# As the hint says.
$three->safe_psql('postgres', q{INSERT INTO drawing VALUES (2000)});
$coordinator->safe_psql('postgres', q{SELECT hilo_seed('of three', 2000)});
$three->safe_psql('postgres',
	q{ALTER TABLE drawing ALTER id DROP DEFAULT; SELECT hilo_drop('of three')});
is($coordinator->safe_psql('postgres',
		q{SELECT string_agg(node_tag, ' ' ORDER BY node_tag) FROM hilo_citus_setup()}),
	'A B C D', 'it gets its own tag');
like($three->safe_psql('postgres', 'INSERT INTO naive (k) SELECT 1 RETURNING t'),
	qr/^naive\/\d+-D$/, 'and ids of the coordinator');
cmp_ok($three->safe_psql('postgres', 'INSERT INTO kept DEFAULT VALUES RETURNING id'), '>', 1,
	'beside a table of its own');
$three->safe_psql('postgres',
	q{ALTER TABLE drawing ALTER id SET DEFAULT hilo_next_tag('of three')});
cmp_ok($three->safe_psql('postgres', 'INSERT INTO drawing DEFAULT VALUES RETURNING id'), '>', 2000,
	'and one that draws from the tag again');
$three->stop;
like(error_of($coordinator, 'SELECT hilo_citus_setup()'),
	qr/55000: Citus worker 127\.0\.0\.1:\d+ could not be set up\n/,
	'a node that is down cannot be set up');
$three->start;

# Workers commit what the coordinator's commit record has decided: no number is taken before it
# is durable.
$coordinator->safe_psql('postgres', q{
	CREATE TABLE bills (number bigint);
	CREATE TRIGGER number BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless');
	INSERT INTO bills DEFAULT VALUES});
$coordinator->append_conf('postgresql.conf', "synchronous_standby_names = 'nobody'");
$coordinator->reload;
my @sessions = map { hilo_session($coordinator, '-c hilo.gapless_flush=late') } 1, 2;
start_waiting($coordinator, $sessions[0], 'SyncRep',
	'INSERT INTO bills DEFAULT VALUES RETURNING number');
start_waiting($coordinator, $sessions[1], 'Lock',
	'INSERT INTO bills DEFAULT VALUES RETURNING number');
$coordinator->append_conf('postgresql.conf', "synchronous_standby_names = ''");
$coordinator->reload;
is(end_in($_) =~ s/\n.*//sr, $_ == $sessions[0] ? 2 : 3, 'a number') foreach @sessions;
end_session($_) foreach @sessions;

# Citus moves what is anchored together.
my $shards = q{FROM citus_shards WHERE shardid IN (SELECT get_shard_id_for_distribution_column(t, anchor_bucket('orders/7-B'))
	FROM unnest('{orders,invoices,payments}'::regclass[]) t)};
my $port = $coordinator->safe_psql('postgres', "SELECT DISTINCT nodeport $shards");
my ($other) = grep { $_ != $port } map { $_->port } @workers;
$coordinator->safe_psql('postgres',
	qq{SELECT citus_move_shard_placement(min(shardid), '127.0.0.1', $port, '127.0.0.1', $other) $shards});
is($coordinator->safe_psql('postgres', "SELECT DISTINCT nodeport $shards"), $other,
	'all of an anchor is moved');
like(plan_of($coordinator, "SELECT i.id $join WHERE anchor_match(o.bucket, o.id, 'orders/7-B')"),
	qr/Task Count: 1\n.*port=$other/s, 'and found');

$_->stop for $coordinator, @workers;
done_testing();

# Run the statements of an example, which mean these servers; test the results that
# it shows.
sub run_example
{
	my ($node, $sql) = @_;
	my @ports = map { $_->port } $coordinator, @workers;
	my $session = hilo_session($node);

	$sql =~ s/host 'coordinator', port '5432', dbname 'shop'/host '127.0.0.1', port '$ports[0]', dbname 'postgres'/;
	$sql =~ s/'$_->[0]', 5432/'127.0.0.1', $_->[1]/
	  for [ coordinator => $ports[0] ], [ one => $ports[1] ], [ two => $ports[2] ];
	run_in($session, "\\pset fieldsep ' | '");
	while ($sql =~ /\G\s*((?s:.*?);)(?:[ \t]*-- (.*))?\n?/gc)
	{
		my ($statement, $expected) = ($1, $2);
		my $result = run_in($session, $statement);

		is($result, $expected, $statement)
		  if defined $expected && $statement =~ /^SELECT|RETURNING/;
	}
	end_session($session);
	return;
}

sub on_each
{
	my ($sql) = @_;

	return join ' ', map { $_->safe_psql('postgres', $sql) } $coordinator, @workers;
}

sub plan_of
{
	my ($node, $statement) = @_;

	return $node->safe_psql('postgres', "EXPLAIN (COSTS OFF) $statement");
}

# Return the results of a prepared statement that looks for an id, or its error.
sub prepared
{
	my ($mode) = @_;
	my ($status, $out, $err) = $coordinator->psql('postgres',
		"SET plan_cache_mode = $mode;\n"
		  . "PREPARE find (text) AS SELECT customer FROM orders WHERE bucket = anchor_bucket(\$1) AND id = \$1;\n"
		  . "EXECUTE find ('orders/7-B');\n" x 7);

	return $status ? $err : $out;
}

# Return how many payments have come from which node, by its tag, since the last call.
sub new_tags
{
	my %count = $coordinator->safe_psql('postgres',
		q{SELECT right(id_text, 1), count(*) FROM payments GROUP BY 1}) =~ /(\w)\|(\d+)/g;
	my %more = map { $_ => $count{$_} - ($tags{$_} // 0) } keys %count;

	%tags = %count;
	return join ' ', map { "$_$more{$_}" } grep { $more{$_} } sort keys %more;
}

# Gives the SQLSTATE of a statement of a role.
sub state_as
{
	my ($node, $role, $statement) = @_;
	my ($status, $out, $err) = $node->psql('postgres', $statement,
		extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ]);

	return $err =~ /ERROR:  (\w{5})/ ? $1 : '';
}
