"""Inputs that a package offers to look for a counterexample in, smallest first."""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import islice

from judge.grading.compile import compile_program
from judge.grading.job import ReadyCase
from judge.grading.strength.inputs import candidates
from judge.grading.workshop import Workshop
from problems.package.model import Package
from sandbox.contract import Ending, Outcome, Quota, Run, Sandbox

MOST = 10_000
"""Inputs that a package may offer."""
MOST_BYTES = 4 << 20
_LONGEST = 16 << 10
"""A longer one is no small input."""
_CHANGED = 120
"""Where a package offers none, so many are made of its samples by small changes."""
_NUMBER = re.compile(rb"\d{1,18}")


def smallness(text: bytes) -> tuple[int, tuple[int, ...], int, bytes]:
    """The order of inputs: fewest lines, then lowest numbers, then shortest, then first in the order of characters."""
    return text.count(b"\n"), tuple(int(number) for number in _NUMBER.findall(text)[:2000]), len(text), text


def offered(package: Package, box: Sandbox, workshop: Workshop) -> tuple[bytes, ...]:
    """The small inputs of `palfrey/feedback.yaml`, in their order; none when there are none, or its program fails."""
    small = package.feedback.small
    if small is None:
        return ()
    if small.inputs:
        return _distinct(small.inputs)
    if small.program is None:
        return ()
    compiled = compile_program(small.program, package, box, workshop)
    if compiled.executable is None:
        return ()
    memory = package.limits.validation_memory_bytes
    outcome = box.run(
        Run(
            argv=(*compiled.executable.command(memory), *small.arguments),
            files=compiled.executable.files,
            env=compiled.executable.environment(memory),
            quota=Quota(cpu_seconds=5, wall_seconds=15, memory_bytes=memory, output_bytes=MOST_BYTES),
        )
    )
    return _distinct(_texts(outcome))


def _texts(outcome: Outcome) -> list[bytes]:
    if outcome.ending != Ending.EXITED or outcome.exit_code != 0:
        return []
    try:
        read = [json.loads(line) for line in outcome.stdout.splitlines()]
    except ValueError:
        return []
    return [text.encode() for text in read if isinstance(text, str)]


def around(samples: Sequence[ReadyCase]) -> tuple[bytes, ...]:
    """The samples and what small changes make of them, smallest first. Much of it is not legal."""
    made = [case.input.read_bytes() for case in samples]
    made += [text for one in islice(candidates(samples, seed=1), _CHANGED) if (text := one.case.input_text) is not None]
    return tuple(sorted(_distinct(made), key=smallness))


def _distinct(texts: Iterable[bytes]) -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(text for text in islice(texts, MOST) if 0 < len(text) <= _LONGEST))
