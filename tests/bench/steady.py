"""Whether a verdict depends on how busy the machine is: `./palfrey bench steady`.

A program that needs 50, 80, 120 or 200 % of its time limit is judged many times over, on the idle machine and on one
with two more busy programs on every core. Told is how often the verdict was wrong: by the rule (run to 1.3 times the
limit, near it measured twice more, the best counts), and by what the first measurement alone would have said.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from judge.grading.compile import compile_files
from judge.grading.executable import Executable
from judge.grading.languages import LANGUAGES
from judge.grading.run import Allowance, measure
from judge.grading.verdict import Verdict
from problems.package.model import Limits
from sandbox.box import open_sandbox
from sandbox.contract import Outcome, Run, Running, Sandbox

LIMIT_SECONDS = 0.1
SHARES = (0.5, 0.8, 1.2, 2.0)
BUSY_A_CORE = 2
PROGRAMS = {
    "arithmetic": "unsigned x = 1; for (long i = 0; i < n * 1000; i++) x = x * 1664525u + 1013904223u; return x == 7;",
    "memory": (
        "static unsigned a[1 << 21]; unsigned x = 1; for (long i = 0; i < n * 100; i++) "
        "{ x = x * 1664525u + 1013904223u; a[x >> 11] += x; } return a[5] == 7;"
    ),
}
"""Bodies of programs that work in proportion to `n`; the second goes to and fro in 8 MB."""
STRAIN = (
    "volatile unsigned a[1 << 21], x = 1; int main(void) { for (;;) { x = x * 1664525u + 1013904223u; a[x >> 11]++; } }"
)


class Noted:
    """A sandbox that remembers what each run used."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box
        self.outcomes: list[Outcome] = []

    def start(self, run: Run) -> Running:
        return self._box.start(run)

    def run(self, run: Run) -> Outcome:
        self.outcomes.append(self._box.run(run))
        return self.outcomes[-1]

    def close(self) -> None:
        self._box.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One program at one share of its limit: how many of `times` verdicts were wrong."""

    program: str
    machine: str
    share: float
    times: int
    wrong: int
    wrong_at_first: int
    """What the first measurement alone would have got wrong."""
    low: float
    high: float
    """Of the first measurements, as shares of the limit (of a stopped one: where it was stopped)."""


@contextmanager
def strain(folder: Path) -> Iterator[None]:
    """The machine is twice overloaded meanwhile, by programs that use every cache."""
    (folder / "strain.c").write_text(STRAIN)
    subprocess.run(["gcc", "-O2", "-o", folder / "strain", folder / "strain.c"], check=True)
    busy = [subprocess.Popen([folder / "strain"]) for _ in range(BUSY_A_CORE * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def compiled(body: str, box: Sandbox) -> Executable:
    source = f"#include <stdlib.h>\nint main(int argc, char **argv) {{ long n = atol(argv[argc - 1]); {body} }}\n"
    made = compile_files(
        LANGUAGES["c17"], {"main.c": source.encode()}, Limits(time_seconds=LIMIT_SECONDS), box, include={}
    ).executable
    if made is None:
        raise RuntimeError("the program could not be compiled")
    return made


def seconds_of(executable: Executable, box: Noted, n: int) -> float:
    """Median CPU time of three runs."""
    allowance = Allowance(cpu_seconds=60, memory_bytes=256 << 20, output_bytes=1 << 20)
    return statistics.median(
        measure(executable, box, allowance, stdin=b"", args=(str(n),)).outcome.cpu_seconds for _ in range(3)
    )


def size_for(executable: Executable, box: Noted, seconds: float) -> int:
    """The `n` with which the program takes so long on the idle machine."""
    n = 1000
    for _ in range(4):
        n = max(1, round(n * seconds / max(seconds_of(executable, box, n), 0.001)))
    return n


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A program that needs `share` of its limit when called with `n`."""

    program: str
    share: float
    executable: Executable
    n: int


def judged(kind: Kind, machine: str, box: Noted, times: int) -> Row:
    """Judge it so often."""
    allowance = Allowance(cpu_seconds=LIMIT_SECONDS, memory_bytes=256 << 20, output_bytes=1 << 20)
    right = None if kind.share < 1 else Verdict.TIME_LIMIT_EXCEEDED
    wrong, firsts = 0, []
    for _ in range(times):
        box.outcomes.clear()
        wrong += measure(kind.executable, box, allowance, stdin=b"", args=(str(kind.n),)).verdict != right
        firsts.append(box.outcomes[0].cpu_seconds / LIMIT_SECONDS)
    return Row(
        program=kind.program,
        machine=machine,
        share=kind.share,
        times=times,
        wrong=wrong,
        wrong_at_first=sum((first > 1) != (kind.share > 1) for first in firsts),
        low=min(firsts),
        high=max(firsts),
    )


def main() -> int:
    """Prints a table, or one JSON object. 1 when a verdict at 50 % or 200 % was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--times", type=int, default=100, help="judgings of each kind (%(default)s)")
    parser.add_argument("--json", action="store_true", help="one object instead of a table")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name, closing(open_sandbox(Path(name), pinned=True)) as sandbox:
        box = Noted(sandbox)
        kinds = []
        for program, body in PROGRAMS.items():
            executable = compiled(body, box)
            for share in SHARES:
                n = size_for(executable, box, share * LIMIT_SECONDS)
                kinds.append(Kind(program=program, share=share, executable=executable, n=n))
        rows += [judged(kind, "idle", box, options.times) for kind in kinds]
        with strain(Path(name)):
            rows += [judged(kind, "overloaded", box, options.times) for kind in kinds]
    if options.json:
        sys.stdout.write(json.dumps({"rows": [asdict(row) for row in rows]}) + "\n")
    else:
        sys.stdout.write(f"{'':12}{'':12}{'needs':>7}{'wrong':>9}{'at first':>10}{'measured':>18}\n")
        for row in rows:
            sys.stdout.write(
                f"{row.program:12}{row.machine:12}{row.share:7.0%}{row.wrong:5}/{row.times:<3}{row.wrong_at_first:6}/{row.times:<3}"
                f"{row.low:10.0%} to {row.high:.0%}\n"
            )
    return int(any(row.wrong for row in rows if row.share in (min(SHARES), max(SHARES))))


if __name__ == "__main__":
    sys.exit(main())
