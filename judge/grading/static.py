"""Looks at a submission itself: the package's static validator, on what was sent and what was compiled of it."""

from dataclasses import dataclass, replace
from fractions import Fraction

from judge.grading.case import PLACE, TOLD, Points
from judge.grading.check import FEEDBACK, Checked, OwnValidator, own_validator
from judge.grading.compile import submitted
from judge.grading.executable import Executable
from judge.grading.explain import NOT_JUDGED
from judge.grading.job import CaseResult, Origin, Source, StaticTest, Work
from judge.grading.keys import Keys
from judge.grading.run import patiently
from judge.grading.score import ScoreFault
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from problems.package.model import Package
from problems.say import say
from sandbox.contract import Content, Outcome, Quota, Run, Sandbox

_FOLDER = "submission"


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticJudge:
    """Judges the static validation test cases of one submission."""

    validator: OwnValidator
    package: Package
    source: Source
    executable: Executable
    points: Points
    keys: Keys | None = None
    """None: results need not be of use later."""

    def judge(self, test: StaticTest, *, place: str) -> CaseResult:
        """Judge one; `place` (`Case 4 of 12`) begins its note. Raises `SandboxFault`."""
        outcome = patiently(self._run(test.asked.args), self.validator.box)
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
            origin=self._origin(test, outcome, checked),
        )

    def _origin(self, test: StaticTest, outcome: Outcome, checked: Checked) -> Origin | None:
        if self.keys is None:
            return None
        key = self.keys.static(test)
        return Origin(
            run=key,
            check=key,
            ending=outcome.ending,
            exit_code=outcome.exit_code,
            signal=outcome.signal,
            checked=checked.verdict,
            score=checked.score,
            multiplier=checked.multiplier,
            cut=False,
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
    points: Points,
    keys: Keys | None = None,
) -> StaticJudge | None:
    """Who looks at a submission itself; None where nobody does. Raises `CheckerBroken`, `SandboxFault`."""
    program = package.static_validator
    if program is None or executable is None or not any(group.static for group in package.groups):
        return None
    validator = own_validator(program, package, box, workshop, role="static validator")
    return StaticJudge(
        validator=validator, package=package, source=source, executable=executable, points=points, keys=keys
    )


def kept(known: CaseResult, test: StaticTest, points: Points, *, place: str) -> CaseResult:
    """An earlier result for `test`, which would come out the same; its points are counted anew."""
    assert known.origin is not None
    note = PLACE.sub(place, known.note, count=1)
    result = replace(known, name=test.name, group=test.group, note=note, points=Fraction(0), work=Work.KEEP)
    if known.verdict != Verdict.ACCEPTED:
        return result
    checked = Checked(verdict=Verdict.ACCEPTED, score=known.origin.score, multiplier=known.origin.multiplier)
    try:
        return replace(result, points=points(test.group, checked))
    except ScoreFault as error:
        note = f"{place} {_note(Verdict.JUDGE_ERROR, checked)}"
        return replace(result, verdict=Verdict.JUDGE_ERROR, note=note, judge_note=str(error), origin=None)


def _note(verdict: Verdict, checked: Checked) -> str:
    if verdict == Verdict.ACCEPTED:
        return say("case", "looked at the program itself, which is as it must be.")
    if verdict == Verdict.JUDGE_ERROR:
        return NOT_JUDGED
    told = checked.team_note.strip().partition("\n")[0][:TOLD]
    note = say("case", "looked at the program itself, which is not as the problem asks.")
    return f"{note.removesuffix('.')}: {told}" if told else note
