# A snapshot that is held keeps all versions of a group's row.  A session goes on from the
# one that it has seen last, and so reads those since, not all of them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use Test::More;

my $node = hilo_node('main');
$node->safe_psql('postgres', q{
	CREATE TABLE bills (customer int, number int);
	CREATE INDEX ON bills (customer, number);
	CREATE TRIGGER number BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer');
	INSERT INTO bills VALUES (7);
	CREATE PROCEDURE bill(times int) LANGUAGE plpgsql AS
		$$BEGIN FOR i IN 1 .. times LOOP INSERT INTO bills VALUES (7); COMMIT; END LOOP; END$$;
	CREATE FUNCTION blocks_read() RETURNS int LANGUAGE plpgsql AS $$
	DECLARE
		plan json;
	BEGIN
		EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) INSERT INTO bills VALUES (7)' INTO plan;
		RETURN plan #>> '{0,Plan,Shared Hit Blocks}';
	END$$});
my ($reader, $one, $other) = map { hilo_session($node) } 1 .. 3;
run_in($reader, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM bills');
run_in($other, 'CALL bill(5000)');
my $all = run_in($one, 'SELECT blocks_read()');
cmp_ok($all, '>', 60, 'a first look reads all versions');
run_in($other, 'CALL bill(30)');
cmp_ok(run_in($one, 'SELECT blocks_read()'), '<', 50, 'another one those since');
end_session($_) foreach $reader, $one, $other;

done_testing();
