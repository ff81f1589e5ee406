/*
 * Who holds the ids that are reserved and not handed out yet.
 */
#include "postgres.h"

#include "session/session.h"
#include "source/source.h"

static int64 next_of_holder(SessionEntry *entry, const char *function,
							int64 wanted);
static Range next_block_of_holder(SessionEntry *entry, int64 count,
								  int64 max_value, const char *function);
static int64 session_next(SessionEntry *entry, const char *function,
						  int64 wanted);
static int64 server_next(SessionEntry *entry, const char *function,
						 int64 wanted);
static Range server_next_block(SessionEntry *entry, int64 count,
							   int64 max_value, const char *function);
static int64 server_seed(text *name, const Definition *definition,
						 int64 incarnation, int64 value, SeedKind kind);
static int64 nobody_next(SessionEntry *entry, const char *function,
						 int64 wanted);
static Range nobody_next_block(SessionEntry *entry, int64 count,
							   int64 max_value, const char *function);
static int64 nobody_seed(text *name, const Definition *definition,
						 int64 incarnation, int64 value, SeedKind kind);
static int64 elsewhere_next(SessionEntry *entry, const char *function,
							int64 wanted);
static Range elsewhere_next_block(SessionEntry *entry, int64 count,
								  int64 max_value, const char *function);
static int64 row_seed(text *name, const Definition *definition,
					  int64 incarnation, int64 value, SeedKind kind);

static const HolderCalls holders[] = {
	[HELD_BY_SESSION] = {
		.next = session_next,
		.taken = shared_taken,
		.close = shared_close,
		.seed = row_seed,
	},
	[HELD_BY_SERVER] = {
		.next = server_next,
		.next_block = server_next_block,
		.last = shared_last,
		.taken = shared_taken,
		.close = shared_close,
		.seed = server_seed,
	},
	[HELD_BY_NOBODY] = {
		.next = nobody_next,
		.next_block = nobody_next_block,
		.seed = nobody_seed,
	},
};

/* of ids in one order for several servers, none is held here */
static const HolderCalls elsewhere = {
	.next = elsewhere_next,
	.next_block = elsewhere_next_block,
};

const HolderCalls *
holder_of(const Definition *definition)
{
	if (definition->holder == HELD_BY_SERVER && definition->origin == FROM_HUB)
		return &elsewhere;
	return &holders[definition->holder];
}

/*
 * Go on with whoever holds the ids of a generator that was altered meanwhile.
 */
static int64
next_of_holder(SessionEntry *entry, const char *function, int64 wanted)
{
	return holder_of(&entry->definition)->next(entry, function, wanted);
}

static Range
next_block_of_holder(SessionEntry *entry, int64 count, int64 max_value,
					 const char *function)
{
	return holder_of(&entry->definition)->next_block(entry, count, max_value,
													 function);
}

static int64
session_next(SessionEntry *entry, const char *function, int64 wanted)
{
	if (!session_fill(entry, function, wanted))
		return next_of_holder(entry, function, wanted);
	return session_id(entry, ++entry->last);
}

static int64
server_next(SessionEntry *entry, const char *function, int64 wanted)
{
	if (!shared_next(entry, function))
		return next_of_holder(entry, function, wanted);
	return entry->current;
}

static Range
server_next_block(SessionEntry *entry, int64 count, int64 max_value,
				  const char *function)
{
	Range		block = shared_next_block(entry, count, max_value, function);

	return RangeIsEmpty(block) ?
		next_block_of_holder(entry, count, max_value, function) : block;
}

static int64
server_seed(text *name, const Definition *definition, int64 incarnation,
			int64 value, SeedKind kind)
{
	return shared_seed(name, incarnation, value, kind, definition->max_value,
					   true);
}

static int64
nobody_next(SessionEntry *entry, const char *function, int64 wanted)
{
	if (!gapless_lock(entry, function))
		return next_of_holder(entry, function, wanted);
	return gapless_next_block(entry, 1).low;
}

static Range
nobody_next_block(SessionEntry *entry, int64 count, int64 max_value,
				  const char *function)
{
	if (!gapless_lock(entry, function))
		return next_block_of_holder(entry, count, max_value, function);
	return gapless_next_block(entry, count);
}

static int64
nobody_seed(text *name, const Definition *definition, int64 incarnation,
			int64 value, SeedKind kind)
{
	return gapless_seed(name, incarnation, value, kind == SEED_FORCE);
}

static int64
elsewhere_next(SessionEntry *entry, const char *function, int64 wanted)
{
	return elsewhere_next_block(entry, 1, entry->definition.max_value,
								function).low;
}

/*
 * Take ids above all that any server was given before.
 *
 * They are on disk at the hub, and "last" here, too: a hub that is set back is
 * found out by it, and one that is taken away leaves no other account of them.
 */
static Range
elsewhere_next_block(SessionEntry *entry, int64 count, int64 max_value,
					 const char *function)
{
	StoreRequest request = {
		.name = entry->name,
		.incarnation = entry->incarnation,
		.max_value = entry->definition.max_value,
		.size = count,
		.is_exact = true,
		.wait = true,
		.own = EMPTY_RANGE,
	};
	StoreRange	taken = {0};

	session_lock(entry, function);
	if (holder_of(&entry->definition) != &elsewhere)
	{
		session_unlock(entry);
		return next_block_of_holder(entry, count, max_value, function);
	}
	request.incarnation = entry->incarnation;
	request.max_value = entry->definition.max_value;
	session_require_taken(entry,
						  source_of(&entry->definition)->take(&entry->definition,
															  &request, &taken),
						  request.max_value);
	if (RangeLength(taken.range) < count)
		session_exhausted(entry, request.max_value);
	flush_wal(taken.lsn, entry->incarnation);
	session_unlock(entry);
	entry->current = taken.range.high;
	strlcpy(entry->node_tag, hilo_node_tag, sizeof(entry->node_tag));
	tally(entry->incarnation, TALLY_HANDED_OUT, RangeLength(taken.range));
	session_warn_of_end(entry, taken.range.high);
	return taken.range;
}

static int64
row_seed(text *name, const Definition *definition, int64 incarnation,
		 int64 value, SeedKind kind)
{
	return shared_seed(name, incarnation, value, kind, definition->max_value,
					   false);
}
