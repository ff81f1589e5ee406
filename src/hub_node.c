/*-------------------------------------------------------------------------
 *
 * hub_node.c
 *	  hilo_node: the servers that a hub knows.
 *
 * Each says by which node tag and number it makes ids.  Two that say the same
 * cannot know of each other; here it shows.  A server stays known by what it
 * once used, as there may be ids of that, until it is forgotten.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/hub_node.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/indexing.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "catalog.h"
#include "catalog_change.h"
#include "hilo.h"
#include "lock.h"
#include "trace_id.h"

PG_FUNCTION_INFO_V1(hilo_hub_register);
PG_FUNCTION_INFO_V1(hilo_node_forget);

enum
{
	Anum_node_system_identifier = 1,
	Anum_node_tag,
	Anum_node_no,
	Anum_node_name,
	Anum_node_address,
	Anum_node_first_seen,
	Anum_node_last_seen,
	Natts_node = Anum_node_last_seen
};

/* last_seen is so exact, so that connections do not write each time */
#define SEEN_PRECISION (USECS_PER_HOUR)

/*
 * A row, or what is about to be one.
 */
typedef struct HubNode
{
	int64		system_identifier;
	const char *tag;
	int32		number;
	const char *name;
	const char *address;
	TimestampTz first_seen;
	TimestampTz last_seen;
} HubNode;

static void check_node(const HubNode *node);
static void note_node(Relation rel, const HubNode *node);
static void find_conflicts(Relation rel, const HubNode *node,
						   StringInfo conflicts);
static void append_conflict(StringInfo conflicts, const HubNode *known,
							const HubNode *node);
static bool is_same(const HubNode *one, const HubNode *other);
static const char *client_address(void);
static HubNode node_from_tuple(Relation rel, HeapTuple tuple);
static HeapTuple node_form(Relation rel, const HubNode *node);
static SysScanDesc scan_nodes(Relation rel);

/*
 * hilo_hub_register(system_identifier, node_tag, node_no, name): notes the server
 * that calls, and says which others are known by the same tag or number; null
 * if none is.
 */
Datum
hilo_hub_register(PG_FUNCTION_ARGS)
{
	HubNode		node = {
		.system_identifier = PG_GETARG_INT64(0),
		.tag = text_to_cstring(PG_GETARG_TEXT_PP(1)),
		.number = PG_GETARG_INT32(2),
		.name = text_to_cstring(PG_GETARG_TEXT_PP(3)),
		.address = client_address(),
		.first_seen = GetCurrentTimestamp(),
		.last_seen = GetCurrentTimestamp(),
	};
	HubNode		self = {
		.system_identifier = (int64) GetSystemIdentifier(),
		.tag = hilo_node_tag,
		.number = trace_node_no,
		.name = GetConfigOptionByName("cluster_name", NULL, false),
		.address = "the hub",
		.first_seen = node.first_seen,
		.last_seen = node.last_seen,
	};
	Relation	rel;
	StringInfoData conflicts;

	catalog_require_writable("hilo_hub_register()");
	check_node(&node);
	initStringInfo(&conflicts);
	/* two at a time would not see each other */
	rel = lock_open(CATALOG_NODE);
	note_node(rel, &self);
	if (!is_same(&self, &node))
		note_node(rel, &node);
	find_conflicts(rel, &node, &conflicts);
	table_close(rel, NoLock);
	if (conflicts.len == 0)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(conflicts.data));
}

/*
 * hilo_node_forget(system_identifier, node_tag): deletes what is known of a
 * server, or by one tag only; says how many rows that were.
 */
Datum
hilo_node_forget(PG_FUNCTION_ARGS)
{
	int64		system_identifier = PG_GETARG_INT64(0);
	char	   *tag = PG_ARGISNULL(1) ? NULL :
		text_to_cstring(PG_GETARG_TEXT_PP(1));
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;
	int32		count = 0;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("system_identifier must not be null")));
	catalog_require_writable("hilo_node_forget()");
	rel = lock_open(CATALOG_NODE);
	scan = scan_nodes(rel);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		HubNode		known = node_from_tuple(rel, tuple);

		if (known.system_identifier != system_identifier ||
			(tag != NULL && strcmp(known.tag, tag) != 0))
			continue;
		CatalogTupleDelete(rel, &tuple->t_self);
		count++;
	}
	systable_endscan(scan);
	table_close(rel, NoLock);
	PG_RETURN_INT32(count);
}

/*
 * Raises an error if a server cannot be marked so.
 */
static void
check_node(const HubNode *node)
{
	if (!hilo_node_tag_is_valid(node->tag) ||
		node->number < 0 || node->number > TRACE_NODE_MAX ||
		strlen(node->name) >= NAMEDATALEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid node tag, node_no or name of a server"),
				 errdetail("A node tag is one to four letters, A to Z, a node_no 0 to %d, a name shorter than %d bytes.",
						   TRACE_NODE_MAX, NAMEDATALEN)));
}

/*
 * Notes a server, if there is anything to write.  The caller's lock keeps others
 * from that.
 */
static void
note_node(Relation rel, const HubNode *node)
{
	SysScanDesc scan = scan_nodes(rel);
	HeapTuple	tuple;
	bool		found = false;

	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		HubNode		known = node_from_tuple(rel, tuple);
		HubNode		changed = *node;

		found = is_same(&known, node);
		changed.first_seen = known.first_seen;
		if (found && (strcmp(known.name, node->name) != 0 ||
					  node->last_seen - known.last_seen >= SEEN_PRECISION))
			catalog_update(rel, &tuple->t_self, node_form(rel, &changed));
	}
	systable_endscan(scan);
	if (!found)
		catalog_insert(rel, node_form(rel, node), false);
}

/*
 * Appends what other servers have in common with one.
 */
static void
find_conflicts(Relation rel, const HubNode *node, StringInfo conflicts)
{
	SysScanDesc scan = scan_nodes(rel);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		HubNode		known = node_from_tuple(rel, tuple);

		append_conflict(conflicts, &known, node);
	}
	systable_endscan(scan);
}

/*
 * Appends what two servers have in common that they should not.
 */
static void
append_conflict(StringInfo conflicts, const HubNode *known, const HubNode *node)
{
	bool		same_tag = strcmp(known->tag, node->tag) == 0;
	bool		same_number = known->number == node->number && node->number != 0;

	if (known->system_identifier == node->system_identifier ||
		!(same_tag || same_number))
		return;
	if (conflicts->len > 0)
		appendStringInfoChar(conflicts, '\n');
	appendStringInfoString(conflicts, "Server ");
	if (known->name[0] != '\0')
		appendStringInfo(conflicts, "\"%s\" ", known->name);
	appendStringInfo(conflicts, "at %s with system identifier %lld has ",
					 known->address, (long long) known->system_identifier);
	if (same_tag)
		appendStringInfo(conflicts, "node tag %s%s", known->tag,
						 same_number ? " and " : "");
	if (same_number)
		appendStringInfo(conflicts, "node_no %d", known->number);
	appendStringInfoString(conflicts, ", too.");
}

static bool
is_same(const HubNode *one, const HubNode *other)
{
	return one->system_identifier == other->system_identifier &&
		one->number == other->number && strcmp(one->tag, other->tag) == 0;
}

/*
 * Gives where the client of this session is.
 */
static const char *
client_address(void)
{
	LOCAL_FCINFO(call, 0);
	Datum		address;

	InitFunctionCallInfoData(*call, NULL, 0, InvalidOid, NULL, NULL);
	address = inet_client_addr(call);
	if (call->isnull)
		return "[local]";
	return TextDatumGetCString(DirectFunctionCall1(network_host, address));
}

/*
 * Takes a row apart, into the current memory context.
 */
static HubNode
node_from_tuple(Relation rel, HeapTuple tuple)
{
	Datum		values[Natts_node];
	bool		nulls[Natts_node];
	HubNode		node;

	heap_deform_tuple(tuple, RelationGetDescr(rel), values, nulls);
	node.system_identifier = DatumGetInt64(values[Anum_node_system_identifier - 1]);
	node.tag = TextDatumGetCString(values[Anum_node_tag - 1]);
	node.number = DatumGetInt32(values[Anum_node_no - 1]);
	node.name = TextDatumGetCString(values[Anum_node_name - 1]);
	node.address = TextDatumGetCString(values[Anum_node_address - 1]);
	node.first_seen = DatumGetTimestampTz(values[Anum_node_first_seen - 1]);
	node.last_seen = DatumGetTimestampTz(values[Anum_node_last_seen - 1]);
	return node;
}

static HeapTuple
node_form(Relation rel, const HubNode *node)
{
	Datum		values[Natts_node];
	bool		nulls[Natts_node] = {0};

	values[Anum_node_system_identifier - 1] = Int64GetDatum(node->system_identifier);
	values[Anum_node_tag - 1] = CStringGetTextDatum(node->tag);
	values[Anum_node_no - 1] = Int32GetDatum(node->number);
	values[Anum_node_name - 1] = CStringGetTextDatum(node->name);
	values[Anum_node_address - 1] = CStringGetTextDatum(node->address);
	values[Anum_node_first_seen - 1] = TimestampTzGetDatum(node->first_seen);
	values[Anum_node_last_seen - 1] = TimestampTzGetDatum(node->last_seen);
	return heap_form_tuple(RelationGetDescr(rel), values, nulls);
}

/*
 * Starts a scan of all rows.  To be ended with systable_endscan.
 */
static SysScanDesc
scan_nodes(Relation rel)
{
	return systable_beginscan(rel, catalog_index(rel), true, SnapshotSelf, 0,
							  NULL);
}
