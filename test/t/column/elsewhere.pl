
# Rows that an extension keeps outside their table, like TimescaleDB's compressed chunks,
# count for the greatest id.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('elsewhere');
my $library = "$PostgreSQL::Test::Utils::tmp_check/kept_elsewhere.so";
run_sh(qq{gcc -O2 -fPIC -shared -I"\$(\$PG_CONFIG --includedir-server)" -o $library "$FindBin::RealBin/../lib/kept_elsewhere.c"});

$node->safe_psql('postgres', qq{
	CREATE TABLE readings (id bigint DEFAULT hilo_next('readings'), ts int, note text);
	CREATE TABLE chunk () INHERITS (readings);
	CREATE INDEX ON chunk (id);
	CREATE TABLE chunk_kept (LIKE readings);
	INSERT INTO chunk_kept SELECT g, g FROM generate_series(1, 100) g;
	CREATE TABLE texts (id text DEFAULT hilo_next('texts'), note text);
	CREATE TABLE texts_kept (LIKE texts);
	INSERT INTO texts_kept VALUES ('70');
	ALTER DATABASE postgres SET session_preload_libraries = '$library'});
is($node->safe_psql('postgres', 'SELECT max(id) FROM chunk'), 100, 'what a query sees');
is($node->safe_psql('postgres', q{INSERT INTO readings (ts) VALUES (0) RETURNING id}), 101, 'a first use');
is($node->safe_psql('postgres', q{INSERT INTO texts (note) VALUES (0) RETURNING id}), '71', 'of texts');
$node->safe_psql('postgres', 'INSERT INTO chunk_kept VALUES (5000)');
is($node->safe_psql('postgres', q{SELECT problem FROM hilo_check('readings')}), 'rows above last', 'hilo_check');
is($node->safe_psql('postgres', q{SELECT hilo_resync('readings', 'id')}), 5000, 'hilo_resync');
is($node->safe_psql('postgres', q{
	INSERT INTO chunk_kept VALUES (7000);
	SELECT hilo_attach('readings', 'id', 'other');
	INSERT INTO readings (ts) VALUES (0) RETURNING id}), "\n7001", 'hilo_attach');

$node->stop;
done_testing();
