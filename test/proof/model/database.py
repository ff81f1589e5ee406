#!/usr/bin/env python3
"""A model of databases that are dropped, and of copies that get their numbers.

usage: see explore.py

A server has places for three databases; a place is an OID.  A database is a row of hilo_hi and the
ids that its tables have; a copy of it, made while no session is there, has both.  The slot in shared
memory belongs to the place and outlives the database (src/session/slot.c, end.c): a session looks
before it uses the window.  ACTIONS name what may happen besides: past (ids are taken past the
window), seed (to any value, twice in all), evict (of a slot, once); few: there are two copies, not four.

No database gets an id that its tables have, nor one at or below a seed.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 3
COPIES = 4
GUARDS = ('look', 'tenancy', 'new_tenancy', 'past_tenancy', 'past_noted', 'reserved', 'new_life')

# random: the next number that no other has; copies, seeds, evictions: how many there may be
State = namedtuple('State', 'databases slots random copies seeds evictions')
# used: bits of ids; met: a session has looked
Database = namedtuple('Database', 'reserved tenancy life used floor met')
# reserved: the highest number that was, as far as the slot was told; last, high: of the window
# opened: whether there was one in this tenancy
Slot = namedtuple('Slot', 'reserved tenancy life last high opened')

START = State((Database(0, 0, 0, 0, 0, False), None, None), (None, None, None), 1, COPIES, 2, 1)


def put(values, i, value):
    return values[:i] + (value,) + values[i + 1:]


def hand_out(database, id_):
    if database.used >> id_ & 1:
        raise Violation(f'{id_} comes twice')
    if id_ <= database.floor:
        raise Violation(f'{id_} comes after a seed to {database.floor}')
    return database._replace(used=database.used | 1 << id_)


def fits(slot, database, guards):
    return (slot is not None and slot.life == database.life and
            (slot.tenancy == database.tenancy or 'tenancy' not in guards) and
            (slot.reserved <= database.reserved or 'reserved' not in guards))


def steps(state, actions, guards):
    for i, me in enumerate(state.databases):
        slot = state.slots[i]

        def after(database, slot=slot, i=i, **others):
            return state._replace(databases=put(state.databases, i, database),
                                  slots=put(state.slots, i, slot), **others)

        if 'evict' in actions and slot is not None and state.evictions > 0:
            yield f'the slot of {i} is evicted', after(me, None, evictions=0)
        if me is None:
            continue
        if not me.met or slot is None:
            yield f'{i} looks', look(me, slot, state, after, guards)
        elif slot.last < slot.high and ('look' in guards or fits(slot, me, guards)):
            yield (f'{i} hands out {slot.last + 1}',
                   after(hand_out(me, slot.last + 1), slot._replace(last=slot.last + 1)))
        elif me.reserved < MAX_ID:
            high = min(me.reserved + 2, MAX_ID)
            new = slot if fits(slot, me, guards) else claim(me, slot, state, guards)
            yield (f'{i} reserves up to {high}',
                   after(me._replace(reserved=high, tenancy=new.tenancy),
                         new._replace(reserved=high, last=me.reserved, high=high, opened=True),
                         random=state.random + (new is not slot)))
        if 'past' in actions and me.met and me.reserved < MAX_ID:
            yield f'{i} takes {me.reserved + 1} past the window', past(me, slot, after, guards)
        if 'seed' in actions and state.seeds > 0:
            for value in range(1, MAX_ID + 1):
                yield f'{i} is seeded to {value}', seed(me, slot, value, state, after, guards)
        yield f'{i} is dropped', after(None)
        for place in range(3):
            if state.databases[place] is None and state.copies > (2 if 'few' in actions else 0):
                yield (f'{i} is copied to {place}',
                       state._replace(databases=put(state.databases, place, me._replace(met=False)),
                                      copies=state.copies - 1))


def look(me, slot, state, after, guards):
    if slot is not None and (not slot.opened or fits(slot, me, guards) or 'look' not in guards):
        return after(me._replace(met=True))
    return after(me._replace(met=True), claim(me, slot, state, guards), random=state.random + 1)


def claim(me, slot, state, guards):
    tenancy = state.random
    if slot is not None and 'new_tenancy' not in guards:
        tenancy = slot.tenancy
    return Slot(me.reserved, tenancy, me.life, me.reserved, me.reserved, False)


def past(me, slot, after, guards):
    taken = me.reserved + 1
    tenancy = me.tenancy
    if 'past_tenancy' in guards:
        tenancy = 0 if slot is None else slot.tenancy
    if 'past_noted' in guards and slot is not None:
        slot = slot._replace(reserved=max(slot.reserved, taken))
    return after(hand_out(me, taken)._replace(reserved=taken, tenancy=tenancy), slot)


def seed(me, slot, value, state, after, guards):
    """The window goes on above value, or ends."""
    life = state.random if 'new_life' in guards else me.life + 1
    raised = me._replace(reserved=max(me.reserved, value), life=life, floor=max(me.floor, value))
    if fits(slot, me, guards) and value <= slot.high:
        slot = slot._replace(life=life, last=max(slot.last, value))
    elif slot is not None:
        slot = slot._replace(last=slot.high)
    return after(raised._replace(met=False), slot, random=state.random + 1, seeds=state.seeds - 1)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
