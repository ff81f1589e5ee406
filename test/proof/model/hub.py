#!/usr/bin/env python3
"""A model of identities that come from a hub, one by one.

usage: see explore.py

Two sessions of a server ask the hub, and note its answer in the server's row
(store_receive of src/store/store.c).  ACTIONS name what may happen besides: other (another server
takes ids), crash (of the hub), seed (hilo_seed, on this server, to any value), replace (another hub
takes the place of this one, and is raised by hilo_seed to what this server's row says, before
any server reaches it).  There is one seed or replacement.

No id comes twice, nor one at or below a seed after that has returned.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 6
GUARDS = ('hub_flush', 'above', 'lost', 'forget', 'noted')

# hub: the last id that it gave, disk: of which its disk knows; reached: servers reach it; row: the highest
# id that this server has received, life: how often the generator was given another incarnation; used: bits
# of ids; floor: of a seed that has returned; seed: where it is, and its value.
State = namedtuple('State', 'hub disk reached row life used floor seed sessions')
# at: where it is; row, life: as they were read before the question; id: the answer
Session = namedtuple('Session', 'at row life id')

IDLE = Session('idle', 0, 0, 0)
START = State(0, 0, True, 0, 0, 0, 0, None, (IDLE, IDLE))


def move(state, i, session):
    return state._replace(sessions=state.sessions[:i] + (session,) + state.sessions[i + 1:])


def hand_out(state, id_):
    if state.used >> id_ & 1:
        raise Violation(f'{id_} comes twice')
    if id_ <= state.floor:
        raise Violation(f'{id_} comes after a seed to {state.floor}')
    return state._replace(used=state.used | 1 << id_)


def give(state, guards):
    """The hub gives an id."""
    given = state.hub + 1
    return state._replace(hub=given, disk=given if 'hub_flush' in guards else state.disk), given


def steps(state, actions, guards):
    for i, me in enumerate(state.sessions):
        if me.at == 'idle':
            yield f'{i} reads the row', move(state, i, Session('asks', state.row, state.life, 0))
        elif me.at == 'asks' and state.reached and state.hub < MAX_ID:
            after, given = give(state, guards)
            yield f'{i} is given {given}', move(after, i, me._replace(at='has', id=given))
        elif me.at == 'has':
            yield from note(state, i, me, guards)
    if 'other' in actions and state.reached and state.hub < MAX_ID:
        after, given = give(state, guards)
        yield f'another server takes {given}', hand_out(after, given)
    if 'crash' in actions and state.disk < state.hub:
        yield 'the hub crashes', state._replace(hub=state.disk)
    yield from of_seed(state, actions, guards)


def note(state, i, me, guards):
    if me.id <= me.row and 'above' in guards:
        yield f'{i} fails: the hub is behind', move(state, i, IDLE)
        return
    after = state._replace(row=max(state.row, me.id)) if 'noted' in guards else state
    if me.life != state.life and 'lost' in guards:
        yield f'{i} loses {me.id}', move(after, i, Session('asks', after.row, after.life, 0))
    else:
        yield f'{i} hands out {me.id}', move(hand_out(after, me.id), i, IDLE)


def of_seed(state, actions, guards):
    """session_seed of src/session/end.c."""
    if state.seed is None:
        if 'seed' in actions:
            for value in range(1, MAX_ID):
                yield f'a seed to {value}', state._replace(seed=('begins', value))
        if 'replace' in actions:
            yield f'another hub, a seed to {state.row}', state._replace(
                hub=0, disk=0, reached=False, seed=('begins', state.row))
        return
    at, value = state.seed
    if at == 'begins':
        life = state.life + ('forget' in guards)
        yield 'what is on its way is lost', state._replace(life=life, seed=('forgets', value))
    elif at == 'forgets':
        last = max(state.hub, value)
        yield 'the hub is raised', state._replace(hub=last, disk=last, reached=True, seed=('raises', value))
    elif at == 'raises':
        if value > state.row:
            state = state._replace(row=value, life=state.life + 1, floor=value)
        yield 'the seed returns', state._replace(seed=('returned', value))


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
