"""The lessons of the built-in problems: their traces are right, and so is every figure that their text states."""

import io
import itertools
import re
import subprocess
import sys
from collections import deque
from functools import cache
from pathlib import Path
from types import CodeType

import networkx
import pytest

from problems.package.lesson import Prose, Quiz
from problems.package.replay import Stage, frames
from problems.package.trace import Trace, parse
from tests.problems.catalog.bare import CATALOG, PYTHON, output, package
from tests.problems.catalog.test_maze import graph

SQUARES = [column + row for column in "abcdefgh" for row in "12345678"]
JUMPS = {(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)}


def is_jump(here: tuple[float, float], there: tuple[float, float]) -> bool:
    return (there[0] - here[0], there[1] - here[1]) in JUMPS


@cache
def knights() -> "networkx.Graph[str]":
    board: networkx.Graph[str] = networkx.Graph()
    board.add_edges_from(
        (a, b) for a, b in itertools.combinations(SQUARES, 2) if is_jump((ord(a[0]), int(a[1])), (ord(b[0]), int(b[1])))
    )
    return board


def told(tracer: str, given: str, *arguments: str) -> Trace:
    """What a tracer of the catalog prints, run in this process: there are thousands of runs."""
    slug, _, name = tracer.partition("/")
    printed = io.StringIO()
    before = sys.argv, sys.stdin, sys.stdout
    try:
        sys.argv, sys.stdin, sys.stdout = [name, *arguments], io.StringIO(given), printed
        exec(_compiled(CATALOG / slug / "palfrey/traces" / name), {"__name__": "__main__"})
    finally:
        sys.argv, sys.stdin, sys.stdout = before
    return parse(printed.getvalue().encode())


@cache
def _compiled(path: Path) -> CodeType:
    return compile(path.read_bytes(), str(path), "exec")


def at_end(trace: Trace) -> Stage:
    (stage,) = deque(frames(trace), maxlen=1)
    return stage


def text_of(slug: str) -> str:
    """The words of a lesson, on one line."""
    parts = package(slug).lessons["en"].parts
    words = [part.text for part in parts if isinstance(part, Prose)]
    words += [f"{part.ask} {part.because}" for part in parts if isinstance(part, Quiz)]
    return re.sub(r"\s+", " ", " ".join(words))


@pytest.mark.parametrize("way", [(), ("both",)])
def test_knight_moves_of_many_pairs(way: tuple[str, ...]) -> None:
    distances = dict(networkx.all_pairs_shortest_path_length(knights()))
    pairs = list(itertools.product(SQUARES, SQUARES))
    for start, goal in pairs[::5] if way else pairs[::31]:
        stage = at_end(told("knightmoves/search.py", f"{start} {goal}\n", *way))
        assert len(stage.path) - 1 == distances[start][goal], (start, goal)
        assert all(knights().has_edge(here, there) for here, there in itertools.pairwise(stage.path))
        if not way:
            assert all(each.distance == distances[start][place] for place, each in stage.found.items())


def test_the_trace_says_what_the_reference_says() -> None:
    reference = CATALOG / "knightmoves/submissions/accepted/bfs.py"
    pairs = [f"{start} {goal}" for start, goal in itertools.product(SQUARES[::9], SQUARES[::5])]
    said = output(reference, "".join(f"{pair}\n" for pair in pairs).encode()).decode().splitlines()
    for pair, line in zip(pairs, said, strict=True):
        stage = at_end(told("knightmoves/search.py", f"{pair}\n", "both"))
        assert f"takes {len(stage.path) - 1} knight" in line


def test_figures_in_the_text_of_knight_moves() -> None:
    text, board = text_of("knightmoves"), knights()
    assert f"{board.number_of_nodes()} dots" in text
    assert f"{board.number_of_edges()} lines" in text
    assert min(dict(board.degree()).values()) == 2
    assert max(dict(board.degree()).values()) == 8
    assert f"at most {networkx.diameter(board)} moves" in text
    one, both = (at_end(told("knightmoves/search.py", "a1 h8\n", *way)) for way in ((), ("both",)))
    assert f"takes all {len(one.taken)} squares" in text
    assert f"together take {len(both.taken)}." in text


@pytest.mark.parametrize("kind", ["looped", "perfect", "single", "open", "split"])
def test_water_in_mazes(kind: str) -> None:
    for width, height, seed in [(2, 2, 1), (9, 7, 4), (13, 9, 4), (21, 15, 77), (8, 15, 9999)]:
        generator = CATALOG / "maze/generators/maze.py"
        command = [PYTHON, str(generator), kind, str(width), str(height), "-", "-", str(seed)]
        maze = subprocess.run(command, capture_output=True, check=True).stdout
        cells, entry, goal = graph(maze)
        distances = networkx.single_source_shortest_path_length(cells, entry)
        said = output(CATALOG / "maze/submissions/accepted/bfs.py", maze).decode().strip()
        for arguments in ((), ("all",), ("layers",)):
            stage = at_end(told("maze/water.py", maze.decode(), *arguments))
            found = {tuple(map(int, place.split(","))): each.distance for place, each in stage.found.items()}
            assert all(distances[cell] == distance for cell, distance in found.items())
            assert len(found) == len(distances) or not arguments
            if said == "NO PATH":
                assert stage.path == ()
                assert goal not in distances
            else:
                assert len(stage.path) - 1 == len(said) == distances[goal]
                assert stage.trail == ([] if arguments == ("layers",) else list(reversed(stage.path)))


def test_figures_in_the_text_of_the_maze() -> None:
    text = text_of("maze")
    command = [PYTHON, str(CATALOG / "maze/generators/maze.py"), "looped", "9", "7", "-", "-", "4"]
    stage = at_end(told("maze/water.py", subprocess.run(command, capture_output=True, check=True, text=True).stdout))
    (figure,) = (block for block in package("maze").lessons["en"].blocks if block.last)
    assert f"{len(stage.path) - 1} steps away" in figure.caption
    assert sum(stage.header.closed(place) for place in stage.header.places) == 18
    assert "`A` (8 + 2) has walls west and east" in text


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_tours_by_the_rule_from_every_start(size: int) -> None:
    for row, column in itertools.product(range(1, size + 1), repeat=2):
        trace = told("knightstour/tour.py", f"{size} {row} {column}\n", "warnsdorff")
        stage = at_end(trace)
        assert stage.tour[0] == f"{row}-{column}"
        if size % 2 and (row + column) % 2:
            assert "There is no tour" in stage.note
            continue
        assert len(stage.tour) == size * size, (size, row, column)
        places = [trace.header.places[place] for place in stage.tour]
        assert all(is_jump(here, there) for here, there in itertools.pairwise(places))


def test_figures_in_the_text_of_the_tour() -> None:
    text = text_of("knightstour")

    def plain(given: str) -> Stage:
        return at_end(told("knightstour/tour.py", given))

    corner, middle, six = plain("5 1 1\n"), plain("5 3 3\n"), plain("6 1 1\n")
    assert f"tries {corner.visits} squares, of which it takes {corner.backs} back" in text
    assert f"3: it tries {middle.visits:,}." in text
    assert f"tries {six.visits:,} squares and takes {six.backs:,} of them back" in text
    ruled = at_end(told("knightstour/tour.py", "6 1 1\n", "warnsdorff"))
    assert (ruled.visits, ruled.backs) == (36, 0)
    ruled = at_end(told("knightstour/tour.py", "8 1 1\n", "warnsdorff"))
    assert (ruled.visits, ruled.backs) == (64, 0)
    assert "needs 64 squares and no step back" in text

    eight = told("knightstour/tour.py", "8 1 1\n")
    walks = [list(stage.tour) for stage in frames(eight) if len(stage.tour) > 30]
    assert at_end(eight).visits // 1000 == 400
    assert len(walks) > 100
    assert all(walk[:30] == walks[0][:30] for walk in walks)
    assert "has not changed one of its first thirty steps" in text
    assert "On 5 x 5 that rules out 12 of the 25" in text
    assert sum((row + column) % 2 for row in range(5) for column in range(5)) == 12
    assert "304 tours from a corner, 64 from the middle, and 56 from each of eight other squares: 1,728" in text
    assert 4 * 304 + 64 + 8 * 56 == 1728


@pytest.mark.byname
def test_counting_tours() -> None:
    text, corner = text_of("knightstourcount"), at_end(told("knightstourcount/all.py", "5 1 1\n"))
    assert f"From the corner, {corner.visits:,} squares are tried to find {corner.counts['Tours']} tours" in text
    assert "the middle (64 tours)" in text
    reference = CATALOG / "knightstourcount/submissions/accepted/layers.py"
    for row, column in itertools.product((1, 2, 3), repeat=2):
        given = f"5 {row} {column}\n"
        counted = at_end(told("knightstourcount/all.py", given)).counts["Tours"]
        assert counted == int(output(reference, given.encode()))


def test_all_tours() -> None:
    middle = at_end(told("knightstourall/all.py", "5 3 3\n"))
    assert f"From the middle there are {middle.counts['Tours']} tours, from a corner 304" in text_of("knightstourall")
    small = told("knightstourall/all.py", "3 1 1\n")
    assert sum(stage.beat in ("visit", "back") for stage in frames(small)) == 30
    assert at_end(small).visits == 15
    (quiz,) = (part for part in package("knightstourall").lessons["en"].parts
               if isinstance(part, Quiz) and "3 x 3" in part.ask)  # fmt: skip
    assert quiz.right == "15"


def test_code_that_is_shown_is_right() -> None:
    """The Python of each lesson, with the few lines around it that it leaves to the reader."""
    search = _code("knightmoves", "search")
    names: dict[str, object] = {"jumps": lambda square: knights()[square]}
    exec(search, names)
    moves = names["moves"]
    assert callable(moves)
    assert [moves("a1", "h8"), moves("e2", "e4"), moves("f6", "f6")] == [6, 2, 0]

    cells, entry, goal = graph(b"9513\nC3AA\n92AA\nC446\n\n0,0\n3,3\n")
    letters = {(0, -1): "N", (1, 0): "E", (0, 1): "S", (-1, 0): "W"}
    names = {
        "open_sides": lambda cell: cells[cell],
        "letter": lambda here, there: letters[there[0] - here[0], there[1] - here[1]],
    }
    exec(_code("maze", "water"), names)
    shortest = names["shortest"]
    assert callable(shortest)
    assert shortest(entry, goal) in {"EEESSS", "EESSSE", "SESSEE"}
    assert shortest(entry, entry) == ""

    n = 6
    near = {(r, c): [(r + a, c + b) for a, b in sorted(JUMPS) if 0 <= r + a < n and 0 <= c + b < n]
            for r in range(n) for c in range(n)}  # fmt: skip
    visit = dict.fromkeys(near, 0)
    names = {"n": n, "visit": visit, "jumps": near.get, "ways_on": lambda at: sum(not visit[to] for to in near[at])}
    exec(_code("knightstour", "tour"), names)
    walk = names["walk"]
    assert callable(walk)
    assert walk((0, 0), 1)
    assert sorted(visit.values()) == list(range(1, 37))

    visited = dict.fromkeys(itertools.product(range(5), repeat=2), False)
    names = {"n": 5, "visited": visited, "jumps": lambda at: [to for to in near[at] if max(to) < 5]}
    exec(_code("knightstourcount", "count"), names)
    walk = names["walk"]
    assert callable(walk)
    assert walk((2, 2), 1) == 64

    tours, way = set[tuple[tuple[int, int], ...]](), list[tuple[int, int]]()
    names |= {"visited": dict.fromkeys(visited, False), "way": way, "print_tour": lambda way: tours.add(tuple(way))}
    exec(_code("knightstourall", "list"), names)
    walk = names["walk"]
    assert callable(walk)
    walk((2, 2))
    assert len(tours) == 64
    assert all(len(set(tour)) == 25 and all(map(is_jump, tour, tour[1:])) for tour in tours)
    assert way == []


def _code(slug: str, name: str) -> bytes:
    return package(slug).code[name][".py"]


def test_lessons_have_their_questions() -> None:
    for slug in ("knightmoves", "knightstour", "knightstourcount", "knightstourall", "maze"):
        lesson = package(slug).lessons["en"]
        assert len([part for part in lesson.parts if isinstance(part, Quiz)]) >= 3, slug
        assert all(set(block.code and package(slug).code[block.code]) == {".py", ".cpp", ".java"}
                   for block in lesson.blocks if block.code)  # fmt: skip
