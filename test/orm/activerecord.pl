
# ActiveRecord: the default of a column, an attached one, ids before the rows, and a
# sequence.  Debian says which version.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/lib", "$FindBin::RealBin/../t/lib";
use HiloTest;
use OrmTest;
use Test::More;

my $debian = debian_folder('ruby', 'ruby-pg', 'ruby-activerecord');
plan skip_all => 'ruby, ruby-pg and ruby-activerecord are not to be had' unless defined $debian;
$ENV{RUBYLIB} = join ':',
	glob "$debian/usr/lib/{ruby/vendor_ruby,*-linux-*/ruby/vendor_ruby/*,ruby/[0-9]*,*-linux-*/ruby/[0-9]*}";
$ENV{GEM_PATH} = join ':',
	glob "$debian/usr/{share/rubygems-integration/*,lib/*-linux-*/rubygems-integration/*,lib/ruby/gems/*}";
need('Ruby with pg and ActiveRecord', 'ruby', '-e', q{require 'active_record'; require 'pg'});

my $folder = orm_folder('activerecord');
my $node = orm_node('activerecord');
my @program = ('ruby', 'insert.rb');
orm_does($folder, @program, 'create');
$node->safe_psql('postgres', q{
	ALTER SEQUENCE by_sequence_id_seq INCREMENT 10;
	SELECT hilo_adopt_sequence('by_sequence', 'id', 'by_sequence_id_seq', 'efcore')});
side_by_side($node, 'ActiveRecord', folder => $folder, program => \@program,
	tables => { by_default => undef, by_serial => undef, by_ids => undef,
		by_sequence => '(id - 1) / 10' });
keeps_numbers($node, 'ActiveRecord', $folder, @program, 'numbers');
is(orm_does($folder, @program, 'fixtures', 'by_serial', 'followed'),
	"100001\n" x 2, "the next rows after Rails' fixtures, by a sequence and by a generator");

# rails db:schema:dump and db:schema:load
$node->safe_psql('postgres', 'CREATE DATABASE dumped');
$node->safe_psql('postgres', 'CREATE DATABASE loaded');
my $schema = orm_does($folder, 'ruby', 'schema.rb', 'dumped', 'loaded');
is( join(' ',
		grep { $_ ne '"plpgsql"' } $schema =~ /(?:create_table|enable_extension) ("\w+"(?:, id: :bigint, default: -> \{ "hilo_next[^"]*")?)/g),
	q("hilo" "customers" "orders", id: :bigint, default: -> { "hilo_next('orders'::regclass)"),
	'the schema has hilo, the tables of the application and their defaults');

$node->stop;
done_testing();
