
# The examples of the documentation do what it says: each statement in a fenced
# block of SQL runs, and if a comment follows it, that is its result.  Code of
# programs is shown as it runs in tests.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $top = "$FindBin::RealBin/../../..";
my @orm = map { /([^\/]+)$/ } glob "$top/doc/orm*.md";
my $node = hilo_node('examples', conf => 'hilo.prefetch = off');

examples_of('ravendb.md');
examples_of('../README.md');
examples_of('operations.md', 'Poolers');
examples_of('servers.md', 'Numbers without a link');
foreach my $page ('generators.md', 'reference.md', 'groups.md', 'recipes.md', @orm)
{
	examples_of($page, $_) foreach sections_with_sql($page);
}
programs_of(@orm, 'recipes.md');
recipes_of(@orm);
import_of('ravendb.md', 1000);
export_of('ravendb.md');
links_of($_)
  foreach ("$top/README.md", glob "$top/[CS]*.md $top/doc/*.md $top/src/*.md $top/src/*/*.md");

comments_of(glob "$top/doc/*.md");
servers_of("$top/README.md", "$top/CONTRIBUTING.md", "$top/SECURITY.md",
	glob "$top/doc/*.md $top/test/*/*.md");

$node->stop;
done_testing();

# Each line of the install script's comments on what is for users is in the words of the reference.
sub comments_of
{
	my $words = words_of(map { slurp_file($_) } @_);
	my $comments = $node->safe_psql(
		'postgres', q{
		SELECT DISTINCT d.description FROM pg_description d
		  JOIN pg_depend p ON (p.classid, p.objid) = (d.classoid, d.objoid)
		  JOIN pg_extension e ON p.refclassid = 'pg_extension'::regclass AND p.refobjid = e.oid
		 WHERE p.deptype = 'e' AND e.extname = 'hilo'
		   AND (pg_identify_object(d.classoid, d.objoid, 0)).identity !~ '^hilo_internal'});

	is(join("\n", grep { index($words, words_of($_)) < 0 } split /\n/, $comments), '',
		'comments are in the reference');
}

# Return text without its markup, in lower case.
sub words_of
{
	return lc join ' ', split ' ', join(' ', @_) =~ s/\[([^]]*)\]\([^)]*\)/$1/gr =~ s/[`*]//gr;
}

# Run the examples of a page, or of one of its sections, in a database of their
# own and in one session.
sub examples_of
{
	my ($page, $section) = @_;
	my $what = join ', ', $page, $section // ();
	my $text = slurp_file("$top/doc/$page");
	my $database = lc $what =~ s/\W+/_/gr;
	my $statements = 0;
	my $results = 0;
	my $reloaded;

	$text = section_of($text, $section) if defined $section;
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, 'CREATE EXTENSION hilo') unless $text =~ /^CREATE EXTENSION hilo;/m;
	my $session = $node->background_psql($database, on_error_stop => 0);
	run_in($session, "\\pset fieldsep ' | '");

	foreach my $block (blocks_of($text, qr/sql/))
	{
		while ($block->{text} =~ /\G((?:\$\$.*?\$\$|.)*?;)[ \t]*(?:-- (.*?))?\n/sg)
		{
			my ($statement, $expected) = ($1, $2);
			my $result = $session->query($statement);

			is($session->{stderr}, '', "$what: $statement");
			$session->{stderr} = '';
			$statements++;
			$reloaded = "SELECT current_setting('$1', true) = '$2'"
			  if $statement =~ /ALTER SYSTEM SET (\S+) = (\S+);/;
			$node->poll_query_until($database, $reloaded) if $statement =~ /pg_reload_conf/;
			next unless defined $expected;
			is($result =~ s/\n/, /gr, $expected, "$what: result of $statement");
			$results++;
		}
	}
	ok($statements >= 2 && $results > 0, "$what: $statements examples, $results with a result");
	end_session($session);
	return;
}

# Look for each block of pages that names a file, in that file; what follows the
# name says how things are called there, as in "orders:by_default".
sub programs_of
{
	my @blocks = grep { $_->{info} =~ / / } map { blocks_of(slurp_file("$top/doc/$_"),
			qr/[^\n]+/) } @_;

	cmp_ok(scalar @blocks, '>', 10, "programs");
	foreach my $block (@blocks)
	{
		my (undef, $file, @names) = split ' ', $block->{info};
		my $shown = join ' ', split ' ', $block->{text};
		my $runs = join ' ', split ' ', slurp_file("$top/$file");

		foreach my $name (@names)
		{
			my ($from, $to) = split /:/, $name;
			$shown =~ s/$from/$to/g;
		}
		isnt(index($runs, $shown), -1, "program of $file") or diag($shown);
	}
	return;
}

# Run the import of a page, with more counters than the argument of a command holds.
sub import_of
{
	my ($page, $counters) = @_;
	my $folder = PostgreSQL::Test::Utils::tempdir();
	my $moved = 'moved' x 30;
	my ($import) = blocks_of(slurp_file("$top/doc/$page"), qr/sh/);

	append_to_file("$folder/hilo.json",
		'{"Results": [' . join(',',
			map { qq({"Max": $_, "\@metadata": {"\@id": "Raven/Hilo/$moved$_"}}) } 1 .. $counters) . ']}');
	append_to_file("$folder/identities.json",
		'{' . join(',', map { qq("$moved$_|": $_) } 1 .. $counters) . '}');
	my $output = run_sh("cd $folder; $import->{text}",
		PGHOST => $node->host, PGPORT => $node->port, PGDATABASE => 'postgres',
		PSQLRC => '/dev/null');
	like($output, qr/moved$counters\| *\| *$counters\n.*\b@{[ 2 * $counters ]} rows/s,
		"$page: imports");
	return;
}

# Run the export of a page, the last of its blocks for the shell, and import that into
# another database.
sub export_of
{
	my ($page) = @_;
	my $folder = PostgreSQL::Test::Utils::tempdir();
	my @blocks = blocks_of(slurp_file("$top/doc/$page"), qr/sh/);
	my %connection = (PGHOST => $node->host, PGPORT => $node->port, PSQLRC => '/dev/null');
	my $counters = q{SELECT name, last FROM hilo_generators() WHERE name IN ('given', 'given|') ORDER BY name};
	my $own = q{SELECT count(*) FROM hilo_generators() WHERE name LIKE 'hilo.%'};

	$node->safe_psql('postgres', "CREATE DATABASE $_") foreach 'gives', 'gets';
	$node->safe_psql($_, 'CREATE EXTENSION hilo') foreach 'gives', 'gets';
	$node->safe_psql('gives',
		q{SELECT hilo_seed('given', 41), hilo_next_tag('given'), identity_seed('given', 7), document_id('given/'), hilo_seed('hilo.own', 5)});
	wait_for_sessions($node, 0);
	run_sh("cd $folder; $blocks[-1]{text}", %connection, PGDATABASE => 'gives');
	run_sh("cd $folder; $blocks[0]{text}", %connection, PGDATABASE => 'gets');
	is($node->safe_psql('gets', $counters), $node->safe_psql('gives', $counters),
		"$page: gives the counters back");
	is($node->safe_psql('gets', $own), '0', "$page: but none of hilo's own");
	is($node->safe_psql('gets', q{SELECT hilo_next_tag('given') > 42, identity_next('given')}),
		't|8', "$page: and they continue");
	return;
}

# Look for what people search for, and for a recipe for each of the ORMs that are used most.
sub recipes_of
{
	my $text = join "\n", map { slurp_file("$top/doc/$_") } @_;
	my @recipes = ('Spring Data', 'Quarkus', 'MikroORM', 'Kysely', 'TypeORM', 'sqlx', 'Diesel',
		'SeaORM', 'pgx', 'ent',
		'sqlc', 'GORM', 'ActiveRecord', 'Laravel', 'Ecto', 'Django', 'SQLAlchemy', 'Peewee',
		'Prisma', 'EF Core (Npgsql)');

	is(join(', ', grep { (section_of($text, $_) // '') !~ /^ *```\w/m } @recipes), '',
		'ORMs: a recipe for each');
	is(join(', ', grep { slurp_file("$top/doc/orm.md") !~ /\Q$_/ } 'duplicate key after import.sql',
			'negative ids',
			'increment size mismatch', 'allocationSize', 'HHH-18818'), '', 'orm.md: is found');
	return;
}

# Look for what the links of a page lead to.
sub links_of
{
	my ($page) = @_;
	my ($folder, $name) = $page =~ m{(.*)/(.*)};
	my @dead;

	foreach my $link (slurp_file($page) =~ /\]\((?!\w+:)([^)\s]+)\)/g)
	{
		my ($file, $anchor) = $link =~ /^([^#]*)#?(.*)$/;
		my $path = $file eq '' ? $page : "$folder/$file";

		push @dead, $link
		  unless -e $path
		  && ($anchor eq '' || grep { $_ eq $anchor } anchors_of(slurp_file($path)));
	}
	is("@dead", '', "$name: links");
	return;
}

# A page that says "make" says how to choose the server, or where to read it.
sub servers_of
{
	my @silent = grep { my $text = slurp_file($_); $text =~ /`make |^\s*make /m
	  && $text !~ /PG_CONFIG|install\.md#with-a-compiler/ } @_;

	is(join(' ', map { s{.*/}{}r } @silent), '', 'make has a server');
	return;
}

# Return the anchors of a text's headings.
sub anchors_of
{
	my ($text) = @_;

	return map { lc =~ s/[^\w -]//gr =~ s/ /-/gr } $text =~ /^#+ (.*)$/mg;
}

# Return the fenced blocks of a text, also those in a list, by what stands after the
# fence.
sub blocks_of
{
	my ($text, $wanted) = @_;
	my @blocks;

	while ($text =~ /^( *)```($wanted)\n(.*?)^\1```$/msg)
	{
		my ($indent, $info, $block) = ($1, $2, $3);
		push @blocks, { info => $info, text => $block =~ s/^$indent//mgr };
	}
	return @blocks;
}

sub section_of
{
	my ($text, $section) = @_;

	return ($text =~ /^## \Q$section\E$(.*?)(?=^## |\z)/ms)[0];
}

sub sections_with_sql
{
	my ($page) = @_;
	my $text = slurp_file("$top/doc/$page");

	return grep { blocks_of(section_of($text, $_), qr/sql/) } $text =~ /^## (.*)$/mg;
}
