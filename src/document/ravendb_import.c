/*
 * The counters of a RavenDB database.
 *
 * RavenDB keeps how far a collection's HiLo ids are reserved in the property
 * Max of the document Raven/Hilo/<tag>.  All is read and checked before the
 * first generator is raised, as raising is not undone by a rollback.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"
#include "utils/tuplestore.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_import_ravendb);

#define HILO_DOCUMENT_PREFIX "Raven/Hilo/"

/*
 * A counter that was found.
 */
typedef struct Counter
{
	text	   *written;		/* of the generator */
	text	   *name;			/* the same, folded */
	int64		value;
} Counter;

typedef void (*MemberVisitor) (JsonbValue *key, JsonbValue *value,
							   List **counters);

static void visit_members(JsonbContainer *object, MemberVisitor visit,
						  List **counters);
static void read_hilo(JsonbContainer *documents, List **counters);
static void read_documents(JsonbContainer *array, List **counters);
static void read_document(JsonbContainer *document, List **counters);
static void read_hilo_member(JsonbValue *key, JsonbValue *value,
							 List **counters);
static void read_identity_member(JsonbValue *key, JsonbValue *value,
								 List **counters);
static JsonbValue *member(JsonbContainer *object, const char *name);
static bool is_object(const JsonbValue *value);
static bool is_array(const JsonbValue *value);
static text *string_text(const JsonbValue *string);
static text *tag_of_document(text *id);
static void add_counter(text *written, JsonbValue *value, List **counters);
static int64 counter_value(text *written, JsonbValue *value);
static void refuse_scattered_counter(const Counter *counter);
static void raise_counter(const Counter *counter, ReturnSetInfo *result);
pg_noreturn static void refuse_shape(const char *what, const char *rule);

Datum
hilo_import_ravendb(PG_FUNCTION_ARGS)
{
	List	   *counters = NIL;
	ListCell   *cell;

	catalog_require_writable("hilo_import_ravendb()");

	if (!PG_ARGISNULL(0))
		read_hilo(&PG_GETARG_JSONB_P(0)->root, &counters);
	if (!PG_ARGISNULL(1))
	{
		Jsonb	   *identities = PG_GETARG_JSONB_P(1);

		if (!JB_ROOT_IS_OBJECT(identities))
			refuse_shape("identities", "Identities are an object of names and values, {\"users|\": 5}.");
		visit_members(&identities->root, read_identity_member, &counters);
	}

	foreach(cell, counters)
	{
		Counter    *counter = lfirst(cell);

		seed_check(counter->written, counter->value);
		refuse_scattered_counter(counter);
	}
	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, counters)
		raise_counter(lfirst(cell), (ReturnSetInfo *) fcinfo->resultinfo);
	return (Datum) 0;
}

static void
visit_members(JsonbContainer *object, MemberVisitor visit, List **counters)
{
	JsonbIterator *iterator = JsonbIteratorInit(object);
	JsonbValue	key;
	JsonbValue	value;

	(void) JsonbIteratorNext(&iterator, &key, true);
	while (JsonbIteratorNext(&iterator, &key, true) == WJB_KEY)
	{
		(void) JsonbIteratorNext(&iterator, &value, true);
		visit(&key, &value, counters);
	}
}

/*
 * Read the HiLo documents in any of the forms they come in: an array of
 * documents, RavenDB's answer with such an array in it, one document, or an
 * object of documents by their ids.
 */
static void
read_hilo(JsonbContainer *documents, List **counters)
{
	JsonbValue *results;

	if (JsonContainerIsScalar(documents))
		refuse_shape("HiLo documents", "HiLo documents are an array of documents, or an object of documents by their ids.");
	if (JsonContainerIsArray(documents))
		read_documents(documents, counters);
	else if ((results = member(documents, "Results")) != NULL && is_array(results))
		read_documents(results->val.binary.data, counters);
	else if (member(documents, "@metadata") != NULL)
		read_document(documents, counters);
	else
		visit_members(documents, read_hilo_member, counters);
}

static void
read_documents(JsonbContainer *array, List **counters)
{
	for (uint32 i = 0; i < JsonContainerSize(array); i++)
	{
		JsonbValue *document = getIthJsonbValueFromContainer(array, i);

		if (!is_object(document))
			refuse_shape("HiLo documents", "Each document is an object.");
		read_document(document->val.binary.data, counters);
	}
}

static void
read_document(JsonbContainer *document, List **counters)
{
	JsonbValue *metadata = member(document, "@metadata");
	JsonbValue *id = NULL;

	if (metadata != NULL && is_object(metadata))
		id = member(metadata->val.binary.data, "@id");
	if (id == NULL || id->type != jbvString)
		refuse_shape("HiLo documents", "A document in an array must have its id in @metadata.@id.");
	add_counter(tag_of_document(string_text(id)), member(document, "Max"),
				counters);
}

static void
read_hilo_member(JsonbValue *key, JsonbValue *value, List **counters)
{
	if (is_object(value))
		value = member(value->val.binary.data, "Max");
	add_counter(tag_of_document(string_text(key)), value, counters);
}

static void
read_identity_member(JsonbValue *key, JsonbValue *value, List **counters)
{
	add_counter(identity_name(string_text(key)), value, counters);
}

static JsonbValue *
member(JsonbContainer *object, const char *name)
{
	return getKeyJsonValueFromContainer(object, name, strlen(name), NULL);
}

static bool
is_object(const JsonbValue *value)
{
	return value->type == jbvBinary &&
		JsonContainerIsObject(value->val.binary.data);
}

static bool
is_array(const JsonbValue *value)
{
	return value->type == jbvBinary &&
		JsonContainerIsArray(value->val.binary.data);
}

static text *
string_text(const JsonbValue *string)
{
	return cstring_to_text_with_len(string->val.string.val,
									string->val.string.len);
}

static text *
tag_of_document(text *id)
{
	int			length = strlen(HILO_DOCUMENT_PREFIX);

	if ((int) VARSIZE_ANY_EXHDR(id) <= length ||
		pg_strncasecmp(VARDATA_ANY(id), HILO_DOCUMENT_PREFIX, length) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("document \"%s\" is not a HiLo document",
						text_to_cstring(id)),
				 errdetail("The id of a HiLo document is \"%s\" and the tag of the collection.",
						   HILO_DOCUMENT_PREFIX)));
	return cstring_to_text_with_len(VARDATA_ANY(id) + length,
									VARSIZE_ANY_EXHDR(id) - length);
}

/*
 * Add a counter to those found, or raise the one of the same name.
 */
static void
add_counter(text *written, JsonbValue *value, List **counters)
{
	Counter    *counter = palloc(sizeof(Counter));
	ListCell   *cell;

	counter->written = written;
	counter->name = definition_name(written);
	counter->value = counter_value(written, value);
	foreach(cell, *counters)
	{
		Counter    *other = lfirst(cell);

		if (text_equal(other->name, counter->name))
		{
			other->value = Max(other->value, counter->value);
			return;
		}
	}
	*counters = lappend(*counters, counter);
}

static int64
counter_value(text *written, JsonbValue *value)
{
	int64		result = -1;

	errno = 0;
	if (value != NULL && value->type == jbvNumeric)
	{
		Datum		number = NumericGetDatum(value->val.numeric);
		char	   *end;

		result = strtoi64(DatumGetCString(DirectFunctionCall1(numeric_out,
															  number)),
						  &end, 10);
		if (*end != '\0')
			result = -1;
	}
	if (result < 0 || errno != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for generator \"%s\"",
						text_to_cstring(written)),
				 errdetail("The Max of a HiLo document and the value of an identity are whole numbers, at least 0.")));
	return result;
}

/*
 * Report an error if the ids of a counter's generator are scattered: those that
 * RavenDB has used come from other numbers than its own.
 */
static void
refuse_scattered_counter(const Counter *counter)
{
	Definition	definition;

	if (definition_find(counter->name, &definition, NULL))
		definition_refuse_scattered(&definition, counter->written,
									"RavenDB's counter does not show which numbers are in use.",
									"Use a generator of another ordering.");
}

/*
 * Have no id up to a counter's value be handed out, as RavenDB has used them;
 * put the generator into the result if it is behind.
 */
static void
raise_counter(const Counter *counter, ReturnSetInfo *result)
{
	Definition	definition;
	text	   *written = counter->written;
	Datum		values[2];
	bool		nulls[2] = {0};
	int64		before = 0;
	int64		last;

	if (counter->value == 0)
		return;
	if (definition_find(counter->name, &definition, &written))
		before = identity_last(counter->name, &definition);
	last = seed_generator(counter->written, &counter->value, SEED_PASS);
	if (counter->value <= before)
		return;

	values[0] = PointerGetDatum(written);
	values[1] = Int64GetDatum(last);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static void
refuse_shape(const char *what, const char *rule)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid %s", what),
			 errdetail_internal("%s", rule)));
}
