"""Goes through the states of a model: all of them, breadth first, or by chance.

A model gives START, GUARDS, and steps(state, actions, guards), which yields a label and
the state after it for everything that can happen next, or raises Violation.

usage of a model: MODEL.py SECONDS[@SEED] ACTIONS [GUARD...]

ACTIONS, joined by commas, are what may be done besides; a GUARD named is left out.  With
a SEED, walks at random.  Prints "complete", or the shortest way to a violation (by chance:
a way), and how many states there were.
"""
import gc
import random
import sys
import time

LONGEST_WALK = 200


class Violation(Exception):
    pass


def explore(seconds, start, steps):
    """All states, those that take fewer steps to reach first."""
    end = time.monotonic() + seconds
    came_from = {start: None}
    front = [start]
    while front:
        reached = []
        for state in front:
            if time.monotonic() > end:
                return f'no violation so far: {len(came_from)} states'
            try:
                for label, after in steps(state):
                    if after not in came_from:
                        came_from[after] = state, label
                        reached.append(after)
            except Violation as violation:
                path = []
                while came_from[state]:
                    state, label = came_from[state]
                    path.append(label)
                return f'violation: {violation} after: ' + ', '.join(reversed(path))
        front = reached
    return f'complete: {len(came_from)} states'


def walk(seconds, start, steps, seed):
    """One way after another, by chance."""
    end = time.monotonic() + seconds
    chance = random.Random(seed)
    count = 0
    while time.monotonic() < end:
        state, path = start, []
        for _ in range(LONGEST_WALK):
            try:
                choice = list(steps(state))
            except Violation as violation:
                return f'violation: {violation} after: ' + ', '.join(path)
            if not choice:
                break
            label, state = chance.choice(choice)
            path.append(label)
            count += 1
    return f'no violation: {count} steps, seed {seed}'


def main(model):
    how_long, _, seed = sys.argv[1].partition('@')
    actions = set(sys.argv[2].split(','))
    left_out = set(sys.argv[3:])
    assert left_out <= set(model.GUARDS), left_out
    guards = set(model.GUARDS) - left_out
    gc.disable()  # no cycles

    def steps(state):
        return model.steps(state, actions, guards)

    print(walk(float(how_long), model.START, steps, int(seed)) if seed else
          explore(float(how_long), model.START, steps))
