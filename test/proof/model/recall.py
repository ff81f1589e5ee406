#!/usr/bin/env python3
"""A model of a tag of a Citus coordinator, whose windows workers have.

usage: see explore.py

Two sessions of a worker draw from its window.  A change of the tag on the coordinator (a drop and
a new tag, a forced seed, a revoke) recalls the worker's copy before it commits; a raise recalls it
after.  A draw is one step, and so is a recall on the worker once it has the lock: carve.py has
their steps.  ACTIONS name what may happen besides:

change      the tag is changed, once; the change may be rolled back
raise       it is raised on the coordinator, once, to any value
worker      it is raised by a session of the worker, once, to any value

No id comes twice since the change, none by a definition before it, and none at or below a raise
after that has returned.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 6
LENGTH = 2
GUARDS = ('lock', 'define', 'recall', 'waits', 'tries', 'again', 'raise_first', 'raise_recall',
          'raise_unlocked')

# of the coordinator: last, reserved; version, of the definition; locked: by the change; floor: of a
# raise that has returned; used: bits of ids
# of the worker: copy: version of the definition, or None; window: what is left of it; word: how often
# a copy was recalled; lock: the session that asks for a window
State = namedtuple('State', 'last version locked floor used copy window word lock op sessions')
# at: where it is; version, word: of the definition, and when it was asked for; window: the answer
Session = namedtuple('Session', 'at version word window')

IDLE = Session('idle', 0, 0, None)
START = State(0, 0, False, 0, 0, None, None, 0, None, None, (IDLE, IDLE))


def move(state, i, session):
    return state._replace(sessions=state.sessions[:i] + (session,) + state.sessions[i + 1:])


def steps(state, actions, guards):
    for i, me in enumerate(state.sessions):
        if me.at == 'idle':
            yield from idle(state, i)
        elif me.at == 'asks':
            yield from asks(state, i, me, guards)
        elif me.at == 'opens':
            window = me.window if state.copy is not None else state.window
            yield f'{i} opens the window', move(state._replace(window=window, lock=None), i, IDLE)
        elif me.at == 'first':
            yield from first_use(state, i, me, guards)
        elif me.at == 'defined':
            if (me.word == state.word or 'again' not in guards) and state.copy is None:
                yield f'{i} makes the copy', move(state._replace(copy=me.version), i, IDLE)
            else:
                yield f'{i} asks for the definition again', move(state, i, IDLE)
    if state.op is None:
        yield from begins(state, actions, guards)
    elif state.op[0] == 'change':
        yield from changes(state, guards)
    else:
        yield from raises(state, guards)


def idle(state, i):
    if state.copy is None:
        yield (f'{i} uses the tag for the first time',
               move(state, i, Session('first', 0, state.word, None)))
    elif state.window is not None:
        low, high = state.window
        if state.copy != state.version:
            raise Violation(f'{low} comes by the definition before')
        if state.used >> low & 1:
            raise Violation(f'{low} comes twice')
        if low <= state.floor:
            raise Violation(f'{low} comes after a raise to {state.floor}')
        yield f'{i} draws {low}', state._replace(used=state.used | 1 << low,
                                                 window=(low + 1, high) if low < high else None)
    elif state.lock is None:
        yield f'{i} locks the copy', move(state._replace(lock=i), i, Session('asks', 0, 0, None))


def asks(state, i, me, guards):
    """hilo_hub_take, which tries the lock of the generator."""
    if not state.locked:
        if state.last + LENGTH <= MAX_ID:
            last = state.last + LENGTH
            yield (f'{i} is given {last - 1} to {last}',
                   move(state._replace(last=last), i, me._replace(at='opens', window=(last - 1, last))))
        else:
            yield f'{i} fails: no ids are left', move(state._replace(lock=None), i, IDLE)
    elif 'tries' in guards:
        yield f'{i} gives its lock up, to ask again', move(state._replace(lock=None), i, IDLE)


def first_use(state, i, me, guards):
    """hilo_hub_define, which tries the lock, too."""
    if not state.locked or 'define' not in guards:
        yield f'{i} is told the definition', move(state, i, me._replace(at='defined', version=state.version))


def begins(state, actions, guards):
    if 'change' in actions:
        yield 'a change begins', state._replace(op=('change', 'recalls'), locked='lock' in guards)
    for value in range(1, MAX_ID + 1):
        if 'raise' in actions:
            yield f'a raise to {value} begins', state._replace(op=('raise', 'begins', value))
        if 'worker' in actions and state.copy is not None and state.lock is None:
            lock = state.lock if 'raise_unlocked' in guards else 'raise'
            yield (f'a raise to {value} begins on the worker',
                   state._replace(op=('raise', 'begins', value), lock=lock))


def recall(state, guards):
    """What the worker does when it has the lock of its copy; None if it waits for that."""
    if state.lock is not None and 'waits' in guards:
        return None
    return state._replace(copy=None, window=None, word=state.word + 1)


def refuse_deadlock(state, guards):
    if state.lock == 'raise' or (state.locked and 'tries' not in guards and
                                 state.lock is not None and state.sessions[state.lock].at == 'asks'):
        raise Violation('all wait for each other')


def changes(state, guards):
    at = state.op[1]
    if at == 'recalls':
        after = recall(state, guards) if 'recall' in guards else state
        if after is None:
            refuse_deadlock(state, guards)
        else:
            yield 'the copy is recalled', after._replace(op=('change', 'recalled'))
    elif at == 'recalled':
        done = state._replace(op=('change', 'done'), locked=False)
        yield 'the change is rolled back', done
        yield 'the change is committed', done._replace(last=0, used=0, version=state.version + 1)


def raises(state, guards):
    _, at, value = state.op
    if at == 'begins':
        yield from raised(state, value, guards) if 'raise_first' in guards else recalled(state, value, guards)
    elif at == 'raised':
        yield from recalled(state, value, guards) if 'raise_first' in guards else raised(state, value, guards)
    elif at == 'returns':
        yield 'the raise returns', state._replace(op=('raise', 'done', value), floor=value)


def next_of(state):
    return 'raised' if state.op[1] == 'begins' else 'returns'


def raised(state, value, guards):
    yield 'the tag is raised', state._replace(last=max(state.last, value), op=('raise', next_of(state), value))


def recalled(state, value, guards):
    after = recall(state, guards) if 'raise_recall' in guards else state
    if after is None:
        refuse_deadlock(state, guards)
    else:
        yield 'the copy is recalled', after._replace(op=('raise', next_of(state), value))


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
