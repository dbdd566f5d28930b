"""Runs the programs of a catalog package bare, by subprocess: these tests look at the packages, not at the judge."""

import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import problems
from problems.package.model import Package, TestCase
from problems.package.read import read

CATALOG = Path(problems.__file__).parent / "catalog"
PYTHON = "/usr/bin/python3"
SECONDS = 60
"""No program of these tests may take longer, however busy the host is."""


@cache
def package(slug: str) -> Package:
    """A package of the catalog, which must be free of errors."""
    reading = read(CATALOG / slug)
    assert reading.package is not None, reading.findings
    return reading.package


@cache
def built(source: Path, *options: str) -> tuple[str, ...]:
    """How to run a C++, C or Python program; compiled first if need be."""
    if source.suffix == ".py":
        return PYTHON, str(source)
    binary = Path(mkdtemp(prefix="palfrey-catalog-", dir=os.environ.get("PALFREY_VAR"))) / "program"
    compiler = (
        ["gcc", *(options or ("-std=gnu17",))] if source.suffix == ".c" else ["g++", *(options or ("-std=c++17",))]
    )
    subprocess.run([*compiler, "-O2", "-w", "-o", str(binary), str(source), "-lm"], check=True)
    return (str(binary),)


def output(source: Path, stdin: bytes) -> bytes:
    """What a program prints; it must end well."""
    return subprocess.run(built(source), input=stdin, stdout=subprocess.PIPE, check=True, timeout=SECONDS).stdout


@cache
def case_input(slug: str, name: str) -> bytes:
    """The input of a case, generated if need be."""
    return made(package(slug), next(case for case in package(slug).cases if case.name == name))


def made(of: Package, case: TestCase) -> bytes:
    """The input of a case: its file, or what its generator prints."""
    if case.provenance is None:
        assert case.input is not None
        return case.input.read_bytes()
    generator = of.root / "generators" / case.provenance.generator
    return subprocess.run(
        [PYTHON, generator, *case.provenance.arguments], stdout=subprocess.PIPE, check=True, timeout=SECONDS
    ).stdout


def input_is_valid(slug: str, data: bytes) -> bool:
    """What the input validator says; any exit code but 42 and 43 is a fault of it."""
    command = [PYTHON, str(CATALOG / slug / "input_validators/validate.py")]
    code = subprocess.run(command, input=data, stdout=subprocess.DEVNULL, check=False, timeout=SECONDS).returncode
    assert code in {42, 43}
    return code == 42


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the output validator did: its exit code and the texts, stripped."""

    code: int
    team: str
    judges: str
    open: str = ""
    """What the student is told where the case is open."""


MARK = 517294
"""Stands for a secret that a student's program has read; no team message may carry it."""


def with_mark(right: bytes) -> list[bytes]:
    """Outputs that try to get MARK onto the page: as a word, as a number, in the place of a word of a right output."""
    mark = b"%d" % MARK
    forms = [mark, b"IN=" + mark, b"-" + mark, b"+" + mark, mark + b"." + mark, mark + b":", b"1-" + mark]
    forms += [b'"%b"' % mark, b"IN=5_17_294", b"517_294", "５１７２９４".encode()]
    words = right.split()
    places = [place for place in (0, 1, 7, len(words) // 2, len(words) - 1) if 0 <= place < len(words)]
    outputs = [*forms, *(b"%b %b" % (form, form) for form in forms), *(right + form for form in forms)]
    for at, form in enumerate(forms):
        place = places[at % len(places)]
        outputs.append(b" ".join([*words[:place], form, *words[place + 1 :]]))
    return outputs


def judged(slug: str, folder: Path, *, stdin: bytes, answer: bytes, team: bytes) -> Judged:
    """Run the output validator on an output of the team; `folder` is one of the test's own."""
    (folder / "case.in").write_bytes(stdin)
    (folder / "case.ans").write_bytes(answer)
    feedback = folder / "feedback"
    feedback.mkdir(exist_ok=True)
    texts = [feedback / "teammessage.txt", feedback / "judgemessage.txt", feedback / "openmessage.txt"]
    for text in texts:
        text.unlink(missing_ok=True)
    validator = CATALOG / slug / "output_validator/validate.py"
    command = list(map(str, (PYTHON, validator, folder / "case.in", folder / "case.ans", feedback)))
    done = subprocess.run(command, input=team, capture_output=True, check=False, timeout=SECONDS)
    assert not done.stderr, done.stderr
    team_text, judges_text, open_text = (
        text.read_text(encoding="ascii").strip() if text.exists() else "" for text in texts
    )
    return Judged(code=done.returncode, team=team_text, judges=judges_text, open=open_text)
