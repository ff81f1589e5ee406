/*-------------------------------------------------------------------------
 *
 * scatter.h
 *	  A bijection of the ids of so many bits, without a key; the domains of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_SCATTER_H
#define HILO_SCATTER_H

extern int64 scatter_id(int64 id, int bits);
extern int64 scatter_gather(int64 id, int bits);

/* the domains that ids are from, of so many bits */
#define ID_DOMAIN_MIN_BITS 2
#define ID_DOMAIN_MAX_BITS 63

extern int64 id_domain_max(int bits);
extern void id_domain_check(int64 id, int64 low, int64 high);
extern void id_domain_check_part(const char *part, int64 value, int64 low,
								 int64 high);

#endif							/* HILO_SCATTER_H */
