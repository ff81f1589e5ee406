/*
 * libFuzzer inside a server's backend, at hilo's functions that parse text.
 *
 * The code under test is the real one, in a real session: a target calls SQL
 * functions with what libFuzzer makes up, cut in two at the first tab, and
 * raises an error where an answer is wrong.  Errors that hilo raises on purpose
 * are answers; those of class XX, and those raised here, end the run.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(fuzz);

extern int	LLVMFuzzerRunDriver(int *argc, char ***argv,
								int (*run) (const uint8_t *, size_t));

typedef struct Target
{
	const char *name;
	void		(*run) (text *a, text *b);
} Target;

static int	run_one(const uint8_t *input, size_t size);
static bool answered(text *a, text *b);
static void run_document_id(text *a, text *b);
static void run_anchor(text *a, text *b);
static void run_text_form(text *a, text *b);
static void run_name(text *a, text *b);
static Datum call(const char *function, int nargs, Datum a, Datum b);
static bool same(Datum a, Datum b);
static void require(bool holds, const char *what);

static const Target targets[] = {
	{"document_id", run_document_id},
	{"anchor", run_anchor},
	{"text_form", run_text_form},
	{"name", run_name},
};

static const Target *target;
static MemoryContext input_context;

/*
 * fuzz(target, arguments of libFuzzer): does not return, as libFuzzer exits.
 */
Datum
fuzz(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Datum	   *elements;
	int			count;
	char	  **arguments;

	for (size_t i = 0; i < lengthof(targets); i++)
	{
		if (strcmp(targets[i].name, name) == 0)
			target = &targets[i];
	}
	if (target == NULL)
		elog(ERROR, "no target \"%s\"", name);

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), TEXTOID, -1, false,
					  TYPALIGN_INT, &elements, NULL, &count);
	arguments = palloc0((count + 2) * sizeof(char *));
	arguments[0] = name;
	for (int i = 0; i < count; i++)
		arguments[i + 1] = TextDatumGetCString(elements[i]);
	count++;
	input_context = AllocSetContextCreate(TopMemoryContext, "input",
										  ALLOCSET_DEFAULT_SIZES);
	LLVMFuzzerRunDriver(&count, &arguments, run_one);
	PG_RETURN_VOID();
}

/*
 * Run the target with one input, if a database could hold it.
 */
static int
run_one(const uint8_t *input, size_t size)
{
	const char *bytes = (const char *) input;
	const char *tab = memchr(bytes, '\t', size);
	size_t		length = tab == NULL ? size : (size_t) (tab - bytes);
	MemoryContext old;
	bool		is_right;

	if (!pg_verify_mbstr(PG_UTF8, bytes, (int) size, true))
		return -1;

	old = MemoryContextSwitchTo(input_context);
	is_right = answered(cstring_to_text_with_len(bytes, (int) length),
						cstring_to_text_with_len(tab == NULL ? "" : tab + 1,
												 tab == NULL ? 0 : (int) (size - length - 1)));
	MemoryContextSwitchTo(old);
	MemoryContextReset(input_context);
	if (!is_right)
		abort();
	return 0;
}

/*
 * Check whether the target got answers, and they were right.
 */
static bool
answered(text *a, text *b)
{
	MemoryContext old = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool is_right = true;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(old);
	PG_TRY();
	{
		target->run(a, b);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(old);
		error = CopyErrorData();
		FlushErrorState();
		is_right = ERRCODE_TO_CATEGORY(error->sqlerrcode) != ERRCODE_INTERNAL_ERROR;
		if (!is_right)
			write_stderr("wrong: %s\n", error->message);
	}
	PG_END_TRY();
	/* what was read is to be forgotten in any case */
	RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(old);
	CurrentResourceOwner = owner;
	return is_right;
}

static void
run_document_id(text *a, text *b)
{
	Datum		id = PointerGetDatum(a);
	Datum		folded = call("docid_fold(text)", 1, id, 0);
	char	   *strategy;

	require(same(call("docid_fold(text)", 1, folded, 0), folded),
			"folding twice is folding once");
	(void) call("hilo_tag(text)", 1, id, 0);
	(void) call("document_id_parts(text)", 1, id, 0);
	strategy = TextDatumGetCString(call("document_id_strategy(text)", 1, id, 0));
	if (strcmp(strategy, "semantic") == 0 &&
		DatumGetBool(call("document_id_valid(text,text)", 2, id,
						  CStringGetTextDatum("/"))))
		require(same(call("document_id(text)", 1, id, 0), id),
				"a valid id stays as it is");
}

static void
run_anchor(text *a, text *b)
{
	Datum		id = PointerGetDatum(a);
	Datum		target_id = PointerGetDatum(b);
	int			bucket = DatumGetInt32(call("anchor_bucket(text)", 1, id, 0));
	Datum		anchored;

	require(bucket >= 0 && bucket < 1048576, "a bucket is one of 2^20");
	require(bucket == DatumGetInt32(call("anchor_bucket(text)", 1,
										 call("docid_fold(text)", 1, id, 0), 0)),
			"case makes no other bucket");
	require(bucket == DatumGetInt32(call("anchor_bucket(text)", 1,
										 call("anchor_of(text)", 1, id, 0), 0)),
			"the anchor tells the bucket");
	anchored = call("anchor_to(text,text)", 2, id, target_id);
	require(DatumGetInt32(call("anchor_bucket(text)", 1, anchored, 0)) ==
			DatumGetInt32(call("anchor_bucket(text)", 1, target_id, 0)),
			"an anchored id is in the bucket of its target");
}

static void
run_text_form(text *a, text *b)
{
	Datum		text_form = PointerGetDatum(a);
	bool		has_check = VARSIZE_ANY_EXHDR(b) > 0;
	Datum		id = call("id_from_text(text,bool)", 2, text_form,
						  BoolGetDatum(has_check));

	require(DatumGetInt64(id) > 0, "an id is above 0");
	require(same(call("id_text(bigint,bool)", 2, id, BoolGetDatum(has_check)),
				 text_form), "an id has one text");
}

static void
run_name(text *a, text *b)
{
	(void) call("identity_current(text)", 1, PointerGetDatum(a), 0);
	(void) call("fuzz_artificial_id(text,text)", 2, PointerGetDatum(a),
				PointerGetDatum(b));
	(void) call("hilo_current(text)", 1, PointerGetDatum(a), 0);
}

/*
 * Call a function of the schema public, which is looked up once.
 */
static Datum
call(const char *function, int nargs, Datum a, Datum b)
{
	static struct
	{
		const char *name;
		FmgrInfo	info;
	}			known[16];

	LOCAL_FCINFO(arguments, 2);
	int			i = 0;
	Datum		result;

	while (known[i].name != NULL && known[i].name != function)
		i++;
	if (known[i].name == NULL)
	{
		Oid			oid = DatumGetObjectId(DirectFunctionCall1(regprocedurein,
															   CStringGetDatum(psprintf("public.%s", function))));

		fmgr_info_cxt(oid, &known[i].info, TopMemoryContext);
		known[i].name = function;
	}
	InitFunctionCallInfoData(*arguments, &known[i].info, nargs,
							 DEFAULT_COLLATION_OID, NULL, NULL);
	arguments->args[0].value = a;
	arguments->args[0].isnull = false;
	arguments->args[1].value = b;
	arguments->args[1].isnull = false;
	result = FunctionCallInvoke(arguments);
	return result;
}

static bool
same(Datum a, Datum b)
{
	return DatumGetBool(DirectFunctionCall2Coll(texteq, C_COLLATION_OID, a, b));
}

static void
require(bool holds, const char *what)
{
	if (!holds)
		elog(ERROR, "it does not hold that %s", what);
}
