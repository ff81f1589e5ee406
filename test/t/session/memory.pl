
# The memory of a session grows with the generators it uses, not with the ids
# it takes, nor with how often it looks a generator up, nor with names there are not.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = hilo_node('memory');
my $session = hilo_session($node);

run_in($session, <<'END');
CREATE FUNCTION memory_used() RETURNS bigint LANGUAGE sql VOLATILE AS
	'SELECT sum(used_bytes)::bigint FROM pg_backend_memory_contexts'
END
run_in($session, <<'END');
CREATE FUNCTION cache_size() RETURNS bigint LANGUAGE sql VOLATILE AS
$$SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts
  WHERE name = 'hilo session cache'$$
END

# Uses generators 1 to n, in transactions that have locks enough.
run_in($session, <<'END');
CREATE PROCEDURE use_generators(n int) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. n LOOP
		PERFORM hilo_next_tag('generator ' || i);
		IF i % 500 = 0 THEN
			COMMIT;
		END IF;
	END LOOP;
END$$
END

run_in($session, 'CALL use_generators(10000)');
my $size = run_in($session, 'SELECT cache_size()');
cmp_ok($size, '<', 8_000_000, '10,000 generators take less than 8 MB');
diag "$size bytes of memory for 10,000 generators";

run_in($session, 'CALL use_generators(10000)');
is(run_in($session, 'SELECT cache_size()'),
	$size, 'using them once more takes none');

foreach my $round (1 .. 20)
{
	$node->safe_psql('postgres', "SELECT hilo_create('round $round')");
	run_in($session, 'CALL use_generators(500)');
}
is(run_in($session, 'SELECT cache_size()'),
	$size, 'nor does looking them up again');

# a call with an argument that changes all the time
run_in($session, "SELECT hilo_next_tag('even'), hilo_next_tag('odd')");
$size = run_in($session, 'SELECT cache_size()');
my $grown = run_in($session, <<'END');
SELECT max(used) - min(used)
FROM (SELECT hilo_next_tag(CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END),
             CASE WHEN i IN (100000, 1000000) THEN memory_used() END AS used
      FROM generate_series(1, 1000000) i
      OFFSET 0) AS calls
END
cmp_ok($grown, '<', 1_000_000, 'a million ids in one statement do not add up');
is(run_in($session, 'SELECT cache_size()'), $size, 'nor afterwards');

run_in($session, 'SELECT memory_used()');
my $before = run_in($session, 'SELECT memory_used()');
run_in($session, "SELECT hilo_next_tag('even')") foreach (1 .. 10);
run_in($session, "SELECT count(*) FROM hilo_next_tag('even', 1000000)");
run_in($session,
	"SELECT count(hilo_next_range('odd', 1)) FROM generate_series(1, 20000)");
my $after = run_in($session, 'SELECT memory_used()');
cmp_ok($after - $before, '<', 200_000, 'nor does what remains of a statement');

end_session($session);
$node->stop;
done_testing();
