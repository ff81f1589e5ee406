/*-------------------------------------------------------------------------
 *
 * trace_id.h
 *	  Trace ids: second, node, chunk and counter, as elfo has them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_TRACE_ID_H
#define HILO_TRACE_ID_H

extern int	trace_ahead;

extern void trace_id_init(void);

#endif							/* HILO_TRACE_ID_H */
