
# anchor_bucket against two other implementations, over ids with every edge: the
# hash of Debian's libxxhash and one written from its description in Perl; its
# own tables give the lower case.

use strict;
use warnings;
no warnings 'portable';
use utf8;
use feature 'unicode_strings';

use Encode qw(encode);
use FindBin;
use IPC::Run qw(run);
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use PostgreSQL::Test::Utils;
use Test::More;

use constant IDS => 120_000;

# XXH64 with seed 0, from its specification (doc/xxhash_spec.md).
use constant {
	P1 => 0x9E3779B185EBCA87,
	P2 => 0xC2B2AE3D27D4EB4F,
	P3 => 0x165667B19E3779F9,
	P4 => 0x85EBCA77C2B2AE63,
	P5 => 0x27D4EB2F165667C5,
	MASK => 0xFFFFFFFFFFFFFFFF
};

sub mul { use integer; my $p = $_[0] * $_[1]; no integer; return $p & MASK; }
sub add { use integer; my $s = $_[0] + $_[1]; no integer; return $s & MASK; }
sub rotl { return (($_[0] << $_[1]) & MASK) | ($_[0] >> (64 - $_[1])); }
sub lane { return mul(rotl(add($_[0], mul($_[1], P2)), 31), P1); }

sub xxh64
{
	my ($bytes) = @_;
	my $length = length $bytes;
	my $at = 0;
	my $hash = P5;

	if ($length >= 32)
	{
		my @lanes = (add(P1, P2), P2, 0, add(0, MASK & (~P1 + 1)));

		for (; $at + 32 <= $length; $at += 32)
		{
			my @words = unpack('Q<4', substr($bytes, $at, 32));
			$lanes[$_] = lane($lanes[$_], $words[$_]) for 0 .. 3;
		}
		$hash = add(add(rotl($lanes[0], 1), rotl($lanes[1], 7)),
			add(rotl($lanes[2], 12), rotl($lanes[3], 18)));
		$hash = add(mul($hash ^ lane(0, $_), P1), P4) for @lanes;
	}
	$hash = add($hash, $length);
	for (; $at + 8 <= $length; $at += 8)
	{
		my $word = unpack('Q<', substr($bytes, $at, 8));
		$hash = add(mul(rotl($hash ^ lane(0, $word), 27), P1), P4);
	}
	if ($at + 4 <= $length)
	{
		my $word = unpack('L<', substr($bytes, $at, 4));
		$hash = add(mul(rotl($hash ^ mul($word, P1), 23), P2), P3);
		$at += 4;
	}
	for (; $at < $length; $at++)
	{
		$hash = mul(rotl($hash ^ mul(ord(substr($bytes, $at, 1)), P5), 11), P1);
	}
	$hash = mul($hash ^ ($hash >> 33), P2);
	$hash = mul($hash ^ ($hash >> 29), P3);
	return $hash ^ ($hash >> 32);
}

# Characters that .NET's invariant culture leaves, or that are newer than 15.0.
my %stays = map { $_ => 1 } 0x130, 0x1C89, 0xA7CB, 0xA7CC, 0xA7DA, 0xA7DC;

sub lower
{
	my ($id) = @_;

	return $id =~ s/([A-Z]+|[^\x00-\x7F])/ord $1 > 0xFFFF || $stays{ord $1} ? $1 : lc $1/gers;
}

sub anchor
{
	my ($id) = @_;
	my $at = rindex $id, '$';

	return $at > 0 ? substr($id, $at + 1) : $id;
}

sub bytes_of
{
	my ($code) = @_;

	return $code < 0x80 ? 1 : $code < 0x800 ? 2 : $code < 0x10000 ? 3 : 4;
}

# Ids of 1 to 512 bytes, most of them short, of characters of some kinds.
my @kinds = (
	sub { chr(33 + int rand 94) },
	sub { (qw(A B Y Z a b y z @ [ ` { / - | 0 9))[ rand 17 ] },
	sub { '$' },
	sub { chr(1 + int rand 127) },
	sub { chr(0x80 + int rand 0x180) },
	sub { (split //, 'İıKÅΩȺȾẞßΣςÉéꞍᏸᎠꭰǅſ')[ rand 19 ] },
	sub { my $c = 0x180 + int rand 0xFE7D; chr($c >= 0xD800 && $c < 0xE000 ? $c - 0x800 : $c) },
	sub { chr(0x10000 + int rand 0x100000) },
	sub { chr((0x10400, 0x10428, 0x118A0, 0x1E900, 0x1F600, 0x10FFFF)[ rand 6 ]) });

sub random_id
{
	my $size = 1 + int(rand() < 0.9 ? rand 40 : rand 512);
	my @some = map { $kinds[ rand @kinds ] } 1 .. 1 + rand 3;
	my $ascii = rand() < 0.4;
	my $id = $ascii && rand() < 0.3 ? '$' : '';
	my $bytes = length $id;

	@some = @kinds[ 0 .. rand 4 ] if $ascii;
	while ($bytes < $size)
	{
		my $character = $some[ rand @some ]->();

		$bytes += bytes_of(ord $character);
		last if $bytes > $size;
		$id .= $character;
	}
	substr($id, -1) = '$' if rand() < 0.05 && length $id;
	return length $id ? $id : 'x';
}

srand 20;
my %ids;
foreach my $size (1 .. 512)
{
	$ids{$_} = 1
	  for 'x' x $size, 'X' x $size, '$' x $size, 'x' x ($size - 1) . '$', '$' . 'X' x ($size - 1);
}
$ids{"\x{23A}" x $_ . '$x'} = 1 for 165 .. 180;
$ids{ random_id() } = 1 while keys %ids < IDS;
my (@ids, @bytes, @hashed, @too_long);
my %count;
foreach my $id (sort keys %ids)
{
	my $lower = lower($id);
	my $bytes = encode('UTF-8', $id);
	my ($size, $growth) = (length $bytes, length(encode('UTF-8', $lower)) - length $bytes);

	if ($size + $growth > 512)
	{
		push @too_long, $bytes;
		next;
	}
	push @ids, $id;
	push @bytes, $bytes;
	push @hashed, encode('UTF-8', anchor($lower));
	$count{'several $'}++ if $id =~ /\$.*\$/s;
	$count{'$ first'}++ if $id =~ /^\$/;
	$count{'$ last'}++ if $id =~ /\$$/s;
	$count{'beyond ASCII'}++ if $id =~ /[^\x00-\x7F]/;
	$count{'beyond the BMP'}++ if $id =~ /[\x{10000}-\x{10FFFF}]/;
	$count{'lower case is longer'}++ if $growth > 0;
	$count{'lower case is shorter'}++ if $growth < 0;
	$count{"$size bytes"}++;
}
is((grep { !$count{"$_ bytes"} } 1 .. 512), 0, 'ids of 1 to 512 bytes');
cmp_ok(delete $count{$_} // 0, '>', 500, "ids with $_")
  for 'several $', '$ first', '$ last', 'beyond ASCII', 'beyond the BMP', 'lower case is longer', 'lower case is shorter';
cmp_ok(@ids, '>', 100_000, 'more than a hundred thousand ids');
cmp_ok(@too_long, '>', 5, 'and some that are too long in lower case');

# What the libraries say.
my $dir = PostgreSQL::Test::Utils::tempdir;
ok( run([ 'gcc', '-O2', '-o', "$dir/xxh64", "$FindBin::RealBin/../lib/xxh64.c", '-lxxhash' ]),
	'a program with libxxhash');
my $input = join '', map { unpack('H*', $_) . "\n" } @hashed;
my $output;
ok(run([ "$dir/xxh64" ], '<', \$input, '>', \$output), 'hashes them');
my @library = map { hex } split /\n/, $output;
is(@library, @ids, 'each of them');
my @perl = map { xxh64($hashed[$_]) } grep { $_ % 20 == 0 } 0 .. $#ids;
is((grep { $perl[$_] != $library[ 20 * $_ ] } 0 .. $#perl), 0, 'two implementations agree');
is(xxh64(''), 0xEF46DB3751D8E999, 'XXH64 of nothing');

# What the server says.
my $node = hilo_node('main');
$node->safe_psql('postgres', q{CREATE TABLE id (n int, bytes bytea, bucket int)});
my $rows = join '', map {
	join("\t", $_, '\\\\x' . unpack('H*', $bytes[$_]), $library[$_] % 1048576) . "\n"
} 0 .. $#ids;
ok(run([ 'psql', '-Xqd', $node->connstr('postgres'), '-c', 'COPY id FROM STDIN' ], '<', \$rows),
	'the ids are loaded');
is( $node->safe_psql(
		'postgres', q{
		SELECT count(*), count(*) FILTER (WHERE anchor_bucket(convert_from(bytes, 'UTF8')) IS DISTINCT FROM bucket) FROM id}),
	@ids . '|0',
	'anchor_bucket agrees with both');
is( $node->safe_psql(
		'postgres', q{
		SELECT bytes FROM id WHERE anchor_bucket(convert_from(bytes, 'UTF8')) IS DISTINCT FROM bucket ORDER BY n LIMIT 5}),
	'',
	'on every id');
foreach my $bytes (@too_long[ 0 .. 4 ])
{
	my $hex = unpack('H*', $bytes);
	my ($status, undef, $error) =
	  $node->psql('postgres', qq{SELECT anchor_bucket(convert_from('\\x$hex', 'UTF8'))});
	like($error, qr/id is too long/, 'one that is too long');
}
$node->stop;

done_testing();
