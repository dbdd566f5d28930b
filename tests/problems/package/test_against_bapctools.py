"""What BAPCtools makes and judges, and what we do, are the same. Slow and random: run by name."""

import random
import shutil
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from problems.package.default_validator import compare, parse_options
from problems.package.read import read
from tests.problems.package.small import write

pytestmark = pytest.mark.byname

TOKENS = [
    "1",
    "1.0",
    "01",
    "a",
    "A",
    "nan",
    "NaN",
    "inf",
    "1e5",
    "100000",
    "-0",
    "0",
    ".5",
    "0.5",
    "5.",
    "x1",
    "1e",
    "+1",
]
TOKENS += ["1.000001", "0.999999", "é"]
SPACES = [" ", "\n", "\t", "\r\n", "  ", "\v", "\f"]
OPTIONS = [
    "",
    "case_sensitive",
    "space_change_sensitive",
    "float_tolerance 1e-5",
    "float_absolute_tolerance 1e-5",
    "float_relative_tolerance 0.5",
    "case_sensitive float_tolerance 0",
    "space_change_sensitive float_tolerance 1e-5",
]


def test_the_default_validator_says_the_same(tmp_path: Path) -> None:
    validator, answer_file = tmp_path / "validator", tmp_path / "answer"
    with as_file(files("bapctools") / "resources/support/default_output_validator.cpp") as source:
        subprocess.run(["g++", "-std=c++20", "-o", validator, source], check=True)
    chance = random.Random()

    def spaced(tokens: list[str]) -> bytes:
        gaps = [chance.choice(SPACES) if chance.random() < 0.3 else "\n" for _ in tokens]
        return (chance.choice(["", "", *SPACES]) + "".join(map(str.__add__, tokens, gaps))).encode()

    for _ in range(400):
        tokens = chance.choices(TOKENS, k=chance.randrange(4))
        others = [token if chance.random() < 0.8 else chance.choice(TOKENS) for token in tokens]
        others += chance.choices(TOKENS, k=chance.choice([0, 0, 0, 1]))
        team, answer, args = spaced(others), spaced(tokens), chance.choice(OPTIONS).split()
        answer_file.write_bytes(answer)
        theirs = subprocess.run(
            [validator, "/dev/null", answer_file, tmp_path, *args], input=team, capture_output=True, check=False
        )
        ours = compare(team, answer, parse_options(tuple(args)))
        assert (ours is None) == (theirs.returncode == 42), (team, answer, args)


YAML = """\
solution: /submissions/accepted/double.py
random_salt: pepper
data:
  sample: {data: {"1": {in: "1", ans: "2"}}}
  secret:
    data:
    - one: echo.py 20 {seed}
    - two: {generate: "echo.py 7 {seed:3}", count: 3}
    - three: {generate: "echo.py {count} {seed}", count: 2..=4}
    - '': {in: "12", ans: "24"}
    - five: {random_salt: salt, generate: echo.py 5 {seed}}
    - six: {generate: "echo.py 'a b' {name}"}
""".replace("echo.py 5 {seed}}", "'echo.py 5 {seed}'}")


def test_generated_cases_are_the_same_to_the_byte(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "data/secret/01-two.in": None,
            "data/secret/01-two.ans": None,
            "generators/generators.yaml": YAML,
            "generators/echo.py": "import sys\nprint(int.from_bytes(repr(sys.argv[1:]).encode(), 'big'))\n",
        },
    )
    package = read(root).package
    assert package is not None
    made = shutil.copytree(root, tmp_path / "theirs" / "doubles")
    bt = Path(sys.executable).parent / "bt"
    done = subprocess.run([bt, "generate", "--no-validators"], cwd=made, capture_output=True, text=True, check=False)
    secret = [case for case in package.cases if case.group == "secret"]
    theirs = {f"secret/{path.stem}": path.read_bytes() for path in (made / "data/secret").glob("*.in")}
    assert sorted(theirs) == [case.name for case in secret], done.stdout + done.stderr
    for case in secret:
        ours = case.input_text
        if case.provenance is not None:
            program = root / "generators" / case.provenance.generator
            ours = subprocess.run(
                [sys.executable, program, *case.provenance.arguments], capture_output=True, check=True
            ).stdout
        assert ours == theirs[case.name]
