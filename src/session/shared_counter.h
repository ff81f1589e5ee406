/*-------------------------------------------------------------------------
 *
 * shared_counter.h
 *	  Windows of ids that all sessions hand out together.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SHARED_COUNTER_H
#define HILO_SHARED_COUNTER_H

#include "base/delay.h"
#include "base/range.h"
#include "session/session_entry.h"
#include "session/window.h"
#include "store/hi_row.h"
#include "store/store.h"

extern int64 shared_next(SessionEntry *entry, const char *function);
extern Range shared_next_block(SessionEntry *entry, int64 count,
							   int64 max_value, const char *function);
extern bool shared_take_late(SessionEntry *entry, uint64 word);
extern bool shared_last(const FormData_hilo_hi *hi, int64 *last);
extern int64 shared_taken(const FormData_hilo_hi *hi);
extern void shared_close(int64 incarnation);
extern int64 shared_seed(text *name, int64 incarnation, int64 value,
						 SeedKind kind, int64 max_value);

/*
 * Hands out the next id of the window that the entry knows, if that is still
 * open and nothing asks for a second look: see session_checked.
 *
 * The word is read first so that calls that fail never push the offset, which
 * has room for one id too many of each session.
 */
static inline bool
shared_try_next(SessionEntry *entry)
{
	SessionWindow *window = &entry->window;
	uint64		word;

	if (window->limit == 0)
		return false;
	word = pg_atomic_read_u64(window->word);
	if (WordGeneration(word) != window->generation ||
		WordOffset(word) >= window->limit)
		return false;

	delay_at_random();
	word = pg_atomic_fetch_add_u64(window->word, 1);
	if (unlikely(WordGeneration(word) != window->generation))
		return shared_take_late(entry, word);
	if (WordOffset(word) >= window->length)
		return false;
	entry->current = window->low + (int64) WordOffset(word);
	return true;
}

#endif							/* HILO_SHARED_COUNTER_H */
