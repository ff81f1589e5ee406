/*
 * The generators that number the ids of documents.
 *
 * A pattern says how an id is made.  Its cases are tested in the order of
 * RavenDB's BuildDocumentId (DocumentPutAction.cs):
 *
 * - a blank pattern asks for a GUID;
 * - "|" at the end asks for the number of an identity;
 * - the separator at the end asks for a server-side number;
 * - anything else is the id.
 */
#include "postgres.h"

#include <ctype.h>

#include "mb/pg_wchar.h"

#include "pattern/pattern.h"

const char *const pattern_strategy_names[] = {
	[STRATEGY_GUID] = "guid",
	[STRATEGY_SERVER_SIDE] = "server-side",
	[STRATEGY_IDENTITY] = "identity",
	[STRATEGY_HILO] = "hilo",
	[STRATEGY_NUMBER] = "number",
	[STRATEGY_SEMANTIC] = "semantic",
};

static int64 parse_number(const char *digits, int length);

/* Return the strategy of a pattern, which may be NULL. */
PatternStrategy
pattern_strategy(text *pattern)
{
	const char *bytes;
	int			length;

	if (pattern == NULL)
		return STRATEGY_GUID;

	bytes = VARDATA_ANY(pattern);
	length = VARSIZE_ANY_EXHDR(pattern);
	case_fold_check(bytes, length);
	if (strspn(text_to_cstring(pattern), " \t\n\v\f\r") == (size_t) length)
		return STRATEGY_GUID;
	if (bytes[length - 1] == IDENTITY_MARK)
		return STRATEGY_IDENTITY;
	if (pattern_last_part(bytes, length) == bytes + length)
		return STRATEGY_SERVER_SIDE;
	return STRATEGY_SEMANTIC;
}

/*
 * Return the generator that numbers the ids of a pattern, or NULL.  The
 * separator is the current one or, with any_separator, any possible one.
 */
text *
pattern_generator(text *pattern, bool any_separator)
{
	PatternStrategy strategy = pattern_strategy(pattern);
	const char *end = VARDATA_ANY(pattern) + VARSIZE_ANY_EXHDR(pattern);

	/* no separator is an ASCII letter or digit */
	if (strategy == STRATEGY_SERVER_SIDE ||
		(any_separator && strategy == STRATEGY_SEMANTIC &&
		 (IS_HIGHBIT_SET(end[-1]) || !isalnum((unsigned char) end[-1]))))
		return cstring_to_text(SERVER_SIDE_GENERATOR);
	return strategy == STRATEGY_IDENTITY ? pattern : NULL;
}

/*
 * Return the generator of an identity, which is written with or without "|".
 * The unused argument makes the function one of a kind with pattern_generator.
 */
text *
pattern_identity(text *written, bool any_separator)
{
	if (definition_is_identity(written))
		return written;
	return cstring_to_text(psprintf("%s%c", text_to_cstring(written),
									IDENTITY_MARK));
}

/*
 * Return the prefix of a collection's ids, like RavenDB: its name in lower
 * case, or as it is with two or more capitals (BacklogItems).
 */
text *
pattern_tag(text *collection)
{
	const char *bytes = VARDATA_ANY(collection);
	const char *end = bytes + VARSIZE_ANY_EXHDR(collection);
	text	   *folded = case_fold(bytes, end - bytes);
	const char *folded_bytes = VARDATA_ANY(folded);
	int			capitals = 0;

	/* folding replaces each character by one character */
	while (bytes < end)
	{
		int			n = Min(pg_utf_mblen((const unsigned char *) bytes),
							end - bytes);
		int			m = pg_utf_mblen((const unsigned char *) folded_bytes);

		if (n != m || memcmp(bytes, folded_bytes, n) != 0)
			capitals++;
		bytes += n;
		folded_bytes += m;
	}
	return capitals > 1 ? collection : folded;
}

/* Return the part after the last separator, NULL if there is no separator. */
const char *
pattern_last_part(const char *id, int length)
{
	const char *separator = hilo_identity_parts_separator;
	int			separator_length = strlen(separator);

	for (const char *end = id + length; end - id >= separator_length; end--)
	{
		if (memcmp(end - separator_length, separator, separator_length) == 0)
			return end;
	}
	return NULL;
}

/* Report an error if a name ends like a pattern: text ids add that end. */
void
pattern_refuse(text *name)
{
	const char *bytes = VARDATA_ANY(name);
	int			length = VARSIZE_ANY_EXHDR(name);

	if (definition_is_identity(name) ||
		pattern_last_part(bytes, length) == bytes + length)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_NAME),
				errmsg("name of text ids must not end like a pattern: \"%s\"",
					   definition_title(name)),
				errdetail("Its end is the separator or \"%c\".", IDENTITY_MARK),
				errhint("Leave the end out, or call document_id."));
}

/*
 * Find the number at the end of an id, or before a node tag, and the parts
 * around it.  Return false if there is none.
 *
 * With any_form, accept lower case and every separator that is no letter or
 * digit.
 */
bool
pattern_number(const char *id, int length, bool any_form, PatternNumber *found)
{
	int			end = length;
	int			tag_length;
	int			start;
	bool		is_server_side;

	while (end > 0 && ((id[end - 1] >= 'A' && id[end - 1] <= 'Z') ||
					   (any_form && id[end - 1] >= 'a' && id[end - 1] <= 'z')))
		end--;
	tag_length = length - end;
	if (tag_length > NODE_TAG_MAX_LENGTH || end == 0 || id[end - 1] != '-')
		tag_length = 0;
	start = end = tag_length > 0 ? end - 1 : length;
	while (start > 0 && id[start - 1] >= '0' && id[start - 1] <= '9')
		start--;
	is_server_side = tag_length > 0 && end - start == SERVER_SIDE_DIGITS;
	found->number = parse_number(id + start, end - start);
	if (found->number == 0 || (id[start] == '0' && !is_server_side) ||
		(pattern_last_part(id, start) != id + start &&
		 (!any_form || start == 0 || isalnum((unsigned char) id[start - 1]))))
		return false;

	found->prefix_length = start;
	found->tag_length = tag_length;
	found->strategy = tag_length > 0 ? STRATEGY_HILO : STRATEGY_NUMBER;
	if (is_server_side)
		found->strategy = STRATEGY_SERVER_SIDE;
	return true;
}

/*
 * Return the number in a text id if this generator could have made it, else 0.
 */
int64
pattern_number_of(text *id, text *generator)
{
	const char *bytes = VARDATA_ANY(id);
	bool		is_identity = definition_is_identity(generator);
	int			length = VARSIZE_ANY_EXHDR(generator) - is_identity;
	int64		number = 0;

	/* a "$" may begin the anchor, or belong to the name: try each */
	for (int end = Min(VARSIZE_ANY_EXHDR(id), ID_MAX_LENGTH);
		 end > 0 && number == 0; end--)
	{
		PatternNumber found;
		text	   *prefix;

		if (end < (int) VARSIZE_ANY_EXHDR(id) && bytes[end] != ANCHOR_SEPARATOR)
			continue;
		/* a number alone, from hilo_next_tag in a column of text */
		number = parse_number(bytes, end);
		if (number != 0 || !pattern_number(bytes, end, true, &found) ||
			!case_fold_is_possible(bytes, found.prefix_length))
			continue;
		prefix = case_fold(bytes, pg_mbcliplen(bytes, found.prefix_length,
											   found.prefix_length - 1));
		if ((length == 0 && found.strategy == STRATEGY_SERVER_SIDE) ||
			(bytes[found.prefix_length] != '0' &&
			 is_identity == (found.strategy == STRATEGY_NUMBER) &&
			 (int) VARSIZE_ANY_EXHDR(prefix) == length &&
			 memcmp(VARDATA_ANY(prefix), VARDATA_ANY(generator), length) == 0))
			number = found.number;
		pfree(prefix);
	}
	return number;
}

/* Return the number in decimal digits; 0 if it is none or is too large. */
static int64
parse_number(const char *digits, int length)
{
	int64		number = 0;

	for (int i = 0; i < length; i++)
	{
		if (digits[i] < '0' || digits[i] > '9' ||
			pg_mul_s64_overflow(number, 10, &number) ||
			pg_add_s64_overflow(number, digits[i] - '0', &number))
			return 0;
	}
	return number;
}
