
# pg_upgrade, as the documentation has it: generators come along as they are, and no id
# comes again.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($pg_upgrade) = doc_examples('pg_upgrade');
my $tables = q{
	SELECT name::text AS key, * FROM hilo_internal.hilo_generator ORDER BY name;
	SELECT name::text AS key, * FROM hilo_internal.hilo_hi ORDER BY name;
	SELECT name::text AS key, * FROM hilo_internal.hilo_gapless ORDER BY name;
	SELECT generator::text AS key, * FROM hilo_internal.hilo_privilege ORDER BY generator, role;
	SELECT generator::text AS key, * FROM hilo_internal.hilo_source ORDER BY generator;
	SELECT evtname, evtevent, evtenabled, evtfoid::regproc, obj.deptype FROM pg_event_trigger e
	  JOIN pg_depend obj ON (obj.classid, obj.objid, obj.refclassid) = ('pg_event_trigger'::regclass, e.oid, 'pg_extension'::regclass)};
# the longest name, and one that wants quoting
my $names = join ',', map { "\$\$$_\$\$" } "\xc3\x89" x 256, q{it's "a" \\};

# Each to the next, and the oldest to the newest at once.
my @servers = (old_servers(), undef);
my $oldest = make_oldest($servers[0]);
plan skip_all => 'pg_dump is older than what the old server keeps in attoptions'
  if (run_command([ 'pg_dump', '-s', $oldest->connstr('postgres') ]))[0] =~ /pg_attver/;
my $node = $oldest;
$node = upgrade($node, "by_copy_$_", $servers[$_], '') foreach 1 .. $#servers;
$node->stop;
$oldest->start;
$node = upgrade($oldest, 'by_link', $servers[-1], ' --link');
$node->stop;
done_testing();

# Return a server with generators of every ordering, with the widest values, and with
# every kind of right.
sub make_oldest
{
	my ($install_path) = @_;
	my $node =
	  hilo_node('oldest', install_path => $install_path, extra => ['-k']);

	$node->safe_psql(
		'postgres', qq{
		CREATE ROLE keeper;
		GRANT CREATE ON DATABASE postgres TO keeper;
		CREATE ROLE clerk;
		CREATE ROLE stranger;
		CREATE SCHEMA app;
		CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'));
		CREATE TABLE calls (id bigint PRIMARY KEY DEFAULT hilo_next_tag('Calls'));
		CREATE TABLE app.old_name (id bigint DEFAULT hilo_next('app.old_name'));
		SELECT hilo_create('app.old_name', 'global', range_size => 7), hilo_grant('app.old_name', 'clerk');
		INSERT INTO app.old_name SELECT FROM generate_series(1, 100);
		ALTER TABLE app.old_name RENAME TO new_name;
		CREATE TABLE app.old_name (id bigint DEFAULT hilo_next('app.old_name'));
		SELECT hilo_create('app.old_name', 'gapless');
		INSERT INTO app.old_name SELECT FROM generate_series(1, 3);
		CREATE TABLE a (id bigint PRIMARY KEY DEFAULT hilo_next('a'), other bigint);
		CREATE TABLE b (id bigint PRIMARY KEY DEFAULT hilo_next('b'), other bigint DEFAULT hilo_next('a'));
		ALTER TABLE a ALTER other SET DEFAULT hilo_next('b');
		INSERT INTO a SELECT FROM generate_series(1, 10);
		INSERT INTO b SELECT FROM generate_series(1, 10);
		CREATE SEQUENCE books_seq INCREMENT 10;
		CREATE TABLE books (id bigint PRIMARY KEY);
		SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore');
		INSERT INTO books SELECT FROM generate_series(1, 15);
		CREATE TABLE dropped (id bigint DEFAULT hilo_next('dropped'));
		INSERT INTO dropped DEFAULT VALUES;
		DROP TABLE dropped;
		SELECT hilo_create('full', first => 9223372036854775807);
		SELECT hilo_next_tag('full');
		SELECT hilo_create('almost full', first => 9223372036854775700);
		SELECT hilo_create('int', max_value => 2147483647);
		SELECT hilo_seed('int', 2147480000);
		SELECT hilo_create('left');
		SELECT hilo_create('global', 'global'), hilo_create('gapless', 'gapless');
		SELECT hilo_seed(name, 9223372036854770000) FROM unnest(ARRAY[$names]) name;
		SET ROLE keeper;
		SELECT hilo_create('kept'), hilo_grant('kept', 'clerk')});
	return $node;
}

# Upgrades a server and looks at the result.
sub upgrade
{
	my ($old, $name, $install_path, $option) = @_;
	my $new =
	  PostgreSQL::Test::Cluster->new($name, install_path => $install_path);
	my ($held, $lost, $range_no) = use_and_stop($old);

	# what stands on the disk
	$old->start;
	my $carried = $old->safe_psql('postgres', $tables);
	my %before = rows_of($old);
	$old->stop;

	$new->init(extra => ['-k']);
	run_sh(
		"cd $PostgreSQL::Test::Utils::tmp_check; $pg_upgrade$option",
		PATH => $new->config_data('--bindir') . ":$ENV{PATH}",
		PGBINOLD => $old->config_data('--bindir'),
		PGBINNEW => $new->config_data('--bindir'),
		PGDATAOLD => $old->data_dir,
		PGDATANEW => $new->data_dir,
		PGSOCKETDIR => $new->host);
	$new->append_conf('postgresql.conf', 'client_min_messages = warning');
	$new->start;

	subtest join(' to ', map { $_->pg_version } $old, $new) . $option => sub {
		cmp_ok($before{held}{last}, '>', $held,
			'what a session gave back at the shutdown is not in the row');
		cmp_ok($before{lost}{last}, '>', $lost, 'nor what another one did not');
		is($new->safe_psql('postgres', $tables), $carried, 'all is carried');
		check_skip($new, $range_no, %before);
		check_ends($new);
		check_rights($new);
		check_tables($new);
		is($new->safe_psql('postgres', q{SELECT string_agg(col, ' ') FROM hilo_check('orders')}),
			'id',
			'hilo_check lists the same columns');
	};
	return $new;
}

# Take ids, and leave ranges of every kind to sessions and a client while the
# server shuts down.  Gives the ids of two sessions, and the number of the client's
# range.
sub use_and_stop
{
	my ($node) = @_;
	my @sessions =
	  (hilo_session($node), hilo_session($node, '-c hilo.return_on_exit=off'));

	run_in($sessions[0], "INSERT INTO $_ SELECT FROM generate_series(1, 1000)")
	  foreach qw(orders calls);
	run_in($_, q{SELECT hilo_next_tag('left'), hilo_next_tag('global'), hilo_next_tag('gapless')})
	  foreach @sessions;
	run_in($sessions[0], q{SELECT hilo_release('left')});
	# fewer ids than are skipped
	$node->safe_psql('postgres', q{
		SELECT hilo_seed('almost full', 9223372036854775740, true);
		SELECT hilo_next_tag('almost full')});
	my @seen = (
		run_in($sessions[0], q{SELECT hilo_next_tag('held')}),
		run_in($sessions[1], q{SELECT hilo_next_tag('lost')}),
		run_in($sessions[1],
			q{SELECT range_no FROM hilo_next_range('client', 100)}));

	$node->stop('fast');
	end_session($_) foreach @sessions;
	return @seen;
}

# Return the state of each generator by its name.
sub rows_of
{
	my ($node) = @_;
	my %rows;

	foreach (split /\n/, $node->safe_psql('postgres', q{
			SELECT coalesce(g.last, h.reserved),
				   CASE WHEN g.last IS NULL THEN 2 * h.last_size ELSE 0 END,
				   key
			FROM (SELECT *, name::text AS key FROM hilo_internal.hilo_hi) h LEFT JOIN hilo_internal.hilo_gapless g ON g.name::text = key
			-- where an adopted one is, its sequence says
			WHERE NOT EXISTS (SELECT FROM hilo_internal.hilo_source s WHERE s.generator::text = key)}))
	{
		my ($last, $skip, $name) = split /\|/, $_, 3;
		$rows{$name} = { last => $last, next => $last + $skip + 1 };
	}
	return %rows;
}

# What only the new server has begins above ids that are skipped.
sub check_skip
{
	my ($node, $range_no, %before) = @_;
	my $return = qq{
		SELECT hilo_return_range('client', $before{client}{last},
								 $before{client}{last} - 1, $range_no)};
	my $next = q{
		SELECT string_agg(CASE WHEN name ~ '^#' THEN hilo_next(substr(name, 2)::oid) ELSE hilo_next_tag(name) END || ' ' || name, E'\n' ORDER BY name COLLATE "C")
		FROM (SELECT name::text FROM hilo_internal.hilo_hi EXCEPT SELECT generator::text FROM hilo_internal.hilo_source) h WHERE name NOT IN ('full', 'almost full', 'client')};

	is( $node->safe_psql('postgres', q{
			SELECT DISTINCT h.timeline & x'ffffffff'::bigint, h.system_identifier = s.system_identifier
			FROM hilo_internal.hilo_hi h, pg_control_system() s}),
		'1|f',
		'only the system identifier differs from the old server');
	is($node->safe_psql('postgres', $return),
		'f', 'a client cannot return its range');

	is( $node->safe_psql('postgres', $next),
		join("\n",
			map { "$before{$_}{next} $_" }
			  grep { !/full|client/ } sort keys %before),
		'each skips twice its last range, but one without gaps');
	like(
		slurp_file($node->logfile),
		qr/LOG:  generator "held" skipped \d+ ids/,
		'and says so');
	is( $node->safe_psql('postgres', q{
			SELECT low FROM hilo_next_range('client', 5);
			SELECT low FROM hilo_next_range('client', 5)}),
		join("\n", $before{client}{next}, $before{client}{next} + 5),
		'once');
	is($node->safe_psql('postgres', $return), 'f', 'nor later on');
	is( $node->safe_psql('postgres', q{
			INSERT INTO orders SELECT FROM generate_series(1, 1000);
			SELECT count(*) % 1000 FROM orders}),
		0, 'a column goes on by its default');
	return;
}

# A generator that is full stays so, and one that is not can be used to its end.
sub check_ends
{
	my ($node) = @_;
	my $session = hilo_session($node);

	is(state_of($session, "SELECT hilo_next_tag('full')"), '2200H', 'full is full');
	is(state_of($session, "SELECT hilo_next_tag('almost full')"),
		'00000', 'what is skipped leaves ids');
	end_session($session);
	return;
}

# Tables have what is theirs, and lose it when they are dropped.
sub check_tables
{
	my ($node) = @_;
	my $keys = q{SELECT count(*) FROM hilo_internal.hilo_hi WHERE name::text ~ '^#'};

	is($node->safe_psql('postgres',
			q{SELECT name, ordering, range_size, grants, columns FROM hilo_generators() WHERE name ~ 'name$' ORDER BY name}),
		"app.new_name|global|7|{clerk}|{app.new_name.id}\napp.old_name|gapless||{}|{app.old_name.id}", 'whatever the name was');
	is($node->safe_psql('postgres', q{
			INSERT INTO a SELECT FROM generate_series(1, 10);
			INSERT INTO b SELECT FROM generate_series(1, 10);
			SELECT count(*), count(DISTINCT v) FROM (SELECT id AS v FROM a UNION ALL SELECT other FROM b) o;
			SELECT count(*), count(DISTINCT v) FROM (SELECT id AS v FROM b UNION ALL SELECT other FROM a) o}) =~ s/^(\d+)\|\1$//mgr, "\n", 'two that draw from each other');
	is($node->safe_psql('postgres', q{SELECT source FROM hilo_sources()}), 'books_seq', 'a source');
	is($node->safe_psql('postgres', q{
			INSERT INTO books SELECT FROM generate_series(1, 15);
			SELECT bool_and(id > nextval - 10 OR n = 1) FROM (SELECT id, count(*) OVER (PARTITION BY id) AS n FROM books) b, nextval('books_seq')}), 't', 'of which no id comes twice');
	my $before = $node->safe_psql('postgres', $keys);
	is($node->safe_psql('postgres', qq{
			CREATE TABLE dropped (id bigint DEFAULT hilo_next('dropped'));
			INSERT INTO dropped DEFAULT VALUES;
			$keys;
			DROP TABLE dropped;
			$keys}), $before + 1 . "\n$before", 'a DROP takes the generator along');
	return;
}

sub check_rights
{
	my ($node) = @_;
	my $session = hilo_session($node);

	run_in($session, 'SET ROLE stranger');
	is(state_of($session, "SELECT hilo_next_tag('kept')"),
		'42501', 'a stranger may not use it');
	run_in($session, 'SET ROLE clerk');
	is(state_of($session, "SELECT hilo_next_tag('kept')"),
		'00000', 'a role that was granted it may');
	is(state_of($session, "SELECT hilo_seed('kept', 1000)"),
		'42501', 'and not change it');
	run_in($session, 'SET ROLE keeper');
	is(state_of($session, "SELECT hilo_alter('kept', range_size => 40)"),
		'00000', 'the owner may');
	end_session($session);
	return;
}
