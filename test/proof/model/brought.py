#!/usr/bin/env python3
"""A model of ids that rows bring to a followed generator (window_try_skip_to and window_open in src/session).

usage: see explore.py

The word of the window goes up to such an id by one compare-and-swap.  An id above the window
opens another one above it, whose WAL is not on disk: only brought ids go into that until a
session that draws has flushed it.  ACTIONS are what may be done besides:

client      a client gets a range, and returns the rest of it
ahead       the next window is reserved when half of one is used
seed        hilo_seed to an id that is reserved
evict       the window ends
crash       of the server: WAL that is not on disk is lost, and so are rows without a commit
once        no more than one id is brought, and one of the last three

window.py and carve.py have the steps in which a window is described, and what ends a life.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 4           # max_value; the state space ends here
LENGTH = 2           # ids in a window
BROUGHT = 2          # no more ids are brought
CHANGES = 2          # no more seeds, evictions and crashes
GUARDS = ('window_end', 'exchange', 'client_bit', 'client_floor', 'client_again', 'draw_flush', 'carve_flush',
          'next_lsn', 'seed_flush', 'reserve')

# The slot: word (generation, offset, whether a client's range is on top); window (generation,
# low, length, lsn unless it is on disk); next (low, high, lsn) or None; client: the range that
# one got last, or None; floor: no range with ids up to it comes back; spin, lock: the session
# with the spinlock, and with the window lock.  wal: the highest id reserved after each record,
# and before the first; disk: how many records are there.
# Judged by: used, bits of ids drawn, and of those that clients hold; rows: bits of brought ids
# whose trigger has ended, committed: those on disk; seeded: no id up to it may come.
State = namedtuple('State', 'word window next client floor spin lock wal disk used rows committed seeded sent '
                            'count changes sessions')
# at: where it is; known: generation, low, length, whether ids may be drawn; hand: what it has
# read; id: what it brings; before: rows and seeded when its call began.
Session = namedtuple('Session', 'at known hand id before')

IDLE = Session('idle', None, None, None, None)
START = State((0, 0, False), (0, 1, 0, None), None, None, 0, None, None, (0,), 0, 0, 0, 0, 0, (), 0,
              0, (IDLE, IDLE))


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def idle(state, i, **changes):
    return move(state, i, at='idle', hand=None, id=None, before=None, **changes)


def limit(actions, count):
    return 1 if 'once' in actions else count


def bits(low, high):
    return (1 << high + 1) - (1 << low)


def lsn(state):
    return len(state.wal) - 1


def high(window):
    return window[1] + window[2] - 1


def top(state, low):
    return low + state.word[1] - 1


def hand_out(state, i, low, last):
    rows, seeded = state.sessions[i].before
    if state.used & bits(low, last):
        raise Violation(f'{low}..{last} comes twice')
    if rows & bits(low, last):
        raise Violation(f'{low}..{last} was brought by a row')
    if low <= seeded:
        raise Violation(f'{low} comes after a seed above it')
    return state._replace(used=state.used | bits(low, last))


def flush(state, upto):
    return state._replace(disk=max(state.disk, upto or 0))


def reserve(state, last):
    """store_take: a range above last, whose WAL is written."""
    low = max(state.wal[-1], last) + 1
    last = min(low + LENGTH - 1, MAX_ID)
    state = state._replace(wal=state.wal + (last,))
    return state, (low, last, lsn(state))


def change(state, low, length, upto):
    """window_stop_and_lock, and what follows."""
    generation = state.word[0] + 1
    return state._replace(word=(generation, 0, False), window=(generation, low, length, upto),
                          client=None)


def know(state, i, guards):
    """session_copy_window."""
    generation, low, length, unflushed = state.window
    return idle(state, i,
                known=(generation, low, length, unflushed is None or 'carve_flush' not in guards))


def steps(state, actions, guards):
    for i, me in enumerate(state.sessions):
        if me.at == 'idle':
            yield from begin_steps(state, i, me, actions)
        elif me.at in ('draw', 'take', 'look', 'locked', 'open'):
            yield from draw_steps(state, i, me, actions, guards)
        elif me.at.startswith('bring'):
            yield from bring_steps(state, i, me, guards)
        elif me.at.startswith('client'):
            yield from client_steps(state, i, me)
        else:
            yield from seed_steps(state, i, me, guards)
    if state.rows != state.committed:
        yield 'rows are committed', flush(state, lsn(state))._replace(committed=state.rows)
    if state.changes == limit(actions, CHANGES) or len(state.wal) == 1:
        return
    changed = state._replace(changes=state.changes + 1)
    if 'evict' in actions and state.lock is None and state.spin is None:
        yield 'the window ends', change(changed, state.wal[-1] + 1, 0, None)._replace(next=None)
    if 'crash' in actions:
        yield 'crash', START._replace(
            window=(0, state.wal[state.disk] + 1, 0, None), wal=(state.wal[state.disk],), used=state.used,
            rows=state.committed, committed=state.committed, seeded=state.seeded, count=state.count, changes=changed.changes)


def begin_steps(state, i, me, actions):
    now = move(state, i, before=(state.rows, state.seeded))
    yield f'{i} draws', move(now, i, at='draw')
    if state.count < limit(actions, BROUGHT):
        for id_ in range(1, MAX_ID):
            if not state.rows >> id_ & 1:
                yield (f'{i} brings {id_}',
                       move(now._replace(count=state.count + 1), i, at='bring', id=id_))
    for message in state.sent:
        # what the client has not used belongs to no client, whether it can come back or not
        low, last, last_used = message
        if state.spin is None and state.client == (low, last) and last_used >= state.floor and \
                state.word == (state.word[0], last + 1 - state.window[1], True):
            yield (f'{i} finds {message} on top',
                   move(state._replace(spin=i), i, at='client, back', hand=message + (state.word,)))
    if 'seed' in actions and state.lock is None and state.changes < limit(actions, CHANGES):
        for value in range(state.window[1], high(state.window) + 1):
            yield (f'{i} locks to seed {value}',
                   move(state._replace(lock=i, changes=state.changes + 1), i, at='seed', id=value))


def fits(state, me):
    return me.known and state.word[0] == me.known[0]


def draw_steps(state, i, me, actions, guards):
    if me.at == 'draw':
        if not fits(state, me) or not me.known[3] or state.word[1] >= me.known[2]:
            yield f'{i} looks again', move(state, i, at='look')
            return
        yield f'{i} reads the word', move(state, i, at='take', hand=state.word)
        if 'client' in actions and state.spin is None:
            low = me.known[1] + state.word[1]
            last = min(low + 1, high(me.known))
            after = hand_out(state._replace(word=(me.known[0], last + 1 - me.known[1], True), spin=i), i, low, last)
            yield f'{i} carves for a client', move(after, i, at='client', hand=(low, last))
        if 'ahead' in actions and state.next is None and state.lock is None and state.wal[-1] < MAX_ID and state.word[1] > 0:
            after, ahead = reserve(state, 0)
            yield f'{i} reserves ahead', after._replace(next=ahead)
    elif me.at == 'take':
        if state.word == me.hand:
            id_ = me.known[1] + me.hand[1]
            after = hand_out(state._replace(word=(me.known[0], me.hand[1] + 1, False)), i, id_, id_)
            yield f'{i} has {id_}', idle(after, i)
        else:
            yield f'{i} finds the word changed', move(state, i, at='draw', hand=None)
    elif me.at == 'look':
        if state.spin is None and not fits(state, me) and state.window[2] and state.window[3] is None:
            yield f'{i} follows', know(state, i, guards)
        if state.lock is None:
            yield f'{i} locks', move(state._replace(lock=i), i, at='locked')
    elif me.at == 'locked':
        if state.window[2] > state.word[1]:
            after = flush(state, state.window[3]) if 'draw_flush' in guards else state
            yield (f'{i} has it flushed',
                   know(after._replace(window=state.window[:3] + (None,), lock=None), i, guards))
        elif state.next:
            yield f'{i} flushes the next', move(flush(state, state.next[2]), i, at='open')
        elif state.wal[-1] < MAX_ID:
            after, ahead = reserve(state, 0)
            yield f'{i} reserves', after._replace(next=ahead)
        else:
            yield f'{i} finds the end', idle(state._replace(lock=None), i)
    elif state.spin is None:
        low, last, _ = state.next
        yield f'{i} opens it', know(change(state, low, last - low + 1, None)._replace(next=None, lock=None), i, guards)


def bring_steps(state, i, me, guards):
    done = idle(state._replace(rows=state.rows | 1 << me.id), i)
    if me.at == 'bring':
        if not fits(state, me) or me.id > high(me.known):
            yield f'{i} looks for a window of {me.id}', move(state, i, at='bring, look')
        elif me.id <= top(state, me.known[1]) and state.word[2] and 'client_bit' in guards:
            yield f"{i} finds a client's range", move(state, i, at='bring, keep')
        elif me.id <= top(state, me.known[1]) or 'window_end' not in guards:
            yield f'{i} has nothing to do for {me.id}', done
        else:
            yield f'{i} reads the word', move(state, i, at='bring, pass', hand=state.word)
    elif me.at == 'bring, pass':
        if state.word == me.hand or 'exchange' not in guards:
            yield (f'{i} raises the word to {me.id}',
                   done._replace(word=(me.known[0], me.id + 1 - me.known[1], False)))
        else:
            yield f'{i} finds the word changed', move(state, i, at='bring', hand=None)
    elif me.at == 'bring, keep':
        if state.spin is None:
            floor = max(state.floor, me.id) if 'client_floor' in guards else state.floor
            kept = fits(state, me) and me.id <= top(state, me.known[1])
            after = done if kept or 'client_again' not in guards else move(state, i, at='bring')
            yield f'{i} raises the floor to {me.id}', after._replace(floor=floor)
    elif state.spin is None:
        if not fits(state, me):
            yield (f'{i} follows',
                   move(know(state, i, guards), i, at='bring', id=me.id, before=me.before))
        if state.lock is None and me.id > high(state.window):
            yield f'{i} opens a window above {me.id}', open_above(state, i, me, guards)


def open_above(state, i, me, guards):
    """window_open, without a flush."""
    ahead = state.next
    if not ahead or ahead[1] <= me.id:
        if 'reserve' in guards:
            state, ahead = reserve(state, me.id)
        else:
            # the row is to show it when ids are drawn
            ahead = (me.id + 1, me.id, None)
    elif 'next_lsn' not in guards:
        ahead = ahead[:2] + (None,)
    low = max(ahead[0], me.id + 1)
    after = change(state, low, ahead[1] - low + 1, ahead[2])._replace(next=None)
    return move(know(after, i, guards), i, at='bring', id=me.id, before=me.before)


def client_steps(state, i, me):
    if me.at == 'client':
        low, last = me.hand
        after = idle(state._replace(client=me.hand, spin=None), i)
        yield f'a client keeps {me.hand}', after
        for last_used in range(low - 1, last):
            yield f'a client uses {me.hand} up to {last_used}', after._replace(
                used=state.used & ~bits(last_used + 1, last), sent=state.sent + ((low, last, last_used),))
    else:
        low, last, last_used, word = me.hand
        after = idle(state._replace(spin=None, sent=()), i)
        if state.word == word:
            after = after._replace(word=(word[0], last_used + 1 - state.window[1], False),
                                   client=None)
        yield f'{i} takes {me.hand} back', after


def seed_steps(state, i, me, guards):
    if me.at == 'seed':
        after = flush(state, state.window[3]) if 'seed_flush' in guards else state
        yield f'{i} flushes', move(after, i, at='seed, raise')
    elif state.spin is None:
        low = max(state.window[1] + state.word[1], me.id + 1)
        after = change(state, low, high(state.window) - low + 1, state.window[3])
        yield f'{i} seeds {me.id}', idle(after._replace(lock=None, seeded=max(state.seeded, me.id),
                                                        floor=max(state.floor, me.id)), i)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
