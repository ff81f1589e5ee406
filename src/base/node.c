/* What this server is called, and how that is written in ids. */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "base/base.h"

char	   *hilo_node_tag = "A";
int			hilo_node_no;
char	   *hilo_identity_parts_separator = "/";

/* Check whether a separator is one character, and not the mark of identities. */
bool
separator_is_valid(const char *separator)
{
	size_t		length = strlen(separator);

	/* in every database alike, as the postmaster reads the file */
	return length > 0 && (size_t) pg_utf_mblen((const unsigned char *) separator) == length &&
		(unsigned char) *separator >= ' ' && *separator != '\177' &&
		*separator != '|';
}
