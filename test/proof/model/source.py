#!/usr/bin/env python3
"""A model of a block of an ORM's sequence that is altered, or restarted, while hilo has it.

usage: see explore.py

Two sessions carve ranges from a window, whose ids are a block of the sequence, and take ids
in transactions (session_revalidate of src/session/look_up.c, session_refresh_window of carve.c).  ACTIONS name what
may happen besides: orm (takes blocks itself), alter (ALTER SEQUENCE sets it back, once: what was
handed out before may come again), return (a session returns its range to the list of the slot).

No id comes twice after the ALTER SEQUENCE.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 9
BLOCK = 3            # ids
RANGE = 2            # ids that a session carves
GUARDS = ('lock', 'range_file', 'window_file', 'closes', 'floor')

# next: the next value of the sequence, and its file; row: the highest id received; window:
# generation, low, high and file of the shared one; listed: ranges that were returned; floor: up
# to there none comes back; used: bits of ids.
State = namedtuple('State', 'next file row window listed floor used sessions')
# within: a transaction; file: of the sequence when that locked it; known: generation of a
# window; range: low and high
Session = namedtuple('Session', 'within file known range')

START = State(1, 1, 0, (0, 1, 0, 0), (), 0, 0, (Session(False, 0, -1, None),) * 2)


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def hand_out(state, low, high):
    ids = (1 << high + 1) - (1 << low)
    if state.used & ids:
        raise Violation(f'an id of {low}..{high} comes twice')
    return state._replace(used=state.used | ids)


def steps(state, actions, guards):
    for i, me in enumerate(state.sessions):
        if not me.within:
            yield f'{i} begins, and locks the sequence', begins(state, i, me, guards)
        else:
            yield from takes(state, i, me, guards)
            yield f'{i} ends its transaction', move(state, i, within=False)
        if 'return' in actions and me.range:
            after = move(state, i, range=None)
            if me.range[0] > state.floor or 'floor' not in guards:
                after = after._replace(listed=tuple(sorted(state.listed + (me.range,))))
            yield f'{i} returns its range', after
    last = state.next + BLOCK - 1
    if 'orm' in actions and last <= MAX_ID:
        yield 'the ORM takes a block', hand_out(state._replace(next=last + 1), state.next, last)
    is_locked = 'lock' in guards and any(me.within for me in state.sessions)
    if 'alter' in actions and state.file == 1 and not is_locked:
        yield 'the sequence is altered', state._replace(next=1, file=2, used=0)


def begins(state, i, me, guards):
    if me.file != state.file and 'range_file' in guards:
        state = move(state, i, range=None, known=-1)
    return move(state, i, within=True, file=state.file)


def takes(state, i, me, guards):
    generation, low, high, file = state.window
    if me.range:
        first, last = me.range
        after = move(hand_out(state, first, first), i,
                     range=(first + 1, last) if first < last else None)
        yield f'{i} hands out {first}', after
    elif me.known == generation and state.listed:
        yield (f'{i} takes a returned range',
               move(state._replace(listed=state.listed[1:]), i, range=state.listed[0]))
    elif me.known == generation and low <= high:
        last = min(low + RANGE - 1, high)
        after = state._replace(window=(generation, last + 1, high, file))
        yield f'{i} carves {low}..{last}', move(after, i, range=(low, last))
    elif me.known != generation and (file == me.file or 'window_file' not in guards):
        yield f'{i} looks at the window', move(state, i, known=generation)
    else:
        yield from renews(state, i, me, guards)


def renews(state, i, me, guards):
    """Under the lock of the window: another file ends the one that is there."""
    generation, low, high, file = state.window
    if file != me.file and 'closes' in guards:
        state = state._replace(listed=(), floor=max(state.floor, state.row))
    last = state.next + BLOCK - 1
    if last > MAX_ID:
        return
    after = state._replace(next=last + 1)
    if state.next <= state.row:
        yield f'{i} passes over {state.next}..{last}', after
        return
    window = (generation + 1, state.next, last, me.file)
    yield f'{i} opens {state.next}..{last}', move(after._replace(row=max(state.row, last), window=window), i,
                                                             known=generation + 1)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
