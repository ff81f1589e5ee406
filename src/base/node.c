/* What this server is called, and how that is written in ids. */
#include "postgres.h"

#include <ctype.h>

#include "mb/pg_wchar.h"

#include "base/base.h"

char	   *hilo_node_tag = "A";
int			hilo_node_no;
char	   *hilo_identity_parts_separator = "/";

/*
 * Check whether a separator is one character that begins or ends no other part
 * of a text id: no letter or digit, nor the mark of an anchor or of an
 * identity.
 */
bool
separator_is_valid(const char *separator)
{
	size_t		length = strlen(separator);

	/* in every database alike, as the postmaster reads the file */
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
