# index.pl
#
# Makes the rows that load.c imports from a Debian package index: for each
# package a line that begins with "p", after it a line that begins with "d" for
# each of its dependencies, alternatives split.  Fields are separated by tabs;
# an empty one is unknown.

use strict;
use warnings;

my @package_fields = qw(Package Version Architecture Section Priority Installed-Size);
my @kinds = qw(Depends Pre-Depends Recommends Suggests Enhances Breaks Conflicts Replaces Provides);

$/ = '';
while (my $stanza = <STDIN>)
{
	# a field's first line is all of it, but for descriptions, cut here
	my %field = $stanza =~ /^([A-Za-z-]+):[ \t]*(.*)$/mg;
	next unless defined $field{Package};
	if (!utf8::decode($stanza))
	{
		tr/\x80-\xff/?/ for grep { defined } values %field;
	}

	$field{Description} //= $field{'Description-en'};
	put('p', @field{@package_fields}, $field{Description});

	my ($position, $choice) = (0, 0);
	for my $kind (grep { defined $field{$_} } @kinds)
	{
		for my $alternatives (split /,/, $field{$kind})
		{
			$choice++;
			for my $alternative (split /\|/, $alternatives)
			{
				my ($target, $version) = $alternative =~ /^\s*([^\s:(]+)[^(]*(?:\((.*)\))?/ or next;
				put('d', ++$position, $choice, $kind, $target, $version);
			}
		}
	}
}

sub put
{
	print join("\t", map { defined ? tr/\t\0\r/ /r : '' } @_), "\n";
	return;
}
