#
# The roles that do ordinary work while attackers do theirs: alice, with her own tables, and the
# superuser.  They write down the ids that they get, and what keeps them from working.
#
# They call hilo by the functions and views in schema calls, which PostgreSQL has bound to
# hilo's by OID, and have a schema of the attackers first in their search_path: no
# statement of theirs has a name that it leads to.
#
package Victim;

use strict;
use warnings;

use IPC::Run;
use Surface;
use Time::HiRes qw(time sleep);

my %DOES = (
	alice => [ [ 20, \&insert ], [ 15, \&take ], [ 10, \&client_range ], [ 6, \&shop ],
		[ 6, \&create_and_drop ], [ 6, \&first ], [ 3, \&insert_anew ], [ 1, \&reconnect ] ],
	postgres => [
		[ 15, \&insert ], [ 15, \&take_any ], [ 10, \&look ], [ 6, \&check ], [ 6, \&resync_all ],
		[ 6, \&report_anchors ], [ 6, \&hub ],
		[ 6, \&source ], [ 6, \&create_and_drop ], [ 4, \&attach ], [ 6, \&first ],
		[ 6, \&others_table ], [ 1, \&dump ], [ 1, \&reconnect ] ]);

# Return a victim; params are role, seed, folder, connect, and connstr, which
# says how programs connect.
sub new
{
	my ($class, %params) = @_;
	my $self = bless { statements => 0, ids => 0, dumps => 0, %params }, $class;

	open $self->{$_}, '>', "$self->{folder}/$self->{role}.$_" or die $! for qw(log findings taken);
	$_->autoflush for @$self{qw(log findings)};
	return $self;
}

sub work
{
	my ($self, $until) = @_;
	my @does = map { ($_->[1]) x $_->[0] } @{ $DOES{ $self->{role} } };

	srand $self->{seed};
	@$self{qw(since until)} = (time, $until);
	while (time < $until)
	{
		one_of(@does)->($self);
		$self->session->run('ROLLBACK') if $self->session->{in_transaction};
		sleep rand 0.02;
	}
	$self->{taken}->flush;
	return;
}

sub report { return { map { $_ => $_[0]{$_} } qw(role statements ids dumps) } }

sub session
{
	my ($self) = @_;
	my $attempts = 0;

	until ($self->{session} && !$self->{session}->is_lost)
	{
		if ($self->{session} = $self->{connect}->($self->{role}, 'shop'))
		{
			$self->{session}->run('SET search_path = evil, pg_catalog; SET statement_timeout = 30000');
			last;
		}
		die "$self->{role} cannot connect\n" if ++$attempts > 300;
		sleep 0.1;
	}
	return $self->{session};
}

sub reconnect
{
	my ($self) = @_;

	$self->session->close;
	return;
}

# Run what no role may keep from working, except by the errors that are given.
sub must
{
	my ($self, $sql, @errors) = @_;
	my $result = $self->try($sql);

	$self->find('stopped', "$self->{role}: $result->{state} $result->{message}: " . substr $sql, 0,
		60)
	  unless grep { $result->{state} eq $_ } '00000', @errors;
	return $result;
}

sub try
{
	my ($self, $sql) = @_;
	my $at = time;
	my $result = $self->session->run($sql);

	$self->{statements}++;
	printf { $self->{log} } "%.2f %.2f %s %s; -- %s\n", $at, time - $at, $result->{state},
		substr($sql, 0, 2000), $result->{message};
	return $result;
}

# Write down the ids in the first column.
sub took
{
	my ($self, $generator, $result) = @_;
	my @ids = map { $_->[0] } @{ $result->{rows} };

	print { $self->{taken} } "$generator $_\n" for @ids;
	$self->{ids} += @ids;
	return;
}

sub insert
{
	my ($self) = @_;
	my $table = $self->{role} eq 'alice' ? one_of(qw(orders letters docs things)) : 'items';
	my $schema = $self->{role} eq 'alice' ? 'alice' : 'work';
	my $rows = join ', ', ("('ordinary')") x (1 + rand 40);

	$self->took($table, $self->must("INSERT INTO $schema.$table (note) VALUES $rows RETURNING id"));
	return;
}

sub take
{
	my ($self) = @_;

	$self->took('alice_private',
		$self->must(one_of("SELECT calls.hilo_next_tag_1('alice_private')",
				"SELECT calls.hilo_next_tag_2('alice_private', 100)")));
	$self->took('tickets', $self->must("SELECT calls.identity_next_1('tickets')"));
	return;
}

# Take a range as an ORM does, use some of it, and give back what is left.
sub client_range
{
	my ($self) = @_;
	my $row = $self->must("SELECT calls.hilo_next_range_2('##alice_private', 20)")->{rows}[0]
	  or return;
	my ($low, $high) = $row->[0] =~ /^\([^,]*,(\d+),(\d+),/ or die "no range: $row->[0]\n";
	my $used = $low + int rand($high - $low);

	$self->took('alice_private', { rows => [ map { [$_] } $low .. $used ] });
	$self->must("SELECT calls.hilo_return_range_3('##alice_private', $high, $used)");
	return;
}

# Insert into a table of which no role may have made the generator yet, or another one before
# there was the table; the later the more of them.
sub shop
{
	my ($self) = @_;
	my $name = 'shop_' . int rand(1 + 11 * (time - $self->{since}) / ($self->{until} - $self->{since}));
	$self->{shops}{$name} //= $self->make_shop($name) or return;
	my $is_own = is_own_shop($name);
	my $insert = sub { $is_own ? $self->must($_[0]) : $self->try($_[0]) };
	my $sql = "INSERT INTO alice.$name (note) VALUES ('a'), ('b') RETURNING id";
	my $result = $insert->($sql);

	# the database's owner has restored a row of that name, which no role had
	return if $result->{message} =~ /is incomplete/;
	my @twice = grep { $self->{shops}{$name}{$_}++ } map { $_->[0] } @{ $result->{rows} };
	my $owner_now = sub { map { $_->[0] } @{ $self->as_superuser("SELECT owner FROM calls.hilo_generators WHERE name = '$name'") } };
	my ($owner) = $owner_now->();

	# the role that has opened and set back the generator
	$self->find('id', "ids of alice.$name came twice: @twice") if @twice;
	return if $is_own;
	# the superuser takes an id of a name that was just dropped
	return if ($owner // '') eq 'postgres';
	if (($owner // 'alice') eq 'alice')
	{
		# it was another role's, which has dropped it since
		$result = $insert->($sql) if $result->{state} ne '00000';
		$self->find('stopped',
			"$result->{state} $result->{message} from alice.$name, which has her generator") if $result->{state} ne '00000';
		$self->{shops}{$name}{ $_->[0] }++ for @{ $result->{rows} };
		return;
	}
	my $told = $self->as_superuser("SELECT 1 FROM calls.hilo_check WHERE rel = pg_catalog.to_regclass('alice.$name') AND problem IS NOT NULL");
	# it has no owner, once the table that it was made for is dropped
	$self->find('id',
		"the generator of alice.$name is that of $owner, and hilo_check() does not say so")
	  if !@$told && $owner eq (($owner_now->())[0] // '');
	return;
}

# Check whether a shop has its table's own generator, whatever tag others have made.
sub is_own_shop { return $_[0] =~ /[02468]$/ }

# Make a table with a generator of that name, which some compute; false if hilo's schema was
# just renamed, so that its function is another role's.
sub make_shop
{
	my ($self, $name) = @_;
	my $function = is_own_shop($name) ? 'hilo_next' : 'hilo_next_tag';
	my $called = is_own_shop($name) ? 'hilo_next_1(regclass)' : 'hilo_next_tag_1(text)';
	my $argument = is_own_shop($name) ? "'alice.$name'" : "'$name'";

	$argument = "pg_catalog.lower('\U$name\E')" if $name =~ /[37]$/;
	my ($oid, $schema) = @{ $self->as_superuser(qq{
		SELECT p.oid, p.pronamespace::regnamespace FROM pg_depend d JOIN pg_proc p ON d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid
		 WHERE d.classid = 'pg_proc'::regclass AND d.objid = 'calls.$called'::regprocedure})->[0] // return };
	my $is_hilos = @{ $self->try("BEGIN; SET LOCAL search_path = ''; CREATE TABLE alice.$name (id bigint DEFAULT $schema.$function($argument), note text);
		GRANT INSERT (note) ON alice.$name TO clerk; SELECT 1 FROM pg_attrdef a JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = a.oid
		 WHERE a.adrelid = 'alice.$name'::regclass AND d.refclassid = 'pg_proc'::regclass AND d.refobjid = $oid")->{rows} };

	$self->try($is_hilos ? 'COMMIT' : 'ROLLBACK');
	return $is_hilos && {};
}

# Return the rows of a query that is not alice's work; it may fail by the errors that are
# given.
sub as_superuser
{
	my ($self, $sql, @errors) = @_;

	$self->{superuser} = undef if $self->{superuser} && $self->{superuser}->is_lost;
	unless ($self->{superuser})
	{
		$self->{superuser} = $self->{connect}->('postgres', 'shop') or return [];
		$self->{superuser}->run("SET search_path = ''");
	}
	my $result = $self->{superuser}->run($sql);

	$self->find('broken', "$result->{state} $result->{message}: $sql")
	  unless grep { $result->{state} eq $_ } '00000', @errors;
	return $result->{rows};
}

# Create a generator, use it, drop it, though the default of another role's table names it.
sub create_and_drop
{
	my ($self) = @_;
	my $name = ($self->{role} eq 'alice' ? 'alice_tmp_' : 'super_tmp_') . int rand 4;

	# one that an attacker was the first to use is taken away, also after its table is gone
	$self->as_superuser("SELECT calls.hilo_drop_1(name) FROM calls.hilo_generators WHERE name = '$name'", '2BP01');
	return if $self->try("SELECT calls.hilo_create_1('$name')")->{state} ne '00000';
	$self->must("SELECT calls.hilo_next_tag_1('$name')");
	sleep rand 0.5;
	$self->must("SELECT calls.hilo_drop_1('$name')");
	return;
}

# Be the first to use a name: whichever role has it in a default, or a table of that name, the
# generator is the user's, or there is none.
sub first
{
	my ($self) = @_;
	my ($name) = Surface::firsts($self->{role});

	return if $name eq ($self->{first} // '');
	$self->{first} = $name;
	$self->must('SELECT calls.' . one_of("hilo_next_tag_1('$name')",
			"hilo_next_range_2('$name', 32)", "hilo_seed_2('$name', 50000)",
			"identity_next_1('$name')",
		qq(hilo_import_ravendb_2('[{"Max": 50000, "\@metadata": {"\@id": "Raven/Hilo/$name"}}]', '{"$name|": 50000}'))), '55000');
	$self->find('id',
		"the generator $_->[0] is that of $_->[1], though $self->{role} was the first to use it")
	  for @{ $self->as_superuser("SELECT name, owner FROM calls.hilo_generators WHERE name ~ '(^|[.])$name\[|]?\$' AND owner <> '$self->{role}'::regrole") };
	return;
}

# Insert in its own session if only that is granted.
sub insert_anew
{
	my ($self) = @_;

	$self->reconnect;
	$self->took('items',
		$self->must("INSERT INTO work.items (note) VALUES ('a'), ('b') RETURNING id"));
	return;
}

# Take an id of any generator that there is, except hilo's own.
sub take_any
{
	my ($self) = @_;
	my %is_quiet = map { $_ => 1 } @Surface::QUIET;
	my @names = grep { !$is_quiet{ lc $_ }
	  && !/^(?:hilo\.|\|$)/i } map { $_->[0] } @{ $self->as_superuser('SELECT name FROM calls.hilo_generators') };

	$self->try('SELECT calls.hilo_next_id_1(' . quote($_) . ')')
	  for map { one_of(@names) } grep { @names } 1 .. 3;
	return unless time > ($self->{since} + $self->{until}) / 2;
	$self->took('decimal', $self->must('SELECT calls.decimal_id_next_0()'));
	$self->took('trace', $self->must('SELECT calls.trace_id_next_0()'));
	return;
}

sub look
{
	my ($self) = @_;

	$self->must("SELECT * FROM calls.$_")
	  for one_of(qw(hilo_generators hilo_session hilo_stats hilo_stats_server hilo_sources hilo_nodes));
	return;
}

sub check { $_[0]->must('SELECT * FROM calls.hilo_check'); return }

sub resync_all { $_[0]->must('SELECT calls.hilo_resync_all_0()'); return }

sub report_anchors { $_[0]->must("SELECT calls.anchor_report_2('work.docs', 'id')"); return }

# What another role's hub answers is as it may be.
sub hub { $_[0]->try("SELECT calls.hilo_next_tag_1('super_hub')"); return }

sub source
{
	my ($self) = @_;

	$self->try(one_of(map({ "SELECT calls.hilo_next_tag_1('$_')" } qw(part super_bob super_lent audited)), "SELECT calls.hilo_marten_next_hi_2('bob.super_hi', 'x')", "SELECT calls.hilo_marten_next_hi_2('work.part_hi', 'bobrow')"));
	return;
}

# Do what is to be done with any role's table, but not what SECURITY.md advises against.
sub others_table
{
	my ($self) = @_;
	my $table = one_of(qw(bob frank mallory trent))
	  . '.' . one_of('held', 't_v', map { "t_$_" } 0 .. 11);

	$self->try(one_of(map { "SELECT calls.hilo_$_"
			  . "_2('$table', 'id')" } qw(generator_of resync detach)));
	return;
}

# Attach a column and leave it; what was revoked stays revoked.
sub attach
{
	my ($self) = @_;
	my $table = 'work.t_' . int rand 4;

	return if $self->must("DROP TABLE IF EXISTS $table; CREATE TABLE $table (id serial PRIMARY KEY); GRANT INSERT ON $table TO bob")->{state} ne '00000';
	return if $self->try("SELECT calls.hilo_attach_2('$table', 'id')")->{state} ne '00000';
	$self->must("INSERT INTO $table DEFAULT VALUES");
	$self->must("SELECT calls.hilo_detach_2('$table', 'id')");
	$self->must("GRANT UPDATE ON SEQUENCE ${table}_id_seq TO bob");
	return if $self->try("SELECT calls.hilo_attach_3('$table', 'id', '##$table')")->{state} ne '00000';
	$self->must("SELECT calls.hilo_grant_2('##$table', 'bob'), calls.hilo_revoke_2('##$table', 'bob')");
	$self->must("SELECT calls.hilo_detach_2('$table', 'id'), calls.hilo_drop_1('##$table')");
	$self->find('right', "bob may set the sequence of $table")
	  if @{ $self->as_superuser("SELECT 1 WHERE has_sequence_privilege('bob', pg_get_serial_sequence('$table', 'id'), 'UPDATE')") };
	return;
}

# Dump hilo and what is alice's and the superuser's, restore it, and work there, too.
sub dump
{
	my ($self) = @_;
	my $file = "$self->{folder}/dump.sql";
	my $psql = sub { my $database = shift; $self->program('psql', '-Xq', '-v', 'ON_ERROR_STOP=1',
			'-d', $self->{connstr}->($database), @_) };

	$self->program(qw(pg_dump -e hilo -n work -n alice -f), $file, $self->{connstr}->('shop'))
	  or return;
	my ($schema) = PostgreSQL::Test::Utils::slurp_file($file) =~ /^CREATE EXTENSION IF NOT EXISTS hilo WITH SCHEMA (\w+);/m or die "no extension\n";
	$psql->('postgres', '-c', 'DROP DATABASE IF EXISTS copy WITH (FORCE)', '-c',
		'CREATE DATABASE copy TEMPLATE template0') or return;
	$psql->('copy', '-c',
		"CREATE SCHEMA IF NOT EXISTS $schema; GRANT USAGE ON SCHEMA $schema TO PUBLIC; CREATE SCHEMA app", (map { ('-c', "CREATE SCHEMA IF NOT EXISTS $_ AUTHORIZATION $_") } qw(bob frank mallory trent)),
		map { ('-c',
				"CREATE TABLE $_ (entity_name text PRIMARY KEY, hi_value bigint)") } others_sources($file)) or return;
	$psql->('copy', '-f', $file) or return;
	my $copy = $self->{connect}->('postgres', 'copy') or return;
	$copy->run("SET search_path = ''");
	my $generators = $copy->run("SELECT FROM $schema.hilo_generators")->{state} eq '00000'
	  ? "$schema.hilo_generators" : "$schema.hilo_generators()";
	my (%restored, $is);
	$restored{ lc $_->[0] } = join '/', map { $_ // '' } @$_
	  for $copy->rows("SELECT name, owner, last FROM $generators");
	$is = join ' ', map { delete $restored{$_} // "no $_" } @Surface::QUIET;
	$self->{quiet} //= $is;
	$self->find('id', "restored as $is, and was $self->{quiet}") if $is ne $self->{quiet};
	$copy->run("SELECT $schema.hilo_next_id(" . quote($_) . ')') for keys %restored;
	$copy->run("SELECT * FROM $schema.$_()") for qw(hilo_resync_all hilo_check);
	$copy->close;
	$self->{dumps}++;
	return;
}

# Return the tables of attackers that the rows of a dump name.
sub others_sources
{
	my ($file) = @_;
	my ($rows) = PostgreSQL::Test::Utils::slurp_file($file) =~ /^COPY \w+\.hilo_source .*?\n(.*?)^\\\.$/ms;
	my %tables = map { $_ => 1 } 'bob.part_bob',
		grep { !/^(?:alice|work)\.|^\d/ } map { (split /\t/)[0] } split /\n/, $rows // '';

	return sort keys %tables;
}

# Run a program, which must not fail but because hilo's schema was renamed meanwhile.
sub program
{
	my ($self, @command) = @_;
	my $errors;

	return 1 if IPC::Run::run(\@command, '<', \undef, '>', \my $output, '2>', \$errors);
	printf { $self->{log} } "%.2f %s: %s\n", time, "@command", $errors;
	$self->find('stopped', "$command[0]: " . substr $errors, 0, 300)
	  unless $errors =~ /renamed|does not exist/;
	return 0;
}

1;
