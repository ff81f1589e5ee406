/*
 * Which roles may use a generator.
 *
 * INSERT on a table implies use of the generators that it draws from, like
 * those of an identity, if the table's owner may use them.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/dependency.h"
#include "catalog/pg_authid.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"

#include "relation/relation.h"

static bool may_use_sequence(Oid sequence, Oid role);
static bool may_use_by_insert(text *name, Oid role);
static Oid	find_drawing(text *name, List *columns, Oid role);
static bool gives_use(const ColumnDefault *column, text *name, Oid role);
static List *columns_of_tag(text *tag);
static List *views_into(Oid relid);
static Oid	view_target(Oid view);

/*
 * Check whether the current role may use a generator, or may see all
 * statistics.
 */
bool
privilege_may_see(text *name, const Definition *definition)
{
	Oid			role = GetUserId();
	Oid			sequence = key_sequence(name);

	if (OidIsValid(sequence))
		return pg_class_aclcheck(sequence, role,
								 ACL_SELECT | ACL_USAGE) == ACLCHECK_OK;
	if (definition->is_public ||
		has_privs_of_role(role, ROLE_PG_READ_ALL_STATS) ||
		privilege_is_given(name, role))
		return true;
	/* one look at all defaults for all tags that are shown */
	if (!key_is_relation(name))
		return OidIsValid(find_drawing(name, columns_of_tag(name), role));
	return may_use_by_insert(name, role);
}

/* Check whether a role may use a generator, whatever a statement writes to. */
bool
privilege_may_use(text *name, const Definition *definition, Oid role)
{
	Oid			sequence = key_sequence(name);

	if (OidIsValid(sequence))
		return may_use_sequence(sequence, role);
	return definition->is_public ||
		superuser_arg(role) ||
		privilege_is_given(name, role) ||
		may_use_by_insert(name, role);
}

/* Do so for a sequence; INSERT on a table is the right to its identity. */
static bool
may_use_sequence(Oid sequence, Oid role)
{
	Oid			table;
	int32		column;

	return pg_class_aclcheck(sequence, role,
							 ACL_USAGE | ACL_UPDATE) == ACLCHECK_OK ||
		(sequenceIsOwned(sequence, DEPENDENCY_INTERNAL, &table, &column) &&
		 privilege_may_insert(table, role));
}

/* Check whether the defaults of a table may draw from a generator. */
bool
privilege_may_draw(text *name, Oid table)
{
	/* an error if it is gone */
	(void) relation_owner(table);
	return privilege_must_not_draw(name, list_make1_oid(table)) == NIL;
}

/*
 * Return those of some relations that must not draw from a generator by
 * default: the generator's owner could set ids back, and lacks the rights of
 * the relation's owner.  A grant changes nothing, because the generator's owner
 * makes it, and not the owner of the relation.  Skip relations that are gone,
 * and temporary ones, which belong to the caller.
 */
List *
privilege_must_not_draw(text *name, List *relids)
{
	Oid			generator_owner = privilege_owner(name);
	Oid			last_owner = InvalidOid;
	bool		may = true;
	List	   *found = NIL;

	if (!OidIsValid(generator_owner))
		return NIL;
	foreach_oid(relid, relids)
	{
		Oid			owner = relation_find_owner(relid);

		if (!OidIsValid(owner))
			continue;
		/* many relations in a row may have the same owner */
		if (owner != last_owner)
			may = has_privs_of_role(generator_owner, owner);
		if (!may && get_rel_persistence(relid) != RELPERSISTENCE_TEMP)
			found = lappend_oid(found, relid);
		last_owner = owner;
	}
	return found;
}

/*
 * Check whether a role may insert into a table, a part of it, or a view of
 * them.  Watch what gives the right: that relation, and what it writes to.
 */
bool
privilege_may_insert(Oid relid, Oid role)
{
	List	   *tables = lock_inheritors(relid, NoLock);
	List	   *relids = list_copy(tables);

	for (int i = 0; i < list_length(relids); i++)
	{
		Oid			target = list_nth_oid(relids, i);

		if (!relation_may_insert(target, role))
		{
			relids = list_concat_unique_oid(relids, views_into(target));
			continue;
		}
		while (!list_member_oid(tables, target))
		{
			CHECK_FOR_INTERRUPTS();
			watch_relation(target);
			target = view_target(target);
			/* the view has changed meanwhile */
			if (!OidIsValid(target))
				return false;
		}
		watch_relation(target);
		return true;
	}
	return false;
}

/*
 * Let roles use a sequence that may not do so: those that were granted INSERT
 * on one of some tables, or on a view that writes to it with the rights of its
 * owner.
 */
void
privilege_pass_on(List *tables, Oid sequence)
{
	List	   *relids = list_copy(tables);
	List	   *roles = NIL;

	for (int i = 0; i < list_length(relids); i++)
	{
		Oid			relid = list_nth_oid(relids, i);

		roles = list_concat_unique_oid(roles,
									   relation_grantees(relid, ACL_INSERT));
		relids = list_concat_unique_oid(relids, views_into(relid));
	}
	foreach_oid(role, roles)
	{
		const char *grantee = privilege_grantee(role);

		/* one may be gone, also since a moment ago */
		if (grantee != NULL &&
			pg_class_aclmask(sequence, role, ACL_USAGE | ACL_UPDATE,
							 ACLMASK_ANY) == 0)
			relation_run(psprintf("GRANT USAGE ON SEQUENCE %s TO %s",
								  relation_name(sequence), grantee));
	}
}

/*
 * Check whether a role may insert rows that draw from a generator.  That is
 * into its table; or into a table with a default that names it, if the owner of
 * that table may use it; or into a part or a view of such a table.
 */
static bool
may_use_by_insert(text *name, Oid role)
{
	/* guesses, by hash: find_drawing checks each of them again */
	static Oid	last_tables[256];
	List	   *columns;
	Oid		   *last;
	Oid			table = key_relid(name);

	if (get_rel_name(table) != NULL && privilege_may_insert(table, role))
		return true;

	/*
	 * Other roles may have planted many columns: look first at the table that
	 * gave the right last time.
	 */
	last = &last_tables[text_hash(name) % lengthof(last_tables)];
	columns = column_default_of_table(*last, 0, name);
	if (OidIsValid(find_drawing(name, columns, role)))
		return true;
	columns = column_default_list(name, true, InvalidOid);
	*last = find_drawing(name, columns, role);
	return OidIsValid(*last);
}

/* Return the relation of a column that gives a role use, and watch it. */
static Oid
find_drawing(text *name, List *columns, Oid role)
{
	foreach_ptr(ColumnDefault, column, columns)
	{
		if (!gives_use(column, name, role))
			continue;
		watch_relation(column->relid);
		return column->relid;
	}
	return InvalidOid;
}

/*
 * Check whether a role may use a generator because it may insert into the
 * relation of a column that draws from it.  The relation's owner must have the
 * right itself, and be the role that made the column draw.
 */
static bool
gives_use(const ColumnDefault *column, text *name, Oid role)
{
	Oid			owner = relation_find_owner(column->relid);

	if (!OidIsValid(owner))
		return false;
	if (!superuser_arg(owner) && !privilege_is_given(name, owner))
		return false;
	return column_default_is_by_owner(column, true) &&
		privilege_may_draw(name, column->relid) &&
		privilege_may_insert(column->relid, role);
}

/*
 * Return the columns of any owner that draw from a tag.  Read all defaults once
 * in a transaction, and again after a change.
 */
static List *
columns_of_tag(text *tag)
{
	static List *known;
	static LocalTransactionId known_in;
	static uint64 as_of;
	uint64		now = relation_changes;
	List	   *columns = NIL;

	if (known_in != MyLocalTransactionId || as_of != now)
	{
		MemoryContext before = MemoryContextSwitchTo(TopTransactionContext);

		/* nothing is known if an error comes now */
		known_in = InvalidLocalTransactionId;
		known = column_default_list(NULL, false, InvalidOid);
		known_in = MyLocalTransactionId;
		as_of = now;
		MemoryContextSwitchTo(before);
	}
	foreach_ptr(ColumnDefault, column, known)
	{
		if (column->generator != NULL && text_equal(column->generator, tag))
			columns = lappend(columns, column);
	}
	return columns;
}

/* Return the views that may insert into a relation as their owner. */
static List *
views_into(Oid relid)
{
	List	   *views = NIL;

	foreach_oid(view, relation_rule_relations(relid))
	{
		if (get_rel_relkind(view) == RELKIND_VIEW &&
			relation_may_insert(relid, relation_find_owner(view)) &&
			view_target(view) == relid)
			views = lappend_oid(views, view);
	}
	return views;
}

/*
 * Return the relation that an INSERT into a view writes to as its owner, or
 * InvalidOid.  Take no lock: a role could make others wait for it, and a role
 * can make more views than the lock table has room for.
 */
static Oid
view_target(Oid view)
{
	Relation	rel = RelationIdGetRelation(view);
	Oid			target = InvalidOid;
	bool		has_rule = false;

	if (rel == NULL)
		return InvalidOid;
	for (int i = 0; i < rel->rd_rules->numLocks; i++)
		has_rule |= rel->rd_rules->rules[i]->event == CMD_INSERT;
	if (!RelationHasSecurityInvoker(rel) && !has_rule &&
		(rel->trigdesc == NULL || !rel->trigdesc->trig_insert_instead_row))
	{
		Query	   *query = get_view_query(rel);

		if (view_query_is_auto_updatable(query, true) == NULL)
			target =
				rt_fetch(linitial_node(RangeTblRef,
									   query->jointree->fromlist)->rtindex,
						 query->rtable)->relid;
	}
	RelationClose(rel);
	return target;
}
