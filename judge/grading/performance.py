"""How a program's work on one case is done and checked, whatever kind of problem it is.

A case is one pass, or in a multi-pass problem several. In each pass the program runs and the validator has its word on
it: afterwards, or in an interactive problem at the same time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from judge.grading.check import Checked, Checker, OwnValidator, checker_of, validator_of
from judge.grading.executable import Executable
from judge.grading.interact import Conversation, Side, converse
from judge.grading.job import ReadyCase
from judge.grading.run import MORE, PATIENCE, Allowance, Measured, measure, measured, near, patiently, run_of, starved
from judge.grading.transcript import Transcript, next_pass
from judge.grading.verdict import Verdict
from judge.grading.workshop import PLAIN, Workshop
from problems.package.model import Package
from sandbox.contract import Content, Ending, Outcome, Run, Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """What a program did on one case (in a multi-pass problem: in its last pass), and what was said of it."""

    measured: Measured
    """Its `verdict`, where it has one, stands before what was said of the output."""
    checked: Checked | None
    """None: nobody looked at what came out, or it does not count."""
    shown: bytes
    """What people look at afterwards: the output, or what both sides said."""
    passes: int = 1

    @property
    def verdict(self) -> Verdict:
        """Of the case, before its points are looked at."""
        if self.measured.verdict is not None:
            return self.measured.verdict
        assert self.checked is not None
        return self.checked.verdict


class Performer(Protocol):
    """Lets one program work on cases."""

    def perform(self, case: ReadyCase) -> Performance:
        """Raises `SandboxFault`, and `OSError` when the case's files are lost."""
        ...


def performer_of(
    package: Package, executable: Executable, box: Sandbox, allowance: Allowance, workshop: Workshop = PLAIN
) -> Performer:
    """Who lets `executable` work on the cases of `package`. Raises `CheckerBroken`, `SandboxFault`."""
    if not package.interactive and not package.multi_pass:
        checker = checker_of(package, box, workshop)
        return _Plain(executable=executable, box=box, allowance=allowance, checker=checker)
    validator = validator_of(package, box, workshop)
    kind = _Together if package.interactive else _InTurn
    one = kind(executable=executable, box=box, allowance=allowance, validator=validator)
    return _Passes(one=one, most=package.limits.validation_passes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plain:
    executable: Executable
    box: Sandbox
    allowance: Allowance
    checker: Checker

    def perform(self, case: ReadyCase) -> Performance:
        run = measure(
            self.executable,
            self.box,
            self.allowance,
            stdin=case.input,
            files=case.files,
            args=case.settings.args,
        )
        looked_at = run.verdict is None or may_have_been_right(run)
        checked = self.checker.check(case, run.outcome.stdout) if looked_at else None
        return Performance(measured=run, checked=checked, shown=run.outcome.stdout)


class _OnePass(Protocol):
    def work(
        self, case: ReadyCase, given: Content, state: Mapping[str, bytes]
    ) -> tuple[Measured, Checked | None, Transcript]:
        """One pass on the input `given`; `state` is what the validator kept from the pass before."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passes:
    """Pass after pass, for as long as the validator accepts and asks for one more."""

    one: _OnePass
    most: int

    def perform(self, case: ReadyCase) -> Performance:
        given: Content = case.input
        state: Mapping[str, bytes] = {}
        shown = b""
        runs: list[Measured] = []
        while True:
            run, checked, heard = self.one.work(case, given, state)
            shown = next_pass(shown, heard.text()) if runs else heard.text()
            runs.append(run)
            next_input = None if run.verdict is not None or checked is None else checked.next_input
            if checked is None or next_input is None:
                break
            if len(runs) == self.most:
                allowed = f"limits.validation_passes ({self.most})"
                checked = Checked(
                    verdict=Verdict.JUDGE_ERROR,
                    judge_note=f"The output validator asked for more passes than {allowed}.",
                )
                break
            given, state = next_input, checked.state
        return Performance(measured=_of_all(runs), checked=checked, shown=shown, passes=len(runs))


def _of_all(runs: list[Measured]) -> Measured:
    """The limits hold for each pass; the figures are those of the pass that took most, the ending is the last one's."""
    slowest = max(runs, key=lambda run: run.outcome.cpu_seconds)
    last = runs[-1]
    return replace(
        last,
        outcome=replace(
            last.outcome,
            cpu_seconds=slowest.outcome.cpu_seconds,
            wall_seconds=max(run.outcome.wall_seconds for run in runs),
            memory_bytes=max(run.outcome.memory_bytes for run in runs),
        ),
        cpu_range=slowest.cpu_range,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _InTurn:
    """The program reads its input and ends; then the validator looks at what it printed."""

    executable: Executable
    box: Sandbox
    allowance: Allowance
    validator: OwnValidator

    def work(
        self, case: ReadyCase, given: Content, state: Mapping[str, bytes]
    ) -> tuple[Measured, Checked | None, Transcript]:
        run = measure(self.executable, self.box, self.allowance, stdin=given, files=case.files, args=case.settings.args)
        heard = Transcript()
        heard.from_validator(given if isinstance(given, bytes) else given.read_bytes())
        heard.from_program(run.outcome.stdout)
        if run.verdict is not None and not may_have_been_right(run):
            return run, None, heard
        asked = self.validator.run(case, given=given, output=run.outcome.stdout, state=state)
        return run, self.validator.said(patiently(asked, self.box)), heard


@dataclass(frozen=True, slots=True, kw_only=True)
class _Together:
    """Program and validator run at the same time and talk to one another."""

    executable: Executable
    box: Sandbox
    allowance: Allowance
    validator: OwnValidator

    def work(
        self, case: ReadyCase, given: Content, state: Mapping[str, bytes]
    ) -> tuple[Measured, Checked | None, Transcript]:
        program = run_of(self.executable, self.allowance, files=case.files, args=case.settings.args)
        talk = self._talk(case, given, state, program)
        if starved(talk.program, others_cpu_seconds=talk.validator.cpu_seconds):
            patient = PATIENCE * program.quota.wall_seconds
            if talk.validator.cpu_seconds > talk.program.wall_seconds / 10:
                # What the validator computes for long, the program waits for: no fault of the program's.
                patient += 2 * self.validator.limits.validation_seconds + 3
            program = replace(program, quota=replace(program.quota, wall_seconds=patient))
            talk = self._talk(case, given, state, program)
        talks = [talk]
        if talk.first_fault != Side.VALIDATOR and near(talk.program, self.allowance):
            more = [self._talk(case, given, state, program) for _ in range(MORE)]
            talks += [one for one in more if one.first_fault != Side.VALIDATOR]
        run = measured([one.program for one in talks], self.executable, self.allowance)
        talk = next(one for one in talks if one.program is run.outcome)
        checked = self.validator.said(talk.validator)
        if talk.first_fault == Side.VALIDATOR:
            return replace(run, verdict=None), checked, talk.heard
        if talk.first_fault == Side.PROGRAM and checked.verdict != Verdict.ACCEPTED:
            return run, None, talk.heard
        return run, checked, talk.heard

    def _talk(self, case: ReadyCase, given: Content, state: Mapping[str, bytes], program: Run) -> Conversation:
        validator = self.validator.run(case, given=given, state=state, waits_seconds=program.quota.wall_seconds)
        return converse(self.box, program, validator, most_said=self.allowance.output_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """A submission of answers: nothing is run, each is only looked at."""

    answers: Mapping[str, bytes]
    checker: Checker

    def perform(self, case: ReadyCase) -> Performance:
        """An answer that is missing counts as an empty one."""
        answer = self.answers.get(case.name, b"")
        return Performance(measured=_NOT_RUN, checked=self.checker.check(case, answer), shown=answer)


_NOT_RUN = Measured(
    verdict=None,
    outcome=Outcome(
        ending=Ending.EXITED,
        exit_code=0,
        signal=None,
        cpu_seconds=0.0,
        wall_seconds=0.0,
        memory_bytes=0,
        stdout=b"",
        stderr=b"",
    ),
    cpu_range=None,
)


def may_have_been_right(run: Measured) -> bool:
    """Whether the output of a program that did not end well is looked at even so."""
    return run.verdict == Verdict.RUN_TIME_ERROR and run.outcome.ending in (Ending.EXITED, Ending.SIGNALLED)
