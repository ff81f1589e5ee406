#
# What must be as it was: rights, rows and ids that are not the attackers'.
#
package Oracle;

use strict;
use warnings;

use Surface;
use Traps;

# How long a session may wait for an attacker.
use constant PATIENCE => '8 s';

# How much private memory a session may have.
use constant LARGE_KB => 100_000;

my $attackers = join ', ', map { "'$_'" } @Traps::ATTACKERS;
my $quiet = join ', ', map { quote($_) } @Surface::QUIET, '|', 'hilo.launch';
my $busy = join ', ', map { quote($_) } @Surface::BUSY;

# Rights and owners, but the attackers' own.  Tables that the victims make meanwhile are left out.
my $RIGHTS = <<"END";
WITH others AS (
	SELECT oid FROM pg_roles WHERE rolname NOT IN ($attackers, 'pg_database_owner')
), relation AS (
	SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	 WHERE c.relowner IN (TABLE others) AND n.nspname !~ '^pg_(toast|temp)' AND NOT (n.nspname, c.relname)::text ~ '^\\((work,t|alice,shop)_[0-9]'
)
SELECT 'role', oid, concat_ws(' ', rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit, rolpassword) FROM pg_authid
UNION ALL SELECT 'membership', roleid, concat_ws(' ', roleid::regrole, member::regrole, grantor::regrole, admin_option) FROM pg_auth_members
UNION ALL SELECT 'setting', setrole, concat_ws(' ', setdatabase, setconfig) FROM pg_db_role_setting WHERE setrole IN (TABLE others)
UNION ALL SELECT 'database', oid, concat_ws(' ', datname, datdba::regrole, coalesce(datacl, acldefault('d', datdba))) FROM pg_database WHERE datname <> 'copy'
UNION ALL SELECT 'schema', oid, concat_ws(' ', nspname, nspowner::regrole, coalesce(nspacl, acldefault('n', nspowner))) FROM pg_namespace WHERE nspowner IN (TABLE others) AND nspname !~ '^pg_(toast_)?temp'
UNION ALL SELECT 'relation', oid, concat_ws(' ', relname, relkind, relowner::regrole, relrowsecurity, reloptions, coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))) FROM relation
UNION ALL SELECT 'column', r.oid, concat_ws(' ', r.relname, a.attname, a.atttypid, a.attacl) FROM pg_attribute a JOIN relation r ON a.attrelid = r.oid WHERE a.attnum > 0 AND r.relkind <> 'i'
UNION ALL SELECT 'default', r.oid, concat_ws(' ', r.relname, d.adnum, md5(d.adbin::text)) FROM pg_attrdef d JOIN relation r ON d.adrelid = r.oid
UNION ALL SELECT 'trigger', t.oid, concat_ws(' ', r.relname, t.tgname, t.tgfoid, t.tgenabled) FROM pg_trigger t JOIN relation r ON t.tgrelid = r.oid AND r.relname !~ '^lent_'
UNION ALL SELECT 'rule', w.oid, concat_ws(' ', r.relname, w.rulename, md5(w.ev_action::text)) FROM pg_rewrite w JOIN relation r ON w.ev_class = r.oid
UNION ALL SELECT 'policy', p.oid, concat_ws(' ', r.relname, p.polname, md5(p.polqual::text)) FROM pg_policy p JOIN relation r ON p.polrelid = r.oid
UNION ALL SELECT 'parent', i.inhrelid, concat_ws(' ', r.relname, i.inhparent) FROM pg_inherits i JOIN relation r ON i.inhparent = r.oid
UNION ALL SELECT 'function', oid, concat_ws(' ', proname, proowner::regrole, prosecdef, proconfig, md5(prosrc), coalesce(proacl, acldefault('f', proowner))) FROM pg_proc WHERE proowner IN (TABLE others)
UNION ALL SELECT 'type', oid, concat_ws(' ', typname, typowner::regrole, coalesce(typacl, acldefault('T', typowner))) FROM pg_type WHERE typowner IN (TABLE others) AND typrelid = 0 AND typelem = 0
UNION ALL SELECT 'server', oid, concat_ws(' ', srvname, srvowner::regrole, srvoptions, coalesce(srvacl, acldefault('S', srvowner))) FROM pg_foreign_server WHERE srvowner IN (TABLE others)
UNION ALL SELECT 'wrapper', oid, concat_ws(' ', fdwname, fdwowner::regrole, coalesce(fdwacl, acldefault('F', fdwowner))) FROM pg_foreign_data_wrapper
UNION ALL SELECT 'extension', oid, concat_ws(' ', extname, extowner::regrole, extversion) FROM pg_extension
UNION ALL SELECT 'member', d.refobjid, count(*)::text FROM pg_depend d WHERE d.deptype = 'e' GROUP BY d.refobjid
UNION ALL SELECT 'default right', oid, concat_ws(' ', defaclrole::regrole, defaclacl) FROM pg_default_acl WHERE defaclrole IN (TABLE others)
END

# Tables, sequences and generators that rest, and the owners of the others.  The owner of the
# database may restore the number of "|", upwards.
my $ROWS = <<'END';
SELECT 'alice.vault', v.who, v::text FROM alice.vault v
UNION ALL SELECT 'work.vault', v.who, v::text FROM work.vault v
UNION ALL SELECT 'alice.quiet_hi', v.entity_name, v::text FROM alice.quiet_hi v
UNION ALL SELECT 'alice.quiet_s', '', s::text FROM (SELECT last_value, is_called FROM alice.quiet_s) s
UNION ALL SELECT 'alice.plain_customers_id_seq', '', s::text FROM (SELECT last_value, is_called FROM alice.plain_customers_id_seq) s
UNION ALL SELECT 'alice.quiet_customers', c.id::text, c::text FROM alice.quiet_customers c
UNION ALL SELECT 'alice.plain_customers', c.id::text, c::text FROM alice.plain_customers c
UNION ALL SELECT 'numbers of a group', '', n.last::text FROM calls.quiet_number n
UNION ALL SELECT 'shown to trent', s.no::text, 'of a group' FROM trent.seen s
UNION ALL SELECT 'alice.orders', o.id::text, o::text FROM alice.orders o WHERE o.who NOT IN ('alice', 'clerk')
END
my $GENERATORS = <<"END";
SELECT 'generator', name, concat_ws(' ', name, ordering, 'of ' || owner, 'public ' || is_public, 'first ' || first, CASE name WHEN '|' THEN NULL ELSE 'last ' || last END, 'max ' || max_value, max_range_size,
		domain_bits, created, grants, hub) FROM calls.hilo_generators WHERE lower(name COLLATE \"C\") IN ($quiet)
UNION ALL SELECT 'generator', name, concat_ws(' ', name, ordering, 'of ' || owner, 'max ' || max_value, max_range_size, hub)
	FROM calls.hilo_generators WHERE lower(name) IN ($busy)
UNION ALL SELECT 'reserved name', name, 'of ' || owner FROM calls.hilo_generators WHERE lower(name COLLATE \"C\") ~ '^(hilo\\.|(alice\\.vault|work\\.docs)([.|]|\$))' AND owner IN (SELECT oid FROM pg_roles WHERE rolname IN ($attackers))
END

# Return what remembers how everything is; connect gives a session.
sub new
{
	my ($class, $connect) = @_;
	my $self = bless { connect => $connect, was => {} }, $class;

	$self->{was}{$_} = $self->_state($_) for qw(right row id);
	return $self;
}

# Return the rows of a query, which may die.
sub rows
{
	my ($self, $sql) = @_;

	unless ($self->{session} && !$self->{session}->is_lost)
	{
		$self->{session} = $self->{connect}->('postgres', 'shop') // die "no connection\n";
		$self->{session}->rows('SET search_path = pg_catalog, pg_temp; SET statement_timeout = 30000; SELECT 1');
	}
	return $self->{session}->rows($sql);
}

my %QUERIES = (right => $RIGHTS, row => $ROWS, id => $GENERATORS);

# Return what there is of a kind: of each thing, what is to be said of it.
sub _state
{
	my ($self, $kind) = @_;
	my %state;

	push @{ $state{"$_->[0] $_->[1]"} }, $_->[2] for $self->rows($QUERIES{$kind});
	return { map { $_ => join '; ', sort @{ $state{$_} } } keys %state };
}

# Return what has changed since it was last asked for, of that kind: right, row or id.
sub changes
{
	my ($self, $kind) = @_;
	my $was = $self->{was}{$kind};
	my $is = eval {
		my $first = $self->_state($kind);
		# while a resync ends ranges, what is reserved shows as the last id for a moment
		_differing($was, $first) ? $self->_state($kind) : $first;
	} // return 'cannot be looked at: ' . $@ =~ s/^failed: .*\n(?=\w{5} )//sr;

	$self->{was}{$kind} = $is;
	return map { "$_: " . ($was->{$_} // 'nothing') . ' -> ' . ($is->{$_} // 'nothing') }
	  _differing($was, $is);
}

# Return the things of which two states say something else.
sub _differing
{
	my ($was, $is) = @_;
	my %either = (%$was, %$is);

	return grep { ($was->{$_} // '') ne ($is->{$_} // '') } sort keys %either;
}

# Take it from attackers again that they are superusers, so that the rest of the run shows
# more than that; return those.
sub take_back
{
	my ($self) = @_;
	my @roles = map { $_->[0] } $self->rows("SELECT rolname FROM pg_roles WHERE rolsuper AND rolname IN ($attackers)");

	$self->rows("ALTER ROLE $_ NOSUPERUSER") for @roles;
	return @roles;
}

# Return the roles that have waited for an attacker for too long, except to take ids from his
# own table, or to alter that.
sub waiting
{
	my ($self) = @_;

	return map { "$_->[0] waits for $_->[1]: $_->[2] -- $_->[3]" } $self->rows(<<"END" =~ s/PATIENCE/PATIENCE/er);
SELECT w.usename, b.usename, w.query, b.query
  FROM pg_locks l JOIN pg_stat_activity w USING (pid), unnest(pg_blocking_pids(w.pid)) p
  JOIN (SELECT pid, usename, query FROM pg_stat_activity UNION ALL SELECT 0, 'bob', 'PREPARE TRANSACTION') b ON b.pid = p
 WHERE NOT l.granted AND l.waitstart < clock_timestamp() - interval 'PATIENCE'
   AND w.usename NOT IN ($attackers) AND b.usename IN ($attackers) AND w.query !~ 'hilo_next_(tag_)?1|hilo_next_id_1|hilo_marten_next_hi|tach_2\\(''bob\\.'
END
}

# Return whether hilo leaves workers to others.
sub crowded
{
	my ($self) = @_;

	return map { "$_->[0] workers at once are hilo's" } $self->rows(<<'END');
SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'hilo source worker' HAVING count(*) > current_setting('max_worker_processes')::int / 2
END
}

# Return the sessions that have far more memory than what they do needs, if that can be
# seen: of the attackers', those that a hub has answered.
sub large
{
	my ($self) = @_;

	return map {
		my ($pid, $what) = @$_;
		my $is_there = open my $file, '<', "/proc/$pid/status";

		map { /^RssAnon:\s+(\d+)/ && $1 > LARGE_KB ? "$1 kB: $what" : () } $is_there ? <$file> : ()
	} $self->rows("SELECT pid, concat_ws(' ', backend_type, 'of', usename, left(query, 200)) FROM pg_stat_activity WHERE usename NOT IN ($attackers) OR query LIKE '%frank%'");
}

# Return what the victims wrote down more than once.
sub repeats
{
	my @files = @_;
	my (%seen, @repeats);

	foreach my $file (@files)
	{
		open my $ids, '<', $file or die "$file: $!";
		while (<$ids>)
		{
			chomp;
			push @repeats, $_ if $seen{$_}++ == 1;
		}
	}
	return @repeats;
}

1;
