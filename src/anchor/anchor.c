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

#include "access/relation.h"
#include "catalog/pg_inherits.h"
#include "commands/defrem.h"
#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"

#include "anchor/anchor.h"
#include "table/table.h"

PG_FUNCTION_INFO_V1(anchor_bucket);
PG_FUNCTION_INFO_V1(anchor_of);
PG_FUNCTION_INFO_V1(anchor_to);
PG_FUNCTION_INFO_V1(anchor_partitions);

/* ASCII of so many bytes is folded in words of eight */
#define FOLD_BUFFER_SIZE TYPEALIGN(sizeof(uint64), ID_MAX_LENGTH)
#define EACH_BYTE(byte) (UINT64CONST(0x0101010101010101) * (byte))

static inline int bucket_of(text *id);
static inline const char *find_anchor(const char *id, const char *end);
static inline bool fold_ascii(const char *src, int length, char *dst,
							  bool *has_separator);
static inline uint64 last_word(const char *src, int length);
static inline uint64 fold_word(uint64 word);
static inline uint64 not_separators(uint64 word);
static inline int bucket_of_folded(const char *anchor, int length);
static int	bucket_of_any(const char *id, int length);
static void require_final(const char *what, const char *id, int length);
static void require_length(int length);
static void require_count(int n);
static void require_owner(Oid relid);
static void require_empty_by_bucket(Oid relid);
static bool is_by_bucket(Relation rel);
static void make_partition(Oid relid, int no, int low, int high);

Datum
anchor_bucket(PG_FUNCTION_ARGS)
{
	struct varlena *id = PG_GETARG_RAW_VARLENA_P(0);
	int			bucket;

	/* what most ids are; the call for the others costs as much as a word */
	if (likely(!VARATT_IS_COMPRESSED(id) && !VARATT_IS_EXTERNAL(id)))
		PG_RETURN_INT32(bucket_of(id));

	id = pg_detoast_datum_packed(id);
	bucket = bucket_of(id);
	pfree(id);
	PG_RETURN_INT32(bucket);
}

Datum
anchor_of(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(anchor_part(PG_GETARG_TEXT_PP(0)));
}

Datum
anchor_to(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(anchor_append(PG_GETARG_TEXT_PP(0),
								   PG_GETARG_TEXT_PP(1)));
}

/*
 * Return the anchor of an id, which is the id itself if it has none.
 */
text *
anchor_part(text *id)
{
	const char *end = VARDATA_ANY(id) + VARSIZE_ANY_EXHDR(id);
	const char *anchor = find_anchor(VARDATA_ANY(id), end);

	return cstring_to_text_with_len(anchor, end - anchor);
}

/*
 * Return where the anchor of an id begins: at its start if it has none.
 */
const char *
anchor_find(const char *id, int length)
{
	return find_anchor(id, id + length);
}

/*
 * Return the id with the target's anchor appended, so that both have the same
 * bucket; the target is its own anchor if it has none.  An id that has an
 * anchor keeps it as a part of its name: the last one counts.  Report an error
 * if one of the two is no final id, if nothing can be anchored to the target,
 * or if the result is too long.
 */
text *
anchor_append(text *id, text *target)
{
	int			id_length = VARSIZE_ANY_EXHDR(id);
	const char *target_end = VARDATA_ANY(target) + VARSIZE_ANY_EXHDR(target);
	const char *anchor;
	int			length;
	text	   *result;
	char	   *p;

	require_final("id", VARDATA_ANY(id), id_length);
	require_final("target", VARDATA_ANY(target), VARSIZE_ANY_EXHDR(target));

	anchor = find_anchor(VARDATA_ANY(target), target_end);
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
	return result;
}

/*
 * anchor_partitions(rel, n): makes the n partitions of an empty table, with the
 * ranges of anchor_ranges(n), by statements of the current role.
 */
Datum
anchor_partitions(PG_FUNCTION_ARGS)
{
	Oid			relid;
	int			n;
	int			step;

	argument_require(fcinfo, 0, "arguments of anchor_partitions");
	argument_require(fcinfo, 1, "arguments of anchor_partitions");
	relid = PG_GETARG_OID(0);
	n = PG_GETARG_INT32(1);
	require_count(n);
	require_owner(relid);
	/* as CREATE TABLE ... PARTITION OF does */
	lock_table(relid, ShareUpdateExclusiveLock);
	require_empty_by_bucket(relid);

	step = ANCHOR_BUCKETS / n;
	for (int i = 0; i < n; i++)
		make_partition(relid, i, i * step,
					   i == n - 1 ? ANCHOR_BUCKETS : (i + 1) * step);
	PG_RETURN_VOID();
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
			anchor = find_anchor(folded, folded + length);
		return bucket_of_folded(anchor, folded + length - anchor);
	}
	return bucket_of_any(start, length);
}

/*
 * Find where the anchor of an id begins: behind the last "$" that is not its
 * first character, else at the start.  No character of a server's encoding but
 * "$" itself has such a byte.
 */
static inline const char *
find_anchor(const char *id, const char *end)
{
	const char *anchor = id;
	const char *from = id + 1;
	const char *separator;

	while (from < end &&
		   (separator = memchr(from, ANCHOR_SEPARATOR, end - from)) != NULL)
		anchor = from = separator + 1;
	return anchor;
}

/*
 * Write the lower case of at most ID_MAX_LENGTH bytes to dst, which has
 * FOLD_BUFFER_SIZE, if all of them are ASCII, which it returns, with
 * whether there is a "$" among them.
 */
static inline bool
fold_ascii(const char *src, int length, char *dst, bool *has_separator)
{
	int			whole = length - length % sizeof(uint64);
	uint64		seen = 0;
	uint64		others = EACH_BYTE(0x80);
	uint64		word;

	for (int i = 0; i < whole; i += sizeof(word))
	{
		memcpy(&word, src + i, sizeof(word));
		seen |= word;
		word = fold_word(word);
		others &= not_separators(word);
		memcpy(dst + i, &word, sizeof(word));
	}
	if (whole < length)
	{
		word = last_word(src, length);
		seen |= word;
		word = fold_word(word);
		others &= not_separators(word);
		memcpy(dst + whole, &word, sizeof(word));
	}
	*has_separator = others != EACH_BYTE(0x80);
	return (seen & EACH_BYTE(0x80)) == 0;
}

/*
 * Return the bytes behind the last whole word, and zeroes behind them.  To read
 * and to write words where the hash reads them, and not across them, is what
 * keeps it from waiting for the memory.
 */
static inline uint64
last_word(const char *src, int length)
{
	int			rest = length % sizeof(uint64);
	uint64		word = 0;

	if (length < (int) sizeof(word))
	{
		char		bytes[sizeof(uint64)] = {0};

		for (int i = 0; i < length; i++)
			bytes[i] = src[i];
		memcpy(&word, bytes, sizeof(word));
		return word;
	}
	memcpy(&word, src + length - sizeof(word), sizeof(word));
#ifdef WORDS_BIGENDIAN
	return word << 8 * (sizeof(word) - rest);
#else
	return word >> 8 * (sizeof(word) - rest);
#endif
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
		require_length(length);

	folded = palloc(CASE_FOLD_UTF8_BOUND(length));
	folded_length = case_fold_utf8(id, length, folded);
	require_length(folded_length);

	anchor = find_anchor(folded, folded + folded_length);
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

static void
require_length(int length)
{
	if (length > ID_MAX_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("id is too long"),
				 errdetail("It has %d bytes, the limit is %d.",
						   length, ID_MAX_LENGTH)));
}

static void
require_count(int n)
{
	if (n < 1 || n > ANCHOR_BUCKETS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("n must be between 1 and %d", ANCHOR_BUCKETS),
				 errhint("Each partition has at least one of the buckets.")));
}

/*
 * Report an error unless the current role owns the relation, or if there is
 * none.
 */
static void
require_owner(Oid relid)
{
	if (get_rel_relkind(relid) == '\0')
		relation_refuse_missing(relid);
	if (!RelationIsOwnedBy(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relid));
}

/*
 * Report an error unless the relation is a table that is partitioned by buckets
 * and has no partitions yet, so that it has no rows.
 */
static void
require_empty_by_bucket(Oid relid)
{
	Relation	rel = try_relation_open(relid, NoLock);

	if (rel == NULL)
		relation_refuse_missing(relid);
	if (!is_by_bucket(rel))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table partitioned by buckets",
						RelationGetRelationName(rel)),
				 errhint("Create it with PARTITION BY RANGE (anchor_bucket(id)).")));
	if (find_inheritance_children(relid, NoLock) != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"%s\" already has partitions",
						RelationGetRelationName(rel)),
				 errhint("Create another table without partitions, and copy the rows to it.")));
	relation_close(rel, NoLock);
}

/*
 * Check whether the key of a relation's partitions is a call of anchor_bucket.
 * The function is known by its code, whatever names it has.
 */
static bool
is_by_bucket(Relation rel)
{
	PartitionKey key;
	FmgrInfo	function;

	if (rel->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
		return false;
	key = RelationGetPartitionKey(rel);
	if (key->strategy != PARTITION_STRATEGY_RANGE || key->partnatts != 1 ||
		key->partexprs == NIL || !IsA(linitial(key->partexprs), FuncExpr))
		return false;
	fmgr_info(linitial_node(FuncExpr, key->partexprs)->funcid, &function);
	return function.fn_addr == anchor_bucket;
}

static void
make_partition(Oid relid, int no, int low, int high)
{
	char	   *name = makeObjectName(get_rel_name(relid), psprintf("%d", no), NULL);
	char	   *schema = get_namespace_name(get_rel_namespace(relid));

	relation_run(psprintf("CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%d) TO (%d)",
						  quote_qualified_identifier(schema, name),
						  relation_name(relid), low, high));
}
