/*-------------------------------------------------------------------------
 *
 * document_id_parts.c
 *	  What the id of a document is made of.
 *
 * Only a number that hilo or RavenDB would have written just so counts as
 * one: from 1 to 2^63-1, without zeros in front, but for the 19 digits of a
 * server-side id.
 *
 * Copyright (c) 2026, the hilo developers
 *
 * IDENTIFICATION
 *	  src/document_id_parts.c
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/int.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "anchor.h"
#include "call_entry.h"
#include "compat.h"
#include "document_id.h"
#include "hilo.h"

PG_FUNCTION_INFO_V1(document_id_parts);

/*
 * A piece of an id; no bytes: it has none.
 */
typedef struct Piece
{
	const char *bytes;
	int			length;
} Piece;

typedef struct Parts
{
	Piece		prefix;			/* with the separator */
	int64		number;			/* 0: none */
	Piece		node_tag;
	Piece		anchor;
	DocumentIdStrategy strategy;
} Parts;

static Parts parts_of(const char *id, int length);
static bool find_number(Piece body, Parts *parts);
static int	node_tag_length(Piece body);
static int64 parse_number(const char *digits, int length);
static bool is_guid(Piece body);
static Datum piece_value(Piece piece, bool *isnull);

/*
 * document_id_parts(id): what the id is made of.
 */
Datum
document_id_parts(PG_FUNCTION_ARGS)
{
	text	   *id = PG_GETARG_TEXT_PP(0);
	Parts		parts = parts_of(VARDATA_ANY(id), VARSIZE_ANY_EXHDR(id));
	Datum		values[5];
	bool		nulls[5] = {0};

	values[0] = piece_value(parts.prefix, &nulls[0]);
	values[1] = Int64GetDatum(parts.number);
	nulls[1] = parts.number == 0;
	values[2] = piece_value(parts.node_tag, &nulls[2]);
	values[3] = piece_value(parts.anchor, &nulls[3]);
	values[4] = CStringGetTextDatum(document_id_strategy_name(parts.strategy));
	PG_RETURN_DATUM(call_row(fcinfo, values, nulls));
}

/*
 * Takes an id apart.
 */
static Parts
parts_of(const char *id, int length)
{
	Parts		parts = {.strategy = STRATEGY_SEMANTIC};
	Piece		body = {id, length};
	const char *anchor = anchor_find(id, length);
	const char *last_part;

	if (anchor != id)
	{
		parts.anchor = (Piece) {anchor, id + length - anchor};
		body.length = anchor - 1 - id;
	}

	if (is_guid(body))
		parts.strategy = STRATEGY_GUID;
	else if (!find_number(body, &parts))
	{
		last_part = document_id_last_part(id, body.length);
		if (last_part != NULL)
			parts.prefix = (Piece) {id, last_part - id};
	}
	return parts;
}

/*
 * Finds the number at the end of an id, with or without a node tag behind it,
 * and what stands before it; false if there is none.
 */
static bool
find_number(Piece body, Parts *parts)
{
	int			tag_length = node_tag_length(body);
	int			end = tag_length > 0 ? body.length - tag_length - 1 : body.length;
	int			start = end;
	bool		is_server_side;

	while (start > 0 && body.bytes[start - 1] >= '0' && body.bytes[start - 1] <= '9')
		start--;
	is_server_side = tag_length > 0 && end - start == SERVER_SIDE_DIGITS;
	if (start == end || (body.bytes[start] == '0' && !is_server_side) ||
		document_id_last_part(body.bytes, start) != body.bytes + start)
		return false;

	parts->number = parse_number(body.bytes + start, end - start);
	if (parts->number == 0)
		return false;

	parts->prefix = (Piece) {body.bytes, start};
	if (tag_length > 0)
		parts->node_tag = (Piece) {body.bytes + end + 1, tag_length};
	parts->strategy = is_server_side ? STRATEGY_SERVER_SIDE :
		tag_length > 0 ? STRATEGY_HILO : STRATEGY_NUMBER;
	return true;
}

/*
 * Gives the length of the node tag at the end of an id, 0 if there is none.
 */
static int
node_tag_length(Piece body)
{
	int			length = 0;

	while (length < body.length &&
		   body.bytes[body.length - length - 1] >= 'A' &&
		   body.bytes[body.length - length - 1] <= 'Z')
		length++;
	if (length > NODE_TAG_MAX_LENGTH || length == body.length ||
		body.bytes[body.length - length - 1] != '-')
		return 0;
	return length;
}

/*
 * Gives the number that the digits stand for, 0 if it is too large.
 */
static int64
parse_number(const char *digits, int length)
{
	int64		number = 0;

	for (int i = 0; i < length; i++)
	{
		if (pg_mul_s64_overflow(number, 10, &number) ||
			pg_add_s64_overflow(number, digits[i] - '0', &number))
			return 0;
	}
	return number;
}

/*
 * Says whether an id is a GUID and nothing else.
 */
static bool
is_guid(Piece body)
{
	static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (body.length != (int) strlen(shape))
		return false;
	for (int i = 0; i < body.length; i++)
	{
		if (shape[i] == '-' ? body.bytes[i] != '-' :
			strchr("0123456789abcdefABCDEF", body.bytes[i]) == NULL)
			return false;
	}
	return true;
}

static Datum
piece_value(Piece piece, bool *isnull)
{
	*isnull = piece.bytes == NULL;
	if (*isnull)
		return (Datum) 0;
	return PointerGetDatum(cstring_to_text_with_len(piece.bytes, piece.length));
}
