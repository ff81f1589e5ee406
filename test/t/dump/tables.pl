
# Generators of tables, and tags, in dumps of every kind: definition, source, grants and number
# come back with the table, whatever its OID is then, and no id is handed out again.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;
my $node = new_node('main', conf => 'hilo.return_on_exit = off');
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
my @psql = ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', 'target', '-f');
my @pg_restore = ('pg_restore', '-d', 'target');

# What draws from what; generators that are tables' have the tables' names.
my @draws = (
	[ 'orders', 'id', 'orders' ], [ 'app."Odd ""one"".x"', 'id', 'app."Odd ""one"".x"' ],
	[ 'invoices', 'id', 'invoices' ], [ 'limited', 'id', 'limited' ], [ 'queue', 'id', 'queue' ],
	[ 'coupons', 'id', 'coupons' ], [ 'books', 'id', 'books' ], [ 'notes', 'id', 'notes' ],
	[ 'a', 'id', 'a' ], [ 'a', 'other', 'b' ], [ 'b', 'id', 'a' ], [ 'b', 'own', 'b' ],
	[ 'app.new_name', 'id', 'app.new_name' ], [ 'app.old_name', 'id', 'app.old_name' ],
	[ 'events', 'id', 'events' ], [ 'alices', 'id', 'alices' ], [ 'imported', 'id', 'imported' ],
	[ 'calls', 'id', 'tickets' ], [ 'mails', 'id', 'tickets' ]);
my @tables = do { my %seen; grep { !$seen{$_}++ } map { $_->[0] } @draws };
my @generators = do { my %seen; grep { !$seen{$_}++ } map { $_->[2] } @draws };

$node->safe_psql('postgres', q{
	CREATE ROLE owner LOGIN;
	CREATE ROLE alice LOGIN;
	CREATE ROLE clerk;
	CREATE DATABASE source OWNER owner});
$node->safe_psql('source', q{
	CREATE EXTENSION hilo;
	GRANT CREATE ON SCHEMA public TO PUBLIC});
$node->safe_psql('source', <<'END', extra_params => [ '-U', 'owner' ]);
	CREATE SCHEMA app;
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'));
	CREATE TABLE app."Odd ""one"".x" (id int DEFAULT hilo_next('app."Odd ""one"".x"'));
	CREATE TABLE invoices (id bigint DEFAULT hilo_next('invoices'));
	CREATE TABLE limited (id bigint DEFAULT hilo_next('limited'));
	CREATE TABLE queue (id bigint DEFAULT hilo_next('queue'));
	CREATE TABLE coupons (id bigint DEFAULT hilo_next('coupons'));
	SELECT hilo_create('invoices', 'gapless'), hilo_create('queue', 'global'), hilo_create('coupons', 'scattered', domain_bits => 40),
		   hilo_create('limited', first => 10, max_value => 1000, range_size => 5, max_range_size => 50);
	SELECT hilo_create('orders');
	SELECT hilo_grant('orders', 'clerk'), hilo_grant('limited', 'public');
	CREATE TABLE books (id bigint PRIMARY KEY);
	CREATE SEQUENCE books_seq INCREMENT 10;
	SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore');
	CREATE TABLE notes (id bigint PRIMARY KEY);
	CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0);
	SELECT hilo_adopt_table('notes', 'id', 'mt_hilo', 'marten', 10, key_value => 'Note');
	CREATE TABLE a (id bigint PRIMARY KEY DEFAULT hilo_next('a'), other bigint);
	CREATE TABLE b (id bigint PRIMARY KEY DEFAULT hilo_next('a'), own bigint DEFAULT hilo_next('b'));
	ALTER TABLE a ALTER other SET DEFAULT hilo_next('b');
	CREATE TABLE app.old_name (id bigint DEFAULT hilo_next('app.old_name'));
	INSERT INTO app.old_name SELECT FROM generate_series(1, 200);
	ALTER TABLE app.old_name RENAME TO new_name;
	CREATE TABLE app.old_name (id bigint DEFAULT hilo_next('app.old_name'));
	CREATE TABLE events (id bigint DEFAULT hilo_next('events')) PARTITION BY RANGE (id);
	CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (MINVALUE) TO (20);
	CREATE TABLE events_2 PARTITION OF events DEFAULT;
	CREATE TABLE imported (id bigint PRIMARY KEY);
	SELECT hilo_attach('imported', 'id', follow => true);
	INSERT INTO imported VALUES (5000);
	SELECT hilo_create('tickets', range_size => 7), hilo_grant('tickets', 'clerk');
	CREATE TABLE calls (id bigint DEFAULT hilo_next_tag('tickets'));
	CREATE TABLE mails (id bigint DEFAULT hilo_next_tag('tickets'));
	CREATE SEQUENCE tag_seq INCREMENT 10;
	SELECT hilo_adopt_sequence_tag('adopted', 'tag_seq', 'efcore'), hilo_next_tag('adopted');
END
$node->safe_psql('source', q{
	CREATE TABLE alices (id bigint DEFAULT hilo_next('alices'));
	SELECT hilo_create('alices');
	SELECT hilo_grant('alices', 'clerk');
	GRANT SELECT ON alices TO owner;
	ALTER TABLE alices OWNER TO alice});
$node->safe_psql('source', join '; ', map { "INSERT INTO $_ SELECT FROM generate_series(1, 40)" } @tables);
# which leaves a number: a client may hold its ids
$node->safe_psql('source', q{
	CREATE TABLE undone (id bigint DEFAULT hilo_next('undone'));
	BEGIN;
	CREATE TABLE with_xid ();
	INSERT INTO undone DEFAULT VALUES;
	ROLLBACK}, extra_params => [ '-U', 'owner' ]);

my $options = q{
	SELECT name, ordering, owner, first, max_value, range_size, max_range_size, domain_bits, created, columns
	FROM hilo_generators() WHERE name <> 'adopted' ORDER BY name};
my $definitions = $options =~ s/WHERE.*'//r =~ s/columns/columns, is_public, grants/r;
my $rights = q{SELECT format('%s %s %s', generator, role, is_owner) FROM hilo_internal.hilo_privilege ORDER BY 1};
my $sources = q{SELECT * FROM hilo_sources() ORDER BY name};
my $numbers = q{
	SELECT format('%s %s', h.name, reserved) FROM hilo_internal.hilo_hi h
	 WHERE name::text IN (SELECT g.name::text FROM hilo_internal.hilo_generator g)
	UNION ALL SELECT format('%s gapless %s', name, last) FROM hilo_internal.hilo_gapless ORDER BY 1};
my $all = join '; ', $definitions, $rights, $sources, $numbers;
my $expected = $node->safe_psql('source', $all);
my %max_in_source = ids_of('source', 'max');
my %rows_in_source = ids_of('source', 'count');

like($expected, qr/^$_\|/m, "generator $_") foreach map { quotemeta } @generators;
unlike($expected, qr/^undone/m, 'and none that was rolled back');

# Return for each table and column an aggregate of its ids.
sub ids_of
{
	my ($database, $aggregate) = @_;

	return map { split /\t/ } split /\n/, $node->safe_psql($database,
		join ' UNION ALL ', map { "SELECT concat_ws(E'\\t', \$\$$_->[0] $_->[1]\$\$, coalesce($aggregate($_->[1]), 0)) FROM $_->[0]" } @draws);
}

sub make_target
{
	my ($with_hilo) = @_;

	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target OWNER owner');
	$node->safe_psql('target', 'CREATE EXTENSION hilo') if $with_hilo;
	return;
}

sub dump_to
{
	my ($file, @options) = @_;

	$node->command_ok([ 'pg_dump', @options, '-f', "$dir/$file", 'source' ], "dump @options");
	return "$dir/$file";
}

# Each table gets rows with new ids: in the table, and in all that draws from its generator.
sub ids_go_on
{
	my ($how, $database, @except) = @_;
	my %skip = map { $_ => 1 } @except;
	my @tables_there = grep { !$skip{$_} } @tables;
	my %before = ids_of($database, 'max');
	my (%seen, @repeated, @below);

	$node->safe_psql($database, join '; ', map { "INSERT INTO $_ SELECT FROM generate_series(1, 40)" } @tables_there);
	foreach my $draw (grep { !$skip{ $_->[0] } } @draws)
	{
		my ($table, $column, $generator) = @$draw;
		my @ids = split /\n/, $node->safe_psql($database, "SELECT $column FROM ONLY $table" =~ s/ONLY (?=events)//r);

		push @repeated, grep { $seen{"$generator $_"}++ } @ids;
		push @below, "$table.$column" if $generator ne 'coupons' && grep { $_ <= $max_in_source{"$table $column"} } @ids[ $rows_in_source{"$table $column"} .. $#ids ];
	}
	is("@repeated", '', "$how: no id comes twice");
	is("@below", '', "$how: ids go on above those of the source");
	return;
}

# All that is expected is there, except lines that need not be.
sub comes_back
{
	my ($how, $except) = @_;
	my @lists = map { [ grep { !$except || !/$except/ } split /\n/ ] } $node->safe_psql('target', $all), $expected;

	is_deeply(@lists, "$how: all is what it was");
	ids_go_on($how, 'target');
	return;
}

subtest 'whole dumps' => sub {
	foreach (ways_to_restore($dir), [ 'two jobs', [ '-Fc', '-f', "$dir/two" ], @pg_restore, '-j', '2', "$dir/two" ])
	{
		my ($how, $dump, @restore) = @$_;

		make_target();
		$node->command_ok([ 'pg_dump', @$dump, 'source' ], "$how: dump");
		$node->command_ok([@restore], "$how: restore");
		comes_back($how);
		is($node->safe_psql('target', q{SELECT count(*) FROM hilo_internal.hilo_hi WHERE name::text !~ '^[a-z]|^#\d'}), 0, "$how: nothing else");
		is($node->safe_psql('target', 'INSERT INTO undone DEFAULT VALUES RETURNING id'), 33, "$how: the number of a first use that was rolled back counts");
	}
};

subtest 'over what is there' => sub {
	my $dump = dump_to('clean', '-Fc');
	my $session = $node->background_psql('target');

	$session->query_safe('INSERT INTO orders DEFAULT VALUES');
	foreach my $how ('the restored one', 'once more')
	{
		$node->command_ok([ @pg_restore, '--clean', '--if-exists', '-1', $dump ], "--clean -1 over $how");
		comes_back("--clean -1 over $how");
	}
	cmp_ok($session->query_safe('INSERT INTO orders DEFAULT VALUES RETURNING id'),
		'>', (ids_of('target', 'max'))[1] - 1, 'a session does not go on with what it held');
	$session->quit;
};

subtest 'definitions, then data' => sub {
	my $schema = dump_to('schema', '-s');
	my $data = dump_to('data', '-a');
	my @hilos = map { ('-t', "hilo_internal.hilo_$_") } qw(generator hi gapless privilege source);
	my $hilo = dump_to('hilo', '-a', @hilos);
	my $rows = dump_to('rows', '-a', '-n', 'public', '-n', 'app');

	foreach ([ '-s, then -a', $schema, $data ],
		[ 'rows of hilo before the others', $schema, $hilo, $rows ],
		[ 'rows of hilo after the others', $schema, $rows, $hilo ])
	{
		my ($how, @files) = @$_;

		make_target();
		$node->command_ok([ @psql, $_ ], "$how: $_") foreach @files;
		# its trigger was there before the rows
		comes_back($how, qr/imported/);
	}

	make_target();
	$node->command_ok([ @psql, $_ ], "no rows of hilo: $_") foreach $schema, $rows;
	# a tag is that of its first user, and begins above the rows of that user's tables
	$node->safe_psql('target', 'INSERT INTO calls DEFAULT VALUES', extra_params => [ '-U', 'owner' ]);
	ids_go_on('no rows of hilo', 'target');

	# its ids were taken meanwhile
	make_target();
	$node->command_ok([ @psql, $schema ], 'a living database');
	$node->safe_psql('target', join '; ', map { "INSERT INTO $_ SELECT FROM generate_series(1, 100)" } @tables);
	$node->safe_psql('target', 'DELETE FROM events; TRUNCATE ' . join ', ', @tables);
	my $session = $node->background_psql('target');
	my $next = $session->query_safe('INSERT INTO orders DEFAULT VALUES RETURNING id');
	my $before = $node->safe_psql('target', $options);
	$node->safe_psql('target', 'DELETE FROM orders');
	$node->command_ok([ @psql, $data ], 'a living database: -a');
	is($node->safe_psql('target', $options), $before, 'a living database: definitions stay');
	cmp_ok($session->query_safe('INSERT INTO orders DEFAULT VALUES RETURNING id'), '>', $next, 'a living database: a session goes on above both');
	$session->quit;
	ids_go_on('a living database', 'target');
};

# Run a statement in the target that may fail; return its SQLSTATE, or its result.
sub target
{
	my ($sql, @as) = @_;
	my ($ret, $stdout, $stderr) = $node->psql('target', $sql, extra_params => [ '-v', 'VERBOSITY=sqlstate', @as ]);

	return $stderr =~ /ERROR:  (\w+)/ ? $1 : $stdout;
}

subtest 'parts' => sub {
	foreach ([ 'one schema', [ '-n', 'app' ], 'app.new_name', 'app.old_name', 'app."Odd ""one"".x"' ],
		[ 'one table', [ '-t', 'orders' ], 'orders' ],
		[ 'one that draws from another, with that', [ '-t', 'a', '-t', 'b' ], 'a', 'b' ])
	{
		my ($how, $options, @there) = @$_;
		my %there = map { $_ => 1 } @there;

		make_target(1);
		$node->command_ok([ @psql, dump_to('part', @$options) ], "$how: restored");
		foreach my $draw (grep { $there{ $_->[0] } } @draws)
		{
			my ($table, $column, $generator) = @$draw;

			is(target("INSERT INTO $table DEFAULT VALUES RETURNING $column > (SELECT max(v) FROM (SELECT $column AS v FROM $table"
				. ($generator ne 'a' ? '' : ' UNION SELECT id FROM a UNION SELECT id FROM b')
				. ($generator ne 'b' ? '' : ' UNION SELECT other FROM a UNION SELECT own FROM b') . ') o)'), 't', "$how: $table.$column is above the rows");
		}
		is(target(q{SELECT count(*) FROM hilo_generators()}), keys %{ { map { $_->[2] => 1 } grep { $there{ $_->[0] } } @draws } }, "$how: that is all");
	}

	make_target(1);
	dump_to('part', '-t', 'b');
	$node->command_fails_like([ @psql, "$dir/part" ], qr/relation "public.a" does not exist/, 'one that draws from another, without that');

	make_target();
	$node->command_ok([ @psql, dump_to('part', '--exclude-table', 'orders', '--exclude-table', 'books') ], 'all but two tables: restored');
	is(target(join ' UNION ALL ', map { "SELECT $_->[1]::text FROM hilo_internal.hilo_$_->[0] WHERE $_->[1]::text = '#'" }
		[ 'generator', 'name' ], [ 'hi', 'name' ], [ 'gapless', 'name' ], [ 'privilege', 'generator' ], [ 'source', 'generator' ]), '', 'all but two tables: nothing is left of them');
	is(target(q{CREATE TABLE orders (id bigint DEFAULT hilo_next('orders')); INSERT INTO orders DEFAULT VALUES RETURNING id}), 1, 'all but two tables: one of that name begins');
	is(target(q{SELECT grants FROM hilo_generators() WHERE name = 'orders'}), '{}', 'all but two tables: without grants');

	make_target(1);
	$node->safe_psql('target', q{CREATE VIEW orders AS SELECT 1; CREATE SEQUENCE books});
	$node->command_ok([ @psql, "$dir/hilo" ], 'rows of hilo where other relations have the names');
	is(target(q{SELECT string_agg(name, ' ' ORDER BY name) FROM hilo_generators()}), 'adopted tickets', 'only tags are there');
};

subtest 'half of the rows' => sub {
	foreach my $half ([qw(generator gapless privilege source)], [qw(hi)])
	{
		my %half = map { $_ => 1 } @$half;
		my @rest = grep { !$half{$_} } qw(generator gapless privilege source hi);

		make_target();
		$node->command_ok([ @psql, $_ ], $_) foreach "$dir/schema", dump_to('half', '-a', map { ('-t', "hilo_internal.hilo_$_") } @$half);
		is(target('INSERT INTO orders DEFAULT VALUES RETURNING id'), $half{hi} ? 65 : '55000', "@$half: alone");
		is(target('INSERT INTO books DEFAULT VALUES RETURNING id'), '55000', "@$half: alone, of an adopted generator") if !$half{hi};
		$node->command_ok([ @psql, $_ ], $_) foreach dump_to('rest', '-a', map { ('-t', "hilo_internal.hilo_$_") } @rest);
		$node->safe_psql('target', 'TRUNCATE orders');
		comes_back("@$half, then @rest", $half{hi} ? qr/orders/ : qr/imported/);
	}

	# a first use that is rolled back leaves but a number, too
	is(target(q{BEGIN; CREATE TABLE x (); INSERT INTO undone DEFAULT VALUES; ROLLBACK; INSERT INTO undone DEFAULT VALUES RETURNING id}), 65, 'after another rollback');
};

subtest 'without owners' => sub {
	my $dump = dump_to('no_owner', '-Fc');

	make_target();
	$node->command_ok([ @pg_restore, '--no-owner', $dump ], 'restored');
	is(target(q{SELECT DISTINCT owner FROM hilo_generators() WHERE name NOT IN ('adopted', 'tickets')}), $superuser, 'who restores owns them');
	$node->safe_psql('target', q{SELECT format('ALTER TABLE %s OWNER TO %I', c.oid::regclass, CASE relname WHEN 'alices' THEN 'alice' ELSE 'owner' END)
		FROM pg_class c WHERE relkind IN ('r', 'p', 'S') AND relnamespace IN ('public'::regnamespace, 'app'::regnamespace) \gexec});
	comes_back('with OWNER TO afterwards');
	is(target(q{SET ROLE alice; SELECT hilo_alter('alices', range_size => 64); SELECT range_size FROM hilo_generators() WHERE name = 'alices'}) =~ s/^\n//r, 64, 'an owner changes it');
	is(target(q{SET ROLE clerk; SELECT hilo_next_range('alices')}) =~ /^\(/, 1, 'a grant counts');
};

subtest 'by a plain owner' => sub {
	my @as_owner = ('-U', 'owner', '--no-password', '-h', $node->host, '-p', $node->port);
	my @orms = qw(adopted public.books public.notes);
	my @rights = (map { qq(the right of role "$_->[0]" to generator "$_->[1]") } [ 'clerk', 'public.alices' ], [ 'clerk', 'public.orders' ], [ 'clerk', 'tickets' ], [ 'public', 'public.limited' ]);
	my @left_out = (@rights, map { my $name = $_; map { qq("$name" of table "hilo_$_") } qw(generator source) } @orms);

	foreach ([ 'plain', [], 'psql', '-Xq', @as_owner, '-d', 'target', '-f' ], [ 'two jobs', ['-Fc'], 'pg_restore', '-v', @as_owner, '-j', '2', '-d', 'target' ])
	{
		my ($how, $format, @restore) = @$_;
		my ($stdout, $stderr);

		make_target(1);
		$node->safe_psql('target', 'GRANT CREATE ON SCHEMA public TO PUBLIC');
		dump_to('by_owner', @as_owner, '--no-comments', @$format);
		IPC::Run::run([ @restore, "$dir/by_owner" ], '>', \$stdout, '2>', \$stderr);
		is_deeply([ sort $stderr =~ /WARNING:  skipping (.*)/g ], [ sort @left_out ], "$how: what is left out");
		is_deeply([ grep { !/member of role|SET ROLE|no privileges/i } $stderr =~ /ERROR:  (.*)/g ], [], "$how: nothing else fails");
		is(target(q{SELECT count(*) FROM hilo_sources()}), 0, "$how: no source");
		is(target(q{SELECT count(*) FROM hilo_generators() WHERE is_public OR grants <> '{}' OR owner <> 'owner'::regrole}), 0, "$how: no right");
		is(target($numbers), join("\n", grep { !/books|notes|adopted/ } split /\n/, $node->safe_psql('source', $numbers)), "$how: numbers");
		ids_go_on($how, 'target', qw(books notes));

		# its ORM's sequence goes on, so no other source may
		is(target('INSERT INTO books DEFAULT VALUES', '-U', 'owner'), '55000', "$how: an adopted generator is incomplete");
		is(target(q{SELECT problem FROM hilo_check('books') WHERE problem <> ''}, '-U', 'owner') =~ /^incomplete generator/, 1, "$how: hilo_check says so");
		is(target(q{SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore'); INSERT INTO books DEFAULT VALUES RETURNING id}, '-U', 'owner') =~ s/^\n//r,
			41, "$how: adopted again, it goes on");
	}

	# the tables of another role are there
	make_target();
	$node->command_ok([ @psql, $_ ], $_) foreach "$dir/schema";
	my ($stdout, $stderr);
	IPC::Run::run([ 'psql', '-Xq', @as_owner, '-d', 'target', '-f', "$dir/hilo" ], '>', \$stdout, '2>', \$stderr);
	is_deeply([ sort $stderr =~ /WARNING:  skipping (.*)/g ], [ sort @left_out, map { qq("public.alices" of table "hilo_$_") } qw(generator hi) ], "another role's table: what is left out");
	is(target(q{INSERT INTO alices DEFAULT VALUES RETURNING id}), 1, "another role's table: its number is not raised");
};

subtest 'a copy of a database' => sub {
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS target (FORCE)');
	$node->safe_psql('postgres', 'CREATE DATABASE target TEMPLATE source');
	comes_back('TEMPLATE');
};

$node->stop;
done_testing();
