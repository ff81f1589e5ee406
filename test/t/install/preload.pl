# A library that the postmaster loads reads its settings before there is a
# database, and so an encoding.  One that a session loads finds what the client has
# put in the place of the server's.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node(
	'preload',
	extra => [ '-E', 'UTF8' ],
	conf => "shared_preload_libraries = 'hilo'\n"
	  . "hilo.identity_parts_separator = '\xc2\xb5'\n"
	  . "hilo.node_tag = 'NODE'");

is($node->safe_psql('postgres', "SELECT hilo_next_id('orders')"),
	"orders\xc2\xb5" . '1-NODE', 'settings of more than one byte hold');
unlike(slurp_file($node->logfile), qr/invalid value/, 'and raise no warning');

# A session has few slots for relcache callbacks, which other libraries need, too.
my $library = "$PostgreSQL::Test::Utils::tmp_check/relcache_slots.so";
run_sh(qq{gcc -O2 -fPIC -shared -I"\$(\$PG_CONFIG --includedir-server)" -o $library "$FindBin::RealBin/../lib/relcache_slots.c"});
$node->safe_psql('postgres',
	qq{CREATE FUNCTION take_slots(int) RETURNS void AS '$library', 'relcache_slots_take' LANGUAGE c});
my $unused = slots_after('SELECT 1');
is(slots_after(q{SELECT hilo_next_tag('orders'), identity_next('tickets')}), $unused - 1,
	'a session that uses it has one slot less');
$node->append_conf('postgresql.conf', q{shared_preload_libraries = ''});
$node->restart;
is(slots_after('SELECT 1'), $unused, 'one that does not has as many as without it');

$node->stop;

# Return how many slots a session has left.
sub slots_after
{
	my ($statement) = @_;
	my $left = 0;

	$left++ while $node->psql('postgres', "$statement; SELECT take_slots($left + 1)") == 0;
	return $left;
}

# What only superusers may set has the server's value, or the session none.
$node = hilo_node('on_demand', conf => "hilo.node_tag = 'B'");
$node->safe_psql('postgres',
	q{CREATE ROLE joe LOGIN; CREATE ROLE admin LOGIN; GRANT CREATE ON DATABASE postgres TO joe, admin});
my @names = split /\n/, $node->safe_psql('postgres', q{
	LOAD 'hilo';
	SELECT name FROM pg_settings WHERE name LIKE 'hilo.%' AND context = 'superuser'});
is(scalar @names, 5, 'settings for superusers');

# Return the node tag, or the state of the error, of a session with these options.
sub tag_with
{
	my ($options, $role) = @_;
	local $ENV{PGOPTIONS} = $options;
	my ($code, $stdout, $stderr) = $node->psql('postgres',
		q{SELECT right(hilo_next_id('of ' || current_user), 1)},
		extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ]);

	return $code == 0 ? $stdout : ($stderr =~ /ERROR:  (\w{5})/)[0];
}

is(tag_with("-c $_=1", 'joe'), '22023', $_) foreach @names;
is(tag_with('-c hilo.prefetch=off', 'joe'), 'B', 'others are for all');
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
is(tag_with('-c hilo.node_tag=C', $superuser), 'C', 'superusers');
@names = split /\n/,
	$node->safe_psql('postgres',
		q{LOAD 'hilo'; SELECT name FROM pg_settings WHERE name LIKE 'hilo.%' AND name !~ 'hub|trace_ahead'});
is(tag_with("-c $_=1.x", $superuser), '22023', "no $_ like that") foreach @names;
$node->safe_psql('postgres', 'GRANT SET ON PARAMETER hilo.node_tag TO admin');
is(tag_with('-c hilo.node_tag=C', 'admin'), 'C', 'who has been granted it');
is(tag_with('-c hilo.node_tag=C -c hilo.launch_id=1', 'admin'), '22023', 'and nothing else');
is($node->psql('postgres', q{SET hilo.node_tag = 'x'; SELECT hilo_next_id('set before')},
		stdout => \my $id),
	0, 'of a SET before');
like($id, qr/-B$/, "the server's value counts");
{
	local $ENV{PGOPTIONS} = '-c hilo.node_tag=x';

	my (undef, undef, $stderr) = $node->psql('postgres', q{SELECT hilo_next_id('twice')},
		on_error_stop => 0,
		extra_params => [ '-c', q{SELECT hilo_next_id('twice')} ]);
	is(() = $stderr =~ /ERROR:  the value of parameter "hilo.node_tag" was refused/g,
		2, 'nor at a second call');
	like($stderr, qr/WARNING:  invalid value for parameter "hilo.node_tag": "x"/, 'core says why');
}

$node->stop;
done_testing();
