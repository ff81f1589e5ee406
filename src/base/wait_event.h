/*-------------------------------------------------------------------------
 *
 * wait_event.h
 *	  What a session waits for, as pg_stat_activity names it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_WAIT_EVENT_H
#define HILO_WAIT_EVENT_H

/*
 * What core does not name by itself: it has names for locks, for the disk and
 * for standbys.
 */
typedef enum NamedWait
{
	WAIT_HUB,					/* to connect, or to answer */
	WAIT_WORKER_SLOT,			/* for a background worker */
	WAIT_SOURCE_ANSWER,			/* of the background worker */
	WAIT_TRACE_CLOCK,			/* to come near enough to a trace id */
	WAIT_WINDOW_SLOT			/* that nobody is at work on */
} NamedWait;

extern uint32 wait_event(NamedWait event);
extern void wait_event_sleep(NamedWait event, long microseconds);

#endif							/* HILO_WAIT_EVENT_H */
