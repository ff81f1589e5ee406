/* Waits, with their names in pg_stat_activity. */
#include "postgres.h"

#include "base/base.h"

/* Wait for a time, or until the latch is set.  A query cancel ends the wait. */
void
wait_event_for_latch(const char *event, long milliseconds)
{
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
					 milliseconds, WaitEventExtensionNew(event));
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}
