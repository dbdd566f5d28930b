"""Whether generators give the same a second time: what they draw must come from their arguments alone."""

import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.grading.authored import Authored, BuildFailed
from judge.grading.build import Making
from judge.grading.job import ReadyCase
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package, TestCase
from problems.say import say
from sandbox.contract import Sandbox

MOST = 12
"""Cases that are generated a second time."""
_NUMBER = re.compile(r"\d+")


def repeat(package: Package, cases: Sequence[ReadyCase], box: Sandbox, workshop: Workshop = PLAIN) -> Iterator[Making]:
    """Generate some of the `cases` that were built a second time, not in the same second, and yield `Making` before
    each: one for each way in which a generator is called. Raises `BuildFailed` with the case, `SandboxFault`.
    """
    authored = Authored(package=package, box=box, workshop=workshop)
    chosen = _sample(package, cases)
    for number, (case, made) in enumerate(chosen):
        yield Making(done=number, total=len(chosen), case=case.name)
        _let_the_second_pass(made.stat().st_mtime)
        if authored.generated(case) != made.read_bytes():
            assert case.provenance is not None
            raise BuildFailed(
                say(
                    "said",
                    "%(case)s: the generator `%(command)s` gave something else when it was run again, so this case "
                    "could not be made again. Let it draw all that is random from a seed among its arguments (`{seed}` "
                    "in generators.yaml), and nothing from the clock.",
                    case=case.name,
                    command=" ".join((case.provenance.generator, *case.provenance.arguments)),
                )
            )


def _sample(package: Package, cases: Sequence[ReadyCase]) -> list[tuple[TestCase, Path]]:
    """Of the cases that are called alike but for numbers the one of middle size, with its input; oldest first."""
    inputs = {case.name: case.input for case in cases}
    alike: dict[tuple[str, ...], list[TestCase]] = {}
    for case in package.cases:
        if made := case.provenance:
            call = (made.generator, *(_NUMBER.sub("", word) for word in made.arguments))
            alike.setdefault(call, []).append(case)
    middle = [
        sorted(same, key=lambda case: inputs[case.name].stat().st_size)[len(same) // 2] for same in alike.values()
    ]
    of_each = {call[0]: case for call, case in zip(alike, middle, strict=True)}.values()
    chosen = list({case.name: case for case in (*of_each, *middle)}.values())[:MOST]
    return sorted(((case, inputs[case.name]) for case in chosen), key=lambda one: one[1].stat().st_mtime)


def _let_the_second_pass(when: float) -> None:
    """Wait, if need be, until the clock shows another second than `when`: many seeds are a time in seconds."""
    while int(time.time()) == int(when):
        time.sleep(0.02)
