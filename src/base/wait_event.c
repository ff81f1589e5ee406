/*
 * What a session waits for, as pg_stat_activity names it.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/wait_event.h"

#include "base/base.h"

static const char *const names[] = {
	[WAIT_HUB] = "HiloHub",
	[WAIT_WORKER_SLOT] = "HiloWorkerSlot",
	[WAIT_SOURCE_ANSWER] = "HiloSourceAnswer",
	[WAIT_TRACE_CLOCK] = "HiloTraceClock",
	[WAIT_WINDOW_SLOT] = "HiloWindowSlot",
};

/* Return the number by which core knows an event. */
uint32
wait_event(NamedWait event)
{
	static uint32 known[lengthof(names)];

	if (known[event] == 0)
		known[event] = NewWaitEvent(names[event]);
	return known[event];
}

/* Wait that long, or until the latch is set; can be cancelled. */
void
wait_event_for_latch(NamedWait event, long milliseconds)
{
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
					 milliseconds, wait_event(event));
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}
