#!/usr/bin/env python3
"""A model of ranges of ids while the synchronous standbys change.

usage: see explore.py

Two sessions reserve ranges and share them; src/store/flush.c sees to it that the synchronous
standbys have a range before ids of it are handed out.  ACTIONS name one of the LISTS, and what may
happen besides: prefetch (reserve ahead of need), cancel (of a wait), come (a session ends, and
another one comes).

A range is the record that reserved it.  There are so many records, and a standby has the first of
them.  A change of the list is told to all sessions at once.  The checkpointer, by which there is
somebody to wait for, reads it later, and so does a session, or not, as it is in a long
statement.  A walsender reads the list before it hears that its standby has a record that was
written since.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_RECORDS = 4
GUARDS = ('told', 'unread', 'new_record', 'unknown_first', 'unwaited', 'again', 'anew', 'known_from', 'failed', 'wait', 'last')

# the synchronous standby of one list after the other, or nobody
LISTS = {'to_and_fro': ('A', 'B', 'A'), 'first': ('', 'A', 'B'), 'none': ('A', '', 'A')}

# records: how many there are; standbys: how many A and B have; confirmed: how many the sessions were
# told that synchronous standbys have; list, waited: the list, and the one that the checkpointer has
# read last; since: how many records there were when it changed; known: in shared memory, the
# standby that has all that is in use, or a record, which tells of nothing, or None; used: the last
# range in use; ahead: the one reserved ahead of need, or that nobody could wait for, or None.
State = namedtuple('State', 'records standbys confirmed list waited since known used ahead sessions')
# at: where it is; hand: what it will use; told: of a change of the list (YES, or LOOKING since);
# known_from: what was reserved up to there may not be with the standbys, unless it is in use; record:
# what it waits for; of a look, mine: the list that it has read, or None, then: where it is afterwards
Session = namedtuple('Session', 'at hand told known_from record mine then')

NO, YES, LOOKING = 'no', 'yes', 'looking'
NEW = Session('idle', None, YES, 0, None, None, None)
START = None


def move(state, i, **changes):
    sessions = list(state.sessions)
    sessions[i] = sessions[i]._replace(**changes)
    return state._replace(sessions=tuple(sessions))


def lists_of(actions):
    return next(LISTS[action] for action in actions if action in LISTS)


def has(state, standby):
    """How many records a standby has."""
    return state.standbys['AB'.index(standby)]


def waits(state, lists):
    """There is somebody to wait for, as far as the checkpointer has read."""
    return lists[state.waited] != ''


def steps(state, actions, guards):
    lists = lists_of(actions)
    if state is None:
        knows = NEW._replace(told=NO)
        yield 'start', State(0, (0, 0), 0, 0, 0, 0, lists[0], 0, None, (knows, knows))
        return
    for label, after in all_steps(state, lists, actions, guards):
        yield label, normal(after)


def normal(state):
    """The same state, without what makes no difference."""
    records = {me.record for me in state.sessions}
    opened = [state.ahead or 0] + [me.hand or 0 for me in state.sessions]
    lowest = min(filter(None, opened), default=MAX_RECORDS + 1)
    sessions = sorted((me._replace(known_from=0) if 0 < me.known_from < lowest else me for me in state.sessions), key=repr)
    known = state.known if isinstance(state.known, str) or state.known in records else None
    return state._replace(known=known, sessions=tuple(sessions))


def all_steps(state, lists, actions, guards):
    yield from of_server(state, lists)
    for i, me in enumerate(state.sessions):
        if me.at == 'idle' and 'come' in actions:
            yield f'{i} is another session', move(state, i, **NEW._asdict())
        if me.at in ('unknown', 'hears', 'known'):
            yield from of_look(state, i, me, lists, actions, guards)
        elif me.at == 'idle':
            yield from of_call(state, i, me, lists, actions, guards)
            if me.told == NO and 'last' not in guards:
                yield f'{i} has looked, and waits for a lock', move(state, i, at='locked')
        elif me.at == 'locked':
            yield from take(move(state, i, at='idle'), i, lists, actions)
        else:
            yield from of_flush(state, i, me, lists, actions, guards)


def of_server(state, lists):
    for n, standby in enumerate('AB'):
        if standby in lists and state.standbys[n] < state.records:
            got = tuple(state.records if m == n else records for m, records in enumerate(state.standbys))
            yield f'{standby} gets the records', state._replace(standbys=got)
    for list_ in {state.list, max(state.list - 1, 0)}:
        if lists[list_]:
            heard = min(has(state, lists[list_]), state.records if list_ == state.list else state.since)
            if heard > state.confirmed:
                yield f'{lists[list_]} is heard of', state._replace(confirmed=heard)
    if state.waited < state.list:
        yield 'the checkpointer reads the list', state._replace(waited=state.list)
    if state.list + 1 < len(lists):
        yield f'the list is "{lists[state.list + 1]}"', state._replace(
            list=state.list + 1, since=state.records, sessions=tuple(me._replace(told=YES) for me in state.sessions))


def of_call(state, i, me, lists, actions, guards):
    """A call that takes an id looks first, if need be."""
    if me.told == YES and ('told' in guards or waits(state, lists)):
        looks = list(look(state, i, me, lists, actions, guards, 'idle'))
        if waits(state, lists):
            yield from looks
            if 'told' in guards:
                return
        else:
            for _, after in looks:
                yield from take(after, i, lists, actions)
            return
    yield from take(state, i, lists, actions)


def take(state, i, lists, actions):
    if lists[state.list] and waits(state, lists) and has(state, lists[state.list]) < state.used:
        raise Violation(f'{i} takes an id of {state.used}, of which {lists[state.list]} does not know')
    opens = all(other.hand is None for other in state.sessions)
    if opens and state.ahead is not None:
        yield f'{i} takes what is ahead', move(state, i, at='flush', hand=state.ahead)
    elif opens and state.records < MAX_RECORDS:
        after = state._replace(records=state.records + 1)
        yield f'{i} reserves {after.records}', move(after._replace(ahead=after.records), i, at='flush', hand=after.records)
        if 'prefetch' in actions:
            yield f'{i} reserves {after.records} ahead', after._replace(ahead=after.records)


def of_flush(state, i, me, lists, actions, guards):
    """flush_wal, and what is opened then."""
    if me.at == 'flush':
        if not waits(state, lists) or 'wait' not in guards:
            yield f'{i} has nobody to wait for', move(state, i, at='waited')
        elif me.hand <= me.known_from and me.record is None and 'known_from' in guards:
            if state.records < MAX_RECORDS:
                after = state._replace(records=state.records + 1)
                yield f'{i} writes {after.records} after {me.hand}', move(after, i, record=after.records)
        elif state.confirmed >= (me.record or me.hand):
            yield f'{i} hears of {me.record or me.hand}', move(state, i, at='waited', record=None)
        elif 'cancel' in actions:
            yield f'{i} is canceled', move(state, i, at='failed', record=None)
    elif me.at == 'waited':
        if me.told == YES and 'again' in guards:
            yield from look(state, i, me, lists, actions, guards, 'waited', 'anew' not in guards)
        else:
            yield f'{i} has {me.hand}', move(state, i, at='confirmed')
    elif me.at == 'confirmed' or 'failed' not in guards:
        yield f'{i} uses {me.hand}', move(state._replace(used=max(state.used, me.hand), ahead=None), i, at='idle', hand=None)
    else:
        yield f'{i} fails', move(state, i, at='idle', hand=None)


def look(state, i, me, lists, actions, guards, then, may_know=True):
    """look_at_standbys: know, or find out, that the standbys of now have what is in use."""
    known_from = state.records if actions & {'prefetch', 'cancel'} else 0
    former = lists[max(state.list - 1, 0)]
    for mine in {lists[state.list], None if 'unread' in guards else former}:
        if not waits(state, lists):
            after = state._replace(known='' if mine == '' else None) if 'unwaited' in guards else state
            yield f'{i} sees nobody to wait for', move(after, i, at=then if then == 'idle' else 'confirmed',
                                                       told=NO if mine == '' else YES, known_from=known_from)
        elif may_know and state.known == mine is not None:
            yield f'{i} knows that {mine} has all', move(state, i, at=then, told=NO, known_from=known_from)
        elif state.records < MAX_RECORDS:
            after = state._replace(records=state.records + ('new_record' in guards))
            yield f'{i} writes {after.records}', move(after, i, at='unknown', told=LOOKING, known_from=known_from,
                                                      record=after.records, mine=mine, then=then)


def of_look(state, i, me, lists, actions, guards):
    if me.at == 'unknown':
        after = state._replace(known=me.record) if 'unknown_first' in guards else state
        yield f'{i} waits for {me.record}', move(after, i, at='hears')
    elif me.at == 'hears':
        if state.confirmed >= me.record or not waits(state, lists):
            yield f'{i} hears of {me.record}', move(state, i, at='known')
        elif 'cancel' in actions:
            yield f'{i} is canceled', move(state, i, at='idle' if me.then == 'idle' else 'failed', told=YES,
                                           record=None, mine=None, then=None)
    else:
        knows = me.mine is not None and me.told == LOOKING and state.known == me.record
        after = state._replace(known=me.mine) if knows else state
        at = 'confirmed' if me.then == 'waited' and 'again' not in guards else me.then
        yield f'{i} has looked', move(after, i, at=at, told=NO if me.told == LOOKING else YES, known_from=0,
                                      record=None, mine=None, then=None)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
