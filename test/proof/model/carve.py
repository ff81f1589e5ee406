#!/usr/bin/env python3
"""A model of ranges carved from a window, of their return, and of a generator's lives.

usage: see explore.py

A session carves a range from the window in shared memory by one compare-and-swap, and
hands its ids out of its own memory.  No id takes a lock: before each one the session
reads the life word, which whatever ends a life raises, and looks at the generator again
if the word has changed.  To look takes the generator's lock, so it waits for the
transaction of a drop; and it reads the word before the row.

Steps that others can see are steps here; what a session does between them in its own
memory goes with the one before.  window.py has the description of a window in smaller
steps, durable.py the disk.  ACTIONS are what may be done besides:

return      a session returns the rest of its range, on top or to the list in the slot
client      a client gets a range with a number, and returns the rest, more than once
leave       a session ends, and another one begins in its place, which knows nothing
evict       the window ends, and another generator gets the slot; or it gets one that a drop has freed
tag         the node tag of the server changes
lift        hilo_resync in one order, to an id of the window, or hilo_seed below it: ranges go on
seed        hilo_seed to an id of the window, or above it: ranges are forgotten, too
restore     the row is raised by a restore, which holds no lock
narrow      hilo_alter to the lowest max_value that it allows
force       hilo_seed(force): another life, whose ids repeat
drop        drop and create, another life from the commit on; or it rolls back: the slot is free
prepare     the same by PREPARE TRANSACTION, and COMMIT or ROLLBACK PREPARED
crash       of the server: a prepared transaction stays
once        no more than one of the ten before
waits       the other way, which was not taken: a transaction publishes its use, its ids
            read no word, and what ends a life waits for the transactions that published
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 6           # max_value; the state space ends here
LENGTH = 4           # ids in a window
RANGE = 2            # ids in a range
LISTED = 2           # ranges in the list of the slot
CHANGES = 2          # no more happens to the window and the life of the generator
NUMBERS = 2          # ranges for clients
GUARDS = ('word', 'word_first', 'look_lock', 'generation', 'fits', 'forget', 'window_incarnation', 'take_out',
          'return_top', 'return_generation', 'return_incarnation', 'return_floor', 'list',
          'list_generation', 'list_above', 'list_refused', 'list_closed', 'claim_floor', 'tag_floor', 'same_tag',
          'seed_floor', 'seed_read', 'new_number', 'number', 'client_lock', 'client_floor', 'client_cleared', 'raise',
          'raise_before', 'follow_word')

# The slot: word (generation, offset); window (generation, low, length, incarnation, life, node
# tag); listed: ranges that no session has; above: ids up to there are not taken back; client:
# number, generation, low and high of the range that a client got last; number: how many there
# were; spin: which session has the slot's spinlock; pool: which changes lists.
# The row: last, incarnation, life, limit, which is max_value.  tag: the node tag of the server.
# life_word.  locked: what has the generator's lock in exclusive mode, a session or 'prepared';
# wlock: what has the window lock.
# Judged by: used, ids of each life; begun: the life that has been answered; floor: no id of it
# at or below may come any more; lifted: none may be carved; tagged: the first id that was
# reserved with another node tag; sent: returns of clients; lost: ids that no client gets.
State = namedtuple('State', 'word window listed above client number spin pool last incarnation life tag life_word locked wlock '
                            'used begun floor lifted tagged sent lost changes limit sessions')
# at: where it is; call: an id, or a client; seen: the life word at the last look; incarnation,
# limit: of the row then; known: generation, low, length, life, tag; range: next, high, top
# word, life, tag; had: life and highest id; before: begun, floor and lifted when the call
# began; hand: what it has read, or taken out; shares: it holds the generator's lock; published:
# the use of it.
Session = namedtuple('Session',
                     'at call seen incarnation limit known range had before hand shares published')

IDLE = Session('idle', None, None, None, MAX_ID, (-1, 1, 0, 0, 0), None, (0, 0), None, None, False,
               False)
# incarnations: of no generator, and of another one
FREE, OTHER = -1, -2
START = State((0, LENGTH), (0, 1, 0, FREE, 0, 0), (), 0, None, 0, None, None, 0, 0, 0, 0, 0, None, None,
              (0,) * (CHANGES + 1), 0, 0, 0, None, (), 0, 0, MAX_ID, (IDLE, IDLE))


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def idle(state, i, **changes):
    return move(state, i, at='idle', call=None, before=None, hand=None, shares=False, **changes)


def bits(low, high):
    return (1 << high + 1) - (1 << low)


def hand_out(state, i, low, high, life, tag):
    """A client gets ids of session i."""
    begun, floor, _ = state.sessions[i].before
    if low < 1 or high > state.limit:
        raise Violation(f'{low}..{high} is outside')
    if state.used[life] & bits(low, high):
        raise Violation(f'{low}..{high} comes twice')
    if tag != int(state.tagged is not None and low >= state.tagged):
        raise Violation(f'{low} comes with the wrong node tag')
    if life < begun:
        raise Violation(f'{low} is of a life that has ended')
    if life == begun and low <= floor:
        raise Violation(f'{low} comes after a seed above it')
    return state._replace(used=state.used[:life] + (state.used[life] | bits(low, high),) + state.used[life + 1:])


def carved(state, i, low, life):
    """A session has ids for itself, or for a client."""
    begun, _, lifted = state.sessions[i].before
    if life == begun and low <= lifted:
        raise Violation(f'{low} is carved after a seed above it')
    return state


def ids_in(ranges):
    return sum(high - low + 1 for low, high in ranges)


def check_nothing_is_gone(state, actions):
    """Where nothing is going on, what is reserved is used, at hand, or counted as lost."""
    if any(me.at != 'idle' or me.range for me in state.sessions) or state.number or \
            actions - {'return', 'evict', 'leave', 'tag', 'once'}:
        return
    at_hand = ids_in(state.listed) + max(state.window[2] - state.word[1], 0) if is_ours(state) else 0
    if state.wlock is None and state.last != bin(state.used[0]).count('1') + at_hand + state.lost:
        raise Violation(f'an id up to {state.last} is gone')


def steps(state, actions, guards):
    """What can happen next: a label, and the state after it."""
    is_stuck = any(me.at != 'idle' for me in state.sessions)
    if len(state.listed) > 1 and state.window[3] == OTHER:
        raise Violation(f'another generator gets {state.listed}')
    check_nothing_is_gone(state, actions)
    for i, me in enumerate(state.sessions):
        for step in session_steps(state, i, me, actions, guards):
            is_stuck = False
            yield step
    if state.locked == 'prepared':
        is_stuck = False
        yield 'COMMIT PREPARED', another_life(state._replace(locked=None))
        yield 'ROLLBACK PREPARED', state._replace(locked=None)
    if is_stuck:
        raise Violation('all wait for each other')
    if 'crash' in actions and state.changes < (1 if 'once' in actions else CHANGES) and state.last > 0:
        yield 'crash', START._replace(last=state.last, incarnation=state.incarnation, life=state.life, tag=state.tag,
                                      used=state.used, begun=state.begun, floor=state.floor, lifted=state.lifted, tagged=state.tagged,
                                      sent=state.sent, number=state.number, changes=state.changes + 1, limit=state.limit,
                                      locked='prepared' if state.locked == 'prepared' else None)


def jump(state, last):
    """Another incarnation, in which nothing that was reserved before is handed out."""
    return state._replace(last=last, incarnation=state.incarnation + 1)


def another_life(state):
    """A generator that begins anew, and the answer that says so."""
    return jump(state, 0)._replace(life=state.life + 1, begun=state.life + 1, floor=0, lifted=0)


def is_ours(state):
    """Whether the slot is found as the generator's, of whichever incarnation."""
    return state.window[3] not in (FREE, OTHER)


def rest_of(state):
    low, length = state.window[1:3]
    return low + min(state.word[1], length), low + length - 1


def close(state, incarnation, guards):
    """window_close: another generation, and what was returned, or will be, is lost."""
    low, high = rest_of(state)
    generation = state.word[0] + 1
    after = state._replace(word=(generation, LENGTH), window=(generation, 1, 0, incarnation) + state.window[4:],
                           lost=state.lost + (max(high - low + 1, 0) if is_ours(state) else 0))
    return refuse(after, low - 1, guards) if 'list_closed' in guards else after


def end(state, guards):
    """The window of a life that ends; the slot stays the generator's."""
    return close(state, state.window[3], guards) if is_ours(state) else state


def evict(state, guards):
    """window_end; the slot is another generator's, which has its own window, node tag, and list."""
    after = close(state, OTHER, guards)
    return after._replace(window=after.window[:5] + (state.tag,), above=0,
                          listed=((MAX_ID + 1, MAX_ID + 1),))


def claim(state, incarnation, last, guards):
    """slot_claim: a slot of another, which comes with an empty list, or the generator's own, of another incarnation."""
    listed = ()
    generation = state.word[0] + 1
    if is_ours(state):
        state = end(state, guards)
        listed = state.listed
    return state._replace(word=(generation, LENGTH), window=(generation, 1, 0, incarnation, state.life, state.window[5]),
                          listed=listed, above=last if 'claim_floor' in guards else 0)


def is_still(state):
    """What changes a window has both locks."""
    return state.spin is None and state.pool is None


def refuse(state, value, guards):
    """slot_raise_floor_and_unlock."""
    if 'list_refused' in guards:
        kept = tuple((max(low, value + 1), high) for low, high in state.listed if high > value)
        state = state._replace(listed=kept, lost=state.lost + ids_in(state.listed) - ids_in(kept))
    return state._replace(above=max(state.above, value))


def open_window(state, window, guards):
    """window_open: what is left of the one before comes first, if it adjoins."""
    rest, high = rest_of(state)
    low, length, incarnation, life, tag = window
    same_tag = state.window[5] == tag
    if rest <= high and high + 1 == low and (same_tag or 'same_tag' not in guards):
        low, length = rest, low + length - rest
    else:
        state = state._replace(lost=state.lost + max(high - rest + 1, 0))
    if not same_tag and 'tag_floor' in guards:
        state = refuse(state, low - 1, guards)
    generation = state.word[0] + 1
    return state._replace(word=(generation, 0),
                          window=(generation, low, length, incarnation, life, tag))


def raise_window(state, value, incarnation, guards):
    """window_raise."""
    low, high = rest_of(state)
    forgets = incarnation != state.window[3]
    new = max(low, value + 1)
    generation = state.word[0] + 1
    after = state._replace(word=(generation, 0),
                           window=(generation, new, high - new + 1, incarnation) + state.window[4:])
    return refuse(after, max(low - 1, value) if forgets else value, guards) if 'seed_floor' in guards else after


def session_steps(state, i, me, actions, guards):
    if me.at == 'idle':
        yield from call_steps(state, i, me, actions, guards)
        yield from begin_others(state, i, me, actions, guards)
    elif me.at == 'call':
        yield from carve_steps(state, i, me, actions, guards)
    elif me.at in ('look', 'row', 'adopt', 'open', 'reserve', 'describe'):
        yield from look_steps(state, i, me, guards)
    elif me.at in ('give', 'list'):
        yield from return_steps(state, i, me, guards)
    elif me.at in ('note', 'back', 'compared'):
        yield from client_steps(state, i, me, guards)
    else:
        yield from change_steps(state, i, me, actions, guards)


def call_steps(state, i, me, actions, guards):
    """A call begins.  Reads the word, and hands out an id at hand."""
    now = move(state, i, call='id', before=(state.begun, state.floor, state.lifted))
    if 'waits' in actions and me.published:
        yield f'{i} ends its transaction', move(state, i, published=False)
    elif 'waits' in actions:
        now = move(now, i, published=True)
    yield from look_or_take(now, i, actions, guards)
    if 'client' in actions and state.number < NUMBERS:
        yield from look_or_take(move(now, i, call='client'), i, actions, guards)


def look_or_take(state, i, actions, guards):
    me = state.sessions[i]
    trusts = 'word' not in guards or ('waits' in actions and me.at == 'idle' and me.published)
    if me.seen is None or (me.seen != state.life_word and not trusts):
        yield f'{i} has to look', move(state, i, at='look')
    elif me.call == 'client' or not me.range:
        yield f'{i} needs a range', move(state, i, at='call')
    else:
        id_, high, top, life, tag = me.range
        if (life, id_) <= me.had:
            raise Violation(f'{id_} comes below one of the session')
        rest = (id_ + 1, high, top, life, tag) if id_ < high else None
        yield (f'{i} hands out {id_}',
               idle(hand_out(state, i, id_, id_, life, tag), i, range=rest, had=(life, id_)))


def carve_steps(state, i, me, actions, guards):
    """A range: from the list, or from the window that the session knows, by one step."""
    generation, low, length, life, tag = me.known
    mine = state.word[0] == generation
    offset = state.word[1]
    end = min(low + length - 1, me.limit)
    count = min(RANGE, end + 1 - low - offset) if 'fits' in guards else RANGE
    if me.call == 'id' and me.range:
        yield from look_or_take(state, i, actions, guards)
        return
    if me.call == 'client':
        if not mine or low + offset > end or (count < RANGE and end < me.limit):
            yield from find_no_rest(state, i, me, guards)
        elif state.spin is None or 'client_lock' not in guards:
            after = state._replace(word=(generation, offset + count), number=state.number + 1,
                                   spin=i)
            yield f'{i} carves for a client', move(carved(after, i, low + offset, life), i, at='note',
                                                          hand=(low + offset, low + offset + count - 1))
        return
    had = me.had[1] if me.had[0] == life else 0
    for found in state.listed:
        is_above = found[0] > had or 'list_above' not in guards
        if (mine or 'list_generation' not in guards) and state.pool is None and is_above:
            after = state._replace(listed=tuple(r for r in state.listed if r != found))
            top = generation, max(found[1] + 1 - low, 0)
            after = move(carved(after, i, found[0], life), i, range=found + (top, life, tag))
            yield from look_or_take(after, i, actions, guards)
    if low + offset <= end and (mine or 'generation' not in guards):
        after = move(carved(state._replace(word=(state.word[0], offset + count)), i, low + offset, life), i,
                     range=(low + offset, low + offset + count - 1, (generation, offset + count), life, tag))
        # the word is read once more before the first id
        yield from look_or_take(after, i, actions, guards)
    else:
        yield from find_no_rest(state, i, me, guards)


def find_no_rest(state, i, me, guards):
    """session_refresh_window: without a lock, if another window has come."""
    generation, low, length, incarnation, life, tag = state.window
    if incarnation == me.incarnation and state.word[0] == generation != me.known[0] and has_room(state, me) and \
            (me.seen == state.life_word or 'follow_word' not in guards):
        yield f'{i} follows', move(state, i, known=(generation, low, length, life, tag))
    yield f'{i} finds no rest', move(state, i, at='look')


def can_take_listed(state, me, life):
    return any(me.had[0] != life or low > me.had[1] for low, _ in state.listed)


def look_steps(state, i, me, guards):
    """session_revalidate, and the window."""
    def read_row():
        changed = me.incarnation != state.incarnation
        return {'incarnation': state.incarnation, 'limit': state.limit, 'range': None if changed and 'forget' in guards else me.range}

    first = 'word_first' in guards
    if me.at == 'look':
        if state.locked in (None, i) or 'look_lock' not in guards:
            read = {'seen': state.life_word} if first else read_row()
            yield f'{i} locks to look', move(state, i, at='row', shares=True, **read)
    elif me.at == 'row':
        yield (f'{i} looks',
               move(state, i, at='adopt', **(read_row() if first else {'seen': state.life_word})))
    elif me.at == 'adopt':
        generation, low, length, incarnation, life, tag = state.window
        mine = incarnation == me.incarnation or ('window_incarnation' not in guards and is_ours(state))
        if mine and generation == state.word[0] and \
                (has_room(state, me) or (me.call == 'id' and (me.range or can_take_listed(state, me, life)))):
            yield f'{i} adopts', move(state, i, at='call',
                                      known=(generation, low, length, life, tag), shares=False)
        elif state.wlock is None:
            yield f'{i} locks the window', move(state._replace(wlock=i), i, at='open')
    elif me.at == 'open':
        if not is_still(state):
            return
        if state.window[3] != me.incarnation:
            yield (f'{i} claims a slot',
                   move(claim(state, me.incarnation, state.last, guards), i, at='reserve'))
        elif has_room(state, me):
            yield f'{i} finds an open one', move(state._replace(wlock=None), i, at='adopt')
        else:
            yield f'{i} finds it used up', move(state, i, at='reserve')
    elif me.at == 'reserve':
        if state.last >= me.limit:
            yield f'{i} finds the end', idle(state._replace(wlock=None), i)
        else:
            # with the range comes the incarnation of the row
            window = (state.last + 1, min(LENGTH, me.limit - state.last), state.incarnation,
                      state.life, state.tag)
            after = state._replace(last=min(state.last + LENGTH, me.limit))
            if state.tag and state.tagged is None:
                after = after._replace(tagged=state.last + 1)
            yield f'{i} reserves', move(after, i, at='describe', hand=window, incarnation=state.incarnation,
                                        range=me.range if me.incarnation == state.incarnation else None)
    elif is_still(state):
        if me.hand[2] != state.window[3]:
            state = claim(state, me.hand[2], me.hand[0] - 1, guards)
        after = open_window(state, me.hand, guards)._replace(wlock=None)
        yield f'{i} opens a window', move(after, i, at='adopt', hand=None)


def has_room(state, me):
    offset, (_, low, length, *_) = state.word[1], state.window
    rest = min(low + length - 1, me.limit) + 1 - low - offset
    return rest > 0 and (me.call == 'id' or rest >= RANGE or low + length > me.limit)


def return_steps(state, i, me, guards):
    """What a session has not used; it was taken out of its entry before."""
    next_, high, top, *_ = me.hand
    window = state.window
    if me.at == 'list':
        if len(state.listed) < LISTED:
            after = state._replace(listed=state.listed + ((next_, high),))
        else:
            after = state._replace(lost=state.lost + high - next_ + 1)
        yield f'{i} lists {next_}', idle(after._replace(pool=None), i)
    elif state.pool is None:
        on_top = state.word[1] == top[1] or 'return_top' not in guards
        mine = state.word[0] == top[0] or 'return_generation' not in guards
        was_on_top = top[1] > high - next_
        if (window[3] != me.incarnation and 'return_incarnation' in guards) or \
                (next_ <= state.above and 'return_floor' in guards):
            yield f'{i} loses {next_}', idle(state._replace(lost=state.lost + high - next_ + 1), i)
        elif on_top and mine and was_on_top:
            offset = state.word[1] - (high - next_ + 1)
            if offset < 0:
                raise Violation(f'{next_} lies below the window')
            yield f'{i} gives {next_} back', idle(state._replace(word=(state.word[0], offset)), i)
        elif 'list' in guards:
            yield f'{i} is not on top', move(state._replace(pool=i), i, at='list')
        else:
            yield f'{i} forgets {next_}', idle(state, i)


def client_steps(state, i, me, guards):
    """A range with a number, under the spinlock of the slot; and its return."""
    if me.at == 'note':
        generation, low, length, life, tag = me.known
        number = state.number if 'new_number' in guards else 1
        after = idle(hand_out(state._replace(client=(number, generation) + me.hand, spin=None), i, *me.hand, life, tag), i)
        yield f'a client keeps {me.hand}', after
        # or it has used one id, or none, and says so
        for last_used in range(me.hand[0] - 1, me.hand[1]):
            used = list(after.used)
            used[life] &= ~bits(last_used + 1, me.hand[1])
            yield f'a client uses {me.hand} up to {last_used}', after._replace(
                used=tuple(used), sent=after.sent + ((number, me.hand[0], me.hand[1], last_used),))
    elif me.at == 'back':
        if state.spin is None or 'client_lock' not in guards:
            number, low, high, last_used = me.hand
            found = state.client and state.client[2:] == (low, high) and (state.client[0] == number or 'number' not in guards)
            found = found and state.window[3] == me.incarnation and (last_used >= state.above or 'client_floor' not in guards)
            if found and state.word == (state.client[1], high + 1 - state.window[1]):
                yield (f'{i} finds it on top',
                       move(state._replace(spin=i), i, at='compared', hand=me.hand + (state.word,)))
            else:
                yield f'{i} refuses the return', idle(state, i)
    elif state.word != me.hand[4]:
        yield f'{i} is too late with the return', idle(state._replace(spin=None), i)
    else:
        last_used = me.hand[3]
        after = state._replace(word=(state.word[0], last_used + 1 - state.window[1]), spin=None,
                               client=None if 'client_cleared' in guards else state.client)
        yield f'{i} takes the return', idle(after, i)


def begin_others(state, i, me, actions, guards):
    for message in state.sent:
        yield f'{i} gets {message}', move(state, i, at='back', hand=message)
    if 'return' in actions and me.range:
        yield f'{i} takes its range out', move(state, i, at='give', hand=me.range,
                                               range=None if 'take_out' in guards else me.range)
    if 'leave' in actions and me != IDLE:
        held = me.range[1] - me.range[0] + 1 if me.range else 0
        yield f'{i} leaves', move(state._replace(lost=state.lost + held), i, **IDLE._asdict())
    if state.changes == (1 if 'once' in actions else CHANGES):
        return
    changed = state._replace(changes=state.changes + 1)
    if 'restore' in actions and 0 < state.last < MAX_ID - 1:
        # no row is read in between, as its buffer is locked
        after = jump(changed._replace(life_word=state.life_word + ('raise' in guards)), state.last + 1)
        yield (f'{i} restores {after.last}',
               move(after, i, at='restored', hand=(state.life, after.last)))
    if 'tag' in actions and not state.tag:
        yield 'the node tag changes', changed._replace(tag=1)
    for action in ('evict', 'lift', 'seed'):
        if action in actions and state.wlock is None and state.last > 0:
            yield f'{i} locks the window to {action}', move(changed._replace(wlock=i), i, at=action)
    for action in ('narrow', 'force', 'drop', 'prepare'):
        if action in actions and state.locked is None and state.last > 0 and not any(s.shares for s in state.sessions):
            yield (f'{i} locks the generator to {action}',
                   move(changed._replace(locked=i), i, at=f'{action}, waits'))


def change_steps(state, i, me, actions, guards):
    action, _, at = me.at.partition(', ')
    raised = state._replace(life_word=state.life_word + ('raise' in guards))
    if action == 'restored':
        floor = max(state.floor, me.hand[1]) if me.hand[0] == state.life else state.floor
        yield f'{i} has restored', idle(state._replace(floor=floor), i)
    elif at == 'waits':
        waits = 'waits' in actions and any(other.published for j,
                                           other in enumerate(state.sessions) if j != i)
        if state.wlock is None and not waits:
            # the word is raised before there is another window, and after it
            begun = raised if action == 'narrow' and 'raise_before' in guards else state
            yield f'{i} locks the window', move(begun._replace(wlock=i), i, at=action)
    elif action == 'lift' or (action == 'seed' and at != 'done'):
        if is_still(state):
            yield from seed_steps(state, i, me, guards)
    elif action == 'seed':
        value = max(state.last, me.hand)
        yield f'{i} seeds {value}', idle(jump(raised, value)._replace(floor=value, wlock=None), i)
    elif action == 'evict':
        if is_still(state):
            after = evict(state, guards) if state.window[3] != OTHER else state
            yield f'{i} gives the slot to another generator', idle(after._replace(wlock=None), i)
    elif at == '':
        if is_still(state):
            if not is_ours(state):
                after = state
            elif action == 'narrow':
                after = raise_window(state, 0, state.window[3], guards)
            else:
                after = close(state, state.window[3] if action == 'force' else FREE, guards)
            yield f'{i} ends the window', move(after, i, at=f'{action}, done')
    elif at == 'done':
        # in the row at once, or with the transaction; the word is raised while no session can look
        after = another_life(raised) if action == 'force' else raised
        yield f'{i} raises the word', move(after._replace(wlock=None), i, at=f'{action}, ends')
    elif action == 'prepare':
        yield f'{i} prepares', idle(state._replace(locked='prepared'), i)
    else:
        after = idle(state._replace(locked=None), i)
        if action == 'narrow':
            after = after._replace(limit=rest_of(state)[0] - 1 if is_ours(state) and state.window[2] else state.last)
        yield f'{i} commits', another_life(after) if action == 'drop' else after
        if action == 'drop':
            yield f'{i} rolls back', after


def seed_steps(state, i, me, guards):
    """session_seed."""
    action, _, at = me.at.partition(', ')
    low, high = rest_of(state)
    inside = state.window[3] == state.incarnation and state.window[2] > 0
    if at == '':
        if action == 'seed' and state.last < MAX_ID - 1:
            value = state.last + 1
            yield f'{i} ends the window', move(end(state, guards), i, at='seed, done', hand=value)
        elif not inside:
            yield f'{i} has nothing to seed', idle(state._replace(wlock=None), i)
        values = sorted({low - 1, low} - {0, high + 1}) if inside else []
        for value in values if action == 'lift' else values[-1:]:
            if action == 'lift' and 'seed_read' in guards:
                after = refuse(state, value, guards) if 'seed_floor' in guards else state
                yield (f'{i} refuses up to {value}',
                       move(after, i, at='lift, refused', hand=(value, value < low)))
            elif action == 'lift':
                yield (f'{i} reads the word',
                       move(state, i, at='lift, read', hand=(value, value < low)))
            else:
                after = state._replace(incarnation=state.incarnation + 1,
                                       life_word=state.life_word + ('raise' in guards))
                yield (f'{i} has ranges forgotten',
                       move(after, i, at='seed, raises', hand=(value, after.incarnation)))
    elif at == 'read':
        yield (f'{i} refuses up to {me.hand[0]}',
               move(refuse(state, me.hand[0], guards), i, at='lift, refused'))
    elif at == 'refused':
        value, is_below = me.hand
        after = state if is_below else raise_window(state, value, state.window[3], guards)
        yield (f'{i} lifts to {value}',
               idle(after._replace(wlock=None, lifted=max(state.lifted, value)), i))
    else:
        value, incarnation = me.hand
        after = raise_window(state, value, incarnation, guards)
        yield (f'{i} seeds {value}',
               idle(after._replace(wlock=None, floor=max(state.floor, value)), i))


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
