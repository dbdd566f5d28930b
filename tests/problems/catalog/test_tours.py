"""The three packages on knight's tours, checked by a search and a walk of the tests' own."""

import random
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from problems.package.model import Mutant, TestCase
from tests.problems.catalog.bare import (
    CATALOG,
    MARK,
    SECONDS,
    Judged,
    built,
    input_is_valid,
    judged,
    made,
    output,
    package,
    with_mark,
)

TOUR, COUNT, ALL = SLUGS = ["knightstour", "knightstourcount", "knightstourall"]
MODEL = {TOUR: "warnsdorff.cpp", COUNT: "prune.cpp", ALL: "backtracking.cpp"}
BESIDE = {TOUR: ["warnsdorff.py", "warnsdorff.c"], COUNT: ["layers.py"], ALL: ["backtracking.py", "stack.c"]}
PROBES = [(slug, probe) for slug in SLUGS for probe in package(slug).probes]
MUTANTS = [(slug, mutant) for slug in SLUGS for mutant in package(slug).mutants]
FIVE_CORNER, FIVE_NONE, FIVE_MIDDLE = b"5 1 1\n", b"5 1 2\n", b"5 3 3\n"

Square = tuple[int, int]


def accepted(slug: str, name: str) -> Path:
    return CATALOG / slug / "submissions/accepted" / name


@cache
def right(slug: str, data: bytes) -> bytes:
    """What the reference in C++ prints."""
    return output(accepted(slug, MODEL[slug]), data)


@cache
def inputs_of(slug: str) -> dict[str, bytes]:
    """Name of each case -> its input."""
    of = package(slug)
    return {case.name: made(of, case) if case.input_text is None else case.input_text for case in of.cases}


def line(size: int, row: int, column: int) -> bytes:
    return f"{size} {row} {column}\n".encode()


def reached(square: Square, size: int) -> Iterator[Square]:
    """Where a knight goes with one move."""
    row, column = square
    for down, right_ in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
        if 1 <= row + down <= size and 1 <= column + right_ <= size:
            yield row + down, column + right_


@cache
def every_tour(size: int, row: int, column: int) -> frozenset[tuple[Square, ...]]:
    """All tours from a square, by a search that knows nothing clever."""
    near = {(r, c): list(reached((r, c), size)) for r in range(1, size + 1) for c in range(1, size + 1)}
    free = set(near) - {(row, column)}
    walk = [(row, column)]
    found = []

    def go() -> None:
        if not free:
            found.append(tuple(walk))
        for square in near[walk[-1]]:
            if square in free:
                free.remove(square)
                walk.append(square)
                go()
                free.add(walk.pop())

    go()
    return frozenset(found)


def has_tour(size: int, row: int, column: int) -> bool:
    """The theorem: none for 2 to 4, none from the minority colour of an odd board, one from everywhere else."""
    return size not in {2, 3, 4} and (size % 2 == 0 or (row + column) % 2 == 0)


def is_right_tour(data: bytes, team: bytes) -> bool:
    """Whether an output is a tour, or NO TOUR where the theorem says so; independent of the output validator."""
    size, row, column = map(int, data.split())
    if team == b"NO TOUR\n":
        return not has_tour(size, row, column)
    lines = [[int(word) for word in text.split()] for text in team.splitlines()]
    assert [len(numbers) for numbers in lines] == [size] * size
    order = {number: (r, c) for r, numbers in enumerate(lines, 1) for c, number in enumerate(numbers, 1)}
    if sorted(order) != list(range(1, size * size + 1)) or order[1] != (row, column):
        return False
    return all(order[k + 1] in set(reached(order[k], size)) for k in range(1, size * size))


def printed_tours(team: bytes) -> list[tuple[Square, ...]]:
    """The tours of an output of `knightstourall`, whose form must be exact."""
    blocks = team.decode().split("\n\n")
    assert blocks.pop() == ""
    tours = []
    for number, block in enumerate(blocks, 1):
        heading, squares = block.split("\n")
        assert heading == f"Solution {number}:"
        assert re.fullmatch(r"\d-\d( \d-\d)*", squares.rstrip())
        tours.append(tuple((int(square[0]), int(square[2])) for square in squares.split()))
    return tours


# --- Knight's Tour


@pytest.mark.parametrize("size", range(1, 9))
def test_the_reference_finds_a_tour_from_every_start_of_a_small_board(size: int) -> None:
    for row in range(1, size + 1):
        for column in range(1, size + 1):
            assert is_right_tour(line(size, row, column), right(TOUR, line(size, row, column)))


def test_the_references_find_tours_on_large_boards() -> None:
    draw = random.Random(2)
    for size in (9, 12, 31, 32, 41, 49, 50):
        data = line(size, draw.randint(1, size), draw.randint(1, size))
        for name in [MODEL[TOUR], *BESIDE[TOUR]]:
            assert is_right_tour(data, output(accepted(TOUR, name), data)), (name, data)


@pytest.mark.byname
@pytest.mark.parametrize("name", [MODEL[TOUR], *BESIDE[TOUR]])
@pytest.mark.parametrize("size", range(9, 51))
def test_every_reference_finds_tours_from_many_starts(size: int, name: str) -> None:
    starts = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
    for row, column in starts if size <= 12 else random.Random(size).sample(starts, 40):
        data = line(size, row, column)
        assert is_right_tour(data, output(accepted(TOUR, name), data)), data


def test_the_theorem_agrees_with_a_search_up_to_five() -> None:
    for size in range(1, 6):
        for row in range(1, (size + 1) // 2 + 1):
            for column in range(row, (size + 1) // 2 + 1):
                assert bool(every_tour(size, row, column)) == has_tour(size, row, column)


def test_the_cases_hold_all_starts_of_eight_boards_without_a_tour_and_four_digits() -> None:
    inputs = set(inputs_of(TOUR).values())
    assert inputs >= {line(8, row, column) for row in range(1, 9) for column in range(1, 9)}
    sizes = {int(data.split()[0]) for data in inputs}
    assert sizes >= {1, 2, 3, 4, 5, 6, 7, 31, 32, 50}
    without = [data for data in inputs if not has_tour(*map(int, data.split()))]
    assert any(int(data.split()[0]) > 5 for data in without)
    assert len(inputs) == len(package(TOUR).cases), "a case is there twice"


def test_plain_backtracking_does_not_finish_on_a_chessboard(tmp_path: Path) -> None:
    source = tmp_path / "plain.cpp"
    text = (CATALOG / TOUR / "submissions/brute_force/plain.cpp").read_text(encoding="ascii")
    source.write_text(text.replace("if (++steps > 10000000) exit(3);", ""), encoding="ascii")
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(built(source), input=line(8, 4, 5), capture_output=True, check=True, timeout=2)


def test_a_rule_without_backtracking_fails_few_starts_of_a_chessboard() -> None:
    program = CATALOG / TOUR / "submissions/wrong_answer/no_backtracking.cpp"
    starts = [line(8, row, column) for row in range(1, 9) for column in range(1, 9)]
    assert 1 <= sum(not is_right_tour(data, output(program, data)) for data in starts) <= 4


# --- Count the Tours


def test_the_references_count_the_tours_of_five_by_five() -> None:
    squares = [(row, column) for row in range(1, 6) for column in range(1, 6)]
    counts = {square: int(right(COUNT, line(5, *square))) for square in squares}
    assert counts[1, 1] == counts[5, 5] == counts[1, 5] == counts[5, 1] == 304
    assert counts[3, 3] == 64
    assert sorted(counts.values()) == [0] * 12 + [56] * 8 + [64] + [304] * 4
    assert sum(counts.values()) == 1728
    for square in ((1, 1), (2, 2), (1, 3), (3, 3), (1, 2), (2, 3)):
        assert (
            counts[square] == len(every_tour(5, *square)) == int(output(accepted(COUNT, "layers.py"), line(5, *square)))
        )


def test_the_tours_of_six_by_six_number_6637920() -> None:
    squares = [(row, column) for row in range(1, 7) for column in range(1, 7)]
    assert sum(int(right(COUNT, line(6, *square))) for square in squares) == 6_637_920


def test_python_counts_like_the_reference_at_six_by_six() -> None:
    data = line(6, 4, 3)
    assert output(accepted(COUNT, "layers.py"), data) == right(COUNT, data) == b"52662\n"


def test_small_boards_have_one_tour_or_none() -> None:
    for name in (MODEL[COUNT], *BESIDE[COUNT]):
        answers = [output(accepted(COUNT, name), line(size, 1, size)) for size in (1, 2, 3, 4)]
        assert answers == [b"1\n", b"0\n", b"0\n", b"0\n"]


# --- All the Tours


@pytest.mark.parametrize("name", [MODEL[ALL], *BESIDE[ALL]])
def test_a_reference_prints_every_tour_once(name: str) -> None:
    for start in ((1, 1, 1), (2, 2, 1), (3, 1, 1), (4, 1, 1), (5, 1, 1), (5, 2, 2), (5, 3, 3), (5, 1, 2)):
        tours = printed_tours(output(accepted(ALL, name), line(*start)))
        assert len(tours) == len(set(tours))
        assert set(tours) == every_tour(*start)


# --- All three


@pytest.mark.parametrize("slug", SLUGS)
def test_every_case_is_valid_and_the_samples_are_answered_as_the_reference_does(slug: str) -> None:
    for name, data in inputs_of(slug).items():
        assert input_is_valid(slug, data), name
    for path in sorted((CATALOG / slug / "data/sample").glob("*.in")):
        assert path.with_suffix(".ans").read_bytes() == right(slug, path.read_bytes())


@pytest.mark.parametrize(("slug", "probe"), PROBES, ids=lambda one: one if isinstance(one, str) else one.name)
def test_the_validators_judge_the_probes_of_the_package(slug: str, probe: TestCase, tmp_path: Path) -> None:
    assert probe.input is not None
    data = probe.input.read_bytes()
    assert input_is_valid(slug, data) == (probe.group != "invalid_input")
    if probe.group == "invalid_input":
        return
    team = (CATALOG / slug / "data" / f"{probe.name}.out").read_bytes()
    assert (CATALOG / slug / "data" / f"{probe.name}.ans").read_bytes() == right(slug, data)
    got = judged(slug, tmp_path, stdin=data, answer=right(slug, data), team=team)
    assert got.code == (42 if probe.group == "valid_output" else 43)
    assert bool(got.team) == bool(got.judges) == (got.code == 43)


def board(change: dict[int, int]) -> bytes:
    """A right tour of 5 x 5 from the corner, with some numbers changed."""
    words = [str(change.get(int(word), int(word))) for word in right(TOUR, FIVE_CORNER).split()]
    return b"".join(" ".join(words[at : at + 5]).encode() + b"\n" for at in range(0, 25, 5))


def tours(*numbers: int) -> bytes:
    """Some of the tours of 5 x 5 from the middle, in the form asked for."""
    lines = right(ALL, FIVE_MIDDLE).split(b"\n")[1::3]
    return b"".join(b"Solution %d:\n%b\n\n" % (k, lines[number - 1]) for k, number in enumerate(numbers, 1))


WHOLE = tuple(range(1, 65))
TOLD = [
    (TOUR, FIVE_CORNER, board({18: 17}), r"A number in row \d stands on another square already\."),
    (
        TOUR,
        FIVE_CORNER,
        board({24: 25, 25: 24}),
        r"There is no knight move from the square of visit 23 to that of the next\.",
    ),
    (TOUR, FIVE_CORNER, board({1: 5, 5: 1}), r"The start does not hold 1\."),
    (TOUR, FIVE_CORNER, board({9: 0}), r"A number outside 1 to N \* N stands in row \d\."),
    (TOUR, FIVE_CORNER, board({})[:-3], r"The output has too few numbers: the board"),
    (TOUR, FIVE_CORNER, board({}) + b"26", r"The output has too many numbers: the board"),
    (TOUR, FIVE_CORNER, b"", r"The output is empty"),
    (TOUR, FIVE_CORNER, b"NO TOUR\n", r"The output says NO TOUR, but there is a tour from this start\."),
    (TOUR, FIVE_NONE, board({}), r"The start does not hold 1\."),
    (TOUR, FIVE_NONE, b"NO TOUR AT ALL\n", r"Nothing may follow NO TOUR, but something does\."),
    (COUNT, FIVE_CORNER, b"", r"The output is empty"),
    (COUNT, FIVE_CORNER, b"152\n", r"The number printed is not the number of tours"),
    (COUNT, FIVE_CORNER, b"There are 304\n", r"The output does not begin with a whole number"),
    (COUNT, FIVE_CORNER, b"304 304\n", r"One number was expected, but more than one word was printed\."),
    (ALL, FIVE_MIDDLE, tours(*WHOLE[:-1]), r"Some tours are missing; those printed are right\."),
    (ALL, FIVE_MIDDLE, tours(*WHOLE[:-1], 7), r"The same tour as tour 64 was printed before\."),
    (ALL, FIVE_MIDDLE, tours(*WHOLE, 7), r"The same tour as tour 65 was printed before\."),
    (ALL, FIVE_MIDDLE, b"", r"There are tours from this start, but none was printed\."),
    (
        ALL,
        FIVE_MIDDLE,
        tours(1, 2).replace(b"n 2", b"n 3"),
        r'The heading of tour 2 is not "Solution" with its number and a colon\.',
    ),
    (ALL, FIVE_MIDDLE, tours(1)[:-6], r"In tour 1 squares are missing at the end\."),
    (
        ALL,
        FIVE_MIDDLE,
        tours(1).replace(b"3-3 ", b"3-3 3-3 "),
        r"In tour 1 there is a step that is no knight move\.",
    ),
    (ALL, FIVE_NONE, b"NO TOUR\n", r'The output does not begin with "Solution 1:"\.'),
]


@pytest.mark.parametrize(("slug", "data", "team", "message"), TOLD)
def test_the_team_is_told_what_is_wrong(slug: str, data: bytes, team: bytes, message: str, tmp_path: Path) -> None:
    got = judged(slug, tmp_path, stdin=data, answer=right(slug, data), team=team)
    assert got.code == 43
    assert re.match(message, got.team), got.team
    assert got.judges.startswith(got.team)
    assert "\n" not in got.team


@pytest.mark.parametrize(
    ("team", "exact"),
    [
        (board({25: 0}), r'Row \d, column \d holds "0"; the numbers go from 1 to 25\. 25 stands nowhere\.'),
        (board({25: 0, 24: 31}), r'Row \d, column \d holds "(0|31)"; the numbers go from 1 to 25\.'),
        (
            b"1 " + b"0 " * 24,
            r'24 of 25 squares hold "0", the first in row 1, column 2; the numbers go from 1 to 25\.',
        ),
        (board({9: 517294}), r'Row \d, column \d holds "517294"; the numbers go from 1 to 25\. 9 stands nowhere\.'),
        (board({9: 0}).replace(b" 0", b" x"), r'Row \d, column \d holds "x", which is no number\.'),
        (board({18: 17}), r"Two squares hold 17: row \d, column \d and row \d, column \d\."),
        (board({1: 5, 5: 1}), r"The start, row 1, column 1, does not hold 1 but 5\."),
        (board({24: 25, 25: 24}), r"From 23 in row \d, column \d to 24 in row \d, column \d is no knight move\."),
        (b"", ""),
    ],
)
def test_who_sees_the_case_is_told_the_very_square(team: bytes, exact: str, tmp_path: Path) -> None:
    got = judged(TOUR, tmp_path, stdin=FIVE_CORNER, answer=right(TOUR, FIVE_CORNER), team=team)
    assert re.fullmatch(exact, got.open), got.open


@pytest.mark.parametrize(
    ("slug", "data"),
    [
        (TOUR, line(50, 1, 1)),
        pytest.param(TOUR, FIVE_CORNER, marks=pytest.mark.byname),
        pytest.param(TOUR, FIVE_NONE, marks=pytest.mark.byname),
        (COUNT, FIVE_CORNER),
        (ALL, FIVE_MIDDLE),
    ],
)
def test_no_output_puts_what_it_knows_into_the_team_message(slug: str, data: bytes, tmp_path: Path) -> None:
    answer = right(slug, data)
    outputs = [*with_mark(answer), b"1 " * MARK, b"%d " % MARK * MARK, b"NO TOUR %d" % MARK, b"7" * MARK]
    outputs += [
        b"Solution %d: 5-1" % MARK,
        b"Solution 1: 3-3 1-%d" % MARK,
        b"Solution 1: 3-3 9-7",
        answer + b" 0" * MARK,
    ]
    for team in outputs:
        got = judged(slug, tmp_path, stdin=data, answer=answer, team=team)
        assert got.code == 43
        assert all(int(number) <= 100 for number in re.findall(r"\d+", got.team)), got.team
        assert len(re.findall(r"\d+", re.sub(r'"Solution 1:"|1 to N|not hold 1', "", got.team))) <= 1, got.team
        assert not re.search("IN=|_|5-1|9-7|'", got.team), got.team


def test_a_place_is_told_up_to_a_hundred_only(tmp_path: Path) -> None:
    data = FIVE_CORNER
    every = right(ALL, data)
    for number, told in ((100, "tour 100"), (101, "a tour far into the output"), (304, "a tour far into the output")):
        got = judged(ALL, tmp_path, stdin=data, answer=every, team=every.replace(b" %d:" % number, b" %d" % number))
        assert got.team.startswith(f"The heading of {told} is not")
    data = line(50, 1, 1)
    answer = right(TOUR, data).decode()
    for number, told in ((100, "visit 100"), (101, "a visit far into the output")):
        swapped = {str(number + 1): "2500", "2500": str(number + 1)}
        team = " ".join(swapped.get(word, word) for word in answer.split()).encode()
        got = judged(TOUR, tmp_path, stdin=data, answer=answer.encode(), team=team)
        assert f"the square of {told} to that of the next" in got.team


@pytest.mark.parametrize("written", [b"+304", b"3_04", b"3,04", b"304.0", b"\xd9\xa3\xd9\xa0\xd9\xa4", b"3" * 10**6])
def test_a_number_is_plain_digits(written: bytes, tmp_path: Path) -> None:
    got = judged(COUNT, tmp_path, stdin=FIVE_CORNER, answer=b"304\n", team=written)
    assert (got.code, bool(got.team)) == (43, True)
    team = board({}).replace(b"25", written)
    assert judged(TOUR, tmp_path, stdin=FIVE_CORNER, answer=board({}), team=team).code == 43


def test_a_tour_where_the_answer_has_none_is_a_fault_of_the_judge(tmp_path: Path) -> None:
    got = judged(TOUR, tmp_path, stdin=FIVE_CORNER, answer=b"NO TOUR\n", team=board({}))
    assert (got.code, got.team) == (1, "")
    assert got.judges
    got = judged(ALL, tmp_path, stdin=FIVE_MIDDLE, answer=tours(1), team=tours(*WHOLE))
    assert (got.code, got.team) == (1, "")
    assert got.judges


@pytest.mark.parametrize(("slug", "data"), [(TOUR, FIVE_CORNER), (COUNT, FIVE_CORNER), (ALL, FIVE_MIDDLE)])
def test_any_bytes_are_judged_wrong_and_nothing_else(slug: str, data: bytes, tmp_path: Path) -> None:
    answer = right(slug, data)
    draw = random.Random(1)
    junk = [draw.randbytes(draw.randrange(1, 400)) for _ in range(8)]
    junk += [
        answer[:-1] + b"\0\n",
        b"\xff" + answer,
        b"9" * 100_000,
        b"Solution " * 100_000,
        b"Solution 1:\n" * 100_000,
    ]
    junk += [bytes(1 << 20), b"\n" * (1 << 20), b"1 " * (4 << 20), answer + b"x" * (8 << 20), b"\xd9\xa1 " * 25]
    for team in junk:
        got = judged(slug, tmp_path, stdin=data, answer=answer, team=team)
        assert (got.code, bool(got.team), bool(got.judges)) == (43, True, True)
        assert len(got.judges) < 300


def test_the_largest_board_is_judged_whatever_the_spacing(tmp_path: Path) -> None:
    data = line(50, 1, 1)
    answer = right(TOUR, data)
    for team in (answer, b"\r\n" + answer.replace(b" ", b"\t\n ")):
        assert judged(TOUR, tmp_path, stdin=data, answer=answer, team=team) == Judged(code=42, team="", judges="")


def telling_inputs(slug: str) -> list[bytes]:
    """Inputs of the package's cases that tell mutants from the reference, the quick ones first."""
    inputs = reversed(inputs_of(slug).values())
    return sorted(inputs, key=lambda data: (data[:1] == b"6", int(data.split()[0])))


@pytest.mark.parametrize(("slug", "mutant"), MUTANTS, ids=lambda one: one if isinstance(one, str) else one.name)
def test_a_mutant_is_killed_by_a_case_and_has_a_hint(slug: str, mutant: Mutant, tmp_path: Path) -> None:
    source = CATALOG / slug / mutant.program.name
    for data in telling_inputs(slug):
        team = subprocess.run(built(source), input=data, stdout=subprocess.PIPE, check=True, timeout=SECONDS).stdout
        if judged(slug, tmp_path, stdin=data, answer=right(slug, data), team=team).code == 43:
            break
    else:
        pytest.fail("no case tells the mutant from the reference")
    assert len(mutant.hints["en"].read_text(encoding="utf-8")) > 80
