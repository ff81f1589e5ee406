#
# A session with a server, by the protocol itself: the way for many statements, most of
# which fail.
#
#	my $session = Session->new(host => $dir, port => 5432, user => 'bob', dbname => 'shop');
#	my $result = $session->run("SELECT 1");		# { state => '00000', rows => [ [1] ] }
#	$session->copy("COPY t FROM STDIN", "1\n");
#
package Session;

use strict;
use warnings;

use IO::Socket::UNIX;

# A server that does not answer for so long is taken for lost.
use constant PATIENCE => 180;

sub new
{
	my ($class, %params) = @_;
	my ($host, $port) = delete @params{qw(host port)};
	my $socket = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => "$host/.s.PGSQL.$port")
	  or return;
	my $self = bless { socket => $socket, buffer => '' }, $class;

	my $body = pack('N', 3 << 16) . join('', map { "$_\0$params{$_}\0" } sort keys %params) . "\0";
	$self->_send(pack('N', 4 + length $body) . $body);
	my $result = $self->_answer;
	return if $result->{state} ne '00000';
	return $self;
}

# Run statements; return the rows of the last that had any, and the first error.
sub run
{
	my ($self, $sql) = @_;

	$self->_send(_message('Q', "$sql\0"));
	return $self->_answer;
}

# Run a statement without waiting for what becomes of it: nothing else can be run then.
sub start
{
	my ($self, $sql) = @_;

	$self->_send(_message('Q', "$sql\0"));
	return;
}

# Run a COPY FROM STDIN with that as its lines.
sub copy
{
	my ($self, $sql, $lines) = @_;

	$self->{copy} = $lines;
	return $self->run($sql);
}

# Return the rows of what must not fail.
sub rows
{
	my ($self, $sql) = @_;
	my $result = $self->run($sql);

	die "failed: $sql\n$result->{state} $result->{message}\n" if $result->{state} ne '00000';
	return @{ $result->{rows} };
}

# Return the first column of the first row.
sub value
{
	my ($self, $sql) = @_;
	my ($row) = $self->rows($sql);

	return $row ? $row->[0] : undef;
}

sub is_lost { return !$_[0]{socket} }

sub close
{
	my ($self) = @_;

	$self->_send(_message('X', ''));
	$self->_lose;
	return;
}

sub _lose
{
	my ($self) = @_;

	CORE::close(delete $self->{socket}) if $self->{socket};
	return;
}

sub _message
{
	my ($type, $body) = @_;

	return $type . pack('N', 4 + length $body) . $body;
}

sub _send
{
	my ($self, $bytes) = @_;
	local $SIG{PIPE} = 'IGNORE';

	while ($self->{socket} && length $bytes)
	{
		my $sent = syswrite $self->{socket}, $bytes;

		if (defined $sent) { substr $bytes, 0, $sent, '' }
		elsif (!$!{EINTR}) { $self->_lose }
	}
	return;
}

# Return the next so many bytes; undefined if the server is gone.
sub _bytes
{
	my ($self, $count) = @_;

	while ($self->{socket} && length $self->{buffer} < $count)
	{
		my ($ready, $got) = '';

		vec($ready, fileno $self->{socket}, 1) = 1;
		my $found = select($ready, undef, undef, PATIENCE);
		next if $found < 0 && $!{EINTR};
		$got = sysread $self->{socket}, $self->{buffer}, 65536, length $self->{buffer}
		  if $found > 0;
		$self->_lose unless $got || (!defined $got && $!{EINTR});
	}
	return if length $self->{buffer} < $count;
	return substr $self->{buffer}, 0, $count, '';
}

# Read until the server waits for the next statement.
sub _answer
{
	my ($self) = @_;
	my %result = (state => '00000', message => '', rows => []);

	for (;;)
	{
		my $head = $self->_bytes(5);
		my ($type, $length) = unpack 'aN', $head // '';
		my $body = defined $head ? $self->_bytes($length - 4) : undef;

		return { state => '08006', message => 'the connection is lost', rows => [] }
		  unless defined $body;
		if ($type eq 'T') { $result{rows} = [] }
		elsif ($type eq 'D') { push @{ $result{rows} }, _row($body) }
		elsif ($type eq 'E')
		{
			my %field = map { substr($_, 0, 1) => substr($_, 1) } grep { length } split /\0/, $body;

			@result{qw(state message detail)} = @field{qw(C M D)} if $result{state} eq '00000';
			$self->_lose if $field{S} eq 'FATAL';
			return \%result if $self->is_lost;
		}
		elsif ($type eq 'G')
		{
			$self->_send(_message('d', delete $self->{copy} // '') . _message('c', ''));
		}
		elsif ($type eq 'Z')
		{
			$self->{in_transaction} = $body ne 'I';
			return \%result;
		}
	}
}

sub _row
{
	my ($body) = @_;
	my ($count, $at, @row) = (unpack('n', $body), 2);

	for (1 .. $count)
	{
		my $length = unpack 'l>', substr $body, $at, 4;

		push @row, $length < 0 ? undef : substr $body, $at + 4, $length;
		$at += 4 + ($length < 0 ? 0 : $length);
	}
	return \@row;
}

1;
