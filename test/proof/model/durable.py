#!/usr/bin/env python3
"""A model of what is on disk and on a standby when ids are handed out.

usage: see explore.py

Two sessions take ids: of ranges of their own, of a window that they
share (src/session/carve.c), gapless numbers (src/store/gapless_row.c), or of a source that an ORM
takes blocks from, too (src/source/orm_source.c).  ACTIONS name one of these, session, window,
gapless or source, and what may happen besides: prefetch (reserve ahead of need), level
(another synchronous_commit in between), cancel (of a wait for the standby), evict (the slot
of a window goes to another generator), carve (a session takes a range out of the window, and
may return it), stop (the server in order, which saves the windows in a file that the next
start takes), half (a crash while the file is written), plain (a start without the library), copy
(of the data directory while stopped: later it recovers with the WAL, a standby that was made of
it is promoted, a base backup is restored over it, or its file alone is put back or put into the
cluster that pg_upgrade makes), foreign (a file of another system), crash, failover (to the
synchronous standby, which stays the same), rollback, orm (takes blocks
itself), reset (the source is set back).

WAL is a list of records; the disk has the first of them, the standby fewer of those.  An
id that was answered at synchronous_commit = on never comes again; one at local may,
after a failover.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 6
LENGTH = 2           # ids in a range
MAX_WAL = 5          # records, since the last crash
GUARDS = ('flush', 'standby', 'standby_check', 'strictest', 'level', 'mark', 'take_prefetched',
          'return_open', 'file_whole', 'file_state', 'file_checkpoint', 'file_timeline', 'file_system',
          'file_recovery', 'file_standby', 'file_removed', 'number_lock', 'lock_to_end', 'commit_flush',
          'own_transaction', 'above', 'source_flush')

# row: what the generator's row (and its source) is after each record of wal, and before the
# first; disk, standby: how many records they have; strong: bits of ids that must never come
# again, weak: of those that may after a failover; window: low, next, high in shared
# memory, or None; ahead: low, high and lsn of the next one, or None; holder: the session that has the lock of the numbers, or None.
# file: the window and what was ahead of it at a shutdown, and the guard that refuses them now, or None; copy: a file in a copy; mode: preloaded, plain, or stopped.
State = namedtuple('State', 'wal disk standby strong weak window ahead holder sessions file copy mode')
# last: the highest id reserved; source: the ORM's
Row = namedtuple('Row', 'last source')
# at: where it is; on: waits for the standby; range: next, high and how it was flushed;
# prefetched, hand: low, high and lsn; pending: a number that its transaction has taken
Session = namedtuple('Session', 'at on range prefetched hand pending')

IDLE = Session('idle', True, None, None, None, None)
START = State((Row(0, 0),), 0, 0, 0, 0, None, None, None, (IDLE, IDLE), None, None, 'preloaded')


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def now(state):
    return state.wal[-1]


def lsn(state):
    return len(state.wal) - 1


def write(state, **changes):
    return state._replace(wal=state.wal + (now(state)._replace(**changes),))


def hand_out(state, i, id_):
    """The client of session i has the id."""
    if (state.strong | state.weak) >> id_ & 1:
        raise Violation(f'{id_} comes twice')
    if state.sessions[i].on:
        return state._replace(strong=state.strong | 1 << id_)
    return state._replace(weak=state.weak | 1 << id_)


def flushed(state, upto):
    return state._replace(disk=max(state.disk, upto))


def steps(state, actions, guards):
    if state.mode == 'stopped':
        yield from starts(state, actions, guards)
        return
    for i, me in enumerate(state.sessions):
        if 'session' in actions:
            yield from of_session(state, i, me, actions, guards)
        if 'window' in actions:
            yield from of_window(state, i, me, actions, guards)
        if 'gapless' in actions:
            yield from of_gapless(state, i, me, actions, guards)
        if 'source' in actions:
            yield from of_source(state, i, me, actions, guards)
        if 'level' in actions and me.at == 'idle' and me.pending is None:
            yield f'{i} asks for {"local" if me.on else "on"}', move(state, i, on=not me.on)
    if state.standby < state.disk:
        yield 'the standby gets a record', state._replace(standby=state.standby + 1)
    if 'crash' in actions and lsn(state) > 0:
        yield 'crash', after_crash(state, state.disk, state.standby, state.weak)
    if state.copy:
        copied = state._replace(file=state.copy)
        yield 'the copy comes back', after_crash(copied, state.disk, state.standby, state.weak, 'file_recovery')
        yield 'a backup is restored over it', after_crash(copied, state.disk, state.standby, state.weak)
        if 'failover' in actions:
            yield 'a copy is promoted', after_crash(copied, state.standby, state.standby, 0, 'file_standby')
    if 'failover' in actions and lsn(state) > 0:
        yield 'failover', after_crash(state._replace(file=None), state.standby, state.standby, 0)


def after_crash(state, records, standby, weak, unfit='file_state'):
    """What is left is the row, a standby that catches up, and what clients have."""
    row = state.wal[records]
    wal = tuple(state.wal[standby:records]) + (row,) if standby < records else (row,)
    return State(wal, len(wal) - 1, 0, state.strong, weak, None, None, None,
                 tuple(IDLE._replace(on=session.on) for session in state.sessions),
                 state.file and state.file[:2] + (unfit,), state.copy, 'stopped')


def stops(state, actions):
    """All is flushed; the file tells of the shutdown that it belongs to."""
    after = after_crash(state, lsn(state), state.standby, state.weak, 'file_checkpoint')
    if state.mode == 'preloaded':
        after = after._replace(file=(state.window, state.ahead, None))
    elif state.file and state.file[2] == 'file_state':
        # of the timeline that a recovery began, the checkpoint may be where it was on another
        yield 'the server stops at the same place', after._replace(file=state.file[:2] + ('file_timeline',))
    yield 'the server stops', after
    if 'half' in actions and state.mode == 'preloaded' and state.window:
        low, _, high = state.window
        yield 'it crashes in the file', after._replace(file=((low, low, high), state.ahead, 'file_whole'))


def starts(state, actions, guards):
    """With the library, the file comes back, if nothing refuses it; without, it is left alone."""
    if 'copy' in actions and state.file and state.copy is None:
        yield 'a copy', state._replace(copy=state.file)
    if state.copy:
        yield 'its file is put back', state._replace(file=state.copy[:2] + ('file_checkpoint',))
        yield 'pg_upgrade, and its file', state._replace(file=state.copy[:2] + ('file_system',))
    if 'foreign' in actions:
        yield 'a file of another system', state._replace(file=((1, 1, LENGTH), None, 'file_system'))
    if 'plain' in actions:
        yield 'a start without the library', state._replace(mode='plain')
    window, ahead, unfit = state.file or (None, None, None)
    if unfit in guards:
        window = ahead = None
    yield 'a start with the library', state._replace(
        window=window, ahead=ahead and ahead[:2] + (lsn(state),), mode='preloaded', file=None if 'file_removed' in guards else state.file)


def room(state):
    return now(state).last + LENGTH <= MAX_ID and lsn(state) < MAX_WAL


def reserve(state):
    """A range above last, whose WAL is written."""
    low = now(state).last + 1
    after = write(state, last=low + LENGTH - 1)
    return after, (low, low + LENGTH - 1, lsn(after))


def confirm(state, i, me, actions, guards, strict, label):
    """flush_wal: the disk, then the standby; what follows is at 'confirmed'."""
    if me.at == 'flush':
        after = flushed(state, me.hand[2]) if 'flush' in guards else state
        waits = 'standby' in guards and (me.on or (strict and 'strictest' in guards))
        yield f'{i} flushes {label}', move(after, i, at='wait' if waits else 'confirmed')
    elif me.at == 'wait':
        if state.standby >= me.hand[2]:
            yield f'{i} hears of the standby', move(state, i, at='confirmed')
        elif 'cancel' in actions:
            # an error, and a range that is not ahead of a window is lost
            failed = move(state, i, at='failed')
            yield f'{i} is canceled', failed if 'standby_check' in guards else move(state, i, at='confirmed')
    elif me.at == 'failed':
        yield f'{i} fails', move(state, i, at='idle', hand=None)


def of_session(state, i, me, actions, guards):
    if me.at == 'idle' and me.range and me.range[0] <= me.range[1]:
        next_, high, synced = me.range
        if me.on and not synced and 'level' in guards:
            # the range was taken by a setting that asked for less
            yield f'{i} looks at its range again', move(state, i, at='flush', hand=(next_, high, lsn(state)), range=None)
        else:
            yield f'{i} takes {next_}', move(hand_out(state, i, next_), i, range=(next_ + 1, high, synced))
        if 'prefetch' in actions and me.prefetched is None and room(state):
            after, held = reserve(state)
            yield f'{i} reserves ahead', move(after, i, prefetched=held)
    elif me.at == 'idle' and me.prefetched:
        after = move(state, i, hand=me.prefetched, at='flush')
        if 'take_prefetched' in guards:
            after = move(after, i, prefetched=None)
        if 'mark' not in guards:
            # in its place before it is confirmed, so that an error leaves it there
            after = move(after, i, range=me.prefetched[:2] + (True,))
        yield f'{i} takes what it has ahead', after
    elif me.at == 'idle' and room(state):
        after, held = reserve(state)
        yield f'{i} reserves', move(after, i, at='flush', hand=held)
    elif me.at == 'confirmed':
        yield f'{i} has its range', move(state, i, at='idle', hand=None, range=me.hand[:2] + (me.on,))
    yield from confirm(state, i, me, actions, guards, False, 'its range')


def of_window(state, i, me, actions, guards):
    window = state.window
    if me.at == 'idle' and me.range:
        yield from of_carved(state, i, me, actions, guards)
        return
    if 'stop' in actions and all(s.at == 'idle' for s in state.sessions):
        yield from stops(state, actions)
    if me.at == 'idle' and window and window[1] <= window[2]:
        low, next_, high = window
        if 'carve' in actions:
            after = state._replace(window=(low, high + 1, high))
            yield f'{i} carves {next_}..{high}', move(after, i, range=(next_, high, True))
        else:
            yield f'{i} takes {next_}', hand_out(state, i, next_)._replace(window=(low, next_ + 1, high))
        if 'prefetch' in actions and state.ahead is None and state.holder is None and room(state):
            after, held = reserve(state)
            yield f'{i} reserves ahead', after._replace(ahead=held)
        if 'evict' in actions and state.holder is None:
            yield f'{i} closes the window', state._replace(window=None, ahead=None)
    elif me.at == 'idle' and state.holder is None and state.ahead:
        yield f'{i} takes what is ahead', move(state._replace(holder=i), i, at='flush', hand=state.ahead)
    elif me.at == 'idle' and state.holder is None and room(state):
        # ahead of the window until it is confirmed, also for the next one after an error
        after, held = reserve(state)
        yield f'{i} reserves', move(after._replace(holder=i, ahead=held), i, at='flush', hand=held)
    elif me.at == 'confirmed':
        low, high, _ = me.hand
        after = state._replace(window=(low, low, high), ahead=None if 'take_prefetched' in guards else state.ahead)
        yield f'{i} opens the window', move(after._replace(holder=None), i, at='idle', hand=None)
    elif me.at == 'failed':
        state = state._replace(holder=None)
    yield from confirm(state, i, me, actions, guards, True, 'the window')


def of_carved(state, i, me, actions, guards):
    """A range out of the window, of which the rest goes back on top of it."""
    next_, high, _ = me.range
    window = state.window
    rest = (next_ + 1, high, True) if next_ < high else None
    yield f'{i} takes {next_}', move(hand_out(state, i, next_), i, range=rest)
    after = move(state, i, range=None)
    if window and (window[0] <= high == window[1] - 1 or 'return_open' not in guards):
        after = after._replace(window=(window[0], next_) + window[2:])
    yield f'{i} returns its range', after


def of_gapless(state, i, me, actions, guards):
    """Numbers: last is what is committed, and a number is a client's when that is answered."""
    if me.at == 'idle' and me.pending is None:
        if (state.holder is None or 'number_lock' not in guards) and now(state).last < MAX_ID and lsn(state) < MAX_WAL:
            holder = i if 'lock_to_end' in guards else None
            yield f'{i} takes a number', move(state._replace(holder=holder), i, pending=now(state).last + 1)
    elif me.at == 'idle':
        free = None if state.holder == i else state.holder
        after = write(state, last=me.pending)._replace(holder=free)
        yield f'{i} commits', move(after, i, at='flush', hand=(me.pending, me.pending, lsn(after)))
        if 'rollback' in actions:
            yield f'{i} rolls back', move(state._replace(holder=free), i, pending=None)
    elif me.at == 'flush' and 'commit_flush' not in guards:
        yield f'{i} does not flush', move(state, i, at='confirmed')
    elif me.at == 'confirmed':
        after = hand_out(state, i, me.pending)
        numbers = after.strong | after.weak
        # those that are committed and not answered are in wal
        known = {row.last for row in state.wal} | {n for n in range(MAX_ID + 1) if numbers >> n & 1}
        if any(n not in known for n in range(1, me.pending)) and 'crash' not in actions and 'failover' not in actions:
            raise Violation(f'no client has a number below {me.pending}')
        yield f'{i} has {me.pending}', move(after, i, at='idle', hand=None, pending=None)
    elif me.at == 'failed':
        # the commit stands, and no client knows
        state = move(state, i, pending=None)
    yield from confirm(state, i, move(state, i).sessions[i], actions, guards, False, 'the commit')


def of_source(state, i, me, actions, guards):
    """Blocks of one id: the source is raised and committed, then the row."""
    row = now(state)
    if me.at == 'idle' and me.range is None and state.holder is None and row.source < MAX_ID and lsn(state) < MAX_WAL - 1:
        if 'own_transaction' in guards:
            after = write(state, source=row.source + 1)
            yield f'{i} has the source raised', move(after._replace(holder=i), i, at='receive', hand=(row.source + 1, 0, lsn(after)))
        else:
            yield f'{i} raises the source', move(state._replace(holder=i), i, at='receive', hand=(row.source + 1, 0, 0))
        if 'orm' in actions:
            after = write(state, source=row.source + 1)
            yield f'{i}, an ORM, raises the source', move(after, i, at='orm', hand=(row.source + 1, 0, lsn(after)))
        if 'reset' in actions and row.source > 0:
            yield 'the source is set back', flushed(write(state, source=row.source - 1), lsn(state) + 1)
    elif me.at == 'orm':
        after = flushed(state, me.hand[2])
        if 'reset' not in actions:
            after = hand_out(move(after, i, on=False), i, me.hand[0])
        yield f'{i}, an ORM, has {me.hand[0]}', move(after, i, at='idle', hand=None, on=me.on)
    elif me.at == 'receive':
        low = me.hand[0]
        if low <= row.last and 'above' in guards:
            yield f'{i} learns that the source is behind', move(state._replace(holder=None), i, at='idle', hand=None)
        else:
            after = write(state, last=max(row.last, low))
            at = 'flush' if 'source_flush' in guards else 'confirmed'
            yield f'{i} notes the block', move(after._replace(holder=None), i, at=at, hand=(low, low, lsn(after)))
    elif me.at == 'confirmed':
        after = hand_out(state, i, me.hand[0])
        yield f'{i} has {me.hand[0]}', move(after, i, at='idle', hand=None)
        if 'own_transaction' not in guards:
            yield f'{i} has {me.hand[0]}, and commits', move(write(after, source=me.hand[0]), i, at='idle', hand=None)
    yield from confirm(state, i, me, actions, guards, False, 'the block')


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
