"""A value set in somebody's YAML leaves everything else as it stands."""

# ruff: noqa: E501 -- a row of the table is a line

from decimal import Decimal

import pytest

from problems.package.yaml_edit import CannotEdit, add, put, values

LIMIT = ("limits", "time_limit")
ROWS: list[tuple[str, str, tuple[str, ...], Decimal | str | None, str]] = [
    ("on its line", "limits:\n  time_limit: 1 # s\n  memory: 2\n", LIMIT, Decimal("2.50"), "limits:\n  time_limit: 2.5 # s\n  memory: 2\n"),
    ("quoted", "limits: {time_limit: '1'} # x\n", LIMIT, Decimal(3), "limits: {time_limit: 3} # x\n"),
    ("first of a map", "a: b\nlimits:\n  # why\n  memory: 2\nz: 1\n", LIMIT, Decimal(1), "a: b\nlimits:\n  # why\n  time_limit: 1\n  memory: 2\nz: 1\n"),
    ("first in braces", "limits: {memory: 2}\n", LIMIT, Decimal(1), "limits: {time_limit: 1, memory: 2}\n"),
    ("into empty braces", "limits: {}\n", LIMIT, Decimal(1), "limits: {time_limit: 1}\n"),
    ("into nothing", "limits:\nname: a\n", LIMIT, Decimal(1), "limits: {time_limit: 1}\nname: a\n"),
    ("no such map", "name: a", LIMIT, Decimal(1), "name: a\nlimits:\n  time_limit: 1\n"),
    ("no text", "", ("max_score",), Decimal(40), "max_score: 40\n"),
    ("only a comment", "# nothing\n", ("max_score",), Decimal(40), "# nothing\nmax_score: 40\n"),
    ("a word", "max_score: 3\n", ("max_score",), "unbounded", "max_score: unbounded\n"),
    ("taken away", "limits:\n  time_limit: 1 # s\n  memory: 2\n", LIMIT, None, "limits:\n  memory: 2\n"),
    ("last taken away", "limits:\n  memory: 2\n  time_limit: 1", LIMIT, None, "limits:\n  memory: 2\n"),
    ("taken out of braces", "limits: {time_limit: 1, memory: 2}\n", LIMIT, None, "limits: {memory: 2}\n"),
    ("last taken out of braces", "limits: {memory: 2, time_limit: 1}\n", LIMIT, None, "limits: {memory: 2}\n"),
    ("not there anyway", "name: a\n", LIMIT, None, "name: a\n"),
    ("letters of all sorts", "name: Übung ♞\nlimits: {time_limit: 1}\n", LIMIT, Decimal(2), "name: Übung ♞\nlimits: {time_limit: 2}\n"),
    ("a document that begins", "---\nlimits:\n  time_limit: 1\n", LIMIT, Decimal(2), "---\nlimits:\n  time_limit: 2\n"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "path", "value", "after"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_nothing_else_is_touched(before: str, path: tuple[str, ...], value: Decimal | str | None, after: str) -> None:
    assert put(before.encode(), path, value).decode() == after


@pytest.mark.parametrize(
    "text",
    [
        "name: [\n",
        "- a\n- b\n",
        "limits: 5\n",
        "limits: [1, 2]\n",
        "limits:\n  time_limit: |\n    1\n",
        "limits:\n  time_limit: {a: 1}\n",
        "a: &x {time_limit: 1}\nlimits: *x\n",
        "name: a\n...\n",
    ],
)
def test_what_cannot_be_done_cleanly_is_not_done(text: str) -> None:
    with pytest.raises(CannotEdit):
        put(text.encode(), LIMIT, Decimal(2))


def test_what_stands_there() -> None:
    text = b"limits: {time_limit: 1.50, memory: [1]}\n"
    assert values(text, [LIMIT, ("limits", "memory"), ("limits", "output"), ("name",)]) == {
        LIMIT: "1.50", ("limits", "memory"): "", ("limits", "output"): "", ("name",): "",
    }  # fmt: skip
    assert values(b"[", [LIMIT]) == {LIMIT: ""}


LISTED = """\
# which cases there are
data:
  sample: {data: {1: {in: "1"}}}
  secret:
    data:
      # few
      - small:
          data:
            - a: gen.py 1
            - b:  # two
                generate: gen.py 2
      # many
      - large:
          test_group.yaml: {max_score: 30}
          data:
            x: |
              text
               more

            # then
            y: gen.py 3 {seed}  # why
      - none: {data: []}
# the end
"""
SMALL, LARGE = (("data", "secret", "data", name, "data") for name in ("small", "large"))
ADDED = {
    "to a list": (SMALL, "gen.py 5 7", "", "generate: gen.py 2\n", "            - new: gen.py 5 7\n"),
    "to a map": (LARGE, "gen.py 5 'a b'", "", "# why\n", "            new: \"gen.py 5 'a b'\"\n"),
    "within a map": (LARGE, "1\n2: #\n", "in", "# why\n", '            new: {in: "1\\n2: #\\n"}\n'),
    "to a map in one line": (("data", "sample", "data"), "3\n", "in", '{in: "1"}', ', new: {in: "3\\n"}'),
    "to an empty list": (
        ("data", "secret", "data", "none", "data"),
        "gen.py 1",
        "",
        "- none: {data: [",
        "{new: gen.py 1}",
    ),
    "to what is not there": (
        ("data", "invalid_input", "data"),
        "g.py 1",
        "",
        "data:\n",
        "  invalid_input:\n    data:\n      new: g.py 1\n",
    ),
}


@pytest.mark.parametrize("place", ADDED)
def test_an_entry_more(place: str) -> None:
    path, value, inside, before, more = ADDED[place]
    at = LISTED.index(before) + len(before)
    assert add(LISTED.encode(), path, "new", value, inside=inside).decode() == LISTED[:at] + more + LISTED[at:]


@pytest.mark.parametrize(
    ("path", "key"),
    [(LARGE, "x"), (("data", "secret", "data", "small", "data", "a"), "n"), (("data", "sample"), "data")],
)
def test_an_entry_that_cannot_be_added(path: tuple[str, ...], key: str) -> None:
    with pytest.raises(CannotEdit):
        add(LISTED.encode(), path, key, "gen.py 1")


def test_a_value_below_an_entry_of_a_list() -> None:
    path = ("data", "secret", "data", "small", "test_group.yaml", "max_score")
    written = put(LISTED.encode(), path, Decimal(40)).decode()
    group = "          test_group.yaml:\n            max_score: 40\n"
    assert written == LISTED.replace("- small:\n", f"- small:\n{group}")
    doubled = LISTED.replace("- large:", "- small:").encode()
    with pytest.raises(CannotEdit):
        put(doubled, path, Decimal(40))
