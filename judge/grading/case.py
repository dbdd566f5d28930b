"""One case: run, check, and tell. Used by judging, by trial runs and by whoever verifies examples."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from judge.grading.check import Checked
from judge.grading.ended import ended
from judge.grading.executable import Executable
from judge.grading.explain import NOT_JUDGED, RIGHT_SO_FAR, handed_in, happened
from judge.grading.job import CaseResult, Origin, ReadyCase, StaticTest, Work
from judge.grading.keys import Keys
from judge.grading.performance import Performance, Performer
from judge.grading.run import Allowance
from judge.grading.score import ScoreFault
from judge.grading.verdict import Verdict
from problems.package.model import Limits
from problems.say import say

KEEP_BYTES = 64 << 10
"""Of a program's output and of its standard error, this much is kept for people to look at."""
WHOLE_BYTES = 256 << 10
"""An output that was checked is kept whole up to this size, so that another checker can look at it."""
PLACE = re.compile(r"Case \d+ of \d+")
"""How the sentence about a case begins."""
TOLD = 300
"""Characters of a validator's message to the student that become part of the sentence about a case."""

Points = Callable[[str, Checked], Fraction]
"""Group and what the checker said -> points of the case; raises `ScoreFault`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseJudge:
    """Judges cases of one submission."""

    executable: Executable | None
    """None: the submission is no program, but answers."""
    performer: Performer
    allowance: Allowance
    points: Points
    keys: Keys | None = None
    """None: results need not be of use later."""
    interactive: bool = False

    def keep(self, known: CaseResult, case: ReadyCase, *, place: str) -> CaseResult:
        """An earlier result for `case`, whose run and check would be the same; its points are counted anew."""
        assert known.origin is not None
        assert self.keys is not None
        note = PLACE.sub(place, known.note, count=1)
        check = self.keys.check(case)
        if known.origin.check != check:  # of a crash it may say that the output was right until then
            note = note.removesuffix(RIGHT_SO_FAR)
        origin = replace(known.origin, check=check)
        kept = replace(known, name=case.name, group=case.group, note=note, origin=origin, work=Work.KEEP)
        if known.verdict != Verdict.ACCEPTED:
            return kept
        checked = Checked(verdict=Verdict.ACCEPTED, score=origin.score, multiplier=origin.multiplier)
        try:
            return replace(kept, points=self.points(case.group, checked))
        except ScoreFault as error:
            return not_judged(case, place, judge_note=str(error))

    def judge(self, case: ReadyCase, *, place: str) -> CaseResult:
        """Judge one case; `place` (`Case 4 of 12`) begins its note. Raises `SandboxFault`."""
        try:
            return self._judge(case, place)
        except OSError as error:
            fault = f"The files of {case.name} cannot be read: {error}"
            return not_judged(case, place, judge_note=fault)

    def _judge(self, case: ReadyCase, place: str) -> CaseResult:
        done = self.performer.perform(case)
        verdict = done.verdict
        if verdict == Verdict.JUDGE_ERROR and done.checked is None:
            outcome = done.measured.outcome
            said = outcome.stderr.decode("utf-8", "replace")[:2000]
            return not_judged(case, place, judge_note=f"The program could not be started ({outcome.ending}): {said}")
        points = Fraction(0)
        fault = ""
        if verdict == Verdict.ACCEPTED and done.checked is not None:
            try:
                points = self.points(case.group, done.checked)
            except ScoreFault as error:
                verdict, fault = Verdict.JUDGE_ERROR, str(error)
        return self._told(case, place, done, verdict, points=points, fault=fault)

    def _told(
        self, case: ReadyCase, place: str, done: Performance, verdict: Verdict, *, points: Fraction, fault: str
    ) -> CaseResult:
        outcome = done.measured.outcome
        checked = done.checked
        tells = checked is not None and verdict != Verdict.RUN_TIME_ERROR
        most = WHOLE_BYTES if checked is not None else KEEP_BYTES
        if done.passes > 1 and verdict != Verdict.ACCEPTED:
            place += " " + say("part", "(pass %(number)d)", number=done.passes)
        ended_so = say("said", "The program %(how)s.", how=ended(outcome))
        return CaseResult(
            name=case.name,
            group=case.group,
            verdict=verdict,
            cpu_seconds=outcome.cpu_seconds,
            cpu_range=done.measured.cpu_range,
            wall_seconds=outcome.wall_seconds,
            memory_bytes=outcome.memory_bytes,
            points=points,
            note=f"{place} {self._note(case, done, verdict)}",
            judge_note=fault or (checked.judge_note if checked is not None and tells else ended_so),
            team_note=_told_by(checked, case) if checked is not None and tells else "",
            output=done.shown[:most],
            stderr=outcome.stderr[:KEEP_BYTES],
            origin=self._origin(case, done, cut=len(done.shown) > most),
        )

    def _origin(self, case: ReadyCase, done: Performance, *, cut: bool) -> Origin | None:
        if self.keys is None:
            return None
        outcome, checked = done.measured.outcome, done.checked
        return Origin(
            run=self.keys.run(case),
            check=self.keys.check(case),
            ending=outcome.ending,
            exit_code=outcome.exit_code,
            signal=outcome.signal,
            checked=checked.verdict if checked else None,
            score=checked.score if checked else None,
            multiplier=checked.multiplier if checked else None,
            cut=cut,
        )

    def _note(self, case: ReadyCase, done: Performance, verdict: Verdict) -> str:
        shown, checked = _open(case), done.checked
        if self.executable is None:
            note = handed_in(verdict, done.shown)
        else:
            crashed = verdict == Verdict.RUN_TIME_ERROR
            note = happened(
                done.measured,
                verdict,
                self.executable,
                self.allowance,
                output_right=crashed and checked is not None and checked.verdict == Verdict.ACCEPTED,
                shown=shown,
                interactive=self.interactive,
            )
        if checked is not None and verdict == Verdict.WRONG_ANSWER:
            told = _told_by(checked, case).strip().partition("\n")[0][:TOLD]
            if told:
                note = f"{note.removesuffix('.')}: {told}"
            elif shown:
                note = f"{note} {checked.open_note}".strip()
        return note


def _open(case: ReadyCase) -> bool:
    """Whether students see the case."""
    return case.group == "sample" or case.settings.full_feedback


def _told_by(checked: Checked, case: ReadyCase) -> str:
    """What the package's validator tells the student: more where they see the case."""
    return (checked.team_note and _open(case) and checked.open_note) or checked.team_note


def not_judged(case: ReadyCase, place: str, *, judge_note: str) -> CaseResult:
    """A case that a fault of ours or of the author's kept from being judged."""
    return CaseResult(
        name=case.name,
        group=case.group,
        verdict=Verdict.JUDGE_ERROR,
        cpu_seconds=0.0,
        cpu_range=None,
        wall_seconds=0.0,
        memory_bytes=0,
        points=Fraction(0),
        note=f"{place} {NOT_JUDGED}",
        judge_note=judge_note,
    )


def not_run(case: ReadyCase | StaticTest, place: str, reason: str) -> CaseResult:
    """A case that was left out; `reason` ends the sentence that `place` begins."""
    return CaseResult(
        name=case.name,
        group=case.group,
        verdict=None,
        cpu_seconds=0.0,
        cpu_range=None,
        wall_seconds=0.0,
        memory_bytes=0,
        points=Fraction(0),
        note=f"{place} {reason}",
        judge_note="",
    )


def allowance_of(limits: Limits, *, time_factor: float = 1.0) -> Allowance:
    """What a package's limits allow a submission on one case."""
    return Allowance(
        cpu_seconds=limits.time_seconds * time_factor,
        memory_bytes=limits.memory_bytes,
        output_bytes=limits.output_bytes,
        file_writing=limits.file_writing,
    )
