#
# Builds the extension with a fault put in, and has a server use it.
#
package FaultyBuild;

use strict;
use warnings;

use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;

# Why there can be none; undef if there can.
sub impossible
{
	return 'no sources here' unless -f 'src/store.c' && -f 'Makefile';
	return 'no files to build extensions with'
	  unless -f `$ENV{PG_CONFIG} --pgxs` =~ s/\n//r;
	return undef;
}

# Copies the sources, with an object file for each as make has left it; replaces
# a text in one of them, which must be there once; and gives the path of the
# library.
sub build
{
	my ($name, $file, $right, $wrong) = @_;
	my $directory = "$PostgreSQL::Test::Utils::tmp_check/$name";
	my $source = slurp_file("src/$file");
	my $found = () = $source =~ /\Q$right\E/g;

	die "src/$file has this $found times, not once: $right" if $found != 1;
	$source =~ s/\Q$right\E/$wrong/;

	mkdir $directory or die "$directory: $!";
	system_or_bail('cp', '-pR', 'Makefile', 'hilo.control', 'src', $directory);
	open my $handle, '>', "$directory/src/$file" or die "$file: $!";
	print $handle $source;
	close $handle or die "$file: $!";
	system_or_bail('make', '-s', '-C', $directory, 'hilo.so');
	return "$directory/hilo";
}

# CREATE EXTENSION knows one place for a library, which is the good one's.
sub use_in
{
	my ($node, $library) = @_;

	$node->safe_psql('postgres', qq{
		CREATE EXTENSION hilo;
		UPDATE pg_proc SET probin = '$library' WHERE probin = '\$libdir/hilo'});
}

1;
