/* The entry of the library: its settings. */
#include "postgres.h"

#include "call/call.h"
#include "scheme/scheme.h"

PG_MODULE_MAGIC_EXT(.name = "hilo",.version = HILO_VERSION);

static const char *const settings[] = {
	"hilo.auto_create", "hilo.failover_skip", "hilo.gapless_flush",
	"hilo.hub_window", "hilo.identity_parts_separator", "hilo.launch_id",
	"hilo.max_generators", "hilo.node_no", "hilo.node_tag", "hilo.prefetch",
	"hilo.return_on_exit", "hilo.trace_ahead"
};

/*
 * Core defines a setting once, and each call of the session loads the library
 * anew after the error of _PG_init: both stay as they are then.
 */
static bool settings_are_defined;
static const char *refused_setting;

void		_PG_init(void);

static void define_settings(void);
static bool is_set(const char *setting);

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

void
_PG_init(void)
{
	bool		was_set[lengthof(settings)];

	/*
	 * Until now, the client, the role or the database could set any value in
	 * place of the server's.  Core has replaced a value that it refuses by
	 * the default.
	 */
	for (size_t i = 0; i < lengthof(settings); i++)
		was_set[i] = is_set(settings[i]);
	if (!settings_are_defined)
		define_settings();
	settings_are_defined = true;
	for (size_t i = 0; i < lengthof(settings); i++)
	{
		if (was_set[i] && !is_set(settings[i]))
			refused_setting = settings[i];
	}
	if (refused_setting != NULL)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("the value of parameter \"%s\" was refused",
					   refused_setting),
				errdetail("A warning in the server's log says why. The default is in effect in place of the server's value, so ids could repeat."),
				errhint("Remove the setting of the database, the role or the client, or correct it in the server's configuration, and connect again."));
	MarkGUCPrefixReserved("hilo");

	session_make_generator = first_use;
	slot_init();
	returned_init();
	shared_memory_reserve((void **) &trace_segment, sizeof(TraceSegment),
						  false);
	shared_memory_init();
	copy_init();
}

static void
define_settings(void)
{
	DefineCustomBoolVariable("hilo.auto_create",
							 "The first use of a name creates its generator.",
							 NULL, &session_auto_create, true, PGC_USERSET, 0,
							 NULL, NULL, NULL);
	DefineCustomIntVariable("hilo.failover_skip",
							"Ids a generator skips when its last range was taken on another timeline or server.",
							"-1 skips twice the last range.",
							&store_failover_skip, -1, -1, PG_INT32_MAX,
							PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomEnumVariable("hilo.gapless_flush",
							 "When a commit of numbers without gaps lets the next number be taken.",
							 "\"local\": before its flush, unless a synchronous standby is waited for; \"late\": before that, too; \"early\": after both.",
							 &gapless_flush, GAPLESS_FLUSH_LOCAL,
							 gapless_flushes, PGC_USERSET, 0, NULL, NULL,
							 NULL);
	DefineCustomIntVariable("hilo.hub_window",
							"How long the ids that are asked of a hub at once are to last.",
							"0 is half a minute to a minute, at a steady pace.",
							&session_hub_window, 0, 0, PG_INT32_MAX,
							PGC_SUSET, GUC_UNIT_S, NULL, NULL, NULL);
	DefineCustomStringVariable("hilo.identity_parts_separator",
							   "The character between the parts of a text id.",
							   NULL, &hilo_identity_parts_separator, "/",
							   PGC_USERSET, 0, check_separator, NULL, NULL);
	DefineCustomIntVariable("hilo.launch_id",
							"The number of this launch of the system, in decimal ids.",
							"0 is none.", &decimal_launch_id, 0, 0, LAUNCH_MAX,
							PGC_SUSET, 0, NULL, NULL, NULL);
	/* core allows it in the postmaster only */
	if (process_shared_preload_libraries_in_progress)
		DefineCustomIntVariable("hilo.max_generators",
								"How many generators can have ids ready in shared memory.",
								NULL, &max_generators, max_generators, 1,
								PG_INT32_MAX, PGC_POSTMASTER, 0, NULL, NULL,
								NULL);
	DefineCustomIntVariable("hilo.node_no",
							"The server's number in trace ids.", "0 is none.",
							&hilo_node_no, 0, 0, PG_UINT16_MAX, PGC_SUSET, 0,
							NULL, NULL, NULL);
	DefineCustomStringVariable("hilo.node_tag",
							   "The server's mark in text ids.",
							   "One to four letters, A to Z.", &hilo_node_tag,
							   "A", PGC_SUSET, 0, check_node_tag, NULL, NULL);
	DefineCustomBoolVariable("hilo.prefetch",
							 "Reserves the next window when half of one is used.",
							 NULL, &session_prefetch, true, PGC_USERSET, 0,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("hilo.return_on_exit",
							 "Returns unused ids when the session ends.", NULL,
							 &session_return_on_exit, true, PGC_USERSET, 0,
							 NULL, NULL, NULL);
	DefineCustomIntVariable("hilo.trace_ahead",
							"How far trace ids may be ahead of the clock.",
							"Further than that, trace_id_next() waits.",
							&trace_ahead, trace_ahead, 0, PG_INT32_MAX,
							PGC_SIGHUP, GUC_UNIT_MS, NULL, NULL, NULL);
}

/* Check whether a setting, defined or not yet, has another than its default. */
static bool
is_set(const char *setting)
{
	struct config_generic *found = setting_find(setting);

	return found != NULL && found->reset_source != PGC_S_DEFAULT;
}
