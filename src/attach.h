/*-------------------------------------------------------------------------
 *
 * attach.h
 *	  Columns whose default is a generator.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/attach.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_ATTACH_H
#define HILO_ATTACH_H

extern void attach_init(void);
extern void attach_refuse_drop(text *name, text *written);

#endif							/* HILO_ATTACH_H */
