/*-------------------------------------------------------------------------
 *
 * default_call.c
 *	  A call of a generator in the expression of a default.
 *
 * Nothing in the expression is evaluated but core's casts between types of
 * text: it is the table owner's, and the caller may be a superuser.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/default_call.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_coerce.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "case_fold.h"
#include "catalog.h"
#include "compat.h"
#include "default_call.h"
#include "definition.h"
#include "document_id.h"

static Oid	find_function(const char *name, Oid schema);
static text *with_identity_mark(text *written, bool any_separator);
static Node *same_value(Node *node);
static text *constant_text(Node *node);
static bool is_text(Oid type);
static text *text_of_name(PGFunction to_name, text *from);
static text *cast_text(FuncExpr *cast);

/*
 * The functions that hand out ids, of one argument, and what makes the name of
 * the generator of it, if it is not that name itself; under the session's
 * separator, or under any.
 */
static const struct
{
	const char *name;
	text	   *(*generator) (text *written, bool any_separator);
}			functions[] =

{
	{"hilo_next", NULL},
	{"hilo_next_id", NULL},
	{"identity_next", with_identity_mark},
	{"identity_next_id", with_identity_mark},
	{"document_id", document_id_generator}
};

StaticAssertDecl(lengthof(functions) == lengthof(((DefaultCall *) 0)->functions),
				 "an OID for each function");

/*
 * Starts a search: for the functions of the extension, and not for those of
 * the same name elsewhere; with a folded name, for calls of this generator,
 * by a session with any settings.
 */
void
default_call_begin(DefaultCall *call, text *only)
{
	Oid			schema = catalog_public_schema();

	call->only = only;
	for (size_t i = 0; i < lengthof(functions); i++)
		call->functions[i] = find_function(functions[i].name, schema);
}

/*
 * Walks an expression until the first call of a generator with a constant
 * name, which is the one that is looked for.
 */
bool
default_call_find(Node *node, DefaultCall *call)
{
	if (node == NULL)
		return false;
	for (size_t i = 0; IsA(node, FuncExpr) && i < lengthof(functions); i++)
	{
		FuncExpr   *function = (FuncExpr *) node;
		text	   *written;
		text	   *folded;

		/* document_id() has its default argument added when it is planned */
		if (function->funcid != call->functions[i] || function->args == NIL)
			continue;
		written = constant_text(linitial(function->args));
		/* no generator can have that name */
		if (written != NULL &&
			!case_fold_is_possible(VARDATA_ANY(written), VARSIZE_ANY_EXHDR(written)))
			continue;
		if (written != NULL && functions[i].generator != NULL)
			written = functions[i].generator(written, call->only != NULL);
		/* most patterns need no number */
		if (written == NULL && functions[i].generator == document_id_generator)
			continue;
		folded = written == NULL ? NULL :
			case_fold(VARDATA_ANY(written), VARSIZE_ANY_EXHDR(written));
		if (call->only != NULL &&
			(folded == NULL || !text_equal(folded, call->only)))
			continue;
		call->found = true;
		call->written = written;
		call->folded = folded;
		if (written != NULL)
			return true;
	}
	return expression_tree_walker(node, default_call_find, call);
}

/*
 * Says whether an expression is nothing but a call of a generator, and core's
 * casts of it: its numbers are the generator's.
 */
bool
default_call_is_bare(Node *node, const DefaultCall *call)
{
	FuncExpr   *function = (FuncExpr *) node;

	if (node == NULL)
		return false;
	if (IsA(node, CoerceViaIO))
		return default_call_is_bare((Node *) ((CoerceViaIO *) node)->arg, call);
	if (same_value(node) != NULL)
		return default_call_is_bare(same_value(node), call);
	if (!IsA(node, FuncExpr))
		return false;
	for (size_t i = 0; i < lengthof(functions); i++)
	{
		if (function->funcid == call->functions[i])
			return true;
	}
	return function->funcid < FirstUnpinnedObjectId &&
		function->funcformat != COERCE_EXPLICIT_CALL &&
		function->args != NIL &&
		default_call_is_bare(linitial(function->args), call);
}

static Oid
find_function(const char *name, Oid schema)
{
	Oid			text_argument = TEXTOID;

	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(name),
						   PointerGetDatum(buildoidvector(&text_argument, 1)),
						   ObjectIdGetDatum(schema));
}

/*
 * Gives the name of the generator behind an identity.
 */
static text *
with_identity_mark(text *written, bool any_separator)
{
	char	   *name = text_to_cstring(written);
	size_t		length = strlen(name);

	if (length > 0 && name[length - 1] == IDENTITY_MARK)
		return written;
	return cstring_to_text(psprintf("%s%c", name, IDENTITY_MARK));
}

/*
 * Gives the expression that has the value of another one, which is no more than
 * a type, domain, collation or argument's name for it; NULL if it is more.
 */
static Node *
same_value(Node *node)
{
	if (IsA(node, RelabelType))
		return (Node *) ((RelabelType *) node)->arg;
	if (IsA(node, CoerceToDomain))
		return (Node *) ((CoerceToDomain *) node)->arg;
	if (IsA(node, CollateExpr))
		return (Node *) ((CollateExpr *) node)->arg;
	if (IsA(node, NamedArgExpr))
		return (Node *) ((NamedArgExpr *) node)->arg;
	return NULL;
}

/*
 * Gives the text of a constant, NULL if it is none.  Of casts it looks through
 * core's only: one of somebody else's could be from anything.
 */
static text *
constant_text(Node *node)
{
	Const	   *constant = (Const *) node;

	if (same_value(node) != NULL)
		return constant_text(same_value(node));
	if (IsA(node, FuncExpr))
		return cast_text((FuncExpr *) node);
	if (IsA(node, CoerceViaIO))
	{
		CoerceViaIO *cast = (CoerceViaIO *) node;
		text	   *from = constant_text((Node *) cast->arg);

		if (cast->resulttype == NAMEOID && from != NULL)
			return text_of_name(text_name, from);
		return is_text(cast->resulttype) ? from : NULL;
	}
	if (!IsA(node, Const) || constant->constisnull)
		return NULL;
	if (constant->consttype == NAMEOID)
		return cstring_to_text(NameStr(*DatumGetName(constant->constvalue)));
	return is_text(constant->consttype) ?
		DatumGetTextPP(constant->constvalue) : NULL;
}

/*
 * Says whether a type is stored as text is, such as citext.
 */
static bool
is_text(Oid type)
{
	return type == BPCHAROID || IsBinaryCoercible(type, TEXTOID);
}

/*
 * Gives what is left of a text in a name.
 */
static text *
text_of_name(PGFunction to_name, text *from)
{
	Datum		name = DirectFunctionCall1(to_name, PointerGetDatum(from));

	return cstring_to_text(NameStr(*DatumGetName(name)));
}

/*
 * The same of a cast to another type of text, or to another length.
 */
static text *
cast_text(FuncExpr *cast)
{
	text	   *from;
	Const	   *length;

	switch (cast->funcid)
	{
		case F_TEXT_NAME:
		case F_VARCHAR_NAME:
		case F_BPCHAR_NAME:
			return constant_text(linitial(cast->args));
		case F_NAME_TEXT:
		case F_NAME_VARCHAR:
		case F_NAME_BPCHAR:
			from = constant_text(linitial(cast->args));
			return from == NULL ? NULL :
				text_of_name(cast->funcid == F_NAME_BPCHAR ? bpchar_name : text_name,
							 from);
		case F_TEXT_BPCHAR:
			from = constant_text(linitial(cast->args));
			return from == NULL ? NULL :
				DatumGetTextPP(DirectFunctionCall1(rtrim1, PointerGetDatum(from)));
		case F_VARCHAR_VARCHAR_INT4_BOOL:
		case F_BPCHAR_BPCHAR_INT4_BOOL:
			from = constant_text(linitial(cast->args));
			length = lsecond(cast->args);
			if (from == NULL || !IsA(length, Const))
				return NULL;
			/* as if it were explicit, which cuts where the other fails */
			return DatumGetTextPP(DirectFunctionCall3(varchar, PointerGetDatum(from),
													  length->constvalue,
													  BoolGetDatum(true)));
		default:
			return NULL;
	}
}
