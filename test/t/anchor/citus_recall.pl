
# A tag of a Citus coordinator that is dropped, changed or raised is recalled from the workers:
# they hand out no id of the windows that they had.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

-e run_sh('echo "$("$PG_CONFIG" --sharedir)/extension/citus.control"')
  or plan skip_all => 'Citus is not installed';

my ($coordinator, @workers) = map { citus_node($_) } qw(coordinator one two);

$_->safe_psql('postgres', 'CREATE EXTENSION citus') foreach @workers, $coordinator;
on($coordinator, q{SELECT citus_set_coordinator_host('127.0.0.1', } . $coordinator->port . ')');
on($coordinator, q{SELECT citus_add_node('127.0.0.1', } . $_->port . ')') foreach @workers;
on($coordinator, 'CREATE EXTENSION hilo; SELECT hilo_citus_setup(); CREATE ROLE app LOGIN');
my @open = map { hilo_session($_) } @workers;

# A tag that is made anew, or set back, begins anew everywhere.
draw();
on($coordinator, q{SELECT hilo_drop('t')});
is_unique('of a new tag', draw());
on($coordinator, q{SELECT hilo_seed('t', 0, true)});
is_unique('of one that was set back', draw());

# One that is raised goes on above that everywhere.
sub above
{
	my ($id, $topic) = @_;

	is_deeply([ grep { $_ <= $id } draw() ], [], $topic);
	return;
}
on($coordinator, q{SELECT hilo_seed('t', 5000)});
above(5000, 'above a seed');
on($coordinator, q{
	CREATE TABLE rows (k int, id bigint, PRIMARY KEY (k, id));
	SELECT create_distributed_table('rows', 'k', shard_count => 4);
	SELECT hilo_attach('rows', 'id', '##t');
	INSERT INTO rows SELECT 1, i FROM generate_series(5001, 6000) i;
	SELECT hilo_resync('rows', 'id')});
above(6000, 'above rows of a resync');
is(on($workers[0], q{SELECT hilo_seed('t', 7000)}), '7000', 'a seed of a worker');
above(7000, 'above a seed of a worker');
on($coordinator, 'INSERT INTO rows VALUES (1, 8000)');
on($workers[1], q{SELECT hilo_resync('rows', 'id')});
above(8000, 'above rows of a resync of a worker');
my $restore = q{INSERT INTO hilo_internal.hilo_hi SELECT r.* FROM hilo_internal.hilo_hi h, jsonb_populate_record(h, '{"reserved": 20000}') r WHERE h.name = 't'};
on($coordinator, $restore);
above(20000, 'above a number that a dump brings');
on($coordinator, q{SELECT hilo_alter('t', max_value => 1000000)});
is(on($workers[0], q{SELECT hilo_next_tag('t'); SELECT max_value FROM hilo_generators() WHERE name = 't'}) =~ s/^\d+\n//r,
	'1000000', 'workers know what was altered');

# Rights end, and begin without a recall.
on($coordinator, q{SELECT hilo_create('granted'); SELECT hilo_grant('granted', 'app')});
my $as_app = q{SET ROLE app; SELECT hilo_next_tag('granted')};
run_in($_, $as_app) foreach @open;
on($coordinator, q{SELECT hilo_grant('granted', 'pg_monitor')});
is(on($_, q{SELECT count(*) FROM hilo_generators() WHERE name = 'granted'}), '1',
	'a grant recalls nothing from ' . $_->name)
  foreach @workers;
on($coordinator, q{SELECT hilo_revoke('granted', 'app')});
is(state_of($_, $as_app), '42501', 'a grant ends') foreach @open;
run_in($_, 'RESET ROLE') foreach @open;

# A worker changes nothing, whether it has used the tag or not.
foreach my $tag (qw(t unused))
{
	is(error_of($workers[0], "SELECT $_") =~ s/.*?(55000: .*?)\n.*?(HINT:.*?)\n.*/$1 $2/sr,
		qq{55000: generator "$tag" cannot be changed on a Citus worker HINT:  Make the same call on the coordinator.},
		$_)
	  foreach "hilo_drop('$tag', true)", "hilo_alter('$tag', range_size => 8)",
	  "hilo_rename('$tag', 'u')", "hilo_grant('$tag', 'app')", "hilo_revoke('$tag', 'app')";
}
on($coordinator, q{ALTER TABLE rows ALTER id DROP DEFAULT; SELECT hilo_rename('t', 'renamed'); SELECT hilo_rename('renamed', 't')});

# Sessions of workers wait for a change, and neither waits for the other.
on($coordinator, q{SELECT hilo_create('many'), hilo_create('many|')});
my @runs = map { insert_everywhere(3, 150, $_, @workers) }
  q{SELECT identity_next('many'); SELECT hilo_next_tag('many', 40);};
on($coordinator, "SELECT hilo_alter('many', range_size => $_), hilo_seed('many', 0); SELECT hilo_alter('many|', max_value => 1000000 + $_)")
  foreach 1 .. 15;
ok($_->finish, 'sessions of a worker go on') foreach @runs;
my $changing = hilo_session($coordinator);
run_in($changing, q{BEGIN; SELECT hilo_seed('t', 0, true)});
like(error_of($workers[0], q{SET lock_timeout = '200ms'; SELECT hilo_next_tag('t')}),
	qr/55P03: generator "t" is locked on the Citus coordinator\n.*HINT:  End that transaction\. Draw ids after it, not in it\./s,
	'a wait ends');
start_in($open[0], q{SELECT hilo_next_tag('t')});
ok($coordinator->poll_query_until('postgres', q{
	SELECT count(*) > 0 FROM pg_stat_activity WHERE query ~ 'hilo_hub_' AND pid <> pg_backend_pid()}),
	'a worker asks');
run_in($changing, 'COMMIT');
is(end_in($open[0]) =~ s/\n.*//sr, '1', 'and is answered after the change');
end_session($changing);

# A worker that does not answer stops a change, but not a raise.
my $last = on($coordinator, q{SELECT hilo_seed('t', NULL)});
$workers[1]->stop;
my $silent = qr/55000: Citus worker 127\.0\.0\.1:\d+ has not given up its ids of generator "t"\n/;
my $stands = qr/The generator has been raised, but the worker may hand out lower ids/;
foreach (q{hilo_drop('t')}, q{hilo_seed('t', 0, true)}, q{hilo_alter('t', range_size => 8)},
	q{hilo_rename('t', 'u')}, q{hilo_revoke('t', 'app')})
{
	my $error = error_of($coordinator, "SELECT $_");

	like($error, $silent, $_);
	unlike($error, $stands, 'which has raised nothing');
}
is(on($coordinator, q{SELECT hilo_seed('t', NULL)}), $last, 'nothing has changed');
like(error_of($coordinator, $_), qr/$silent.*$stands/s, $_)
  foreach q{SELECT hilo_seed('t', 9000)}, $restore;
cmp_ok(on($workers[0], q{SELECT hilo_next_tag('t')}), '>', 9000, 'others go on above it');
$workers[1]->start;
is(on($coordinator, q{SELECT hilo_drop('t')}), '', 'once it answers, a call works');

# Citus drops the extension on the workers, too.
end_session($_) foreach @open;
@open = map { hilo_session($_) } @workers;
draw();
on($coordinator, 'DROP EXTENSION hilo; CREATE EXTENSION hilo');
is_unique('of an extension that was made anew', draw());

end_session($_) foreach @open;
$_->stop foreach @workers, $coordinator;
done_testing();

# Return ids of all servers, of open sessions and of new ones.
sub draw
{
	my $ids = join ' ', (map { run_in($_, q{SELECT hilo_next_tag('t', 60)}) } @open),
	  map { on($_, q{SELECT hilo_next_tag('t', 60)}) } $coordinator, @workers;

	return split /\s+/, $ids;
}
