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
	return 'no sources here' unless -f 'src/hilo.c' && -f 'Makefile';
	return 'no files to build extensions with'
	  unless -f `$ENV{PG_CONFIG} --pgxs` =~ s/\n//r;
	return undef;
}

# Copy the sources, with an object file for each as make has left it; replace
# texts in files of theirs; and return the path of the library.
sub build
{
	my ($name, @changes) = @_;
	my $directory = "$PostgreSQL::Test::Utils::tmp_check/$name";

	system_or_bail('rm', '-rf', $directory);
	mkdir $directory or die "$directory: $!";
	system_or_bail('cp', '-pR', qw(Makefile hilo.control built_for src), $directory);
	change($directory, @changes);
	# not system_or_bail, which would end the other tests, too
	run_log([ 'make', '-s', '-C', $directory, 'hilo.so' ]) or die "the build of $name failed\n";
	return "$directory/hilo";
}

# Replace texts in files of src/: each must be there once.
sub change
{
	my ($directory, @changes) = @_;

	while (my ($file, $right, $wrong) = splice @changes, 0, 3)
	{
		my ($path) = grep { -f } glob "\Q$directory\E/{src,src/*}/$file";
		my $source = slurp_file($path);
		my $found = () = $source =~ /\Q$right\E/g;

		die "$file has this $found times, not once: $right\n" if $found != 1;
		$source =~ s/\Q$right\E/$wrong/;
		open my $handle, '>', $path or die "$file: $!";
		print $handle $source;
		close $handle or die "$file: $!";
	}
}

# CREATE EXTENSION knows one place for a library, which is the good one's.
sub use_in
{
	my ($node, $library) = @_;

	$node->safe_psql('postgres', qq{
		CREATE EXTENSION hilo;
		UPDATE pg_proc SET probin = '$library' WHERE probin = 'hilo'});
}

1;
