"""The package `knightmoves`, checked against a graph library and by hand."""

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
    built,
    case_input,
    input_is_valid,
    judged,
    output,
    package,
    with_mark,
)

SLUG = "knightmoves"
ROOT = CATALOG / SLUG
REFERENCES = ["bfs.cpp", "bfs.py", "bidirectional.cpp", "bidirectional.py", "bfs.c"]
CASES = [case.name for case in package(SLUG).cases]
INPUT = b"e2 e4\nb1 c3\nf6 f6\n"
ANSWER = b"".join(
    b"To get from %b takes %d knight moves.\n" % pair for pair in ((b"e2 to e4", 2), (b"b1 to c3", 1), (b"f6 to f6", 0))
)


def distances() -> dict[str, dict[str, int]]:
    """All 4,096 distances, by a library."""
    board: networkx.Graph[tuple[int, int]] = networkx.Graph()
    squares = [(column, row) for column in range(8) for row in range(8)]
    board.add_edges_from(
        (a, b) for a in squares for b in squares if sorted(map(abs, (a[0] - b[0], a[1] - b[1]))) == [1, 2]
    )
    assert (board.number_of_nodes(), board.number_of_edges()) == (64, 168)
    named = networkx.relabel_nodes(board, lambda square: "abcdefgh"[square[0]] + str(square[1] + 1))
    return {start: dict(reached) for start, reached in networkx.all_pairs_shortest_path_length(named)}


DISTANCES = distances()


def sentences(data: bytes) -> bytes:
    """The right output for an input, by the library."""
    pairs = [line.split() for line in data.decode().splitlines()]
    return "".join(f"To get from {a} to {b} takes {DISTANCES[a][b]} knight moves.\n" for a, b in pairs).encode()


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_is_right_for_all_pairs_and_on_the_sample(name: str) -> None:
    program = ROOT / "submissions/accepted" / name
    everything = case_input(SLUG, "secret/07all")
    assert len(everything.splitlines()) == 4096 == len(set(everything.splitlines()))
    assert output(program, everything) == sentences(everything)
    assert output(program, (ROOT / "data/sample/1.in").read_bytes()) == (ROOT / "data/sample/1.ans").read_bytes()


def test_no_pair_is_more_than_six_moves_apart() -> None:
    assert max(max(reached.values()) for reached in DISTANCES.values()) == 6


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_valid_reproducible_and_answered_rightly(name: str) -> None:
    data = case_input(SLUG, name)
    case_input.cache_clear()
    assert case_input(SLUG, name) == data
    assert input_is_valid(SLUG, data)
    assert output(ROOT / "submissions/accepted/bfs.cpp", data) == sentences(data)


def test_the_cases_hold_what_wrong_programs_stumble_over() -> None:
    equal, single = case_input(SLUG, "secret/01equal").splitlines(), case_input(SLUG, "secret/02single").splitlines()
    assert len(set(equal)) == 64
    assert all(line[:2] == line[3:] for line in equal)
    assert len(set(single)) == 2 * 168
    assert len(case_input(SLUG, "secret/09long").splitlines()) == 10**5


@pytest.mark.parametrize("probe", package(SLUG).probes, ids=lambda probe: probe.name)
def test_the_validators_judge_the_probes_of_the_package(probe: TestCase, tmp_path: Path) -> None:
    assert probe.input is not None
    data = probe.input.read_bytes()
    assert input_is_valid(SLUG, data) == (probe.group != "invalid_input")
    if probe.group == "invalid_input":
        return
    team = (ROOT / "data" / f"{probe.name}.out").read_bytes()
    got = judged(SLUG, tmp_path, stdin=data, answer=sentences(data), team=team)
    assert got.code == (42 if probe.group == "valid_output" else 43)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((b"takes 1", b"takes 2"), "line 2: the sentence is right but the number is wrong"),
        ((b"takes 0", b"takes -1"), "line 3: the sentence is right but the number is wrong"),
        (
            (b"moves.", b"moves"),
            "line 1: the number is right but the sentence differs: a full stop is missing at its end",
        ),
        (
            (b"1 knight moves", b"1 knight move"),
            "line 2: the number is right but the sentence differs: the right one says",
        ),
        ((b"To get", b"to get"), "line 1: the number is right but the sentence differs: upper and lower case"),
        ((b"b1 to c3", b"c3 to b1"), "line 2: the number is right but the sentence differs: the two squares"),
        ((b"c3 takes 1", b"c3 takes 01"), "line 2: the number is right but is not written plainly"),
        ((b"takes 1", b"takes1"), "line 2: the number is right but a space between two words is missing"),
        ((b"takes 1", b"takes one"), "line 2: there is no number where one is expected"),
        (
            (b"knight moves", b"horse moves"),
            "line 1: the number is right but the sentence differs: one of its words is another",
        ),
        ((b"get from ", b""), "line 1: the number is right but the sentence differs: words are missing"),
        ((ANSWER, b"2\n1\n0\n"), "line 1: only a number stands there"),
        ((ANSWER, b""), "the output is empty"),
        ((ANSWER, ANSWER[:43]), "the output ends after line 1"),
        ((ANSWER, ANSWER + b"Done."), "the output goes on after the last sentence"),
    ],
)
def test_the_team_is_told_which_kind_of_mistake_it_is(
    change: tuple[bytes, bytes], message: str, tmp_path: Path
) -> None:
    got = judged(SLUG, tmp_path, stdin=INPUT, answer=ANSWER, team=ANSWER.replace(*change))
    assert got.code == 43
    assert got.team.startswith(message)
    assert not re.search(r"\b[a-h][1-8]\b", got.team), "a square of the case was shown"


def test_no_output_puts_what_it_knows_into_the_team_message(tmp_path: Path) -> None:
    outputs = [*with_mark(ANSWER), ANSWER * 5172, ANSWER + b"x " * MARK, b"To get " * 51729 + ANSWER]
    for team in outputs:
        got = judged(SLUG, tmp_path, stdin=INPUT, answer=ANSWER, team=team)
        assert got.code == 43
        assert set(re.findall(r"\d+", got.team)) <= {"1", "2", "3"}, got.team
        assert not re.search("IN|_|[\"']", got.team), got.team


def test_a_line_is_told_up_to_a_hundred_only(tmp_path: Path) -> None:
    data, answer = INPUT * 50, ANSWER.splitlines(keepends=True) * 50
    for line, told in ((99, "line 100"), (100, "a line far into the output"), (149, "a line far into the output")):
        cut = b"".join(answer[:line])
        wrong = cut + answer[line].replace(b"takes", b"takes 1") + b"".join(answer[line + 1 :])
        for team, message in ((wrong, f"{told}: "), (cut, "the output ends after ")):
            got = judged(SLUG, tmp_path, stdin=data, answer=b"".join(answer), team=team)
            assert (got.code, got.team[: len(message)]) == (43, message)
            assert all(int(number) <= 100 for number in re.findall(r"\d+", got.team))


def test_spacing_does_not_matter(tmp_path: Path) -> None:
    for team in (
        ANSWER.replace(b" ", b"\n\t "),
        ANSWER.replace(b"\n", b"\r\n"),
        b"\n" + ANSWER.rstrip(),
        ANSWER + b" \n\n",
    ):
        assert judged(SLUG, tmp_path, stdin=INPUT, answer=ANSWER, team=team).code == 42


def test_any_bytes_are_judged_wrong_and_nothing_else(tmp_path: Path) -> None:
    draw = random.Random(1)
    junk = [draw.randbytes(draw.randrange(1, 400)) for _ in range(20)]
    junk += [
        ANSWER[:-1] + b"\0\n",
        b"\xff" + ANSWER,
        ANSWER[:50] + b"\0\xfe" + ANSWER[50:],
        b"9" * 100_000,
        b"To " * 100_000,
    ]
    junk += [ANSWER.replace(b"takes 1", b"takes " + b"1" * 5000), bytes(1 << 20), b"\n" * (1 << 20)]
    for team in junk:
        got = judged(SLUG, tmp_path, stdin=INPUT, answer=ANSWER, team=team)
        assert (got.code, bool(got.team), bool(got.judges)) == (43, True, True)
        assert len(got.judges) < 2000


def test_a_huge_output_is_judged_in_the_end(tmp_path: Path) -> None:
    data = case_input(SLUG, "secret/09long")
    answer = sentences(data)
    assert judged(SLUG, tmp_path, stdin=data, answer=answer, team=answer).code == 42
    assert judged(SLUG, tmp_path, stdin=data, answer=answer, team=answer + b"x " * (6 << 20)).code == 43
    assert len(answer) < package(SLUG).limits.output_bytes / 2


@pytest.mark.parametrize("mutant", package(SLUG).mutants, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed_by_a_case_and_has_a_hint(mutant: Mutant) -> None:
    program = ROOT / mutant.program.name
    everything = case_input(SLUG, "secret/07all")
    got = output(program, everything)
    assert got != sentences(everything)
    assert all(re.fullmatch(rb"To get from .. to .. takes -?\d+ knight moves\.", line) for line in got.splitlines())
    assert len(mutant.hints["en"].read_text(encoding="utf-8")) > 80


def test_every_known_mistake_has_its_mutant() -> None:
    assert {mutant.name for mutant in package(SLUG).mutants} >= {
        "one-move-missing",
        "row-and-column-swapped",
        "visited-not-reset",
        "depth-first",
        "equal-squares-not-zero",
        "first-line-only",
    }


def test_known_wrong_programs_fail_as_many_pairs_as_they_are_known_to() -> None:
    everything = case_input(SLUG, "secret/07all")
    right = sentences(everything).splitlines()
    for name, wrong in (("target_swapped.cpp", 1528), ("formula.c", 8), ("seven_moves.cpp", 662), ("astar.cpp", 49)):
        got = output(ROOT / "submissions/wrong_answer" / name, everything).splitlines()
        assert sum(mine != theirs for mine, theirs in zip(got, right, strict=True)) == wrong


@pytest.mark.parametrize(
    ("name", "standard", "good"), [("gets.c", "c89", True), ("gets.cpp", "c++11", True), ("gets.cpp", "c++17", False)]
)
def test_programs_with_gets_are_right_where_the_language_has_it(name: str, standard: str, good: bool) -> None:
    source = Path(__file__).parent / "habits" / name
    everything = case_input(SLUG, "secret/07all")
    if good:
        assert subprocess.check_output(built(source, f"-std={standard}"), input=everything) == sentences(everything)
    else:
        with pytest.raises(subprocess.CalledProcessError):
            built(source, f"-std={standard}")
