"""`python -m sandbox doctor` says what this host can hold; `python -m sandbox run -- PROGRAM ...` runs one program."""

import argparse
import sys
from pathlib import Path

from sandbox.box import open_sandbox
from sandbox.contract import Ending, Quota, Run, SandboxFault
from sandbox.doctor import examine

DEFAULT_STATE = Path("~/.cache/palfrey-sandbox")
"""One's own: in a folder that all may write to, somebody else could put a launcher there first."""


def main(arguments: list[str] | None = None) -> int:
    """Gives the exit code: that of the program for `run`, 0 or 1 for `doctor`, 2 when the sandbox failed."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    parser.add_argument("--state", type=Path, default=DEFAULT_STATE, help="folder for the launcher (%(default)s)")
    parser.add_argument(
        "--laptop",
        action="store_true",
        help="as an ordinary user without control groups; holds less, never on a server",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("doctor", help="say what this host can and cannot hold")
    run = commands.add_parser("run", help="run one program in a box; standard input is read first")
    run.add_argument("--cpu", type=float, default=10.0, help="seconds (%(default)s)")
    run.add_argument("--wall", type=float, default=30.0, help="seconds (%(default)s)")
    run.add_argument("--memory", type=int, default=256, help="MiB (%(default)s)")
    run.add_argument("--processes", type=int, default=64, help="processes and threads together (%(default)s)")
    run.add_argument("--file", type=Path, action="append", default=[], help="put a copy into /box; may be repeated")
    run.add_argument("program", nargs="+", help="the program and its arguments, after --")
    options = parser.parse_args(arguments)
    options.state = options.state.expanduser().resolve()
    if options.command == "doctor":
        return _doctor(options.state, laptop=options.laptop)
    return _run(options)


def _doctor(state: Path, *, laptop: bool) -> int:
    findings = examine(state, laptop=laptop)
    for finding in findings:
        sys.stdout.write(f"{'ok  ' if finding.holds else 'LACK'}  {finding.what}\n")
        if finding.cure:
            sys.stdout.write(f"      {finding.cure}\n")
    return 0 if all(finding.holds for finding in findings if finding.needed) else 1


def _run(options: argparse.Namespace) -> int:
    quota = Quota(
        cpu_seconds=options.cpu,
        wall_seconds=options.wall,
        memory_bytes=options.memory << 20,
        processes=options.processes,
    )
    stdin = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    run = Run(
        argv=tuple(options.program),
        quota=quota,
        stdin=stdin,
        files={path.name: path.resolve() for path in options.file},
    )
    try:
        sandbox = open_sandbox(options.state, laptop=options.laptop)
        try:
            outcome = sandbox.run(run)
        finally:
            sandbox.close()
    except (SandboxFault, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.buffer.write(outcome.stdout)
    sys.stdout.buffer.flush()
    sys.stderr.buffer.write(outcome.stderr)
    sys.stderr.write(
        f"[{outcome.ending}, exit code {outcome.exit_code}, signal {outcome.signal}, "
        f"{outcome.cpu_seconds:.3f} s of CPU, {outcome.wall_seconds:.3f} s, {outcome.memory_bytes >> 10} KiB]\n"
    )
    if outcome.ending is Ending.EXITED and outcome.exit_code is not None:
        return outcome.exit_code
    return 1


if __name__ == "__main__":
    sys.exit(main())
