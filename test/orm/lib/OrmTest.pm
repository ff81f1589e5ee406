# Programs with an ORM and psql sessions, all of them inserting into the same
# tables.

package OrmTest;

use strict;
use warnings;

use Exporter 'import';
use FindBin;
use IPC::Run;
use lib "$FindBin::RealBin/../t/lib";
use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(orm_node orm_folder need need_java fetch why_not_fetched java_program python_folder node_folder php_command dotnet_program
  orm_does new_database is_clean side_by_side client_cases keeps_numbers);

# Each ORM and psql has so many processes, each of them inserts so many rows, a
# multiple of 20.
my $processes = $ENV{ORM_PROCESSES} // 2;
my $rows = $ENV{ORM_ROWS} // 100;

# What the programs of package managers say without a network.
my $no_network = qr/
	ENOTFOUND | EAI_AGAIN | ECONNREFUSED | ETIMEDOUT | ENETUNREACH
	| resolve\ host | name\ resolution | Name\ or\ service\ not\ known
	| Unknown\ host | Network\ is\ unreachable | dial\ tcp
	| NU1301
	| No\ matching\ distribution\ found .* from\ versions:\ none
	/xs;

# What they say of a package, or a version of it, that a registry does not serve.
my $not_served = qr/
	NU110[12]:\ [^\n\[]+
	| (?:No\ matching\ distribution\ found|Could\ not\ find\ a\ version)\ [^\n]+
	| 40[34]\ \w+(?:\ \w+)?\ -\ GET\ \S+ | No\ matching\ version\ found\ for\ \S+
	| Could\ not\ find\ artifact\ \S+ | \S+\ was\ not\ found\ in\ http\S+
	| reading\ \S+:\ (?:403|404|410)\ [^\n]+ | no\ matching\ versions[^\n]+ | \S+\ (?:invalid\ version:\ )?unknown\ revision\ \S+
	| no\ matching\ package\ named\ \S+ | failed\ to\ select\ a\ version\ [^\n]+
	/x;

# Return a server that listens for programs without Unix sockets, too.
sub orm_node
{
	my ($name, $conf) = @_;
	my $node = hilo_node($name, conf => "listen_addresses = '127.0.0.1'\n" . ($conf // ''));

	$ENV{ORM_HOST} = '127.0.0.1';
	$ENV{ORM_PORT} = $node->port;
	return $node;
}

# Return a new folder with a copy of the sources of a suite.
sub orm_folder
{
	my ($suite) = @_;
	my $folder = PostgreSQL::Test::Utils::tempdir;

	IPC::Run::run([ 'cp', '-r', "$FindBin::RealBin/$suite/.", $folder ]) or die "could not copy $suite";
	return $folder;
}

# Skips the suite unless a command runs, and says what it is.
sub need
{
	my ($what, @command) = @_;
	my $output = '';

	return if eval { IPC::Run::run(\@command, '<', \undef, '>&', \$output) };
	plan skip_all => "needs $what";
}

# Gets what a lockfile names, or skips the suite if that is not to be had.
sub fetch
{
	my ($folder, @command) = @_;
	my $output = '';

	IPC::Run::run(\@command, '<', \undef, '>&', \$output, init => sub { chdir $folder })
	  and return;
	my $why = why_not_fetched($output);
	plan skip_all => "@command[0 .. 1]: $why" if $why;
	die "@command failed:\n$output";
}

# Return by the output of a package manager why something cannot be had; '' for a failure.
sub why_not_fetched
{
	my ($output) = @_;

	return $output =~ $no_network ? 'no network' : $output =~ /($not_served)/ ? "not served: $1" : '';
}

sub need_java
{
	# for the compiler, Maven and the programs, which all run for seconds
	$ENV{JAVA_TOOL_OPTIONS} = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
	need('Java 17 or later', 'sh', '-c', 'javac -version 2>&1 | grep -E "javac (1[7-9]|[2-9][0-9])"');
	need('Maven', 'sh', '-c', 'command -v mvn');
	return;
}

# Get what a pom names, and compile a suite for Java, or skip it.  Return the folder, and
# the command that runs a class.  Its first run, of which there is one at a time, keeps
# the classes for the others.
sub java_program
{
	my ($suite, $class, $pom) = @_;

	need_java();
	my $folder = orm_folder($suite);
	fetch($folder, 'mvn', '-q', '-B', '-f', $pom // 'pom.xml',
		'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies', '-DoutputDirectory=lib');
	orm_does($folder, 'sh', '-c', 'javac -cp "lib/*" -d . *.java && jar -cf lib/suite.jar $(ls -I lib)');
	append_to_file("$folder/java", <<'END');
#!/bin/sh
kept=${0%/*}/kept.jsa
test -f "$kept" && option=SharedArchiveFile || option=ArchiveClassesAtExit
exec java -Xlog:disable -XX:$option="$kept" "$@"
END
	chmod 0755, "$folder/java";
	return ($folder, "$folder/java", '-cp', "$folder/lib/*", $class);
}

# Return a folder with the sources of a suite for Python, and what its requirements name,
# or skip it.
sub python_folder
{
	my ($suite, @options) = @_;

	need('Python 3.10 or later with venv', 'python3', '-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))');
	need('pip 22.3 or later', 'sh', '-c', 'python3 -m pip --python "$(command -v python3)" --version');
	my $folder = orm_folder($suite);
	IPC::Run::run([ 'cp', "$FindBin::RealBin/lib/invoices.py", $folder ]) or die 'could not copy invoices.py';
	# a newer pip would take longer to come than what it installs
	fetch($folder, 'python3', '-m', 'venv', '--without-pip', 'venv');
	fetch($folder, 'python3', '-m', 'pip', '--python', 'venv/bin/python', 'install', '-q', '--no-deps', '--no-compile', @options, '-r', 'requirements.txt');
	return $folder;
}

# Return a folder with the sources of a suite for Node.js, and what its lockfile names, or
# skip it.
sub node_folder
{
	my ($suite, @options) = @_;

	need('Node.js 20 or later', 'sh', '-c', 'node --version | grep -E "^v([2-9][0-9])"');
	need('npm', 'npm', '--version');
	my $folder = orm_folder($suite);
	fetch($folder, 'npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional',
		'--fetch-retries=1', '--fetch-timeout=60000', @options);
	return $folder;
}

# Return the command that runs PHP with these packages of Debian, or skip the suite unless
# the condition holds with the autoloader of its ORM.
sub php_command
{
	my ($what, $autoload, $condition, @packages) = @_;
	my $debian = debian_folder('php-cli', 'php-pgsql', 'php-mbstring', @packages);
	plan skip_all => "php-cli, php-pgsql, php-mbstring, @packages are not to be had" unless defined $debian;
	my @php = (
		(glob "$debian/usr/bin/php[0-9]*")[-1], '-n',
		'-d', "include_path=.:$debian/usr/share/php",
		'-d', 'extension_dir=' . (glob "$debian/usr/lib/php/20*")[-1],
		map { ('-d', "extension=$_") } 'pdo', 'pdo_pgsql', 'ctype', 'mbstring');

	need($what, @php, '-r', "error_reporting(0); require '$autoload'; exit($condition ? 0 : 1);");
	return @php;
}

# Get what the project of a suite for .NET names, and build it, or skip the suite.  Return
# the folder, and the command.
sub dotnet_program
{
	my ($suite) = @_;

	need('the .NET SDK 10 or later', 'sh', '-c', 'dotnet --version | grep -E "^[1-9][0-9]"');
	my $folder = orm_folder($suite);
	# a hidden folder, of which the project compiles nothing
	$ENV{DOTNET_CLI_HOME} = $ENV{NUGET_PACKAGES} = "$folder/.packages";
	$ENV{DOTNET_CLI_TELEMETRY_OPTOUT} = 1;
	# a build server would stay, with the pipe that this waits for
	fetch($folder, 'dotnet', 'build', '--disable-build-servers', '-v', 'quiet', '-o', "$folder/built");
	return ($folder, 'dotnet', "$folder/built/Insert.dll");
}

# Run a program that must not fail; return its output.
sub orm_does
{
	my ($folder, @command) = @_;
	my ($output, $errors) = ('', '');

	IPC::Run::run(\@command, '<', \undef, '>', \$output, '2>', \$errors, init => sub { chdir $folder })
	  or die "@command failed:\n$output$errors";
	return $output;
}

# Make a database with hilo, which belongs to a role that is no superuser.
sub new_database
{
	my ($node, $database) = @_;

	$node->safe_psql('postgres', qq{
		DO \$\$ BEGIN
			CREATE ROLE app LOGIN;
		EXCEPTION WHEN duplicate_object THEN
			NULL;
		END \$\$});
	$node->safe_psql('postgres', "CREATE DATABASE $database OWNER app");
	$node->safe_psql($database, 'CREATE EXTENSION hilo');
	return;
}

# Check that a tool finds nothing to do.
sub is_clean
{
	my ($folder, $command, $name) = @_;

	ok(eval { orm_does($folder, @$command); 1 }, $name) or diag($@);
	return;
}

# Run processes of a program, which gets the name of the writer, the number of
# rows and the tables as its last arguments, and prints "TABLE ID" for each row that
# it knows of in the end; and psql sessions that leave the id to the default, side by
# side.  Then looks at what is in the tables, which have columns "id" and "writer".
# A table may come with an expression that gives the block of an id: then each block
# must have one owner.
sub side_by_side
{
	my ($node, $what, %params) = @_;
	my @tables = sort keys %{ $params{tables} };
	my (@programs, @sessions);
	my $scripts = PostgreSQL::Test::Utils::tempdir;

	foreach my $i (1 .. $processes)
	{
		my $script = "$scripts/sql-$i.sql";

		append_to_file($script, join '', map { inserts_of($_, "sql-$i", 'program%') } @tables);
		push @programs, program("$what: program $i", \%params, "program-$i", $rows, @tables);
		push @sessions, session("$what: session $i", $node->connstr('postgres'), $script);
	}
	if (grep { !finished($_) } @programs)
	{
		$_->{process}->kill_kill foreach @sessions;
		return;
	}
	finished($_) foreach @sessions;
	look_at($node, $what, $_, $params{tables}{$_}, map { $_->{output} } @programs) foreach @tables;
	note_together($node, $what, $_) foreach @tables;
	return;
}

# Run a program that inserts into a table, in these cases, each alongside sessions that leave the id to the
# default.  It gets the case, a number of rows and the table; its writer is "program-CASE", and it prints
# "TABLE ID" for each row:
#
#	tasks		by each of 32 threads or tasks at once
#	databases	by turns into the databases postgres and other, each row like the last
#	models		by turns into the tables "models"
#
# "killed" gets what a program of side_by_side gets, and is killed; another one goes on.
sub client_cases
{
	my ($node, $what, %params) = @_;
	my $table = $params{table};

	$node->safe_psql('postgres', 'CREATE DATABASE other TEMPLATE postgres');
	foreach my $case (@{ $params{cases} })
	{
		my @databases = ('postgres', $case eq 'databases' ? 'other' : ());
		my $script = PostgreSQL::Test::Utils::tempdir . '/beside.sql';
		append_to_file($script, inserts_of($table, "sql $case", "program-$case"));

		subtest "$what: $case" => sub {
			return models($node, \%params) if $case eq 'models';
			my @sessions = map { session("SQL in $_", $node->connstr($_), $script) } @databases;

			kill_program($node, \%params) if $case eq 'killed';
			my $program = program('program', \%params, $case eq 'killed' ? "program-$case" : $case,
				$case eq 'tasks' ? 20 : 40, $table);
			return map { $_->{process}->kill_kill } @sessions if !finished($program);
			finished($_) foreach @sessions;
			look_at_case($node, "program-$case", $table, $program->{output}, @databases);
		};
	}
	return;
}

# Have a program save an invoice that is posted, and another one as a draft; then post
# the draft.  It changes the total of each once it is posted, and prints the number that it has
# after each save of a posted one.
sub keeps_numbers
{
	my ($node, $what, $folder, @command) = @_;

	$node->safe_psql('postgres', q{
		DROP TABLE IF EXISTS invoices;
		CREATE TABLE invoices (
			id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, customer int, state text, total int, number int);
		CREATE TRIGGER number BEFORE INSERT OR UPDATE ON invoices FOR EACH ROW WHEN (NEW.state <> 'draft')
			EXECUTE FUNCTION hilo_number_assign('number', 'gapless', 'customer')});
	subtest "$what: a number per group" => sub {
		is(join(' ', split ' ', orm_does($folder, @command)), '1 1 2 2', 'is read back and kept');
		is($node->safe_psql('postgres', 'SELECT customer, state, total, number FROM invoices ORDER BY id'),
			"7|posted|20|1\n7|posted|20|2", 'and in the rows');
	};
	return;
}

# Kill a program in the middle of its work.
sub kill_program
{
	my ($node, $params) = @_;
	my $table = $params->{table};
	my $victim = program('victim', $params, 'program-victim', 1_000_000, $table);

	$node->poll_query_until('postgres', "SELECT count(*) > 20 FROM $table WHERE writer = 'program-victim'")
	  or die "no rows of the program: $victim->{output}";
	$victim->{process}->signal('KILL');
	$victim->{process}->finish;
	return;
}

# Run a program with several models.
sub models
{
	my ($node, $params) = @_;
	my @tables = @{ $params->{models} };

	# its ids would not be those of the others
	$node->safe_psql('postgres', "SELECT hilo_next_range('" . generator_of($node, $tables[0]) . "', 1000)");
	my $program = program('program', $params, 'models', 40 * @tables, @tables);
	return if !finished($program);
	look_at_case($node, 'program-models', $_, $program->{output}, 'postgres') foreach @tables;
	return;
}

# A program has the ids of its rows, and those of each database come from there; but the
# blocks that an ORM takes from its own source are none of hilo's.
sub look_at_case
{
	my ($node, $writer, $table, $output, @databases) = @_;
	my @ids = map { split /\n/, $node->safe_psql($_, "SELECT id FROM $table WHERE writer = '$writer'") } @databases;
	my $generator = generator_of($node, $table);

	is(join(' ', sort { $a <=> $b } $output =~ /^\Q$table\E (\d+)$/mg), join(' ', sort { $a <=> $b } @ids), 'the ids of its rows');
	cmp_ok(scalar @ids, '>=', 40, 'all of them') or diag($output);
	is($node->safe_psql($_, "SELECT max(id) <= (SELECT last FROM hilo_generators() WHERE name = '$generator') FROM $table"),
		't', "$_: ids of its generator")
	  foreach grep { $node->safe_psql($_, "SELECT count(*) FROM hilo_sources() WHERE name = '$generator'") eq '0' } @databases;
	return;
}

# Return the name of a table's generator, whether or not its column has a default.
sub generator_of
{
	my ($node, $table) = @_;

	return $node->safe_psql('postgres', "SELECT hilo_generator_of('$table', 'id')") || $table;
}

# Start a program, which must end some day.
sub program
{
	my ($name, $params, @arguments) = @_;
	my $init = sub { chdir $params->{folder}; alarm 3 * $PostgreSQL::Test::Utils::timeout_default };

	return started($name, $init, @{ $params->{program} }, @arguments);
}

sub session
{
	my ($name, $connstr, $script) = @_;

	return started($name, sub { }, 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $connstr, '-f', $script);
}

# Start a process.  It reads nothing: what IPC::Run has for it, it would give only
# to one that it waits for.
sub started
{
	my ($name, $init, @command) = @_;
	my $run = { name => $name, output => '' };

	$run->{process} = IPC::Run::start(\@command, '<', \undef, '>&', \$run->{output}, init => $init);
	return $run;
}

sub finished
{
	my ($run) = @_;

	my $is_ok = ok($run->{process}->finish, $run->{name});

	diag($run->{output}) unless $is_ok;
	return $is_ok;
}

# Return the statements of a session, which begin when a program has begun: those
# take longer to start than psql does.
sub inserts_of
{
	my ($table, $writer, $program) = @_;
	my $insert = "INSERT INTO $table (writer) VALUES ('$writer');\n";
	my $wait = qq{
		DO \$\$ BEGIN
			FOR i IN 1 .. 60000 LOOP
				IF EXISTS (SELECT FROM $table WHERE writer LIKE '$program') THEN
					RETURN;
				END IF;
				PERFORM pg_sleep(0.01);
			END LOOP;
			RAISE 'no program has a row in $table';
		END \$\$;
	};

	return join '', $wait, map { $_ % 10 ? $insert : "BEGIN; $insert; ROLLBACK; $insert" } 1 .. $rows;
}

# Notes how many rows of sessions came between the first and the last transaction of
# the programs: some of these are done in no time.
sub note_together
{
	my ($node, $what, $table) = @_;

	note("$what: $table: rows of sessions among those of programs: ", $node->safe_psql('postgres', qq{
		WITH t AS (SELECT writer, xmin::text::bigint AS xid FROM $table),
			p AS (SELECT min(xid) AS first, max(xid) AS last FROM t WHERE writer LIKE 'program%')
		SELECT count(*) FROM t, p WHERE writer LIKE 'sql%' AND xid BETWEEN first AND last}));
	return;
}

sub look_at
{
	my ($node, $what, $table, $block, @outputs) = @_;
	my $session = hilo_session($node);
	my $value = sub { run_in($session, $_[0]) };

	subtest "$what: $table" => sub {
		my $writers = join ' ', map { my $kind = $_; map { "$kind-$_:$rows" } 1 .. $processes } 'program', 'sql';
		is( $value->("SELECT string_agg(writer || ':' || rows, ' ' ORDER BY writer)
					  FROM (SELECT writer, count(*) AS rows FROM $table WHERE writer ~ '-' GROUP BY 1) t"),
			$writers, 'the rows of each writer');
		is($value->("SELECT count(*) - count(DISTINCT id) FROM $table"), 0, 'no id twice');
		is($value->("SELECT min(id) >= 1 FROM $table"), 't', 'no id below 1');
		foreach my $i (1 .. $processes)
		{
			is( join(' ', sort { $a <=> $b } $outputs[ $i - 1 ] =~ /^\Q$table\E (\d+)$/mg),
				$value->("SELECT string_agg(id::text, ' ' ORDER BY id) FROM $table WHERE writer = 'program-$i'"),
				"program $i has the ids of its rows");
		}
		return if !$block;

		# psql sessions carve their ranges from a window that they share
		is( $value->("SELECT $block, string_agg(DISTINCT owner, ' ')
					  FROM (SELECT *, regexp_replace(writer, '^sql-.*', 'sql') AS owner FROM $table) t
					  GROUP BY 1 HAVING count(DISTINCT owner) > 1"),
			'', 'each block has one owner: hilo or a program');
		is($value->("SELECT count(DISTINCT $block) > 4 * $processes FROM $table"), 't', 'there are several blocks');
	};
	end_session($session);
	return;
}

1;
