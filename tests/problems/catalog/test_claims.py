"""What the tracers of the built-in problems say of a program: what is wrong is marked, what is right is not."""

from pathlib import Path

import pytest

from problems.package.claim import Claim
from problems.package.replay import frames
from tests.problems.catalog.bare import CATALOG, output, package
from tests.problems.catalog.test_lessons import told

MAZE = "9513\nC3AA\n92AA\nC446\n\n0,0\n3,3\n"
SHUT = "F\nF\n\n0,0\n0,1\n"
THREE = "3 1 1\n"
FIVE = (
    output(CATALOG / "knightstourall/submissions/accepted/backtracking.py", b"5 3 3\n").decode().partition("Solution 2")
)
ONE = FIVE[0].split()
SLOW = ("knightstourall", "knightstourcount")
"""Whose outputs take half a minute to play: by name."""
CLAIMS = [
    # problem, input, what the program printed: what is wrong, and the last place of its path or the number it says
    ("knightmoves", "a1 h8\n", "To get from a1 to h8 takes 5 knight moves.\n", ("distance", 5)),
    ("knightmoves", "a1 h8\n", "5", ("distance", 5)),
    ("knightmoves", "a1 h8\n", "To get from a1 to h8 takes 6 knight move.\n", None),
    ("knightmoves", "a1 h8\n", "To get from a1 to h8 takes no knight moves.\n", None),
    ("maze", MAZE, "EEESSS\n", None),
    ("maze", MAZE, "SESSEE\n", None),
    ("maze", MAZE, "EEEWESSS\n", ("longer", "3,3")),
    ("maze", MAZE, "EES\n", ("end", "2,1")),
    ("maze", MAZE, "SSEE\n", ("wall", "0,2")),
    ("maze", MAZE, "\n", ("end", "0,0")),
    ("maze", MAZE, "W\n", ("outside", "0,0")),
    ("maze", MAZE, "NO PATH\n", ("none", "")),
    ("maze", MAZE, "eeesss\n", None),
    ("maze", SHUT, "NO PATH\n", None),
    ("maze", SHUT, "S\n", ("wall", "0,1")),
    ("knightstour", "1 1 1\n", "NO TOUR\n", ("none", "")),
    ("knightstour", THREE, "NO TOUR\n", None),
    ("knightstour", THREE, "1 2 3 4 5 6 7 8 9\n", ("step", "1-2")),
    ("knightstour", THREE, "9 2 3 4 5 6 7 8 1\n", ("start", "1-1")),
    ("knightstour", THREE, "0 1 2 3 4 5 6 7 8\n", ("number", 0)),
    ("knightstour", THREE, "1 2 3 4 5 6 7 8 8\n", ("same", 8)),
    ("knightstour", THREE, "1 2 3\n", None),
    ("knightstourcount", THREE, "1\n", ("count", 1)),
    ("knightstourcount", THREE, "0\n", None),
    ("knightstourall", "5 3 3\n", "".join(FIVE), None),
    ("knightstourall", "5 3 3\n", FIVE[0], ("count", 1)),
    ("knightstourall", "5 3 3\n", " ".join(ONE[:-1]), ("short", ONE[-2])),
    ("knightstourall", "5 3 3\n", " ".join(ONE[:10] + ONE[8:]), ("twice", ONE[8])),
    ("knightstourall", "5 3 3\n", " ".join(ONE[:10] + ONE[11:]), ("step", ONE[11])),
    ("knightstourall", "5 3 3\n", " ".join(ONE[:2] + ONE[3:]), ("start", ONE[3])),
    ("knightstourall", "5 3 3\n", "", ("count", 0)),
]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a tracer looks for what a program printed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".judge").mkdir()
    return tmp_path / ".judge/output"


def claim(slug: str, given: str, said: Path, printed: str) -> Claim | None:
    """What is claimed; the trace is one that may be played."""
    said.write_text(printed)
    name, *arguments = package(slug).feedback.replay
    *_, stage = frames(told(f"{slug}/{name}", given, *arguments))
    return stage.claim


@pytest.mark.parametrize(("slug", "given", "printed", "expected"), CLAIMS)
def test_what_is_wrong_is_marked(
    said: Path, slug: str, given: str, printed: str, expected: tuple[str, str | int] | None
) -> None:
    found = claim(slug, given, said, printed)
    if found is None or expected is None:
        assert (found, expected) == (None, None)
        return
    assert (found.wrong, found.said if isinstance(expected[1], int) else "".join(found.path[-1:])) == expected


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[pytest.mark.byname] if slug in SLOW else [])
        for slug in sorted({row[0] for row in CLAIMS})
    ],
)
def test_outputs_of_the_package(said: Path, slug: str) -> None:
    """Whatever is printed, the trace may be played; and nothing is claimed of what is right."""
    claims = {True: 0, False: 0}
    for file in sorted((CATALOG / slug / "data").glob("*valid_output/*.out")):
        given = file.with_suffix(".in").read_text()
        if given.split()[0].isdecimal() and int(given.split()[0]) > 8:
            continue
        printed = file.read_bytes().decode("utf-8", "replace")
        right = file.parent.name == "valid_output"
        given = given.splitlines(keepends=True)[-1] if slug == "knightmoves" else given
        claims[right] += claim(slug, given, said, printed) is not None
        assert not claims[True], file
    assert claims[False] or slug in ("knightmoves", "knightstourcount")
