# Columns of partitions are followed or put on generators, and others while sessions write and
# look.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = hilo_node('attach', conf => "hilo.prefetch = off\nhilo.return_on_exit = off");

sub sql
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# A partition alone: it follows the source of the whole, and can't have another.  Since 17 it has
# the identity of the partitioned table.
sql(q{
	CREATE TABLE parted (id int GENERATED ALWAYS AS IDENTITY, part int) PARTITION BY LIST (part);
	CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
	CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2) PARTITION BY LIST (part);
	CREATE TABLE parted_2_2 PARTITION OF parted_2 FOR VALUES IN (2);
	INSERT INTO parted (part) VALUES (1), (2)});
my $last = 2;
foreach my $table ('parted_1', 'parted_2', 'parted_2_2')
{
	my $parent = $table eq 'parted_2_2' && $node->pg_version >= 17 ? 'parted_2' : 'parted';
	my (undef, undef, $error) = $node->psql('postgres', "SELECT hilo_attach('$table', 'id', '$table')");
	my $part = substr $table, 7, 1;

	like($error, qr/ERROR:  column "id" of table "$table" gets its ids from another source .*Call hilo_attach\('public\.$parent', 'id', 'public\.$parent'\)/s,
		"$table alone is not moved");
	$last += 10;
	sql("SELECT hilo_attach('$table', 'id'); INSERT INTO $table OVERRIDING SYSTEM VALUE VALUES ($last, $part)");
	is(sql("INSERT INTO parted (part) VALUES ($part) RETURNING id"), ++$last,
		'but followed');
	sql("SELECT hilo_detach('$table', 'id')");
}
SKIP:
{
	skip 'partitions have no identity before 17', 2 if $node->pg_version < 17;
	is(sql(q{INSERT INTO parted_1 (part) VALUES (1) RETURNING id}), ++$last, 'and is as it was');
	is(sql(q{ALTER TABLE parted DETACH PARTITION parted_1; SELECT hilo_attach('parted_1', 'id');
		INSERT INTO parted_1 (part) VALUES (1) RETURNING id}), "\n" . ++$last, 'detached it can be');
}
my $identities =
  q{SELECT count(*) FROM pg_attribute WHERE attrelid::regclass::text ~ '^parted(_2.*)?$' AND attidentity <> ''};
my $sources =
  q{SELECT string_agg(DISTINCT g, ' ') FROM pg_class, hilo_generator_of(oid, 'id') g WHERE relname ~ '^parted(_2.*)?$'};
my $before = sql($identities);
sql(q{SELECT hilo_attach('parted', 'id')});
is(sql($sources), 'parted_id_seq', 'with the partitioned table they are attached');
is(sql($identities), $before, 'and stay identities');
sql(q{INSERT INTO parted OVERRIDING SYSTEM VALUE VALUES (70, 2)});
is(sql(q{INSERT INTO parted (part) VALUES (2) RETURNING id}), 71, 'which follow rows');
sql(q{SELECT hilo_attach('parted', 'id', 'parted')});
is(sql($sources), 'parted', 'with the partitioned table they are moved');
is(sql($identities), 0, 'and no identity is left');
is(sql(q{INSERT INTO parted (part) VALUES (2) RETURNING id}), 72, 'and ids go on');

# Back and forth while others write: no id twice, and no session fails.
sql('CREATE TABLE busy (id bigserial PRIMARY KEY, note text)');
append_to_file("$dir/insert.sql",
	"INSERT INTO busy (note) SELECT 'x' FROM generate_series(1, 3);\n");
my $output = '';
my $load = IPC::Run::start(
	[ 'pgbench', '-n', '-c', '4', '-t', '2000', '-f', "$dir/insert.sql",
		$node->connstr('postgres') ],
	'<', \undef, '>&', \$output);
my $moves = 0;
while ($load->pumpable)
{
	$load->pump_nb;
	sql(q{SELECT hilo_attach('busy', 'id')});
	sql(q{SELECT hilo_detach('busy', 'id')});
	sql(q{SELECT hilo_attach('busy', 'id', 'busy')});
	sql(q{SELECT hilo_detach('busy', 'id')});
	sql(q{SELECT hilo_resync_all()});
	$moves++;
}
ok($load->finish, 'no session failed') or diag($output);
cmp_ok($moves, '>', 2, "moved $moves times");
is(sql('SELECT count(*), count(DISTINCT id) FROM busy'), '24000|24000', 'no id twice');

# Tables with triggers that are dropped while a session looks at what they draw from
my $looker = hilo_session($node);
start_in($looker, q{DO $$ BEGIN FOR i IN 1 .. 1000000 LOOP
	PERFORM FROM hilo_internal.hilo_columns(); COMMIT; EXIT WHEN to_regclass('stop') IS NOT NULL; END LOOP; END $$});
for my $round (1 .. 10)
{
	sql(q{DO $$ BEGIN FOR i IN 1 .. 200 LOOP EXECUTE format('CREATE TABLE seen_%1$s (id text);
		CREATE TRIGGER t BEFORE INSERT ON seen_%1$s FOR EACH ROW EXECUTE FUNCTION document_id_assign(''id'', ''x'')', i); END LOOP; END $$});
	sql(q{DO $$ BEGIN FOR i IN 1 .. 200 LOOP EXECUTE format('DROP TABLE seen_%s', i); END LOOP; END $$});
}
sql('CREATE TABLE stop ()');
like(end_in($looker), qr{00000$}, 'tables that are dropped meanwhile fail no look');

# A sequence that gets another file while a session looks at it
sql('DROP TABLE stop; CREATE TABLE restarted (id serial)');
start_in($looker, q{DO $$ BEGIN FOR i IN 1 .. 1000000 LOOP
	PERFORM FROM hilo_check('restarted'); COMMIT; EXIT WHEN to_regclass('stop') IS NOT NULL; END LOOP; END $$});
sql(q{DO $$ BEGIN FOR i IN 1 .. 5000 LOOP ALTER SEQUENCE restarted_id_seq RESTART; COMMIT; END LOOP; END $$});
sql('CREATE TABLE stop ()');
like(end_in($looker), qr{00000$}, 'nor does a sequence that is altered');

$node->stop;
done_testing();
