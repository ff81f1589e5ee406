#
# Runs clients that write down when their calls began and ended: see order.c.
#
#	my $order = Order->new($node, 32, 'SELECT id, id FROM identity_next(...) id');
#	$order->progress(1000);		# until so many calls more were made
#	my $seen = $order->stop;	# calls, disorder, repeats
#
package Order;

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use IPC::Run;
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

my $source = dirname(abs_path(__FILE__)) . '/order.c';

sub new
{
	my ($class, $node, $clients, @queries) = @_;
	my $self = bless { in => '', out => '' }, $class;

	$self->{run} = IPC::Run::start(
		[ _program(), $node->connstr('postgres'), $clients, @queries ],
		'<', \$self->{in}, '>', \$self->{out});
	return $self;
}

# Wait until the clients have made so many calls more.
sub progress
{
	my ($self, $calls) = @_;
	my $enough = $self->_calls + $calls;
	my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;

	until ($self->_calls >= $enough)
	{
		die 'timed out waiting for progress of the clients'
		  if $attempts-- == 0;
		usleep(10_000);
	}
}

# End the clients, with the server up; return what they saw.
sub stop
{
	my $self = shift;

	# the end of its input would not do: a server that was started since then
	# has inherited the other end of that pipe
	$self->{out} = '';
	$self->{in} = "stop\n";
	$self->{run}->pump until $self->{out} =~ /missing \d+\n/;
	$self->{run}->finish or die "order: $?";
	return { $self->{out} =~ /^(\w+) (\d+)$/mg };
}

sub _calls
{
	my $self = shift;

	$self->{out} = '';
	$self->{in} = "\n";
	$self->{run}->pump until $self->{out} =~ /\n/;
	return 0 + $self->{out};
}

# Build the program, once.
sub _program
{
	my $program = "$PostgreSQL::Test::Utils::tmp_check/order";
	my $include = `pg_config --includedir`;
	my $library = `pg_config --libdir`;

	chomp($include, $library);
	system_or_bail($ENV{CC} || 'cc', qw(-O2 -Wall -Wextra -Werror),
		"-I$include", '-o', $program, $source, "-L$library", qw(-lpq -lpthread))
	  unless -x $program;
	return $program;
}

1;
