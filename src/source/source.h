/*
 * Where the ids of a generator come from: its own row of hilo_hi, an ORM, or a
 * hub.
 */
#ifndef HILO_SOURCE_H
#define HILO_SOURCE_H

#include "store/store.h"
#include "table/definition.h"

/*
 * What a kind of source does.
 */
typedef struct Source
{
	/* Reserve a range, as store_take does. */
	StoreResult (*take) (const Definition *definition,
						 const StoreRequest *request, StoreRange *taken);

	/* Take back the rest of a session's range, as store_give_back does. */
	bool		(*give_back) (text *name, int64 incarnation, int64 epoch,
							  Range own, int64 next, bool recycle);

	/*
	 * Raise "last" there as well as here, and return it; NULL: it is here only.
	 */
	int64		(*seed) (text *name, const Definition *definition,
						 int64 incarnation, int64 value, SeedKind kind);

	/* Have no id up to value be handed out; NULL: as by a seed. */
	void		(*pass) (text *name, const Definition *definition, int64 value);

	/* Report that "last" cannot be lowered; NULL: it can. */
	void		(*refuse_force) (void);

	/* Return the last id that anybody got there; NULL: it is known here. */
	int64		(*last) (text *name, const Definition *definition);

	bool		reserves_ahead; /* a session may reserve before it has to */
} Source;

extern const Source *source_of(const Definition *definition);

#endif							/* HILO_SOURCE_H */
