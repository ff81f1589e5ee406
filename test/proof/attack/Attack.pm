#
# A server with attackers, their victims, and what looks at what becomes of it.
#
#	my $run = Attack::run(seconds => 60, seed => 1, folder => '/tmp/attack');	# or with roles => [ 'bob' ]
#	# { counts => 'a line', findings => [ { kind, detail, count, before }, ... ], ... }
#
package Attack;

use strict;
use warnings;

use Attacker;
use Flood;
use JSON::PP;
use Oracle;
use POSIX ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Session;
use Surface;
use Time::HiRes qw(time sleep);
use Victim;

# broken is this instrument itself
our @KINDS = qw(right row id trap stopped memory crash broken);

sub run
{
	my (%options) = @_;
	my $node = start_server();
	my $self = { %options, node => $node, findings => {}, log_at => 0 };
	my $connect = sub {
		my ($user, $database) = @_;
		return Session->new(host => $node->host, port => $node->port, user => $user,
			database => $database, client_encoding => 'UTF8',
			options => $Attacker::DOES{$user} ? '-c statement_timeout=4s' : '');
	};

	set_up($node, $connect);
	my $templates = templates($connect->('postgres', 'shop'));
	my $oracle = $self->{oracle} = Oracle->new($connect);
	my ($flood, $port) = Flood::start();
	my $until = time + $options{seconds};
	my @pids = map {
		my ($class, $role, $method) = @$_;
		start($self, $class, $role, $method, $until, connect => $connect,
			connstr => sub { $node->connstr(@_) }, templates => $templates,
			hub_options => hub_options($node), flood_port => $port)
	} (map { [ 'Attacker', $_, 'attack' ] } @{ $options{roles} // [ sort keys %Attacker::DOES ] }),
	  map { [ 'Victim', $_, 'work' ] } qw(alice postgres);

	watch($self, $until, \@pids);
	kill KILL => $flood;
	waitpid $flood, 0;
	check($self, 'right', 'row', 'id');
	my $rests = $connect->('postgres', 'hubdb')->run("SELECT hilo_next_tag('rests')");
	note($self, 'id',
		"of the hub's generator that rests: $rests->{state} "
		  . ($rests->{rows}[0][0] // '')) if ($rests->{rows}[0][0] // '') ne '1';
	note($self, 'id', "$_ was handed out twice")
	  for Oracle::repeats(map { "$options{folder}/$_.taken" } qw(alice postgres));
	note($self, 'row', $_) for lost_rows($oracle, "$options{folder}/alice.taken");
	$node->stop;
	read_log($self);
	return { counts($self), began => $until - $options{seconds},
		findings => [ sort { $a->{first} <=> $b->{first} } values %{ $self->{findings} } ] };
}

sub start_server
{
	my $node = PostgreSQL::Test::Cluster->new('attack');

	$node->init;
	$node->append_conf('postgresql.conf', q{
log_line_prefix = '%m [%p] %e %u '
log_connections = on
log_statement = none
autovacuum = off
max_connections = 60
max_prepared_transactions = 10
deadlock_timeout = '100ms'
hilo.node_no = 12
});
	$node->start;
	return $node;
}

sub hub_options
{
	my ($node) = @_;

	return sprintf "host '%s', port '%s', dbname 'hubdb'", $node->host, $node->port;
}

# Make the roles and what they have.  The database's owner makes the extension if that is open to
# her.
sub set_up
{
	my ($node, $connect) = @_;
	my $hub_options = hub_options($node);
	my $run = sub {
		my ($user, $database, @sql) = @_;
		my $session = $connect->($user, $database) // die "no connection for $user\n";
		$session->rows($_) for @sql;
		$session->close;
	};

	$run->('postgres', 'postgres', q{
		CREATE ROLE stranger LOGIN; CREATE ROLE clerk LOGIN; CREATE ROLE spoke LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE frank LOGIN; CREATE ROLE mallory LOGIN; CREATE ROLE trent LOGIN;
		CREATE ROLE web LOGIN NOINHERIT; CREATE ROLE anon; CREATE ROLE service; GRANT anon, service TO web;
		CREATE ROLE alice LOGIN; CREATE ROLE hubuser LOGIN; CREATE ROLE puppet LOGIN SUPERUSER},
		'CREATE DATABASE shop OWNER mallory', 'CREATE DATABASE hubdb OWNER mallory',
		'ALTER DATABASE shop SET hilo.launch_id = 65', 'ALTER DATABASE hubdb SET hilo.launch_id = 66');
	foreach my $database (qw(shop hubdb))
	{
		my $session = $connect->('mallory', $database);
		my $is_hers = $session->run('CREATE EXTENSION hilo')->{state} eq '00000';

		$session->close;
		$run->('postgres', $database, 'CREATE EXTENSION hilo') unless $is_hers;
		$run->('postgres', $database, q{
			GRANT CREATE ON DATABASE } . $database . q{ TO alice, bob, frank;
			CREATE EXTENSION postgres_fdw; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO frank, mallory});
	}
	$run->('postgres', 'hubdb', q{
		SELECT hilo_create('super_hub'), hilo_create('rests'), hilo_grant('super_hub', 'hubuser');
		DO $$
		DECLARE
			f record;
		BEGIN
			FOR f IN SELECT pronamespace::regnamespace AS schema, oid::regprocedure AS function FROM pg_proc
			 WHERE proname ~ '^hilo_hub_(take|last|register|seed|number)$' LOOP
				EXECUTE format('GRANT USAGE ON SCHEMA %s TO hubuser, spoke; GRANT EXECUTE ON FUNCTION %s TO hubuser, spoke', f.schema, f.function);
			END LOOP;
		END $$});
	$run->($_, 'shop', "CREATE SCHEMA $_") for qw(alice bob frank);
	$run->('postgres', 'shop', 'CREATE SCHEMA mallory AUTHORIZATION mallory', split /;;/, qq{
		CREATE SCHEMA work; GRANT USAGE ON SCHEMA work TO PUBLIC;;
		CREATE SCHEMA calls; GRANT USAGE ON SCHEMA calls TO alice, service;;
		CREATE TABLE work.vault (who text PRIMARY KEY, balance bigint); INSERT INTO work.vault VALUES ('postgres', 100), ('mallory', 0), ('$Surface::SECRET', 1);;
		SELECT hilo_create('super_quiet'), document_id('x/'), hilo_create('hilo.launch');;
		CREATE TABLE work.items (id bigint PRIMARY KEY DEFAULT hilo_next('work.items'), note text); GRANT INSERT, SELECT ON work.items TO alice;;
		CREATE TABLE work.docs (id text, note text) PARTITION BY RANGE (anchor_bucket(id));
		CREATE TABLE work.docs_0 PARTITION OF work.docs FOR VALUES FROM (0) TO (1048576);
		INSERT INTO work.docs SELECT 'docs/' || i FROM generate_series(1, 100) i;;
		CREATE TABLE work.part_hi (entity_name text, hi_value bigint, PRIMARY KEY (entity_name)) PARTITION BY LIST (entity_name);
		CREATE TABLE work.part_super PARTITION OF work.part_hi FOR VALUES IN ('superrow'); INSERT INTO work.part_hi VALUES ('superrow', 0);;
		CREATE SERVER super_server FOREIGN DATA WRAPPER postgres_fdw OPTIONS ($hub_options);
		CREATE USER MAPPING FOR postgres SERVER super_server OPTIONS (user 'hubuser');
		SELECT hilo_create('super_hub', hub => 'super_server')});
	# a partitioned table may be refused
	$run->('postgres', 'shop', "SELECT hilo_create('part')")
	  if $connect->('postgres', 'shop')
	  ->run("SELECT hilo_adopt_table_tag('part', 'work.part_hi', 'marten', 10, key_value => 'superrow')")->{state} ne '00000';
	$run->('bob', 'shop', "CREATE TABLE bob.part_bob (entity_name text PRIMARY KEY, hi_value bigint); INSERT INTO bob.part_bob VALUES ('bobrow', 0);
		CREATE TABLE bob.super_hi (entity_name text PRIMARY KEY, hi_value bigint); INSERT INTO bob.super_hi VALUES ('x', 0)");
	$run->('postgres', 'shop',
		"ALTER TABLE work.part_hi ATTACH PARTITION bob.part_bob FOR VALUES IN ('bobrow')",
		"SELECT hilo_adopt_table_tag('super_bob', 'bob.super_hi', 'marten', 10, key_value => 'x'), hilo_create('service'), hilo_grant('service', 'service')");
	$run->($_, 'shop',
		"CREATE SERVER @{[ $_ eq 'frank' ? 'trap_server' : 'mallory_server' ]} FOREIGN DATA WRAPPER postgres_fdw OPTIONS ($hub_options)") for qw(frank mallory);
	$run->('frank', 'shop',
		'GRANT USAGE ON FOREIGN SERVER trap_server TO PUBLIC; CREATE USER MAPPING FOR ' . $_
		  . q{ SERVER trap_server OPTIONS (user 'puppet')})
	  for qw(postgres frank mallory PUBLIC);
	$run->('alice', 'shop', split(/;;/, q{
		GRANT USAGE ON SCHEMA alice TO PUBLIC;;
		CREATE TABLE alice.vault (who text PRIMARY KEY, balance bigint); INSERT INTO alice.vault VALUES ('alice', 100), ('mallory', 0), ('topsecret', 1);;
		CREATE TABLE alice.quiet_hi (entity_name text PRIMARY KEY, hi_value bigint); INSERT INTO alice.quiet_hi VALUES ('x', 1);
		CREATE SEQUENCE alice.quiet_s INCREMENT 10;;
		CREATE TABLE alice.quiet_customers (id serial PRIMARY KEY, note text); INSERT INTO alice.quiet_customers (note) VALUES ('a'), ('b');
		CREATE TABLE alice.plain_customers (id serial PRIMARY KEY, note text); INSERT INTO alice.plain_customers (note) VALUES ('a'), ('b');;
		CREATE TABLE alice.rests (id bigint PRIMARY KEY DEFAULT hilo_next('alice.rests'), note text); INSERT INTO alice.rests (note) VALUES ('a'), ('b');;
		SELECT hilo_attach('alice.quiet_customers', 'id', '##quiet_customers'), hilo_attach('alice.plain_customers', 'id');
		SELECT hilo_create('quiet_session'), hilo_create('quiet_global', 'global'), hilo_create('quiet_gapless', 'gapless'), hilo_create('quiet_scattered', 'scattered'),
			   hilo_create('quiet_identity|', 'global'), hilo_create('plain_session'), hilo_create('plain_gapless', 'gapless'), hilo_create('alice_private');
		SELECT hilo_adopt_sequence_tag('quiet_sequence', 'alice.quiet_s', 'efcore', 10), hilo_adopt_table_tag('quiet_table', 'alice.quiet_hi', 'marten', 10, key_value => 'x');;
		CREATE TABLE alice.orders (id bigint PRIMARY KEY DEFAULT hilo_next('alice.orders'), note text, who name DEFAULT current_user); GRANT INSERT (note) ON alice.orders TO clerk;
		CREATE TABLE alice.letters (id serial PRIMARY KEY, note text); SELECT hilo_attach('alice.letters', 'id');
		CREATE TABLE alice.docs (id text PRIMARY KEY, note text);
		CREATE TRIGGER assign BEFORE INSERT ON alice.docs FOR EACH ROW EXECUTE FUNCTION document_id_assign('id', 'docs');
		CREATE TABLE alice.hi (entity_name text PRIMARY KEY, hi_value bigint); CREATE TABLE alice.things (id bigint PRIMARY KEY, note text);
		SELECT hilo_adopt_table('alice.things', 'id', 'alice.hi', 'marten', 100, key_value => 'things');;
		INSERT INTO alice.orders (note) VALUES ('a'); INSERT INTO alice.docs (note) VALUES ('a'); INSERT INTO alice.letters (note) VALUES ('a');
		INSERT INTO alice.things (note) VALUES ('a'); SELECT identity_next('tickets'), hilo_next_tag('plain_session'), hilo_next_tag('plain_gapless')}));
	set_up_lent($run);
	set_up_numbers($run);
	# what is private without being asked for is left as it was made
	$run->('alice', 'shop',
		map { "SELECT hilo_revoke('$_', 'public')" } grep { /^quiet|alice_private/ } @Surface::QUIET, 'alice_private');
	# members without the rights of their roles, and those that may rewrite all tables
	$run->('postgres', 'shop', 'GRANT alice, frank TO trent WITH INHERIT FALSE, SET FALSE',
		'GRANT alice, bob TO stranger WITH INHERIT FALSE, SET FALSE',
		'GRANT alice TO clerk WITH INHERIT FALSE, SET FALSE',
		'GRANT mallory TO bob WITH INHERIT FALSE, SET FALSE',
		'GRANT trent TO postgres WITH INHERIT TRUE', 'ALTER ROLE stranger CREATEROLE')
	  if $node->pg_version >= 16;
	$run->('postgres', 'shop', 'GRANT pg_maintain TO bob, trent',
		'GRANT MAINTAIN ON ALL TABLES IN SCHEMA alice, work TO clerk')
	  if $node->pg_version >= 17;
	$run->('postgres', 'shop', "SELECT hilo_revoke('super_quiet', 'public')",
		'SELECT hilo_resync_all()', 'SET search_path = public', bound_calls(),
		"CREATE VIEW calls.quiet_number AS SELECT hilo_group_last('alice.numbers', 'no', 'quiet') AS last",
		'GRANT SELECT ON ALL TABLES IN SCHEMA calls TO alice');
	return;
}

# Make tables for generators to take their ids from that trent has something to do with: he
# has all rights on one and does not own it, or a function of his is in it.  It does nothing
# yet.
sub set_up_lent
{
	my ($run) = @_;
	my $adopt = sub {
		my ($owner, $name, $table) = @_;

		$run->('postgres', 'shop', "CREATE TABLE app.$table (entity_name text PRIMARY KEY, hi_value bigint); INSERT INTO app.$table VALUES ('x', 0);
			ALTER TABLE app.$table OWNER TO $owner");
		$run->($owner, 'shop',
			"SELECT hilo_adopt_table_tag('$name', 'app.$table', 'marten', 10, key_value => 'x')");
	};

	$run->('postgres', 'shop',
		'CREATE SCHEMA trent AUTHORIZATION trent; CREATE SCHEMA app; GRANT USAGE ON SCHEMA app TO PUBLIC');
	$run->('trent', 'shop', Traps::functions('trent', 'trent'), Traps::disarm('trent'),
		Traps::deferring('trent'));
	$adopt->(@$_)
	  for [qw(postgres super_lent lent_super)], [qw(alice alice_lent lent_alice)],
		[qw(postgres audited audited)],
	  # policies do not hold for superusers
	  map { [ $_ eq 'policy' ? 'alice' : 'postgres', "odd_$_", "odd_$_" ] } sort keys %Surface::ODD;
	$run->('postgres', 'shop',
		'CREATE OPERATOR CLASS trent.ops FOR TYPE bigint USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 trent.===, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 trent.compare(bigint, bigint)',
		map({ $Surface::ODD{$_} =~ s/\$t/app.odd_$_/gr } sort keys %Surface::ODD),
		map({ "SELECT hilo_grant('$_', 'trent')" } 'super_lent', 'alice_lent',
			map { "odd_$_" } sort keys %Surface::ODD),
		q{CREATE TABLE app.lent_log (id text); GRANT ALL ON app.lent_super, app.lent_alice, app.lent_log TO trent;
		CREATE TRIGGER note AFTER INSERT OR UPDATE ON app.audited FOR EACH ROW EXECUTE FUNCTION trent.note();
		CREATE TABLE app.items (id bigint PRIMARY KEY DEFAULT hilo_next_tag('audited'), note text); GRANT INSERT (note) ON app.items TO PUBLIC});
	return;
}

# Make tables with numbers of groups: one of which clerk may insert into a view and a part, and
# one with a trigger that trent has made while he had that right.
sub set_up_numbers
{
	my ($run) = @_;

	$run->('alice', 'shop', split /;;/, q{
		CREATE TABLE alice.numbers (no int, tenant text) PARTITION BY LIST (tenant);;
		CREATE TABLE alice.numbers_own PARTITION OF alice.numbers FOR VALUES IN ('clerk');
		CREATE TABLE alice.numbers_rest PARTITION OF alice.numbers DEFAULT;
		CREATE VIEW alice.own_numbers AS SELECT * FROM alice.numbers WHERE tenant = 'clerk' WITH CHECK OPTION;
		CREATE TRIGGER number BEFORE INSERT ON alice.numbers FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'global', 'tenant');;
		INSERT INTO alice.numbers (tenant) VALUES ('quiet'); GRANT INSERT ON alice.own_numbers, alice.numbers_own TO clerk});
	$run->('postgres', 'shop', q{
		CREATE TABLE app.seen (no int, tenant text); GRANT TRIGGER ON app.seen TO trent;
		CREATE TRIGGER number BEFORE INSERT ON app.seen FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'gapless', 'tenant')});
	$run->('trent', 'shop', q{
		CREATE TABLE trent.seen (no int);
		CREATE FUNCTION trent.see() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN INSERT INTO trent.seen VALUES (NEW.no); RETURN NULL; END';
		CREATE TRIGGER see AFTER INSERT ON app.seen FOR EACH ROW EXECUTE FUNCTION trent.see()});
	$run->('postgres', 'shop',
		'REVOKE TRIGGER ON app.seen FROM trent; GRANT INSERT ON app.seen TO clerk');
	return;
}

# Return the statements that make functions and views of the names of hilo's, which call
# those whatever becomes of the schema.
sub bound_calls
{
	return (<<'END', <<'END');
DO $do$
DECLARE
	f record;
BEGIN
	FOR f IN
		SELECT p.proname, n.nspname, p.proretset, i AS arguments,
			   (SELECT string_agg(format_type(t, NULL), ', ' ORDER BY o) FROM unnest(p.proargtypes) WITH ORDINALITY u (t, o) WHERE o <= i) AS types,
			   (SELECT string_agg('$' || o, ', ' ORDER BY o) FROM generate_series(1, i) o) AS passed
		  FROM pg_depend d JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'hilo'
		  JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid JOIN pg_namespace n ON n.oid = p.pronamespace,
			   generate_series((p.pronargs - p.pronargdefaults)::int, p.pronargs) i
		 WHERE d.deptype = 'e' AND p.prokind = 'f' AND n.oid = e.extnamespace
		   AND NOT EXISTS (SELECT FROM pg_type t WHERE t.typtype = 'p' AND (t.oid = p.prorettype AND t.typname NOT IN ('void', 'record') OR t.oid = ANY (p.proargtypes)))
	LOOP
		EXECUTE format('CREATE FUNCTION calls.%I(%s) RETURNS SETOF text BEGIN ATOMIC SELECT format(''%%s'', r) FROM %I.%I(%s) r; END',
					   f.proname || '_' || f.arguments, f.types, f.nspname, f.proname, f.passed);
	END LOOP;
END $do$
END
DO $do$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY '{hilo_generators,hilo_session,hilo_stats,hilo_stats_server,hilo_sources,hilo_nodes,hilo_check}'::text[] LOOP
		EXECUTE format('CREATE VIEW calls.%I AS SELECT * FROM %1$I%s', name, CASE WHEN to_regclass(name) IS NULL THEN '()' END);
	END LOOP;
END $do$
END
}

# Return the rows that hilo has for the generators that rest: what a dump has.
sub templates
{
	my ($session) = @_;
	my %templates;

	$session->rows("SET search_path = ''");
	foreach my $relation (grep { $_->{kind} eq 'r' } Surface::relations($session))
	{
		my ($column) = grep { /^(?:name|generator)$/ } @{ $relation->{columns} } or next;

		foreach ($session->rows("SELECT $column, (SELECT pg_catalog.jsonb_object_agg(key, value) FROM pg_catalog.jsonb_each_text(pg_catalog.to_jsonb(r))) FROM $relation->{name} r"))
		{
			my ($name, $row) = @$_;
			push @{ $templates{$name}{ $relation->{relname} } }, decode_json($row)
			  if grep { $_ eq $name =~ s/^#//r } @Surface::QUIET;
		}
	}
	return \%templates;
}

# Start an attacker or a victim in its own process; return its pid.
sub start
{
	my ($self, $class, $role, $method, $until, %params) = @_;
	my $seed = $self->{seed} * 100 + length($role) * 7 + ord $role;
	my $pid = fork // die $!;

	return $pid if $pid;
	# whatever the test's parent has to do at its end is not done here
	$SIG{__DIE__} = 'DEFAULT';
	eval {
		my $who = $class->new(role => $role, seed => $seed, folder => $self->{folder}, %params);

		eval { $who->$method($until); 1 } or $who->find('broken', "$role: $@");
		append_to_file("$self->{folder}/$role.report", encode_json($who->report));
		1;
	} or print STDERR "$role: $@";
	POSIX::_exit(0);
}

# Look again and again, until all have ended.
sub watch
{
	my ($self, $until, $pids) = @_;
	my %running = map { $_ => 1 } @$pids;

	for (my $round = 0; %running; $round++)
	{
		eval {
			check($self, 'id', 'row', $round % 6 ? () : 'right');
			note($self, 'right', "$_ became a superuser") for $self->{oracle}->take_back;
			note($self, 'stopped', $_) for $self->{oracle}->waiting, $self->{oracle}->crowded;
			note($self, 'memory', $_) for $self->{oracle}->large;
			1;
		} or note($self, 'stopped', $@);
		read_log($self);
		delete $running{$_} for grep { waitpid($_, POSIX::WNOHANG()) } keys %running;
		if (time > $until + 120)
		{
			note($self, 'stopped', 'a session did not end');
			kill KILL => keys %running;
			waitpid $_, 0 for keys %running;
			last;
		}
		sleep 0.5;
	}
	$self->{is_over} = 1;
	read_findings($self);
	return;
}

# Compare what must not change.
sub check
{
	my ($self, @kinds) = @_;

	foreach my $kind (@kinds)
	{
		note($self, $kind, $_) for $self->{oracle}->changes($kind);
	}
	return;
}

# Keep what was found, once, and what had just been done; return it.
sub note
{
	my ($self, $kind, $detail) = @_;
	my $key = "$kind " . $detail =~ s/\d+/N/gr;
	my $finding = $self->{findings}{$key} //= { kind => $kind, detail => $detail, first => time,
		count => 0, before => [ $self->{is_over} ? () : just_done($self) ] };

	$finding->{count}++;
	return $finding;
}

# Return the last statements of the attackers that succeeded.
sub just_done
{
	my ($self) = @_;

	return map {
		my $role = $_;
		my @lines = grep { /^(\S+) 00000/ && $1 > time - 1.5 } tail("$self->{folder}/$role.sql");
		map { substr "$role: $_", 0, 300 } @lines[ ($#lines > 4 ? $#lines - 4 : 0) .. $#lines ];
	} sort keys %Attacker::DOES;
}

sub tail
{
	my ($file) = @_;

	open my $lines, '<', $file or return;
	seek $lines, -20_000, 2;
	return map { chomp; $_ } <$lines>;
}

# Look at what the server's log has more.
sub read_log
{
	my ($self) = @_;

	open my $log, '<', $self->{node}->logfile or die $!;
	seek $log, $self->{log_at}, 0;
	while (my $line = <$log>)
	{
		last if $line !~ /\n\z/;
		$self->{log_at} = tell $log;
		$line =~ s/^\S+ \S+ \S+ //;
		chomp $line;
		if ($line =~ /LOG:  HILO_ATTACK (.*)/) { note($self, 'trap', $1) }
		elsif ($line =~ /PANIC|TRAP:|terminated by signal/) { note($self, 'crash', $line) }
		# a function that was dropped while a statement that names it was analyzed
		elsif ($line =~ /^(\[\d+\]) XX\d\d\d .*(?:ERROR|FATAL)/
		  && $line !~ /cache lookup failed .* at character/) { $self->{broke}{$1} = note($self,
				'crash', $line) }
		elsif ($line =~ /^(\[\d+\]) XX\d\d\d .*(?:CONTEXT|STATEMENT):/
		  && $self->{broke}{$1}{count} == 1) { unshift @{ $self->{broke}{$1}{before} }, $line }
		elsif ($line =~ /connection authorized: user=puppet/) { note($self, 'right',
				"an attacker's server was reached without a password: $line") }
	}
	return;
}

# Take over what attackers and victims have found themselves.
sub read_findings
{
	my ($self) = @_;

	foreach my $file (glob "$self->{folder}/*.findings")
	{
		note($self, @{ decode_json($_) }) for split /\n/, slurp_file($file);
	}
	return;
}

# Return what is wrong with the rows that alice has inserted.
sub lost_rows
{
	my ($oracle, $file) = @_;
	my %taken = map { /^orders (\d+)/ ? ($1 => 1) : () } split /\n/, slurp_file($file);
	my %there = map { $_->[0] => 1 } $oracle->rows("SELECT id FROM alice.orders WHERE who = 'alice' AND note = 'ordinary'");

	return ((map { "order $_ of alice is gone" } grep { !$there{$_} } keys %taken),
		map { "order $_ is not alice's" } grep { !$taken{$_} } keys %there);
}

# Return how much was tried, also as a line.
sub counts
{
	my ($self) = @_;
	my (%sum, %called, %reached, %found);

	foreach my $file (glob "$self->{folder}/*.report")
	{
		my $report = decode_json(slurp_file($file));

		$sum{ $report->{called} ? 'attackers' : 'victims' } += $report->{statements};
		$sum{$_} += $report->{$_} // 0 for qw(succeeded planted ids dumps);
		$called{$_} = 1 for @{ $report->{called} // [] };
		$reached{$_} = 1 for @{ $report->{reached} // [] };
	}
	$found{ $_->{kind} } += $_->{count} for values %{ $self->{findings} };
	my $line = sprintf '%d statements of attackers (%d succeeded), %d functions called (%d with success), %d objects planted; '
	  . '%d statements of victims, %d ids, %d restores; ', @sum{qw(attackers succeeded)},
		scalar keys %called, scalar keys %reached,
	  @sum{qw(planted victims ids dumps)};
	return (%sum, called => scalar keys %called, counts => $line . join ', ',
		map { "$_ " . ($found{$_} // 0) } @KINDS);
}

1;
