/*
 * The entry of the library: its settings.
 */
#include "postgres.h"

#include <limits.h>

#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "scheme/scheme.h"
#include "session/session.h"

PG_MODULE_MAGIC_EXT(.name = "hilo",.version = HILO_VERSION);

PG_FUNCTION_INFO_V1(hilo_setting);

/* the settings that are not PGC_USERSET below */
static const char *const for_superusers[] = {
	"hilo.failover_skip", "hilo.hub", "hilo.launch_id", "hilo.launch_testing",
	"hilo.ledger", "hilo.ledger_keep", "hilo.node_no", "hilo.node_tag",
	"hilo.trace_ahead"
};

void		_PG_init(void);

static void require_settings(void);
static bool setting_is_valid(const char *setting, const char *value);
static bool check_node_tag(char **newval, void **extra, GucSource source);
static bool check_separator(char **newval, void **extra, GucSource source);

void
_PG_init(void)
{
	require_settings();
	DefineCustomBoolVariable("hilo.auto_create",
							 "The first use of a name creates its generator.",
							 NULL,
							 &first_use_is_on,
							 true,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("hilo.failover_skip",
							"Ids a generator skips when its last range was taken on another timeline or server.",
							"-1 skips twice the last range.",
							&store_failover_skip,
							-1, -1, INT_MAX,
							PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("hilo.hub",
							   "The foreign server that the numbers of decimal ids come from.",
							   "Empty is none: they are this server's own.",
							   &decimal_hub,
							   "",
							   PGC_SUSET, GUC_IS_NAME, NULL, NULL, NULL);
	DefineCustomStringVariable("hilo.identity_parts_separator",
							   "The character between the parts of a text id.",
							   NULL,
							   &hilo_identity_parts_separator,
							   "/",
							   PGC_USERSET, 0, check_separator, NULL, NULL);
	DefineCustomIntVariable("hilo.launch_id",
							"The number of this launch of the system, in decimal ids.",
							"0 is none.",
							&decimal_launch_id,
							0, 0, LAUNCH_MAX,
							PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("hilo.launch_testing",
							 "Lets decimal ids have a launch_id of 0.",
							 NULL,
							 &decimal_launch_testing,
							 false,
							 PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("hilo.ledger",
							 "Notes who takes which ranges, for hilo_whois.",
							 NULL,
							 &ledger_is_on,
							 false,
							 PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("hilo.ledger_keep",
							"How long hilo_ledger_prune keeps what the ledger has noted.",
							NULL,
							&ledger_keep,
							LEDGER_KEEP_DEFAULT, 0, INT_MAX,
							PGC_SUSET, GUC_UNIT_MIN, NULL, NULL, NULL);
	DefineCustomIntVariable("hilo.node_no",
							"The server's number in trace ids.",
							"0 is none.",
							&hilo_node_no,
							0, 0, NODE_NO_MAX,
							PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("hilo.node_tag",
							   "The server's mark in text ids.",
							   "One to four letters, A to Z.",
							   &hilo_node_tag,
							   "A",
							   PGC_SUSET, 0, check_node_tag, NULL, NULL);
	DefineCustomBoolVariable("hilo.prefetch",
							 "Reserves the next window when half of one is used.",
							 NULL,
							 &session_prefetch,
							 true,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("hilo.return_on_exit",
							 "Gives unused ids back when the session ends.",
							 NULL,
							 &session_return_on_exit,
							 true,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("hilo.trace_ahead",
							"How far trace ids may be ahead of the clock.",
							"Further than that, trace_id_next() waits.",
							&trace_ahead,
							1000, 0, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
	MarkGUCPrefixReserved("hilo");

	slot_init();
	tally_init();
	decimal_id_init();
	trace_id_init();
}

/*
 * hilo_setting(name): a setting of hilo's.  Before the library is loaded, which the
 * call does, current_setting gives what anybody has set.
 */
Datum
hilo_setting(PG_FUNCTION_ARGS)
{
	const char *name = text_to_cstring(PG_GETARG_TEXT_PP(0));

	PG_RETURN_TEXT_P(cstring_to_text(GetConfigOption(name, false, false)));
}

/*
 * Report an error if a setting for superusers would not get the value that was
 * asked for: by a client that may not set it, or as it is invalid, or of one
 * database where it is the server's.
 *
 * Before the library is loaded nobody refuses such a value, and it takes the place
 * of the server's, which cannot be had any more when it is refused: the default
 * would count, and ids could repeat those of another server.
 */
static void
require_settings(void)
{
	for (size_t i = 0; i < lengthof(for_superusers); i++)
	{
		const char *name = for_superusers[i];
		struct config_generic *setting = setting_find(name);
		const char *value;

		if (setting == NULL || setting->reset_source == PGC_S_DEFAULT)
			continue;
		if (setting->reset_source > PGC_S_ARGV &&
			strcmp(name, "hilo.trace_ahead") == 0)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("parameter \"%s\" must be the same in all databases", name),
					 errhint("Set it in the server's configuration, and not for a database, a role or a client.")));
		if (setting->reset_source == PGC_S_CLIENT &&
			setting->reset_scontext == PGC_BACKEND &&
			pg_parameter_aclcheck(name, setting->reset_srole, ACL_SET) != ACLCHECK_OK)
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("permission denied to set parameter \"%s\"", name)));
		value = GetConfigOptionResetString(name);
		if (!setting_is_valid(name, value))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid value for parameter \"%s\": \"%s\"",
							name, value)));
	}
}

/*
 * Check whether a setting can have a value, if by its default instead ids could
 * repeat.
 */
static bool
setting_is_valid(const char *setting, const char *value)
{
	int			number;

	if (strcmp(setting, "hilo.node_tag") == 0)
		return node_tag_is_valid(value);
	if (strcmp(setting, "hilo.failover_skip") == 0)
		return parse_int(value, &number, 0, NULL) && number >= -1;
	return true;
}

/*
 * Check hook: one to four letters, as RavenDB has its node tags.
 */
static bool
check_node_tag(char **newval, void **extra, GucSource source)
{
	if (node_tag_is_valid(*newval))
		return true;

	GUC_check_errdetail("A node tag is one to four letters, A to Z.");
	return false;
}

static bool
check_separator(char **newval, void **extra, GucSource source)
{
	if (separator_is_valid(*newval))
		return true;

	GUC_check_errdetail(HILO_SEPARATOR_RULE);
	return false;
}
