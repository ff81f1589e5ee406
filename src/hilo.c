/* The entry of the library: its settings. */
#include "postgres.h"

#include "call/call.h"
#include "scheme/scheme.h"

PG_MODULE_MAGIC_EXT(.name = "hilo",.version = HILO_VERSION);

/*
 * A setting, by its variable's type; the variable's initial value is the
 * default.
 */
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
	const struct config_enum_entry *choices;	/* of the number */
	GucStringCheckHook check;
} Setting;

void		_PG_init(void);

static bool define(const Setting *setting);

/* Check hook: one to four letters, as RavenDB has its node tags. */
static bool
check_node_tag(char **newval, void **extra, GucSource source)
{
	size_t		length = strspn(*newval, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if (length >= 1 && length <= NODE_TAG_MAX_LENGTH &&
		(*newval)[length] == '\0')
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

static const struct config_enum_entry gapless_flushes[] = {
	{"local", GAPLESS_FLUSH_LOCAL, false},
	{"late", GAPLESS_FLUSH_LATE, false},
	{"early", GAPLESS_FLUSH_EARLY, false},
	{NULL, 0, false}
};

static const Setting settings[] = {
	{"hilo.auto_create", "The first use of a name creates its generator.",
	NULL, PGC_USERSET,.truth = &first_use_is_on},
	{"hilo.failover_skip",
		"Ids a generator skips when its last range was taken on another timeline or server.",
		"-1 skips twice the last range.",
	PGC_SUSET,.number = &store_failover_skip,.min = -1,.max = PG_INT32_MAX},
	{"hilo.gapless_flush",
		"When a commit of numbers without gaps lets the next number be taken.",
		"\"local\": before its flush, unless a synchronous standby is waited for; \"late\": before that, too; \"early\": after both.",
	PGC_USERSET,.number = &gapless_flush,.choices = gapless_flushes},
	{"hilo.hub",
		"The foreign server that the numbers of decimal ids come from.",
		"Empty is none: they are this server's own.",
	PGC_SUSET,.flags = GUC_IS_NAME,.text = &decimal_hub},
	{"hilo.identity_parts_separator",
		"The character between the parts of a text id.",
		NULL, PGC_USERSET,.text = &hilo_identity_parts_separator,
	.check = check_separator},
	{"hilo.launch_id",
		"The number of this launch of the system, in decimal ids.",
	"0 is none.", PGC_SUSET,.number = &decimal_launch_id,.max = LAUNCH_MAX},
	{"hilo.launch_testing", "Allows a launch_id of 0 in decimal ids.",
	NULL, PGC_SUSET,.truth = &decimal_launch_testing},
	{"hilo.max_generators",
		"How many generators can have ids ready in shared memory.",
		NULL, PGC_POSTMASTER,.number = &max_generators,.min = 1,.max =
	PG_INT32_MAX},
	{"hilo.node_no", "The server's number in trace ids.",
	"0 is none.", PGC_SUSET,.number = &hilo_node_no,.max = PG_UINT16_MAX},
	{"hilo.node_tag", "The server's mark in text ids.",
		"One to four letters, A to Z.", PGC_SUSET,.text = &hilo_node_tag,
	.check = check_node_tag},
	{"hilo.prefetch", "Reserves the next window when half of one is used.",
	NULL, PGC_USERSET,.truth = &session_prefetch},
	{"hilo.return_on_exit", "Returns unused ids when the session ends.",
	NULL, PGC_USERSET,.truth = &session_return_on_exit},
	{"hilo.trace_ahead", "How far trace ids may be ahead of the clock.",
		"Further than that, trace_id_next() waits.",
	PGC_SIGHUP,.flags = GUC_UNIT_MS,.number = &trace_ahead,.max = PG_INT32_MAX}
};

void
_PG_init(void)
{
	static const Setting *refused = NULL;
	static size_t defined = 0;

	/*
	 * static: after the error below, each call in the session comes here anew
	 */
	for (; defined < lengthof(settings); defined++)
		refused = define(&settings[defined]) ? refused : &settings[defined];
	if (refused != NULL)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("the value of parameter \"%s\" was refused",
					   refused->name),
				errdetail("A warning in the server's log says why. The default is in effect in place of the server's value, so ids could repeat."),
				errhint("Remove the setting of the database, the role or the client, or correct it in the server's configuration, and connect again."));
	MarkGUCPrefixReserved("hilo");

	slot_init();
	returned_init();
	shared_memory_reserve((void **) &scheme_segment, sizeof(SchemeSegment),
						  false);
	shared_memory_init();
	copy_init();
}

/*
 * Define a setting.  Return false if it has been set to a value that core
 * refuses, with a warning: as invalid, or because the client, the role or the
 * database may not set it.
 *
 * Before the library is loaded, such a value is not refused, and it replaces
 * the server's, which is gone then: the default counts.
 */
static bool
define(const Setting *setting)
{
	struct config_generic *before = setting_find(setting->name);
	bool		is_set =
		before != NULL && before->reset_source != PGC_S_DEFAULT;

	/* as core has it; a value that is set now is removed, with a warning */
	if (setting->context == PGC_POSTMASTER &&
		!process_shared_preload_libraries_in_progress)
		return true;
	if (setting->truth != NULL)
		DefineCustomBoolVariable(setting->name, setting->what, setting->more,
								 setting->truth, *setting->truth,
								 setting->context, setting->flags, NULL, NULL,
								 NULL);
	else if (setting->choices != NULL)
		DefineCustomEnumVariable(setting->name, setting->what, setting->more,
								 setting->number, *setting->number,
								 setting->choices,
								 setting->context, setting->flags, NULL, NULL,
								 NULL);
	else if (setting->number != NULL)
		DefineCustomIntVariable(setting->name, setting->what, setting->more,
								setting->number, *setting->number,
								setting->min, setting->max,
								setting->context, setting->flags, NULL, NULL,
								NULL);
	else
		DefineCustomStringVariable(setting->name, setting->what, setting->more,
								   setting->text, *setting->text,
								   setting->context, setting->flags,
								   setting->check, NULL, NULL);
	return !is_set ||
		setting_find(setting->name)->reset_source != PGC_S_DEFAULT;
}
