# Two servers that get each other's rows by logical replication, one after the other: the
# sequence of the one that receives follows the rows, so that it goes on above them after a
# switchover, and within its block.  What cannot follow is in the log, and replication goes on.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my @servers = map { hilo_node($_, allows_streaming => 'logical') } qw(one two);
my @drawing = qw(serial identity parted);

$_->safe_psql('postgres', q{
	CREATE ROLE clerk;
	CREATE TABLE serial (id bigserial PRIMARY KEY, note text);
	CREATE TABLE identity (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text);
	CREATE TABLE parted (id serial, note text) PARTITION BY LIST (note);
	CREATE TABLE parted_x PARTITION OF parted (PRIMARY KEY (id)) DEFAULT;
	CREATE TABLE block (id bigserial PRIMARY KEY, note text);
	CREATE SEQUENCE mine;
	CREATE TABLE refused (id bigint PRIMARY KEY DEFAULT nextval('mine'), note text);
	CREATE TABLE closed (id bigint PRIMARY KEY DEFAULT hilo_next_tag('theirs'), note text);
	CREATE TABLE far (id bigint PRIMARY KEY, note text);
	CREATE TABLE small (id bigint PRIMARY KEY, note text);
	SELECT hilo_create('theirs');
	SELECT hilo_attach(t, 'id') FROM unnest('{serial,identity,parted,block,refused}'::regclass[]) t;
	SELECT hilo_attach('closed', 'id', follow => true)}) foreach @servers;
$servers[0]->safe_psql('postgres', 'ALTER SEQUENCE block_id_seq MAXVALUE 1000');
$servers[1]->safe_psql('postgres',
	q{ALTER SEQUENCE block_id_seq MINVALUE 1001 MAXVALUE 2000 START 1001 RESTART;
	ALTER TABLE refused OWNER TO clerk; ALTER TABLE closed OWNER TO clerk;
	GRANT USAGE ON SEQUENCE mine TO clerk;
	CREATE FOREIGN DATA WRAPPER nothing;
	CREATE SERVER down FOREIGN DATA WRAPPER nothing OPTIONS (host '/nowhere');
	CREATE USER MAPPING FOR PUBLIC SERVER down;
	SELECT hilo_create('at_hub', hub => 'down'), hilo_create('full', max_value => 100), hilo_seed('full', 40);
	ALTER TABLE far ALTER id SET DEFAULT hilo_next_tag('at_hub');
	ALTER TABLE small ALTER id SET DEFAULT hilo_next_tag('full');
	CREATE TRIGGER far AFTER INSERT ON far FOR EACH ROW EXECUTE FUNCTION hilo_follow('at_hub', 'id');
	ALTER TABLE far ENABLE ALWAYS TRIGGER far;
	CREATE TRIGGER small AFTER INSERT ON small FOR EACH ROW EXECUTE FUNCTION hilo_follow('full', 'id');
	ALTER TABLE small ENABLE ALWAYS TRIGGER small});

# There are rows before the subscription, and after it: drawn, brought, changed and deleted.
insert($servers[0], $_) foreach @drawing;
$servers[0]->safe_psql('postgres', q{INSERT INTO serial VALUES (5000); DELETE FROM serial WHERE id = 5000});
my $greatest = $servers[0]->safe_psql('postgres', 'SELECT max(id) FROM serial');
subscribe(@servers, 'true');
is(next_of($servers[1], 'serial'), $greatest + 1, 'the copy of a table is followed');

$servers[0]->safe_psql('postgres', q{
	INSERT INTO serial VALUES (20000);
	DELETE FROM serial WHERE id = 20000;
	INSERT INTO identity OVERRIDING SYSTEM VALUE VALUES (7000);
	UPDATE identity SET note = 'changed' WHERE id = 7000;
	BEGIN; INSERT INTO parted VALUES (9000); ROLLBACK;
	INSERT INTO parted VALUES (1500000);
	INSERT INTO block VALUES (DEFAULT), (900);
	INSERT INTO refused VALUES (100);
	INSERT INTO closed VALUES (100);
	INSERT INTO far VALUES (100);
	INSERT INTO small VALUES (99), (100), (101)});
my %last = map { $_ => insert($servers[0], $_) } @drawing;
$servers[0]->wait_for_catchup('sub');
is(next_of($servers[1], $_), $last{$_} + 1, "$_ goes on above what has come") foreach @drawing;
is($servers[1]->safe_psql('postgres', 'INSERT INTO block DEFAULT VALUES RETURNING id'), 1001,
	"but not in the other's block");
my $log = slurp_file($servers[1]->logfile);
like($log, qr/WARNING:  permission denied for sequence mine\n.*DETAIL:  The sequence does not follow the ids of table "refused"/,
	'a sequence that the owner of the table may not raise is in the log');
like($log, qr/WARNING:  (?:the owner of table "closed" must be owner of|permission denied for) generator "theirs"\n.*DETAIL:  The generator does not follow id 100 of table "closed"/,
	'and such a generator');
is($servers[1]->safe_psql('postgres', 'SELECT last_value FROM mine'), 1, 'and it is as it was');
like($log, qr/DETAIL:  The generator does not follow id 100 of table "far"/, 'and one whose hub is down');
is($servers[1]->safe_psql('postgres', "SELECT last FROM hilo_generators() WHERE name = 'full'"), 100,
	'one goes up to its end');

# The switchover, and the way back
$servers[1]->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
$servers[0]->safe_psql('postgres', 'DROP PUBLICATION pub');
subscribe(@servers[1, 0], 'false');
%last = map { $_ => insert($servers[1], $_) } @drawing;
$servers[1]->safe_psql('postgres', 'INSERT INTO block VALUES (DEFAULT), (1900)');
$servers[1]->wait_for_catchup('sub');
is(next_of($servers[0], $_), $last{$_} + 1, "$_ goes on after the way back") foreach @drawing;
is($servers[0]->safe_psql('postgres', 'INSERT INTO block DEFAULT VALUES RETURNING id'), 901,
	'and each in its block');
unlike(slurp_file($_->logfile), qr/ERROR/, 'no worker failed: ' . $_->name) foreach @servers;

$_->stop foreach @servers;
done_testing();

# Insert rows that draw, and return the last id.
sub insert
{
	my ($server, $table) = @_;

	return (split /\n/, $server->safe_psql('postgres',
		"INSERT INTO $table (note) SELECT i FROM generate_series(1, 100) i RETURNING id"))[-1];
}

# Return the next id, in a row that is not kept.
sub next_of
{
	my ($server, $table) = @_;

	return $server->safe_psql('postgres',
		"BEGIN; INSERT INTO $table DEFAULT VALUES RETURNING id; ROLLBACK");
}

sub subscribe
{
	my ($from, $to, $copy) = @_;

	$from->safe_psql('postgres',
		'CREATE PUBLICATION pub FOR TABLE serial, identity, parted, block, refused, closed, far, small');
	$to->safe_psql('postgres', "CREATE SUBSCRIPTION sub CONNECTION '" . $from->connstr
		  . " dbname=postgres' PUBLICATION pub WITH (copy_data = $copy)");
	$to->wait_for_subscription_sync($from, 'sub');
	return;
}
