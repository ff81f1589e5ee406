#!/usr/bin/env python3
"""A model of the table of slots in shared memory: who gets a slot, and who loses it.

usage: see explore.py

Two sessions use generators, of which there is one more than slots (slot_for of
src/session/end.c): a slot that is free, or else one that another generator is made to leave.
What a session does under the segment's lock is one step.  ACTIONS name what may happen
besides: drop (of a generator, which is used again after a rollback; once).

No slot has two generators, or is free and a generator's; none gets lost; and no generator gets a
window that another one has left open.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

SLOTS = 2
GENERATORS = 3       # from 1 on; 0 is none
GUARDS = ('window_lock', 'drop_lock', 'find_again', 'closes', 'drop_closes', 'unlinks', 'segment_lock')

# Of slots: keys, the generators that they are or were of; windows, the generators of open ones;
# free, a list; claimed, how many ever were.  Of generators: links, the slots that are found;
# locks, the sessions that have the window lock.
State = namedtuple('State', 'keys windows free claimed links locks drops sessions')
# at: where it is, with which generator and slot; victim: a generator that it makes leave
Session = namedtuple('Session', 'at generator slot victim')

IDLE = Session('idle', 0, None, 0)
START = State((0,) * SLOTS, (0,) * SLOTS, (), 0, (None,) * (GENERATORS + 1), (None,) * (GENERATORS + 1), 0, (IDLE,) * 2)


def put(values, i, value):
    return values[:i] + (value,) + values[i + 1:]


def move(state, i, **changes):
    return state._replace(sessions=put(state.sessions, i, state.sessions[i]._replace(**changes)))


def done(state, i):
    """The window lock is given up."""
    return move(unlock(state, state.sessions[i].generator), i, **IDLE._asdict())


def unlock(state, generator):
    return state._replace(locks=put(state.locks, generator, None))


def steps(state, actions, guards):
    check_nothing_is_lost(state)
    for i, me in enumerate(state.sessions):
        if me.at == 'idle':
            yield from begin(state, i, actions, guards)
        elif me.at == 'looks':
            yield from look(state, i, me, guards)
        elif me.at == 'pops':
            yield f'{i} takes {me.slot} out of the list', move(state._replace(free=state.free[1:]), i, at='claims')
        elif me.at == 'claims':
            yield f'{i} claims {me.slot} for {me.generator}', done(claim(state, me), i)
        elif me.at.startswith('drops'):
            yield from drop(state, i, me, guards)
        else:
            yield from evict(state, i, me, guards)


def check_nothing_is_lost(state):
    if all(me.at == 'idle' for me in state.sessions):
        for slot in range(state.claimed):
            if slot not in state.free + state.links:
                raise Violation(f'{slot} is lost')


def begin(state, i, actions, guards):
    for generator in range(1, GENERATORS + 1):
        if state.locks[generator] is None:
            locked = state._replace(locks=put(state.locks, generator, i))
            yield f'{i} locks the window of {generator}', move(locked, i, at='looks', generator=generator)
        if 'drop' in actions and state.drops == 0 and (state.locks[generator] is None or 'drop_lock' not in guards):
            locked = state._replace(drops=1)
            if 'drop_lock' in guards:
                locked = locked._replace(locks=put(state.locks, generator, i))
            yield f'{i} drops {generator}', move(locked, i, at='drops', generator=generator)


def look(state, i, me, guards):
    """slot_find, slot_take_free and slot_to_evict."""
    found = state.links[me.generator]
    if found is not None:
        if state.keys[found] != me.generator:
            raise Violation(f'{me.generator} finds a slot of {state.keys[found]}')
        yield f'{i} finds {found}', done(state._replace(windows=put(state.windows, found, me.generator)), i)
    elif state.free:
        after = move(state, i, at='pops', slot=state.free[0])
        if 'segment_lock' in guards:
            after = move(after._replace(free=state.free[1:]), i, at='claims')
        yield f'{i} finds {state.free[0]} free', after
    elif state.claimed < SLOTS:
        yield (f'{i} takes a new slot',
               move(state._replace(claimed=state.claimed + 1), i, at='claims', slot=state.claimed))
    else:
        for slot in range(SLOTS):
            yield (f'{i} sees {state.keys[slot]} in {slot}',
                   move(state, i, at='evicts', slot=slot, victim=state.keys[slot]))


def claim(state, me):
    """slot_claim: the generator opens a window there."""
    slot = me.slot
    if slot in state.free + state.links:
        raise Violation(f'{slot} is claimed twice')
    if state.windows[slot] not in (0, me.generator):
        raise Violation(f'{me.generator} gets the window of {state.windows[slot]}')
    return state._replace(keys=put(state.keys, slot, me.generator), windows=put(state.windows, slot, me.generator),
                          links=put(state.links, me.generator, slot))


def close(state, slot):
    return state._replace(windows=put(state.windows, slot, 0))


def release(state, slot, guards):
    """slot_free, under the segment's lock."""
    if slot in state.free:
        raise Violation(f'{slot} is free twice')
    key = state.keys[slot]
    if 'unlinks' in guards and state.links[key] == slot:
        state = state._replace(links=put(state.links, key, None))
    return state._replace(free=(slot,) + state.free)


def evict(state, i, me, guards):
    """evict_another; it is done anew until there is a slot."""
    again = {'at': 'looks', 'slot': None, 'victim': 0}
    if me.at == 'evicts':
        if 'window_lock' not in guards:
            yield f'{i} does not lock {me.victim}', move(state, i, at='evicts, locked')
        elif state.locks[me.victim] is not None:
            yield f'{i} finds {me.victim} locked', move(state, i, **again)
        else:
            locked = state._replace(locks=put(state.locks, me.victim, i))
            yield f'{i} locks {me.victim}', move(locked, i, at='evicts, locked')
        return
    unlocked = unlock(state, me.victim) if 'window_lock' in guards else state
    if me.at == 'evicts, locked':
        found = state.links[me.victim] if 'find_again' in guards else me.slot
        if found is None:
            yield f'{i} finds no slot of {me.victim}', move(unlocked, i, **again)
        else:
            after = close(state, found) if 'closes' in guards else state
            yield f'{i} closes the window of {me.victim}', move(after, i, at='evicts, closed', slot=found)
    else:
        yield f'{i} frees {me.slot}', move(release(unlocked, me.slot, guards), i, **again)


def drop(state, i, me, guards):
    """end_generator_use."""
    after = done(state, i) if 'drop_lock' in guards else move(state, i, **IDLE._asdict())
    if me.at == 'drops':
        found = state.links[me.generator]
        if found is None:
            yield f'{i} finds no slot of {me.generator}', after
        else:
            closed = close(state, found) if 'drop_closes' in guards else state
            yield f'{i} closes the window of {me.generator}', move(closed, i, at='drops, closed', slot=found)
    else:
        yield f'{i} frees {me.slot}', release(after, me.slot, guards)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
