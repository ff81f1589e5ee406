
# A hub that answers anything: nothing of it becomes an id, nothing keeps the session
# for ever.  It is a process of this test that speaks the protocol.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/../lib";
use HiloTest;
use HubTest;
use IO::Socket::UNIX;
use POSIX ();
use PostgreSQL::Test::Utils;
use Test::More;

my $node = hilo_node('server');
my $dir = PostgreSQL::Test::Utils::tempdir_short();
my $answers = "$dir/answers";
set_answer(''); # for a session that asks before the first test
my $pid = start_hub("$dir/.s.PGSQL.5432");

$node->safe_psql('postgres', qq{
	CREATE FOREIGN DATA WRAPPER hubs;
	CREATE SERVER hub FOREIGN DATA WRAPPER hubs OPTIONS (host '$dir', port '5432', dbname 'hub');
	CREATE USER MAPPING FOR CURRENT_ROLE SERVER hub OPTIONS (user 'servers');
	SELECT hilo_create('orders', hub => 'hub'), hilo_create('tickets|', hub => 'hub')});

# Two hubs that never get to an answer; at the end it is seen that no session has waited for ever.
my %endless = map {
	$node->safe_psql('postgres', "SELECT hilo_create('$_|', hub => 'hub')");
	my $session = hilo_session($node);
	start_in($session, "SELECT identity_next('$_')");
	$_ => $session;
} qw(silent slow);

# A good hub first: the test is one of the hub's answers.
is(asked(rows([ 1, 4 ]), "SELECT hilo_next_tag('orders')"), '1', 'a range');
is(asked(rows([ 11, 11 ]), "SELECT identity_next('tickets')"), '11', 'an identity');

# Each of these would be the next answer except for what is wrong with it.
my %wrong = (
	'no row' => [ rows(), '08P01' ],
	'nulls' => [ rows([ undef, undef ]), '08P01' ],
	'one null' => [ rows([ 1001, undef ]), '08P01' ],
	'one column' => [ rows([1001]), '08P01' ],
	'no column' => [ rows([]), '08P01' ],
	'no number' => [ rows([ 'abc', '1' ]), '08P01' ],
	'half a number' => [ rows([ 1001, '1010 ids' ]), '08P01' ],
	'a number past bigint' => [ rows([ 1001, '9' x 30 ]), '08P01' ],
	'a range that ends before it begins' => [ rows([ 1001, 1000 ]), '08P01' ],
	'negative ids' => [ rows([ -10, 2000 ]), '55000' ],
	'ids of before' => [ rows([ 1, 4 ]), '55000' ],
	'an error' => [ failure('XX000', 'bad'), '08006' ],
	'an error that is none' => [ failure('00000', 'good'), '08006' ],
	'an error without a whole state' => [ failure('X', 'short'), '08006' ],
	'an error after a row' => [ rows_of([ 1001, 1010 ]) . failure('XX000', 'late'), '08006' ],
	'a COPY' => [ message('H', pack('Cn', 0, 0)), '08006' ],
	'a COPY from here' => [ message('G', pack('Cn', 0, 0)), '08006' ],
	'no statement' => [ message('I', ''), '08006' ],
	'a text that is none' => [ failure('XX000', "\xff\xfe\xc3"), '08006' ],
	'what is no message' => [ message('?', 'x' x 100), '08006' ],
);
foreach my $what (sort keys %wrong)
{
	my ($answer, $state) = @{ $wrong{$what} };

	is(state_asked($answer, $_), $state, "$what: $_")
	  foreach "SELECT low, high FROM hilo_next_range('orders', 10)",
		"SELECT identity_next('tickets')";
}
set_answer(failure('XX000', "\xff\xfe\xc3"));
like(error_of($node, "SELECT identity_next('tickets')"), qr/ERROR:  08006: \(no text\)/,
	'what is no text is not shown');
is(asked(rows([ 2001, 2010 ]), "SELECT low, high FROM hilo_next_range('orders', 10)"), '2001|2010',
	'then a good one');

# Of its SQLSTATEs those come through by which hilo refuses a call; no other, by which an
# application would retry a transaction, or take its own session to be ended.
is(state_asked(failure($_, 'refused'), "SELECT identity_next('tickets')"), $_,
	"the SQLSTATE $_ comes through")
  foreach qw(0A000 22023 2200H 42501 42704 55000);
is(state_asked(failure($_, 'refused'), "SELECT identity_next('tickets')"), '08006',
	"the SQLSTATE $_ does not")
  foreach qw(01000 02000 23505 25006 25P02 28P01 40001 40P01 53200 55P03 57014 57P01 57P03 P0001 XX001);

# Only what comes before the call says that hilo is not there: what the call itself lacks is its own.
set_answer(failure('42P01', 'no hilo_node'));
like(error_of($node, "SELECT identity_next('tickets')"), qr/55000: extension "hilo" is not installed on hub "hub"/, 'no table of hilo');
set_answer(message('C', "SET\0") x 4 . failure('42P01', 'renamed'));
like(error_of($node, "SELECT identity_next('tickets')"), qr/08006: renamed/, 'no table of a call');

# No more ids than were asked for; of a block all, and none past the end.
my $hi = "SELECT hilo_next_hi('blocks', 1000)";
$node->safe_psql('postgres', q{SELECT hilo_create('blocks', max_value => 4500, hub => 'hub')});
is(asked(rows([ 2000, 2999 ]), $hi), '2', 'a block');
is(state_asked(rows($_), $hi), '08P01', "the range @$_ in place of a block")
  foreach [ 3001, 4000 ], [ 3000, 3001 ], [ 3000, 4999 ];
is(asked(rows([ 3000, 3999 ]), $hi), '3', 'the next block');
is(state_asked(rows([ 4000, 4999 ]), $hi), '2200H', 'a block past max_value');
is(state_asked(rows([ 2011, 2020 ]), $_), '08P01', "too many ids: $_")
  foreach "SELECT low FROM hilo_next_range('orders', 9, last_max => 5000)", "SELECT identity_next('tickets')";

# When nothing comes, the session can be cancelled.
is(state_asked('', "SET statement_timeout = '1s'; SELECT identity_next('tickets')"), '57014',
	'silence');
set_answer(rows([ 'abc', '1' ]));
like(error_of($node, "SELECT identity_next('tickets')"),
	qr/unexpected answer from hub "hub"\nDETAIL:  It gave no number.\nHINT:  Check that the functions of hilo on the hub have not been changed/, 'what is wrong');

# A hub that floods does not fill the memory of the session that asks, before the hub is known
# or after.
SKIP:
{
	skip 'no /proc', 1 if !-e "/proc/$$/status";
	foreach my $when ('flood', 'greet with')
	{
		foreach my $what (qw(notifications parameters notices errors rows field notice columns))
		{
			is_deeply([ memory_taken("$when $what\n", q{SELECT identity_next('tickets')}) ],
				[ '08', 1 ], "$when $what");
		}
	}
	# a little at a time
	is_deeply([ memory_taken(message('A',
					pack('N', 1) . "channel\0" . 'x' x 30000 . "\0") . rows([10]),
		q{SELECT count(identity_current('tickets')) FROM generate_series(1, 3000)}) ], [ '00', 1 ], 'notifications with each answer');
}
set_answer("flood notices\n");
like(error_of($node, "SELECT identity_next('tickets')"),
	qr/unexpected answer from hub "hub"\nDETAIL:  It is longer than \d+ bytes/, 'which is said');

# Who resyncs all columns goes on to those of the others.
$node->safe_psql('postgres', q{
	CREATE TABLE tickets (id bigint DEFAULT identity_next('tickets'), other bigint DEFAULT hilo_next_tag('other'));
	INSERT INTO tickets VALUES (1000000, 1000)});
is(asked('', q{
	SET statement_timeout = '20s';
	SET client_min_messages = error;
	DO $$ BEGIN PERFORM set_config('statement_timeout', '300', true), hilo_resync_all(); END $$;
	SELECT last FROM hilo_generators() WHERE name = 'other'}), '1000', 'silence, and hilo_resync_all');

# It goes away during the introduction: that is an error, and not asked for ever.
foreach my $question (qw(pg_namespace hilo_hub_register))
{
	set_answer("lost $question\n" . rows([ 4001, 4001 ]));
	like(error_of($node, "SELECT identity_next('tickets')"),
		qr/ERROR:  08006: lost the connection to hub "hub"\nDETAIL:  server closed/,
		"lost at $question");
}

# A host that is not there does not keep the next one from being tried, and one that is
# silent does not keep the session.
mkdir "$dir/silent" or die "$dir/silent: $!";
$node->safe_psql('postgres',
	"ALTER SERVER hub OPTIONS (SET host '$dir/silent,$dir', ADD connect_timeout '1')");
is(asked(rows([ 4001, 4001 ]), "SELECT identity_next('tickets')"), '4001', 'the next host');
my $silent = IO::Socket::UNIX->new(Local => "$dir/silent/.s.PGSQL.5432", Listen => 5)
  or die "silent: $!";
like(error_of($node, "SELECT identity_next('tickets')"),
	qr/ERROR:  08006: hub "hub" has not answered in time/, 'a silent host');
$node->safe_psql('postgres', "ALTER SERVER hub OPTIONS (SET host '$dir', DROP connect_timeout)");

# Neither a file that the options name says more of them, nor does libpq ask a third server.
append_to_file("$dir/services", "[theirs]\napplication_name=theirs\n");
$node->safe_psql('postgres',
	"ALTER SERVER hub OPTIONS (ADD service 'theirs', ADD servicefile '$dir/services')");
like(error_of($node, "SELECT identity_next('tickets')"),
	qr/definition of service "theirs" not found/, 'no servicefile');
$node->safe_psql('postgres',
	"ALTER SERVER hub OPTIONS (DROP service, DROP servicefile, ADD oauth_issuer 'https://localhost', ADD oauth_client_id 'x')");
set_answer('oauth');
like(error_of($node, "SELECT identity_next('tickets')"),
	qr/oauth_client_id are not both set|mechanisms are supported/, 'no OAuth');

# Ahead of need it is not waited for.
$node->safe_psql('postgres',
	q{SELECT hilo_create('few', range_size => 4, max_range_size => 4, hub => 'hub')});
is(asked(rows([ 5001, 5004 ]), q{SELECT hilo_next_tag('few')}), 5001, 'few ids');
wait_for_sessions($node, 2);
is(asked('',
		q{SELECT max(id) FROM (SELECT hilo_next_tag('few') AS id FROM generate_series(1, 3)) ids}),
	5004, 'a silent hub keeps no session from those');
like(slurp_file($node->logfile),
	qr/could not get ids for generator "few" from hub "hub" ahead of need: hub "hub" has not answered in time/, 'which is logged');

is($node->safe_psql('postgres', 'SELECT max(last) FROM hilo_generators()'), '5004',
	'the server is there');
foreach my $how (sort keys %endless)
{
	is(end_in($endless{$how}), '08006', "a $how hub is left");
	end_session($endless{$how});
}
kill 'KILL', $pid;
waitpid $pid, 0;
$node->stop;
done_testing();

# Return what a session gets, or the SQLSTATE of its error, when the hub's next
# answers to calls are that.
sub asked
{
	my ($answer, $sql) = @_;

	set_answer($answer);
	return $node->safe_psql('postgres', $sql, extra_params => [ '-P', 'pager=off' ]);
}

sub state_asked
{
	my ($answer, $sql) = @_;

	set_answer($answer);
	return state_in($node, $sql);
}

sub set_answer
{
	my ($answer) = @_;

	open my $file, '>:raw', $answers or die "$answers: $!";
	print {$file} $answer;
	close $file or die "$answers: $!";
	return;
}

# Return the class of a statement's SQLSTATE in its own session, and whether its server
# process has not taken more than 64 MB for it.
sub memory_taken
{
	my ($answer, $sql) = @_;
	my $session = hilo_session($node);
	my $status = '/proc/' . pid_of($session) . '/status';
	my @kilobytes;

	set_answer($answer);
	push @kilobytes, slurp_file($status) =~ /^VmHWM:\s+(\d+) kB/m;
	my $state = state_of($session, $sql);
	push @kilobytes, slurp_file($status) =~ /^VmHWM:\s+(\d+) kB/m;
	note join ' to ', @kilobytes;
	end_session($session);
	return (substr($state, 0, 2), $kilobytes[1] - $kilobytes[0] < 64 * 1024 ? 1 : "@kilobytes");
}

# Messages of the protocol.
sub message
{
	my ($type, $body) = @_;

	return $type . pack('N', length($body) + 4) . $body;
}

sub failure
{
	my ($state, $text) = @_;

	return message('E', "SERROR\0VERROR\0C$state\0M$text\0\0");
}

sub rows_of
{
	my (@rows) = @_;
	my $columns = @rows ? scalar @{ $rows[0] } : 2;
	my $description = pack('n', $columns) .
	  join('', map { "c$_\0" . pack('NnNnNn', 0, 0, 20, 8, 0xFFFFFFFF, 0) } 1 .. $columns);

	return message('T', $description) . join('', map {
		my @row = @$_;
		message('D',
			pack('n', scalar @row) . join('',
				map { defined $_ ? pack('N', length) . $_ : pack('N', 0xFFFFFFFF) } @row));
	} @rows);
}

sub rows
{
	return rows_of(@_) . message('C', "SELECT 1\0");
}

# Listens in its own process; gives its pid.
sub start_hub
{
	my ($path) = @_;
	my $listener = IO::Socket::UNIX->new(Local => $path, Listen => 5) or die "$path: $!";
	my $child = fork // die "fork: $!";

	return $child if $child;
	# a reader of what this test says does not wait for that process
	POSIX::close($_) foreach grep { $_ != fileno $listener } 0 .. 99;
	$SIG{CHLD} = 'IGNORE';
	$SIG{PIPE} = 'DEFAULT';
	while (my $client = $listener->accept)
	{
		next if fork;
		serve($client);
		POSIX::_exit(0);
	}
	POSIX::_exit(0);
}

# Sends without end.
sub flood
{
	my ($client, $what) = @_;
	my $text = 'x' x 1000;
	my %message = (
		notifications => sub { message('A', pack('N', 1) . "channel\0$text\0") },
		parameters => sub { message('S', "name$_[0]\0$text\0") },
		notices => sub { message('N', "SNOTICE\0M$text\0\0") },
		errors => sub { failure('XX000', $text) },
		rows => sub { $_[0] ? message('D', pack('nN', 1, 1000) . $text) : rows_of([1]) },
		field => sub { $_[0] ? $text
			  : rows_of([1]) . 'D' . pack('NnN', 1 << 30, 1, (1 << 30) - 10) },
		notice => sub { $_[0] ? $text : 'N' . pack('N', 1 << 30) . 'M' },
		columns => sub { $_[0] ? $text : 'T' . pack('Nn', 1 << 30, 1) });

	for (my $i = 0;; $i++)
	{
		print {$client} $message{$what}->($i);
	}
}

# Sends a byte a second.
sub trickle
{
	my ($client) = @_;

	foreach my $byte (split //, message('N', "SNOTICE\0M" . 'x' x 20000))
	{
		print {$client} $byte;
		$client->flush;
		sleep 1;
	}
	return;
}

# Speaks to one client.  What hilo asks before its first call is answered well.
sub serve
{
	my ($client) = @_;
	my $ready = message('Z', 'I');

	read_bytes($client, unpack('N', read_bytes($client, 4)) - 4);
	if (slurp_file($answers) =~ /^greet with (\w+)/)
	{
		print {$client} message('R', pack('N', 0));
		flood($client, $1);
	}
	if (slurp_file($answers) eq 'oauth')
	{
		print {$client} message('R', pack('N', 10) . "OAUTHBEARER\0\0");
		return;
	}
	print {$client} message('R', pack('N', 0)) . message('S', "server_version\0" . "15.0\0") .
	  message('S', "client_encoding\0UTF8\0") . $ready;
	$client->flush;
	while (1)
	{
		my $type = read_bytes($client, 1);
		my $body = read_bytes($client, unpack('N', read_bytes($client, 4)) - 4);

		return if $type eq 'X';
		next if $type ne 'Q';
		next if $body =~ /'silent\|'/;
		trickle($client) if $body =~ /'slow\|'/;
		flood($client, $1) if $body =~ /hub_(take|last)/ && slurp_file($answers) =~ /^flood (\w+)/;
		return if slurp_file($answers) =~ /^lost (\w+)/ && $body =~ /$1/;
		my $answer = slurp_file($answers);
		$answer = rows([undef]) if $body =~ /hilo_hub_register/;
		$answer = rows() if $body !~ /hilo_hub_/;
		next if $answer eq '';
		print {$client} $answer;
		print {$client} $ready;
		$client->flush;
	}
	return;
}

sub read_bytes
{
	my ($client, $length) = @_;
	my $bytes = '';

	while (length $bytes < $length)
	{
		read($client, $bytes, $length - length $bytes, length $bytes) or POSIX::_exit(0);
	}
	return $bytes;
}
