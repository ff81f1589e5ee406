
# An upgrade by logical replication, as the documentation has it: without what it says for
# the switchover ids repeat, and with it none does.  That holds for generators that
# were adopted and those that have a hub, too.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($copy_generators) = doc_examples('Copying generators');
my ($replicate, $switch) = doc_examples('Upgrade by logical replication');
my ($received) = slurp_file("$FindBin::RealBin/../../../doc/moving.md") =~ /`(SELECT bool_and[^`]*)`/;
my ($copy_last, $resync) = $switch =~ /(.*)\n(.*)/s;
my $generators = q{
	SELECT g.name, owner, is_public, first, max_value, greatest(reserved, last)
	FROM hilo_internal.hilo_generator_list() g LEFT JOIN hilo_internal.hilo_hi h ON h.name::text = g.folded
	ORDER BY 1};
my $visit = q{INSERT INTO visits SELECT FROM generate_series(1, 1000)};
my $repeats = q{
	SELECT count(*) FROM (SELECT FROM visits GROUP BY id HAVING count(*) > 1) r};

# Its servers may use the generator, and not seed it.
my $hub = hub_node('hub');
$hub->safe_psql('postgres', q{SELECT hilo_create('shipments'), hilo_grant('shipments', 'servers')});

foreach my $install_path (old_servers())
{
	# allows_streaming would set what older majors do not know
	my $old = hilo_node(
		'old' . ($install_path // '') =~ s/.*\///r,
		install_path => $install_path,
		conf => <<'END');
hilo.return_on_exit = off
wal_level = logical
max_wal_senders = 10
END
	my $new = PostgreSQL::Test::Cluster->new($old->name =~ s/old/new/r);
	$new->init;
	$new->append_conf('postgresql.conf', 'client_min_messages = warning');
	$new->start;

	subtest join(' to ', map { $_->pg_version } $old, $new) =>
	  sub { upgrade($old, $new) };
	$new->stop;
	$old->stop;
}
$hub->stop;
done_testing();

sub upgrade
{
	my ($old, $new) = @_;
	# with the old server's programs: a pg_dump that was released before it may fail
	my %env = (
		PATH => $old->config_data('--bindir') . ":$ENV{PATH}",
		OLD => $old->connstr . ' dbname=postgres',
		NEW => $new->connstr . ' dbname=postgres');

	$_->safe_psql('postgres', 'CREATE ROLE keeper') foreach ($old, $new);
	$old->safe_psql(
		'postgres', qq{
		CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'));
		CREATE TABLE calls (id bigint PRIMARY KEY DEFAULT hilo_next_tag('Calls'));
		CREATE SCHEMA app;
		CREATE TABLE app.orders (id bigint PRIMARY KEY DEFAULT hilo_next('app.orders'));
		INSERT INTO app.orders SELECT FROM generate_series(1, 500);
		CREATE TABLE visits (id bigint DEFAULT hilo_next_tag('a "visit"''s \\'));
		SELECT hilo_create('orders', max_value => 1000000), hilo_create('Calls', max_value => 1000000);
		SELECT hilo_alter('Calls', owner => 'keeper'), hilo_grant('Calls', current_user), hilo_grant('orders', 'pg_monitor');
		ALTER TABLE orders OWNER TO keeper;
		SELECT hilo_create('invoices', 'gapless'), hilo_next_tag('invoices');
		SELECT identity_next('users|');
		CREATE TABLE attached (id serial PRIMARY KEY);
		ALTER SEQUENCE attached_id_seq MAXVALUE 9999;
		SELECT hilo_attach('attached', 'id');
		INSERT INTO attached SELECT FROM generate_series(1, 100);
		CREATE TABLE bills (customer int, number int, PRIMARY KEY (customer, number));
		CREATE TRIGGER number BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
		INSERT INTO bills VALUES (7), (7);
		SELECT hilo_create('few', max_value => 10);
		CREATE SEQUENCE items_seq INCREMENT 10;
		CREATE SEQUENCE seeded_seq INCREMENT 10;
		CREATE SEQUENCE restarted_seq INCREMENT 10;
		CREATE SEQUENCE "a 'Down'" AS int INCREMENT -10;
		CREATE TABLE hi (next_hi bigint);
		ALTER TABLE hi REPLICA IDENTITY FULL;
		INSERT INTO hi VALUES (1);
		SELECT hilo_adopt_sequence_tag('adopted items', 'items_seq', 'efcore'), hilo_next_tag('adopted items');
		SELECT hilo_adopt_sequence_tag('adopted and seeded', 'seeded_seq', 'efcore');
		SELECT hilo_adopt_sequence_tag('adopted and restarted', 'restarted_seq', 'efcore'), hilo_next_tag('adopted and restarted');
		SELECT hilo_adopt_table_tag('adopted notes', 'hi', 'hibernate-unique-key', 9), hilo_next_tag('adopted notes');
		$visit});
	name_hub($old, 'hub', $hub);
	$old->safe_psql('postgres',
		q{SELECT hilo_create('shipments', hub => 'hub'), hilo_next_tag('shipments')});
	run_sh("$replicate\n$copy_generators", %env);
	$new->wait_for_subscription_sync($old, 'upgrade');
	is($new->safe_psql('postgres', $generators),
		$old->safe_psql('postgres', $generators),
		'the generators are copied');

	# It goes on, past what was reserved, with rows that are deleted, one with an id from
	# elsewhere, and more reserved than there is.
	my $deleted = $old->safe_psql(
		'postgres', qq{
		$visit;
		$visit;
		$visit;
		INSERT INTO visits VALUES (100000);
		SELECT hilo_next_tag('invoices'), identity_next('users|');
		BEGIN;
		SELECT hilo_alter('few', max_value => 20), hilo_seed('few', 20);
		ROLLBACK;
		INSERT INTO app.orders SELECT FROM generate_series(1, 1000);
		DELETE FROM app.orders WHERE id > 500;
		INSERT INTO bills VALUES (7), (7), (7), (8);
		DELETE FROM bills WHERE number = 5;
		INSERT INTO attached SELECT FROM generate_series(1, 100);
		INSERT INTO attached VALUES (500);
		DELETE FROM attached WHERE id > 150;
		INSERT INTO orders SELECT FROM generate_series(1, 100);
		SELECT max(id) FROM orders;
		DELETE FROM orders}) =~ s/.*\n//sr;

	# The ORM takes blocks, too.
	my %taken = map { (split /\|/)[ 0, 1 ] } split /\n/, $old->safe_psql('postgres', q{
		SELECT 'adopted items', max(nextval('items_seq')) + 9 FROM generate_series(1, 50);
		UPDATE hi SET next_hi = next_hi + 50 RETURNING 'adopted notes', next_hi * 10 - 1;
		SELECT 'adopted and seeded', hilo_seed('adopted and seeded', 1000);
		SELECT 'adopted and restarted', setval('restarted_seq', 1001, false) - 1;
		ALTER SEQUENCE "a 'Down'" RESTART -101;
		SELECT 'shipments', max(hilo_next_tag('shipments')) FROM generate_series(1, 1000)});
	ok($old->poll_query_until('postgres', $received), 'the new server has received everything');

	is($new->safe_psql('postgres', q{INSERT INTO attached DEFAULT VALUES RETURNING id}), 501,
		'a sequence has followed the rows that came');
	is($new->safe_psql('postgres', "BEGIN; $visit; $repeats; ROLLBACK"),
		1000, 'without the switchover ids repeat');
	cmp_ok($new->safe_psql('postgres', q{SELECT hilo_next('orders')}),
		'<=', $deleted, 'also such as no row has');

	run_sh($copy_last, %env);
	cmp_ok($new->safe_psql('postgres', q{SELECT hilo_next('orders')}),
		'>', $deleted, 'with what was reserved, no id that was handed out does');
	cmp_ok($new->safe_psql('postgres', q{SELECT hilo_next('app.orders')}), '>', 1500,
		'nor one of a table of that name in another schema');
	is($new->safe_psql('postgres', q{SELECT hilo_next_tag('invoices')}),
		3, 'a generator without gaps goes on');
	is($new->safe_psql('postgres', q{SELECT identity_next('users|') > 2}),
		't', 'as does an identity');
	is($new->safe_psql('postgres', q{INSERT INTO bills VALUES (7), (8) RETURNING number}), "6\n2",
		'and each group of rows');
	cmp_ok($new->safe_psql('postgres', q{SELECT hilo_next_tag('a "visit"''s \')}),
		'<', 100000, 'but one from elsewhere would in time');

	cmp_ok($new->safe_psql('postgres', "SELECT hilo_next_tag('$_')"), '>', $taken{$_},
		"$_: no id of the ORM's or the hub's does")
	  foreach sort keys %taken;
	is($new->safe_psql('postgres', q{SELECT count(*) FROM hilo_sources() WHERE source IS NOT NULL}),
		4, 'which are still adopted');
	is($new->safe_psql('postgres', q{SELECT nextval('"a ''Down''"')}), -101,
		'a sequence that was restarted begins there');
	is($new->safe_psql('postgres', q{SELECT hub FROM hilo_generators() WHERE name = 'shipments'}),
		'hub', 'or have their hub');

	run_sh($resync, %env);
	$new->safe_psql('postgres', $visit);
	is($new->safe_psql('postgres', $repeats), 0, 'with what tables hold, none does');
	cmp_ok($new->safe_psql('postgres', 'SELECT max(id) FROM visits'),
		'>', 100000, 'nor will later on');

	$old->safe_psql('postgres', q{SELECT hilo_create('late', max_value => 77)});
	run_sh($copy_generators, %env);
	is($new->safe_psql('postgres', q{SELECT max_value FROM hilo_generators() WHERE name = 'late'}),
		77, 'what was created since comes by copying again');
}
