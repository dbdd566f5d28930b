"""tour.py [warnsdorff]: backtracking as a trace, the moves in a fixed order or by Warnsdorff's rule. Reads `N R C`.

A search may take far more steps than anybody wants to see. The first and the last ones are told one by one; of those
between only what the walk looks like now and then. Where a student's program answered, what it printed lies in
`.judge/output`, and the first wrong number or step of its tour is marked.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path

MOVES = [(-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)]
TRIES = 400_000
"""Squares that are tried before the search is given up."""
FIRST, BETWEEN, LAST = 150, 40, 60


def say(do, **facts):
    print(json.dumps({"do": do, **facts}))


def name(square):
    return f"{square // n + 1}-{square % n + 1}"


def neighbours(n, turn):
    moves = MOVES[turn:] + MOVES[:turn]
    return [
        [(r + dr) * n + c + dc for dr, dc in moves if 0 <= r + dr < n and 0 <= c + dc < n]
        for r in range(n)
        for c in range(n)
    ]


def search(start, near, by_ways, tries):
    """Events `(square, ways)` for a visit and `(-1, None)` for a step back, and how it ended: tour, none or tired."""
    nearness = [-((2 * r - n + 1) ** 2) - (2 * c - n + 1) ** 2 for r in range(n) for c in range(n)]
    ways = [len(squares) for squares in near]
    visited = [False] * (n * n)
    events = []
    stack = []

    def enter(square, told):
        events.append((square, told))
        visited[square] = True
        for other in near[square]:
            ways[other] -= 1
        onward = [other for other in near[square] if not visited[other]]
        if by_ways:
            onward.sort(key=lambda other: (ways[other], nearness[other]))
        stack.append((square, {other: ways[other] for other in onward}, iter(onward)))

    enter(start, None)
    while stack:
        square, told, onward = stack[-1]
        if len(stack) == n * n:
            return events, "tour"
        following = next(onward, None)
        if following is not None:
            if len(events) > tries:
                return events, "tired"
            enter(following, told if by_ways and min(told.values()) == told[following] else None)
            continue
        stack.pop()
        visited[square] = False
        for other in near[square]:
            ways[other] += 1
        events.append((-1, None))
    return events, "none"


def tell(events):
    """Print them, those in the middle by jumps."""
    detailed = len(events) <= FIRST + BETWEEN + LAST
    tour, visits, backs = [], 0, 0
    span = max((len(events) - FIRST - LAST) // BETWEEN, 1)
    for number, (square, told) in enumerate(events):
        shown = detailed or number < FIRST or number >= len(events) - LAST
        if square < 0:
            left = tour.pop()
            backs += 1
            if shown:
                say("back", at=name(left))
        else:
            if shown and told:
                say("ways", of={name(other): count for other, count in told.items()}, pick=name(square))
            tour.append(square)
            visits += 1
            if shown:
                say("visit", at=name(square))
        jump = (number - FIRST) % span == span - 1 or number == len(events) - LAST - 1
        if not shown and jump:
            say("jump", tour=[name(square) for square in tour], visits=visits, backs=backs)
    return visits, backs


def claim(words, possible):
    """What is wrong with a board of numbers, or with saying that there is no tour."""
    if words == ["NO", "TOUR"] and possible:
        say("claim", wrong="none")
    if len(words) != n * n or not all(word.isdecimal() and len(word) < 10 for word in words):
        return
    where = {}
    for square, number in enumerate(map(int, words)):
        if not 1 <= number <= n * n:
            say("claim", wrong="number", at=name(square), said=number)
            return
        if number in where:
            say("claim", wrong="same", both=[name(where[number]), name(square)], said=number)
            return
        where[number] = square
    tour = [where[number] for number in range(1, n * n + 1)]
    if tour[0] != start:
        say("claim", wrong="start", path=[name(square) for square in tour])
        return
    for last, (here, there) in enumerate(pairwise(tour), 2):
        if sorted((abs(here // n - there // n), abs(here % n - there % n))) != [1, 2]:
            say("claim", wrong="step", path=[name(square) for square in tour[:last]])
            return


n, row, column = map(int, sys.stdin.readline().split())
start = (row - 1) * n + column - 1
by_ways = sys.argv[1:] == ["warnsdorff"]
end = "none"
print(json.dumps({"trace": 1, "kind": "board", "columns": n, "rows": n, "names": "row-column", "start": name(start)}))
possible = n % 2 == 0 or (row + column) % 2 == 0
if by_ways and not possible:
    say("visit", at=name(start))
    say(
        "note",
        text=f"There is no tour from {name(start)}. Every move changes the colour, so a tour of {n * n} squares begins "
        f"and ends on the colour that has {n * n // 2 + 1} squares. This square has the other one.",
    )
else:
    events = []
    if by_ways:  # as the reference: when a search gets lost, begin anew with the moves in another order
        for turn in range(8):
            events, end = search(start, neighbours(n, turn), by_ways, 16 * n * n << turn)
            if end != "tired":
                break
    else:
        events, end = search(start, neighbours(n, 0), by_ways, 2 * TRIES)
    visits, backs = tell(events)
    if end == "tour":
        say("note", text=f"The tour is complete: {visits:,} squares tried, {backs:,} steps back.")
    elif end == "none":
        say("note", text=f"Every way has been tried, and there is no tour: {visits:,} squares tried.")
    else:
        say(
            "note",
            text=f"Given up after {visits:,} squares tried and {backs:,} steps back, before any tour was found.",
        )
if Path(".judge/output").exists():
    claim(Path(".judge/output").read_text().split(), end == "tour")
