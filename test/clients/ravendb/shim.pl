# Answers the HiLo requests of RavenDB's clients by one call of hilo each.
#
#   perl shim.pl
#
# Prints the address it listens on and ends with its standard input; requests
# are logged on standard error.  A client's database is the PostgreSQL database
# of that name, reached as psql reaches it.
#
# Each database has one session here: a return comes without the number of its
# range, and so counts only in the session that took the range.

use strict;
use warnings;

use IO::Select;
use IO::Socket::INET;
use IPC::Open2;
use JSON::PP;

my $listener = IO::Socket::INET->new(
	LocalAddr => '127.0.0.1',
	Listen => 128) or die "could not listen: $@";
my $address = 'http://127.0.0.1:' . $listener->sockport;
my %sessions;    # by database

$SIG{PIPE} = 'IGNORE';
$| = 1;
print "$address\n";

my $select = IO::Select->new($listener, \*STDIN);
WAIT:
while (my @ready = $select->can_read)
{
	foreach my $handle (@ready)
	{
		last WAIT if $handle == \*STDIN;
		serve($listener->accept);
	}
}

# Read one request, answer it and hang up.
sub serve
{
	my ($client) = @_;
	my $request = do { local $/ = "\r\n\r\n"; <$client> } // '';
	my ($method, $path, $query) =
	  $request =~ m{^([A-Z]+) ([^? ]+)\??(\S*) HTTP/1} or return;
	my %argument = map { unescape($_) } map { /^(.*?)=(.*)$/ } split /&/, $query;
	my ($status, $body) = answer("$method $path", \%argument);

	$body = '' if $status =~ /^204/;
	print STDERR "$status $method $path?$query\n";
	printf $client "HTTP/1.1 %s\r\nConnection: close\r\n"
	  . "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
	  $status, length $body, $body;
	close $client;
	return;
}

# Return the status and the body of the answer.
sub answer
{
	my ($request, $argument) = @_;

	return topology($argument->{name}) if $request eq 'GET /topology';
	return next_range(unescape($1), $argument)
	  if $request =~ m{^GET /databases/([^/]+)/hilo/next$};
	return return_range(unescape($1), $argument)
	  if $request =~ m{^PUT /databases/([^/]+)/hilo/return$};
	return ('404 Not Found', '{}');
}

# One node, this one.
sub topology
{
	my ($database) = @_;

	return (
		'200 OK',
		encode_json({
			Etag => 1,
			Nodes => [ {
				Url => $address,
				Database => $database,
				ClusterTag => 'A',
				ServerRole => 'Member' } ] }));
}

sub next_range
{
	my ($database, $argument) = @_;

	return call($database, '201 Created', sprintf(<<'END',
SELECT json_build_object('Prefix', prefix, 'Low', low, 'High', high,
	'LastSize', last_size, 'ServerTag', server_tag, 'LastRangeAt',
	to_char(last_range_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"0Z"'))
FROM hilo_next_range(%s, last_size => %s, last_range_at => %s, last_max => %s,
	separator => %s)
END
		literal($argument->{tag}),
		literal($argument->{lastBatchSize}),
		literal($argument->{lastRangeAt}),
		literal($argument->{lastMax}),
		literal($argument->{identityPartsSeparator})));
}

# As by RavenDB, the client is not told whether the ids were taken back.
sub return_range
{
	my ($database, $argument) = @_;

	return call($database, '204 No Content', sprintf(
		'SELECT hilo_return_range(%s, %s, %s)',
		literal($argument->{tag}),
		literal($argument->{end}),
		literal($argument->{last})));
}

# Run a query of at most one row: its text with the status given, or an error.
# A session that was lost is replaced; another range or a return that no longer
# counts does no harm.
sub call
{
	my ($database, $status, $sql) = @_;

	foreach (1, 2)
	{
		my ($state, $output) = query($database, $sql);

		next if !defined $state;
		return ($status, $output) if $state eq '00000';
		return error($state, $output);
	}
	return error('08000', "no connection to database $database");
}

sub error
{
	my ($state, $message) = @_;

	return (
		'500 Internal Server Error',
		JSON::PP->new->encode({
			Type => 'Raven.Client.Exceptions.RavenException',
			Message => $message,
			Error => "$state: $message" }));
}

# Return SQLSTATE and output or error message; nothing if the session is lost.
sub query
{
	my ($database, $sql) = @_;
	my $session = $sessions{$database} //= connect_to($database);
	my $output = '';

	print { $session->{in} } "$sql;\n\\echo :SQLSTATE :LAST_ERROR_MESSAGE\n";
	while (defined(my $line = readline $session->{out}))
	{
		chomp $line;
		return ($1, $1 eq '00000' ? $output : $2)
		  if $line =~ /^([0-9A-Z]{5}) (.*)$/;
		last if $line eq ' ';    # an error that is not the server's
		$output .= $line;
	}
	close $session->{in};
	waitpid $session->{pid}, 0;
	delete $sessions{$database};
	return;
}

sub connect_to
{
	local $ENV{PGDATABASE} = shift;
	my $pid = open2(my $out, my $in, 'psql', '-XAtq');

	$in->autoflush(1);
	return { pid => $pid, in => $in, out => $out };
}

sub literal
{
	my ($value) = @_;

	return 'NULL' if !defined $value || $value eq '';
	return "'" . $value =~ s/'/''/gr . "'";
}

sub unescape
{
	my ($text) = @_;

	return $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger;
}
