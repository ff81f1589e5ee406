/*-------------------------------------------------------------------------
 *
 * utf8.h
 *	  Text in UTF-8, whatever the database's encoding.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/utf8.h
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_UTF8_H
#define HILO_UTF8_H

extern const char *utf8_form(const char *bytes, int length, bool missing_ok,
							 int *utf8_length);
extern bool text_equal(text *text1, text *text2);

#endif							/* HILO_UTF8_H */
