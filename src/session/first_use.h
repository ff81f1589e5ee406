/*-------------------------------------------------------------------------
 *
 * first_use.h
 *	  Generators that are made by the first use of their names.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_FIRST_USE_H
#define HILO_FIRST_USE_H

extern bool first_use_is_on;

extern void first_use(text *name, text *written);
extern void first_use_reserved(text *name, int64 max_value);

#endif							/* HILO_FIRST_USE_H */
