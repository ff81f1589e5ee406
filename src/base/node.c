/* The marks of this server in ids, and the separator of their parts. */
#include "postgres.h"

#include <ctype.h>

#include "mb/pg_wchar.h"

#include "base/base.h"

char	   *hilo_node_tag = "A";
int			hilo_node_no;
char	   *hilo_identity_parts_separator = "/";

/*
 * Check whether a separator is one character that cannot be mistaken for
 * another part of a text id: no letter or digit, no control character, and not
 * the mark of an anchor or an identity.
 */
bool
separator_is_valid(const char *separator)
{
	size_t		length = strlen(separator);

	/* as UTF-8 in every database: the postmaster reads the setting, too */
	return length > 0 &&
		(size_t) pg_utf_mblen((const unsigned char *) separator) == length &&
		(length > 1 || !isalnum((unsigned char) *separator)) &&
		(unsigned char) *separator >= ' ' &&
		strchr("$|\177", *separator) == NULL;
}

/* Report an error if the separator in a call is not valid. */
void
separator_check(const char *separator)
{
	case_fold_check(separator, strlen(separator));
	if (!separator_is_valid(separator))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid separator: \"%s\"", separator),
				errdetail(HILO_SEPARATOR_RULE));
}
