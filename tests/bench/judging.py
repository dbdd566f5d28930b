"""A whole judging against its floor, interleaved in one run: `./palfrey bench judging`.

The floor is what nobody can leave out: the bare compiler, the bare program once a case, and a comparison of bytes. The
judging is the grading core with a real box, from the source to the report, 20 cases of Knight Moves with the default
output validator: with nothing compiled before, with what a host makes ahead (the header of C++), and with the program
compiled before. Prints medians and ratios; never part of the gate.
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

from judge.grading.ahead import MadeAhead
from judge.grading.grade import grade
from judge.grading.job import Job, ReadyCase, Report, Source
from judge.grading.kept import FolderStore, Kept
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
SOURCES = {
    "cpp17": b"#include <bits/stdc++.h>\n" + PROGRAMS["cpp17"].read_bytes(),  # as programs for contests begin
    "python3": PROGRAMS["python3"].read_bytes(),
}
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
        source = folder / "program.cpp"
        source.write_bytes(SOURCES[language])
        flags = ["-std=gnu++17", "-O2", "-static", "-DONLINE_JUDGE"]
        subprocess.run(["/usr/bin/g++", *flags, "-o", command[0], source], check=True, env=ENVIRONMENT)
    for case in cases:
        with case.input.open("rb") as stdin:
            output = subprocess.run(command, stdin=stdin, stdout=subprocess.PIPE, check=True, env=ENVIRONMENT).stdout
        if output != case.answer.read_bytes():
            raise SystemExit(f"the program is wrong on {case.name}")


def judging(language: str, cases: tuple[ReadyCase, ...], box: Sandbox, workshop: Workshop) -> None:
    """The same by the judge."""
    source = Source(language=language, files={PROGRAMS[language].name: SOURCES[language]})
    *_, report = grade(Job(package=PACKAGE, cases=cases, source=source), box, workshop)
    if not isinstance(report, Report) or report.verdict != Verdict.ACCEPTED:
        raise SystemExit(f"the judge says {report}")


def variants(
    language: str, cases: tuple[ReadyCase, ...], box: Sandbox, folder: Path, ahead: MadeAhead
) -> dict[str, Callable[[], None]]:
    """The floor, and the ways a judging goes; an interpreted language has one."""
    ways = {
        "floor": lambda: floor(language, cases, folder),
        "nothing made": lambda: judging(language, cases, box, Workshop(kept=Kept())),
    }
    if language != "python3":
        store = FolderStore(folder / "kept")
        judging(language, cases, box, Workshop(kept=Kept(store)))
        ways |= {
            "made ahead": lambda: judging(language, cases, box, Workshop(kept=Kept(), ahead=ahead)),
            "kept": lambda: judging(language, cases, box, Workshop(kept=Kept(store))),  # from the disk
        }
    return ways


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
        ahead = MadeAhead(folder / "ahead")
        if failed := ahead.make([LANGUAGES[language] for language in PROGRAMS], box):
            raise SystemExit("\n".join(failed))
        found = {}
        for language in PROGRAMS:
            ways = variants(language, cases, box, folder, ahead)
            times: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(options.rounds):
                for way, action in ways.items():
                    times[way].append(seconds(action))
            medians = {way: statistics.median(taken) for way, taken in times.items()}
            found[language] = {
                way: {"seconds": median, "ratio": median / medians["floor"]} for way, median in medians.items()
            }
    finally:
        box.close()
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps({"cases": CASES, "lines": LINES, "rounds": options.rounds, "figures": found}))
        return
    print(f"{CASES} cases of {LINES} lines, medians of {options.rounds} rounds, floor and judging interleaved")
    for language, rows in found.items():
        for way, figures in rows.items():
            print(f"{language:10}{way:14}{figures['seconds']:8.3f} s   ratio {figures['ratio']:.3f}")


if __name__ == "__main__":
    main()
