"""The package `maze`, checked against a graph library and by hand."""

import random
import re
import subprocess
from pathlib import Path

import networkx
import pytest

from problems.package.model import Mutant, TestCase
from tests.problems.catalog.bare import (
    CATALOG,
    MARK,
    PYTHON,
    built,
    case_input,
    input_is_valid,
    judged,
    output,
    package,
    with_mark,
)

SLUG = "maze"
ROOT = CATALOG / SLUG
REFERENCES = ["bfs.cpp", "bfs.py", "bidirectional.cpp", "list_as_queue.py", "bfs.c"]
CASES = [case.name for case in package(SLUG).cases]
SMALL = [name for name in CASES if not re.search("large|hundred", name)]
LARGE = sorted(set(CASES) - set(SMALL))
SLOW = {"secret/32largelooped", "secret/33largeopen", "secret/34largenoway"}
REFERENCE = ROOT / "submissions/accepted/bfs.cpp"
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

LOOP = b"9513\nC3AA\n92AA\nC446\n\n0,0\n3,3\n"
"""Four by four cells with three ways of 6 steps: EEESSS, EESSSE, SESSEE."""
OPEN = b"913\nC46\n\n0,0\n2,1\n"
CUT = b"BB\nEE\n\n0,0\n1,1\n"
SAME = b"F\n\n0,0\n0,0\n"

Cell = tuple[int, int]


def graph(data: bytes) -> tuple["networkx.Graph[Cell]", Cell, Cell]:
    """The maze as a graph of a library, with entry and exit; both cells have to agree about a passage."""
    *rows, _, entry, goal = data.decode().splitlines()
    cells = {(x, y): int(digit, 16) for y, row in enumerate(rows) for x, digit in enumerate(row)}
    maze: networkx.Graph[Cell] = networkx.Graph()
    maze.add_nodes_from(cells)
    for (x, y), walls in cells.items():
        if not walls & 2:
            assert not cells[x + 1, y] & 8
            maze.add_edge((x, y), (x + 1, y))
        if not walls & 4:
            assert not cells[x, y + 1] & 1
            maze.add_edge((x, y), (x, y + 1))
    (entry_x, entry_y), (goal_x, goal_y) = (map(int, place.split(",")) for place in (entry, goal))
    return maze, (entry_x, entry_y), (goal_x, goal_y)


def is_right(data: bytes, answer: bytes) -> bool:
    """Whether an answer is a shortest path, by the library."""
    maze, entry, goal = graph(data)
    if not networkx.has_path(maze, entry, goal):
        return answer == b"NO PATH\n"
    here = entry
    for letter in answer.decode().removesuffix("\n"):
        there = here[0] + STEPS[letter][0], here[1] + STEPS[letter][1]
        if not maze.has_edge(here, there):
            return False
        here = there
    return here == goal and len(answer) - 1 == networkx.shortest_path_length(maze, entry, goal)


def generated(*arguments: str) -> bytes:
    """A maze of the generator."""
    return subprocess.check_output([PYTHON, ROOT / "generators/maze.py", *arguments])


@pytest.mark.parametrize("name", ["1", "2", "3"])
def test_the_answer_of_a_sample_is_that_of_the_reference(name: str) -> None:
    data, answer = ((ROOT / f"data/sample/{name}.{ending}").read_bytes() for ending in ("in", "ans"))
    assert output(REFERENCE, data) == answer
    assert is_right(data, answer)


def test_the_statement_tells_the_truth_about_the_samples() -> None:
    ways = []
    for name in ("1", "2"):
        maze, entry, goal = graph((ROOT / f"data/sample/{name}.in").read_bytes())
        ways.append(list(networkx.all_shortest_paths(maze, entry, goal)))
    assert len(ways[0]) == 3
    assert len(ways[1]) > 1
    assert len(ways[1][0]) == 14 + 1


@pytest.mark.parametrize("name", SMALL)
def test_the_references_are_right_on_a_small_case(name: str) -> None:
    data = case_input(SLUG, name)
    assert input_is_valid(SLUG, data)
    for reference in REFERENCES:
        assert is_right(data, output(ROOT / "submissions/accepted" / reference, data)), reference


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.byname) if name in SLOW else name for name in LARGE]
)
def test_the_references_agree_on_a_large_case(name: str, tmp_path: Path) -> None:
    data = case_input(SLUG, name)
    assert input_is_valid(SLUG, data)
    answer = output(REFERENCE, data)
    if "hundred" in name:
        assert is_right(data, answer)
    for reference in ("bfs.py", "bidirectional.cpp"):
        team = output(ROOT / "submissions/accepted" / reference, data)
        assert judged(SLUG, tmp_path, stdin=data, answer=answer, team=team).code == 42
        assert len(team) == len(answer)


def test_the_cases_hold_what_wrong_programs_stumble_over() -> None:
    mazes = {name: graph(case_input(SLUG, name)) for name in SMALL}
    joined = {name for name, (maze, entry, goal) in mazes.items() if networkx.has_path(maze, entry, goal)}
    shapes = {name: max(maze.nodes) for name, (maze, _, _) in mazes.items()}
    assert any(entry == goal for _, entry, goal in mazes.values())
    assert any(entry[0] > goal[0] for _, entry, goal in mazes.values())
    assert 3 <= len(joined) < len(mazes)
    assert {"secret/01onecell", "secret/05column", "secret/06row"} <= shapes.keys()
    assert shapes["secret/05column"][0] == shapes["secret/06row"][1] == 0
    assert any(len(set(shape)) == 2 for shape in shapes.values())
    assert b"f" in case_input(SLUG, "secret/18lower")


@pytest.mark.parametrize("seed", range(4))
def test_a_perfect_maze_is_a_tree_and_a_looped_one_has_loops(seed: int) -> None:
    for kind in ("perfect", "looped"):
        data = generated(kind, "21", "17", "-", "-", str(seed))
        assert input_is_valid(SLUG, data)
        maze, entry, goal = graph(data)
        closed = list(networkx.isolates(maze))
        maze.remove_nodes_from(closed)
        assert len(closed) == 18
        assert networkx.is_connected(maze)
        loops = maze.number_of_edges() - maze.number_of_nodes() + 1
        assert loops == 0 if kind == "perfect" else loops > 10
        if kind == "looped":
            assert sum(degree == 1 for _, degree in maze.degree) <= 4
            assert len(list(networkx.all_shortest_paths(maze, entry, goal))) >= 1


def test_a_generator_gives_the_same_bytes_for_the_same_seed_only() -> None:
    first, again, other = (generated("looped", "15", "11", "-", "-", seed) for seed in ("5", "5", "6"))
    assert first == again != other
    lower = generated("looped", "15", "11", "-", "-", "5", "lower")
    assert first == lower.upper() != lower


def test_a_small_grid_has_no_42_and_the_smallest_with_one_is_9_by_7() -> None:
    for width, height, closed in ((8, 7, 0), (9, 6, 0), (9, 7, 18)):
        maze, _, _ = graph(generated("perfect", str(width), str(height), "-", "-", "1"))
        assert len(list(networkx.isolates(maze))) == closed


@pytest.mark.parametrize("probe", package(SLUG).probes, ids=lambda probe: probe.name)
def test_the_validators_judge_the_probes_of_the_package(probe: TestCase, tmp_path: Path) -> None:
    assert probe.input is not None
    data = probe.input.read_bytes()
    assert input_is_valid(SLUG, data) == (probe.group != "invalid_input")
    if probe.group == "invalid_input":
        return
    team = (ROOT / "data" / f"{probe.name}.out").read_bytes()
    got = judged(SLUG, tmp_path, stdin=data, answer=output(REFERENCE, data), team=team)
    assert got.code == (42 if probe.group == "valid_output" else 43)


@pytest.mark.parametrize(
    ("data", "answer", "team", "message"),
    [
        (LOOP, b"EEESSS", b"ESSSEE", "step 2 walks through a wall"),
        (LOOP, b"EEESSS", b"EEESSSE", "step 7 leaves the maze"),
        (LOOP, b"EEESSS", b"EEESS", "the path ends away from the exit"),
        (LOOP, b"EEESSS", b"EWEEESSS", "the path is longer than needed"),
        (LOOP, b"EEESSS", b"EW" * 8 + b"EEESSS", "the path has more steps than the maze has cells"),
        (LOOP, b"EEESSS", b"", "the output is empty, but entry and exit are two different cells"),
        (LOOP, b"EEESSS", b"NO PATH", "there is a path, but the output says NO PATH"),
        (LOOP, b"EEESSS", b"EEeSSS", "the letters must be capitals: N, E, S, W"),
        (LOOP, b"EEESSS", b"EERSSS", "step 3 is none of the letters N, E, S, W"),
        (LOOP, b"EEESSS", b"E E E S S S", "more than one word is printed"),
        (LOOP, b"EEESSS", b"EEESSS\nEEESSS", "more than one word is printed"),
        (CUT, b"NO PATH", b"ES", "step 1 walks through a wall"),
        (CUT, b"NO PATH", b"", "the output is empty"),
        (CUT, b"NO PATH", b"no path", "NO PATH is written as two words in capitals"),
        (CUT, b"NO PATH", b"NOPATH", "NO PATH is written as two words in capitals"),
        (CUT, b"NO PATH", b"NO WAY", "more than one word is printed"),
        (SAME, b"", b"NO PATH", "there is a path"),
        (SAME, b"", b"N", "step 1 leaves the maze"),
        (OPEN.replace(b"2,1", b"0,0"), b"", b"EW", "the path is longer than needed"),
    ],
)
def test_the_team_is_told_which_kind_of_mistake_it_is(
    data: bytes, answer: bytes, team: bytes, message: str, tmp_path: Path
) -> None:
    got = judged(SLUG, tmp_path, stdin=data, answer=answer + b"\n", team=team + b"\n")
    assert got.code == 43
    assert got.team.startswith(message)
    assert not re.search(r"\d,|north|east|south|west", got.team), "something of the maze was shown"
    assert got.judges


def test_who_sees_the_case_is_told_how_long_the_path_may_be(tmp_path: Path) -> None:
    got = judged(SLUG, tmp_path, stdin=LOOP, answer=b"EEESSS\n", team=b"EWEEESSS\n")
    assert got.open.endswith("longer than needed: steps printed 8, enough are 6")
    got = judged(SLUG, tmp_path, stdin=LOOP, answer=b"EEESSS\n", team=b"EEESS\n")
    assert (got.code, got.open) == (43, "")


def test_who_sees_the_case_reads_the_walls_of_a_cell_in_words(tmp_path: Path) -> None:
    through = judged(SLUG, tmp_path, stdin=LOOP, answer=b"EEESSS\n", team=b"SSEE\n")
    none = judged(SLUG, tmp_path, stdin=LOOP, answer=b"EEESSS\n", team=b"NO PATH\n")
    words = "this cell is C = 8 + 4, closed south, west, open north, east"
    assert through.open == f"step 2 walks through the south wall of (0,1): {words}"
    words = "the entry (0,0) is 9 = 8 + 1, closed north, west, open east, south"
    assert none.open == f"the output says NO PATH, but there is a path: {words}"


def test_no_output_puts_what_it_knows_into_the_team_message(tmp_path: Path) -> None:
    wide = b"9" + b"1" * 398 + b"3\n" + b"C" + b"4" * 398 + b"6\n\n0,0\n399,1\n"
    right = b"E" * 399 + b"S"
    outputs = [*with_mark(b"EEESSS"), b"N" * MARK, b"X" * MARK, b"EW" * MARK, b"E " * MARK, b"NO PATH " * 5172]
    outputs += [b"EW" * 172 + b"N", b"E" * 294 + b"N", b"E" * 294 + b"\xff", b"EW" * 147 + right, b"E" * 294]
    for team in outputs:
        got = judged(SLUG, tmp_path, stdin=wide, answer=right + b"\n", team=team)
        assert got.code == 43
        assert all(int(number) <= 100 for number in re.findall(r"\d+", got.team)), got.team
        assert not re.search("IN|_|[\"']", got.team), got.team


@pytest.mark.parametrize(("place", "told"), [(99, "step 100 leaves"), (100, "a step far into the output leaves")])
def test_a_step_is_told_up_to_a_hundred_only(place: int, told: str, tmp_path: Path) -> None:
    row = b"D" + b"5" * 198 + b"7\n\n0,0\n199,0\n"
    got = judged(
        SLUG, tmp_path, stdin=row, answer=b"E" * 199 + b"\n", team=b"EW" * (place // 2) + b"E" * (place % 2) + b"N"
    )
    assert (got.code, got.team) == (43, f"{told} the maze")


@pytest.mark.parametrize(
    ("data", "answer", "team"),
    [
        (LOOP, b"EEESSS", b"SESSEE\n"),
        (LOOP, b"EEESSS", b"  EESSSE  \r\n\r\n"),
        (OPEN, b"EES", b"ESE"),
        (CUT, b"NO PATH", b"NO\tPATH\n"),
        (SAME, b"", b"\n"),
        (SAME, b"", b""),
    ],
)
def test_any_shortest_path_is_right(data: bytes, answer: bytes, team: bytes, tmp_path: Path) -> None:
    assert judged(SLUG, tmp_path, stdin=data, answer=answer + b"\n", team=team).code == 42


@pytest.mark.parametrize("answer", [b"EWEEESSS", b"NO PATH"])
def test_a_path_better_than_the_answer_is_a_fault_of_the_judge(answer: bytes, tmp_path: Path) -> None:
    got = judged(SLUG, tmp_path, stdin=LOOP, answer=answer + b"\n", team=b"EEESSS\n")
    assert got.code not in {42, 43}
    assert "the answer says" in got.judges
    assert not got.team


def test_any_bytes_are_judged_wrong_and_nothing_else(tmp_path: Path) -> None:
    draw = random.Random(2)
    junk = [draw.randbytes(draw.randrange(1, 300)) for _ in range(20)]
    junk += [
        b"EEESSS\0\n",
        b"\xff\xfeEEESSS\n",
        b"\0",
        b"E" * (6 << 20),
        b"E " * (3 << 20),
        bytes(1 << 20),
        b"e" * (1 << 20),
    ]
    for team in junk:
        got = judged(SLUG, tmp_path, stdin=LOOP, answer=b"EEESSS\n", team=team)
        assert (got.code, bool(got.team), bool(got.judges)) == (43, True, True)
        assert len(got.judges) < 2000


@pytest.mark.parametrize("mutant", package(SLUG).mutants, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed_by_a_case_and_has_a_hint(mutant: Mutant, tmp_path: Path) -> None:
    assert len(mutant.hints["en"].read_text(encoding="utf-8")) > 80
    command = built(ROOT / mutant.program.name)
    if mutant.name == "visited-on-leaving":  # right, but never done where many ways lead to a cell
        data = case_input(SLUG, "secret/12lesson")
        assert is_right(data, subprocess.check_output(command, input=data))
        with pytest.raises(subprocess.TimeoutExpired):
            subprocess.run(command, input=generated("open", "30", "30", "-", "-"), check=False, timeout=1)
        return
    killed = []
    for name in SMALL:
        data = case_input(SLUG, name)
        team = subprocess.check_output(command, input=data)
        answer = output(REFERENCE, data)
        if team != answer and judged(SLUG, tmp_path, stdin=data, answer=answer, team=team).code == 43:
            killed.append(name)
    assert 1 <= len(killed) < len(SMALL)


def test_every_known_mistake_has_its_mutant() -> None:
    assert {mutant.name for mutant in package(SLUG).mutants} >= {
        "wrong-wall-bit",
        "bits-backwards",
        "wall-of-the-neighbour",
        "wall-of-the-east-neighbour",
        "x-and-y-swapped",
        "depth-first",
        "one-step-short",
        "no-path-missing",
        "entry-is-exit",
        "visited-on-leaving",
    }
