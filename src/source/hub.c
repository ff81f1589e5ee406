/*
 * Generators whose ids come from a generator on another server.
 *
 * The one on the hub has the same name.  Where the order is that of sessions,
 * the server takes ranges from it into a stock, of which sessions take theirs;
 * where it is global, each id comes from the hub.  Either way the hub has them
 * on disk before it answers, out of reach of every rollback, and an answer that
 * is lost is a gap.
 *
 * The ids of one hub only rise.  So a range asked for after "last" was read lies
 * above it, or the hub has been set back and its ids may be in use.
 *
 * The stock is kept in the row of hilo_hi, in the place of spare ranges, which a
 * generator with a hub has none of: so it outlives sessions and crashes, and the
 * rules of store.c hold for it.  "last" is the highest id that ever came.
 * Sessions take the lowest ids first.  So what the session that took the last
 * range gives back lies above what anybody else has, and ids still rise in each
 * session.
 */
#include "postgres.h"

#include "catalog/pg_foreign_server.h"
#include "common/int.h"
#include "foreign/foreign.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "source/source.h"

/* a range for the stock is that of so many sessions */
#define SESSIONS_IN_STOCK 4

/* with fewer left, the stock is filled ahead of need */
#define SESSIONS_LEFT 2

/* how long a session waits for the hub ahead of need, and after a failure does
 * not ask again, in milliseconds */
#define PATIENCE 500
#define REST 10000

/*
 * What fill_stock is about.
 */
typedef struct Filling
{
	const Definition *definition;
	const StoreRequest *request;
	int			patience;
	StoreResult result;
} Filling;

static StoreResult take_for_session(const Definition *definition,
									const StoreRequest *request,
									StoreRange *taken);
static void fill_ahead(const Definition *definition,
					   const StoreRequest *request);
static void fill_stock(void *filling);
static StoreResult take_for_client(const Definition *definition,
								   const StoreRequest *request,
								   StoreRange *taken);
static Range ask_for_range(const Definition *definition,
						   const StoreRequest *request, int patience,
						   int64 *epoch);
static void check_range(const Definition *definition,
						const StoreRequest *request, Range range, int64 last);
static const char *quoted(text *value);
static StoreResult stock_add(const StoreRequest *request, Range range,
							 int64 epoch);
static StoreResult take_from_stock(FormData_hilo_hi *hi,
								   const StoreRequest *request,
								   StoreRange *taken, void *left);
static int	ranges_in_stock(const FormData_hilo_hi *hi);

/*
 * Report an error unless there is a foreign server of that name which the
 * current role may use.
 */
void
hub_require_server(const char *hub)
{
	ForeignServer *server = GetForeignServerByName(hub, false);
	AclResult	result = ForeignServerUsage(server->serverid, GetUserId());

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_FOREIGN_SERVER, hub);
}

/*
 * Make a definition that of the hub's generator, which is made there if need be, by
 * the rights of the current role; return its owner.
 */
Oid
hub_define(const char *hub, text *name, text *written, Definition *definition)
{
	int64		limits[4];
	const char *owner;
	NameData	server;

	namestrcpy(&server, hub);
	definition_set_hub(definition, &server);
	/* before the generator is made there */
	definition_check(name, definition);
	hub_call(hub, GetUserId(), psprintf("hilo_hub_define(%s)", quoted(written)),
			 0, lengthof(limits), limits, &owner);
	definition->holder = limits[0] != 0 ? HELD_BY_SERVER : HELD_BY_SESSION;
	definition->max_value = limits[1];
	definition->range_size = limits[2];
	definition->max_range_size = limits[3];
	definition_check(name, definition);
	return get_role_oid(owner == NULL ? "" : owner, false);
}

/*
 * Take a range as store_take does from hilo_hi.  Without wait, it may ask the
 * hub ahead of need, and then waits for it a little.
 */
StoreResult
hub_take(const Definition *definition, const StoreRequest *request,
		 StoreRange *taken)
{
	if (request->whole_block && definition->holder == HELD_BY_SERVER)
		source_refuse_hi(request->name);
	/* what is not for a session's range comes straight from the hub */
	if (request->whole_block || request->is_exact || OidIsValid(request->role))
		return take_for_client(definition, request, taken);
	return take_for_session(definition, request, taken);
}

/*
 * Return what is left of a window to the stock, below which it lies, as store_give_back
 * does; not what lies below that.  Waits for nothing.
 */
bool
hub_give_back(text *name, int64 incarnation, int64 epoch, Remainder *rest,
			  bool wait)
{
	HiRow		row;
	Range	   *stock;
	int			count;

	if (rest->last >= rest->high ||
		hi_row_lock_incarnation(&row, name, incarnation, false) != STORE_OK)
		return false;
	stock = row.hi->spare;
	count = ranges_in_stock(row.hi);
	if (row.hi->epoch != epoch || !hi_is_stamped(row.hi) ||
		(count > 0 && rest->high >= stock[0].low) ||
		(count == STORE_SPARES && rest->high < stock[0].low - 1))
	{
		hi_row_cancel(&row);
		return false;
	}
	if (count > 0 && stock[0].low - 1 == rest->high)
		stock[0].low = rest->last + 1;
	else
	{
		memmove(&stock[1], &stock[0], count * sizeof(Range));
		stock[0] = (Range) {rest->last + 1, rest->high};
	}
	rest->high = rest->last;
	hi_row_write(&row);
	return true;
}

/*
 * Return the last id that anybody got, of whichever server.
 */
int64
hub_last(text *name, const Definition *definition)
{
	int64		last;

	hub_call(NameStr(definition->hub), privilege_actor(name),
			 psprintf("hilo_hub_last(%s)", quoted(name)), 0, 1, &last, NULL);
	return last;
}

/*
 * Raise the generator on the hub to value, and have this server continue above it,
 * without its stock; return the resulting last id of the hub.
 */
int64
hub_seed(text *name, const Definition *definition, int64 incarnation,
		 int64 value)
{
	int64		last;

	hub_call(NameStr(definition->hub), privilege_actor(name),
			 psprintf("hilo_hub_seed(%s, " INT64_FORMAT ")", quoted(name), value),
			 0, 1, &last, NULL);
	(void) store_seed(name, value, SEED_RAISE, SEED_SKIPS_NONE);
	return last;
}

/*
 * Take a session's range from the stock.  Where that is empty, or nearly so and
 * there is no need to wait, it is filled.
 */
static StoreResult
take_for_session(const Definition *definition, const StoreRequest *request,
				 StoreRange *taken)
{
	Filling		filling = {definition, request, 0, STORE_OK};
	int64		left;
	StoreResult result = store_change(request, taken, take_from_stock, &left);

	if (request->wait && result == STORE_EXHAUSTED)
	{
		/* the others wait for the one who asks the hub */
		(void) lock_take(lock_of_source(request->incarnation), true);
		while ((result = store_change(request, taken, take_from_stock,
									  &left)) == STORE_EXHAUSTED)
		{
			fill_stock(&filling);
			result = filling.result;
			if (result != STORE_OK)
				break;
		}
		lock_give_up(lock_of_source(request->incarnation));
	}
	else if (!request->wait &&
			 (result == STORE_EXHAUSTED ||
			  (result == STORE_OK && left / SESSIONS_LEFT < request->size)))
	{
		fill_ahead(definition, request);
		if (result == STORE_EXHAUSTED)
			result = store_change(request, taken, take_from_stock, &left);
	}
	return result;
}

/*
 * Fill the stock if the hub answers soon and nobody else is at it.  That it
 * does not is no error here: there are ids still.  Not on a Citus worker, where no
 * subtransaction can begin while Citus copies rows to other nodes.
 */
static void
fill_ahead(const Definition *definition, const StoreRequest *request)
{
	static TimestampTz rests_until = 0;
	Filling		filling = {definition, request, PATIENCE, STORE_OK};
	ErrorData  *error;

	if (strcmp(NameStr(definition->hub), CITUS_HUB) == 0 ||
		GetCurrentTimestamp() < rests_until ||
		!lock_take(lock_of_source(request->incarnation), false))
		return;
	error = attempt(fill_stock, &filling);
	lock_give_up(lock_of_source(request->incarnation));
	if (error == NULL)
		return;
	rests_until = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), REST);
	ereport(LOG,
			(errmsg("could not take ids for generator \"%s\" from hub \"%s\" ahead of need: %s",
					text_to_cstring(request->name),
					NameStr(definition->hub), error->message),
			 error->detail ? errdetail_internal("%s", error->detail) : 0));
}

/*
 * Take a range from the hub into the stock; also a callback of attempt.  The caller
 * holds the lock of the generator's source.
 */
static void
fill_stock(void *arg)
{
	Filling    *filling = arg;
	StoreRequest all = *filling->request;
	int64		epoch;
	Range		range;

	/* once the range is there, a moment for the row is worth it */
	all.wait = true;
	if (pg_mul_s64_overflow(filling->request->size, SESSIONS_IN_STOCK, &all.size))
		all.size = filling->request->size;
	range = ask_for_range(filling->definition, &all, filling->patience, &epoch);
	filling->result = RangeIsEmpty(range_clip(range, all.max_value)) ?
		STORE_EXHAUSTED : stock_add(&all, range, epoch);
}

/*
 * Take a range from the hub that does not go through the stock.  One that was
 * on its way when the generator was seeded is lost.
 */
static StoreResult
take_for_client(const Definition *definition, const StoreRequest *request,
				StoreRange *taken)
{
	StoreResult result;
	int64		epoch;

	do
	{
		Range		range = range_clip(ask_for_range(definition, request, 0,
													 &epoch),
									   request->max_value);

		if (RangeIsEmpty(range) ||
			(request->whole_block && RangeLength(range) < request->size))
			return STORE_EXHAUSTED;
		result = store_receive(request, range, taken);
	} while (result == STORE_OK && taken->epoch != epoch);
	return result;
}

/*
 * Ask the hub for a range, unless this server's own ids have ended; set the
 * epoch that the generator had before.
 */
static Range
ask_for_range(const Definition *definition, const StoreRequest *request,
			  int patience, int64 *epoch)
{
	FormData_hilo_hi hi = {0};
	int64		results[2];
	Range		range;

	(void) store_read(request->name, &hi);
	*epoch = hi.epoch;
	if (hi.last >= request->max_value)
		return EMPTY_RANGE;

	hub_call(NameStr(definition->hub), privilege_actor(request->name),
			 psprintf("hilo_hub_take(%s, '%s', " INT64_FORMAT ", %s, %s, " INT64_FORMAT ", " INT64_FORMAT ")",
					  quoted(request->name),
					  definition_ordering(definition),
					  request->size, request->is_exact ? "true" : "false",
					  request->whole_block ? "true" : "false",
					  request->last_max, request->max_value),
			 patience, 2, results, NULL);
	delay_at_random();
	range = (Range) {results[0], results[1]};
	check_range(definition, request, range, hi.last);
	return range;
}

/*
 * Report an error if a range is not above what was received before it was asked
 * for, as the hub has been set back or its generator is another one now; if it
 * has more ids than were asked for; or is not the block that was.
 */
static void
check_range(const Definition *definition, const StoreRequest *request,
			Range range, int64 last)
{
	if (range.low <= last || RangeIsEmpty(range))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hub \"%s\" is behind generator \"%s\"",
						NameStr(definition->hub),
						text_to_cstring(request->name)),
				 errdetail("It gave the range %lld to %lld, but ids up to %lld have been handed out.",
						   (long long) range.low, (long long) range.high,
						   (long long) last),
				 errhint("Raise the generator with hilo_seed above the last id of every server.")));
	if (RangeLength(range) > request->size ||
		(request->whole_block &&
		 (RangeLength(range) < request->size || range.low % request->size != 0)))
		hub_refuse_answer(NameStr(definition->hub),
						  psprintf("It gave the range %lld to %lld when asked for %lld ids.",
								   (long long) range.low, (long long) range.high,
								   (long long) request->size));
}

static const char *
quoted(text *value)
{
	return quote_literal_cstr(text_to_cstring(value));
}

/*
 * Take a session's range from the stock's lowest ids, and set how many are left, as
 * many as can be if there is no room for more; STORE_EXHAUSTED if there is none up
 * to max_value.  See store_change.
 */
static StoreResult
take_from_stock(FormData_hilo_hi *hi, const StoreRequest *request,
				StoreRange *taken, void *left)
{
	Range	   *stock = hi->spare;

	if (!hi_is_stamped(hi) ||
		RangeIsEmpty(range_clip(stock[0], request->max_value)))
		return STORE_EXHAUSTED;

	taken->range = range_split(&stock[0], Min(request->size,
											  request->max_value - stock[0].low + 1));
	if (RangeIsEmpty(stock[0]))
	{
		memmove(&stock[0], &stock[1], (STORE_SPARES - 1) * sizeof(Range));
		stock[STORE_SPARES - 1] = EMPTY_RANGE;
	}
	hi->top_low = taken->range.low;
	hi->top_role = InvalidOid;
	hi->last_size = RangeLength(taken->range);
	hi->top_number++;
	*(int64 *) left = ranges_in_stock(hi) == STORE_SPARES ? PG_INT64_MAX :
		store_spare_ids(hi, request->max_value);
	return STORE_OK;
}

/*
 * Add a range that came from the hub, and of which the caller has seen that it
 * is none of those that came before.  If there is no room for it, it is lost; so
 * it is if the generator has another epoch than when the hub was asked: its ids
 * may be in use.
 */
static StoreResult
stock_add(const StoreRequest *request, Range range, int64 epoch)
{
	HiRow		row;
	int			count;
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
	count = ranges_in_stock(row.hi);
	if (count > 0 && row.hi->spare[count - 1].high == range.low - 1)
		row.hi->spare[count - 1].high = range.high;
	else if (count < STORE_SPARES)
		row.hi->spare[count] = range;
	row.hi->last = Max(row.hi->last, range.high);
	hi_stamp(row.hi);
	hi_row_write(&row);
	return STORE_OK;
}

/*
 * Return how many ranges the stock has: they are the first ones in the row, and rise.
 */
static int
ranges_in_stock(const FormData_hilo_hi *hi)
{
	int			count = 0;

	while (count < STORE_SPARES && !RangeIsEmpty(hi->spare[count]))
		count++;
	return count;
}
