#
# Faults: a crash in the very moment that a call has answered, while no other session writes
# anything that would bring its WAL to disk.
#
package Faults::Moments;

use strict;
use warnings;

use Faults::Processes;
use PostgreSQL::Test::Utils;

# what is done, and what must hold afterwards, given its output
my @moments = (
	[ 'first next', q{SELECT hilo_next_tag('%s')}, q{SELECT hilo_next_tag('%s') > %s} ],
	[ 'next', q{SELECT hilo_next_tag('single')}, q{SELECT hilo_next_tag('single') > %2$s} ],
	[ 'next of all', q{SELECT identity_next('people')}, q{SELECT identity_next('people') > %2$s} ],
	[ 'create',
		q{SET synchronous_commit = on; SELECT hilo_create('%s', 'global', first => 7); SELECT 0},
		q{SELECT ordering = 'global' AND first = 7 FROM hilo_generators() WHERE name = '%s'} ],
	[ 'alter', q{SET synchronous_commit = on; SELECT hilo_alter('bulk', range_size => 1000 + (random() * 9)::int);
			SELECT range_size FROM hilo_generators() WHERE docid_fold(name) = 'bulk'},
		q{SELECT range_size = %2$s FROM hilo_generators() WHERE docid_fold(name) = 'bulk'} ],
	[ 'seed', q{SELECT hilo_seed('%s', 1000 + (random() * 1000)::int)},
		q{SELECT hilo_next_tag('%s') > %s} ],
	[ 'return', q{SELECT low FROM hilo_next_range('single', 5) r,
			LATERAL (SELECT hilo_return_range('single', r.high, r.low, r.range_no)) x},
		q{SELECT hilo_next_tag('single') > %2$s} ]);

# what a psql says that came to a server which restarts
my $cut_off = qr/server closed the connection|terminating connection|connection to server .* failed|in recovery mode/;

sub faults
{
	return (
		crash_after => {
			does => 'kill -9 of the server right after the answer to a create, an alter, a first next, a next, a return or a seed',
			weight => 4,
			run => sub { crash_after($_[0], @moments) } });
}

sub crash_after
{
	my ($torture, @choice) = @_;
	my ($what, $statement, $condition) = @{ $torture->pick(@choice) };
	my ($name, $seen, $answer, $errors);

	$torture->{recorder}->hold;
	for (1 .. 3)
	{
		$torture->wait_for_server;
		$name = 'moment ' . $torture->{moments}++;
		($answer, $errors) = answer_and_crash($torture->{node}, sprintf($statement, $name, 0));
		($seen) = $answer =~ /(\d+)\s*\z/;
		last if defined $seen || $errors !~ $cut_off;
	}
	$torture->broken("no answer to $what, but '$answer': $errors") if !defined $seen;
	my $holds = defined $seen ? $torture->try(sprintf($condition, $name, $seen)) : '';
	$torture->broken("after $what gave $seen, and a crash: '$holds'")
	  if defined $seen && $holds ne 't';
	$torture->{recorder}->release;
}

# Return the answer to a statement, after which the server was killed and started, and
# what was said besides.
sub answer_and_crash
{
	my ($node, $statement) = @_;
	my ($answer, $errors);
	my $postmaster = Faults::Processes::postmaster($node);
	my @known = Faults::Processes::known($postmaster);
	# psql kills the server itself: nothing is faster
	my $script = "$statement;\n\\! kill -STOP $postmaster; "
	  . "kill -KILL \$(sed -n 's/^\\([0-9]*\\) (.*) . $postmaster .*/\\1/p' /proc/[0-9]*/stat 2>/dev/null) $postmaster\n";

	IPC::Run::run([ 'psql', '-XAtq', '-d',
			$node->connstr('postgres')
			  . " options='-csynchronous_commit=off -cstatement_timeout=60s'", '-f', '-' ],
		'<', \$script, '>', \$answer, '2>', \$errors);
	# a psql that was killed says nothing itself
	$errors .= "psql was killed by signal " . ($? & 127) if $? & 127;
	# one that was not let in has killed no server
	if ($? != 0) { Faults::Processes::kill_all($node) }
	else { Faults::Processes::wait_until_gone($node, @known) }
	$node->{_pid} = undef;
	$node->start;
	return ($answer, $errors);
}

1;
