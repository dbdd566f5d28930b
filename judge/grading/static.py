"""Looks at a submission itself: the package's static validator, on what was sent and what was compiled of it."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from judge.grading.case import TOLD
from judge.grading.check import FEEDBACK, Checked, OwnValidator, own_validator
from judge.grading.compile import submitted
from judge.grading.executable import Executable
from judge.grading.job import CaseResult, Source, StaticTest
from judge.grading.score import ScoreFault
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import Package
from sandbox.contract import Content, Quota, Run, Sandbox

_FOLDER = "submission"


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticJudge:
    """Judges the static validation test cases of one submission."""

    validator: OwnValidator
    package: Package
    source: Source
    executable: Executable
    points: Callable[[str, Checked], Fraction]

    def judge(self, test: StaticTest, *, place: str) -> CaseResult:
        """Judge one; `place` (`Case 4 of 12`) begins its note. Raises `SandboxFault`."""
        outcome = self.validator.box.run(self._run(test.asked.args))
        checked = self.validator.said(outcome)
        verdict, points, fault = checked.verdict, Fraction(0), ""
        if verdict == Verdict.ACCEPTED:
            try:
                points = self.points(test.group, checked)
            except ScoreFault as error:
                verdict, fault = Verdict.JUDGE_ERROR, str(error)
        return CaseResult(
            name=test.name,
            group=test.group,
            verdict=verdict,
            cpu_seconds=0.0,  # the submission did nothing
            cpu_range=None,
            wall_seconds=0.0,
            memory_bytes=0,
            points=points,
            note=f"{place} {_note(verdict, checked)}",
            judge_note=fault or checked.judge_note,
            team_note=checked.team_note,
        )

    def _run(self, args: tuple[str, ...]) -> Run:
        """The validator in a folder with the submission and nothing else; its own files lie beside that."""
        limits = self.package.limits
        laid = {**submitted(self.source, self.package), **self.executable.files}
        files: dict[str, Content] = {**self.validator.executable.files}
        files |= {f"{_FOLDER}/{name}": content for name, content in laid.items()}
        return Run(
            argv=(
                *("/bin/sh", "-c", f'cd {_FOLDER} && exec "$@"', "validator"),
                *self.validator.executable.command(limits.validation_memory_bytes),
                *(self.executable.language.code, self.executable.entry, f"/box/{FEEDBACK}/"),
                *args,
            ),
            files=files,
            env=self.validator.executable.environment(limits.validation_memory_bytes),
            writable=(FEEDBACK,),
            keep=(FEEDBACK,),
            quota=Quota(
                cpu_seconds=limits.validation_seconds,
                wall_seconds=2 * limits.validation_seconds + 3,
                memory_bytes=limits.validation_memory_bytes,
                output_bytes=limits.validation_output_bytes,
                file_bytes=limits.validation_output_bytes,
            ),
        )


def static_judge_of(
    package: Package,
    source: Source,
    executable: Executable | None,
    *,
    box: Sandbox,
    workshop: Workshop,
    points: Callable[[str, Checked], Fraction],
) -> StaticJudge | None:
    """Who looks at a submission itself; None where nobody does. Raises `CheckerBroken`, `SandboxFault`."""
    program = package.static_validator
    if program is None or executable is None or not any(group.static for group in package.groups):
        return None
    validator = own_validator(program, package, box, workshop, role="static validator")
    return StaticJudge(validator=validator, package=package, source=source, executable=executable, points=points)


def _note(verdict: Verdict, checked: Checked) -> str:
    if verdict == Verdict.ACCEPTED:
        return "looked at the program itself, which is as it must be."
    if verdict == Verdict.JUDGE_ERROR:
        return "could not be judged. This is not the fault of your program; the course staff can see why."
    told = checked.team_note.strip().partition("\n")[0][:TOLD]
    return "looked at the program itself, which is not as the problem asks" + (f": {told}" if told else ".")
