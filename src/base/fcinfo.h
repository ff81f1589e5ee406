/*-------------------------------------------------------------------------
 *
 * fcinfo.h
 *	  The arguments of SQL functions and the rows that they return.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_FCINFO_H
#define HILO_FCINFO_H

#include "fmgr.h"

extern void argument_require(FunctionCallInfo fcinfo, int number,
							 const char *what);
extern Datum call_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls);

#endif							/* HILO_FCINFO_H */
