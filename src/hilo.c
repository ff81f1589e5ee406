/*
 * The entry of the library: its settings.
 */
#include "postgres.h"

#include "scheme/scheme.h"

PG_MODULE_MAGIC_EXT(.name = "hilo",.version = HILO_VERSION);

PG_FUNCTION_INFO_V1(hilo_setting);

/* A setting, by its variable's type, whose initial value is the default. */
typedef struct Setting
{
	const char *name;
	const char *what;
	const char *more;
	GucContext	context;
	int			flags;
	bool	   *truth;
	int		   *number;
	char	  **text;
	int			min;
	int			max;
	GucStringCheckHook check;
} Setting;

void		_PG_init(void);

static void require_setting(const Setting *setting);
static void require_valid(const Setting *setting, const char *value);
static void define(const Setting *setting);
static bool check_node_tag(char **newval, void **extra, GucSource source);
static bool check_separator(char **newval, void **extra, GucSource source);

static const Setting settings[] = {
	{"hilo.auto_create", "The first use of a name creates its generator.",
	NULL, PGC_USERSET, 0,.truth = &first_use_is_on},
	{"hilo.failover_skip", "Ids a generator skips when its last range was taken on another timeline or server.",
		"-1 skips twice the last range.",
	PGC_SUSET, 0,.number = &store_failover_skip,.min = -1,.max = PG_INT32_MAX},
	{"hilo.hub", "The foreign server that the numbers of decimal ids come from.",
		"Empty is none: they are this server's own.",
	PGC_SUSET, GUC_IS_NAME,.text = &decimal_hub},
	{"hilo.identity_parts_separator", "The character between the parts of a text id.",
		NULL, PGC_USERSET, 0,.text = &hilo_identity_parts_separator,
	.check = check_separator},
	{"hilo.launch_id", "The number of this launch of the system, in decimal ids.",
	"0 is none.", PGC_SUSET, 0,.number = &decimal_launch_id,.max = LAUNCH_MAX},
	{"hilo.launch_testing", "Allows a launch_id of 0 in decimal ids.",
	NULL, PGC_SUSET, 0,.truth = &decimal_launch_testing},
	{"hilo.node_no", "The server's number in trace ids.",
	"0 is none.", PGC_SUSET, 0,.number = &hilo_node_no,.max = PG_UINT16_MAX},
	{"hilo.node_tag", "The server's mark in text ids.",
		"One to four letters, A to Z.", PGC_SUSET, 0,.text = &hilo_node_tag,
	.check = check_node_tag},
	{"hilo.prefetch", "Reserves the next window when half of one is used.",
	NULL, PGC_USERSET, 0,.truth = &session_prefetch},
	{"hilo.return_on_exit", "Returns unused ids when the session ends.",
	NULL, PGC_USERSET, 0,.truth = &session_return_on_exit},
	{"hilo.trace_ahead", "How far trace ids may be ahead of the clock.",
		"Further than that, trace_id_next() waits.",
	PGC_SIGHUP, GUC_UNIT_MS,.number = &trace_ahead,.max = PG_INT32_MAX}
};

void
_PG_init(void)
{
	for (size_t i = 0; i < lengthof(settings); i++)
		require_setting(&settings[i]);
	for (size_t i = 0; i < lengthof(settings); i++)
		define(&settings[i]);
	MarkGUCPrefixReserved("hilo");

	slot_init();
	returned_init();
	shared_memory_reserve((void **) &scheme_segment, sizeof(SchemeSegment), false);
	shared_memory_init();
}

/*
 * hilo_setting(name): a setting of hilo's.  Before the library is loaded, which
 * this call does, current_setting shows what anybody has set.
 */
Datum
hilo_setting(PG_FUNCTION_ARGS)
{
	const char *name = text_to_cstring(PG_GETARG_TEXT_PP(0));

	PG_RETURN_TEXT_P(cstring_to_text(GetConfigOption(name, false, false)));
}

/*
 * Report an error if a setting would not get the value that was asked for: the
 * value is invalid, the client may not set it, or one database has it where it
 * is the server's.
 *
 * Before the library is loaded, nobody refuses such a value, and it replaces
 * the server's.  When it is refused later, the server's value is gone: the
 * default would count, and ids could repeat those of another server.
 */
static void
require_setting(const Setting *setting)
{
	struct config_generic *before = setting_find(setting->name);

	if (before == NULL || before->source == PGC_S_DEFAULT)
		return;
	if (setting->context == PGC_SIGHUP && before->reset_source > PGC_S_ARGV)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("parameter \"%s\" must be the same in all databases", setting->name),
				 errhint("Set it in the server's configuration, and not for a database, a role or a client.")));
	if (setting->context == PGC_SUSET && before->reset_source == PGC_S_CLIENT &&
		before->reset_scontext == PGC_BACKEND &&
		pg_parameter_aclcheck(setting->name, before->reset_srole, ACL_SET) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to set parameter \"%s\"", setting->name)));
	if (before->reset_source != PGC_S_DEFAULT)
		require_valid(setting, GetConfigOptionResetString(setting->name));
	require_valid(setting, GetConfigOption(setting->name, false, false));
}

static void
require_valid(const Setting *setting, const char *value)
{
	char	   *text = pstrdup(value);
	void	   *extra = NULL;
	int			number;
	bool		truth;

	GUC_check_errdetail_string = NULL;
	if (setting->truth != NULL ? !parse_bool(value, &truth) :
		setting->number != NULL ?
		!parse_int(value, &number, setting->flags, NULL) ||
		number < setting->min || number > setting->max :
		setting->check != NULL && !setting->check(&text, &extra, PGC_S_TEST))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for parameter \"%s\": \"%s\"",
						setting->name, value),
				 GUC_check_errdetail_string == NULL ? 0 :
				 errdetail_internal("%s", GUC_check_errdetail_string)));
}

static void
define(const Setting *setting)
{
	if (setting->truth != NULL)
		DefineCustomBoolVariable(setting->name, setting->what, setting->more,
								 setting->truth, *setting->truth,
								 setting->context, setting->flags,
								 NULL, NULL, NULL);
	else if (setting->number != NULL)
		DefineCustomIntVariable(setting->name, setting->what, setting->more,
								setting->number, *setting->number,
								setting->min, setting->max,
								setting->context, setting->flags,
								NULL, NULL, NULL);
	else
		DefineCustomStringVariable(setting->name, setting->what, setting->more,
								   setting->text, *setting->text,
								   setting->context, setting->flags,
								   setting->check, NULL, NULL);
}

/* Check hook: one to four letters, as RavenDB has its node tags. */
static bool
check_node_tag(char **newval, void **extra, GucSource source)
{
	size_t		length = strspn(*newval, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if (length >= 1 && length <= NODE_TAG_MAX_LENGTH && (*newval)[length] == '\0')
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
