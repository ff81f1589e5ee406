#!/usr/bin/env python3
"""A model of the first use of a table's generator.

usage: see explore.py

Two sessions take ids of one table in transactions (src/call/first_use.c).  ACTIONS name what
may happen besides: rows (with ids of their own, inserted while there is no generator, and
deleted), savepoint, made (the table is made by a transaction), drop (DROP TABLE), forget
(hilo_drop, and hilo_create after it), create (hilo_create alone), move (hilo_move to the
table), crash.

A generator is a row in hilo_hi, which may be frozen and is changed in place, and a definition.
No id comes twice, whichever session had it and whatever became of that transaction; none is that of a
row that was there, or comes back, unless the row's transaction had not ended at the first use.
A generator that is dropped takes its ids with it, and a rollback brings them back.  Of a table
that is gone nothing is left that gives a right.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 4
LENGTH = 2           # ids in a window
GUARDS = ('frozen', 'own_definition', 'left', 'above_rows', 'new_life', 'wait', 'subtransaction',
          'gone', 'keeps_lock', 'moved_left', 'moved_refused')

# A row's xmin is FROZEN or (session, level), its xmax None or (session, level); a level is 1 in
# a savepoint.  brought: rows of the table, is_seen: by the first use; window: life, next and
# high in shared memory; given: bits of ids; lock: the session that has the name's; wal: what
# a crash may leave of (table, brought, hi, definitions), since the last flush.
State = namedtuple('State', 'table brought hi definitions window given lock sessions wal')
Row = namedtuple('Row', 'xmin xmax value life is_seen')
# at: where it is in a first use; last: the greatest row; xid: of a transaction; gone: each level
# at which it has dropped the generator, or created it after that, and what was given before;
# moved: the level of a move
Session = namedtuple('Session', 'at last open level xid gone moved locks')

FROZEN = 'frozen'
IDLE = Session('idle', 0, False, 0, False, (), None, False)
TABLE = Row(FROZEN, None, 0, 0, True)
DURABLE = ('table', 'brought', 'hi', 'definitions')
START = State((TABLE,), (), (), (), None, 0, None, (IDLE, IDLE),
              frozenset([((TABLE,), (), (), ())]))


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def owner(mark):
    return None if mark in (None, FROZEN) else mark[0]


def seen(rows, i):
    """As SnapshotSelf sees them."""
    return [row for row in rows if owner(row.xmin) in (None, i) and owner(row.xmax) != i]


def durable(state):
    """What is left when all transactions are rolled back."""
    return tuple(tuple(row._replace(xmax=None, life=0) for row in getattr(state, name) if row.xmin == FROZEN)
                 for name in DURABLE)


def write(state, flush=False):
    after = frozenset([durable(state)])
    return state._replace(wal=after if flush else state.wal | after)


def new_life(state):
    return max([row.life for row in state.hi] + [state.window[0] if state.window else -1]) + 1


def with_few_lives(state):
    """Only which are the same counts."""
    lives = sorted({row.life for row in state.hi} | {state.window[0] if state.window else 0})
    return state._replace(hi=tuple(row._replace(life=lives.index(row.life)) for row in state.hi),
                          window=state.window and (lives.index(state.window[0]),) + state.window[1:])


def check(state):
    for rows in (state.hi, state.definitions):
        if len([row for row in rows if row.xmin == FROZEN and row.xmax is None]) > 1:
            raise Violation('two rows of one name')
    if not state.table and not any(s.open or s.at != 'idle' for s in state.sessions) and state.definitions:
        raise Violation('a definition is left of a table that is gone')
    return state


def end(rows, i, commits, level):
    """The rows when session i commits or rolls back what it did at a level or above."""
    def is_mine(mark):
        return owner(mark) == i and mark[1] >= level

    kept = []
    for row in rows:
        if is_mine(row.xmax):
            if commits:
                continue
            row = row._replace(xmax=None)
        if is_mine(row.xmin):
            if not commits:
                continue
            row = row._replace(xmin=FROZEN)
        kept.append(row)
    return tuple(kept)


def ended(state, i, commits, level=0):
    me = state.sessions[i]
    state = state._replace(**{name: end(getattr(state, name), i, commits, level) for name in DURABLE})
    gone = tuple(one for one in me.gone if one[0] < level)
    if not commits and gone != me.gone:
        state = state._replace(given=me.gone[len(gone)][1])
    if not state.table:
        state = state._replace(given=0)
    if level == 0:
        free = None if state.lock == i else state.lock
        return check(write(move(state._replace(lock=free), i, **IDLE._asdict()), commits and me.xid))
    return move(state, i, level=0, gone=gone,
                moved=None if me.moved is not None and me.moved >= level else me.moved)


def released(state, i):
    def lower(mark):
        return (i, 0) if owner(mark) == i else mark

    me = state.sessions[i]
    state = state._replace(**{name: tuple(row._replace(xmin=lower(row.xmin), xmax=lower(row.xmax))
                                          for row in getattr(state, name)) for name in DURABLE})
    return move(state, i, level=0, gone=tuple((0, given) for _, given in me.gone),
                moved=me.moved and 0)


def replace(rows, old, new):
    return tuple(new if row is old else row for row in rows)


def steps(state, actions, guards):
    for label, after in all_steps(state, actions, guards):
        yield label, with_few_lives(after)


def all_steps(state, actions, guards):
    if 'made' in actions and state == START:
        yield 'there is no table yet', START._replace(table=(), wal=frozenset([((), (), (), ())]))
        return
    for i, me in enumerate(state.sessions):
        if me.at != 'idle':
            yield from in_first_use(state, i, me, guards)
            continue
        yield from of_transaction(state, i, me, actions)
        if seen(state.table, i):
            yield from of_table(state, i, me, actions, guards)
        elif 'made' in actions and me.open and not state.table:
            made = Row((i, me.level), None, 0, 0, True)
            yield f'{i} makes the table', move(state._replace(table=(made,)), i, xid=True)
    if 'crash' in actions:
        for left in state.wal:
            given = next((s.gone[0][1] for s in state.sessions if s.gone), state.given)
            after = State(*left, None, given if left[0] else 0, None, (IDLE, IDLE),
                          frozenset([left]))
            yield f'crash, which leaves {left}', check(after)


def of_transaction(state, i, me, actions):
    if not me.open:
        yield f'{i} begins', move(state, i, open=True)
        return
    if not me.xid:
        yield f'{i} writes something', move(state, i, xid=True)
    yield f'{i} commits', ended(state, i, True)
    yield f'{i} rolls back', ended(state, i, False)
    if 'savepoint' in actions:
        if me.level == 0:
            yield f'{i} sets a savepoint', move(state, i, level=1)
        else:
            yield f'{i} rolls back to it', ended(state, i, False, 1)
            yield f'{i} releases it', released(state, i)


def waits(rows, i):
    """For a transaction that drops or makes the row."""
    return any(owner(mark) not in (None, i) for row in rows for mark in (row.xmin, row.xmax))


def of_table(state, i, me, actions, guards):
    table = seen(state.table, i)[0]
    mark = (i, me.level)
    hi = seen(state.hi, i)
    definition = seen(state.definitions, i)
    other = state.sessions[1 - i]
    if waits((table,), i):
        return
    if definition and hi:
        if not any(owner(row.xmax) not in (None, i) for row in hi + definition) and \
                not (me.moved is not None and 'moved_refused' in guards):
            yield from takes(state, i, hi[0])
    elif state.lock in (None, i) and not me.gone and me.moved is None and \
            not ('wait' in guards and waits(state.definitions, i)):
        yield f'{i} begins a first use', move(state._replace(lock=i), i, at='locked')

    if 'rows' in actions and me.open and not state.definitions and other.at == 'idle':
        if not state.brought:
            for n in range(1, MAX_ID):
                if not state.given >> n & 1:
                    row = Row(mark, None, n, 0, True)
                    yield (f'{i} inserts row {n}',
                           move(state._replace(brought=(row,)), i, xid=True, locks=True))
    if 'rows' in actions and me.open:
        for row in seen(state.brought, i):
            if row.xmax is None:
                after = state._replace(brought=replace(state.brought, row, row._replace(xmax=mark)))
                yield f'{i} deletes row {row.value}', move(after, i, xid=True, locks=True)

    # a session with the lock of the name in a first use ends that soon
    if not me.open or state.lock not in (None, i) or waits(state.hi, i):
        return
    if 'drop' in actions and not other.locks:
        after = delete(state, i, mark)
        after = after._replace(table=replace(after.table, table, table._replace(xmax=mark)), lock=i)
        yield f'{i} drops the table', move(after, i, xid=True)
    # after which this transaction has no first use
    if 'forget' in actions and definition and not me.gone:
        after = delete(state, i, mark)._replace(lock=i, given=0)
        yield f'{i} drops the generator', move(after, i, xid=True, gone=((me.level, state.given),))
    if waits(state.definitions, i) and 'wait' in guards:
        return
    if not definition and (me.gone or 'create' in actions) and me.moved is None:
        last = greatest(state, i, guards)
        after = number(note(state, i), i, move(state, i, xid=True).sessions[i], last, False, guards)
        after = after._replace(definitions=after.definitions + (Row(mark, None, 0, 0, True),),
                               lock=i)
        gone = me.gone and me.gone + ((me.level, state.given),)
        yield f'{i} creates the generator', check(move(after, i, xid=True, locks=True, gone=gone))
    if 'move' in actions and not definition and not me.gone and me.moved is None:
        last = max([row.value for row in hi], default=0) if 'moved_left' in guards else 0
        after = delete(note(state, i, everything=True), i, mark)
        after = after._replace(hi=after.hi + (Row(mark, None, last, new_life(state), True),), lock=i,
                               definitions=after.definitions + (Row(mark, None, 0, 0, True),))
        yield f'{i} moves a generator here', move(after, i, xid=True, moved=me.level, locks=True)


def delete(state, i, mark):
    """The rows of the generator; the window is of none that lives on elsewhere."""
    for name in ('hi', 'definitions'):
        rows = getattr(state, name)
        mine = seen(rows, i)
        state = state._replace(**{name: tuple(row._replace(xmax=mark) if row in mine else row for row in rows)})
    return state._replace(window=None)


def takes(state, i, hi):
    window = state.window
    if window is None or window[0] != hi.life or window[1] > window[2]:
        if hi.value + LENGTH <= MAX_ID:
            high = hi.value + LENGTH
            after = state._replace(hi=replace(state.hi, hi, hi._replace(value=high)),
                                   window=(hi.life, hi.value + 1, high))
            yield f'{i} reserves', write(after, True)
        return
    life, id_, high = window
    if state.given >> id_ & 1:
        raise Violation(f'{id_} comes twice')
    if any(row.value == id_ and row.is_seen for row in seen(state.brought, i)):
        raise Violation(f'{id_} is that of a row')
    yield (f'{i} takes {id_}',
           state._replace(given=state.given | 1 << id_, window=(life, id_ + 1, high)))


def greatest(state, i, guards):
    return max([row.value for row in seen(state.brought, i)], default=0) if 'above_rows' in guards else 0


def note(state, i, everything=False):
    """Rows of transactions that have not ended are not seen."""
    mine = [] if everything else seen(state.brought, i)
    return state._replace(brought=tuple(row if row in mine or owner(row.xmin) is None and not everything
                                        else row._replace(is_seen=False) for row in state.brought))


def number(state, i, me, last, is_final, guards):
    """The row of hilo_hi, which is there already after a rollback."""
    hi = seen(state.hi, i)
    if hi:
        value = max(hi[0].value, last) if 'left' in guards else last
        life = new_life(state) if 'new_life' in guards else hi[0].life
        return write(state._replace(hi=replace(state.hi, hi[0], hi[0]._replace(value=value, life=life))))
    made = seen(state.table, i)[0].xmin
    # it goes with the table, if the transaction has made that, also by a savepoint
    xmin = FROZEN if is_final or 'frozen' in guards else (i, me.level)
    if owner(made) == i and not is_final:
        xmin = made if 'subtransaction' in guards else (i, me.level)
    if me.gone and 'gone' in guards:
        xmin = (i, me.level)
    row = Row(xmin, None, last, new_life(state), True)
    return write(state._replace(hi=state.hi + (row,)))


def in_first_use(state, i, me, guards):
    if me.at == 'locked':
        if not seen(state.table, i):
            yield f'{i} finds no table', move(state._replace(lock=None), i, at='idle')
            return
        locks = 'keeps_lock' in guards
        if any(owner(row.xmax) not in (None, i) for row in state.table) and locks:
            return
        after = move(note(state, i), i, at='looked', last=greatest(state, i, guards),
                     locks=me.locks or locks)
        yield f'{i} looks at the rows', after
    elif me.at == 'looked':
        after = number(state, i, me, me.last, not me.xid, guards)
        yield (f'{i} makes the number',
               check(move(after, i, at='final' if not me.xid else 'made', xid=me.open)))
    else:
        own = me.at == 'made' and 'own_definition' in guards
        row = Row((i, me.level) if own else FROZEN, None, 0, 0, True)
        free = state.lock if me.gone else None
        after = move(state, i, at='idle', last=0, locks=me.locks and me.open)
        yield (f'{i} makes the definition',
               check(write(after._replace(definitions=state.definitions + (row,), lock=free))))


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
