#
# A role that tries to get what is not its own: a right, a row, an id.  It takes what there
# is of hilo from the catalogs, so a new function is attacked from the day it is there.
#
package Attacker;

use strict;
use warnings;

use Flood;
use Session;
use Surface;
use Time::HiRes qw(time sleep);
use Traps;

# How long a lock is held to see which session waits for it.
use constant HOLD_SECONDS => 12;

# What each role does, and how often.
my @ANYONE = ([ 30, \&call ], [ 15, \&take ], [ 8, \&touch ], [ 5, \&plant_rows ],
	[ 5, \&plant_table ], [ 6, \&claim ], [ 2, \&settings ]);
our %DOES = (
	stranger => [ @ANYONE, [ 2, \&plant_defaults ] ],
	clerk => [ @ANYONE, [ 10, \&insert_orders ] ],
	web => [ [ 30, \&call ], [ 15, \&take ], [ 20, \&insert_text ], [ 5, \&use_what_is_left ] ],
	spoke => [ [ 30, \&call ], [ 15, \&take ], [ 8, \&touch ] ],
	bob => [ @ANYONE, [ 10, \&plant_table ], [ 4, \&source ], [ 2, \&hold ], [ 12, \&squat ],
		[ 4, \&trap_others ], [ 1, \&crowd ], [ 2, \&plant_defaults ] ],
	frank => [ @ANYONE, [ 10, \&server ], [ 3, \&flood ] ],
	mallory => [ @ANYONE, [ 3, \&plant_drawing ], [ 10, \&plant_rows ], [ 8, \&plant_source ], [ 2, \&plant_hub ],
		[ 1, \&rename ], [ 1, \&database ] ],
	trent => [ @ANYONE, [ 40, \&lent ], [ 10, \&plant_firsts ], [ 4, \&borrow ] ]);

# Return an attacker; params are role, seed, templates, folder, hub_options, flood_port, and
# connect, which returns a session for a role and a database.
sub new
{
	my ($class, %params) = @_;
	my $self = bless { statements => 0, succeeded => 0, called => {}, reached => {}, planted => 0,
		%params }, $class;

	$self->{own} = $self->{role} =~ /^(?:stranger|clerk|web|spoke)$/ ? 'pg_temp' : $self->{role};
	$self->{database} = $self->{role} eq 'spoke' ? 'hubdb' : 'shop';
	open $self->{log}, '>', "$self->{folder}/$self->{role}.sql" or die $!;
	open $self->{findings}, '>', "$self->{folder}/$self->{role}.findings" or die $!;
	$_->autoflush for @$self{qw(log findings)};
	return $self;
}

# Attack until then.
sub attack
{
	my ($self, $until) = @_;
	my @does = map { ($_->[1]) x $_->[0] } @{ $DOES{ $self->{role} } };

	srand $self->{seed};
	$self->learn;
	$self->set_traps unless $self->{role} eq 'web';
	for (my $actions = 1; time < $until; $actions++)
	{
		one_of(@does)->($self);
		$self->{session}->run('ROLLBACK') if $self->{session} && $self->{session}{in_transaction};
		$self->end_hold if $self->{hold} && time > $self->{hold_ends};
		$self->check_role unless $actions % 20;
		$self->learn if $self->{is_lost} || $actions % 200 == 0;
	}
	$self->end_hold;
	return;
}

# Return what a run was worth.
sub report
{
	my ($self) = @_;

	return { map({ $_ => $self->{$_} } qw(role statements succeeded planted)),
		map { $_ => [ keys %{ $self->{$_} } ] } qw(called reached) };
}

# Look at what there is of hilo at the moment.
sub learn
{
	my ($self) = @_;

	$self->session->run("RESET ALL; SET search_path = ''");
	my @hilos = eval { map { [ $_->($self->session) ] } \&functions, \&relations, \&triggers };
	$self->session->run('RESET search_path');
	return unless @hilos && @{ $hilos[0] };
	@$self{qw(functions relations triggers is_lost)} = (@hilos, 0);
	$self->{schema_of} = { map { $_->{name} => $_->{schema} } @{ $hilos[0] } };
	return;
}

sub session
{
	my ($self) = @_;
	my $attempts = 0;

	until ($self->{session} && !$self->{session}->is_lost)
	{
		$self->{session} = $self->{connect}->($self->{role}, $self->{database}) and last;
		die "$self->{role} cannot connect\n" if ++$attempts > 300;
		sleep 0.1;
	}
	return $self->{session};
}

# Run a statement, whatever becomes of it; a name with & is that of a function of hilo.
# Those of web run as the role that a pool becomes for a request, and must stay it.
sub run
{
	my ($self, $sql, $copy) = @_;
	my $is_web = $self->{role} eq 'web';
	my $at = time;

	$sql =~ s/&(\w+)/($self->{schema_of}{$1} \/\/ 'public') . ".$1"/ge;
	$self->session->run('BEGIN; SET LOCAL ROLE anon') if $is_web;
	my $result = defined $copy ? $self->session->copy($sql, $copy) : $self->session->run($sql);
	if ($is_web)
	{
		my $who = $result->{state} eq '00000'
		  && $self->session->run('SELECT current_user')->{rows}[0][0];

		$self->find('right', "anon became $who by: $sql") if $who && $who ne 'anon';
		$self->session->run('COMMIT');
	}
	$self->find('row', "$self->{role} has read what is secret: $sql")
	  if grep { defined && index($_, $Surface::SECRET) >= 0 } @$result{qw(message detail)},
		map { @$_ } @{ $result->{rows} };
	$self->{statements}++;
	$self->{succeeded}++ if $result->{state} eq '00000';
	$self->{is_lost} = 1 if $result->{state} =~ /^(?:3F000|42883)$/;
	printf { $self->{log} } "%.2f %s %s; -- %s\n", $at, $result->{state},
		map { s/\n\s*/ /gr } substr($sql, 0, 2000), $result->{message};
	return $result;
}

# Check whether what takes long was not done for so many seconds.
sub is_time_for
{
	my ($self, $what, $seconds) = @_;

	return if time < ($self->{done}{$what} // 0) + $seconds;
	$self->{done}{$what} = time;
	return 1;
}

# See to it that the role is the one it was.
sub check_role
{
	my ($self) = @_;
	my $result = $self->session->run('SELECT current_user, session_user');
	my $who = join '/', @{ $result->{rows}[0] // [] };

	$self->find('right', "$self->{role} became $who")
	  if $result->{state} eq '00000' && $who ne "$self->{role}/$self->{role}";
	return;
}

sub set_traps
{
	my ($self) = @_;
	my ($own, $role) = @$self{qw(own role)};

	$self->session->run('SET statement_timeout = 0');
	$self->run($_) for Traps::functions($own, $role);
	$self->run("CREATE TABLE $own.hi (entity_name text PRIMARY KEY, hi_value bigint); CREATE SEQUENCE $own.s; INSERT INTO $own.hi VALUES ('x', 0)");
	return if $role ne 'mallory';
	foreach my $sql ('CREATE SCHEMA evil', Traps::functions('evil', $role),
		Traps::before_pg_catalog('evil'))
	{
		my $result = $self->run($sql);

		die "no traps: $result->{message}\n" if $result->{state} ne '00000';
	}
	$self->session->run('RESET statement_timeout');
	return;
}

# Call one function after the other.
sub call
{
	my ($self) = @_;

	$self->{queue} = [ sort { rand() <=> 0.5 } @{ $self->{functions} // [] } ]
	  unless @{ $self->{queue} // [] };
	my $function = shift @{ $self->{queue} } or return;
	my $call = call_of($function, $self->{own});
	my $signature = "$function->{name}(" . join(', ', @{ $function->{types} }) . ')';
	my $state = $self->run($self->{role} eq 'web' ? $call : within($call, $self->{own}))->{state};

	$self->{called}{$signature} = 1;
	$self->{reached}{$signature} = 1 if $state eq '00000';
	return;
}

# Return a statement in one of the ways to run it.
sub within
{
	my ($sql, $own) = @_;
	my $way = rand;

	return "SET search_path = $own, evil, pg_catalog; $sql" if $way < 0.1;
	return "BEGIN ISOLATION LEVEL SERIALIZABLE; $sql; COMMIT" if $way < 0.15;
	return "BEGIN; SAVEPOINT s; $sql; ROLLBACK TO s; $sql; COMMIT" if $way < 0.25;
	return "SET session_replication_role = replica; $sql" if $way < 0.27;
	return $sql;
}

my @TAKES = split /\n/, <<'END';
SELECT &hilo_next_tag($q)
SELECT count(*) FROM &hilo_next_tag($q, 5)
SELECT &hilo_next_id($q)
SELECT * FROM &hilo_next_range($q, size => 1000)
SELECT max(high) FROM generate_series(1, 20) i, LATERAL (SELECT * FROM &hilo_next_range($q, size => 1048575 + (i > 0)::int)) r
SELECT &hilo_next_hi($q, 100)
SELECT &identity_next($q)
SELECT * FROM &identity_next($q, 10)
SELECT &identity_next($q), &identity_next($q)
SELECT &identity_next_id($q || '|')
SELECT &identity_seed($q, 1000000000, true)
SELECT &document_id($q || '/'), &document_id($q || '|')
SELECT &hilo_seed($q, 0, true)
SELECT &hilo_seed($q, 9000000000000000000)
SELECT &hilo_alter($q, owner => $me)
SELECT &hilo_alter($q, max_value => 2)
SELECT &hilo_alter($q, ordering => 'global')
SELECT &hilo_alter($q, hub => 'trap_server')
SELECT &hilo_grant($q, $me), &hilo_grant($q, 'public')
SELECT &hilo_revoke($q, 'alice')
SELECT &hilo_drop($q)
SELECT &hilo_rename($q, $mine)
SELECT &hilo_rename($mine, $q)
SELECT &hilo_create($q)
SELECT &hilo_create($q, if_not_exists => true)
SELECT &hilo_return_range($q, $n, $n)
SELECT &hilo_return_range($q, $n, $n, $n)
SELECT &hilo_release($q), &hilo_current($q)
SELECT &hilo_hub_take($q, 'session', 100, false, false, 0, 9223372036854775807)
SELECT &hilo_hub_seed($q, 1000000000000)
SELECT &hilo_hub_last($q)
SELECT &hilo_import_ravendb(jsonb_build_array(jsonb_build_object('Max', 1000000, '@metadata', jsonb_build_object('@id', 'Raven/Hilo/' || $q))), jsonb_build_object($q, 1000000))
SELECT &hilo_create($mine), &hilo_next_tag($mine), &hilo_grant($mine, 'public')
SELECT &hilo_create($mine, 'gapless'), &hilo_next_tag($mine)
SELECT &hilo_adopt_table_tag($mine, 'alice.quiet_hi', 'marten', 10)
SELECT &hilo_adopt_table_tag($q, 'alice.quiet_hi', 'marten', 10)
SELECT &hilo_adopt_table_tag($mine, 'pg_catalog.pg_auth_members', 'hibernate-table-pooled-lo', 16384, key_column => 'roleid', key_value => '3374', hi_column => 'member')
SELECT &hilo_adopt_table_tag($mine, 'work.vault', 'hibernate-table-pooled-lo', 1000, key_column => 'who', key_value => $me, hi_column => 'balance')
SELECT &hilo_adopt_sequence_tag($mine, 'alice.quiet_s', 'efcore', 10)
SELECT &hilo_adopt_sequence($own, 'id', 'alice.quiet_s', 'efcore', 10)
SELECT &hilo_adopt_sequence($table, 'id', 'alice.quiet_s', 'efcore', 10)
SELECT &hilo_adopt_table($own, 'id', $hi, 'marten', 10)
SELECT &hilo_adopt_table($table, 'id', 'alice.quiet_hi', 'marten', 10, key_value => 'x')
SELECT &hilo_marten_next_hi('alice.quiet_hi', 'x')
SELECT &hilo_marten_next_hi('work.part_hi', 'bobrow')
SELECT &decimal_id_next()
SELECT &trace_id_next()
SELECT &hilo_attach($table, 'id', $q)
SELECT &hilo_next($own)
SELECT count(*) FROM &hilo_next($own, 100)
SELECT &hilo_next($table)
SELECT &hilo_next(c.oid) FROM pg_catalog.pg_class c WHERE c.relname IN ('rests', 'plain_customers')
SELECT &hilo_next_range('#' || c.oid) FROM pg_catalog.pg_class c WHERE c.relname IN ('rests', 'plain_customers')
SELECT &hilo_drop('#' || c.oid) FROM pg_catalog.pg_class c WHERE c.relname IN ('rests', 'plain_customers')
SELECT &hilo_move($own, $table)
SELECT &hilo_move($table, $own)
SELECT &hilo_attach($own, 'id')
SELECT &hilo_detach($own, 'id')
SELECT &hilo_create($own, 'gapless')
SELECT &hilo_create('##' || $own)
SELECT &hilo_resync($table, 'id')
SELECT &hilo_resync('alice.quiet_customers', 'id')
SELECT &hilo_attach('alice.quiet_customers', 'id', $mine)
SELECT &hilo_detach('alice.quiet_customers', 'id')
SELECT &hilo_attach('alice.plain_customers', 'id', follow => false)
SELECT &hilo_attach('alice.plain_customers', 'id', $mine)
SELECT &hilo_detach('alice.plain_customers', 'id')
SELECT &hilo_resync('alice.plain_customers', 'id')
SELECT count(*) FROM &hilo_next('alice.plain_customers', $n)
SELECT &hilo_next_range('alice.plain_customers_id_seq', $n)
SELECT &hilo_next_hi('alice.plain_customers_id_seq', 10)
SELECT count(*) FROM &hilo_resync_all()
SELECT count(*) FROM &hilo_check()
SELECT &hilo_generator_of('alice.orders', 'id')
SELECT * FROM &anchor_report('work.docs', 'id')
SELECT * FROM &anchor_report('alice.vault', 'who')
SELECT &hilo_stats_reset()
SELECT &hilo_node_forget(0)
INSERT INTO alice.orders DEFAULT VALUES
INSERT INTO alice.quiet_customers DEFAULT VALUES
INSERT INTO alice.plain_customers VALUES ($n)
INSERT INTO alice.quiet_hi VALUES ('y', 1)
UPDATE alice.quiet_hi SET hi_value = 99
END

# Ask for what is another role's, with arguments that would do.
sub take
{
	my ($self) = @_;
	my %values = (
		q => quote(spelled(one_of(@Surface::QUIET, @Surface::QUIET, @Surface::BUSY,
					@Surface::RESERVED))),
		own => quote(one_of(@Surface::OWN)), hi => quote("$self->{own}.hi"), n => 1 + int rand 3000,
		me => quote($self->{role}), mine => quote($self->_name), table => quote($self->_table));

	$self->run(_fill(one_of(@TAKES), %values));
	return;
}

sub _fill
{
	my ($sql, %values) = @_;
	my $names = join '|', sort { length $b <=> length $a } keys %values;

	return $sql =~ s/\$($names)\b/$values{$1}/gr;
}

sub _name { return "$_[0]{role}_" . int rand 20 }

sub _table { return "$_[0]{own}.t_" . int rand 12 }

my @TOUCHES = split /\n/, <<'END';
SELECT * FROM $r
SELECT * FROM $r FOR UPDATE
UPDATE $r SET $c = $v
DELETE FROM $r
TRUNCATE $r
LOCK TABLE $r IN ACCESS EXCLUSIVE MODE
ALTER TABLE $r OWNER TO $me
ALTER TABLE $r DISABLE TRIGGER ALL
ALTER TABLE $r ENABLE ROW LEVEL SECURITY
ALTER TABLE $r ADD COLUMN trap boolean DEFAULT $own.trap('column')
ALTER TABLE $r ALTER $c SET DEFAULT NULL
CREATE TRIGGER trap BEFORE INSERT OR UPDATE ON $r FOR EACH ROW EXECUTE FUNCTION $own.trap_row()
CREATE RULE trap AS ON INSERT TO $r DO ALSO SELECT $own.trap('rule')
CREATE POLICY trap ON $r USING ($own.trap('policy'))
CREATE INDEX ON $r ($own.trap('index'))
CREATE TABLE $own.child () INHERITS ($r)
CREATE TABLE $own.reference (name text REFERENCES $r)
CREATE STATISTICS $own.trap ON $c, ($own.trap('statistics')) FROM $r
GRANT ALL ON $r TO $me, PUBLIC
DROP TABLE $r CASCADE
COMMENT ON TABLE $r IS 'mine'
CREATE OR REPLACE VIEW $own.seen AS SELECT * FROM $r
INSERT INTO $r SELECT * FROM $r
COPY $r TO STDOUT
ALTER FUNCTION $f OWNER TO $me
ALTER FUNCTION $f SET search_path = $own
ALTER FUNCTION $f SECURITY DEFINER
GRANT EXECUTE ON FUNCTION $f TO $me, PUBLIC
CREATE TRIGGER trap BEFORE INSERT OR UPDATE OR DELETE ON $own.hi FOR EACH ROW EXECUTE FUNCTION $f()
ALTER SCHEMA hilo_internal RENAME TO renamed
ALTER SCHEMA hilo_internal OWNER TO $me
GRANT ALL ON SCHEMA hilo_internal TO $me
GRANT ALL ON ALL TABLES IN SCHEMA hilo_internal TO $me
CREATE TABLE hilo_internal.mine (id bigint)
CREATE FUNCTION hilo_internal.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'
CREATE CAST (text AS $own.trap_text) WITH INOUT AS IMPLICIT
SET ROLE postgres
SET SESSION AUTHORIZATION alice
ALTER ROLE $me SUPERUSER
GRANT postgres TO $me
END
my @TOUCHES_EXTENSION = split /\n/, <<'END';
ALTER EXTENSION hilo ADD FUNCTION $own.trap(text)
ALTER EXTENSION hilo DROP FUNCTION $f
ALTER EXTENSION hilo SET SCHEMA $own
ALTER EXTENSION hilo UPDATE
DROP EXTENSION hilo CASCADE
END

# Change, or get at, what is hilo's.
sub touch
{
	my ($self) = @_;
	my $relation = one_of(@{ $self->{relations} // [] });
	my $function = one_of(@{ $self->{functions} // [] });
	my $column = $relation ? int rand @{ $relation->{columns} } : 0;

	# the role that made the extension may do anything with it
	$self->{owns_extension} //= @{ $self->session->run("SELECT FROM pg_catalog.pg_extension WHERE extname = 'hilo' AND extowner = current_user::pg_catalog.regrole")->{rows} };
	return $self->run(insert_into($relation, $self->{own})) if $relation && rand() < 0.4;
	$self->run(_fill(one_of(@TOUCHES, $self->{owns_extension} ? () : @TOUCHES_EXTENSION),
			r => $relation ? $relation->{name} : 'hilo_hi',
			c => $relation ? $relation->{columns}[$column] : 'name',
			v => $relation ? value_of($relation->{types}[$column], '', $self->{own}) : 'NULL',
			me => $self->{role}, own => $self->{own},
			f => $function ? "$function->{schema}.$function->{name}" : 'hilo_next'));
	return;
}

# Write SQL wherever text can be written.
sub insert_text
{
	my ($self) = @_;
	my $relation = one_of(@{ $self->{relations} // [] }) or return;
	my @columns = grep { $relation->{types}[$_] eq 'text' } 0 .. $#{ $relation->{columns} };

	return $self->run(insert_into($relation, 'pg_temp')) unless @columns;
	$self->run(sprintf 'INSERT INTO %s (%s) VALUES (%s) RETURNING *', $relation->{name},
		join(', ', @{ $relation->{columns} }[@columns]),
		join(', ',
			map { quote(one_of($Surface::TEXTS[0], 'SET LOCAL ROLE service', 'RESET ROLE',
						'SELECT 1')) } @columns));
	return;
}

# Restore what no dump has: the rows of a generator that there is, with another name and
# some other values.  Return the name, and how many rows were taken.
sub plant_rows
{
	my ($self, %changes) = @_;
	my $from = delete $changes{from} // one_of(sort keys %{ $self->{templates} }) // return;
	my $name = delete $changes{name}
	  // (rand() < 0.5 ? 'planted_' . int rand 20
		  : one_of(@Surface::QUIET, @Surface::RESERVED, @Surface::BUSY));
	my $planted = 0;

	%changes = @{ one_of(
			[], [ last => one_of(0, 1_000_000, '9223372036854775807') ],
			[ role => one_of(@Surface::ROLES), is_owner => one_of(qw(true false)) ],
			[ hub => one_of(@Surface::SERVERS) ],
			[ ordering => one_of(qw(session global gapless adopted)) ],
			[ max_value => 1 ], [ is_public => 'true' ],
			[ written_name => one_of(@Surface::QUIET, @Surface::TEXTS) ],
			[ relation => one_of(@Surface::TABLES) ], [ incarnation => 1 ],
			[ first => 1, last => -1 ]) } unless %changes;
	foreach my $relation (@{ $self->{relations} // [] })
	{
		foreach my $row (@{ $self->{templates}{$from}{ $relation->{relname} } // [] })
		{
			my %new = (%$row, map { exists $row->{$_} ? ($_ => $changes{$_}) : () } keys %changes);

			exists $row->{$_} && !exists $changes{$_} and $new{$_} = $name
			  for qw(name written_name generator);
			$planted++ if $self->_restore($relation, \%new)->{state} eq '00000';
		}
	}
	$self->{planted} += $planted;
	return ($name, $planted);
}

# Write a row as a restore does, or by INSERT.
sub _restore
{
	my ($self, $relation, $row) = @_;
	my @columns = @{ $relation->{columns} };
	my @values = map { $row->{$_} } @columns;

	return $self->run(sprintf 'INSERT INTO %s (%s) VALUES (%s)', $relation->{name},
		join(', ', @columns), join(', ', map { quote($_) } @values))
	  if rand() < 0.5;
	return $self->run("SET search_path = ''; COPY $relation->{name} (" . join(', ', @columns)
	  . ') FROM STDIN',
		join("\t", map { defined ? s/([\\\n\t])/\\$1/gr : '\N' } @values) . "\n");
}

# Restore a generator with another role's table for its source, and have it raised.
sub plant_source
{
	my ($self) = @_;
	my ($table, %target) = "$self->{own}.t_1";

	@target{qw(relation hi_column key_column key_value)} = @{ one_of(
		[qw(pg_catalog.pg_auth_members member roleid 3374)], [qw(work.vault balance who mallory)],
		[qw(alice.vault balance who mallory)],
		[qw(pg_catalog.pg_class relowner relname vault)],
		[qw(alice.quiet_hi hi_value entity_name x)]) };
	my ($name, $planted) = $self->plant_rows(from => 'quiet_table',
		name => 'planted_' . int(rand 20), %target,
		style => 'hibernate-table-pooled-lo', block => 1000, initial => 1, increment => undef,
		last => 0, role => one_of('mallory', 'mallory', 'postgres'));
	$self->run("DROP TABLE IF EXISTS $table; CREATE TABLE $table (id bigint PRIMARY KEY DEFAULT &hilo_next_tag('$name')); INSERT INTO $table VALUES ("
		  . one_of(16384, 4571, 1000000) . ')') if $planted;
	$self->run("SELECT &hilo_next_tag('$name')") if rand() < 0.3;
	return;
}

# Restore a generator of a superuser with a hub of her own, and change there what is
# called once the connection stands.
sub plant_hub
{
	my ($self) = @_;
	my ($name) = $self->plant_rows(from => 'quiet_session', name => 'planted_' . int(rand 20),
		hub => 'trap_server', role => 'postgres', last => 0);

	$self->run("SELECT &hilo_next_tag('$name')");
	$self->_rename('hubdb', sub { $self->run("SELECT &hilo_next_tag('$name')") });
	return;
}

# Make a table with another role's generator in its default, and traps all over it.
sub plant_table
{
	my ($self) = @_;
	my ($own, $table) = ($self->{own}, $self->_table);
	my $name = quote(one_of(@Surface::QUIET, @Surface::BUSY, @Surface::RESERVED,
			(one_of(qw(alice super)) . '_tmp_' . int rand 4) x 3, 'shop_' . int(rand 12),
			$self->_name));
	my $of = quote(one_of(@Surface::OWN, 'alice.shop_' . int rand 12, $table));
	my $default = one_of(("&hilo_next($of)") x 3, "&hilo_next_tag($name)", "&hilo_next_tag($name)",
		"&hilo_next_tag($name\::text)", "&identity_next($name)",
		"pg_catalog.nextval('alice.plain_customers_id_seq')",
		"&hilo_next_tag($name) + $own.trap_id('default')",
		"&hilo_next_tag(CASE WHEN $own.trap('default') THEN $name END)", "&hilo_next_tag('x')");
	my $id = one_of(1, 0, -1, 1000, 2000000000, '1000000000000000000', '9223372036854775806',
		'9223372036854775807');
	my $type = one_of('bigint', 'bigint', "$own.trap_id_type", 'int', 'numeric');

	$self->run("DROP TABLE IF EXISTS $table CASCADE");
	return if $self->run(one_of(
			"CREATE TABLE $table (id $type DEFAULT $default, note $own.trap_text, CHECK ($own.trap('check')))",
			"CREATE TABLE $table (id $type PRIMARY KEY DEFAULT $default, t text DEFAULT &hilo_next_id($name), n bigint DEFAULT &hilo_next_tag('hilo.launch'))",
			"CREATE TABLE $table (id bigint DEFAULT $default, g boolean GENERATED ALWAYS AS ($own.trap('generated')) STORED)",
			"CREATE TABLE $table (id bigint DEFAULT $default) PARTITION BY RANGE (($own.trap_id('partition') + id))",
			"CREATE TABLE $table (id serial, note text)",
			"CREATE TABLE $table (id text DEFAULT &document_id($name || '/'))"))->{state} ne '00000';
	$self->{planted}++;
	$self->run("INSERT INTO $table (id) VALUES ($id)");
	$self->run($_) for map { one_of(
			"CREATE INDEX ON $table (($own.trap('index'))) WHERE $own.trap('predicate')",
			"CREATE TRIGGER trap BEFORE INSERT OR UPDATE OR DELETE ON $table FOR EACH ROW EXECUTE FUNCTION $own.trap_row()",
			"CREATE CONSTRAINT TRIGGER trap_late AFTER INSERT OR UPDATE ON $table DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION $own.trap_row()",
			"ALTER TABLE $table ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; CREATE POLICY trap ON $table USING ($own.trap('policy')) WITH CHECK ($own.trap('policy'))",
			"CREATE RULE trap AS ON INSERT TO $table DO ALSO SELECT $own.trap('rule')",
			"CREATE STATISTICS ON note, ($own.trap('statistics')) FROM $table",
			"CREATE TABLE $own.t_c (CHECK ($own.trap('child'))) INHERITS ($table)",
			"CREATE TABLE $own.t_p PARTITION OF $table FOR VALUES FROM (0) TO (100)",
			"ALTER TABLE $table RENAME TO t_v; CREATE VIEW $table AS SELECT * FROM $own.t_v WHERE $own.trap('view'); ALTER VIEW $table ALTER id SET DEFAULT $default",
			map({ "CREATE TRIGGER hilos " . one_of(qw(BEFORE AFTER))
					  . " INSERT OR UPDATE ON $table FOR EACH ROW EXECUTE FUNCTION $_(" .
				  one_of("'id', $name", $name, "$name, 'id'", '')
				  . "); INSERT INTO $table (id) VALUES ($id)" } @{ $self->{triggers} // [] }),
			"SELECT &hilo_attach('$table', 'id'), &hilo_check()",
			"SELECT &hilo_attach('$table', 'id', $name)",
			"SELECT &hilo_resync('$table', 'id')",
			"SELECT &hilo_detach('$table', 'id')",
			"INSERT INTO $table DEFAULT VALUES",
			"ALTER TABLE $table ALTER id TYPE $own.trap_id_type") } 1 .. rand 4;
	return;
}

my @CLAIMS = split /\n/, <<'END';
CREATE OR REPLACE VIEW $own.claimed AS SELECT note FROM $of; GRANT INSERT ON $own.claimed TO PUBLIC; INSERT INTO $own.claimed VALUES ('claimed')
CREATE OR REPLACE VIEW $own.claimed_id AS SELECT 1::bigint AS id; ALTER VIEW $own.claimed_id ALTER id SET DEFAULT &hilo_next('$of'); GRANT INSERT ON $own.claimed_id TO PUBLIC
CREATE OR REPLACE RULE r AS ON INSERT TO $own.claimed DO INSTEAD INSERT INTO $of (note) VALUES ('claimed')
CREATE TABLE $own.claimed_child () INHERITS ($of)
ALTER TABLE $table INHERIT $of
CREATE TABLE $own.claimed_part PARTITION OF $of DEFAULT
CREATE TABLE IF NOT EXISTS $own.claimed_join (id bigint); INSERT INTO $own.claimed_join VALUES (4000000000000000); ALTER TABLE $own.claimed_join ALTER id SET DEFAULT &hilo_next('$of')
CREATE DOMAIN $own.claimed_type AS bigint; CREATE TABLE $own.claimed_typed (id $own.claimed_type); INSERT INTO $own.claimed_typed VALUES (4000000000000000); ALTER DOMAIN $own.claimed_type SET DEFAULT &hilo_next('$of')
ALTER TABLE $of ATTACH PARTITION $table DEFAULT
DROP TABLE IF EXISTS $own.claimed_many; CREATE TABLE $own.claimed_many ($many); GRANT INSERT ON $own.claimed_many TO PUBLIC; INSERT INTO $own.claimed_many DEFAULT VALUES
CREATE DOMAIN $own.claimed_key AS bigint DEFAULT &hilo_next('$of'); CREATE TABLE $own.claimed_domain (id $own.claimed_key); GRANT INSERT ON $own.claimed_domain TO PUBLIC
CREATE TRIGGER claimed BEFORE INSERT ON $of FOR EACH ROW EXECUTE FUNCTION &document_id_assign('note', '#$of')
CREATE TRIGGER claimed AFTER INSERT ON $of FOR EACH ROW EXECUTE FUNCTION hilo_internal.hilo_follow('')
ALTER TABLE $of ALTER id SET DEFAULT &hilo_next('$table')
ALTER TABLE $of OWNER TO $me
ALTER TABLE $of RENAME TO claimed
DROP TABLE $of CASCADE
CREATE EVENT TRIGGER claimed ON sql_drop EXECUTE FUNCTION hilo_internal.hilo_forget_tables()
DO $$DECLARE t text; BEGIN FOR t IN SELECT evtname FROM pg_catalog.pg_event_trigger LOOP EXECUTE 'ALTER EVENT TRIGGER ' || t || ' DISABLE'; END LOOP; END$$
DO $$DECLARE t text; BEGIN FOR t IN SELECT evtname FROM pg_catalog.pg_event_trigger LOOP EXECUTE 'DROP EVENT TRIGGER ' || t; END LOOP; END$$
SELECT hilo_internal.hilo_forget_tables()
CREATE SCHEMA alice; CREATE TABLE alice.shop_2 (id bigint)
END

# Plant what might give a right to a table's own generator, and ask for its ids.
sub claim
{
	my ($self) = @_;
	my $of = one_of(@Surface::OWN);
	my $many = join ', ', map { "c$_ bigint DEFAULT &hilo_next('$of')" } 1 .. 50;

	$self->run(_fill(one_of(@CLAIMS), of => $of, own => $self->{own}, table => $self->_table,
			me => $self->{role}, many => $many));
	$self->{planted}++;
	return unless $of =~ /rests|plain/;
	foreach my $sql ("SELECT &hilo_next('$of')", "SELECT count(*) FROM &hilo_next('$of', 10)",
		"SELECT &hilo_next_range('$of')", "SELECT &hilo_next_id('#$of')")
	{
		$self->find('id', "$self->{role} may use $of: $sql")
		  if $self->run($sql)->{state} eq '00000';
	}
	return;
}

# Make a table with defaults that are hard to read: deep, large, or with what is no name.
sub plant_defaults
{
	my ($self) = @_;
	my $default = $self->is_time_for('large', 15) ? "&hilo_next_tag('" . 'x' x 25_000_000 . "')"
	  : one_of(("&hilo_next_tag('x')" . ' + 1' x (3000 + rand 9000)) x 2,
			"&document_id('" . 'é|' x 300 . "')", "&identity_next(E'\\n')", '&hilo_next_tag(NULL)');
	my $columns = join ', ',
		map { "c$_ text DEFAULT $default" } 1 .. (length $default < 1000 ? 100 : 1);

	$self->session->run("SET statement_timeout = '20s'");
	$self->run($_)
	  for map { ("DROP TABLE IF EXISTS $_.planted",
				"CREATE TABLE $_.planted ($columns)") } one_of($self->{own},
			'pg_temp');
	$self->session->run('RESET statement_timeout');
	return;
}

# Name in the defaults of a table, into which he lets all roles insert, what the victims are
# about to use: in columns for which no other role makes a generator.
sub plant_firsts
{
	my ($self) = @_;
	my @columns = map {
		map { "$_ " . one_of("float8 DEFAULT &hilo_next_tag('$_')",
				"boolean DEFAULT &identity_next('$_') > 0") } Surface::firsts($_)
	} qw(alice postgres);

	$self->run('DROP TABLE IF EXISTS trent.firsts; CREATE TABLE trent.firsts (' . join(', ',
			@columns) . '); GRANT INSERT ON trent.firsts TO PUBLIC');
	return;
}

# Make tables with ids of the names that alice is about to use, which her search_path finds.
sub plant_drawing
{
	my ($self) = @_;

	$self->run("CREATE TABLE evil.$_ (id bigint PRIMARY KEY); GRANT INSERT ON evil.$_ TO PUBLIC")
	  for Surface::firsts('alice');
	return;
}

# Use what is not his by a trigger on a table of a superuser's on which he has all rights.
sub borrow
{
	my ($self) = @_;
	my $name = one_of(qw(super_quiet plain_gapless | hilo.launch hilo.decimal_id/65));

	$self->run("CREATE OR REPLACE TRIGGER t BEFORE INSERT ON app.lent_log FOR EACH ROW EXECUTE FUNCTION &document_id_assign('id', '$name')");
	foreach my $sql (map { "SELECT &$_" } "hilo_next_tag('$name')", "hilo_next_range('$name', 100)")
	{
		$self->find('id', "trent may use $name: $sql") if $self->run($sql)->{state} eq '00000';
	}
	$self->run('INSERT INTO app.lent_log DEFAULT VALUES');
	return;
}

sub settings
{
	my ($self) = @_;

	$self->run(one_of(
		'SET hilo.failover_skip = 1000000000', 'SET hilo.launch_id = 65', 'SET hilo.node_no = 12',
		"SET hilo.node_tag = 'Z'", 'SET hilo.auto_create = on', 'RESET ALL',
		'SET session_replication_role = replica',
		"ALTER ROLE $self->{role} SET hilo.node_no = 12",
		"ALTER ROLE $self->{role} SET search_path = evil, pg_catalog",
		"ALTER ROLE $self->{role} SET hilo.failover_skip = 7",
		"ALTER ROLE $self->{role} RESET ALL"));
	return;
}

# Insert if that is granted, and try what is near.
sub insert_orders
{
	my ($self) = @_;

	$self->run(one_of("INSERT INTO alice.orders (note) VALUES ('clerk')",
			"INSERT INTO alice.orders (id, note) VALUES (1, 'x')",
			"SELECT &hilo_next('alice.orders')",
			"SELECT * FROM &hilo_next_range('alice.orders', 1)", 'UPDATE alice.orders SET id = 1',
			"SELECT &hilo_seed('alice.orders', 0, true)", "SELECT &hilo_next_id('#alice.orders')",
			"SELECT &hilo_resync('alice.orders', 'id')",
			# rows of a tenant that is not hers, and what a function of trent's would see
			"INSERT INTO alice.own_numbers (tenant) VALUES ('quiet')",
			"INSERT INTO alice.numbers_own (tenant) VALUES ('quiet')",
			"INSERT INTO app.seen (tenant) VALUES ('a')",
			'INSERT INTO alice.shop_' . int(rand 12) . " (note) VALUES ('clerk')"));
	return;
}

# Make a generator of a table with traps, for all roles to use.
sub source
{
	my ($self) = @_;
	my ($own, $name) = ($self->{own}, quote('bob_source_' . int rand 5));

	$self->run($_) for (
		"SELECT &hilo_drop($name)",
		"DROP TABLE IF EXISTS $own.source CASCADE; CREATE TABLE $own.source (entity_name $own.trap_text PRIMARY KEY, hi_value $own.trap_id_type)",
		"INSERT INTO $own.source VALUES ('x', 0)",
		"SELECT &hilo_adopt_table_tag($name, '$own.source', 'marten', 10, key_value => 'x')",
		"SELECT &hilo_grant($name, 'public')", "SELECT &hilo_next_tag($name)");
	$self->run(one_of(
		"CREATE TRIGGER trap BEFORE UPDATE ON $own.source FOR EACH ROW EXECUTE FUNCTION $own.trap_row()",
		"CREATE CONSTRAINT TRIGGER trap AFTER UPDATE ON $own.source DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION $own.trap_row()",
		"ALTER TABLE $own.source ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; CREATE POLICY trap ON $own.source USING ($own.trap('source'))",
		"ALTER TABLE $own.source RENAME TO was; CREATE VIEW $own.source AS SELECT * FROM alice.quiet_hi",
		"CREATE RULE trap AS ON UPDATE TO $own.source DO ALSO SELECT $own.trap('rule')",
		"CREATE TABLE $own.source_child (CHECK ($own.trap('child'))) INHERITS ($own.source)",
		"CREATE INDEX ON $own.source (($own.trap('index')))"));
	return;
}

# Keep a transaction open, or prepared, for others to wait for.
sub hold
{
	my ($self) = @_;
	my $name = 'bob_held_' . int rand 100;

	return unless $self->is_time_for('hold', 25)
	  && ($self->{hold} = $self->{connect}->($self->{role}, 'shop'));
	$self->{hold_ends} = time + HOLD_SECONDS;
	my $run = sub { $self->{hold}->run($_[0] =~ s/&(\w+)/($self->{schema_of}{$1} \/\/ 'public') . ".$1"/ger) };
	$run->($_) for 'DROP TABLE IF EXISTS bob.held',
	  "CREATE TABLE bob.held (id bigint DEFAULT &hilo_next_tag('bob_held')); INSERT INTO bob.held DEFAULT VALUES",
	  "SELECT &hilo_create('bob_gapless', 'gapless')", 'BEGIN', one_of(
		('LOCK TABLE bob.held IN ACCESS EXCLUSIVE MODE') x 8,
		'UPDATE bob.hi SET hi_value = hi_value',
		"ALTER TABLE bob.held ALTER id SET DEFAULT &hilo_next_tag('alice_tmp_1')",
		"CREATE TABLE bob.held_too (id bigint DEFAULT &hilo_next_tag('alice_tmp_2'))",
		"SELECT &hilo_create('$name')", "SELECT &hilo_next_tag('$name')",
		"SELECT &hilo_drop('bob_held')", "SELECT &hilo_alter('bob_held', max_value => 1000)",
		"SELECT &hilo_seed('bob_held', 5, true)", "SELECT &hilo_grant('bob_held', 'alice')",
		"SELECT &hilo_next_tag('bob_gapless')", "SELECT &hilo_rename('bob_held', '$name')",
		"SELECT &hilo_adopt_table_tag('$name', 'bob.hi', 'marten', 10)",
		"SELECT &hilo_resync('bob.held', 'id')", "SELECT &hilo_detach('bob.held', 'id')",
		'SELECT count(*) FROM &hilo_check()', 'SELECT count(*) FROM &hilo_resync_all()',
		'DECLARE c CURSOR FOR SELECT * FROM &hilo_generators(); FETCH c');
	$run->("PREPARE TRANSACTION 'bob'") if rand() < 0.3;
	return;
}

sub end_hold
{
	my ($self) = @_;

	my $session = delete $self->{hold} or return;

	$session->run($_) for 'ROLLBACK', "ROLLBACK PREPARED 'bob'";
	$session->close;
	return;
}

# Be the first to have a name that alice's next table will ask for, or that reads as hers.
sub squat
{
	my ($self) = @_;
	my $shop = 'shop_' . int rand 12;
	my $name = quote(one_of(($shop) x 20, ($shop, map { "$_.$shop" } qw(alice Alice "alice" ALICE)),
			"##alice.$shop", "#alice.$shop", 'alice.vault', 'Alice.Vault|', 'work.docs.x', '|'));

	my $result = $self->run(one_of(map({ "SELECT &hilo_create($name, if_not_exists => true), &hilo_grant($name, '$_')" } qw(public alice alice alice alice)),
			"SELECT &hilo_create($name, 'global')", "SELECT &hilo_next_tag($name)",
			"SELECT &hilo_alter($name, max_value => 5)",
			"SELECT &hilo_alter($name, hub => 'trap_server')", "SELECT &hilo_drop($name)",
			"SELECT &hilo_grant($name, 'bob')"));
	$self->{taken}{$name} = 1 if $result->{state} eq '00000';
	# what a victim may have drawn from
	$self->run("SELECT &hilo_seed($_, 0, true)") for keys %{ $self->{taken} };
	return;
}

# Put traps on tables of his that other roles' generators take their ids from.
sub trap_others
{
	my ($self) = @_;
	my $table = one_of('bob.part_bob', 'bob.super_hi');

	$self->run(one_of(
		"CREATE OR REPLACE TRIGGER trap BEFORE INSERT OR UPDATE ON $table FOR EACH ROW EXECUTE FUNCTION bob.trap_row()",
		"CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON $table DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bob.trap_row()",
		"ALTER TABLE $table ADD CONSTRAINT trap CHECK (bob.trap('check'))",
		"CREATE INDEX ON $table ((bob.trap('index')))",
		"CREATE INDEX ON $table (hi_value) WHERE bob.trap('predicate')",
		"CREATE RULE trap AS ON UPDATE TO $table DO ALSO SELECT bob.trap('rule')",
		"ALTER TABLE bob.super_hi ALTER hi_value TYPE bob.trap_id_type",
		"ALTER TABLE bob.super_hi ADD g boolean GENERATED ALWAYS AS (bob.trap('generated')) STORED",
		"CREATE TABLE bob.child (CHECK (bob.trap('child'))) INHERITS (bob.super_hi)",
		"ALTER TABLE $table ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
		"CREATE POLICY trap ON $table USING (bob.trap('policy'))",
		("DROP TRIGGER IF EXISTS trap ON $table; DROP TRIGGER IF EXISTS late ON $table; ALTER TABLE $table DROP CONSTRAINT IF EXISTS trap; DROP RULE IF EXISTS trap ON $table") x 6));
	return;
}

# What a function of trent's does that runs as him, so that another one runs as another role.
my @LEADS_ON = split /\n/, <<'END';
INSERT INTO trent.queue VALUES (1)
INSERT INTO trent.queue VALUES (1); SET CONSTRAINTS ALL IMMEDIATE
ALTER FUNCTION trent.second() SECURITY INVOKER
CREATE OR REPLACE FUNCTION trent.second() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM trent.trap_do(TG_NAME); RETURN NEW; END'
DECLARE held CURSOR WITH HOLD FOR SELECT trent.trap('cursor')
SET search_path = evil, pg_catalog
SET ROLE NONE
SELECT trent.trap_do('definer')
END

# Have functions of his run where generators of others take their ids from: by triggers on a
# table that he has all rights on, and by what the owners of the tables have let in.
sub lent
{
	my ($self) = @_;
	my $owner = one_of(qw(super alice));
	my $table = "app.lent_$owner";
	my $function = sub {
		my ($name, $does) = @_;
		return "CREATE OR REPLACE FUNCTION trent.$name() RETURNS trigger LANGUAGE plpgsql SECURITY " . one_of(qw(DEFINER DEFINER DEFINER INVOKER))
		  . " AS \$f\$BEGIN EXECUTE \$e\$$does\$e\$; RETURN NEW; END\$f\$";
	};
	my $trigger = sub {
		my ($name) = @_;
		my ($what, $when) = (one_of('INSERT OR UPDATE', 'UPDATE', 'UPDATE OF hi_value'),
			rand() < 0.2 ? "WHEN (trent.trap('when'))" : '');
		return one_of("TRIGGER t_$name BEFORE $what ON $table FOR EACH ROW $when",
			"TRIGGER t_$name AFTER $what ON $table FOR EACH ROW $when",
			"TRIGGER s_$name " . one_of(qw(BEFORE AFTER)) . " $what ON $table",
			"CONSTRAINT TRIGGER c_$name AFTER $what ON $table " . one_of('', 'DEFERRABLE',
				'DEFERRABLE INITIALLY DEFERRED') . " FOR EACH ROW $when") . " EXECUTE FUNCTION trent.$name()";
	};

	# with the triggers that call it, though these are not his
	$self->run('DROP FUNCTION IF EXISTS trent.first, trent.second CASCADE') if rand() < 0.8;
	$self->run($_)
	  for $function->('second', "SELECT trent.trap_do('second')"),
		$function->('first', one_of(@LEADS_ON)),
		$function->('note', one_of(@LEADS_ON) =~ s/queue/notes/r),
	  map({ 'CREATE ' . $trigger->($_) } 'first', rand() < 0.5 ? 'second' : ());
	$self->run("DELETE FROM $table") if rand() < 0.2;
	$self->{planted}++;
	$self->run(one_of("SELECT count(*) FROM &hilo_next_tag('$_\_lent', 100)",
			"SELECT * FROM &hilo_next_range('$_\_lent', 100)",
			"SELECT &hilo_marten_next_hi('$table', 'x')")) for ($owner) x 2;
	$self->run(one_of("INSERT INTO app.items (note) SELECT 'x' FROM generate_series(1, 100)",
			map { "SELECT count(*) FROM &hilo_next_tag('odd_$_', 100)" } sort keys %Surface::ODD));
	return;
}

# Have many wait for rows of his, each with a worker if there is one to be had.
sub crowd
{
	my ($self) = @_;
	my $schema = $self->{schema_of}{hilo_next_tag} // 'public';

	return unless $self->is_time_for('crowd', 40);
	# it may hold these rows, too
	$self->end_hold;
	my ($holder, @crowd) = grep { defined } map { $self->{connect}->('bob', 'shop') } 0 .. 16;

	$_->run("SET statement_timeout = 0; SET lock_timeout = '10min'") for @crowd;
	$holder->run("INSERT INTO bob.hi SELECT 'crowd' || i, 0 FROM generate_series(1, 16) i ON CONFLICT DO NOTHING");
	$holder->run('BEGIN; SELECT FROM bob.hi FOR UPDATE');
	$crowd[$_]->start("SELECT $schema.hilo_marten_next_hi('bob.hi', 'crowd" . ($_ + 1) . "')")
	  for 0 .. $#crowd;
	sleep 8;
	$holder->run('ROLLBACK');
	$_->close for $holder, @crowd;
	return;
}

# Ask for ids of what another role of the same session has had.
sub use_what_is_left
{
	my ($self) = @_;

	$self->session->run("BEGIN; SET LOCAL ROLE service; SELECT calls.hilo_next_tag_1('service'); COMMIT");
	foreach my $sql (map { "SELECT &$_" } "hilo_next_tag('service')", "hilo_next_id('service')",
		"hilo_next_range('service', 5)")
	{
		$self->find('id', "anon may use what service may: $sql")
		  if $self->run($sql)->{state} eq '00000';
	}
	return;
}

# Send hilo to servers of his, with other people's names.
sub server
{
	my ($self) = @_;
	my $n = int rand 4;
	my $name = quote("frank_hub_$n");

	$self->run(one_of(
		"DROP SERVER IF EXISTS s_$n CASCADE",
		"CREATE SERVER s_$n FOREIGN DATA WRAPPER postgres_fdw OPTIONS ($self->{hub_options})",
		"CREATE SERVER s_$n FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '/nowhere', passfile '/etc/passwd', sslkey '/etc/passwd')",
		'CREATE USER MAPPING FOR ' . one_of(qw(frank postgres alice PUBLIC))
		  . " SERVER s_$n OPTIONS (user 'puppet')",
		"ALTER USER MAPPING FOR frank SERVER s_$n OPTIONS (ADD password_required 'false')",
		"GRANT USAGE ON FOREIGN SERVER s_$n TO PUBLIC",
		"SELECT &hilo_create($name, hub => 's_$n'), &hilo_grant($name, 'public')",
		"SELECT &hilo_create($name, 'global', hub => 's_$n')",
		"SELECT &hilo_next_tag($name)", "SELECT &hilo_next_tag($name)",
		"SELECT &hilo_alter($name, hub => 'super_server')",
		"SELECT &hilo_alter($name, owner => 'postgres')",
		"SELECT &hilo_create($name, hub => 'super_server')", "SELECT &hilo_seed($name, 100)",
		"SELECT &hilo_drop($name)",
		"DROP FOREIGN TABLE IF EXISTS frank.ft_$n",
		"CREATE FOREIGN TABLE frank.ft_$n (id bigint DEFAULT &hilo_next_tag($name), entity_name text, hi_value bigint) SERVER s_$n",
		"SELECT &hilo_adopt_table_tag($name, 'frank.ft_$n', 'marten', 10)",
		"SELECT &hilo_resync('frank.ft_$n', 'id')",
		"SELECT &hilo_marten_next_hi('frank.ft_$n', 'x')",
		"SELECT &hilo_attach('frank.ft_$n', 'id', $name)"));
	return;
}

# Have a hub of his answer without end.
sub flood
{
	my ($self) = @_;
	my $what = one_of(sort keys %Flood::ANSWERS);
	my $name = "frank_$what";

	$self->run($_)
	  for "CREATE SERVER $name FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '$self->{flood_port}', sslmode 'disable', dbname '$what')",
	  "CREATE USER MAPPING FOR frank SERVER $name OPTIONS (user 'frank', password 'x')",
	  "SELECT &hilo_create('$name', " . one_of("'session'", "'global'") . ", hub => '$name')",
		"SELECT &hilo_next_tag('$name')";
	return;
}

# Put traps in the place of hilo's schema, which the database's owner may rename.
sub rename
{
	my ($self) = @_;

	$self->_rename(one_of('shop', 'shop', 'hubdb'), sub { sleep 1.5 })
	  if $self->is_time_for('rename', 5);
	return;
}

sub _rename
{
	my ($self, $database, $meanwhile) = @_;
	my $session = $self->{connect}->($self->{role}, $database) or return;

	$session->run("SET search_path = ''; SET statement_timeout = '20s'");
	my $schema = $session->value(q{SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
		WHERE e.extname = 'hilo' AND n.nspname <> 'renamed'});
	if ($schema
		  && $session->run("ALTER SCHEMA $schema RENAME TO renamed; CREATE SCHEMA $schema; GRANT USAGE ON SCHEMA $schema TO PUBLIC")->{state} eq '00000')
	{
		foreach my $sql (Traps::functions($schema, $self->{role}),
			Traps::copies('renamed', $schema))
		{
			my $result = $session->run($sql);

			die "no traps in $schema: $result->{message}\n"
			  if $result->{state} !~ /^(?:00000|57014)$/;
		}
		$meanwhile->();
		$session->run("DROP SCHEMA $schema CASCADE; ALTER SCHEMA renamed RENAME TO $schema");
	}
	$session->close;
	return;
}

# Set what the next session of each role begins with.
sub database
{
	my ($self) = @_;

	$self->run('ALTER DATABASE shop ' . one_of('SET search_path = evil, pg_catalog, public',
			'SET hilo.node_no = 12', 'SET hilo.failover_skip = 1',
			'SET session_replication_role = replica', 'RESET ALL',
			'RESET ALL'));
	return;
}

1;
