#!/usr/bin/env python3
"""A model of what a promoted server skips, and of how much is reserved of what is left.

usage: see explore.py

A generator of few ids (src/store/store.c, src/session/reserve.c): a window is reserved, and its ids
are handed out; a restart loses its rest.  After a failover the row may be behind what was handed
out, and the next window comes after a skip.  ACTIONS name what may happen: restart, failover (to a
standby that has an older row; with large, the setting is more than all ids), seed (raises the row),
force (sets it), gapless (numbers go on without windows).

No id comes twice, if the ids that the standby lacks were no more than the setting, and the skip was
not said to be cut; and a generator ends only after a good part of its ids was handed out.
"""
import sys
from collections import namedtuple

import explore
from explore import Violation

MAX_ID = 12
SHARE = 4            # a window has at most this part of what is left, here
CUT_SHARE = 4        # and a skip that is cut has this
SETTING = 3
LARGE = 99
GUARDS = ('share', 'cut', 'skip', 'seed_keeps', 'force_stamps', 'gapless_skips')

# last: reserved; known: of what the standby has, a lower or equal last; stamped: by this timeline;
# next, high: the window, or 0; used: bits of ids that were handed out, or seeded;
# lost: how many failovers and restarts there were; forced: what a forced seed promised, or None
State = namedtuple('State', 'last known stamped next high used lost forced gapless')
START = State(0, 0, True, 0, 0, 0, 0, None, False)


def skip_of(state, asked, guards):
    """The ids to be skipped, and whether that is cut."""
    left = MAX_ID - state.last
    if state.stamped or 'skip' not in guards:
        return 0, False
    if 'cut' in guards and asked > left // 2:
        return left // CUT_SHARE, True
    return min(asked, left), False


def after_skip(state, asked, guards):
    """The row as the next id finds it; ids that a cut skip does not cover may repeat."""
    skip, is_cut = skip_of(state, asked, guards)
    last = state.last + skip
    used = up_to(last, state.used) if is_cut else state.used
    return state._replace(last=last, used=used, stamped=True)


def up_to(last, used):
    return used & ((1 << last + 1) - 1)


def hand_out(state, id_):
    if state.forced is not None and id_ != state.forced + 1:
        raise Violation(f'{id_} comes after a seed that was forced to {state.forced}')
    if state.used >> id_ & 1:
        raise Violation(f'{id_} comes twice')
    return state._replace(used=state.used | 1 << id_, forced=None)


def steps(state, actions, guards):
    asked = LARGE if 'large' in actions else SETTING
    if state.gapless:
        if state.last < MAX_ID:
            after = hand_out(state, state.last + 1)
            yield f'the number {after.last + 1}', after._replace(last=state.last + 1)
        return
    if state.next:
        after = hand_out(state, state.next)
        more = state.next < state.high
        yield f'{state.next}', after._replace(next=state.next + 1 if more else 0)
    else:
        after = after_skip(state, asked, guards)
        left = MAX_ID - after.last
        if left == 0:
            handed_out = bin(state.used).count('1')
            if handed_out + state.lost < MAX_ID // 3:
                raise Violation(f'the end, after {handed_out} ids')
            return
        window = max(left // SHARE, 1) if 'share' in guards else min(left, MAX_ID // 2)
        yield 'a window', after._replace(last=after.last + window, next=after.last + 1,
                                         high=after.last + window)
        if 'gapless' in actions:
            if 'gapless_skips' not in guards:
                after = state
            yield 'no gaps from now on', after._replace(gapless=True)
    if 'restart' in actions and state.lost < 3:
        yield 'a restart', state._replace(next=0, high=0, forced=None, lost=state.lost + 1)
    if 'failover' in actions and state.lost < 3 and state.stamped:
        for last in range(state.known, state.last + 1):
            # ids may repeat if more than the setting were lost
            yield (f'a failover to {last}',
                   state._replace(last=last, known=last, stamped=False, next=0, high=0, forced=None,
                                  used=up_to(last + asked, state.used), lost=state.lost + 1))
    if 'seed' in actions and not state.next and state.last < MAX_ID:
        last = state.last + 1
        after = state._replace(last=last, used=state.used | 1 << last, forced=None)
        yield f'a seed {after.last}', after if 'seed_keeps' in guards else after._replace(stamped=True)
    if 'force' in actions and state.lost < 3:
        # who forces it says that the ids above are free
        stamped = state.stamped or 'force_stamps' in guards
        yield 'a seed forced to 1', state._replace(last=1, known=1, next=0, high=0,
                                                   used=up_to(1, state.used), stamped=stamped, forced=1,
                                                   lost=state.lost + 1)


if __name__ == '__main__':
    explore.main(sys.modules[__name__])
