"""Tries the validators of a package on what it brings for that: inputs to refuse, outputs to refuse and to take."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.grading.authored import Authored, BuildFailed, said
from judge.grading.check import Checker, CheckerBroken, checker_of
from judge.grading.ended import ended
from judge.grading.job import ReadyCase
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package, Program, TestCase
from problems.say import say
from sandbox.contract import Outcome, Sandbox

_WANTED = {"invalid_output": Verdict.WRONG_ANSWER, "valid_output": Verdict.ACCEPTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """What the validators said to one input or output that is there to try them."""

    name: str
    """`invalid_input/blank`."""
    kind: str
    """`invalid_input`, `invalid_output` or `valid_output`."""
    said: str
    """What they said, for staff."""
    complaint: str = ""
    """A sentence about what they should have said. Empty: all is as it must be."""
    judged: bool = True
    """False: nobody could be asked; `said` tells why."""


def probe(package: Package, box: Sandbox, workshop: Workshop = PLAIN) -> Iterator[Probed]:
    """Try all that are there, in order. Raises `BuildFailed` when a validator cannot be run, `SandboxFault`."""
    if not package.probes:
        return
    authored = Authored(package=package, box=box, workshop=workshop)
    try:
        checker = None if package.interactive or package.multi_pass else checker_of(package, box, workshop)
    except CheckerBroken as error:
        raise BuildFailed(str(error)) from error
    with tempfile.TemporaryDirectory(prefix="probing-") as folder:
        for case in package.probes:
            given = Path(folder, "in")
            given.write_bytes(authored.input_of(case))
            if case.group == "invalid_input":
                yield _input(authored, case, given)
            elif checker is None:
                why = say("said", "The output validator talks to a program here: an output alone says nothing to it.")
                yield Probed(name=case.name, kind=case.group, said=why, judged=False)
            else:
                yield _output(authored, checker, case, given)


def _input(authored: Authored, case: TestCase, given: Path) -> Probed:
    refusals = [_told(program, outcome) for program, outcome in authored.refusals(case, given)]
    complaint = (
        "" if refusals else say("said", "%(case)s: no input validator refuses it, and one must.", case=case.name)
    )
    told = "\n".join(refusals).strip() or say("said", "All input validators take it.")
    return Probed(name=case.name, kind=case.group, said=told, complaint=complaint)


def _told(program: Program, outcome: Outcome) -> str:
    """How a validator ended, and what it printed."""
    what = say("said", "%(program)s %(ended)s.", program=program.name, ended=ended(outcome))
    return f"{what} {said(outcome)}"


def _output(authored: Authored, checker: Checker, case: TestCase, given: Path) -> Probed:
    for program, outcome in authored.refusals(case, given):
        told = _told(program, outcome).strip()
        what = say("said", "%(case)s: its input is not valid, and should be.", case=case.name)
        complaint = f"{what} {told}"
        return Probed(name=case.name, kind=case.group, said=told, complaint=complaint)
    answer = given.with_name("ans")
    answer.write_bytes(_content(case.answer if case.answer is not None else case.answer_text))
    ready = ReadyCase(
        name=case.name, group=case.group, input=given, answer=answer, files=case.files, settings=case.settings
    )
    checked = checker.check(ready, _content(case.extras["out"]))
    wanted = _WANTED[case.group]
    told = checked.judge_note or checked.verdict.replace("_", " ")
    complaint = ""
    if checked.verdict != wanted:
        complaint = say(
            "said",
            "%(case)s: the output gets %(got)s, not %(wanted)s.",
            case=case.name,
            got=checked.verdict.replace("_", " "),
            wanted=wanted.replace("_", " "),
        )
    return Probed(name=case.name, kind=case.group, said=told, complaint=complaint)


def _content(content: bytes | Path | None) -> bytes:
    return content.read_bytes() if isinstance(content, Path) else content or b""
