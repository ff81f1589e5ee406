/* Raising the last id of a generator by hand, or lowering it. */
#include "postgres.h"

#include "call/call.h"

PG_FUNCTION_INFO_V1(hilo_seed);

static void refuse_lent(text *name, const Definition *definition,
						const FormData_hilo_hi *hi, int64 value);
static int64 pass_sequence(Oid relid, text *name, const Definition *definition,
						   int64 last, int64 max);

/*
 * Seed a generator, or return "last" if the value is null.  A rollback undoes
 * only gapless seeds.  Sessions that get ids wait for the end of a transaction
 * with a forced seed.
 */
Datum
hilo_seed(PG_FUNCTION_ARGS)
{
	text	   *name = name_argument(fcinfo, NAME_TO_CHANGE);
	SeedKind	kind =
		!PG_ARGISNULL(2) && PG_GETARG_BOOL(2) ? SEED_FORCE : SEED_RAISE;
	Definition	definition;

	require_writable("hilo_seed()");
	if (!PG_ARGISNULL(1))
		PG_RETURN_INT64(seed_generator(name, PG_GETARG_TEXT_PP(0),
									   PG_GETARG_INT64(1), kind));
	definition = seed_check(name, PG_GETARG_TEXT_PP(0), 0, SEED_RAISE);
	PG_RETURN_INT64(generator_last(name, &definition));
}

/*
 * Return the definition of a generator that the current role may seed.  If the
 * generator does not exist, return the one that its first use would make.
 * Report an error if the value lies outside its limits.
 */
Definition
seed_check(text *name, text *written, int64 value, SeedKind kind)
{
	Definition	definition;

	if (definition_find(name, &definition))
		privilege_require_owner(name);
	else
	{
		definition_require_unreserved(name, GetUserId());
		if (!session_auto_create)
			first_use(name, written);
		definition = definition_default(name);
	}
	if (kind == SEED_FORCE && definition.origin != FROM_ROW)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("cannot force the seed of a generator with a hub or an ORM's source"),
				errdetail("Other servers or programs also get ids from that hub or source."),
				errhint("To raise the generator, leave force out. To lower it, drop all generators that use the hub or source, set the hub or source back, and create or adopt the generators again."));
	if (value > definition.max_value)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("seed (%lld) must not be greater than max_value (%lld)",
					   (long long) value, (long long) definition.max_value));
	if (kind == SEED_FORCE && value < definition.first - 1)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("seed (%lld) must not be less than first - 1 (%lld)",
					   (long long) value, (long long) definition.first - 1));
	return definition;
}

/*
 * Raise "last" of a generator to a value, or set it if forced; return the
 * result.
 */
int64
seed_generator(text *name, text *written, int64 value, SeedKind kind)
{
	Definition	definition;
	FormData_hilo_hi hi;

	(void) seed_check(name, written, value, kind);
	if (!definition_exists(name))
		first_use(name, written);
	/* the coordinator recalls what this worker has, and waits for its locks */
	definition = seed_check(name, written, value, kind);
	if (citus_is_hub(NameStr(definition.hub)))
		return source_seed(name, &definition, value);
	generator_lock_hi(name, kind == SEED_FORCE ? AccessExclusiveLock :
					  RowExclusiveLock, &hi);
	/* the wait may have let in a drop, and another generator of that name */
	definition = seed_check(name, written, value, kind);
	if (kind == SEED_FORCE)
	{
		refuse_lent(name, &definition, &hi, value);
		generator_recall(name);
	}
	value = session_seed(name, &definition, &hi, value, kind);
	if (kind == SEED_FORCE)
		return value;
	/* the seed is on disk: a drop need not wait for this transaction */
	unlock_generator(hi.incarnation, RowExclusiveLock);
	citus_recall(name, true);
	return value;
}

/* Report an error if other servers may have ids above a forced seed. */
static void
refuse_lent(text *name, const Definition *definition,
			const FormData_hilo_hi *hi, int64 value)
{
	if (value < hi->reserved && generator_is_lent(name, definition))
		ereport(ERROR,
				errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				errmsg("other servers may hand out ids of generator \"%s\" up to %lld",
					   definition_title(name), (long long) hi->reserved),
				errdetail("They have got ids from this server, their hub."),
				errhint("To lower the generator, drop it on each of them first. Then have a superuser run SELECT hilo_node_forget(system_identifier) FROM hilo_nodes() here."));
}

/*
 * Raise a generator or a sequence above max, the highest id in a table, and
 * return the resulting last id.  Report an error if this needs the right to
 * seed the generator, and the table's owner does not have it.
 */
int64
seed_above_table(Oid relid, text *name, const Definition *definition, int64 max)
{
	int64		last = generator_last(name, definition);
	int64		end = definition->max_value;

	if (definition->origin == FROM_SEQUENCE)
		return pass_sequence(relid, name, definition, last, max);
	if (privilege_may_change(name, relation_owner(relid)))
	{
		/* an ORM gets ids, too; how many is only known of a sequence */
		if (definition->origin != FROM_ORM ||
			orm_source_last(name, &last, &end))
			seed_require_room(relid, end, last, max);
		return seed_generator(name, name, max, SEED_SKIP);
	}
	privilege_require_use(name, definition);
	if (max > last)
		seed_require_table_owner(relid, name,
								 "If the ids in the table can be trusted, have the owner of the generator run hilo_seed.");
	skip_up_to(name, max, false);
	citus_recall(name, true);
	return last;
}

/* Raise a sequence above max, on disk, and return its last value. */
static int64
pass_sequence(Oid relid, text *name, const Definition *definition, int64 last,
			  int64 max)
{
	Oid			sequence = definition->table;
	FormData_pg_sequence form;
	SequencePass pass = {.id = max};

	pass.may_raise = privilege_may_change(name, relation_owner(relid));
	/* the last value is not for every role that has named the sequence */
	if (!pass.may_raise)
		privilege_require_use(name, definition);
	LockRelationOid(sequence, RowExclusiveLock);
	form = sequence_form(sequence);
	/* rows below what the sequence gives collide with nothing */
	if (max < form.seqmin || form.seqincrement < 0)
		return last;
	if (pass.may_raise)
		seed_require_room(relid, definition->max_value, last, max);
	if (sequence_pass(sequence, &form, &pass) == SEQUENCE_REFUSED)
		sequence_report_owner(sequence, relid);
	(void) flush_wal(pass.lsn);
	return sequence_last(sequence);
}

/*
 * Report an error if raising a source to max, the highest id in a table, would
 * use up nine tenths or more of its remaining ids.  Warn if the source already
 * is at max and has almost no ids left.
 */
void
seed_require_room(Oid relid, int64 end, int64 last, int64 max)
{
	const char *hint =
		"Delete the rows near the end, or give them other ids. If the type of the column ends there, widen it, then call hilo_attach again for a column on a generator, or ALTER SEQUENCE ... AS bigint. To continue above those rows anyway, first raise the generator with hilo_seed, or without a generator the sequence with setval.";

	/* ids of a sequence may be below 0: then a difference could overflow */
	if (max < 0 || end - max > (end - Max(last, 0)) / 10)
		return;
	if (max > end)
		hint =
			"Raise max_value of the generator with hilo_alter, or the end of an adopted sequence with ALTER SEQUENCE. Or delete the rows above it, or give them other ids.";
	ereport(max > last ? ERROR : WARNING,
			errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			errmsg("too few ids are left above those in table \"%s\"",
				   get_rel_name(relid)), errhint("%s", hint));
}

/*
 * Report an error, with a hint, unless a table's owner may change a generator.
 */
void
seed_require_table_owner(Oid relid, text *name, const char *hint)
{
	if (!privilege_may_change(name, relation_owner(relid)))
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("the owner of table \"%s\" must be owner of generator \"%s\"",
					   get_rel_name(relid), definition_title(name)),
				errhint("%s", hint));
}
