#!/usr/bin/env python3
"""A model of the windows in shared memory (src/session).

usage: see explore.py

Every order in which the steps of two sessions can come: each read and write of what they
share is a step of its own.  A window is open until it is used up or ended.  ACTIONS are
what may be done besides taking ids one by one:

block       two ids in a row; what a window has left comes first in the next one
leave       a session ends, and another one begins in its place, which knows nothing
seed        hilo_seed: a window that has ids above the value goes on there, others end
evict       the window ends, and the slot goes to another generator, which uses it
source      another server takes an id where the windows come from
crash       of the server
once        no more than one seed or eviction

A reservation is durable at once here: see durable.py for the disk and the standby.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 6           # max_value; the state space ends here
LENGTH = 2           # ids in a window
CHANGES = 2          # no more seeds and evictions
OURS, OTHER, FREE = 1, 2, 0
GUARDS = ('generation', 'take_generation', 'exchange', 'spinlock', 'key', 'seed_closes',
          'raise_above', 'raise_next', 'raise_generation', 'take_next', 'rest_first', 'adjoins', 'reserve_first')

# The slot: word (generation, offset); window (generation, low, length, key); next window (low,
# length) or None; generation counter; spin: whether a session has the spinlock.  The row, or
# the source: last.  lock: the session that has the window lock.  used: bits of ids handed out,
# given: of those that another server has; floor: no id at or below may come any more.
State = namedtuple('State',
                   'word window next counter spin last lock used given floor changes sessions')
# A session: where it is; how many ids it wants; what it knows (generation, low, length); what
# it has in hand; the highest id that had come when its call began.
Session = namedtuple('Session', 'at count known hand before')

IDLE = Session('idle', 1, None, None, 0)
START = State((0, 0), (0, 1, 0, FREE), None, 1, False, 0, None, 0, 0, 0, 0, (IDLE, IDLE))


def hand_out(state, i, low, count=1):
    """State after session i has got count ids."""
    for id_ in range(low, low + count):
        if id_ < 1 or id_ > MAX_ID:
            raise Violation(f'{id_} is outside')
        if (state.used | state.given) >> id_ & 1:
            raise Violation(f'{id_} comes twice')
        if id_ <= max(state.floor, state.sessions[i].before):
            raise Violation(f'{id_} comes after one above it')
        state = state._replace(used=state.used | 1 << id_)
    return idle(state, i)


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def idle(state, i, **changes):
    return move(state, i, at='idle', count=1, hand=None, **changes)


def highest(state):
    return max(state.used.bit_length() - 1, state.floor)


def add(word, count):
    return word[0], word[1] + count


def unused(state):
    return max(state.window[2] - state.word[1], 0)


def reserved(state):
    """The last id of the window, or of the one that will follow."""
    window = state.next or state.window[1:3]
    return sum(window) - 1


def check_nothing_is_gone(state, actions):
    """Where nothing is going on, what is reserved is used, or at hand."""
    if state.lock is not None or any(me.at != 'idle' for me in state.sessions) or actions - {'none', 'block', 'leave'}:
        return
    ahead = state.next[1] if state.next else 0
    if state.last != bin(state.used).count('1') + unused(state) + ahead:
        raise Violation(f'an id up to {state.last} is gone')


def reserve(state, count):
    """store_take: another range."""
    low, high = state.last + 1, min(state.last + max(LENGTH, count), MAX_ID)
    return state._replace(last=high), (low, high - low + 1)


def steps(state, actions, guards):
    """What can happen next: a label, and the state after it."""
    check_nothing_is_gone(state, actions)
    for i, me in enumerate(state.sessions):
        yield from session_steps(state, i, me, actions, guards)
    if 'source' in actions and state.last < MAX_ID:
        id_ = state.last + 1
        if (state.used | state.given) >> id_ & 1:
            raise Violation(f'{id_} comes twice')
        yield f'another server takes {id_}', state._replace(last=id_, given=state.given | 1 << id_)
    if 'crash' in actions and state.counter > 1:
        sessions = (IDLE._replace(before=highest(state)),) * 2
        yield 'crash', START._replace(last=state.last, used=state.used, given=state.given, floor=state.floor,
                                      changes=state.changes, sessions=sessions)


def session_steps(state, i, me, actions, guards):
    if me.at == 'idle':
        yield from call_steps(state, i, me, actions, guards)
        yield from begin_others(state, i, me, actions)
    elif me.at == 'take':
        yield from take_steps(state, i, me, guards)
    elif me.at in ('adopt', 'locked', 'open'):
        yield from look_steps(state, i, me, guards)
    elif me.at.startswith('seed'):
        yield from seed_steps(state, i, me, guards)
    elif me.at == 'evict':
        yield f'{i} ends the window', move(close_window(state), i, at='evict, ended')
    elif me.at == 'evict, ended':
        # another generator has the slot now, and takes an id there, of its own
        after = state._replace(window=(state.counter, MAX_ID - 1, 2, OTHER), word=(state.counter, 0),
                               next=None, counter=state.counter + 1, lock=None)
        yield f'{i} hands the slot on', idle(after, i)
    else:
        yield from change_steps(state, i, me, guards)


def call_steps(state, i, me, actions, guards):
    now = move(state, i, before=highest(state))
    known = me.known
    for count in (1, 2) if 'block' in actions else (1,):
        if known and fits(state, me, guards) and state.word[1] + count <= known[2]:
            yield (f'{i} reads the word to take {count}',
                   move(now, i, at='take', count=count, hand=state.word))
        elif count == 1:
            yield f'{i} looks again', move(now, i, at='adopt')
        elif state.lock is None:
            yield f'{i} locks for a block', move(now._replace(lock=i), i, at='locked', count=count)


def begin_others(state, i, me, actions):
    if 'leave' in actions and me.known:
        yield f'{i} leaves', move(state, i, known=None)
    for action in ('seed', 'evict'):
        if action in actions and state.lock is None and state.changes < (1 if 'once' in actions else CHANGES) and \
                (action == 'seed' or state.window[3] == OURS):
            yield (f'{i} locks to {action}',
                   move(state._replace(lock=i, changes=state.changes + 1), i, at=action))


def fits(state, me, guards):
    return state.word[0] == me.known[0] or 'generation' not in guards


def describes(state, guards):
    """slot_read, and the comparison of keys."""
    return not (state.spin and 'spinlock' in guards) and (state.window[3] == OURS or 'key' not in guards)


def take_steps(state, i, me, guards):
    if state.word == me.hand or ('take_generation' not in guards and state.word[1] == me.hand[1]):
        yield f'{i} takes {me.count}', hand_out(state._replace(word=add(state.word, me.count)), i,
                                                me.known[1] + me.hand[1], me.count)
    else:
        yield f'{i} finds the word changed', idle(state, i)


def look_steps(state, i, me, guards):
    if me.at == 'adopt':
        # a session that has not met the slot looks under the lock
        if me.known and describes(state, guards) and state.word[1] < state.window[2]:
            yield f'{i} adopts', idle(state, i, known=state.window[:3])
        if state.lock is None:
            yield f'{i} locks', move(state._replace(lock=i), i, at='locked')
    elif me.at == 'locked':
        if state.window[3] != OURS:
            yield f'{i} claims', state._replace(window=(state.counter, 1, 0, OURS), word=(state.counter, 0),
                                                next=None, counter=state.counter + 1)
        elif unused(state) >= me.count:
            now = idle(state, i, known=state.window[:3])._replace(lock=None)
            yield f'{i} copies', now
            if state.next is None and state.last < MAX_ID:
                ahead, window = reserve(now, 1)
                yield f'{i} copies and reserves ahead', ahead._replace(next=window)
        elif state.next:
            yield f'{i} takes the next', move(state._replace(next=None if 'take_next' in guards else state.next), i,
                                              at='open', hand=state.next)
        elif state.last >= MAX_ID:
            yield f'{i} finds the end', idle(state, i, known=state.window[:3])._replace(lock=None)
        elif 'reserve_first' in guards:
            after, window = reserve(state, me.count)
            yield f'{i} reserves', move(after, i, at='open', hand=window)
        else:
            yield f'{i} does not reserve', move(state, i, at='open', hand=(state.last + 1, min(LENGTH, MAX_ID - state.last)))
    elif 'exchange' in guards:
        yield f'{i} ends the window before', open_after(state, i, state.word, guards)
    else:
        yield (f'{i} reads the word to end the window',
               move(state, i, at='open by', hand=(me.hand, state.word)))


def end_window(state, generation):
    """window_stop_and_lock: another word, by which no session takes an id any more, under the spinlock."""
    counter = state.counter + (generation == state.counter)
    return state._replace(word=(generation, 0), window=(generation,) + state.window[1:],
                          counter=counter, spin=True)


def close_window(state):
    """window_close: what follows has no ids."""
    return state._replace(word=(state.counter, 0), window=(state.counter, 1, 0, state.window[3]),
                          next=None, counter=state.counter + 1)


def open_after(state, i, word, guards):
    """window_open, up to the exchange of the word: what is in hand is described next."""
    me = state.sessions[i]
    low, length = me.hand
    rest = state.window[1] + min(word[1], state.window[2])
    left = sum(state.window[1:3]) - rest
    block = None
    if left and 'rest_first' in guards and (rest + left == low or 'adjoins' not in guards):
        low, length = rest, low + length - rest
    if me.count > 1 and length >= me.count:
        block, low, length = low, low + me.count, length - me.count
    return move(end_window(state, state.counter), i, at='change',
                hand=(low, length, state.next, block, None))


def raise_after(state, i, word, value, guards):
    """window_raise, as far."""
    def above(low, high):
        return max(low, value + 1), max(high - max(low, value + 1) + 1, 0)

    used = min(word[1], state.window[2])
    low, length = state.window[1] + used, state.window[2] - used
    if 'raise_above' in guards:
        low, length = above(low, low + length - 1)
    ahead = state.next
    if ahead and 'raise_next' in guards:
        ahead = above(ahead[0], sum(ahead) - 1)
    if ahead and ahead[1] == 0:
        ahead = None
    generation = state.counter if 'raise_generation' in guards else state.word[0]
    return move(end_window(state, generation), i, at='change',
                hand=(low, length, ahead, None, value))


def seed_steps(state, i, me, guards):
    if me.at == 'seed':
        ours = state.window[3] == OURS
        top = reserved(state) if ours else 0
        for value in range(1, min(state.last + 2, MAX_ID)):
            if not ours or value > top:
                after = close_window(state) if ours and 'seed_closes' in guards else state
                yield (f'{i} ends the window to seed {value}',
                       move(after, i, at='seed, row', hand=value))
            elif value < state.window[1] + min(state.word[1], state.window[2]):
                yield f'{i} finds {value} used', idle(state._replace(lock=None), i)
            elif 'exchange' in guards:
                yield (f'{i} ends the window to raise it above {value}',
                       raise_after(state, i, state.word, value, guards))
            else:
                yield (f'{i} reads the word to raise it above {value}',
                       move(state, i, at='seed by', hand=(value, state.word)))
    elif me.at == 'seed by':
        value, word = me.hand
        yield f'{i} raises by {word}', raise_after(state, i, word, value, guards)
    else:
        value = max(state.last, me.hand)
        after = state._replace(last=value, floor=max(state.floor, me.hand), lock=None)
        if state.window[3] == OURS and 'seed_closes' in guards:
            after = after._replace(window=(state.word[0], 1, 0, FREE), next=None)
        yield f'{i} seeds {value}', idle(after, i)


def change_steps(state, i, me, guards):
    """The window in place of the former one."""
    if me.at == 'open by':
        window, word = me.hand
        yield f'{i} opens by {word}', open_after(move(state, i, hand=window), i, word, guards)
    elif me.at == 'change':
        low, length, ahead, block, value = me.hand
        yield f'{i} describes', move(state._replace(window=(state.window[0], low, length, OURS), next=ahead), i,
                                     at='changed', hand=(block, value))
    else:
        block, value = me.hand
        after = move(state._replace(spin=False, lock=None), i, known=state.window[:3])
        if block is not None:
            after = hand_out(after, i, block, 2)
        elif value is not None:
            after = after._replace(floor=max(after.floor, value))
        yield f'{i} has described', idle(after, i)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
