
# Behind Debian's PgBouncer in transaction mode, where the clients' transactions
# take turns in few sessions: everything that returns an id does, none twice, and
# each client sees its own.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib", "$FindBin::RealBin/../../proof/torture";
use Faults::Pool;
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $folder = debian_folder('pgbouncer');
plan skip_all => 'pgbouncer is not to be had' unless defined $folder;

my $node = hilo_node('pooled');

$node->safe_psql(
	'postgres', q{
	CREATE TABLE made (
		number bigint DEFAULT hilo_next_tag('made'),
		hilo_id text DEFAULT hilo_next_id('documents'),
		identity bigint DEFAULT identity_next('made'),
		identity_id text DEFAULT document_id('made|'),
		server_side text DEFAULT document_id('made/'),
		guid text DEFAULT document_id(),
		id text,
		client int,
		backend int DEFAULT pg_backend_pid(),
		at timestamptz DEFAULT clock_timestamp());
	CREATE TRIGGER made_id BEFORE INSERT ON made FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'documents')});

my $pool = start_pgbouncer(2);

my $script = "$dir/insert.sql";
append_to_file($script, q{
BEGIN;
INSERT INTO made (client) VALUES (:client_id) RETURNING number AS mine \gset
SELECT (hilo_current('made') = :mine)::int AS is_mine \gset
INSERT INTO made (client, number, id) SELECT :client_id, NULL, 'lost' WHERE :is_mine = 0;
END;
INSERT INTO made (client) SELECT :client_id FROM generate_series(1, 10);
});
$node->command_ok(
	[ 'pgbench', '-n', '-c', '12', '-t', '100', '-f', $script, '-h', $pool->{host}, '-p', $pool->{port}, 'postgres' ],
	'12 clients share two sessions');

is( $node->safe_psql('postgres', q{
	SELECT count(*), count(DISTINCT number), count(DISTINCT hilo_id), count(DISTINCT identity),
		   count(DISTINCT identity_id), count(DISTINCT server_side), count(DISTINCT guid), count(DISTINCT id),
		   count(*) FILTER (WHERE id = 'lost'), count(DISTINCT client) FROM made}),
	join('|', (13200) x 8, 0, 12), 'no id twice');
cmp_ok($node->safe_psql('postgres', 'SELECT count(DISTINCT backend) FROM made'), '<=', 2, 'in two sessions');

is( $node->safe_psql('postgres', q{
	WITH numbered AS (
		SELECT number < lag(number) OVER (PARTITION BY backend ORDER BY at, number) AS number_falls,
			   identity < lag(identity) OVER (PARTITION BY client ORDER BY at, identity) AS identity_falls FROM made)
	SELECT count(*) FILTER (WHERE number_falls), count(*) FILTER (WHERE identity_falls) FROM numbered}),
	'0|0', "ids rise in each server's session, identities for each client");

# A pool that resets its sessions between clients: what they hold is not lost.  Of a
# new generator, as the sessions before have left ranges of the other one.
stop_pgbouncer($pool);
$node->safe_psql('postgres', q{
	CREATE TABLE discarded (id bigint DEFAULT hilo_next_tag('discarded'), backend int DEFAULT pg_backend_pid())});
$pool = start_pgbouncer(1, 'server_reset_query_always = 1');
pooled('INSERT INTO discarded DEFAULT VALUES') foreach 1 .. 5;
is( $node->safe_psql('postgres', q{SELECT max(id) - min(id), count(DISTINCT backend) FROM discarded}),
	'4|1', 'DISCARD ALL keeps the range');

# Settings are the session's, so a client's SET stays for the next; SET LOCAL is
# the transaction's.
stop_pgbouncer($pool);
$pool = start_pgbouncer(1);
pooled(q{BEGIN; SET LOCAL hilo.identity_parts_separator = '-'; SELECT document_id('made-'); COMMIT});
like(pooled(q{SELECT document_id('made|')}), qr{^made/\d+$}, 'SET LOCAL');

# A range of a client's own goes back from another transaction, by its number.
my ($high, $range_no) = split /\|/, pooled(q{SELECT high, range_no FROM hilo_next_range('ranges', 10)});
is(pooled("SELECT hilo_return_range('ranges', $high, $high - 7, $range_no)"), 't', 'a range is returned');

stop_pgbouncer($pool);
$node->stop;
done_testing();

# Run SQL through the pool; return its output.
sub pooled
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql,
		connstr => "host=$pool->{host} port=$pool->{port} dbname=postgres");
}

# Start a PgBouncer with so many sessions.
sub start_pgbouncer
{
	my ($size, @settings) = @_;

	return Faults::Pool::start_pool($node, "$folder/usr/sbin/pgbouncer", $size, 'pool_mode = transaction', @settings);
}

sub stop_pgbouncer
{
	my ($started) = @_;

	return $started->{run}->kill_kill;
}
