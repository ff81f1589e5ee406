/*-------------------------------------------------------------------------
 *
 * stock.c
 *	  Ids of a hub that the server holds for its sessions.
 *
 * They are kept in the row of hilo_hi, in the place of spare ranges, which a
 * generator with a hub has none of: so they outlive sessions and crashes, and
 * the rules of store.c hold for them.  "last" is the highest id that ever came.
 *
 * Sessions take the lowest ids first.  So what the session that took the last
 * range gives back lies above what anybody else has, and ids still rise in each
 * session.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/stock.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "flush.h"
#include "ledger.h"
#include "stock.h"

static void take_from(FormData_hilo_hi *hi, Range *slot,
					  const StoreRequest *request, StoreRange *taken);
static Range *lowest(FormData_hilo_hi *hi, int64 max_value);
static Range *place_for(FormData_hilo_hi *hi, Range range);

/*
 * Takes a range from the stock, and says what is left; STORE_EXHAUSTED if
 * there is none up to max_value.  Its WAL is written but not flushed.  Waits as
 * store_take does.
 */
StoreResult
stock_take(const StoreRequest *request, StoreRange *taken, Stock *left)
{
	Relation	ledger;
	HiRow		row;
	Range	   *slot = NULL;
	StoreResult result;

	*left = (Stock) {.has_room = true};
	if (!ledger_open(&ledger, request->wait))
		return STORE_BUSY;
	result = hi_row_lock_incarnation(&row, request->name, request->incarnation,
									 request->wait);
	if (result == STORE_OK && hi_is_stamped(row.hi))
		slot = lowest(row.hi, request->max_value);
	if (slot == NULL)
	{
		if (result == STORE_OK)
		{
			hi_row_cancel(&row);
			result = STORE_EXHAUSTED;
		}
		ledger_close(ledger);
		return result;
	}

	take_from(row.hi, slot, request, taken);
	left->ids = store_spare_ids(row.hi, request->max_value);
	left->has_room = place_for(row.hi, EMPTY_RANGE) != NULL;
	hi_row_write(&row);
	store_note(ledger, request->incarnation, taken);
	return STORE_OK;
}

/*
 * Adds a range that came from the hub, and of which the caller has seen that it
 * is none of those that came before.  If there is no room for it, it is lost; so
 * it is if the generator has another epoch than when the hub was asked: its ids
 * may be in use.
 */
StoreResult
stock_add(const StoreRequest *request, Range range, int64 epoch)
{
	HiRow		row;
	Range	   *place;
	StoreResult result = hi_row_lock_incarnation(&row, request->name,
												 request->incarnation,
												 request->wait);

	if (result != STORE_OK)
		return result;
	if (row.hi->epoch != epoch)
	{
		hi_row_cancel(&row);
		return STORE_OK;
	}
	/* what is there may have been handed out on the other timeline */
	if (!hi_is_stamped(row.hi))
	{
		hi_clear_spares(row.hi);
		hi_set_last(row.hi, row.hi->last);
	}
	place = place_for(row.hi, range);
	if (place != NULL && RangeIsEmpty(*place))
		*place = range;
	else if (place != NULL)
		place->high = range.high;
	row.hi->last = Max(row.hi->last, range.high);
	hi_stamp(row.hi);
	hi_row_write(&row);
	return STORE_OK;
}

/*
 * Gives the ids next .. own.high of a session's own range back, if nobody has
 * taken one since; says whether it did.  Waits for nothing, so that it can be
 * called while the session exits.
 */
bool
stock_give_back(text *name, int64 incarnation, int64 epoch, Range own,
				int64 next)
{
	Range		rest = {next, own.high};
	HiRow		row;
	Range	   *above;
	Range	   *place = NULL;

	if (hi_row_lock_incarnation(&row, name, incarnation, false) != STORE_OK)
		return false;
	if (row.hi->epoch == epoch && hi_is_stamped(row.hi) &&
		row.hi->top_low == own.low && !OidIsValid(row.hi->top_role))
	{
		above = lowest(row.hi, PG_INT64_MAX);
		if (above != NULL && above->low - 1 == own.high)
		{
			rest.high = above->high;
			place = above;
		}
		else
			place = place_for(row.hi, EMPTY_RANGE);
	}
	if (place == NULL)
	{
		hi_row_cancel(&row);
		return false;
	}
	*place = rest;
	hi_set_last(row.hi, row.hi->last);
	hi_row_write(&row);
	return true;
}

/*
 * Has the generator go on above value, as store_seed does: the hub has been
 * raised so far.  What is in stock is lost, and so is what sessions hold.  On
 * disk, and told to the other sessions, when it comes back.
 */
void
stock_pass(text *name, int64 value, SeedKind kind)
{
	HiRow		row;
	int64		incarnation;

	if (hi_row_lock(&row, name) != STORE_OK)
		return;
	if (value <= row.hi->last && !SeedChanges(kind, value))
	{
		hi_row_cancel(&row);
		return;
	}
	hi_jump(row.hi, Max(value, row.hi->last));
	row.hi->epoch++;
	incarnation = row.hi->incarnation;
	flush_wal(hi_row_write_for_all(&row), incarnation);
}

/*
 * Takes a session's range from the one with the lowest ids, in the locked row.
 */
static void
take_from(FormData_hilo_hi *hi, Range *slot, const StoreRequest *request,
		  StoreRange *taken)
{
	taken->range = range_split(slot, Min(request->size,
										 request->max_value - slot->low + 1));
	taken->continues = hi_continues(hi, request->own, taken->range.low - 1);
	if (!taken->continues)
		hi->top_low = taken->range.low;
	hi->top_role = InvalidOid;
	hi->last_size = RangeLength(taken->range);
	taken->number = ++hi->top_number;
	taken->epoch = hi->epoch;
}

/*
 * Gives the range with the lowest ids, NULL if there is none up to max_value.
 */
static Range *
lowest(FormData_hilo_hi *hi, int64 max_value)
{
	Range	   *found = NULL;

	for (int i = 0; i < STORE_SPARES; i++)
	{
		Range	   *slot = &hi->spare[i];

		if (!RangeIsEmpty(*slot) && slot->low <= max_value &&
			(found == NULL || slot->low < found->low))
			found = slot;
	}
	return found;
}

/*
 * Gives the range that another one continues, or an empty one for it; NULL if
 * there is neither.
 */
static Range *
place_for(FormData_hilo_hi *hi, Range range)
{
	Range	   *empty = NULL;

	for (int i = 0; i < STORE_SPARES; i++)
	{
		Range	   *slot = &hi->spare[i];

		if (RangeIsEmpty(*slot))
			empty = slot;
		else if (!RangeIsEmpty(range) && slot->high == range.low - 1)
			return slot;
	}
	return empty;
}
