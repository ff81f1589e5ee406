#
# Faults in the extension, each of which a test must find.
#
# A mutant: what is wrong; the changes, as file of src/, text, and what stands in its
# place; and how it is found: torture, with these options of Torture::run_set, or the
# names of a suite and of files, as test/run takes them; and the extension that this needs
# to be installed, if any.  The fault of some is in the client, and their changes are none.
#
package Mutants;

use strict;
use warnings;

our @mutants = (
	{	name => 'no_row_lock',
		is => 'no row lock',
		changes => [ 'hi_row.c', "\t} while (!heap_inplace_lock(", "\t\trow->tuple = heap_copytuple(row->locked);\n\t} while (!heap_inplace_lock(",
			'hi_row.c', "\trow->tuple = heap_copytuple(row->locked);\n\trow->hi", "\trow->hi" ],
		torture => { set => 'none', parts => 'hub' } },

	{	name => 'no_flush',
		is => 'a range published before its WAL is flushed',
		changes => [ 'flush.c', "\tXLogFlush(lsn);\n", '' ],
		torture => { set => 'kill_server', parts => 'session' } },

	{	name => 'cache_after_rollback',
		is => 'the cache kept after the rollback of its generator',
		changes => [ 'look_up.c',
			"\t\tsession_lose_range(entry);\n\t\tif (!SameGenerator",
			"\t\tif (SameGenerator(entry->incarnation, hi.incarnation))\n\t\t\tsession_lose_range(entry);\n\t\tif (!SameGenerator" ],
		torture => { set => 'none', parts => 'session,drop' } },

	{	name => 'return_below_low',
		is => 'a return accepted below the low',
		changes => [ 'return.c', "\t\tlast_used >= slot->client.range.low - (whole ? 1 : 0) &&\n",
			'' ],
		suite => [ 'regress' ] },

	{	name => 'return_of_held',
		is => 'a return accepted for a range that another client holds',
		changes => [ 'return.c',
			"\t\tslot->client.role == client->role &&\n\t\tslot->client.number == client->number &&\n", '' ],
		torture => { set => 'none', parts => 'session' } },

	{	name => 'off_by_one',
		is => 'one off at the end of a block',
		changes => [ 'range.c', 'Min(size, max_value - last)', 'Min(size + 1, max_value - last)',
			'store.c', "Max(row->hi->reserved, range.high);",
			"range.high > row->hi->reserved + 1 ? range.high - 1 : Max(row->hi->reserved, range.high);" ],
		torture => { set => 'none' } },

	{	name => 'key_without_database',
		is => 'the cache keyed without the database',
		changes => [ 'slot.c',
			"\treturn window->key.incarnation == incarnation &&\n\t\twindow->key.database == MyDatabaseId;",
			"\treturn window->key.incarnation == incarnation;",
			'slot.c', 'murmurhash32(GeneratorOf(incarnation) ^ database)',
			'murmurhash32(GeneratorOf(incarnation))',
			'slot.c', "(slot_at(*link)->window.key.database != database ||\n\t\t\t!SameGenerator",
			'(!SameGenerator' ],
		suite => [ 'tap', 'test/t/shared/window_databases.pl' ] },

	{	name => 'window_of_a_copy',
		is => 'a window that a database of the same number has left to a copy',
		changes => [ 'slot.c',
			"window->tenancy == TenancyOf(hi) &&\n\t\twindow->reserved <= hi->reserved", 'true' ],
		suite => [ 'tap', 'test/t/shared/same_database.pl' ] },

	{	name => 'window_of_an_older_copy',
		is => 'a window that was reserved after the copy was made',
		changes => [ 'slot.c', "window->reserved <= hi->reserved", 'true' ],
		suite => [ 'tap', 'test/t/shared/same_database.pl' ] },

	{	name => 'window_past_a_look',
		is => 'a look leaves the window of a dropped database, which a range past it makes the row\'s',
		changes => [ 'end.c', "\tif (slot != NULL && (slot->size == 0 || window_is_of_row(&slot->window, hi)))\n",
			"\tif (slot != NULL)\n" ],
		suite => [ 'tap', 'test/t/shared/same_database.pl' ] },

	{	name => 'late_node_tag',
		is => 'the node tag read after the range',
		changes => [ 'carve.c',
			"memcpy(entry->node_tag, window->node_tag, sizeof(entry->node_tag));\n\t/* reserve",
			"strlcpy(entry->node_tag, hilo_node_tag, sizeof(entry->node_tag));\n\t/* reserve" ],
		suite => [ 'regress' ] },

	{	name => 'life_ignored',
		is => 'ranges of another life of the generator kept',
		changes => [ 'look_up.c', "entry->incarnation != hi.incarnation ||",
			'!SameGenerator(entry->incarnation, hi.incarnation) ||' ],
		torture => { set => 'none', parts => 'session,seed' } },

	{	name => 'life_for_another_generator',
		is => 'a generator that is taken for dropped after a restore',
		changes => [ 'hi_row.c', 'SameGenerator(row->hi->incarnation, incarnation)',
			'row->hi->incarnation == incarnation' ],
		suite => [ 'isolation' ] },

	{	name => 'lock_of_former',
		is => 'a lock kept of the generator that had the name before the wait',
		changes => [ 'store.c', "\t\tunlock_generator(locked, lockmode);\n", '' ],
		suite => [ 'isolation' ] },

	{	name => 'slot_after_drop',
		is => 'a slot that is reused after its generator was dropped',
		changes => [ 'carve.c',
			"!window_is_of(&window, entry->incarnation) ||\n\t\tentry->life", 'entry->life',
			'slot.c', 'max_generators = 8192', 'max_generators = 2',
			# to reserve for another generator ends in a loop before an id is seen twice
			'reserve.c', "if (try_lock_window(entry->incarnation))", 'if (false && try_lock_window(entry->incarnation))' ],
		torture => { set => 'none', parts => 'global,identity,document,drop' } },

	{	name => 'carved_without_generation',
		is => 'a range carved from a window that is gone',
		changes => [ 'carve.c', "\twhile (WordGeneration(word) == known->generation &&",
			"\twhile (true &&" ],
		torture => { set => 'none', parts => 'session,global' } },

	{	name => 'rest_not_on_top',
		is => 'the rest of a session taken back though it is not on top',
		changes => [ 'return.c', "\tuint64\t\tword = entry->top_word;\n",
			"\tuint64\t\tword = slot == NULL ? 0 : pg_atomic_read_u64(&slot->word);\n" ],
		torture => { set => 'none', parts => 'session' } },

	{	name => 'listed_below',
		is => 'a returned range given to a session that is above it',
		changes => [ 'return.c', '*link != 0 && listed_at(*link)->range.low <= above', 'false' ],
		torture => { set => 'none', parts => 'session' } },

	{	name => 'rest_of_life',
		is => 'the rest of a session taken back after a forced seed',
		changes => [ 'return.c',
			"done = window_is_of(&slot->window, entry->incarnation) &&\n\t\trest.low",
			'done = SameGenerator(slot->window.key.incarnation, entry->incarnation) && rest.low' ],
		suite => [ 'tap', 'test/t/session/session_end.pl' ] },

	{	name => 'rest_after_seed',
		is => 'the rest of a session taken back below a seed',
		changes => [ 'return.c', " &&\n\t\trest.low > slot->floor;", ';' ],
		suite => [ 'tap', 'test/t/session/session_end.pl' ] },

	{	name => 'list_after_alter',
		is => 'returned ranges kept from before another ordering',
		changes => [ 'end.c', '(void) slot_raise_floor_and_unlock(slot, value);', '(void) slot_raise_floor_and_unlock(slot, 0);' ],
		suite => [ 'tap', 'test/t/session/session_end.pl' ] },

	{	name => 'rest_of_node_tag',
		is => 'the rest of a window used with another node tag than it was reserved with',
		changes => [ 'reserve.c', 'if (same_tag && WindowHigh', 'if (WindowHigh' ],
		suite => [ 'tap', 'test/t/shared/window_restart.pl' ] },

	{	name => 'altered_range',
		is => 'a range kept after its sequence was altered',
		changes => [ 'look_up.c', "\tif (file != entry->file)\n", "\tif (false)\n" ],
		suite => [ 'isolation' ] },

	{	name => 'altered_window',
		is => 'a window used after its sequence was altered',
		changes => [ 'carve.c', "\tif (window.file != entry->file ||\n\t\t!window_is_of",
			"\tif (!window_is_of",
			'carve.c', "\tif (window->file != entry->file)\n", "\tif (false)\n" ],
		suite => [ 'isolation' ] },

	{	name => 'altered_by_itself',
		is => 'ids taken from a sequence by the transaction that has altered it',
		changes => [ 'orm_sequence.c', "RelationHasNewStorage(rel) && !to_adopt", "false" ],
		suite => [ 'regress' ] },

	{	name => 'marten_set_back',
		is => 'a block of SQL given to Marten after its row was set back',
		changes => [ 'orm_source.c', "orm_table_change(row, 1, taken.least)",
			"orm_table_change(row, 1, 0)" ],
		suite => [ 'regress' ] },

	{	name => 'hub_before',
		is => 'an identity that a hub answers after another one has taken its place',
		changes => [ 'end.c', "\tif (definition->origin == FROM_HUB && kind == SEED_RAISE)\n",
			"\tif (false)\n" ],
		suite => [ 'tap', 'test/t/hub/hub_down.pl' ] },

	{	name => 'saved_before',
		is => 'windows that another shutdown saved than the last one',
		changes => [ 'shared_memory.c', "\thead->checkpoint = control->checkPointCopy;\n", '' ],
		suite => [ 'tap', 'test/t/crash/saved.pl' ] },

	{	name => 'saved_timeline',
		is => 'windows that a shutdown of another timeline saved',
		changes => [ 'shared_memory.c', "head->checkpoint = control->checkPointCopy;",
			"head->checkpoint.redo = control->checkPointCopy.redo;" ],
		suite => [ 'tap', 'test/t/crash/saved.pl' ] },

	{	name => 'saved_twice',
		is => 'saved windows used while they are in the file still',
		changes => [ 'shared_memory.c', "durable_unlink(SAVED_FILE, LOG) != 0 || ", "" ],
		suite => [ 'tap', 'test/t/crash/saved.pl' ] },

	{	name => 'drop_unseen',
		is => 'a drop, and COMMIT PREPARED of one, that does not raise the life word',
		changes => [ 'end.c', "\tpg_atomic_fetch_add_u64(life_word, 1);\n\tif", "\tif",
			'end.c', "\tpg_atomic_fetch_add_u64(life_word, 1);\n\tunlock", "\tunlock" ],
		suite => [ 'isolation' ] },

	{	name => 'create_unseen',
		is => 'a generator, of a name from before DROP EXTENSION, that does not raise the life word',
		changes => [ 'store.c', "\tpg_atomic_fetch_add_u64(life_word, 1);\n", '' ],
		suite => [ 'isolation' ] },

	{	name => 'seed_unseen',
		is => 'a seed, or a restore, that does not raise the life word',
		changes => [ 'hi_row.c', "\tpg_atomic_fetch_add_u64(life_word, 1);\n", '' ],
		suite => [ 'isolation' ] },

	{	name => 'window_before_flush',
		is => 'a window used before it is flushed',
		changes => [ 'reserve.c', "\tflush_counted(entry, slot->window.lsn);\n", '' ],
		torture => { set => 'kill_server', parts => 'global,identity,document' } },

	{	name => 'return_after_seed',
		is => 'a return that takes back ids up to a seed',
		changes => [ 'return.c', " &&\n\t\tlast_used >= slot->floor &&", ' &&' ],
		suite => [ 'regress', 'identity' ] },

	# beyond the list of what must be found
	{	name => 'unconfirmed',
		is => 'a wait for the standbys that was cancelled counts as done',
		changes => [ 'flush.c', "\tif (failed)\n", "\tif (failed && false)\n" ],
		suite => [ 'tap', 'test/t/standby/synchronous.pl' ] },

	{	name => 'no_standby_wait',
		is => 'no wait for the standbys',
		changes => [ 'flush.c', "\tif (max_wal_senders == 0)\n\t\treturn;\n", "\treturn;\n" ],
		suite => [ 'tap', 'test/t/standby/synchronous.pl' ] },

	{	name => 'not_looked_yet',
		is => 'no standbys for as long as the checkpointer has not looked',
		changes => [ 'compat.h', "SyncRepStandbyNames != NULL && SyncRepStandbyNames[0] != '\\0'))",
			'false))' ],
		suite => [ 'tap', 'test/t/standby/start.pl' ] },

	{	name => 'reservation_logged_late',
		is => 'a reservation that is in the WAL only with the next one',
		changes => [ 'hi_row.c',
			"\tdelay_at_random();\n\theap_inplace_update_and_unlock(row->rel, row->locked, row->tuple,\n\t\t\t\t\t\t\t\t   row->buffer);\n",
			"\tFormData_hilo_hi *hi = (FormData_hilo_hi *) GETSTRUCT(row->locked);\n\tint64\t\treserved = row->hi->reserved;\n\n\trow->hi->reserved = hi->reserved;\n\theap_inplace_update_and_unlock(row->rel, row->locked, row->tuple,\n\t\t\t\t\t\t\t\t   row->buffer);\n\thi->reserved = reserved;\n" ],
		suite => [ 'tap', 'test/t/standby/rows.pl' ] },

	{	name => 'ahead_of_a_database',
		is => 'a hilo.trace_ahead of one database',
		changes => [ 'hilo.c', 'PGC_SIGHUP, GUC_UNIT_MS', 'PGC_SUSET, GUC_UNIT_MS' ],
		torture => { set => 'databases' } },

	{	name => 'numbers_without_lock',
		is => 'gapless numbers without the lock of their generator',
		changes => [ 'hand_out.c', 'session_lock(entry, ShareUpdateExclusiveLock',
			'session_lock(entry, RowExclusiveLock' ],
		suite => [ 'tap', 'test/t/gapless/gapless.pl' ] },

	{	name => 'number_late',
		is => 'a number of a group after that of a transaction which was faster',
		changes => [ 'number_row.c', "result == TM_Deleted)\n\t\treturn STORE_BUSY",
			"result == TM_Deleted)\n\t\treturn STORE_OK" ],
		torture => { set => 'none', parts => 'series' } },

	{	name => 'number_not_flushed',
		is => 'a number without gaps that is not flushed after its locks are released',
		changes => [ 'gapless_flush.c', "\tXLogFlush(XactLastCommitEnd);\n", '' ],
		torture => { set => 'gapless' } },

	{	name => 'number_without_standby',
		is => 'a number without gaps that does not wait for the standby after its locks are released',
		changes => [ 'gapless_flush.c', "\tSyncRepWaitForLSN(XactLastCommitEnd, true);\n", '' ],
		torture => { set => 'gapless_late' } },

	{	name => 'number_put_off',
		is => 'commits that are not flushed after a number whose transaction failed in its commit',
		changes => [ 'gapless_flush.c', "if (synchronous_commit == SYNCHRONOUS_COMMIT_OFF)\n\t\tsynchronous_commit", "if (is_commit && synchronous_commit == SYNCHRONOUS_COMMIT_OFF)\n\t\tsynchronous_commit" ],
		torture => { set => 'gapless' } },

	{	name => 'number_applied',
		is => 'a number without gaps under remote_apply whose commit record does not ask for that',
		changes => [ 'gapless_flush.c',
			"synchronous_commit == SYNCHRONOUS_COMMIT_OFF ||\n\t\tsynchronous_commit == SYNCHRONOUS_COMMIT_REMOTE_APPLY)", "synchronous_commit == SYNCHRONOUS_COMMIT_OFF)" ],
		suite => [ 'tap', 'test/t/gapless/late_flush.pl' ] },

	{	name => 'series_entry',
		is => 'a group whose row is at another place without an entry in the index',
		changes => [ 'number_row.c', "\tif (!HeapTupleIsHeapOnly(changed))\n", "\tif (false)\n" ],
		suite => [ 'regress' ] },

	{	name => 'series_maker',
		is => 'a group that is changed in place before its maker has committed',
		changes => [ 'number_row.c', "if (TransactionIdIsValid(dirty.xmin))",
			"if (TransactionIdIsValid(dirty.xmin) && !change->in_place)" ],
		suite => [ 'isolation' ] },

	{	name => 'series_outdated',
		is => 'a group that does not ask its rows when what defines it has changed',
		changes => [ 'number_row.c',
			"if (change->greatest == NOT_ASKED &&\n\t\t\tDefinitionOf(&found.tuple) != change->definition)", 'if (false)' ],
		suite => [ 'regress' ] },

	{	name => 'source_not_flushed',
		is => 'blocks of a source that are not flushed',
		changes => [ 'reserve.c', "\tflush_counted(entry, slot->window.lsn",
			"\tif (entry->definition.origin != FROM_ORM)\n\t\tflush_counted(entry, slot->window.lsn" ],
		suite => [ 'tap', 'test/t/crash/flush.pl' ] },

	{	name => 'hub_not_flushed',
		is => 'a hub that gives a range to a server before it is on disk',
		changes => [ 'range_protocol.c', "\trange_take(entry, &request);\n\treturn",
			"\trequest.name = entry->name;\n\t(void) store_take(&request);\n\treturn" ],
		torture => { set => 'hub_kill', parts => 'hub' } },

	{	name => 'hub_unnoted',
		is => 'an id of a hub, or a range past the window, that is noted on no disk',
		changes => [ 'reserve.c', "\tflush_counted(entry, request->lsn);\n", '' ],
		suite => [ 'tap', 'test/t/crash/flush.pl' ] },

	{	name => 'error_unheard',
		is => 'no second look at the generators after an error that core did not tell of',
		changes => [ 'own_table.c', "\tRegisterXactCallback(transaction_ended, NULL);\n",
			"\t(void) transaction_ended;\n" ],
		suite => [ 'tap', 'test/t/session/cancelled.pl' ] },

	{	name => 'ordering_ignored',
		is => 'ranges kept of a generator that was altered to another ordering, and back',
		changes => [ 'look_up.c', "entry->incarnation != hi.incarnation ||",
			'!SameGenerator(entry->incarnation, hi.incarnation) ||',
			'look_up.c', " ||\n\t\t!definition_same_stream(&entry->definition, &definition))",
			')' ],
		torture => { set => 'none', parts => 'session,alter' } },

	{	name => 'hub_behind',
		is => 'ids of a hub at or below what came before',
		changes => [ 'hub.c', "range.low <= last && ", 'false && ' ],
		torture => { set => 'hub_set_back', parts => 'hub' } },

	{	name => 'hub_taken_untold',
		is => 'a generator that goes on with what it held when its hub is taken away',
		changes => [ 'generator.c', "!definition_same_stream(definition, before);",
			'strcmp(definition_ordering(definition), definition_ordering(before)) != 0;' ],
		torture => { set => 'hub_taken', parts => 'hub' } },

	{	name => 'hub_too_late',
		is => 'a range of a hub that was on its way when its generator was raised',
		changes => [ 'store.c', "result == STORE_OK && request->incarnation != hi.incarnation",
			'false' ],
		suite => [ 'tap', 'test/t/hub/hub.pl' ] },

	{	name => 'hub_state',
		is => 'any SQLSTATE of a hub passed on',
		changes => [ 'hub_connection.c', "strstr(OF_CALLS, state) != NULL", "strlen(state) == 5" ],
		suite => [ 'tap', 'test/t/hub/hostile_hub.pl' ] },

	{	name => 'seed_untold',
		is => 'a forced seed that fails after its change, and informs no session',
		changes => [ 'hi_row.c', "\tpg_atomic_fetch_add_u64(life_word, 1);\n\treturn hi_row_write(row);",
			"\tXLogRecPtr\tlsn = hi_row_write(row);\n\n\tpg_atomic_fetch_add_u64(life_word, 1);\n\treturn lsn;" ],
		suite => [ 'tap', 'test/t/session/seed_error.pl' ] },

	{	name => 'ids_after_gapless',
		is => 'ids taken in the transaction that alters their generator away from gapless',
		changes => [ 'definition.c',
			"\n\t\t(old.holder == HELD_BY_NONE &&\n\t\t definition->holder != HELD_BY_NONE) ||",
			'' ],
		suite => [ 'regress' ] },

	{	name => 'citus_worker_alone',
		is => 'a generator that a Citus worker makes for itself',
		changes => [ 'citus.c', 'F_INT4GT', 'F_INT4LT' ],
		needs => 'citus',
		suite => [ 'tap', 'test/t/anchor/citus.pl' ] },

	{	name => 'first_use_below_column',
		is => 'a first use that starts below what a column holds',
		changes => [ 'first_use.c', "Max(*last, max)", "Max(*last, 0)" ],
		suite => [ 'regress' ] },

	{	name => 'first_use_number',
		is => 'the number of a table rolled back with its first use',
		changes => [ 'first_use.c', "xmin = number_xmin(name, definition->table);", ';' ],
		suite => [ 'regress' ] },

	{	name => 'first_use_definition',
		is => 'a first use that is final in a transaction that has hidden rows',
		changes => [ 'first_use.c', "InvalidOid, last, is_final)", 'InvalidOid, last, true)' ],
		suite => [ 'regress' ] },

	{	name => 'first_use_left',
		is => 'a first use that does not count what is left of one that was rolled back',
		changes => [ 'first_use.c', "is_of_table ? SEED_FORGET : SEED_RAISE", "SEED_FORCE" ],
		suite => [ 'regress' ] },

	{	name => 'first_use_window',
		is => 'a window that outlives the rollback of the first use',
		changes => [ 'first_use.c', "is_of_table ? SEED_FORGET : SEED_RAISE", "SEED_RAISE" ],
		suite => [ 'regress' ] },

	{	name => 'first_use_subtransaction',
		is => 'the number of a table rolled back to a savepoint that leaves the table',
		changes => [ 'first_use.c', "xmin = number_xmin(name, definition->table);",
			'xmin = TransactionIdIsNormal(number_xmin(name, definition->table)) ? InvalidTransactionId : FrozenTransactionId;' ],
		suite => [ 'regress' ] },

	{	name => 'first_use_gone',
		is => 'a number that stays alongside the one that a rollback brings back',
		changes => [ 'first_use.c',
			"\tif (change_remembered(name) == CHANGED_GONE)\n\t\treturn InvalidTransactionId;\n",
			'' ],
		suite => [ 'regress' ] },

	{	name => 'first_use_drop',
		is => 'a definition that is left of a table which was dropped before that was committed',
		changes => [ 'first_use.c', "\tif (is_final)\n\t\tunlock_table(relid, AccessShareLock);",
			"\tunlock_table(relid, AccessShareLock);" ],
		suite => [ 'isolation' ] },

	{	name => 'first_use_wait',
		is => 'a first use that does not wait for the one before',
		changes => [ 'first_use.c', "if (!TransactionIdIsValid(maker))\n\t\t\treturn;",
			"if (true || maker)\n\t\t\treturn;" ],
		suite => [ 'isolation' ] },

	{	name => 'first_use_prepared',
		is => 'a session that goes on with a generator that it has prepared',
		changes => [ 'own_table.c', " || event == XACT_EVENT_PREPARE", '' ],
		suite => [ 'regress' ] },

	{	name => 'move_left',
		is => 'a table that takes a generator, and not its own number above that',
		changes => [ 'adopt.c', "left.reserved, SEED_FORGET", '0, SEED_FORGET' ],
		suite => [ 'regress' ] },

	{	name => 'dropped_left',
		is => 'a table that is dropped and leaves its generator to the next one of its OID',
		changes => [ 'generator.c', "\tforeach_oid(relid, tables)\n",
			"\tforeach_oid(relid, NIL)\n" ],
		suite => [ 'tap', 'test/t/dump/dropped_tables.pl' ] },

	{	name => 'dropped_unseen',
		is => 'a first use that makes a generator of a table which is being dropped',
		changes => [ 'first_use.c', "\tname_lock_table(relid);\n\tdefinition = ",
			"\tname_require_table(relid);\n\tdefinition = " ],
		suite => [ 'tap', 'test/t/dump/drop_waits.pl' ] },

	{	name => 'dropped_restored',
		is => 'a restore of rows of a table which is being dropped',
		changes => [ 'generator.c',
			"\tif (tables != NIL)\n\t\t(void) lock_table(own_table_relid(OWN_DEFINITION), RowExclusiveLock,\n\t\t\t\t\t\t  true);\n", '' ],
		suite => [ 'tap', 'test/t/dump/drop_waits.pl' ] },

	{	name => 'undone_left',
		is => 'the number of a table whose creation was rolled back',
		changes => [ 'first_use.c', "return TransactionIdIsCurrentTransactionId(xmin) ?",
			"return TransactionIdEquals(xmin, GetCurrentTransactionIdIfAny()) ?" ],
		suite => [ 'tap', 'test/t/dump/dropped_tables.pl' ] },

	{	name => 'source_forgotten',
		is => 'a generator with an ORM, of which a plain owner has not restored the source',
		changes => [ 'guard.c',
			"if (table == OWN_SOURCE)\n\t\t\treturn source_without_relation(tuple, name);\n\t\t",
			"(void) source_without_relation;\n\t\t" ],
		suite => [ 'regress' ] },

	{	name => 'key_of_no_table',
		is => 'rows of a dump for what is no table here',
		changes => [ 'guard.c', "definition_is_table(name) && !relation_is_table(",
			'false && !relation_is_table(' ],
		suite => [ 'tap', 'test/t/dump/tables.pl' ] },

	{	name => 'taken_right',
		is => 'a right that a row of a dump names, given to any role',
		changes => [ 'taken.c', "\tif (may)\n", '' ],
		suite => [ 'regress', 'right_restore_detach' ] },

	{	name => 'taken_schema',
		is => 'a sequence in a schema that a row of a dump names',
		changes => [ 'taken.c',
			"\t\tobject_aclcheck(NamespaceRelationId, schema,\n\t\t\t\t\t\trelation_owner(column->relid),\n\t\t\t\t\t\tACL_CREATE) == ACLCHECK_OK)", "\t\ttrue)" ],
		suite => [ 'regress', 'right_restore_detach' ] },

	{	name => 'taken_stays',
		is => 'the sequence of a table that is dropped, kept for the next one of its OID',
		changes => [ 'generator.c', "\t\ttaken_delete(relid);\n", '' ],
		suite => [ 'regress', 'detach_taken' ] },

	{	name => 'brought_not_flushed',
		is => 'an id drawn above one that a row has brought, before that is on disk',
		changes => [ 'reserve.c', "\twindow->lsn = window->next_lsn;",
			"\twindow->lsn = above > 0 ? InvalidXLogRecPtr : window->next_lsn;" ],
		suite => [ 'tap', 'test/t/crash/brought.pl' ] },

	{	name => 'brought_ahead_not_flushed',
		is => 'the same if the window was reserved ahead of need',
		changes => [ 'reserve.c', "\twindow->lsn = window->next_lsn;",
			"\twindow->lsn = above > 0 && is_ahead ? InvalidXLogRecPtr : window->next_lsn;" ],
		suite => [ 'tap', 'test/t/crash/brought.pl' ] },

	{	name => 'brought_seeded',
		is => 'a seed that answers while an id which a row has brought is not on disk',
		changes => [ 'end.c', "slot->window.next_lsn :\n\t\t\t\t\t\t slot->window.lsn",
			"slot->window.next_lsn :\n\t\t\t\t\t\t InvalidXLogRecPtr" ],
		suite => [ 'tap', 'test/t/crash/brought.pl' ] },

	{	name => 'brought_in_window',
		is => 'a brought id that is taken to be passed as it lies in the window',
		changes => [ 'session.h',
			"if (id <= window->last + (int64) WordOffset(word))\n\t\t\treturn (word & WINDOW_RETURNABLE) == 0 ||\n\t\t\t\tshared_raise_floor(entry, id);", "return true;" ],
		suite => [ 'regress', 'follow' ] },

	{	name => 'brought_to_client',
		is => 'a brought id in the range of a client, who returns it',
		changes => [ 'session.h',
			"return (word & WINDOW_RETURNABLE) == 0 ||\n\t\t\t\tshared_raise_floor(entry, id);",
			"return true;" ],
		suite => [ 'regress', 'follow_window' ] },

	{	name => 'brought_no_floor',
		is => 'a return that takes back a brought id',
		changes => [ 'carve.c', "\t\tslot->floor = Max(slot->floor, id);\n", '' ],
		suite => [ 'regress', 'follow_window' ] },

	{	name => 'client_ignores_fork',
		is => 'a client that uses the ranges of the one that it was forked from',
		changes => [],
		torture => { set => 'client_fork', parts => 'session,global', ignores => 'fork' } },

	{	name => 'client_ignores_databases',
		is => 'a client that uses the ranges of one database in another',
		changes => [],
		torture => { set => 'client_databases', parts => 'session,global',
			ignores => 'databases' } },
);

1;
