#
# What there is of hilo to be called and touched, as the catalogs say it, and values for it
# that are extreme, strange, or another role's; and where a finding goes.
#
package Surface;

use strict;
use warnings;

use Exporter 'import';
use JSON::PP;

our @EXPORT = qw(spelled functions triggers relations call_of insert_into value_of one_of quote find);

# No role but alice and the superuser uses these, and they rest.
our @QUIET = qw(quiet_session quiet_global quiet_gapless quiet_scattered quiet_identity| quiet_sequence
  quiet_table quiet_customers super_quiet plain_session plain_gapless alice.plain_customers alice.rests);
# These are in use; shop_N by the role that is first.
our @BUSY = qw(alice.orders alice.letters docs alice.things tickets| work.items part super_hub service alice_private super_lent alice_lent audited);
our @RESERVED = qw(hilo.launch hilo.decimal_id/65 hilo.decimal_id/66 hilo.trace_id/12 hilo.trace_id/13 HILO.LAUNCH hilo.launch| hilo. hılo.launch hİlo.launch);

# The tables with generators or sequences of their own.
our @OWN = qw(alice.orders alice.letters alice.things alice.plain_customers alice.rests work.items);

# Tables that generators take their ids from, as app.odd_KIND: trent's functions, types and
# operators are in what their owner has made of them.
our %ODD = (
	domain => 'ALTER TABLE $t ALTER hi_value TYPE trent.trap_id_type',
	key => 'ALTER TABLE $t ALTER entity_name TYPE trent.trap_text',
	check => q{ALTER TABLE $t ADD CHECK (trent.trap('check'))},
	default => q{ALTER TABLE $t ADD note bigint DEFAULT trent.trap_id('default')},
	generated => q{ALTER TABLE $t ADD note bigint GENERATED ALWAYS AS (hi_value + trent.trap_id('generated')) STORED},
	expression => q{CREATE INDEX ON $t ((hi_value + trent.trap_id('index')))},
	predicate => q{CREATE INDEX ON $t (hi_value) WHERE trent.trap('predicate')},
	opclass => 'CREATE INDEX ON $t (hi_value trent.ops)',
	exclusion => 'ALTER TABLE $t ADD EXCLUDE USING btree (hi_value trent.ops WITH OPERATOR(trent.===))',
	policy => q{ALTER TABLE $t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; CREATE POLICY p ON $t USING (trent.trap('policy'))},
	rule => q{CREATE RULE r AS ON UPDATE TO $t DO ALSO SELECT trent.trap('rule')},
	statistics => q{CREATE STATISTICS app.s ON (hi_value + trent.trap_id('statistics')), hi_value FROM $t},
	when => q{CREATE TRIGGER w BEFORE UPDATE ON $t FOR EACH ROW WHEN (trent.trap('when')) EXECUTE FUNCTION suppress_redundant_updates_trigger()},
	partition => q{CREATE TABLE app.part (CHECK (trent.trap('partition'))) INHERITS ($t)});

# What no role but its owner may read.
our $SECRET = 'topsecret';
our @TABLES = qw(alice.orders alice.letters alice.rests alice.vault alice.quiet_hi alice.quiet_customers alice.quiet_s
  work.vault work.items work.docs work.part_hi app.lent_super app.audited pg_catalog.pg_class pg_catalog.pg_authid
  pg_catalog.pg_auth_members pg_catalog.pg_proc pg_catalog.pg_roles pg_catalog.pg_largeobject
  information_schema.tables pg_catalog.pg_class_oid_index);
our @ROLES = qw(stranger clerk web anon bob frank mallory alice postgres puppet public pg_database_owner
  pg_write_all_data pg_execute_server_program none);
our @SERVERS = qw(super_server trap_server);

# SQL that says so in the server's log if any role runs it.
our @TEXTS = (
	'SELECT evil.ran()', 'evil.ran()', "'||evil.ran()||'", '1; SELECT evil.ran()',
	"x'; SELECT evil.ran(); --",
	'x"; SELECT evil.ran(); --', '(SELECT evil.ran())', '$$; SELECT evil.ran(); --',
	'id) FROM evil.ran() --');

my @NUMBERS = qw(0 1 -1 2 32 1000 65535 1048575 1048576 1048577 2147483647 -2147483648 9007199254740992
  4611686018427387904 9223372036854775806 9223372036854775807 -9223372036854775808);

my %VALUES = (
	bool => [qw(true false)],
	int2 => [qw(0 1 -1 32767 -32768)],
	float8 => [qw(0 0.01 1 -1 1e308 NaN Infinity)],
	bytea => [ '', '\x00', '\x000102030405060708090a0b0c0d0e0f' ],
	timestamptz => [qw(now epoch infinity -infinity), '294276-12-31'],
	interval => [ '1 s', '0', '-1 day', '178000000 years' ],
	int4range => [ 'empty', '[0,1)', '(,)', '[5,1048576)' ],
	_int4 => [ '{}', '{0,1}', '{NULL}', '{2147483647}', '{{1,2},{3,4}}' ],
	cstring => [ 'a', '' ]);

# Write down what should not have been possible.
sub find
{
	my ($self, $kind, $detail) = @_;

	print { $self->{findings} } encode_json([ $kind, $detail ]), "\n";
	return;
}

# Return the names that a victim is the first to use, one in a second, from now on.
sub firsts
{
	my ($role) = @_;

	return map { "$role\_first_$_" } time .. time + 4;
}

sub one_of { return $_[ int rand @_ ] }

# Return a name of a generator, written to be taken for another one.
sub spelled
{
	my ($name) = @_;
	my ($schema, $table) = $name =~ /^(\w+)\.(\w+)$/ or return $name;

	return one_of(($name) x 6, "#$name", "##$name", uc $name, "$schema.\"$table\"",
		"\"$schema\".\"$table\"", "$schema.\"\u$table\"", "$name|", "$name.id", " $name", $table,
		"#$table", "$schema . $table");
}

sub quote
{
	my ($value) = @_;

	return 'NULL' unless defined $value;
	$value =~ s/'/''/g;
	return $value =~ s/\\/\\\\/g ? " E'$value'" : "'$value'";
}

# Return the functions of hilo that SQL can call.  Here and in relations, the session's
# search_path is to be empty.
sub functions
{
	my ($session) = @_;

	return map {
		my ($schema, $name, $kind, $is_set, $defaults, $types, $casts, $names) = @$_;
		{
			schema => $schema, name => $name, kind => $kind, is_set => $is_set eq 't',
				defaults => $defaults,
			types => [ split /,/, $types ], casts => [ split /,/, $casts ],
			names => [ split /,/, $names, -1 ],
		}
	} $session->rows(q{
		SELECT pg_catalog.quote_ident(n.nspname), pg_catalog.quote_ident(p.proname), p.prokind, p.proretset,
			   p.pronargdefaults, COALESCE(a.types, ''), COALESCE(a.casts, ''), COALESCE(a.names, '')
		  FROM pg_catalog.pg_depend d
		  JOIN pg_catalog.pg_extension e ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid
		  JOIN pg_catalog.pg_proc p ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid
		  JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace,
			   LATERAL (SELECT pg_catalog.string_agg(t.typname, ',' ORDER BY i) AS types,
							   pg_catalog.string_agg(pg_catalog.format_type(t.oid, NULL), ',' ORDER BY i) AS casts,
							   pg_catalog.string_agg(COALESCE(p.proargnames[i], ''), ',' ORDER BY i) AS names
						  FROM pg_catalog.unnest(p.proargtypes) WITH ORDINALITY AS u (typ, i)
						  JOIN pg_catalog.pg_type t ON t.oid = u.typ) a
		 WHERE e.extname = 'hilo' AND d.deptype = 'e'
		   AND p.prorettype NOT IN ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
		   AND NOT 'pg_catalog.internal'::pg_catalog.regtype = ANY (p.proargtypes)
		 ORDER BY p.oid});
}

# Return the trigger functions of hilo.
sub triggers
{
	my ($session) = @_;

	return map { $_->[0] } $session->rows(q{
		SELECT p.oid::pg_catalog.regproc FROM pg_catalog.pg_depend d
		  JOIN pg_catalog.pg_extension e ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid
		  JOIN pg_catalog.pg_proc p ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid
		 WHERE e.extname = 'hilo' AND d.deptype = 'e' AND p.prorettype = 'pg_catalog.trigger'::pg_catalog.regtype});
}

# Return the relations of hilo.
sub relations
{
	my ($session) = @_;

	return map {
		my ($schema, $name, $kind, $columns, $types) = @$_;
		{ name => "$schema.$name", relname => $name, kind => $kind,
			columns => [ split /,/, $columns ], types => [ split /,/, $types ] }
	} $session->rows(q{
		SELECT pg_catalog.quote_ident(n.nspname), c.relname, c.relkind, a.columns, a.types
		  FROM pg_catalog.pg_depend d
		  JOIN pg_catalog.pg_extension e ON d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass AND d.refobjid = e.oid
		  JOIN pg_catalog.pg_class c ON d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
		  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace,
			   LATERAL (SELECT pg_catalog.string_agg(a.attname, ',' ORDER BY attnum) AS columns,
							   pg_catalog.string_agg(t.typname, ',' ORDER BY attnum) AS types
						  FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
						 WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) a
		 WHERE e.extname = 'hilo' AND d.deptype = 'e' AND c.relkind IN ('r', 'v', 'm', 'p', 'S', 'f')
		 ORDER BY c.oid});
}

# Return a call of a function, with as many of its arguments as it pleases.
sub call_of
{
	my ($function, $own) = @_;
	my $count = @{ $function->{types} } - int rand($function->{defaults} + 1);
	my @arguments = map {
		# all ids of a set come before a LIMIT, as from generate_series
		my $value = $function->{is_set} && $function->{names}[$_] eq 'count' ? int rand 1000 :
		  value_of($function->{types}[$_], $function->{names}[$_], $own);
		$function->{types}[$_] =~ /^any/ ? $value : "$value\::$function->{casts}[$_]"
	} 0 .. $count - 1;
	my $call = "$function->{schema}.$function->{name}(" . join(', ', @arguments) . ')';

	return "CALL $call" if $function->{kind} eq 'p';
	return "SELECT * FROM $call LIMIT 50" if $function->{is_set};
	return "SELECT $call";
}

# Return an INSERT of some of the columns of a relation.
sub insert_into
{
	my ($relation, $own) = @_;
	my @columns = grep { rand() < 0.7 } 0 .. $#{ $relation->{columns} };

	return "INSERT INTO $relation->{name} DEFAULT VALUES" unless @columns;
	return sprintf 'INSERT INTO %s (%s) VALUES (%s) RETURNING *', $relation->{name},
		join(', ', @{ $relation->{columns} }[@columns]),
	  join(', ', map { value_of($relation->{types}[$_], $relation->{columns}[$_], $own) } @columns);
}

# Return a literal for a parameter or a column of that type and name; own is the schema of
# the role that asks.
sub value_of
{
	my ($type, $name, $own) = @_;
	my $base = $type =~ s/^(?:id63|id53)$/int8/r =~ s/^(?:docid|any|anyelement|varchar)$/text/r;

	return 'NULL' if rand() < 0.05;
	return quote(one_of(@NUMBERS)) if $base =~ /^int[48]$/;
	return quote(_relation($own)) if $base =~ /^(?:regclass|oid)$/;
	return quote(one_of(@ROLES))
	  if $base =~ /^(?:hilo_role|regrole)$/ || ($name // '') =~ /^(?:role|owner)$/;
	return quote(_text($name // '', $own)) if $base eq 'text';
	return quote(one_of(qw(id note who balance hi_value entity_name ctid tableoid), 'no such', "\"",
			@SERVERS, @ROLES, $own))
	  if $base eq 'name';
	return quote('{' . join(',',
			map { my $t = _text('', $own); $t =~ s/([\\"])/\\$1/g; "\"$t\"" } 1 .. rand 4) . '}')
	  if $base =~ /^_(?:text|name)$/;
	return quote(sprintf one_of('{"%s": %s}', '[{"@metadata": {"@id": "Raven/Hilo/%s"}, "Max": %s}]'),
		one_of(@QUIET, @BUSY, 'a'), one_of(@NUMBERS)) if $base eq 'jsonb';
	return quote(one_of(@{ $VALUES{$base} // [''] }));
}

sub _relation
{
	my ($own) = @_;

	return one_of(@TABLES, ("$own.t_" . int rand 12, "$own.hi", "$own.s") x 3, '0', '1',
		'4294967295');
}

sub _text
{
	my ($name, $own) = @_;
	my $which = rand;

	return one_of(qw(session global scattered gapless adopted bogus))
	  if $name eq 'ordering' && $which < 0.8;
	return one_of(qw(marten hibernate-table-pooled-lo hibernate-table-none efcore doctrine camunda classic none))
	  if $name eq 'style' && $which < 0.8;
	return one_of(@TEXTS) if $which < 0.15;
	return spelled(one_of(@QUIET, @QUIET, @BUSY, @RESERVED)) if $which < 0.6;
	return uc one_of(@QUIET, @BUSY) if $which < 0.65;
	return 'shop_' . int rand 12 if $which < 0.7;
	return "${own}_" . int rand 20 if $which < 0.85;
	return one_of('', ' ', '|', '/', '$', "\n", 'é', 'İ', '%s%n', '"', ';', 'x' x 511, 'x' x 513,
		'é|' x 300, 'users/', 'users|', 'hilo.',
		'pg_class', 'users/0000000000000000001-A', 'users/1$orders/54-B');
}

1;
