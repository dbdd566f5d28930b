"""Where programs are tried on inputs that are not among the cases: legal or not, what is right, what was said."""

import hashlib
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from judge.grading.build import with_model
from judge.grading.case import allowance_of
from judge.grading.check import Checked, Checker, CheckerBroken, checker_of
from judge.grading.compile import compile_program
from judge.grading.executable import Executable
from judge.grading.feedback.metered import Spent
from judge.grading.job import ReadyCase
from judge.grading.run import Allowance, Measured, patiently, run_of, slept, verdict_of
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import CaseSettings, Package, Program
from sandbox.contract import Ending, Outcome, Quota, Run, Sandbox

_VALID = 42
_PATIENT = 0.5
_TIMES = 10
"""A program that needs so many times what the reference needs, and `_PATIENT` seconds more, is not waited for."""


class NoGround(Exception):
    """Nothing can be tried for this package; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the model solution prints on an input, and how long it takes."""

    output: bytes
    cpu_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a program did on an input."""

    verdict: Verdict
    outcome: Outcome
    note: str = ""
    """What the package's validator tells the student, who sees this input."""
    judge_note: str = ""
    """What it tells the staff. It may be shown where the input is shown."""
    slept: bool = False
    """It took too long and computed next to nothing."""

    @property
    def output(self) -> bytes:
        return self.outcome.stdout

    @property
    def wrong(self) -> bool:
        return self.verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR)


@dataclass(slots=True, kw_only=True)
class Bench:
    """Reference, validators and checker of one package, ready to work. Use it as a context: it keeps files meanwhile.

    Everything raises `SandboxFault`, and `Spent` when `box` is a `Metered` one.
    """

    package: Package
    box: Sandbox
    workshop: Workshop
    settings: CaseSettings = CaseSettings()
    """How the cases that are like these inputs are checked."""
    answers: dict[str, Answer | None] = field(default_factory=dict)
    """Digest of an input -> what the reference says; None where it fails. Known ones may be put in."""
    _folder: tempfile.TemporaryDirectory[str] | None = None
    _programs: dict[str, Executable] = field(default_factory=dict)
    _checker: Checker | None = None

    def __enter__(self) -> "Bench":
        self._folder = tempfile.TemporaryDirectory(prefix="palfrey-bench-")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._folder is not None
        self._folder.cleanup()

    @property
    def limit(self) -> Allowance:
        return allowance_of(self.package.limits)

    def legal(self, text: bytes) -> bool:
        """Whether every input validator takes it."""
        limits = self.package.limits
        for program in self.package.input_validators:
            args = self.settings.input_validator_args.get(program.name, self.settings.input_validator_args.get("", ()))
            executable = self.compiled(program)
            outcome = self.box.run(
                Run(
                    argv=(*executable.command(limits.validation_memory_bytes), *args),
                    files=executable.files,
                    stdin=text,
                    env=executable.environment(limits.validation_memory_bytes),
                    quota=Quota(
                        cpu_seconds=min(limits.validation_seconds, 5),
                        wall_seconds=15,
                        memory_bytes=limits.validation_memory_bytes,
                    ),
                )
            )
            if outcome.ending != Ending.EXITED or outcome.exit_code != _VALID:
                return False
        return True

    def answer(self, text: bytes) -> Answer | None:
        """What the model solution says to it; None when it fails there, so that nothing can be said."""
        key = digest_of(text)
        if key not in self.answers:
            model = with_model(self.package).model_solution
            executable = self.compiled(model.program, code=model.language)
            outcome = patiently(run_of(executable, self.limit, stdin=text), self.box)
            right = verdict_of(outcome, executable, self.limit) is None
            self.answers[key] = Answer(output=outcome.stdout, cpu_seconds=outcome.cpu_seconds) if right else None
        return self.answers[key]

    def look(self, executable: Executable, text: bytes, answer: Answer, *, patient: bool = False) -> Seen:
        """Run `executable` on `text`, and check what it printed. Not `patient`: it is stopped soon after `answer`'s
        time, which counts as too slow only where it would be by the limit too."""
        allowance = self.limit
        if not patient:
            soon = min(allowance.cpu_seconds, _TIMES * answer.cpu_seconds + _PATIENT)
            allowance = replace(allowance, cpu_seconds=soon)
        run = run_of(executable, allowance, stdin=text)
        if not patient:
            run = replace(run, quota=replace(run.quota, wall_seconds=2 * run.quota.cpu_seconds + 1))
        return self.judged(executable, patiently(run, self.box), text, answer, allowance)

    def judged(
        self, executable: Executable, outcome: Outcome, text: bytes, answer: Answer, allowance: Allowance
    ) -> Seen:
        """What a run of `executable` on `text` means."""
        verdict = verdict_of(outcome, executable, allowance)
        if outcome.ending == Ending.CPU_TIME and outcome.cpu_seconds < allowance.cpu_seconds:
            raise Spent  # our budget ended it, not its limit
        if verdict is not None:
            return Seen(verdict=verdict, outcome=outcome, slept=slept(outcome, allowance.cpu_seconds))
        if outcome.stdout == answer.output:
            return Seen(verdict=Verdict.ACCEPTED, outcome=outcome)
        checked = self.check(text, answer, outcome.stdout)
        note = checked.open_note or checked.team_note
        return Seen(verdict=checked.verdict, outcome=outcome, note=note, judge_note=checked.judge_note)

    def check(self, text: bytes, answer: Answer, output: bytes) -> Checked:
        """What the package's checker says of `output`."""
        if self._checker is None:
            try:
                self._checker = checker_of(self.package, self.box, self.workshop)
            except CheckerBroken as error:
                raise NoGround(str(error)) from error
        return self._checker.check(self.case(text, answer.output), output)

    def case(self, text: bytes, answer: bytes) -> ReadyCase:
        """An input as a case; its files stay until the next one is made."""
        assert self._folder is not None
        given, right = Path(self._folder.name, "input"), Path(self._folder.name, "answer")
        given.write_bytes(text)
        right.write_bytes(answer)
        return ReadyCase(name="small", group="sample", input=given, answer=right, settings=self.settings)

    def compiled(self, program: Program, *, code: str | None = None) -> Executable:
        """A program of the package, compiled once. Raises `NoGround`."""
        if program.name not in self._programs:
            compiled = compile_program(program, self.package, self.box, self.workshop, code=code)
            if compiled.executable is None:
                raise NoGround(f"{program.name} does not compile.")
            self._programs[program.name] = compiled.executable
        return self._programs[program.name]


def measured(seen: Seen) -> Measured:
    """As the sentences of `judge.grading.explain` want it."""
    return Measured(verdict=seen.verdict, outcome=seen.outcome, cpu_range=None)


def digest_of(text: bytes) -> str:
    """Names an input; its spacing does not matter, so that a secret case is known again with other blanks."""
    return hashlib.sha256(b" ".join(text.split())).hexdigest()


def why_not(package: Package, cases: Iterable[ReadyCase]) -> str:
    """Why inputs cannot be tried for this package, in a few words for staff; empty when they can."""
    if package.interactive or package.multi_pass:
        return "the judge's side talks with the program"
    if package.submit_answer:
        return "answers are handed in, and no program is run"
    if any(case.files or case.settings.args for case in cases):
        return "its cases are more than an input"
    return ""


def settings_of(cases: Iterable[ReadyCase]) -> CaseSettings:
    """How an input that is no case is checked: as the first secret case is."""
    first = next((case.settings for case in cases if case.group != "sample"), CaseSettings())
    return CaseSettings(
        input_validator_args=first.input_validator_args,
        output_validator_args=first.output_validator_args,
        output_visualizer_args=first.output_visualizer_args,
    )
