#
# Faults: what is done to the extension's tables while they are in use.
#
package Faults::Maintenance;

use strict;
use warnings;

use PostgreSQL::Test::Utils;

use constant XIDS_OF_A_SEGMENT => 1048576;

my @tables = map { "hilo_internal.$_" } qw(hilo_hi hilo_generator hilo_privilege hilo_gapless);

sub faults
{
	return (
		vacuum_full => {
			does => 'VACUUM FULL of the tables of hilo',
			run => sub { $_[0]->try("VACUUM FULL $_") for @tables } },
		cluster => {
			does => 'CLUSTER of hilo_hi, also in a transaction that is rolled back',
			run => \&cluster },
		reindex => {
			does => 'REINDEX TABLE CONCURRENTLY of the tables of hilo',
			expect => '23505',
			run => sub { $_[0]->try("REINDEX TABLE CONCURRENTLY $_") for @tables } },
		alter_extension => {
			does => 'ALTER EXTENSION UPDATE, and one that a rollback takes back',
			run => \&alter_extension },
		freeze => {
			does => 'VACUUM FREEZE of all tables, with transactions between them, and of the whole database now and then',
			run => \&freeze },
		wraparound => {
			does => 'half a billion transactions gone by at a restart: autovacuum freezes, against wraparound',
			conf => ['autovacuum_naptime = 1s'],
			run => \&wraparound },
		old_snapshot => {
			does => 'a snapshot that is held open while all else goes on',
			run => \&old_snapshot });
}

sub cluster
{
	my $torture = shift;

	$torture->try('CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey');
	$torture->try("BEGIN; CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey; ROLLBACK");
	$torture->try("BEGIN; ALTER TABLE hilo_internal.hilo_hi SET (fillfactor = 70); ROLLBACK");
}

sub alter_extension
{
	my $torture = shift;

	$torture->try('ALTER EXTENSION hilo UPDATE');
	$torture->try('BEGIN; DROP EXTENSION hilo CASCADE; ROLLBACK');
}

sub freeze
{
	my $torture = shift;

	$torture->try("VACUUM (FREEZE, TRUNCATE off) $_; SELECT pg_current_xact_id()")
	  for @tables;
	$torture->try('VACUUM (FREEZE)') if $torture->random(4) == 0;
}

# Moves the next transaction id on, as far as what is frozen allows.
sub wraparound
{
	my $torture = shift;
	my $node = $torture->{node};
	my $age = 'SELECT max(age(datfrozenxid)) FROM pg_database';
	my $oldest = $torture->try($age);
	my $segment;

	return if $oldest eq '' || $oldest > 1_000_000_000;
	$node->stop('fast');
	my ($next) = `pg_controldata -D @{[ $node->data_dir ]}` =~ /NextXID:\s+\d+:(\d+)/;
	$segment = int(($next + 500_000_000) % 2**32 / XIDS_OF_A_SEGMENT) || 1;
	system_or_bail('pg_resetwal', '-x', $segment * XIDS_OF_A_SEGMENT, '-D', $node->data_dir);
	append_to_file(sprintf('%s/pg_xact/%04X', $node->data_dir, $segment), "\0" x (256 * 1024));
	$node->start;
	for (1 .. 10)
	{
		$torture->{recorder}->progress(1000, 1);
		last if ($torture->try($age) || $oldest) < 200_000_000;
	}
}

sub old_snapshot
{
	my $torture = shift;

	if (my $old = delete $torture->{old_snapshot})
	{
		$torture->end_session($old);
	}
	my $session = $torture->session;
	$torture->in_session($session,
		"SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0;
		 BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM hilo_internal.hilo_hi");
	$torture->{old_snapshot} = $session;
}

1;
