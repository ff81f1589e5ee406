#!/usr/bin/env python3
"""A model of rows that join a table whose ids sessions have reserved.

usage: see explore.py

Two sessions draw, insert rows with ids of their own into a part, and attach it to the table
(raise_joined of src/column/join.c).  A draw is one step: window.py and carve.py have its steps.
ACTIONS name what may happen besides:

rollback    DDL is rolled back
detach      the part is detached
first       there is no generator yet; the part may be attached already
loader      the trigger that follows meets session_replication_role = replica
disable     the trigger is switched off, and on again

No id comes twice, nor one of a row that was in the table when DDL or a first use looked, committed or
not, or that the trigger saw later.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 4
LENGTH = 2           # ids in a range
GUARDS = ('raises', 'forgets', 'stays', 'lock', 'open_rows', 'name', 'looks_again', 'always', 'enable')

# last: reserved, None: there is no generator; rows: of the part; part: APART, JOINED, or the session
# whose DDL is not committed; follows: the trigger is on; given: bits of ids; lock, name: who has
# locked the part, and the name of the generator
State = namedtuple('State', 'last rows part follows given lock name sessions')
# owner: its transaction, None: committed; counts: no draw may give its id
Row = namedtuple('Row', 'id owner counts')
# at: where it is in DDL or a first use; what: it does; held: its range; max: of the rows;
# before: last, when it raised
Session = namedtuple('Session', 'at what held max before')

APART, JOINED = 'apart', 'joined'
IDLE = Session('idle', None, None, 0, 0)
START = State(0, (), APART, True, 0, None, None, (IDLE, IDLE))


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def done(state, i):
    """It has no lock any more."""
    held = state.sessions[i].held
    return move(state._replace(lock=None if state.lock == i else state.lock,
                               name=None if state.name == i else state.name), i, **IDLE._replace(held=held)._asdict())


def counted(state, counts=True):
    return state._replace(rows=tuple(row._replace(counts=counts) for row in state.rows))


def greatest(state, i, guards):
    return max([row.id for row in state.rows if row.owner in (None, i) or 'open_rows' in guards], default=0)


def steps(state, actions, guards):
    if 'first' in actions and state == START:
        yield 'there is no generator yet', START._replace(last=None)
        yield 'nor one of the part, which is joined', START._replace(last=None, part=JOINED)
    for i, me in enumerate(state.sessions):
        if me.at == 'idle':
            yield from draws(state, i, me)
            yield from rows(state, i, actions, guards)
            yield from begins(state, i, actions, guards)
        elif me.what == 'first':
            yield from first_use(state, i, me, guards)
        else:
            yield from joins(state, i, me, actions, guards)


def draws(state, i, me):
    if state.last is None:
        if state.name is None:
            yield f'{i} locks the name', move(state._replace(name=i), i, at='locked', what='first')
    elif me.held is None:
        if state.last + LENGTH <= MAX_ID:
            yield (f'{i} reserves a range',
                   move(state._replace(last=state.last + LENGTH), i, held=(state.last + 1, state.last + LENGTH)))
    else:
        low, high = me.held
        if state.given >> low & 1:
            raise Violation(f'{low} comes twice')
        if any(row.counts and row.id == low for row in state.rows):
            raise Violation(f'{low} is that of a row')
        yield (f'{i} draws {low}', move(state._replace(given=state.given | 1 << low), i,
                                        held=(low + 1, high) if low < high else None))


def raised(state, value, guards):
    """Sessions drop what they hold, also if value is reserved."""
    after = state._replace(last=max(state.last, value))
    if 'forgets' in guards or value > state.last:
        for i in range(len(after.sessions)):
            after = move(after, i, held=None)
    return after


def rows(state, i, actions, guards):
    mine = [row for row in state.rows if row.owner == i]
    if mine:
        others = tuple(row for row in state.rows if row.owner != i)
        kept = tuple(row._replace(owner=None) for row in mine)
        yield f'{i} commits its row', state._replace(rows=tuple(sorted(others + kept, key=lambda row: row.id)))
        yield f'{i} rolls back its row', state._replace(rows=others)
    elif state.lock is None or 'lock' not in guards:
        for id_ in range(1, MAX_ID + 1):
            if not state.given >> id_ & 1 and id_ not in [row.id for row in state.rows]:
                yield from brings(state, i, id_, actions, guards)


def brings(state, i, id_, actions, guards):
    follows = state.part == JOINED and state.follows and state.last is not None
    rows = sorted(state.rows + (Row(id_, i, follows),), key=lambda row: row.id)
    after = state._replace(rows=tuple(rows))
    yield f'{i} brings {id_}', raised(after, id_, guards) if follows else after
    if 'loader' in actions and follows:
        yield f'{i} loads {id_}', raised(after, id_, guards) if 'always' in guards else after


def begins(state, i, actions, guards):
    """DDL waits for transactions that have written."""
    if state.lock is not None or ('lock' in guards and any(row.owner is not None for row in state.rows)):
        return
    if any(row.owner == i for row in state.rows):
        return
    locked = state._replace(lock=i)
    if state.part == APART:
        yield f'{i} attaches', move(locked._replace(part=i), i, at='altered', what='attach')
    elif 'detach' in actions:
        yield f'{i} detaches', counted(state._replace(part=APART), False)
    if state.part == JOINED and 'disable' in actions:
        if state.follows:
            yield f'{i} disables the trigger', state._replace(follows=False)
        else:
            yield (f'{i} enables the trigger',
                   move(locked._replace(follows=True), i, at='altered' if 'enable' in guards else 'joined', what='enable'))


def joins(state, i, me, actions, guards):
    """join_tree, and the end of the transaction."""
    if me.at == 'altered':
        found = 'none' if state.last is None and 'name' in guards else 'found'
        yield f'{i} looks at the rows', move(state, i, at=found, max=greatest(state, i, guards))
    elif me.at == 'none':
        found = 'found' if 'looks_again' in guards else 'joined'
        if state.name is None:
            yield f'{i} locks the name', move(state._replace(name=i), i, at=found)
    elif me.at == 'found':
        yield from joined(state, i, me, guards)
    else:
        yield f'{i} commits the DDL', done(counted(state._replace(part=JOINED)), i)
        if 'rollback' in actions:
            yield f'{i} rolls back the DDL', done(rolled_back(state, me, guards), i)


def joined(state, i, me, guards):
    after = state
    if state.last is not None and me.max > 0 and 'raises' in guards:
        after = raised(state, me.max, guards)
    yield f'{i} has joined the rows', move(counted(after), i, at='joined', before=state.last)


def rolled_back(state, me, guards):
    """Ids came above the generator that was raised."""
    if 'stays' not in guards and me.before is not None:
        state = state._replace(last=me.before)
    if me.what == 'enable':
        return state._replace(follows=False)
    return counted(state._replace(part=APART), False)


def first_use(state, i, me, guards):
    """What is attached by a transaction that has not ended is not seen."""
    if me.at == 'locked':
        is_seen = state.part == JOINED
        yield (f'{i} looks at the rows, with no generator',
               move(counted(state) if is_seen else state, i, at='looked',
                    max=greatest(state, i, guards) if is_seen else 0))
    else:
        yield f'{i} makes the generator', done(state._replace(last=me.max), i)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
