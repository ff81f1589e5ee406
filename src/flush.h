/*-------------------------------------------------------------------------
 *
 * flush.h
 *	  The wait for WAL to be where a crash or a failover does not lose it.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/flush.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_FLUSH_H
#define HILO_FLUSH_H

#include "access/xlogdefs.h"

extern void flush_wal(XLogRecPtr lsn, int64 incarnation);
extern void flush_wal_for_all(XLogRecPtr lsn, int64 incarnation);
extern void flush_wait_for_standbys(XLogRecPtr lsn);

#endif							/* HILO_FLUSH_H */
