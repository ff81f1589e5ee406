# hilo in its own folder, as the page of the installation says, with a server that has
# no other hilo: the functions, the workers, preloading and pg_upgrade find it there.  So does
# a server that CloudNativePG gives the image volume of the Dockerfile.

use strict;
use warnings;

use File::Basename qw(basename);
use FindBin;
use lib "$FindBin::RealBin/../lib";

use HiloTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'no sources here' unless -f 'src/hilo.c' && -f 'Makefile';
plan skip_all => 'before PostgreSQL 18 an extension has one place'
  if (run_command([ $ENV{PG_CONFIG}, '--version' ]))[0] =~ /PostgreSQL 1[5-7]\b/;

my $folder = PostgreSQL::Test::Utils::tempdir_short() . '/hilo';
my $page = slurp_file('doc/install.md');
my ($install) = grep { /datadir=/ } $page =~ /^```sh\n(.*?)^```/msg;
my ($conf) = $page =~ /^```ini\n(extension_control_path.*?)^```/ms;

run_sh(in_folder($install) =~ s/\bsudo //gr =~ s{ PG_CONFIG=\S+}{}gr);
my $server = server_without_hilo();
my $old = node_with('old', in_folder($conf));
$old->start;

like($old->safe_psql('postgres', q{
		CREATE EXTENSION hilo;
		SELECT hilo_next_tag('orders');
		SELECT pg_read_file('/proc/' || pg_backend_pid() || '/maps')}),
	qr{^1\n.* \Q$folder\E/lib/hilo\.so$}ms, 'the library is that of the folder');
$old->safe_psql('postgres', q{
	CREATE TABLE hibernate_unique_key (next_hi int);
	INSERT INTO hibernate_unique_key VALUES (7);
	SELECT hilo_adopt_table_tag('adopted', 'hibernate_unique_key', 'nhibernate-hilo', 99)});
is($old->safe_psql('postgres', q{SELECT hilo_next_tag('adopted') > 0}), 't',
	'a worker finds it, too');

$old->append_conf('postgresql.conf', "shared_preload_libraries = 'hilo'");
$old->restart;
is($old->safe_psql('postgres', q{SELECT setting FROM pg_settings WHERE name = 'hilo.auto_create'}),
	'on', 'it can be preloaded');
my $last = $old->safe_psql('postgres', q{SELECT hilo_next_tag('orders')});
$old->stop;

my $new = node_with('new', in_folder($conf));
command_ok(
	[ "$server/bin/pg_upgrade", '--no-sync',
		'-b', "$server/bin", '-B', "$server/bin", '-d', $old->data_dir, '-D', $new->data_dir,
		'-s', $new->host, '-p', $old->port, '-P', $new->port ],
	'pg_upgrade');
$new->start;
cmp_ok($new->safe_psql('postgres', q{SELECT hilo_next_tag('orders')}), '>', $last,
	'ids continue above the old ones');
$new->stop;

my $volume = volume_of('packaging/Dockerfile');
my $pod = node_with('pod', <<"END");
extension_control_path = '\$system:$volume/share'
dynamic_library_path = '\$libdir:$volume/lib'
END
$pod->start;
is($pod->safe_psql('postgres', q{CREATE EXTENSION hilo; SELECT hilo_next_tag('orders')}), '1',
	'the image volume');
$pod->stop;
is(join(' ', sort map { basename($_) } glob "$volume/*"), 'lib licenses share',
	'has the folders that CloudNativePG asks for');
done_testing();

# The folder of the page is another one here.
sub in_folder
{
	return shift =~ s{/opt/hilo}{$folder}gr;
}

# Return a copy of PostgreSQL's programs and files, which leaves hilo out.
sub server_without_hilo
{
	my $copy = PostgreSQL::Test::Utils::tempdir();

	run_sh(qq{. test/copy-postgres; find_postgres; copy_postgres '$copy'});
	return $copy;
}

sub node_with
{
	my ($name, $lines) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name, install_path => $server);

	$node->init;
	$node->append_conf('postgresql.conf', $lines);
	return $node;
}

# Follow the Dockerfile's recipe of the image volume; return the folder that is the image.
sub volume_of
{
	my $dockerfile = slurp_file(shift);
	my $image = PostgreSQL::Test::Utils::tempdir_short() . '/image';
	my ($make) = $dockerfile =~ /^RUN (make .*\/volume.*)$/m;
	my ($stage) = $dockerfile =~ /^FROM scratch AS volume\n(.*?)\n\n/ms;
	my %from = ('/volume' => "$folder/volume", '/hilo' => '.');

	run_sh($make =~ s{(/volume|/hilo)\b}{$from{$1}}gr =~ s/ PG_CONFIG="[^"]*"//r);
	while ($stage =~ /^COPY --from=build-volume (\/volume|\/hilo)(\S*) (\S+)$/mg)
	{
		run_sh("mkdir -p \$(dirname '$image$3'); cp -r '$from{$1}$2' '$image$3'");
	}
	return $image;
}
