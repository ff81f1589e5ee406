
# Hypertables of TimescaleDB, if it is installed: their rows are in chunks that inherit,
# maybe compressed, and that have copies of the hypertable's triggers.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

-e run_sh('echo "$("$PG_CONFIG" --sharedir)/extension/timescaledb.control"')
  or plan skip_all => 'TimescaleDB is not installed';

my $node = new_node('main',
	conf => "shared_preload_libraries = 'timescaledb, hilo'\ntimescaledb.telemetry_level = off");
$node->safe_psql('postgres', "CREATE EXTENSION $_") for qw(timescaledb hilo);

hypertable('drawn', "id bigint DEFAULT hilo_next('drawn')");
hypertable('owned', 'id bigserial');
hypertable('numbered', 'id bigint', q{hilo_number_assign('id', 'gapless', 'k')});
hypertable('documents', 'id text', q{document_id_assign('id')});
$node->safe_psql('postgres',
	"INSERT INTO drawn SELECT t, 0, 1000 + t FROM generate_series(0, 99) t");
insert_rows($_) for qw(owned numbered documents);
compress($_) for qw(drawn owned numbered);
$node->safe_psql('postgres', q{SELECT hilo_attach('owned', 'id', follow => true)});

$node->safe_psql('postgres', q{
	BEGIN;
	SELECT count(*) FROM drop_chunks('drawn', older_than => 1000);
	INSERT INTO drawn VALUES (1, 0);
	ROLLBACK});
insert_rows($_) for qw(drawn owned numbered documents);
is(ids_of('drawn', 'id > 1099'), '100|1100|1199',
	'a first use is above compressed rows, also those that a rollback brings back');
is(ids_of('owned', 'true'), '200|1|200', 'attached');
is(ids_of('numbered', 'k = 1'), '100|1|100', 'numbers of a group go over chunks');
is($node->safe_psql('postgres',
		q{SELECT count(DISTINCT id), min(id) FROM documents WHERE id LIKE 'documents/%'}),
	'200|documents/1-A', 'the collection of documents');

$node->safe_psql('postgres', q{INSERT INTO owned VALUES (1, 0, 5000), (500, 0, 6000)});
is($node->safe_psql('postgres', 'INSERT INTO owned VALUES (500, 0) RETURNING id > 6000'), 't',
	'followed, also into a new chunk');
is($node->safe_psql('postgres', q{
	SELECT hilo_attach('owned', 'id', follow => false);
	SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'hilo_follow%'}), "\n0", 'and followed no more');

is($node->safe_psql('postgres', q{
	SELECT count(*) FROM (SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'numbered#%=1)' OFFSET 0) d;
	INSERT INTO numbered VALUES (1, 1) RETURNING id}), "1\n101", 'a series is made above compressed rows');
is($node->safe_psql('postgres', q{
	INSERT INTO numbered SELECT 1, 1, 500;
	SELECT count(compress_chunk(c, if_not_compressed => true)) FROM show_chunks('numbered') c;
	SELECT count(hilo_seed(name, 1, true)) FROM hilo_generators() WHERE name LIKE 'numbered#%=1)';
	SELECT rel, problem FROM hilo_check() WHERE rel::text !~ '^_timescaledb_(c|internal.bgw)' ORDER BY rel::text}),
	"10\n1\ndocuments|\ndrawn|\nnumbered|rows above last\nowned|", 'hilo_check');

$node->stop;
done_testing();

# Make a hypertable, maybe with a trigger.
sub hypertable
{
	my ($name, $id, $function) = @_;

	$node->safe_psql('postgres', qq{
		CREATE TABLE $name (t bigint NOT NULL, k int, $id);
		SELECT create_hypertable('$name', 't', chunk_time_interval => 10)});
	$node->safe_psql('postgres',
		"CREATE TRIGGER assign BEFORE INSERT ON $name FOR EACH ROW EXECUTE FUNCTION $function") if $function;
	return;
}

sub insert_rows
{
	my ($table) = @_;

	$node->safe_psql('postgres',
		"INSERT INTO $table SELECT t, t % 2 FROM generate_series(0, 99) t");
	return;
}

sub compress
{
	my ($table) = @_;

	is($node->safe_psql('postgres', qq{
		ALTER TABLE $table SET (timescaledb.compress, timescaledb.compress_segmentby = 'k');
		SELECT count(compress_chunk(c)) FROM show_chunks('$table') c}), '10', "compress $table");
	return;
}

# Return how many ids rows have, the least and the greatest.
sub ids_of
{
	my ($table, $where) = @_;

	return $node->safe_psql('postgres',
		"SELECT count(DISTINCT id), min(id), max(id) FROM $table WHERE $where");
}
