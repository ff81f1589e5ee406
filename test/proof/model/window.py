#!/usr/bin/env python3
"""A model of the windows in shared memory (src/session/shared_window.c and shared_slot.c).

usage: see explore.py

Every order in which the steps of two sessions can come: each read and write of what they
share is a step of its own.  ACTIONS are what sessions may do besides taking ids one by
one: block, seed, give (close and give back), evict (hand the slot on to another generator,
which uses it), range (hilo_next_range), crash.

A reservation is durable at once here: see durable.py for the disk and the standby.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 6           # max_value; the state space ends here
LENGTH = 2           # ids in a window
CLOSINGS = 8         # no more is closed when so many generations are used
CLOSED = 6           # an offset that no window reaches
GUARDS = ('generation', 'block_generation', 'late_generation', 'exchange', 'describe',
          'tenancy', 'seed_closes', 'take_next', 'row_top', 'reserve_first')

# The slot: word (generation, offset); window (generation, or 0 while it is changed, low, length); next
# window (low, length) or None; own (low, high) or None; tenancy; generation counter.
# The row: last, top_low.  lock: the session that has the window lock.  used: bits of
# ids handed out, given: those of ranges for clients; floor: no id at or below may come any more.
State = namedtuple('State', 'word window next own tenancy counter last top lock used given floor sessions')
# A session: where it is; what it knows (tenancy, generation, low, length); what it has
# in hand; the highest id that had come when its call began.
Session = namedtuple('Session', 'at known hand before')

START = State((0, CLOSED), (0, 1, 0), None, None, 0, 1, 0, 0, None, 0, 0, 0,
              (Session('idle', None, None, 0),) * 2)


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
    return move(state, i, at='idle', hand=None)


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def highest(state):
    return max(state.used.bit_length() - 1, state.floor)


def add(word, count=1):
    return word[0], word[1] + count


def close(state, i, guards):
    """slot_close: what is left of the window is in the session's hand."""
    low, length = state.window[1:]
    used = min(state.word[1], length)
    rest = (low + used, state.own, state.next)
    word = (state.counter, CLOSED)
    return move(state._replace(word=word, window=(state.counter, 1, 0), next=None, own=None,
                               counter=state.counter + 1), i, hand=rest)


def give_back(state, rest, guards):
    """What is left, if it is on top of the row; else it is a gap."""
    unused, own, ahead = rest
    if own is None:
        return state
    high = own[1]
    if ahead and ahead[0] == high + 1:
        high = ahead[0] + ahead[1] - 1
    if unused <= high and ('row_top' not in guards or (state.last == high and state.top == own[0])):
        return state._replace(last=unused - 1, top=0)
    return state


def reserve(state):
    """store_take: the next window, and whether it continues the own range."""
    low, high = state.last + 1, min(state.last + LENGTH, MAX_ID)
    continues = state.own and state.own[1] == state.last and state.own[0] == state.top
    return state._replace(last=high, top=state.top if continues else low), (low, high - low + 1), continues


def steps(state, actions, guards):
    """What can happen next: a label, and the state after it."""
    for i, me in enumerate(state.sessions):
        yield from session_steps(state, i, me, actions, guards)
    if 'crash' in actions and state.counter > 1:
        idle = tuple(Session('idle', None, None, highest(state)) for _ in state.sessions)
        yield 'crash', START._replace(last=state.last, top=state.top, used=state.used, given=state.given, floor=state.floor,
                                      sessions=idle)


def session_steps(state, i, me, actions, guards):
    known = me.known
    fits = known and (state.word[0] == known[1] or 'generation' not in guards)
    if me.at == 'idle':
        now = move(state, i, before=highest(state))
        if fits and state.word[1] < known[3]:
            yield f'{i} reads the word', move(now, i, at='add')
            if 'block' in actions and state.word[1] + 2 <= known[3]:
                yield f'{i} reads the word for a block', move(now, i, at='block', hand=state.word)
        else:
            yield f'{i} looks again', move(now, i, at='adopt')
        for action in ('seed', 'give', 'evict'):
            if action in actions and state.lock is None and state.counter < CLOSINGS:
                yield f'{i} locks to {action}', move(now, i, at=action)._replace(lock=i)
        if 'range' in actions and state.last + 1 <= MAX_ID:
            id_ = state.last + 1
            if (state.used | state.given) >> id_ & 1:
                raise Violation(f'{id_} comes twice')
            yield f'{i} takes a range', state._replace(last=id_, top=0, given=state.given | 1 << id_)
    elif me.at == 'add':
        state = state._replace(word=add(state.word))
        word = state.word[0], state.word[1] - 1
        if fits and word[1] < known[3]:
            yield f'{i} adds at {word}', hand_out(state, i, known[2] + word[1])
        elif word[0] != known[1]:
            yield f'{i} adds late at {word}', move(state, i, at='late', hand=word)
        else:
            yield f'{i} adds beyond', move(state, i, at='adopt')
    elif me.at == 'late':
        # adopt: the description, the word and the tenancy as one, by slot_read
        right = describes(state, known, guards) and (
            state.window[0] == me.hand[0] or 'late_generation' not in guards) and me.hand[1] < state.window[2]
        if right:
            after = move(state, i, known=(known[0],) + state.window)
            yield f'{i} takes the late id', hand_out(after, i, state.window[1] + me.hand[1])
        else:
            yield f'{i} loses the late id', move(state, i, at='adopt', hand=None)
    elif me.at == 'block':
        if state.word == me.hand or ('block_generation' not in guards and state.word[1] == me.hand[1]):
            yield f'{i} takes a block', hand_out(state._replace(word=add(state.word, 2)), i, known[2] + me.hand[1], 2)
        else:
            yield f'{i} finds the word changed', move(state, i, at='idle', hand=None)
    elif me.at == 'adopt':
        if describes(state, known, guards) and state.word[1] < state.window[2]:
            yield f'{i} adopts', move(state, i, at='idle', known=(known[0],) + state.window)
        if state.lock is None:
            yield f'{i} locks', move(state._replace(lock=i), i, at='locked')
    elif me.at == 'locked':
        window = state.window
        if state.tenancy == 0 or state.tenancy < 0:
            # claim the slot
            yield f'{i} claims', state._replace(tenancy=state.counter, counter=state.counter + 1, next=None, own=None,
                                                window=(state.counter, 1, 0), word=(state.counter, CLOSED))
        elif state.word[1] < window[2]:
            now = move(state, i, at='idle', known=(state.tenancy,) + window)
            yield f'{i} copies', now._replace(lock=None)
            if state.next is None and state.last < MAX_ID:
                ahead, window, continues = reserve(now)
                yield f'{i} copies and reserves ahead', ahead._replace(next=window + (continues,), lock=None)
        elif state.next:
            yield f'{i} takes the next', move(state._replace(next=None if 'take_next' in guards else state.next), i,
                                              at='open', hand=state.next)
        elif state.last >= MAX_ID:
            yield f'{i} finds the end', move(state, i, at='idle')._replace(lock=None)
        elif 'reserve_first' in guards:
            after, window, continues = reserve(state)
            yield f'{i} reserves', move(after, i, at='open', hand=window + (continues,))
        else:
            window = (state.last + 1, min(LENGTH, MAX_ID - state.last), False)
            yield f'{i} does not reserve', move(state, i, at='open', hand=window)
    elif me.at == 'open':
        low, length, continues = me.hand
        own = (state.own[0], low + length - 1) if continues and state.own else (low, low + length - 1)
        begun = state.window if 'describe' not in guards else (0,) + state.window[1:]
        yield f'{i} begins to describe', move(state._replace(own=own, window=(begun[0], low, length)), i, at='described')
    elif me.at == 'described':
        yield f'{i} has described', move(state._replace(window=(state.counter,) + state.window[1:],
                                                        counter=state.counter + 1), i, at='word')
    elif me.at == 'word':
        yield f'{i} writes the word', move(state._replace(word=(state.window[0], 0), lock=None), i, at='idle', hand=None,
                                           known=(state.tenancy,) + state.window)
    elif me.at in ('seed', 'give', 'evict'):
        if state.tenancy <= 0 or (me.at == 'seed' and 'seed_closes' not in guards):
            yield f'{i} has nothing to close', move(state, i, at=me.at + ' 2', hand=None)
        elif 'exchange' in guards:
            yield f'{i} closes', move(close(state, i, guards), i, at=me.at + ' 2')
        else:
            yield f'{i} reads the word to close', move(state, i, at=me.at + ' 1', hand=state.word)
    elif me.at.endswith(' 1'):
        # closed in two steps: by the word as it was read
        after = close(state._replace(word=me.hand), i, guards)
        yield f'{i} closes by {me.hand}', move(after, i, at=me.at[:-1] + '2')
    elif me.at == 'give 2':
        after = give_back(state, me.hand, guards) if me.hand else state
        yield f'{i} gives back', move(after._replace(lock=None, tenancy=0), i, at='idle', hand=None)
    elif me.at == 'evict 2':
        # another generator has the slot now, and takes an id there, of its own
        after = give_back(state, me.hand, guards) if me.hand else state
        after = after._replace(tenancy=-after.counter, counter=after.counter + 2, own=None, next=None,
                               window=(after.counter + 1, MAX_ID - 1, 2), word=(after.counter + 1, 0), lock=None)
        yield f'{i} hands the slot on', move(after, i, at='idle', hand=None)
    elif me.at == 'seed 2':
        after = give_back(state, me.hand, guards) if me.hand else state
        if after.last < MAX_ID - 2:
            after = after._replace(last=after.last + 1, top=0)
        after = after._replace(floor=max(after.floor, after.last), lock=None,
                               tenancy=0 if 'seed_closes' in guards else after.tenancy)
        yield f'{i} seeds {after.last}', move(after, i, at='idle', hand=None)


def describes(state, known, guards):
    """slot_read and the comparison of tenancies."""
    return known and state.window[0] != 0 and state.window[0] == state.word[0] and \
        (state.tenancy == known[0] or 'tenancy' not in guards)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
