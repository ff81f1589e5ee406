/*
 * Sources that an ORM and hilo take blocks from.
 */
#include <string.h>

#include "recorder.h"

#define BLOCK 10

static bool is_sequence(int generator);

/*
 * Make the source, and have the generator adopt it.
 */
bool
source_create(int generator)
{
	if (is_sequence(generator))
		return session_do("CREATE SEQUENCE orders_seq INCREMENT %d", BLOCK) &&
			session_do("SELECT hilo_adopt_sequence_tag('orders', 'orders_seq', 'efcore')");
	return session_do("CREATE TABLE mt_hilo (entity_name varchar PRIMARY KEY, hi_value bigint DEFAULT 0)") &&
		session_do("INSERT INTO mt_hilo VALUES ('Doc', 0)") &&
		session_do("SELECT hilo_adopt_table_tag('docs', 'mt_hilo', 'marten', %d, key_value => 'Doc')",
				   BLOCK);
}

/*
 * Take a block as the ORM does; it is the client's once that is committed.
 */
void
source_unit(int generator)
{
	int64_t		low = 0;
	bool		done;

	done = session_do("BEGIN") &&
		session_do("SELECT pg_current_xact_id()") &&
		(options.commits != NULL ||
		 session_do("SET LOCAL synchronous_commit = on")) &&
		session_read(&low, is_sequence(generator) ?
					 "SELECT nextval('orders_seq')" :
					 "UPDATE mt_hilo SET hi_value = hi_value + 1 "
					 "WHERE entity_name = 'Doc' RETURNING hi_value * 10 + 1");
	if (!session_do(done ? "COMMIT" : "ROLLBACK") || !done)
		return;
	history_ids(generator, CAME_BY_ORM, low, low + BLOCK - 1);
}

static bool
is_sequence(int generator)
{
	return strcmp(generator_of(generator)->name, "orders") == 0;
}
