"""`palfrey/feedback.yaml`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from problems.package.model import Feedback, SizeOf, Way
from problems.package.read import read
from tests.grading.folder import write_package

CATALOG = Path(__file__).parents[3] / "problems/catalog"
OFFERING = sorted(path.parent.parent for path in CATALOG.glob("*/palfrey/feedback.yaml"))


def reading(tmp_path: Path, text: str) -> tuple[Feedback | None, list[str]]:
    root = write_package(tmp_path, {"palfrey/feedback.yaml": text, "palfrey/small.py": "print()\n"})
    read_in = read(root)
    rules = [finding.rule for finding in read_in.findings]
    return read_in.package.feedback if read_in.package is not None else None, rules


def test_what_is_written_is_read(tmp_path: Path) -> None:
    feedback, rules = reading(
        tmp_path,
        "small: {run: small.py 3, joined: lines}\n"
        "size: {of: first number, grow: 'pair.py {n} 1', from: 2, to: 9, expected: n log n}\n",
    )
    assert rules == []
    assert feedback is not None
    assert feedback.small is not None
    assert feedback.small.program is not None
    assert (feedback.small.arguments, feedback.small.joined) == (("3",), True)
    assert feedback.size is not None
    assert (feedback.size.of, feedback.size.generate) == (SizeOf.FIRST_NUMBER, ("pair.py", "{n}", "1"))
    assert (feedback.size.smallest, feedback.size.largest, feedback.size.expected) == (2, 9, "n log n")


def test_a_list_in_place(tmp_path: Path) -> None:
    feedback, rules = reading(tmp_path, 'small: {inputs: ["1 2\\n", "3 4\\n"]}\n')
    assert rules == []
    assert feedback is not None
    assert feedback.small is not None
    assert feedback.small.inputs == (b"1 2\n", b"3 4\n")
    assert not feedback.small.joined


HINT = "palfrey/directions/{}/hint.{}.md"


def directions(tmp_path: Path, text: str, *names: str) -> tuple[Feedback | None, list[str]]:
    files = {"palfrey/feedback.yaml": text, **dict.fromkeys(names, "Think.\n")}
    read_in = read(write_package(tmp_path, files))
    rules = [finding.rule for finding in read_in.findings]
    return read_in.package.feedback if read_in.package is not None else None, rules


def test_what_a_direction_means(tmp_path: Path) -> None:
    names = [HINT.format("larger", "en"), HINT.format("larger", "ro"), HINT.format("says", "en")]
    feedback, rules = directions(tmp_path, "none: NO  PATH\n", *names)
    assert rules == []
    assert feedback is not None
    assert {way: sorted(hints) for way, hints in feedback.meanings.items()} == {
        Way.LARGER: ["en", "ro"],
        Way.SAYS: ["en"],
    }
    assert feedback.meaning(Way.LARGER, "")
    assert feedback.meaning(Way.SAYS, "No path")
    assert not feedback.meaning(Way.SAYS, "E"), "of another line its author has said nothing"
    assert not feedback.meaning(Way.MISSES, "NO PATH")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("none: NO PATH\n", HINT.format("longer", "en")),
        ("none: NO PATH\n", "palfrey/directions/larger.en.md"),
        ("none: NO PATH\n", "palfrey/directions/larger/text.md"),
        ("none: NO PATH\n", HINT.format("larger", "English")),
        ("right: one\n", HINT.format("says", "en")),
    ],
)
def test_a_direction_that_is_none_is_told(tmp_path: Path, text: str, name: str) -> None:
    assert directions(tmp_path, text, name)[1] == ["direction"]


@pytest.mark.parametrize("folder", OFFERING, ids=lambda folder: folder.name)
def test_what_directions_of_the_catalog_mean_is_said_in_four_languages(folder: Path) -> None:
    package = read(folder).package
    assert package is not None
    for way, hints in package.feedback.meanings.items():
        assert set(hints) == {"en", "pt-BR", "ro", "zh-CN"}, way


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("small: {run: other.py}\n", "no-such-program"),
        ("small: {}\n", "small"),
        ("small: {run: small.py, inputs: ['1']}\n", "small"),
        ("small: {run: small.py, joined: words}\n", "wrong-type"),
        ("size: {grow: 'pair.py {n} 1'}\n", "size"),
        ("size: {of: lines, grow: pair.py 1 1}\n", "size"),
        ("size: {of: lines, grow: 'none.py {n}'}\n", "size"),
        ("size: {of: lines, grow: 'pair.py {n} 1', from: 9, to: 3}\n", "size"),
        ("large: {}\n", "unknown-key"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, rule: str) -> None:
    assert rule in reading(tmp_path, text)[1]


@pytest.mark.parametrize("folder", OFFERING, ids=lambda folder: folder.name)
def test_the_small_inputs_of_the_catalog_are_legal_and_no_two_are_the_same(folder: Path) -> None:
    made = subprocess.run([sys.executable, folder / "palfrey/small.py"], capture_output=True, check=True).stdout
    inputs = [json.loads(line) for line in made.splitlines()]
    assert len(inputs) > 50
    assert len(set(inputs)) == len(inputs)
    package = read(folder).package
    assert package is not None
    assert package.feedback.small is not None
    texts = ["".join(inputs)] if package.feedback.small.joined else inputs[:: max(len(inputs) // 30, 1)] + inputs[-2:]
    for validator in package.input_validators:
        for text in texts:
            done = subprocess.run([sys.executable, folder / validator.name], input=text.encode(), check=False)
            assert done.returncode == 42, text
