
# A newer hilo is installed under a server that goes on: sessions of before have the
# old library, later ones the new one, with another layout of the shared memory.  No
# id comes twice.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";

use HiloTest;
use HubTest qw(is_unique);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use FaultyBuild;

plan skip_all => FaultyBuild::impossible() if FaultyBuild::impossible();

my @kinds = qw(session global decimal trace);
my $ids = q{hilo_next_tag('s'), hilo_next_tag('g'), decimal_id_next(), trace_id_next()};
my $node = hilo_node('main', conf => "hilo.node_no = 12\n");
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET hilo.launch_id = 65');
$node->safe_psql('postgres',
	q{SELECT hilo_create(name, o, range_size => 8, max_range_size => 8) FROM (VALUES ('s', 'session'), ('g', 'global')) v (name, o)});

# A cursor keeps the functions of the library with which it was opened.
my $before = hilo_session($node);
run_in($before, "BEGIN; DECLARE ids CURSOR FOR SELECT $ids FROM generate_series(1, 1000000)");
my @rows = map { [ split /\|/ ] } split /\n/, run_in($before, 'FETCH 50 FROM ids');

my $library = FaultyBuild::build('other_layout',
	'shared_memory.c', '#define SEGMENT_NAME "hilo ', '#define SEGMENT_NAME "hilo 1');
$node->safe_psql('postgres', "UPDATE pg_proc SET probin = '$library' WHERE probin = 'hilo'");
my $after = hilo_session($node);

my (%seconds, %got, %last);
my ($rounds, $joined) = (0, 0);
wait_until('ids of a few seconds', sub {
	$got{before} = run_in($before, 'FETCH 50 FROM ids');
	$got{after} = run_in($after, "SELECT $ids FROM generate_series(1, 50)");
	foreach my $who (keys %got)
	{
		my @new = map { [ split /\|/ ] } split /\n/, $got{$who};

		$seconds{$who}{ $_->[3] >> 38 } = 1 foreach @new;
		push @rows, @new;
		$last{$who} = $new[-1][1];
	}
	$rounds++;
	$joined++ if $last{after} - $last{before} == 50;
	return 2 == grep { keys %$_ >= 4 } values %seconds;
});
# else one would go on where the other ends
cmp_ok($joined, '<', $rounds, 'the libraries do not share their memory');
foreach my $i (0 .. $#kinds)
{
	is_unique("no id twice: $kinds[$i]", map { $_->[$i] } @rows);
}

end_session($_) foreach $before, $after;
unlike(slurp_file($node->logfile), qr/PANIC|TRAP| XX\d{3} /,
	'nothing in the log that should never be there');
$node->stop;
done_testing();
