/*-------------------------------------------------------------------------
 *
 * ledger.h
 *	  hilo_ledger: who has taken which ranges.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_LEDGER_H
#define HILO_LEDGER_H

#include "access/xlogdefs.h"
#include "utils/relcache.h"

#include "base/range.h"

enum
{
	Anum_ledger_incarnation = 1,
	Anum_ledger_low,
	Anum_ledger_high,
	Anum_ledger_taken_at,
	Anum_ledger_backend,
	Anum_ledger_role_id,
	Anum_ledger_role,
	Anum_ledger_application,
	Anum_ledger_node,
	Natts_ledger = Anum_ledger_node
};

#define LEDGER_KEEP_DEFAULT (30 * 24 * 60)

extern bool ledger_is_on;
extern int	ledger_keep;

extern bool ledger_open(Relation *ledger, bool wait);
extern void ledger_close(Relation ledger);
extern XLogRecPtr ledger_note(Relation ledger, int64 incarnation, Range range);
extern bool ledger_find(int64 incarnation, int64 id, Datum *entry);

#endif							/* HILO_LEDGER_H */
