#!/usr/bin/env python3
"""A model of an ORM's sequence that hilo raises in place, beside nextval.

usage: see explore.py

Two sessions raise the sequence (src/relation/sequence_step.c), and a client of the ORM calls
nextval.  ACTIONS name what may happen besides: nextval, checkpoint, crash, failover (to the
synchronous standby).

nextval logs AHEAD values more than it takes, so the page holds less than its WAL says.  No value
comes twice, nor at or below one that a raise has answered.  (Of checkpoints and failovers, one
model has but one.)
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

BASE = 3             # of the digits, which stand for the bytes of a value
MAX_VALUE = BASE * BASE - 1
AHEAD = 2
MAX_WAL = 3          # records, since the last crash
GUARDS = ('whole', 'log_count', 'flush', 'seen', 'standby')

# value: the last one, and left: how many more are logged; saved: the value that the last checkpoint
# wrote; wal: records since then, each a change of a value; disk, standby: how many of those they
# have; floor: the highest value that came, or that a raise has answered
State = namedtuple('State', 'value left saved wal disk standby floor sessions')
# to: what it raises to, or 0; lsn: what it waits for
Session = namedtuple('Session', 'to lsn')

IDLE = Session(0, 0)
START = State(0, 0, 0, (), 0, 0, 0, (IDLE, IDLE))


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def digits(value):
    return value // BASE, value % BASE


def difference(before, after):
    """The digits that differ, and None for those that do not."""
    return tuple(a if a != b else None for a, b in zip(digits(after), digits(before)))


def redo(value, record):
    high, low = (old if new is None else new for old, new in zip(digits(value), record))
    return high * BASE + low


def after_crash(state, records):
    value = state.saved
    for record in state.wal[:records]:
        value = redo(value, record)
    return START._replace(value=value, saved=value, floor=state.floor)


def steps(state, actions, guards):
    for i, me in enumerate(state.sessions):
        yield from raises(state, i, me, actions, guards)
    if 'nextval' in actions and state.value < MAX_VALUE:
        yield from nextval(state)
    if 'checkpoint' in actions and state.wal:
        yield 'a checkpoint', state._replace(saved=state.value, wal=(), disk=0, standby=0, sessions=tuple(
            session._replace(lsn=0) for session in state.sessions))
    if 'failover' in actions and state.standby < state.disk:
        yield 'the standby gets a record', state._replace(standby=state.standby + 1)
    if 'crash' in actions:
        yield 'crash', after_crash(state, state.disk)
    if 'failover' in actions:
        yield 'failover', after_crash(state, state.standby)


def nextval(state):
    """It logs if nothing is left, or if a checkpoint has begun; the commit waits for that."""
    value, left, wal = state.value + 1, state.left - 1, state.wal
    if state.left == 0 or not wal:
        if value + AHEAD > MAX_VALUE or len(wal) == MAX_WAL:
            return
        left, wal = AHEAD, wal + (digits(value + AHEAD),)
    if value <= state.floor:
        raise Violation(f'{value} comes, after {state.floor}')
    confirmed = {} if wal == state.wal else {'disk': len(wal), 'standby': len(wal)}
    yield f'nextval gives {value}', state._replace(value=value, left=left, wal=wal,
                                                  floor=value, **confirmed)


def raises(state, i, me, actions, guards):
    if me.to == 0:
        for to in range(1, MAX_VALUE + 1):
            if to > state.value and len(state.wal) < MAX_WAL:
                # the first record after a checkpoint has the whole page
                is_whole = 'whole' in guards or not state.wal
                record = digits(to) if is_whole else difference(state.value, to)
                after = state._replace(value=to, wal=state.wal + (record,),
                                       left=0 if 'log_count' in guards else state.left)
                yield f'{i} raises to {to}', move(after, i, to=to, lsn=len(after.wal))
            elif to == state.value:
                yield (f'{i} sees {to}',
                       move(state, i, to=to, lsn=len(state.wal) if 'seen' in guards else 0))
        return
    if 'flush' in guards:
        state = state._replace(disk=max(state.disk, me.lsn))
    if state.standby >= me.lsn or 'failover' not in actions or 'standby' not in guards:
        yield (f'{i} has raised to {me.to}',
               move(state._replace(floor=max(state.floor, me.to)), i, to=0, lsn=0))
    elif 'flush' in guards:
        yield f'{i} flushes', state


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
