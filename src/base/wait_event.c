/* Waits, as pg_stat_activity names them. */
#include "postgres.h"

#include "base/base.h"

/* Wait that long, or until the latch is set; can be cancelled. */
void
wait_event_for_latch(const char *event, long milliseconds)
{
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
					 milliseconds, WaitEventExtensionNew(event));
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}
