
# hilo_hi rewritten in a transaction goes back to the old storage by a rollback,
# and with it would every change made in place: none is made.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main');

mkdir $node->basedir . '/space' or die "mkdir: $!";
$node->safe_psql('postgres',
	"CREATE TABLESPACE space LOCATION '" . $node->basedir . "/space'");
$node->safe_psql(
	'postgres', q{
	CREATE EXTENSION hilo;
	SELECT hilo_create('orders', max_range_size => 32)});

my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query_safe('\set VERBOSITY verbose');
my %seen;

# Have nothing at hand: a forced seed ends the window.
sub close_window
{
	$session->query_safe(q{SELECT hilo_release(), hilo_seed(name, reserved, true) FROM hilo_internal.hilo_hi WHERE name = 'orders'});
	return;
}

sub takes_an_id
{
	my ($what) = @_;
	my $id = $session->query_safe(q{SELECT hilo_next_tag('orders')});

	like($id, qr/^\d+$/, "$what: an id");
	ok(!$seen{$id}++, "$what: a new one");
	return;
}

sub is_refused
{
	my ($call, $message, $what) = @_;

	$session->query_safe('SAVEPOINT before');
	is(scalar $session->query("SELECT $call"), '', "$what: $call gives nothing");
	like(
		$session->{stderr},
		qr/ERROR:  55000: table "hilo_hi" $message/,
		"$what: $call is refused");
	$session->{stderr} = '';
	$session->query_safe('ROLLBACK TO before');
	return;
}

my @changes = (
	'CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey',
	'ALTER TABLE hilo_internal.hilo_hi SET TABLESPACE space');
my @calls = (
	q{hilo_next_tag('orders')},
	q{hilo_next_tag('another')},
	q{hilo_next_range('orders')},
	q{hilo_next_hi('orders', 10)},
	q{hilo_seed('orders', 1000000)},
	q{hilo_create('another')});

foreach my $change (@changes)
{
	# Nothing is reserved when it begins.
	close_window();
	$session->query_safe("BEGIN; $change");
	is_refused($_, 'is being rewritten', $change) foreach @calls;
	$session->query_safe('ROLLBACK');
	takes_an_id("$change, rolled back");
}

# Forgotten by the first savepoint, but not the transaction.
my $cluster = 'CLUSTER hilo_internal.hilo_hi USING hilo_hi_pkey';
close_window();
$session->query_safe(
	"BEGIN; $cluster; SAVEPOINT one; $cluster; ROLLBACK TO one");
is_refused($calls[0], 'is being rewritten', 'rewritten twice, and back once');
$session->query_safe('ROLLBACK');
takes_an_id('rewritten twice, rolled back');

# Back where it was, it goes on.
close_window();
$session->query_safe("BEGIN; SAVEPOINT one; $cluster; ROLLBACK TO one");
takes_an_id('rewritten in a savepoint, and back');
$session->query_safe('ROLLBACK');

# Also if the table is new itself: its rewrite may be undone alone.
my $main = $session;
%seen = ();
$node->safe_psql('postgres', 'CREATE DATABASE new');
$session = $node->background_psql('new', on_error_stop => 0);
$session->query_safe('\set VERBOSITY verbose');
$session->query_safe('BEGIN; CREATE EXTENSION hilo');
takes_an_id('in the transaction that makes the table');
close_window();
$session->query_safe("SAVEPOINT one; $cluster");
is_refused($_, 'is being rewritten', 'made and rewritten') foreach @calls;
$session->query_safe('ROLLBACK TO one');
takes_an_id('made, rewritten and back');
close_window();
$session->query_safe($cluster);
is_refused($_, 'is being rewritten', 'made and rewritten again') foreach @calls;
$session->query_safe('COMMIT');
takes_an_id('made and rewritten, committed');
$session->quit;
$session = $main;
%seen = ();

# Ids that are reserved are handed out still, until the next window is due.
close_window();
$session->query_safe(q{SELECT hilo_stats_reset()});
takes_an_id('a range');
my $last = $node->safe_psql('postgres', 'SELECT reserved FROM hilo_internal.hilo_hi');
$session->query_safe("BEGIN; $cluster");
takes_an_id('while it is being rewritten') for 1 .. 15;
is($session->query_safe('SELECT hilo_release()'), 16, 'the rest is given back to the window');
$session->query_safe('ROLLBACK');
is($node->safe_psql('postgres', 'SELECT reserved FROM hilo_internal.hilo_hi'),
	$last, 'the row is as it was');
takes_an_id('after that');

# Committed, it goes on too.
foreach my $change (@changes)
{
	$session->query_safe("BEGIN; $change; COMMIT");
	takes_an_id("$change, committed");
}

$session->quit;
$node->stop;
done_testing();
