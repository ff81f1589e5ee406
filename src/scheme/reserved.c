/*
 * Generators of hilo's own, which keep what other schemes must not repeat.
 *
 * Their names begin with RESERVED_PREFIX, so only superusers can use, seed or
 * drop them.  They come with the first use of their scheme, are dumped and
 * restored, and show in hilo_generators.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "base/base.h"
#include "scheme/reserved.h"
#include "session/session.h"
#include "store/store.h"
#include "table/table.h"

/*
 * Find the generator whose name ends so, make it if need be, and take its lock
 * to the end of the transaction.
 */
Reserved
reserved_open(const char *suffix, int64 max_value)
{
	text	   *name = cstring_to_text(psprintf("%s%s", RESERVED_PREFIX, suffix));
	Reserved	reserved = {.name = name, .max_value = max_value};
	FormData_hilo_hi hi;

	if (!definition_exists(name))
		first_use_reserved(name, max_value);
	if (!store_lock(name, RowExclusiveLock, &hi))
	{
		/* a restore may have brought half of it, which this refuses */
		first_use_reserved(name, max_value);
		if (!store_lock(name, RowExclusiveLock, &hi))
			elog(ERROR, "generator \"%s\" has no row in hilo_hi",
				 text_to_cstring(name));
	}
	reserved.key = window_key(hi.incarnation);
	return reserved;
}

int64
reserved_last(const Reserved *reserved)
{
	FormData_hilo_hi hi;

	return store_read(reserved->name, &hi) ? hi.last : 0;
}

/*
 * Take one id, which is at_least so much; 0 if there is none left.  It is on
 * disk, and with the standbys, when it comes back.
 *
 * Once it is taken, if it is to be lost by an error, too, it stands in *id,
 * unless that is NULL.
 */
int64
reserved_take(Reserved *reserved, int64 at_least, int64 *id)
{
	StoreRequest request = {
		.name = reserved->name,
		.incarnation = reserved->key.incarnation,
		.max_value = reserved->max_value,
		.size = 1,
		.wait = true,
		.own = EMPTY_RANGE,
		.last_max = at_least - 1,
		.small_skip = true,
	};
	StoreRange	taken;

	switch (store_take(&request, &taken))
	{
		case STORE_OK:
			if (id != NULL)
				*id = taken.range.low;
			reserved->standbys = flush_wal_for_all(taken.lsn,
												   reserved->key.incarnation);
			tally(reserved->key.incarnation, TALLY_HANDED_OUT, 1);
			return taken.range.low;
		case STORE_EXHAUSTED:
			return 0;
		default:
			elog(ERROR, "generator \"%s\" vanished under its lock",
				 text_to_cstring(reserved->name));
	}
}
