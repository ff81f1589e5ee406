
# The extension dropped and made again while sessions hold ranges: none of them
# is used again, and generators begin anew.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('main', conf => 'hilo.prefetch = off');
$node->safe_psql('postgres', 'CREATE EXTENSION hilo');

my $next = q{SELECT hilo_next_tag('orders')};
my $last = q{SELECT last FROM hilo_generators() WHERE name = 'orders'};
my $recreate = 'DROP EXTENSION hilo; CREATE EXTENSION hilo';

# Look at last when no more than so many sessions are left.
sub last_is
{
	my ($expected, $sessions, $what) = @_;

	$node->poll_query_until(
		'postgres', qq{
		SELECT count(*) = $sessions + 1 FROM pg_stat_activity
		WHERE datname IS NOT NULL})
	  or die 'a session does not end';
	return is($node->safe_psql('postgres', $last), $expected, $what);
}

# In a session that holds a range, and in another one that does.
my $one = $node->background_psql('postgres');
my $other = $node->background_psql('postgres');
is($one->query_safe($next), 1, 'a range in one session');
is($other->query_safe($next), 33, 'and in another');
$one->query_safe($recreate);
is($one->query_safe($next), 1, 'anew, in the session that dropped it');
is($other->query_safe($next), 33, 'in the other one too');
is($other->query_safe($next), 34, 'which goes on with its new range');

# A session that ends gives back nothing of the old extension, though the same
# range is the last one again, in the hands of another session.
my $idle = $node->background_psql('postgres');
is($idle->query_safe($next), 65, 'a range in a third session');
$one->query_safe($recreate);
is($one->query_safe($next), 1, 'anew');
is($other->query_safe($next), 33, 'anew');
my $holder = $node->background_psql('postgres');
is($holder->query_safe($next), 65, 'the same range in a fourth');
$idle->quit;
last_is(96, 3, 'a range of the old extension is not given back');
$_->quit foreach ($one, $other);
last_is(96, 1, 'nor are ranges of the new one below the last');
$holder->quit;
last_is(65, 0, 'the last one is');

# In one transaction, before and after.
$one = $node->background_psql('postgres');
$one->query_safe(q{SELECT hilo_seed('orders', 1000)});
is($one->query_safe($next), 1001, 'a range');
$one->query_safe('BEGIN');
is($one->query_safe($next), 1002, 'used in a transaction');
$one->query_safe($recreate);
is($one->query_safe($next), 1, 'that makes the extension anew');
$one->query_safe('ROLLBACK');
my $new = $one->query_safe($next);
ok($new >= 1003, 'rolled back: above what has been handed out');
$one->query_safe("BEGIN; $recreate");
is($one->query_safe($next), 1, 'once more, from the start');
$one->query_safe('COMMIT');
is($one->query_safe($next), 2, 'committed');
$one->quit;
last_is(2, 0, 'what is given back is the new range');

# CREATE EXTENSION rolled back, in the session that used it.
$node->safe_psql('postgres', 'DROP EXTENSION hilo');
$one = $node->background_psql('postgres', on_error_stop => 0);
$one->query_safe('BEGIN; CREATE EXTENSION hilo');
is($one->query_safe($next), 1, 'used in the transaction that makes it');
$one->query_safe('ROLLBACK');
$one->query($next);
like($one->{stderr}, qr/function hilo_next_tag\(unknown\) does not exist/,
	'gone with it');
$one->{stderr} = '';
$node->safe_psql('postgres', 'CREATE EXTENSION hilo');
is($node->safe_psql('postgres', q{SELECT low FROM hilo_next_range('orders', 10)}),
	1, 'made by another session');
$new = $one->query_safe($next);
ok($new >= 11, 'a range rolled back is not used');
$one->quit;
last_is($new, 0, 'nor given back');

# With CASCADE the default of a column goes, too.  Set again, by hand or by an attach,
# it begins above the rows, not at 1, as a table's own generator does.
$node->safe_psql(
	'postgres', q{
	CREATE TABLE sales (id bigint PRIMARY KEY DEFAULT hilo_next('sales'));
	CREATE TABLE bills (id int PRIMARY KEY);
	SELECT hilo_attach('bills', 'id', follow => true);
	INSERT INTO sales SELECT FROM generate_series(1, 100);
	INSERT INTO bills SELECT FROM generate_series(1, 100);
	DROP EXTENSION hilo CASCADE; CREATE EXTENSION hilo;
	ALTER TABLE sales ALTER id SET DEFAULT hilo_next('sales');
	SELECT hilo_attach('bills', 'id')});
foreach my $table (qw(sales bills))
{
	cmp_ok($node->safe_psql('postgres', "INSERT INTO $table DEFAULT VALUES RETURNING id"),
		'>', 100, "$table goes on after CASCADE");
}
$node->safe_psql('postgres', 'DROP TABLE sales, bills; DROP EXTENSION hilo; CREATE EXTENSION hilo');

# Made in another schema: the old one is not looked at any more.
$one = $node->background_psql('postgres');
$one->query_safe($next);
$node->safe_psql(
	'postgres', q{
	DROP EXTENSION hilo;
	CREATE SCHEMA ids;
	CREATE EXTENSION hilo SCHEMA ids});
is($one->query_safe(q{SELECT ids.hilo_next_tag('orders')}),
	1, 'anew, in another schema');
$one->quit;

$node->stop;
done_testing();
