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

#define LEDGER_KEEP_DEFAULT (30 * 24 * 60)

extern bool ledger_is_on;
extern int	ledger_keep;

extern bool ledger_open(Relation *ledger, bool wait);
extern void ledger_close(Relation ledger);
extern XLogRecPtr ledger_note(Relation ledger, int64 incarnation, Range range);

#endif							/* HILO_LEDGER_H */
