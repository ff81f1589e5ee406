#
# Faults: what tables must survive that rows join by DDL and by loaders, while others draw.
#
package Faults::Joins;

use strict;
use warnings;

sub faults
{
	return (
		joins => {
			does => 'rows that join tables by DDL and by loaders, over power losses, crashes, cancels and terminates',
			whole => sub {
				my ($torture) = @_;

				$torture->{parts} //= 'joins';
				$torture->run_over_crashes;
			} });
}

1;
