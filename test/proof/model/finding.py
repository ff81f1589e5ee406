#!/usr/bin/env python3
"""A model of what sessions find of a generator for each other (src/session/look_up.c).

usage: see explore.py

A session changes the row of a name again and again, in transactions that commit or, with
the action rollback, do not, and may look the generator up itself meanwhile; with seed it
changes the row in place, too, which takes no lock of the name.  Two others
look it up: each read and write of what they share is a step of its own.  A look that began
after the answer to a change never finds what stood there before, and none finds what is
not committed, but for its own transaction.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

CHANGES = 3
GUARDS = ('raise', 'raise_locked', 'lock_to_end', 'lock', 'lock_first', 'life_first', 'unchanged', 'compare')

# row: its committed version; answered: the version that the changer's client knows of;
# change: where the changer is; made: the version of his transaction, or None; count: of changes;
# lock: who has that of the name, or None; finding: life and version, or None.
State = namedtuple('State', 'life row answered change made count lock finding sessions')
# at: where it is; floor: answered when its look began; life, version: as read
Session = namedtuple('Session', 'at floor life version')

IDLE = Session('idle', 0, None, None)
START = State(1, 0, 0, 'idle', None, 0, None, None, (IDLE,) * 3)


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def found(state, i, version):
    if version != (state.made if i == 0 else None):
        if version < state.sessions[i].floor:
            raise Violation(f'{i} finds version {version} after an answer')
        if version == state.made or version > state.row:
            raise Violation(f'{i} finds version {version}, which is not committed')
    return move(state, i, at='idle', life=None, version=None)


def steps(state, actions, guards):
    for label, after in all_steps(state, actions, guards):
        yield label, normal(after)


def normal(state):
    """The same state, whichever of the two others is which."""
    changer, one, other = state.sessions
    if repr(one) <= repr(other):
        return state
    return state._replace(sessions=(changer, other, one), lock={1: 2, 2: 1}.get(state.lock, state.lock))


def all_steps(state, actions, guards):
    yield from change_steps(state, actions, guards)
    for i, me in enumerate(state.sessions):
        yield from look_steps(state, i, me, guards)


def change_steps(state, actions, guards):
    raised = state._replace(life=state.life + ('raise' in guards))
    if state.change == 'idle' and state.count < CHANGES:
        if 'raise_locked' not in guards:
            yield 'raises before the lock', raised._replace(change='begun', count=state.count + 1)
        else:
            yield 'begins', state._replace(change='begun', count=state.count + 1)
        if 'seed' in actions:
            yield 'seeds', state._replace(change='seeded', row=state.count + 1, count=state.count + 1)
    elif state.change == 'begun' and state.lock is None:
        yield 'locks the name', state._replace(change='locked', lock='change')
    elif state.change == 'locked':
        after = raised if 'raise_locked' in guards else state
        yield 'raises the word', after._replace(change='raised')
    elif state.change == 'raised':
        lock = state.lock if 'lock_to_end' in guards else None
        yield 'changes the row', state._replace(change='changed', made=state.count, lock=lock)
    elif state.change == 'changed' and state.sessions[0].at == 'idle':
        yield 'commits', state._replace(change='ended', row=state.made, made=None)
        if 'rollback' in actions:
            yield 'rolls back', state._replace(change='ended', made=None)
    elif state.change == 'seeded':
        yield 'raises the word for the seed', raised._replace(change='ended')
    elif state.change == 'ended':
        yield 'is answered', state._replace(change='idle', lock=None if state.lock == 'change' else state.lock,
                                            answered=state.row)


def look_steps(state, i, me, guards):
    own = i == 0 and state.made is not None
    if me.at == 'idle' and (i > 0 or state.change in ('idle', 'changed')):
        yield f'{i} reads the word', move(state, i, at='look', floor=state.answered, life=state.life)
    elif me.at == 'look':
        if state.finding and (state.finding[0] == me.life or 'compare' not in guards):
            yield f'{i} takes what was found', found(state, i, state.finding[1])
        else:
            yield f'{i} finds nothing', move(state, i, at='lock' if 'lock_first' in guards else 'read')
    elif me.at in ('lock', 'lock late'):
        after = 'read' if me.at == 'lock' else 'keep'
        free = state.lock is None or (own and state.lock == 'change')
        if 'lock' not in guards:
            yield f'{i} needs no lock', move(state, i, at=after)
        elif free:
            yield f'{i} locks the name', move(state if own else state._replace(lock=i), i, at=after)
        else:
            version = me.version if after == 'keep' else state.made if own else state.row
            yield f'{i} reads the row for itself', found(state, i, version)
    elif me.at == 'read':
        after = 'keep' if 'lock_first' in guards else 'lock late'
        yield f'{i} reads the row', move(state, i, at=after, version=state.made if own else state.row)
    elif me.at == 'keep':
        lock = None if state.lock == i else state.lock
        if own and 'unchanged' in guards:
            yield f'{i} keeps nothing', found(state._replace(lock=lock), i, me.version)
        else:
            life = me.life if 'life_first' in guards else state.life
            yield f'{i} keeps it', found(state._replace(finding=(life, me.version), lock=lock), i, me.version)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
