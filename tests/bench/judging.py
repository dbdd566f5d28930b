"""A whole judging against its floor, interleaved in one run: `./palfrey bench judging`.

The floor is what nobody can leave out: the bare compiler, the bare program once a case, and a comparison of bytes. The
judging is the grading core with a real box, from the source to the report, 20 cases of Knight Moves with the default
output validator; nothing was compiled before. Prints medians and ratios; never part of the gate.
"""

import argparse
import json
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from judge.grading.grade import grade
from judge.grading.job import Job, ReadyCase, Report, Source
from judge.grading.kept import Kept
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import Aggregation, Limits, Package, ProblemType, TestGroup
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox

CASES, LINES = 20, 1_000
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
CATALOG = Path(__file__).parents[2] / "problems" / "catalog" / "knightmoves" / "submissions" / "accepted"
PROGRAMS = {"cpp17": CATALOG / "bfs.cpp", "python3": CATALOG / "bfs.py"}
PACKAGE = Package(
    root=CATALOG,
    slug="bench",
    names={"en": "Bench"},
    uuid="00000000-0000-0000-0000-0000000000be",
    types=frozenset({ProblemType.PASS_FAIL}),
    limits=Limits(time_seconds=10.0, memory_bytes=256 << 20),
    statements={},
    groups=(TestGroup(name="secret", aggregation=Aggregation.PASS_FAIL),),
    cases=(),
    examples=(),
    input_validators=(),
    output_validator=None,
    generators={},
)


def make_cases(folder: Path) -> tuple[ReadyCase, ...]:
    """Inputs of random squares, answered by the reference."""
    source = random.Random(64)
    squares = [column + row for column in "abcdefgh" for row in "12345678"]
    cases = []
    for number in range(CASES):
        given = folder / f"{number:02}.in"
        given.write_text("".join(f"{source.choice(squares)} {source.choice(squares)}\n" for _ in range(LINES)))
        answer = given.with_suffix(".ans")
        with given.open("rb") as stdin, answer.open("wb") as stdout:
            subprocess.run(["/usr/bin/python3", PROGRAMS["python3"]], stdin=stdin, stdout=stdout, check=True)
        cases.append(ReadyCase(name=f"secret/{number:02}", group="secret", input=given, answer=answer))
    return tuple(cases)


def floor(language: str, cases: tuple[ReadyCase, ...], folder: Path) -> None:
    """Compile and run without a box, as little as can be."""
    if language == "python3":
        command = ["/usr/bin/python3", str(PROGRAMS[language])]
    else:
        command = [str(folder / "program")]
        flags = ["-std=gnu++17", "-O2", "-static", "-DONLINE_JUDGE"]
        subprocess.run(["/usr/bin/g++", *flags, "-o", command[0], PROGRAMS[language]], check=True, env=ENVIRONMENT)
    for case in cases:
        with case.input.open("rb") as stdin:
            output = subprocess.run(command, stdin=stdin, stdout=subprocess.PIPE, check=True, env=ENVIRONMENT).stdout
        if output != case.answer.read_bytes():
            raise SystemExit(f"the program is wrong on {case.name}")


def judging(language: str, cases: tuple[ReadyCase, ...], box: Sandbox) -> None:
    """The same by the judge."""
    name = LANGUAGES[language].source
    source = Source(language=language, files={name: PROGRAMS[language].read_bytes()})
    nothing_kept = Workshop(kept=Kept())
    *_, report = grade(Job(package=PACKAGE, cases=cases, source=source), box, nothing_kept)
    if not isinstance(report, Report) or report.verdict != Verdict.ACCEPTED:
        raise SystemExit(f"the judge says {report}")


def seconds(action: Callable[[], None]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(prog="palfrey bench judging", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="palfrey-bench-"))
    box = open_sandbox(folder / "sandbox", pinned=True)
    try:
        cases = make_cases(folder)
        found = {}
        for language in PROGRAMS:
            bare, judged = [], []
            for _ in range(options.rounds):
                bare.append(seconds(lambda: floor(language, cases, folder)))  # noqa: B023
                judged.append(seconds(lambda: judging(language, cases, box)))  # noqa: B023
            found[language] = {
                "cases": CASES,
                "rounds": options.rounds,
                "floor_seconds": statistics.median(bare),
                "judging_seconds": statistics.median(judged),
                "ratio": statistics.median(judged) / statistics.median(bare),
            }
    finally:
        box.close()
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps(found))
        return
    print(f"{CASES} cases of {LINES} lines, medians of {options.rounds} rounds, floor and judging interleaved")
    for language, figures in found.items():
        print(
            f"{language:8} floor {figures['floor_seconds']:.3f} s   judging {figures['judging_seconds']:.3f} s   "
            f"ratio {figures['ratio']:.2f}"
        )


if __name__ == "__main__":
    main()
