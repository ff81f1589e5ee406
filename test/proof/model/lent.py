#!/usr/bin/env python3
"""A model of a tag of a hub, whose windows other servers have and do not give back.

usage: see explore.py

Two servers take windows and draw from them.  ACTIONS name what may happen besides:

drop    the tag is dropped, or gets another name; that may be rolled back.  The next window makes a
        new tag of its name
seed    it is set to any value by force
forget  the servers drop the tag, and are forgotten; then it is dropped or set to any value

There are at most two drops and seeds.  No id comes twice, but after the servers were forgotten.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 6
LENGTH = 2
GUARDS = ('left', 'lock', 'under_lock', 'refused', 'windows_first')

# last: reserved on the hub; known: servers have asked; locked: by a change; op: where the change is,
# and the number that it leaves; changes: how many are to come; windows: what is left of each
# server's; used: bits of ids
State = namedtuple('State', 'last known locked op changes windows used')

START = State(0, False, False, None, 2, (None, None), 0)


def steps(state, actions, guards):
    for i, window in enumerate(state.windows):
        if window is not None:
            yield draw(state, i, window)
        elif not state.locked and state.last + LENGTH <= MAX_ID:
            yield (f'{i} takes {state.last + 1} to {state.last + LENGTH}',
                   open_window(state, i, (state.last + 1, state.last + LENGTH))._replace(
                       last=state.last + LENGTH, known=True))
    if state.op is not None:
        yield from goes_on(state, guards)
    elif state.changes > 0:
        yield from begins(state, actions, guards)


def open_window(state, i, window):
    return state._replace(windows=state.windows[:i] + (window,) + state.windows[i + 1:])


def draw(state, i, window):
    low, high = window
    if state.used >> low & 1:
        raise Violation(f'{low} comes twice')
    return (f'{i} draws {low}',
            open_window(state, i, (low + 1, high) if low < high else None)._replace(
                used=state.used | 1 << low))


def begins(state, actions, guards):
    after = state._replace(changes=state.changes - 1)
    if 'drop' in actions:
        yield 'a drop begins', after._replace(op=('begins', left(state, guards)))
    if 'seed' in actions:
        for value in range(state.last if state.known and 'refused' in guards else 0, MAX_ID):
            yield f'a seed to {value}', after._replace(last=value)
    if 'forget' in actions and state.known:
        if 'windows_first' in guards:
            after = after._replace(windows=(None, None))
        yield ('the servers are forgotten',
               after._replace(known=False, changes=state.changes, used=0))


def left(state, guards):
    """The number that a drop leaves: leave_number of src/call/generator.c."""
    return state.last if state.known and 'left' in guards else 0


def goes_on(state, guards):
    at, number = state.op
    if at == 'begins':
        if 'under_lock' in guards:
            number = left(state, guards)
        yield ('the drop has the lock',
               state._replace(locked='lock' in guards, op=('locked', number)))
    else:
        done = state._replace(locked=False, op=None)
        yield 'the drop is rolled back', done
        yield 'the drop is committed', done._replace(last=number)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
