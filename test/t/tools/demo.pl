
# The demo: its statements give what they should, and nothing is left behind.

use strict;
use warnings;

use IPC::Run qw(run);
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'needs test/run' unless $ENV{PRIVATE_INSTALL};

my ($report, $progress);
ok(run(['test/demo/run'], '<', \undef, '>', \$report, '2>', \$progress), 'it works')
  or diag($progress);

like($report, qr/
	^\ \ INSERT\ INTO\ customers\ \(name\)\ VALUES\ \('Ann'\);\n
	\ +--\ ERROR:\ \ duplicate\ key\ value .*?
	^\ \ SELECT\ hilo_attach .*?
	^\ \ INSERT\ INTO\ customers\ \(name\)\ VALUES\ \('Ann'\)\ RETURNING\ id;\ +--\ 1001$/msx,
	'an import breaks a sequence, and one call mends it');
like($report, qr/^ +-- rows above last \| Run setval.*?\.$/ms,
	'the doctor has a hint');
like($report, qr/ ROLLBACK; +-- 7 \| 3\n.* RETURNING \*; +-- 7 \| 3, 8 \| 2$/m,
	'invoices have no gaps');
like($report,
	qr/^  BEGIN; SELECT hilo_next.* -- 1 \| 1\n.*kill -9.*\n  SELECT hilo_next.* -- 33 \| 1$/m,
	'after a crash a sequence repeats an id, and hilo does not');
like($report, qr/ -- 3 times kill -9: \d{4,} ids seen, 0 of them twice$/m,
	'nor while sessions work');
like($report, qr/ count\(DISTINCT id\) FROM orders; +-- 1000 \| 1000$/m,
	'a table moves while sessions write');

is_deeply([ glob("$ENV{PRIVATE_INSTALL}/demo.*") ], [], 'nothing is left behind');

done_testing();
