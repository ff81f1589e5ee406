# What a session that comes finds of a generator: what is committed, and no longer than it is
# so, whatever sessions before it have found; and the right to use it as it is now.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('look_up', allows_streaming => 1,
	conf => "max_prepared_transactions = 2\nlock_timeout = 5s");
my $holder = hilo_session($node);

# What a new session of a role says to a call, or to a range of 50 ids: its SQLSTATE.
sub said_to
{
	my ($role, $call, $database) = @_;
	my $session = $node->background_psql($database // 'postgres', on_error_stop => 0);

	run_in($session, "SET ROLE $role");
	my $state = state_of($session, "SELECT $call");
	end_session($session);
	return $state;
}

sub range_of
{
	my ($role, $database, $name) = @_;

	return said_to($role, 'hilo_next_range(' . ($name // q{'x'}) . ', 50)', $database);
}

$node->safe_psql('postgres', q{
	CREATE ROLE granted; CREATE ROLE member IN ROLE granted; CREATE ROLE inserter; CREATE ROLE other;
	CREATE TABLE t (id bigint DEFAULT hilo_next_tag('x')); GRANT INSERT ON t TO inserter;
	SELECT hilo_resync('t', 'id'), hilo_grant('x', 'granted')});

is(range_of('granted'), '00000', 'who was given the right has it');
is(range_of('member'), '00000', 'so have members');
is(range_of('inserter'), '00000', 'who inserts has it');
is(range_of('other'), '42501', 'who does not has none');
is(range_of('granted', undef, q{'X'}), '00000', 'however the name is written');

# No right that was taken away.
$node->safe_psql('postgres', 'REVOKE granted FROM member');
is(range_of('member'), '42501', 'no member any more');
$node->safe_psql('postgres', q{SELECT hilo_revoke('x', 'granted')});
is(range_of('granted'), '42501', 'revoked');
$node->safe_psql('postgres', q{SELECT hilo_grant('x', 'public')});
is(range_of('other'), '00000', 'open to all');
$node->safe_psql('postgres', q{SELECT hilo_revoke('x', 'public')});
is(range_of('other'), '42501', 'and closed');
$node->safe_psql('postgres', q{SELECT hilo_alter('x', owner => 'granted')});
is(range_of('granted'), '00000', 'an owner');
$node->safe_psql('postgres', q{SELECT hilo_alter('x', owner => 'postgres')});
is(range_of('granted'), '42501', 'and one before');

# Only what is committed, and no longer than it is so.
foreach my $way ('COMMIT', "PREPARE TRANSACTION 'p'", 'ROLLBACK')
{
	my $before = $way eq 'ROLLBACK' ? '22023' : '00000';

	$node->safe_psql('postgres', q{SELECT hilo_alter('x', max_range_size => 1000)})
	  if $way ne 'ROLLBACK';
	is(range_of('postgres'), $before, 'as it was');
	run_in($holder, 'BEGIN');
	run_in($holder,
		q{SELECT hilo_alter('x', max_range_size => } . ($way eq 'ROLLBACK' ? 1000 : 40) . ')');
	is(state_of($holder, q{SELECT hilo_next_tag('x')}), '00000',
		'the session that alters it takes an id');
	is(range_of('postgres'), $before, 'no other session finds it altered');
	run_in($holder, $way);
	is(range_of('postgres'), $before, 'nor when it is prepared') if $way =~ /PREPARE/;
	run_in($holder, q{COMMIT PREPARED 'p'}) if $way =~ /PREPARE/;
	is(range_of('postgres'), '22023', "after $way it is as that says");
	is(range_of('postgres'), '22023', 'for all');
}

# A database, or an extension, in the place of another.
$node->safe_psql('postgres', 'CREATE DATABASE original');
$node->safe_psql('original', q{CREATE EXTENSION hilo; SELECT hilo_create('x')});
$node->safe_psql('postgres', 'CREATE DATABASE copy OID = 54321 TEMPLATE original');
$node->safe_psql('copy', q{SELECT hilo_grant('x', 'public')});
is(range_of('other', 'copy'), '00000', 'open in a copy');
$node->safe_psql('postgres', 'DROP DATABASE copy (FORCE)');
$node->safe_psql('postgres', 'CREATE DATABASE copy OID = 54321 TEMPLATE original');
is(range_of('other', 'copy'), '42501', 'and not in the next one of that number');
$node->safe_psql('postgres', q{SELECT hilo_create('again', first => 7)});
is($node->safe_psql('postgres', q{SELECT hilo_next_tag('again')}), 7, 'an id');
$node->safe_psql('postgres', q{DROP EXTENSION hilo CASCADE; CREATE EXTENSION hilo});
is($node->safe_psql('postgres', q{SELECT hilo_next_tag('again')}), 1,
	'no generator of an extension that was dropped');

end_session($holder);
$node->stop;
done_testing();
