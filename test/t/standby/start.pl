
# Right after a start, before the checkpointer has looked which standbys are synchronous,
# a wait for them that is cut short gives no id.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('start', allows_streaming => 1);
my $library = "$PostgreSQL::Test::Utils::tmp_check/standby_status.so";
my @takes = (q{hilo_next_tag('session')}, q{hilo_next_id('text')}, q{hilo_next_range('range')},
	q{hilo_next_hi('hi', 10)},
	q{identity_next('identity')}, q{identity_next('block', 2)}, q{hilo_next_tag('global')},
	q{hilo_seed('seeded', 100)}, 'decimal_id_next()');

run_sh(qq{gcc -O2 -fPIC -shared -I"\$(\$PG_CONFIG --includedir-server)" -o $library "$FindBin::RealBin/../lib/standby_status.c"});
$node->safe_psql('postgres', qq{
	CREATE FUNCTION forget() RETURNS int AS '$library', 'standby_status_forget' LANGUAGE c;
	SELECT hilo_create(name) FROM unnest('{session,text,range,hi,seeded}'::text[]) name;
	SELECT hilo_create(name, 'global') FROM unnest('{global,identity|,block|}'::text[]) name;
	SET hilo.launch_id = 1;
	SELECT decimal_id_next()});
$node->append_conf('postgresql.conf', "synchronous_standby_names = 'nobody'");
$node->restart;
# once the checkpointer has looked, it does not look again without a reload
my $known;
wait_until('the checkpointer',
	sub { ($known = $node->safe_psql('postgres', 'SELECT forget()')) ne '0' });
plan skip_all => 'a minor release that does not know whether it has looked' if $known eq '';

foreach my $take (@takes)
{
	my $session = hilo_session($node,
		'-c synchronous_commit=on -c statement_timeout=100ms -c hilo.launch_id=1');

	is(state_of($session, "SELECT $take"), '57014', $take);
	end_session($session);
}
$node->stop;
done_testing();
