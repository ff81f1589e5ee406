/*
 * The part of an id that says where its row lives, and its bucket.
 *
 * RavenDB (ShardHelper.cs) hashes an id, or only what follows its last "$",
 * the anchor, so that invoices/1$orders/54-B lives where orders/54-B does.  A
 * "$" that is the first character is none.  The hash is that of the lower case.
 */
#include "postgres.h"

#ifdef __has_include
#if !__has_include(<xxhash.h>)
#error "hilo needs xxhash.h: install libxxhash-dev (Debian) or xxhash-devel (Fedora)"
#endif
#endif
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "port/pg_bswap.h"
#include "utils/builtins.h"

#include "anchor/anchor.h"
#include "table/table.h"

PG_FUNCTION_INFO_V1(anchor_bucket);
PG_FUNCTION_INFO_V1(anchor_of);
PG_FUNCTION_INFO_V1(anchor_to);

#define ANCHOR_BUCKETS 1048576

/* ASCII of so many bytes is folded in words of eight */
#define FOLD_BUFFER_SIZE TYPEALIGN(sizeof(uint64), ID_MAX_LENGTH)
#define EACH_BYTE(byte) (UINT64CONST(0x0101010101010101) * (byte))

static inline int bucket_of(text *id);
static inline bool fold_ascii(const char *src, int length, char *dst,
							  bool *has_separator);
static inline uint64 last_word(const char *src, int length);
static inline uint64 fold_word(uint64 word);
static inline uint64 not_separators(uint64 word);
static inline int bucket_of_folded(const char *anchor, int length);
static int	bucket_of_any(const char *id, int length);
static void require_final(const char *what, const char *id, int length);

Datum
anchor_bucket(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(bucket_of(PG_GETARG_TEXT_PP(0)));
}

/*
 * anchor_of(id): the anchor of an id, which is the id itself if it has none.
 */
Datum
anchor_of(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	const char *end = VARDATA_ANY(id) + VARSIZE_ANY_EXHDR(id);
	const char *anchor = anchor_find(VARDATA_ANY(id), end);

	PG_RETURN_TEXT_P(cstring_to_text_with_len(anchor, end - anchor));
}

/*
 * anchor_to(id, target): the id with the target's anchor appended, so that both
 * have the same bucket; the target is its own anchor if it has none.  An id that has an
 * anchor keeps it as a part of its name: the last one counts.  Report an error
 * if one of the two is no final id, if nothing can be anchored to the target,
 * or if the result is too long.
 */
Datum
anchor_to(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	text	   *target = PG_GETARG_TEXT_PP(1);
	int			id_length = VARSIZE_ANY_EXHDR(id);
	const char *target_end = VARDATA_ANY(target) + VARSIZE_ANY_EXHDR(target);
	const char *anchor;
	int			length;
	text	   *result;
	char	   *p;

	require_final("id", VARDATA_ANY(id), id_length);
	require_final("target", VARDATA_ANY(target), VARSIZE_ANY_EXHDR(target));

	anchor = anchor_find(VARDATA_ANY(target), target_end);
	if (anchor < target_end && *anchor == ANCHOR_SEPARATOR)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot anchor an id to \"%s\"",
						text_to_cstring(target)),
				 errdetail("A \"%c\" as the first character of an id begins no anchor.",
						   ANCHOR_SEPARATOR)));

	length = id_length + 1 + (target_end - anchor);
	result = palloc(VARHDRSZ + length);
	SET_VARSIZE(result, VARHDRSZ + length);
	p = VARDATA(result);
	memcpy(p, VARDATA_ANY(id), id_length);
	p[id_length] = ANCHOR_SEPARATOR;
	memcpy(p + id_length + 1, anchor, target_end - anchor);
	/* the limit is one of the lower case */
	(void) bucket_of(result);
	PG_RETURN_TEXT_P(result);
}

/*
 * Return the bucket of an id, 0 to 1048575, at once if it is ASCII.  Report an
 * error if the id is too long.
 */
static inline int
bucket_of(text *id)
{
	const char *start = VARDATA_ANY(id);
	int			length = VARSIZE_ANY_EXHDR(id);
	/* not on the stack, whose guard costs a word of the id */
	static char folded[FOLD_BUFFER_SIZE];
	bool		has_separator;

	if (likely(length <= ID_MAX_LENGTH &&
			   fold_ascii(start, length, folded, &has_separator)))
	{
		const char *anchor = folded;

		if (has_separator)
			anchor = anchor_find(folded, folded + length);
		return bucket_of_folded(anchor, folded + length - anchor);
	}
	return bucket_of_any(start, length);
}

/*
 * Write the lower case of at most ID_MAX_LENGTH bytes to dst, which has
 * FOLD_BUFFER_SIZE, if all of them are ASCII, which it returns, with
 * whether there is a "$" among them.
 */
static inline bool
fold_ascii(const char *src, int length, char *dst, bool *has_separator)
{
	uint64		seen = 0;
	uint64		others = EACH_BYTE(0x80);
	uint64		word;

	for (int i = 0; i < length; i += sizeof(word))
	{
		if (length - i < (int) sizeof(word))
			word = last_word(src + i, length - i);
		else
			memcpy(&word, src + i, sizeof(word));
		seen |= word;
		word = fold_word(word);
		others &= not_separators(word);
		memcpy(dst + i, &word, sizeof(word));
	}
	*has_separator = others != EACH_BYTE(0x80);
	return (seen & EACH_BYTE(0x80)) == 0;
}

/*
 * Return less than eight bytes and zeroes behind them, as they lie in memory, but not by
 * way of it: a word is slow to read where bytes were just written.
 */
static inline uint64
last_word(const char *src, int length)
{
	uint64		word = 0;

	while (length-- > 0)
		word = word << 8 | (unsigned char) src[length];
	/* which is little-endian */
	return pg_bswap64(pg_ntoh64(word));
}

/*
 * Return the lower case of eight bytes of ASCII.  The sums set the highest bit
 * of each byte that is at least "A", and of each that is above "Z".
 */
static inline uint64
fold_word(uint64 word)
{
	uint64		from_a = word + EACH_BYTE(0x80 - 'A');
	uint64		above_z = word + EACH_BYTE(0x7F - 'Z');

	return word | ((from_a ^ above_z) & EACH_BYTE(0x80)) >> 2;
}

/*
 * Set the highest bit of each of eight bytes of ASCII that is not "$".
 */
static inline uint64
not_separators(uint64 word)
{
	return (word ^ EACH_BYTE(ANCHOR_SEPARATOR)) + EACH_BYTE(0x7F);
}

static inline int
bucket_of_folded(const char *anchor, int length)
{
	return XXH64(anchor, length, 0) % ANCHOR_BUCKETS;
}

/*
 * Return the bucket of an id that may be anything.
 */
static int
bucket_of_any(const char *id, int length)
{
	char	   *folded;
	int			folded_length;
	const char *anchor;
	int			bucket;

	case_fold_check(id, length);
	/* nothing shrinks to an eighth */
	if (length > 8 * ID_MAX_LENGTH)
		definition_check_id(id, length, 0);

	folded = palloc(CASE_FOLD_UTF8_BOUND(length));
	folded_length = case_fold_utf8(id, length, folded);
	definition_check_id(folded, folded_length, 0);

	anchor = anchor_find(folded, folded + folded_length);
	bucket = bucket_of_folded(anchor, folded + folded_length - anchor);
	pfree(folded);
	return bucket;
}

/*
 * Report an error if an id is no final one: an empty one and one that ends with
 * "/" or "|" ask for an id to be made.
 */
static void
require_final(const char *what, const char *id, int length)
{
	if (length == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must not be empty", what)));
	if (id[length - 1] == '/' || id[length - 1] == '|')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must not end with \"%c\"", what, id[length - 1]),
				 errhint("Call document_id first, and anchor its result.")));
}
