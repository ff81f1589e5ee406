/*-------------------------------------------------------------------------
 *
 * id_domain.h
 *	  The intervals that ids are from.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/id_domain.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ID_DOMAIN_H
#define HILO_ID_DOMAIN_H

#define ID_DOMAIN_MIN_BITS 2
#define ID_DOMAIN_MAX_BITS 63

extern int64 id_domain_max(int bits);
extern void id_domain_check(int64 id, int64 low, int64 high);
extern void id_domain_check_part(const char *part, int64 value, int64 low,
								 int64 high);

#endif							/* HILO_ID_DOMAIN_H */
