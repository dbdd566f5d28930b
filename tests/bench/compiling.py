"""Compiling by the bare compiler and in the box: the long way, with what was made ahead, and kept from before.

    ./palfrey bench compiling [--rounds N] [--json]        (its rows are in `./palfrey bench sandbox` too)

All variants of a program are interleaved in one run, and only their ratios mean anything. All make the same bytes.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from judge.grading.ahead import MadeAhead
from judge.grading.compile import compile_files
from judge.grading.executable import Compilation
from judge.grading.kept import FolderStore, Kept
from judge.grading.language import ENVIRONMENT, OUT
from judge.grading.languages import LANGUAGES
from judge.grading.workshop import Workshop
from problems.package.model import Limits
from sandbox.box import open_sandbox
from sandbox.contract import Sandbox

CATALOG = Path(__file__).parents[2] / "problems" / "catalog"
PROGRAMS = {
    "BFS in C++17": ("cpp17", CATALOG / "knightmoves/submissions/accepted/marks_on_leaving.cpp"),
    "Dijkstra in C++17": ("cpp17", CATALOG / "maze/submissions/accepted/dijkstra.cpp"),
    "BFS in Java": ("java", CATALOG / "knightmoves/submissions/accepted/Moves.java"),
}
LIMITS = Limits(time_seconds=1.0, compile_seconds=60)


def rows(rounds: int) -> Iterator[dict[str, Any]]:
    """A row for each program and variant, in milliseconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        box = open_sandbox(folder / "sandbox")
        try:
            ahead = MadeAhead(folder / "ahead")
            failed = ahead.make([LANGUAGES[language] for language, _ in PROGRAMS.values()], box)
            if failed:
                raise SystemExit("\n".join(failed))
            for program, (language, path) in PROGRAMS.items():
                yield from _measured(program, _variants(language, path, folder, box, ahead), rounds)
        finally:
            box.close()


def _variants(
    language: str, path: Path, folder: Path, box: Sandbox, ahead: MadeAhead
) -> dict[str, Callable[[], object]]:
    row = LANGUAGES[language]
    files = {path.name: path.read_bytes()}
    store = FolderStore(folder / "kept")
    bare = folder / language
    (bare / OUT).mkdir(parents=True, exist_ok=True)
    (bare / path.name).write_bytes(files[path.name])
    command = row.compiler(sources=[path.name], entry=path.name, memory_bytes=LIMITS.compile_memory_bytes)

    def compiled(workshop: Workshop | None, *, reused: bool = False) -> Compilation:
        done = compile_files(row, files, LIMITS, box, include={}, workshop=workshop)
        if done.executable is None or done.reused != reused:
            raise SystemExit(f"{path.name} did not compile as it should: {done.note}")
        return done

    first = compiled(Workshop(kept=Kept(store)))
    if compiled(Workshop(ahead=ahead)).executable != first.executable:
        raise SystemExit(f"{path.name} is not compiled to the same bytes")
    return {
        "bare": lambda: subprocess.run(command, cwd=bare, env={"PATH": "/usr/bin", **ENVIRONMENT}, check=True),
        "box": lambda: compiled(None),
        "box, made ahead": lambda: compiled(Workshop(ahead=ahead)),
        "box, kept": lambda: compiled(Workshop(kept=Kept(store)), reused=True),  # from the disk, not from memory
    }


def _measured(program: str, variants: dict[str, Callable[[], object]], rounds: int) -> Iterator[dict[str, Any]]:
    times: dict[str, list[float]] = {name: [] for name in variants}
    names = list(variants)
    for number in range(-1, rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            start = time.perf_counter()
            variants[name]()
            if number >= 0:
                times[name].append(1000 * (time.perf_counter() - start))
    medians = {name: statistics.median(values) for name, values in times.items()}
    p90s = {name: statistics.quantiles(values, n=10)[8] for name, values in times.items()}
    for name in names:
        yield {
            "program": program,
            "variant": name,
            "median": medians[name],
            "p90": p90s[name],
            "ratio": medians[name] / medians["bare"],
            "p90_ratio": p90s[name] / p90s["bare"],
        }


def main() -> int:
    """Prints a table, or one JSON object."""
    parser = argparse.ArgumentParser(prog="palfrey bench compiling", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="one object instead of a table")
    options = parser.parse_args()
    found = list(rows(options.rounds))
    if options.json:
        sys.stdout.write(json.dumps({"figures": found}) + "\n")
        return 0
    for row in found:
        sys.stdout.write(f"{row['program']:20}{row['variant']:16}{row['median']:10.1f} ms{row['ratio']:8.3f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
