#
# A hub of an attacker's, which answers without end.  With what is the name of the database
# that it is asked for.
#
package Flood;

use strict;
use warnings;

use IO::Socket::INET;
use POSIX ();

# So much of it comes: more than any role may take in.
use constant BYTES => 400 << 20;

my $row = _message('T', pack('n', 1) . "c\0" . pack('NnNnNn', 0, 0, 20, 8, 0xFFFFFFFF, 0)) . _message('D', pack('nN', 1, 1) . '1');

# What comes first, and what comes again and again.
our %ANSWERS = (
	notices => [ '', sub { _message('N', "SNOTICE\0C00000\0M" . 'x' x 1000 . "\0\0") } ],
	notifications => [ '', sub { _message('A', pack('N', 1) . "channel\0" . 'x' x 1000 . "\0") } ],
	parameters => [ '', sub { _message('S', "p$_[0]\0" . 'x' x 60_000 . "\0") } ],
	results => [ '', sub { $row . _message('C', "SELECT 1\0") } ],
	rows => [ $row, sub { _message('D', pack('nN', 1, 1000) . 'x' x 1000) } ],
	columns => [ _message('T', pack('n', 1600) . ("c\0" . pack('NnNnNn', 0, 0, 20, 8, 0xFFFFFFFF, 0)) x 1600), sub { _message('D', pack('n', 1600) . pack('N', 0xFFFFFFFF) x 1600) } ],
	field => [ $row . 'D' . pack('NnN', BYTES + 10, 1, BYTES), sub { 'x' x 65_536 } ],
	error => [ 'E' . pack('N', BYTES + 4) . "SERROR\0C22023\0M", sub { 'x' x 65_536 } ]);

# Listen, in its own process, as long as the one that starts it is there; return its pid
# and its port.
sub start
{
	my $listener = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', Timeout => 1) or die "listen: $!";
	my $parent = $$;
	my $pid = fork // die $!;

	return ($pid, $listener->sockport) if $pid;
	@SIG{qw(__DIE__ PIPE CHLD)} = qw(DEFAULT DEFAULT IGNORE);
	while (getppid == $parent)
	{
		my $client = $listener->accept or next;

		next if fork;
		eval { _serve($client) };
		POSIX::_exit(0);
	}
	POSIX::_exit(0);
}

# Let a client in, by a password, and answer what it asks; at times not even let it in.
sub _serve
{
	my ($client) = @_;
	my ($what) = _bytes($client, unpack('N', _bytes($client, 4)) - 4) =~ /\0database\0(\w+)\0/;
	my ($first, $again) = @{ $ANSWERS{$what} };
	my $sent = 0;

	_say($client, _message('R', pack('N', 3)));
	_bytes($client, unpack('N', _bytes($client, 5) =~ s/^.//sr) - 4);
	_say($client, _message('R', pack('N', 0)) . _message('S', "server_version\0" . "15.0\0") . _message('S', "client_encoding\0UTF8\0"));
	if (rand() < 0.7)
	{
		_say($client, _message('Z', 'I'));
		_bytes($client, 5);
	}
	_say($client, $first);
	for (my $i = 0; $sent < BYTES; $i++)
	{
		$sent += _say($client, join '', map { $again->("$i\_$_") } 1 .. 20);
	}
	_bytes($client, 1 << 30);
	return;
}

sub _say
{
	my ($client, $bytes) = @_;

	print { $client } $bytes or die $!;
	$client->flush;
	return length $bytes;
}

sub _bytes
{
	my ($client, $length) = @_;
	my $bytes = '';

	while (length $bytes < $length)
	{
		read $client, $bytes, $length - length $bytes, length $bytes or die "gone\n";
	}
	return $bytes;
}

sub _message
{
	my ($type, $body) = @_;

	return $type . pack('N', 4 + length $body) . $body;
}

1;
