
# Spring Data JPA with Spring Boot: its sequence, and the default of a column.  Its
# data.sql adopts the sequence, and inserts rows with their own ids.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib";
use OrmTest;
use Test::More;

my ($folder, $java, @program) = java_program('spring', 'shop.Insert');
my $node = orm_node('spring');

orm_does($folder, $java, '-Dspring.jpa.hibernate.ddl-auto=create', '-Dspring.sql.init.mode=always', @program);
is($node->safe_psql('postgres', q{SELECT string_agg(id::text, ' ' ORDER BY id) FROM by_sequence}), '1 2 345', 'the rows of data.sql');
side_by_side($node, 'Spring Data', folder => $folder, program => [ $java, @program ],
	tables => { by_sequence => '(id + 4) / 10', by_default => undef });
keeps_numbers($node, 'Spring Data', $folder, $java, @program, 'numbers');

$node->stop;
done_testing();
