/*-------------------------------------------------------------------------
 *
 * pace.h
 *	  How fast the ids of a generator are used up.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/pace.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_PACE_H
#define HILO_PACE_H

#include "hi_row.h"

extern void pace_start(FormData_hilo_hi *hi);
extern void pace_note(FormData_hilo_hi *hi);
extern void pace_jump(FormData_hilo_hi *hi, int64 ids);
extern double pace_ids_per_day(const FormData_hilo_hi *hi);
extern double pace_ranges_per_minute(const FormData_hilo_hi *hi);

#endif							/* HILO_PACE_H */
