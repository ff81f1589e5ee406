/*-------------------------------------------------------------------------
 *
 * anchor_view.c
 *	  What writes the rows of a view on a partitioned table.
 *
 * A view knows its table and the columns by what they are: it goes on when they
 * get other names, or the table other columns.  So the command that inserts what is
 * inserted into the view is made of what the view reads by then.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/anchor_view.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "nodes/primnodes.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "relation.h"

PG_FUNCTION_INFO_V1(anchor_view_insert);

static char *insert_command(Relation view);
static int	table_of(Relation view, const Query *query);
static AttrNumber column_of(Relation view, const TargetEntry *entry,
							int table_no);
pg_noreturn static void refuse_view(Relation view);

/*
 * anchor_view_insert(view): gives the command by which the row $1 of a view, of its
 * columns, becomes one of the table that it is on, which returns them as they are
 * then.
 */
Datum
anchor_view_insert(PG_FUNCTION_ARGS)
{
	Oid			relid = PG_GETARG_OID(0);
	Relation	view;
	char	   *command;

	if (get_rel_relkind(relid) == '\0')
		relation_refuse_missing(relid);
	view = relation_open(relid, AccessShareLock);
	command = insert_command(view);
	relation_close(view, AccessShareLock);
	PG_RETURN_TEXT_P(cstring_to_text(command));
}

/*
 * Makes that command.
 */
static char *
insert_command(Relation view)
{
	StringInfoData names;
	StringInfoData values;
	StringInfoData returned;
	Query	   *query;
	int			table_no;
	Oid			table;
	ListCell   *cell;

	if (view->rd_rel->relkind != RELKIND_VIEW)
		refuse_view(view);
	query = get_view_query(view);
	table_no = table_of(view, query);
	table = rt_fetch(table_no, query->rtable)->relid;

	initStringInfo(&names);
	initStringInfo(&values);
	initStringInfo(&returned);
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);
		AttrNumber	column;
		const char *name;

		/* what the view is sorted by, and is no column of it */
		if (entry->resjunk)
			continue;
		column = column_of(view, entry, table_no);
		name = quote_identifier(get_attname(table, column, false));
		appendStringInfo(&returned, "%s%s", returned.len ? ", " : "", name);
		if (get_attgenerated(table, column))
			continue;
		appendStringInfo(&names, "%s%s", names.len ? ", " : "", name);
		appendStringInfo(&values, "%s($1).%s", values.len ? ", " : "",
						 quote_identifier(NameStr(*attnumAttName(view, entry->resno))));
	}
	return psprintf("INSERT INTO %s (%s) VALUES (%s) RETURNING %s",
					relation_name(table), names.data, values.data, returned.data);
}

/*
 * Gives the table that a view is on, as its query numbers it.
 */
static int
table_of(Relation view, const Query *query)
{
	RangeTblRef *ref;

	if (list_length(query->jointree->fromlist) != 1)
		refuse_view(view);
	ref = linitial(query->jointree->fromlist);
	if (!IsA(ref, RangeTblRef) ||
		rt_fetch(ref->rtindex, query->rtable)->rtekind != RTE_RELATION)
		refuse_view(view);
	return ref->rtindex;
}

/*
 * Gives the column of the table that a column of the view is.
 */
static AttrNumber
column_of(Relation view, const TargetEntry *entry, int table_no)
{
	const Var  *var = (const Var *) entry->expr;

	if (!IsA(var, Var) || var->varno != table_no || var->varattno <= 0)
		refuse_view(view);
	return var->varattno;
}

/*
 * Raises the error for a relation whose rows are not those of one table.
 */
static void
refuse_view(Relation view)
{
	ereport(ERROR,
			(errcode(ERRCODE_WRONG_OBJECT_TYPE),
			 errmsg("\"%s\" is not a view of the columns of one table",
					RelationGetRelationName(view))));
}
