#
# Functions that make their owner a superuser if a role that can runs them, and say in the
# server's log which role ran them.  They take it back at once: what the other attackers find is
# not to be had by a superuser.
#
package Traps;

use strict;
use warnings;

our @ATTACKERS = qw(stranger clerk web anon spoke bob frank mallory trent);

# Return the statements that make them in a schema.  They do nothing where an attacker
# runs them, unless that is for another role, which can be taken on.
sub functions
{
	my ($schema, $owner) = @_;
	my $attackers = join ', ', map { "'$_'" } @ATTACKERS;

	return split /;;\n/, <<"END";
CREATE OR REPLACE FUNCTION $schema.trap_do(code pg_catalog.text) RETURNS pg_catalog.bool LANGUAGE plpgsql SET search_path = pg_catalog AS \$trap\$
BEGIN
	IF current_user = ANY (ARRAY[$attackers]) THEN
		IF session_user = ANY (ARRAY[$attackers]) THEN
			RETURN true;
		END IF;
		PERFORM set_config('role', 'none', true);
		IF current_user = ANY (ARRAY[$attackers]) THEN
			RETURN true;
		END IF;
	END IF;
	RAISE LOG 'HILO_ATTACK trap "%" of $owner ran as % in a session of %', code, current_user, session_user;
	ALTER ROLE $owner SUPERUSER;
	ALTER ROLE $owner NOSUPERUSER;
	RAISE LOG 'HILO_ATTACK trap "%" made $owner a superuser', code;
	RETURN true;
EXCEPTION WHEN OTHERS THEN
	RETURN true;
END \$trap\$;;
CREATE OR REPLACE FUNCTION $schema.trap(code pg_catalog.text DEFAULT '') RETURNS pg_catalog.bool LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN RETURN $schema.trap_do(code); END';;
CREATE OR REPLACE FUNCTION $schema.trap_id(code pg_catalog.text DEFAULT '') RETURNS pg_catalog.int8 LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN PERFORM $schema.trap_do(code); RETURN 0; END';;
CREATE OR REPLACE FUNCTION $schema.trap_row() RETURNS pg_catalog.trigger LANGUAGE plpgsql AS
	'BEGIN PERFORM $schema.trap_do(TG_NAME); RETURN NEW; END';;
CREATE OR REPLACE FUNCTION $schema.ran() RETURNS pg_catalog.text LANGUAGE plpgsql AS
	'BEGIN RAISE LOG ''HILO_ATTACK text ran as % in a session of %'', current_user, session_user; RETURN ''''; END';;
CREATE DOMAIN $schema.trap_id_type AS pg_catalog.int8 CHECK ($schema.trap('domain'));;
CREATE DOMAIN $schema.trap_text AS pg_catalog.text CHECK ($schema.trap('domain'));;
GRANT USAGE ON SCHEMA $schema TO PUBLIC
END
}

# Return the statements that make what is run later than it was asked for: in the end of a
# transaction, or after another function has changed it.
sub deferring
{
	my ($schema) = @_;

	return split /;;\n/, <<"END";
CREATE TABLE $schema.queue (i int);;
CREATE CONSTRAINT TRIGGER late AFTER INSERT ON $schema.queue DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION $schema.trap_row();;
CREATE TABLE $schema.notes (i int);;
CREATE CONSTRAINT TRIGGER late_note AFTER INSERT ON $schema.notes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION $schema.trap_row();;
CREATE FUNCTION $schema.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RETURN NEW; END';;
CREATE FUNCTION $schema.compare(bigint, bigint) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN PERFORM $schema.trap_do(''operator class''); RETURN btint8cmp(\$1, \$2); END';;
CREATE FUNCTION $schema.equal(bigint, bigint) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN PERFORM $schema.trap_do(''operator''); RETURN \$1 = \$2; END';;
CREATE OPERATOR $schema.=== (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = $schema.equal, COMMUTATOR = OPERATOR($schema.===))
END
}

# Return the statement that takes from those of a schema what they do, until functions has
# made them again.
sub disarm
{
	my ($schema) = @_;

	return "CREATE OR REPLACE FUNCTION $schema.trap_do(code pg_catalog.text) RETURNS pg_catalog.bool LANGUAGE sql AS 'SELECT true'";
}

# Return the statement that makes functions, operators, views and types of the names of
# pg_catalog's, for a role with that schema first in its path.
sub before_pg_catalog
{
	my ($schema) = @_;

	return make_each($schema, <<'END');
		SELECT format('CREATE FUNCTION TRAPS.%I(%s) RETURNS %s LANGUAGE plpgsql %s AS %L', p.proname, pg_get_function_identity_arguments(p.oid),
					  pg_get_function_result(p.oid), CASE WHEN p.proisstrict THEN 'STRICT' END,
					  format('BEGIN PERFORM TRAPS.trap_do(%L); RETURN pg_catalog.%I(%s); END', p.proname, p.proname,
							 (SELECT string_agg('$' || i, ', ') FROM generate_series(1, p.pronargs) i))) AS command
		  FROM pg_proc p
		 WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND NOT p.proretset AND p.provariadic = 0 AND p.proargmodes IS NULL
		   AND NOT EXISTS (SELECT FROM pg_type t WHERE t.typtype = 'p' AND (t.oid = p.prorettype OR t.oid = ANY (p.proargtypes)))
		UNION ALL
		SELECT format('CREATE OPERATOR TRAPS.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = TRAPS.%I)', o.oprname,
					  format_type(o.oprleft, NULL), format_type(o.oprright, NULL), p.proname)
		  FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode
		 WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprleft <> 0
		UNION ALL
		SELECT format('CREATE VIEW TRAPS.%I AS SELECT * FROM pg_catalog.%I WHERE TRAPS.trap(%L)', relname, relname, relname)
		  FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v')
		UNION ALL
		SELECT format('CREATE DOMAIN TRAPS.%I AS pg_catalog.%I CHECK (TRAPS.trap(%L))', typname, typname, typname)
		  FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype = 'b' AND typname !~ '^_'
END
}

# Return the statement that runs the commands of a query, as far as they succeed.
sub make_each
{
	my ($schema, $query) = @_;

	return <<"END" =~ s/TRAPS/$schema/gr;
DO \$do\$
DECLARE
	made pg_catalog.record;
BEGIN
	FOR made IN
$query	LOOP
		BEGIN
			EXECUTE made.command;
		EXCEPTION WHEN OTHERS THEN
		END;
	END LOOP;
	GRANT ALL ON ALL TABLES IN SCHEMA TRAPS TO PUBLIC;
END \$do\$
END
}

# Return the statement that makes functions and views of the names of those in another
# schema.
sub copies
{
	my ($from, $schema) = @_;

	return make_each($schema, <<'END' =~ s/ORIGINAL/$from/gr);
		SELECT pg_catalog.format('CREATE FUNCTION TRAPS.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', p.proname, pg_catalog.pg_get_function_arguments(p.oid),
					  pg_catalog.pg_get_function_result(p.oid), pg_catalog.format('BEGIN PERFORM TRAPS.trap_do(%L); RAISE ''gone''; END', p.proname)) AS command
		  FROM pg_catalog.pg_proc p WHERE p.pronamespace OPERATOR(pg_catalog.=) 'ORIGINAL'::pg_catalog.regnamespace
		UNION ALL
		SELECT pg_catalog.format('CREATE VIEW TRAPS.%I AS SELECT %s WHERE TRAPS.trap(%L)', c.relname,
					  (SELECT pg_catalog.string_agg(pg_catalog.format('NULL::%s AS %I', pg_catalog.format_type(a.atttypid, a.atttypmod), a.attname), ', ')
						 FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped), c.relname)
		  FROM pg_catalog.pg_class c WHERE c.relnamespace = 'ORIGINAL'::pg_catalog.regnamespace AND c.relkind IN ('r', 'v')
END
}

1;
