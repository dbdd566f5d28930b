"""Whether an output is right: the format's default output validator, or the package's own one in a box."""

import hashlib
import io
import re
import tarfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol, assert_never

from judge.grading.compile import compile_program
from judge.grading.ended import ended
from judge.grading.executable import Executable
from judge.grading.job import ReadyCase
from judge.grading.run import patiently
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package import default_validator
from problems.package.default_validator import Difference, DifferenceKind
from problems.package.model import Limits, Package, Program
from problems.say import say
from sandbox.contract import Content, Ending, Outcome, Quota, Run, Sandbox

_RIGHT, _WRONG = 42, 43
_JUDGE_MESSAGE_BYTES = 64 << 10
_TEAM_MESSAGE_BYTES = 8 << 10
FEEDBACK = ".feedback"
"""The folder below `/box` in which a validator writes what it has to say."""
_STATE = ".judge/state.tar"
_NEXT_INPUT = "nextpass.in"
_SCORE = re.compile(r"\+?(\d{1,60}\.?\d{0,60}|\.\d{1,60})([eE][+-]?\d{1,2})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a checker found: accepted, wrong_answer, or judge_error when the checker itself failed."""

    verdict: Verdict
    judge_note: str = ""
    """For staff; may tell of secret data."""
    team_note: str = ""
    """What the package's validator says to the student."""
    open_note: str = ""
    """What the student may be told where the case is open to students; may quote its answer."""
    score: Fraction | None = None
    """From `score.txt`: points, not below 0."""
    multiplier: Fraction | None = None
    """From `score_multiplier.txt`: 0 to 1, a part of the case's highest score."""
    next_input: bytes | None = None
    """In a multi-pass problem: the validator asks for one more pass, with this input."""
    state: Mapping[str, bytes] = field(default_factory=dict)
    """In a multi-pass problem: what the validator left in its feedback folder for the next pass."""


class Checker(Protocol):
    def check(self, case: ReadyCase, output: bytes) -> Checked:
        """Whether `output` is right for `case`. Raises `SandboxFault`, and `OSError` when the case's files are lost."""
        ...


class CheckerBroken(Exception):
    """The package's own validator cannot be compiled; the text says which and why. The author's fault."""


def checker_of(package: Package, box: Sandbox, workshop: Workshop = PLAIN) -> Checker:
    """The checker of a package, compiled if need be. Raises `CheckerBroken`, `SandboxFault`."""
    if package.output_validator is None:
        return _Default()
    return validator_of(package, box, workshop)


def validator_of(package: Package, box: Sandbox, workshop: Workshop = PLAIN) -> "OwnValidator":
    """The package's own validator. Raises `CheckerBroken` also when it has none, `SandboxFault`."""
    program = package.output_validator
    if program is None:
        raise CheckerBroken(say("said", "The problem needs an output validator of its own, and the package has none."))
    return own_validator(program, package, box, workshop, role="output validator")


def own_validator(program: Program, package: Package, box: Sandbox, workshop: Workshop, *, role: str) -> "OwnValidator":
    """A program of the package that says 42 or 43, compiled if need be. Raises `CheckerBroken`, `SandboxFault`."""
    compiled = compile_program(program, package, box, workshop)
    if compiled.executable is None:
        log = compiled.log.decode("utf-8", "replace")[:2000]
        fault = say("said", "The %(role)s %(name)s cannot be used.", role=role, name=program.name)
        raise CheckerBroken(f"{fault} {compiled.note}\n{log}".strip())
    return OwnValidator(
        program=program,
        executable=compiled.executable,
        limits=package.limits,
        box=box,
        multi_pass=package.multi_pass,
        role=role,
    )


class _Default:
    def check(self, case: ReadyCase, output: bytes) -> Checked:
        try:
            options = default_validator.parse_options(case.settings.output_validator_args)
        except ValueError as error:
            return Checked(verdict=Verdict.JUDGE_ERROR, judge_note=f"output_validator_args of {case.name}: {error}")
        difference = default_validator.compare(output, case.answer.read_bytes(), options)
        if difference is None:
            return Checked(verdict=Verdict.ACCEPTED)
        said = _difference(difference)
        return Checked(verdict=Verdict.WRONG_ANSWER, judge_note=said, open_note=said)


# The format lets a result be used again where validator, arguments, input, answer and output are all the same, and most
# right programs print the same bytes. A fault of the validator is never remembered.
_REMEMBERED = 4096
_REMEMBERED_NOTE = 4096
_remembered: OrderedDict[bytes, Checked] = OrderedDict()


def _digest(*parts: bytes) -> bytes:
    total = hashlib.blake2b(digest_size=32)
    for part in parts:
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return total.digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnValidator:
    """A package's own validator, ready to run."""

    program: Program
    executable: Executable
    limits: Limits
    box: Sandbox
    multi_pass: bool = False
    role: str = "output validator"

    def check(self, case: ReadyCase, output: bytes) -> Checked:
        """Whether `output` is right for `case`; as `Checker` has it."""
        key = _digest(
            repr((sorted(self.program.files), case.settings.output_validator_args)).encode(),
            *(self.program.files[name] for name in sorted(self.program.files)),
            *(case.input.read_bytes(), case.answer.read_bytes(), output),
        )
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]
        checked = self.said(patiently(self.run(case, given=case.input, output=output), self.box))
        if checked.verdict != Verdict.JUDGE_ERROR and len(checked.judge_note) <= _REMEMBERED_NOTE:
            _remembered[key] = checked
            while len(_remembered) > _REMEMBERED:
                _remembered.popitem(last=False)
        return checked

    def run(
        self,
        case: ReadyCase,
        *,
        given: Content,
        output: Content = b"",
        state: Mapping[str, bytes] | None = None,
        waits_seconds: float = 0.0,
    ) -> Run:
        """The run of the validator. `given`: the input of this pass; `state`: what the pass before left;
        `waits_seconds`: how long it may wait for a program beside what it may take itself.
        """
        memory_bytes = self.limits.validation_memory_bytes
        command = (
            *self.executable.command(memory_bytes),
            *("/box/.judge/input", "/box/.judge/answer", f"/box/{FEEDBACK}/"),
            *case.settings.output_validator_args,
        )
        files: dict[str, Content] = {**self.executable.files, ".judge/input": given, ".judge/answer": case.answer}
        if state:  # files put into a box cannot be changed there, and these must be the validator's own
            files[_STATE] = _tar(state)
            command = ("/bin/sh", "-c", f'tar -xf {_STATE} -C {FEEDBACK} && exec "$@"', "validator", *command)
        return Run(
            argv=command,
            files=files,
            stdin=output,
            env=self.executable.environment(memory_bytes),
            writable=(FEEDBACK,),
            keep=(FEEDBACK,),
            quota=Quota(
                cpu_seconds=self.limits.validation_seconds,
                wall_seconds=2 * self.limits.validation_seconds + 3 + waits_seconds,
                memory_bytes=memory_bytes,
                output_bytes=self.limits.validation_output_bytes,
                file_bytes=self.limits.validation_output_bytes,
            ),
        )

    def said(self, outcome: Outcome) -> Checked:
        """What the end of a run of the validator means."""
        said = _text(outcome, "judgemessage.txt", _JUDGE_MESSAGE_BYTES)
        if outcome.ending != Ending.EXITED or outcome.exit_code not in (_RIGHT, _WRONG):
            return self._fault(f"{ended(outcome)}; it must exit with 42 or 43.", outcome, said)
        try:
            score, multiplier = _number(outcome, "score.txt"), _number(outcome, "score_multiplier.txt")
        except ValueError as error:
            return self._fault(f"wrote {error}.", outcome, said)
        if score is not None and multiplier is not None:
            return self._fault("wrote both score.txt and score_multiplier.txt.", outcome, said)
        if multiplier is not None and multiplier > 1:
            return self._fault("wrote a score_multiplier.txt above 1.", outcome, said)
        right = outcome.exit_code == _RIGHT
        # A rejected output is worth nothing: to say that 0 as well is taken for what it means.
        if not right and (score or multiplier):
            return self._fault("wrote a score for an output that it rejected.", outcome, said)
        left = {name.removeprefix(f"{FEEDBACK}/"): content for name, content in outcome.kept.items()}
        next_input = left.pop(_NEXT_INPUT, None) if self.multi_pass else None
        if next_input is not None and not right:
            return self._fault(f"wrote {_NEXT_INPUT} and rejected the output.", outcome, said)
        return Checked(
            verdict=Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER,
            judge_note=said,
            team_note=_text(outcome, "teammessage.txt", _TEAM_MESSAGE_BYTES),
            open_note=_text(outcome, "openmessage.txt", _TEAM_MESSAGE_BYTES),
            score=score if right else None,
            multiplier=multiplier if right else None,
            next_input=next_input,
            state=left if next_input is not None else {},
        )

    def _fault(self, what: str, outcome: Outcome, said: str) -> Checked:
        errors = outcome.stderr.decode("utf-8", "replace").replace("\0", "�")[-2000:]
        note = "\n".join(filter(None, (f"The {self.role} {self.program.name} {what}", said, errors)))
        return Checked(verdict=Verdict.JUDGE_ERROR, judge_note=note)


def _tar(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return packed.getvalue()


def _difference(difference: Difference) -> str:
    expected, got = (
        part.decode("utf-8", "replace").replace("\0", "�") for part in (difference.expected, difference.got)
    )
    kind = difference.kind
    facts = {"expected": expected, "got": got, "line": difference.line, "word": difference.token}
    match kind:
        case DifferenceKind.MISSING:
            return say(
                "said",
                "The output ends too early: “%(expected)s” (line %(line)d, word %(word)d of the answer) is missing.",
                **facts,
            )
        case DifferenceKind.EXTRA:
            return say(
                "said",
                "The output goes on with “%(got)s” (line %(line)d, word %(word)d), where the answer has ended.",
                **facts,
            )
        case DifferenceKind.DIFFERENT | DifferenceKind.NUMBER:
            return say(
                "said",
                "In line %(line)d, word %(word)d stands “%(got)s”, where “%(expected)s” is expected.",
                **facts,
            )
        case DifferenceKind.LETTER_CASE:
            return say(
                "said",
                "In line %(line)d, word %(word)d stands “%(got)s”, where “%(expected)s” is expected: upper and lower "
                "case "
                "matter here.",
                **facts,
            )
        case DifferenceKind.NOT_A_NUMBER:
            return say(
                "said",
                "In line %(line)d, word %(word)d stands “%(got)s”, which is no number; “%(expected)s” is expected.",
                **facts,
            )
        case DifferenceKind.SPACING:
            facts |= {"expected": repr(expected), "got": repr(got)}
            return say(
                "said",
                "The spacing at line %(line)d, word %(word)d is %(got)s, where %(expected)s is expected; spacing "
                "matters "
                "here.",
                **facts,
            )
        case _:
            assert_never(kind)


def _text(outcome: Outcome, name: str, limit: int) -> str:
    content = outcome.kept.get(f"{FEEDBACK}/{name}", b"")
    return content[:limit].decode("utf-8", "replace").replace("\0", "�").strip()


def _number(outcome: Outcome, name: str) -> Fraction | None:
    content = outcome.kept.get(f"{FEEDBACK}/{name}")
    if content is None:
        return None
    text = content[:200].decode("ascii", "replace").strip()
    if len(content) > 200 or not _SCORE.fullmatch(text):
        raise ValueError(f"“{text[:40]}” to {name}, where one number not below 0 must stand")
    return Fraction(text)
