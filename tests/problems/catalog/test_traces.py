"""Every trace of the built-in lessons is, frame by frame, what an independent reference computes.

On 1,000 inputs each, or on all where there are no more. By name: it takes minutes and rolls dice. What fails tells the
seed, which `SEED=...` in the environment gives again.
"""

import io
import itertools
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from types import CodeType

import networkx
import pytest

from problems.package.replay import Beat, Stage, frames
from problems.package.trace import Trace
from tests.problems.catalog.bare import CATALOG
from tests.problems.catalog.test_lessons import JUMPS, SQUARES, at_end, is_jump, knights, told
from tests.problems.catalog.test_maze import graph

pytestmark = pytest.mark.byname

SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
INPUTS = 1_000
MOVES = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
"""In the order in which the lesson's search tries them."""


@pytest.fixture(autouse=True)
def seed() -> random.Random:
    print(f"SEED={SEED}")  # noqa: T201 - shown with what fails
    return random.Random(SEED)


def from_start(board: "networkx.Graph[str]", start: str) -> dict[str, int]:
    return dict(networkx.single_source_shortest_path_length(board, start))


def layer(right: dict[str, int], distance: int) -> list[str]:
    return sorted(place for place, each in right.items() if each == distance)


def is_way(board: "networkx.Graph[str]", way: Sequence[str], start: str, goal: str) -> bool:
    return way[0] == start and way[-1] == goal and all(map(board.has_edge, way, way[1:]))


# Searches -----------------------------------------------------------------------------------------------------------


def check_search(trace: Trace, board: "networkx.Graph[str]", *, everything: bool) -> None:
    """One search by layers, from the start until the goal is taken, or through all that can be reached."""
    start, goal = trace.header.start, trace.header.goal
    right = from_start(board, start)
    taken, looked, trail = list[str](), list[str](), list[str]()
    stage: Stage | None = None
    for stage in frames(trace):
        match stage.beat:
            case Beat.LAYER:
                assert sorted(stage.queues[0]) == layer(right, stage.layers[0])
            case Beat.TAKE:
                assert stage.found[stage.current].distance == right[stage.current] == stage.layers[0]
                taken.append(stage.current)
            case Beat.LOOK:
                assert sorted(stage.fresh + stage.seen) == sorted(board[stage.current])
                looked.append(stage.current)
            case Beat.FLOOD:
                waits = sorted(stage.queues[0])
                assert waits == (layer(right, stage.layers[0]) if waits else [])
                assert waits or len(stage.found) == len(right)
            case Beat.RETRACE:
                trail.append(stage.current)
    assert stage is not None
    assert {place: each.distance for place, each in stage.found.items()}.items() <= right.items()
    assert all(each.distance == right[each.parent] + 1 for each in stage.found.values() if each.parent)
    assert all(board.has_edge(place, each.parent) for place, each in stage.found.items() if each.parent)
    if not trace.flooded:
        assert looked == [place for place in taken if board[place] and (everything or place != goal)]
    reached = everything or goal not in right
    assert stage.taken >= {place for place, each in right.items() if reached or each < right[goal]}
    assert goal not in right or goal in stage.taken
    if goal in right:
        assert stage.beat == Beat.PATH
        assert is_way(board, stage.path, start, goal)
        assert len(stage.path) - 1 == right[goal]
        assert trail in ([], list(reversed(stage.path)))
    else:
        assert stage.beat == Beat.NO_PATH
        assert stage.path == ()


def check_both_ends(trace: Trace, board: "networkx.Graph[str]") -> None:
    """Two searches that meet: until they do, each has whole layers of its own."""
    ends = trace.header.start, trace.header.goal
    right = [from_start(board, end) for end in ends]
    stage: Stage | None = None
    for stage in frames(trace):
        if stage.beat == Beat.LAYER:
            assert sorted(stage.queues[stage.side]) == layer(right[stage.side], stage.layers[stage.side])
            assert len(stage.queues[stage.side]) == min(map(len, stage.queues))
        if stage.beat == Beat.LOOK:
            assert {*stage.fresh, *stage.seen} <= {*board[stage.current]}
            assert stage.met or len(stage.fresh + stage.seen) <= len(board[stage.current])
        if stage.beat == Beat.MEET:
            assert board.has_edge(stage.current, stage.met)
            assert stage.found[stage.met].side != stage.side
    assert stage is not None
    assert all(each.distance == right[each.side][place] for place, each in stage.found.items())
    assert is_way(board, stage.path, *ends)
    assert len(stage.path) - 1 == right[0][ends[1]]


@pytest.mark.parametrize("way", [(), ("both",)])
def test_searches_of_a_knight(way: tuple[str, ...], seed: random.Random) -> None:
    for start, goal in seed.sample(list(itertools.product(SQUARES, SQUARES)), INPUTS):
        trace = told("knightmoves/search.py", f"{start} {goal}\n", *way)
        assert (trace.header.start, trace.header.goal) == (start, goal)
        if way and start != goal:
            check_both_ends(trace, knights())
        else:
            check_search(trace, knights(), everything=False)


@cache
def _generator() -> CodeType:
    path = CATALOG / "maze/generators/maze.py"
    return compile(path.read_bytes(), str(path), "exec")


def maze(*arguments: object) -> str:
    """What the generator of mazes prints, run in this process."""
    printed, before = io.StringIO(), (sys.argv, sys.stdout)
    try:
        sys.argv, sys.stdout = ["maze.py", *map(str, arguments)], printed
        exec(_generator(), {"__name__": "__main__"})
    finally:
        sys.argv, sys.stdout = before
    return printed.getvalue()


@pytest.mark.parametrize("way", [(), ("all",), ("layers",)])
def test_water(way: tuple[str, ...], seed: random.Random) -> None:
    for number in range(INPUTS):
        kind = seed.choice(["looped", "perfect", "single", "open", "split"])
        width, height = (100, 100) if way == ("layers",) and number % 50 == 0 else (
            seed.randint(2, 21), seed.randint(2, 15)
        )  # fmt: skip
        given = maze(kind, width, height, "-", "-", seed.randint(1, 9999))
        if seed.random() < 0.5:  # from anywhere to anywhere
            *rows, _, _, _ = given.splitlines()
            entry, goal = (f"{seed.randrange(width)},{seed.randrange(height)}" for _ in range(2))
            given = "".join(f"{line}\n" for line in [*rows, "", entry, goal])
        cells, _, _ = graph(given.encode())
        board: networkx.Graph[str] = networkx.Graph()
        board.add_nodes_from(f"{x},{y}" for x, y in cells)
        board.add_edges_from((f"{x},{y}", f"{u},{v}") for (x, y), (u, v) in cells.edges)
        trace = told("maze/water.py", given, *way)
        assert trace.flooded == (way == ("layers",))
        check_search(trace, board, everything=bool(way))


# Walks --------------------------------------------------------------------------------------------------------------


def boards(sizes: Sequence[int]) -> list[tuple[int, int, int]]:
    """Size, row and column of every start on boards of these sizes."""
    return [(n, row, column) for n in sizes for row in range(1, n + 1) for column in range(1, n + 1)]


def near(n: int, at: tuple[int, int]) -> list[tuple[int, int]]:
    return [(at[0] + a, at[1] + b) for a, b in MOVES if 1 <= at[0] + a <= n and 1 <= at[1] + b <= n]


def called(at: tuple[int, int]) -> str:
    return f"{at[0]}-{at[1]}"


def plain_walks(n: int, start: tuple[int, int], *, every: bool = False) -> Iterator[list[tuple[int, int]]]:
    """The walk after each step of a plain backtracking, on and back; one and the same list. `every`: until there is
    no tour more, not until there is one."""
    leads = {(row, column): near(n, (row, column)) for _, row, column in boards([n])}
    walk, on = [start], {start}
    ways = [iter(leads[start])]
    yield walk
    while walk and (every or len(walk) < n * n):
        step = next((square for square in ways[-1] if square not in on), None)
        if step is None:
            on.remove(walk.pop())
            ways.pop()
        else:
            walk.append(step)
            on.add(step)
            ways.append(iter(leads[step]))
        yield walk


def has_tour(n: int, row: int, column: int) -> bool:
    """As is known: from size 5 on only the colours of an odd board stand in the way."""
    return n == 1 or (n >= 5 and (n % 2 == 0 or (row + column) % 2 == 0))


@pytest.mark.parametrize("size", range(1, 9))
def test_tours_by_backtracking(size: int) -> None:
    """All starts. Where whatever is told is one step or a leap, the walk is where a search of one's own has it."""
    for n, row, column in boards([size]):
        trace = told("knightstour/tour.py", f"{n} {row} {column}\n")
        own = plain_walks(n, (row, column))
        walk, steps = list[tuple[int, int]](), 0
        stage: Stage | None = None
        for stage in frames(trace):
            while steps < stage.visits + stage.backs:
                walk, steps = next(own), steps + 1
            assert stage.tour == list(map(called, walk)), (n, row, column, steps)
        assert stage is not None
        if "Given up" in stage.note:
            assert stage.visits > 400_000
            continue
        assert next(own, None) is None, "it ends where the other one does"
        assert (len(stage.tour) == n * n) == has_tour(n, row, column) == ("complete" in stage.note)


def test_tours_by_the_rule(seed: random.Random) -> None:
    for n, row, column in seed.sample(boards(range(1, 21)), INPUTS):
        trace = told("knightstour/tour.py", f"{n} {row} {column}\n", "warnsdorff")
        stage: Stage | None = None
        for stage in frames(trace):
            if stage.beat == Beat.WAYS:
                here = tuple(map(int, stage.tour[-1].split("-")))
                free = [square for square in near(n, (here[0], here[1])) if called(square) not in stage.walked]
                ways = {called(at): sum(called(to) not in stage.walked for to in near(n, at)) for at in free}
                assert stage.ways == ways, (n, row, column)
                assert ways[stage.pick] == min(ways.values())
        assert stage is not None
        assert all(map(is_jump, *_shifted(trace, stage)))
        assert len(set(stage.tour)) == len(stage.tour)
        assert stage.tour[:1] in ([], [f"{row}-{column}"])
        assert (len(stage.tour) == n * n) == has_tour(n, row, column), (n, row, column)
        assert ("complete" in stage.note) == has_tour(n, row, column)


def _shifted(trace: Trace, stage: Stage) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    places = [trace.header.places[place] for place in stage.tour]
    return places[:-1], places[1:]


@cache
def walks_of(n: int, row: int, column: int) -> tuple[int, int]:
    """How many tours there are from a square, and how many walks in all: not walked, but counted by which squares a
    walk has been on and where it stands."""
    squares = list(itertools.product(range(n), repeat=2))
    leads = [
        [to for to, (a, b) in enumerate(squares) if (a - r, b - c) in JUMPS] for r, c in squares
    ]  # fmt: skip
    start = (row - 1) * n + column - 1
    standing, every = Counter({(1 << start, start): 1}), 0
    for _ in range(n * n - 1):
        every += standing.total()
        onward = Counter[tuple[int, int]]()
        for (mask, at), ways in standing.items():
            for to in leads[at]:
                if not mask >> to & 1:
                    onward[mask | 1 << to, to] += ways
        standing = onward
    return standing.total(), every + standing.total()


@pytest.mark.parametrize("tracer", ["knightstourcount/all.py", "knightstourall/all.py"])
def test_all_tours_of_all_boards(tracer: str) -> None:
    for n, row, column in boards(range(1, 6)):
        # Turned and mirrored, a walk is a walk.
        tours, walks = walks_of(n, *sorted((min(row, n + 1 - row), min(column, n + 1 - column))))
        trace = told(tracer, f"{n} {row} {column}\n")
        own, walk, steps = plain_walks(n, (row, column), every=True), list[tuple[int, int]](), 0
        shown = list[tuple[str, ...]]()
        for stage in frames(trace):
            if stage.beat in (Beat.VISIT, Beat.BACK) and steps + 1 == stage.visits + stage.backs and n != 1:
                walk, steps = next(own), steps + 1
                assert stage.tour == list(map(called, walk)), (n, row, column, steps)
            if stage.beat == Beat.JUMP and len(stage.tour) == n * n:
                shown.append(tuple(stage.tour))
                assert all(map(is_jump, *_shifted(trace, stage)))
            assert not stage.tour or stage.tour[0] == f"{row}-{column}"
        end = at_end(trace)
        assert (end.counts["Tours"], end.visits, end.backs) == (tours, walks, walks), (n, row, column)
        assert len(shown) == len(set(shown)) <= tours
        assert bool(shown) == bool(tours)
    assert walks_of(5, 1, 2)[1] > 1_000_000, "as the lesson says"
