"""What a box costs: bare posix_spawn, `subprocess.run`, the box and bubblewrap, interleaved in one run.

    python -m tests.bench.sandbox [--rounds N] [--json]

The machine's mood changes by the second, so only ratios within one run mean anything; each round takes every variant
once, in an order that turns, and begins when what the one before has left behind is gone. Bare and the box get the same
input and have their output read. The box has a core of its own, as that of a worker; the others may use all of them.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox.box import LinuxSandbox, open_sandbox
from sandbox.contract import Ending, Quota, Run
from tests.bench import compiling

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
SETTLE_SECONDS = 0.002
QUOTA = Quota(cpu_seconds=10, wall_seconds=30, memory_bytes=256 << 20)
TRUE = "int main(void) { return 0; }\n"
KNIGHT = """
import sys
from collections import deque
MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
def distances(start):
    seen, queue = {start: 0}, deque([start])
    while queue:
        x, y = at = queue.popleft()
        for dx, dy in MOVES:
            to = (x + dx, y + dy)
            if 0 <= to[0] < 8 and 0 <= to[1] < 8 and to not in seen:
                seen[to] = seen[at] + 1
                queue.append(to)
    return seen
square = lambda text: (ord(text[0]) - 97, int(text[1]) - 1)
tables = {}
for line in sys.stdin:
    a, b = line.split()
    if a not in tables:
        tables[a] = distances(square(a))
    print(f"To get from {a} to {b} takes {tables[a][square(b)]} knight moves.")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One thing to run: outside with `command`, inside with `run`."""

    name: str
    command: list[str]
    run: Run
    stdin: Path
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Milliseconds of one variant of one program."""

    program: str
    variant: str
    median: float
    p90: float
    ratio: float
    """Of the medians, to bare."""
    p90_ratio: float


@contextmanager
def programs(rounds: int) -> Iterator[list[Program]]:
    """The programs, made in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "true.c").write_text(TRUE)
        subprocess.run(["gcc", "-O2", "-static", "-o", folder / "true", folder / "true.c"], check=True)
        (folder / "knight.py").write_text(KNIGHT)
        (folder / "empty").write_bytes(b"")
        squares = [f"{column}{row}" for column in "abcdefgh" for row in "12345678"]
        lines = [f"{a} {b}" for a in squares for b in squares]
        (folder / "pairs").write_text("\n".join((lines * 3)[:10900]) + "\n")
        true = (folder / "true").read_bytes()
        python = "/usr/bin/python3"
        knight = (folder / "knight.py").read_bytes()
        yield [
            Program(
                name="static C",
                command=[str(folder / "true")],
                run=Run(argv=("true",), files={"true": true}, quota=QUOTA, stdin=folder / "empty"),
                stdin=folder / "empty",
                rounds=rounds,
            ),
            Program(
                name="python3 -S -c pass",
                command=[python, "-S", "-c", "pass"],
                run=Run(argv=(python, "-S", "-c", "pass"), quota=QUOTA, stdin=folder / "empty"),
                stdin=folder / "empty",
                rounds=max(rounds // 4, 5),
            ),
            Program(
                name="knight moves 64 KB",
                command=[python, str(folder / "knight.py")],
                run=Run(argv=(python, "knight.py"), files={"knight.py": knight}, quota=QUOTA, stdin=folder / "pairs"),
                stdin=folder / "pairs",
                rounds=max(rounds // 4, 5),
            ),
        ]


def bare(program: Program) -> None:
    """posix_spawn, the output read from a pipe, wait4."""
    out, into = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, str(program.stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, into, 1),
    ]
    pid = os.posix_spawn(program.command[0], program.command, ENVIRONMENT, file_actions=actions)
    os.close(into)
    while os.read(out, 1 << 16):
        pass
    os.close(out)
    _, status, _ = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f"{program.name} failed")


def by_subprocess(program: Program) -> None:
    """What a worker without any sandbox would do."""
    with program.stdin.open("rb") as stdin:
        subprocess.run(program.command, stdin=stdin, capture_output=True, check=True, env=ENVIRONMENT)


def by_bubblewrap(program: Program) -> None:
    """Debian's bubblewrap with the same view of the host; no control groups, no filter."""
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib"]
    words += ["--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin", "--proc", "/proc", "--dev", "/dev"]
    folder = str(Path(program.stdin).parent)
    words += ["--tmpfs", "/tmp", "--ro-bind", folder, folder, "--"]
    with program.stdin.open("rb") as stdin:
        subprocess.run([*words, *program.command], stdin=stdin, capture_output=True, check=True, env=ENVIRONMENT)


def in_a_box(sandbox: LinuxSandbox) -> Callable[[Program], None]:
    def box(program: Program) -> None:
        outcome = sandbox.run(program.run)
        if (outcome.ending, outcome.exit_code) != (Ending.EXITED, 0):
            raise RuntimeError(f"{program.name} failed in the box: {outcome}")

    return box


def measure(program: Program, variants: dict[str, Callable[[Program], None]], every: set[int]) -> list[Figure]:
    """All variants of `program`, interleaved; `every` core may be used by all but the box."""
    mine = os.sched_getaffinity(0)
    times: dict[str, list[float]] = {name: [] for name in variants}
    names = list(variants)
    for number in range(-3, program.rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            os.sched_setaffinity(0, mine if name == "box" else every)
            time.sleep(SETTLE_SECONDS)
            start = time.perf_counter()
            variants[name](program)
            if number >= 0:
                times[name].append(1000 * (time.perf_counter() - start))
    os.sched_setaffinity(0, mine)
    medians = {name: statistics.median(values) for name, values in times.items()}
    p90s = {name: statistics.quantiles(values, n=10)[8] for name, values in times.items()}
    return [
        Figure(
            program=program.name,
            variant=name,
            median=medians[name],
            p90=p90s[name],
            ratio=medians[name] / medians["bare"],
            p90_ratio=p90s[name] / p90s["bare"],
        )
        for name in names
    ]


def after_idle(sandbox: LinuxSandbox, program: Program, times: int) -> float:
    """How much longer a run takes after a second of rest, medians."""
    box = in_a_box(sandbox)
    rested: list[float] = []
    busy: list[float] = []
    for _ in range(times):
        time.sleep(1)
        for taken in (rested, busy):
            start = time.perf_counter()
            box(program)
            taken.append(time.perf_counter() - start)
    return statistics.median(rested) / statistics.median(busy)


def two_at_a_time(state: Path, program: Program, seconds: float) -> float:
    """Runs a second of two workers' sandboxes against those of one."""

    def rate(workers: int) -> float:
        """Runs a second."""
        counts = [0] * workers
        ready = threading.Barrier(workers)

        def work(index: int) -> None:
            with closing(open_sandbox(state, pinned=True)) as sandbox:
                box = in_a_box(sandbox)
                ready.wait()
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    box(program)
                    counts[index] += 1

        threads = [threading.Thread(target=work, args=(index,)) for index in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(counts) / seconds

    return rate(2) / rate(1)


def main() -> int:
    """Prints a table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=200, help="of the shortest program (%(default)s)")
    parser.add_argument("--json", action="store_true", help="one object instead of a table")
    options = parser.parse_args()
    every = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as state, programs(options.rounds) as chosen:
        sandbox = open_sandbox(Path(state), pinned=True)
        try:
            variants = {"bare": bare, "subprocess.run": by_subprocess, "box": in_a_box(sandbox)}
            if shutil.which("bwrap"):
                variants["bubblewrap"] = by_bubblewrap
            figures = [figure for program in chosen for figure in measure(program, variants, every)]
            idle = after_idle(sandbox, chosen[0], 8)
        finally:
            sandbox.close()
        pairs = two_at_a_time(Path(state), chosen[2], 4.0)
    figures += [Figure(**row) for row in compiling.rows(max(options.rounds // 20, 5))]
    if options.json:
        fields = Figure.__dataclass_fields__
        rows = [{name: getattr(figure, name) for name in fields} for figure in figures]
        sys.stdout.write(json.dumps({"figures": rows, "after_idle": idle, "two_at_a_time": pairs}) + "\n")
        return 0
    sys.stdout.write(f"{'':22}{'':16}{'median ms':>10}{'p90':>9}{'ratio':>8}{'p90':>8}\n")
    for figure in figures:
        sys.stdout.write(
            f"{figure.program:22}{figure.variant:16}{figure.median:10.3f}{figure.p90:9.3f}"
            f"{figure.ratio:8.2f}{figure.p90_ratio:8.2f}\n"
        )
    sys.stdout.write(f"after a second of rest, against back to back: {idle:.2f}\n")
    sys.stdout.write(f"runs a second, two workers against one:       {pairs:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
