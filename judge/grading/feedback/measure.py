"""Runs a program on larger and larger inputs of a generator, until it takes too long: how does its time grow?"""

from dataclasses import dataclass

from judge.grading.executable import Executable
from judge.grading.feedback.bench import Bench, NoGround
from judge.grading.feedback.growth import Growth, growth, size_of
from judge.grading.feedback.metered import Spent
from judge.grading.run import run_of, verdict_of
from judge.grading.verdict import Verdict
from problems.package.model import SizeOf
from sandbox.contract import Ending, Quota, Run

_STEP = 1.5
_LONG = 0.6
"""A run that takes this part of the limit is long enough: larger ones would only cost more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How a program's time grows, as far as it could be told."""

    growth: Growth | None
    expected: str
    of: SizeOf = SizeOf.BYTES
    """What the size is."""
    points: tuple[tuple[int, float], ...] = ()
    """Size and seconds of CPU of what was run."""
    too_slow_at: int | None = None
    """The smallest size that was tried on which it ran into the limit."""


def measure_growth(bench: Bench, executable: Executable) -> Measured | None:
    """None where the package names no size, or has no generator for one. Raises `SandboxFault`."""
    size = bench.package.feedback.size
    if size is None or not size.generate or size.generate[0] not in bench.package.generators:
        return None
    points: list[tuple[int, float]] = []
    too_slow: int | None = None
    n = float(size.smallest)
    limit = bench.limit
    try:
        generator = bench.compiled(bench.package.generators[size.generate[0]])
        while n <= size.largest:
            text = _generated(bench, [word.replace("{n}", str(round(n))) for word in size.generate[1:]], generator)
            if text is None:
                break
            outcome = bench.box.run(run_of(executable, limit, stdin=text))
            verdict = verdict_of(outcome, executable, limit)
            at = size_of(text, size.of)
            if verdict == Verdict.TIME_LIMIT_EXCEEDED:
                too_slow = at
                if outcome.ending == Ending.CPU_TIME and outcome.cpu_seconds < limit.cpu_seconds:
                    too_slow = None  # our budget ended it, not the limit
                break
            if verdict is not None:
                break
            points.append((at, outcome.cpu_seconds))
            if outcome.cpu_seconds > _LONG * limit.cpu_seconds:
                break
            n *= _STEP
    except (Spent, NoGround):
        pass
    return Measured(
        growth=growth(points), expected=size.expected, of=size.of, points=tuple(points), too_slow_at=too_slow
    )


def _generated(bench: Bench, arguments: list[str], generator: Executable) -> bytes | None:
    memory = bench.package.limits.validation_memory_bytes
    outcome = bench.box.run(
        Run(
            argv=(*generator.command(memory), *arguments),
            files=generator.files,
            env=generator.environment(memory),
            quota=Quota(cpu_seconds=10, wall_seconds=20, memory_bytes=memory, output_bytes=16 << 20),
        )
    )
    ended_well = outcome.ending == Ending.EXITED and outcome.exit_code == 0
    return outcome.stdout if ended_well and outcome.stdout else None
