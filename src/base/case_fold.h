/*-------------------------------------------------------------------------
 *
 * case_fold.h
 *	  RavenDB's lower-casing of document ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HILO_CASE_FOLD_H
#define HILO_CASE_FOLD_H

/*
 * The most bytes that case_fold_utf8() writes for so many bytes of input: a
 * character of two bytes may become one of three (U+023A and U+023E do), no
 * other grows.
 */
#define CASE_FOLD_UTF8_BOUND(length)	((length) + (length) / 2)

extern text *case_fold(const char *bytes, int length);
extern void case_fold_check(const char *bytes, int length);
extern bool case_fold_is_possible(const char *bytes, int length);
extern bool text_equal(text *text1, text *text2);
extern uint32 case_fold_hash(text *folded);
extern int	case_fold_utf8(const char *src, int length, char *dst);

#endif							/* HILO_CASE_FOLD_H */
