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
evict       the window is closed, and what is left, and the list, go back to the row
leave       the same by the last session; the list stays in the slot if the row has no room
seed        hilo_seed to a higher value: the same life
restore     the same by a restore, which holds no lock
force       hilo_seed(force): another life, whose ids repeat
drop        drop and create, another life from the commit on; or it rolls back
prepare     the same by PREPARE TRANSACTION, and COMMIT or ROLLBACK PREPARED
crash       of the server: a prepared transaction stays
once        no more than one of the seven before
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
GUARDS = ('word', 'word_first', 'look_lock', 'generation', 'fits', 'forget', 'window_epoch', 'close', 'take_out',
          'return_top', 'return_generation', 'list', 'list_era', 'list_epoch', 'list_above', 'list_cleared',
          'kept_taken', 'kept_epoch', 'kept_jump', 'new_number', 'number', 'client_lock', 'client_cleared', 'raise')

# The slot: word (generation, offset); window (generation, low, length, epoch, life); listed:
# ranges below the offset that nobody has, of windows from the generation era on; client: number, generation, low and high of the
# range that a client got last; number: how many there were; spin: who has the slot's spinlock.
# The row: last, epoch, life, kept: ranges of lists.  life_word.  locked: who has the generator's lock in exclusive
# mode, a session or 'prepared'; wlock: who has the window lock.
# Judged by: used, ids of each life; begun: the life that has been answered; floor: no id of
# it at or below may come any more; sent: returns of clients; lost: ids that nobody gets.
State = namedtuple('State', 'word window listed era client number spin last epoch life kept life_word locked wlock '
                            'used begun floor sent lost changes sessions')
# at: where it is; call: an id, or a client; seen: the life word at the last look; epoch: of
# the row then; known: generation, low, length, life; range: next, high, generation, life;
# had: life and highest id; before: begun and floor when the call began; hand: what it has
# read, or taken out; shares: it holds the generator's lock; published: the use of it.
Session = namedtuple('Session', 'at call seen epoch known range had before hand shares published')

IDLE = Session('idle', None, None, None, (-1, 1, 0, 0), None, (0, 0), None, None, False, False)
START = State((0, LENGTH), (0, 1, 0, 0, 0), (), 0, None, 0, None, 0, 0, 0, (), 0, None, None,
              (0,) * (CHANGES + 1), 0, 0, (), 0, 0, (IDLE, IDLE))


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def idle(state, i, **changes):
    return move(state, i, at='idle', call=None, before=None, hand=None, shares=False, **changes)


def bits(low, high):
    return (1 << high + 1) - (1 << low)


def hand_out(state, i, low, high, life):
    """Somebody gets ids of session i."""
    begun, floor = state.sessions[i].before
    if low < 1 or high > MAX_ID:
        raise Violation(f'{low}..{high} is outside')
    if state.used[life] & bits(low, high):
        raise Violation(f'{low}..{high} comes twice')
    if life < begun:
        raise Violation(f'{low} is of a life that has ended')
    if life == begun and low <= floor:
        raise Violation(f'{low} comes after a seed above it')
    return state._replace(used=state.used[:life] + (state.used[life] | bits(low, high),) + state.used[life + 1:])


def ids_in(ranges):
    return sum(high - low + 1 for low, high in ranges)


def check_nothing_is_gone(state, actions):
    """Where nothing is going on, what is reserved is used, at hand, or counted as lost."""
    if any(me.at != 'idle' or me.range for me in state.sessions) or state.number or actions - {'return', 'evict', 'leave', 'once'}:
        return
    known = bin(state.used[0]).count('1') + ids_in(state.listed) + ids_in(state.kept) + state.lost
    if state.last != known + max(state.window[2] - state.word[1], 0):
        raise Violation(f'an id up to {state.last} is gone')


def steps(state, actions, guards):
    """What can happen next: a label, and the state after it."""
    is_stuck = any(me.at != 'idle' for me in state.sessions)
    check_nothing_is_gone(state, actions)
    for i, me in enumerate(state.sessions):
        for step in session_steps(state, i, me, actions, guards):
            is_stuck = False
            yield step
    if state.locked == 'prepared':
        is_stuck = False
        yield 'COMMIT PREPARED', another_life(state._replace(locked=None), guards)
        yield 'ROLLBACK PREPARED', state._replace(locked=None)
    if is_stuck:
        raise Violation('all wait for each other')
    if 'crash' in actions and state.changes < (1 if 'once' in actions else CHANGES) and state.last > 0:
        yield 'crash', START._replace(last=state.last, epoch=state.epoch, life=state.life, kept=state.kept, used=state.used,
                                      begun=state.begun, floor=state.floor, sent=state.sent, number=state.number,
                                      locked='prepared' if state.locked == 'prepared' else None,
                                      changes=state.changes + 1)


def jump(state, last, guards):
    """Another epoch, in which nothing that was reserved before is handed out."""
    return state._replace(last=last, epoch=state.epoch + 1, kept=() if 'kept_jump' in guards else state.kept)


def another_life(state, guards):
    """A generator that begins anew, and the answer that says so."""
    return jump(state, 0, guards)._replace(life=state.life + 1, begun=state.life + 1, floor=0)


def close(state, guards):
    """Another generation in the word, which tells what is left of the window; and no list."""
    state, rest = use_up(state)
    return state._replace(era=state.word[0], listed=() if 'list_cleared' in guards else state.listed), rest + (state.listed,)


def use_up(state):
    """Another generation, but what was returned before, or will be, can still be carved."""
    generation, (_, low, length, epoch, _) = state.word[0] + 1, state.window
    rest = low + min(state.word[1], length), low + length - 1, epoch
    return state._replace(word=(generation, LENGTH), window=(generation, 1, 0) + state.window[3:]), rest


def give_back(state, rest, guards):
    """What is left is on top of the row, or a gap; the row keeps the list."""
    low, high, epoch, listed = rest
    if epoch == state.epoch and low <= high == state.last:
        state = state._replace(last=low - 1)
    elif low <= high:
        state = state._replace(lost=state.lost + high - low + 1)
    if epoch == state.epoch or 'kept_epoch' not in guards:
        return keep(state, 'kept', listed)
    return state._replace(lost=state.lost + ids_in(listed))


def keep(state, place, ranges):
    """Put ranges to those of the row, or of the list, as long as there is room."""
    fits = max(LISTED - len(getattr(state, place)), 0)
    return state._replace(**{place: getattr(state, place) + ranges[:fits]}, lost=state.lost + ids_in(ranges[fits:]))


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
    now = move(state, i, call='id', before=(state.begun, state.floor))
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
        id_, high, generation, life = me.range
        if (life, id_) <= me.had:
            raise Violation(f'{id_} comes below one of the session')
        rest = (id_ + 1, high, generation, life) if id_ < high else None
        yield f'{i} hands out {id_}', idle(hand_out(state, i, id_, id_, life), i, range=rest, had=(life, id_))


def carve_steps(state, i, me, actions, guards):
    """A range: from the list, or from the window that the session knows, by one step."""
    generation, low, length, life = me.known
    mine = state.word[0] == generation
    offset = state.word[1]
    count = min(RANGE, length - offset) if 'fits' in guards else RANGE
    if me.call == 'id' and me.range:
        yield from look_or_take(state, i, actions, guards)
        return
    if me.call == 'client':
        if not mine or offset >= length:
            yield f'{i} finds no rest', move(state, i, at='look')
        elif state.spin is None or 'client_lock' not in guards:
            after = state._replace(word=(generation, offset + count), number=state.number + 1, spin=i)
            yield f'{i} carves for a client', move(after, i, at='note', hand=(low + offset, low + offset + count - 1))
        return
    had = me.had[1] if me.had[0] == life else 0
    for found in state.listed:
        if mine and state.spin is None and (found[0] > had or 'list_above' not in guards):
            after = state._replace(listed=tuple(r for r in state.listed if r != found))
            after = move(after, i, range=found + (generation, life))
            yield from look_or_take(after, i, actions, guards)
    if offset < length and (mine or 'generation' not in guards):
        after = move(state._replace(word=(state.word[0], offset + count)), i,
                     range=(low + offset, low + offset + count - 1, generation, life))
        # the word is read once more before the first id
        yield from look_or_take(after, i, actions, guards)
    else:
        yield f'{i} finds no rest', move(state, i, at='look')


def can_take_listed(state, me, life):
    return any(me.had[0] != life or low > me.had[1] for low, _ in state.listed)


def look_steps(state, i, me, guards):
    """session_check, and the window."""
    def read_row():
        return {'epoch': state.epoch, 'range': None if me.epoch != state.epoch and 'forget' in guards else me.range}

    first = 'word_first' in guards
    if me.at == 'look':
        if state.locked in (None, i) or 'look_lock' not in guards:
            read = {'seen': state.life_word} if first else read_row()
            yield f'{i} locks to look', move(state, i, at='row', shares=True, **read)
    elif me.at == 'row':
        yield f'{i} looks', move(state, i, at='adopt', **(read_row() if first else {'seen': state.life_word}))
    elif me.at == 'adopt':
        generation, low, length, epoch, life = state.window
        if (epoch == me.epoch or 'window_epoch' not in guards) and generation == state.word[0] and \
                (state.word[1] < length or (me.call == 'id' and (me.range or can_take_listed(state, me, life)))):
            yield f'{i} adopts', move(state, i, at='call', known=(generation, low, length, life), shares=False)
        elif state.wlock is None:
            yield f'{i} locks the window', move(state._replace(wlock=i), i, at='open')
    elif me.at == 'open':
        if state.window[3] != me.epoch:
            after, rest = close(state, guards)
            after = after._replace(window=after.window[:3] + (me.epoch,) + after.window[4:])
            yield f'{i} closes the window of before', move(give_back(after, rest, guards), i, at='reserve')
        elif state.word[1] < state.window[2]:
            yield f'{i} finds an open one', move(state._replace(wlock=None), i, at='adopt')
        else:
            yield f'{i} finds it used up', move(state, i, at='reserve')
    elif me.at == 'reserve':
        if state.last >= MAX_ID:
            yield f'{i} finds the end', idle(state._replace(wlock=None), i)
        else:
            # with the range comes the epoch of the row
            window = (state.last + 1, min(LENGTH, MAX_ID - state.last), state.epoch, state.life, state.kept)
            after = state._replace(last=min(state.last + LENGTH, MAX_ID), kept=() if 'kept_taken' in guards else state.kept)
            yield f'{i} reserves', move(after, i, at='describe', hand=window, epoch=state.epoch,
                                        range=me.range if me.epoch == state.epoch else None)
    elif me.at == 'describe':
        # what was returned meanwhile to the top of the one before is a gap
        same_epoch = me.hand[2] == state.window[3] or 'list_epoch' not in guards
        after, (low, high, _, *lists) = use_up(state) if same_epoch else close(state, guards)
        after = after._replace(window=after.word[:1] + me.hand[:4], word=(after.word[0], 0), wlock=None,
                               lost=after.lost + max(high - low + 1, 0) + sum(map(ids_in, lists)))
        after = keep(after, 'listed', me.hand[4])
        yield f'{i} opens a window', move(after, i, at='adopt', hand=None)


def return_steps(state, i, me, guards):
    """What a session has not used; it was taken out of its entry before."""
    next_, high, generation, life = me.hand
    mine = state.word[0] == generation
    if me.at == 'give':
        on_top = state.window[1] + state.word[1] - 1 == high
        if (on_top or 'return_top' not in guards) and (mine or 'return_generation' not in guards):
            yield f'{i} gives {next_} back', idle(state._replace(word=(state.word[0], next_ - state.window[1])), i)
        elif 'list' in guards:
            yield f'{i} is not on top', move(state, i, at='list')
        else:
            yield f'{i} forgets {next_}', idle(state, i)
    elif state.spin is None:
        if (generation >= state.era or 'list_era' not in guards) and len(state.listed) < LISTED:
            yield f'{i} lists {next_}', idle(state._replace(listed=state.listed + ((next_, high),)), i)
        else:
            yield f'{i} loses {next_}', idle(state._replace(lost=state.lost + high - next_ + 1), i)


def client_steps(state, i, me, guards):
    """A range with a number, under the spinlock of the slot; and its return."""
    if me.at == 'note':
        generation, low, length, life = me.known
        number = state.number if 'new_number' in guards else 1
        after = idle(hand_out(state._replace(client=(number, generation) + me.hand, spin=None), i, *me.hand, life), i)
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
            if found and state.word == (state.client[1], high + 1 - state.window[1]):
                yield f'{i} finds it on top', move(state._replace(spin=i), i, at='compared', hand=me.hand + (state.word,))
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
        yield f'{i} is told {message}', move(state, i, at='back', hand=message)
    if 'return' in actions and me.range:
        yield f'{i} takes its range out', move(state, i, at='give', hand=me.range,
                                               range=None if 'take_out' in guards else me.range)
    if state.changes == (1 if 'once' in actions else CHANGES):
        return
    changed = state._replace(changes=state.changes + 1)
    if 'restore' in actions and 0 < state.last < MAX_ID - 1:
        after = jump(changed, state.last + 1, guards)
        yield f'{i} restores {after.last}', move(after, i, at='restored', hand=(state.life, after.last))
    for action in ('evict', 'leave', 'seed'):
        if action in actions and state.wlock is None and state.last > 0:
            yield f'{i} locks the window to {action}', move(changed._replace(wlock=i), i, at=action)
    for action in ('force', 'drop', 'prepare'):
        if action in actions and state.locked is None and state.last > 0 and not any(s.shares for s in state.sessions):
            yield f'{i} locks the generator to {action}', move(changed._replace(locked=i), i, at=f'{action}, waits')


def change_steps(state, i, me, actions, guards):
    action, _, at = me.at.partition(', ')
    raised = state._replace(life_word=state.life_word + ('raise' in guards))
    if action == 'restored':
        floor = max(state.floor, me.hand[1]) if me.hand[0] == state.life else state.floor
        yield f'{i} has restored', idle(raised._replace(floor=floor), i)
    elif at == 'waits':
        waits = 'waits' in actions and any(other.published for j, other in enumerate(state.sessions) if j != i)
        if state.wlock is None and not waits:
            yield f'{i} locks the window', move(state._replace(wlock=i), i, at=action)
    elif at == '':
        after, rest = use_up(state) if action == 'leave' else close(state, guards)
        yield f'{i} closes the window', move(after if 'close' in guards else state, i, at=f'{action}, closed', hand=rest)
    elif at == 'closed':
        if action == 'leave':
            # the list stays
            yield f'{i} loses the rest', move(state._replace(lost=state.lost + max(me.hand[1] - me.hand[0] + 1, 0)), i,
                                              at=f'{action}, done', hand=None)
            me = me._replace(hand=me.hand + (state.listed,))
            state = state._replace(era=state.word[0], listed=() if 'list_cleared' in guards else state.listed)
        yield f'{i} gives the rest back', move(give_back(state, me.hand, guards), i, at=f'{action}, done', hand=None)
    elif action in ('evict', 'leave'):
        yield f'{i} is done', idle(state._replace(wlock=None), i)
    elif action == 'seed':
        value = max(state.last, min(state.last + 1, MAX_ID - 1))
        after = jump(raised, value, guards)._replace(floor=value, wlock=None)
        yield f'{i} seeds {value}', idle(after, i)
    elif at == 'done':
        # in the row at once, or with the transaction; the word is raised while nobody can look
        after = another_life(raised, guards) if action == 'force' else raised
        yield f'{i} raises the word', move(after._replace(wlock=None), i, at=f'{action}, ends')
    elif action == 'prepare':
        yield f'{i} prepares', idle(state._replace(locked='prepared'), i)
    else:
        after = idle(state._replace(locked=None), i)
        yield f'{i} commits', another_life(after, guards) if action == 'drop' else after
        if action == 'drop':
            yield f'{i} rolls back', after


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
