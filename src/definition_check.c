/*-------------------------------------------------------------------------
 *
 * definition_check.c
 *	  What a generator cannot be, and what cannot be asked of it.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/definition_check.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "case_fold.h"
#include "definition_check.h"
#include "id_domain.h"
#include "range.h"

static void check_limits(const Definition *definition);
static void check_bits(const Definition *definition);
static void check_hub(text *name, const Definition *definition);

/*
 * Raises an error if the options cannot go together.
 */
void
definition_check(text *name, const Definition *definition)
{
	if (definition_is_identity(name) &&
		definition->ordering != ORDERING_GLOBAL &&
		definition->ordering != ORDERING_GAPLESS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ordering of an identity must be \"global\" or \"gapless\""),
				 errdetail("Generators whose names end with \"%c\" are identities.",
						   IDENTITY_MARK)));
	check_limits(definition);
	check_bits(definition);
	if (definition->recycle && definition->ordering != ORDERING_SESSION)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ordering \"%s\" cannot recycle",
						definition_ordering_name(definition->ordering)),
				 errdetail("Only sessions give ranges back that are not the last one.")));
	if (DefinitionHasHub(definition))
		check_hub(name, definition);
	if (definition->ordering == ORDERING_GAPLESS &&
		(definition->range_size != RANGE_DEFAULT_SIZE ||
		 definition->max_range_size != RANGE_DEFAULT_MAX_SIZE))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ordering \"%s\" has no range_size or max_range_size",
						definition_ordering_name(definition->ordering)),
				 errdetail("It reserves one number at a time.")));
}

/*
 * Raises an error unless that many ids may be reserved at once.
 */
void
definition_check_size(const Definition *definition, int64 size,
					  const char *argument)
{
	if (size < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be at least 1", argument)));
	if (size > definition->max_range_size)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s (%lld) must not be greater than the generator's max_range_size (%lld)",
						argument, (long long) size,
						(long long) definition->max_range_size),
				 errhint("The owner can raise max_range_size with hilo_alter.")));
}

/*
 * Raises an error if a text id, to which so many bytes more are to be added,
 * is too long.
 */
void
definition_check_id(const char *id, int length, int more)
{
	case_fold_check(id, length);
	if (length + more > ID_MAX_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("id is too long"),
				 errdetail("It has %d bytes in UTF-8, the limit is %d.",
						   length + more, ID_MAX_LENGTH)));
}

/*
 * Raises an error if the numbers of ids cannot be so.
 */
static void
check_limits(const Definition *definition)
{
	if (definition->first < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("first must be at least 1"),
				 errdetail("Ids below 1 are never issued.")));
	if (definition->max_value < definition->first)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_value (%lld) must not be less than first (%lld)",
						(long long) definition->max_value,
						(long long) definition->first)));
	if (definition->range_size < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("range_size must be at least 1")));
	if (definition->max_range_size < definition->range_size)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_range_size (%lld) must not be less than range_size (%lld)",
						(long long) definition->max_range_size,
						(long long) definition->range_size)));
}

/*
 * Raises an error if the bits of scattered ids cannot be so.
 */
static void
check_bits(const Definition *definition)
{
	if (definition->domain_bits < ID_DOMAIN_MIN_BITS ||
		definition->domain_bits > ID_DOMAIN_MAX_BITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("domain_bits must be between %d and %d",
						ID_DOMAIN_MIN_BITS, ID_DOMAIN_MAX_BITS)));
	if (definition->domain_bits != ID_DOMAIN_MAX_BITS &&
		definition->ordering != ORDERING_SCATTERED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ordering \"%s\" has no domain_bits",
						definition_ordering_name(definition->ordering)),
				 errhint("Use max_value to limit its ids.")));
	if (definition->ordering == ORDERING_SCATTERED &&
		definition->max_value > id_domain_max(definition->domain_bits))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_value (%lld) must not be greater than the highest id of %d bits (%lld)",
						(long long) definition->max_value,
						definition->domain_bits,
						(long long) id_domain_max(definition->domain_bits))));
}

/*
 * Raises an error if the options cannot go together with a hub.
 */
static void
check_hub(text *name, const Definition *definition)
{
	if (definition_is_reserved(name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("generators of hilo's own cannot have a hub"),
				 errhint("The setting hilo.hub is for decimal ids.")));
	if (definition->ordering != ORDERING_SESSION &&
		definition->ordering != ORDERING_GLOBAL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ordering \"%s\" cannot have a hub",
						definition_ordering_name(definition->ordering)),
				 errhint("The ordering of a generator with a hub is \"session\" or \"global\".")));
	if (definition->recycle)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a generator with a hub cannot recycle")));
}
