"""One submission of a regrade: judged with what is known already, looked at again near a limit, compared."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import structlog
from django.utils import timezone

from judge.blobs.store import BlobMissing
from judge.blobs.versions import VersionUnreadable
from judge.grading import job as core
from judge.grading.case import allowance_of
from judge.grading.grade import grade
from judge.grading.job import Compiled, Job, Report, Work
from judge.grading.keys import checker_key, static_key
from judge.grading.reuse import Past
from judge.grading.run import LEEWAY, NEAR
from judge.grading.verdict import Verdict
from judge.grading.workshop import Workshop
from judge.regrades.causes import CaseData, Result, cause, gain
from judge.regrades.models import Outcome, Regrade, RegradeItem
from judge.regrades.planning import Shelf
from judge.submissions.actions import time_factor
from judge.submissions.models import CaseResult, Judgement, Purpose, State
from judge.submissions.record import basis_of, case_row, host_class, past_of, report_columns
from judge.submissions.tasks import source_of
from judge.submissions.text import storable
from problems.models import Version
from sandbox.contract import Sandbox

log = structlog.get_logger(__name__)

ROUNDS = 2
"""So often more is judged what changed by time or memory alone."""
_LIMITS = frozenset({Verdict.TIME_LIMIT_EXCEEDED, Verdict.MEMORY_LIMIT_EXCEEDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """All that one grading gave."""

    compiled: Compiled
    cases: tuple[core.CaseResult, ...]
    report: Report

    def verdicts(self, names: frozenset[str]) -> list[tuple[str, Verdict | None]]:
        return [(one.name, one.verdict) for one in self.cases if one.name in names]


@dataclass(slots=True, kw_only=True)
class Done:
    """What came of an item, to be written down. `judgement` None: there is nothing that differs from before."""

    item: RegradeItem
    judgement: Judgement | None = None
    rows: list[CaseResult] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Judging:
    """Judges items of one regrade on this host."""

    regrade: Regrade
    versions: Mapping[int, Version]
    box: Sandbox
    workshop: Workshop
    shelf: Shelf = field(default_factory=Shelf)
    data: dict[int, CaseData] = field(default_factory=dict)

    def judge(self, item: RegradeItem, rows: Sequence[CaseResult]) -> Done:
        """Judge `item`, whose base has the results `rows`. Raises `SandboxFault`."""
        if item.submission is None or item.base is None:
            item.outcome = Outcome.GONE
            return Done(item=item)
        try:
            return self._judge(item, rows)
        except (BlobMissing, VersionUnreadable, OSError) as error:
            log.warning("could not regrade", item=str(item), error=str(error))
            item.outcome, item.chosen = Outcome.FAULT, False
            item.cause = {"kind": "fault", "note": storable(f"{type(error).__name__}: {error}", 500)}
            return Done(item=item)

    def _judge(self, item: RegradeItem, rows: Sequence[CaseResult]) -> Done:
        submission, base = item.submission, item.base
        assert submission is not None
        assert base is not None
        version = self.versions[submission.problem_id]
        package, cases = self.shelf.of(version)
        factor = time_factor(submission.assignment, submission.language)
        job = Job(package=package, cases=cases, source=source_of(submission), time_factor=factor)
        past = None if self.regrade.anew else past_of(base, rows, host=host_class())
        steps = self._grade(job, past)
        if past is not None and steps.report.verdict == Verdict.JUDGE_ERROR:
            past = None  # perhaps an output that was kept is lost
            steps = self._grade(job, past)
        limits = basis_of(job, steps.compiled)["limits"]
        again = shaky(job, rows, steps, same_limits=base.basis.get("limits") == limits)
        rounds = [self._grade(job, _but(steps, job, past, again)) for _ in range(ROUNDS)] if again else []
        unstable = any(one.verdicts(again) != steps.verdicts(again) for one in rounds)
        done = Counter(one.work for one in steps.cases if one.verdict is not None)
        item.runs, item.checks, item.kept = (done[work] for work in (Work.RUN, Work.CHECK, Work.KEEP))
        item.runs += len(rounds) * len(again)
        judgement = _judgement(submission.pk, version, job, steps)
        same_rules = base.version_id == version.pk and base.time_factor == job.time_factor
        done_nothing = not item.runs and not item.checks and same_rules
        if done_nothing and Result.of(base) == Result.of(judgement):
            item.outcome = Outcome.SAME
            return Done(item=item)
        written = [case_row(judgement, at, step, rows) for at, step in enumerate(steps.cases, start=1)]
        return self._compared(item, base, judgement, rows, written, unstable=unstable)

    def _grade(self, job: Job, past: Past | None) -> Steps:
        steps = list(grade(job, self.box, self.workshop, past))
        compiled, report = steps[0], steps[-1]
        assert isinstance(compiled, Compiled)
        assert isinstance(report, Report)
        results = tuple(step for step in steps if isinstance(step, core.CaseResult))
        return Steps(compiled=compiled, cases=results, report=report)

    def _compared(
        self,
        item: RegradeItem,
        base: Judgement,
        judgement: Judgement,
        rows: Sequence[CaseResult],
        written: list[CaseResult],
        *,
        unstable: bool,
    ) -> Done:
        before, after = Result.of(base), Result.of(judgement)
        item.gain = gain(before, after)
        if after.verdict == Verdict.JUDGE_ERROR:
            item.outcome, item.chosen = Outcome.FAULT, False
            item.cause = {"kind": "fault", "note": judgement.judge_note[:500]}
        elif unstable:
            item.outcome, item.chosen = Outcome.UNSTABLE, False
        else:
            item.outcome = Outcome.SAME if before == after else Outcome.CHANGED
        if item.outcome in (Outcome.CHANGED, Outcome.UNSTABLE):
            old, new = self._data(base.version_id), self._data(judgement.version_id)
            same_check = self._same_check(base, judgement)
            item.cause = (
                {"kind": "judge"}
                if before.verdict == Verdict.JUDGE_ERROR
                else cause(rows, written, old, new, same_check=same_check)
            )
        return Done(item=item, judgement=judgement, rows=written)

    def _same_check(self, base: Judgement, judgement: Judgement) -> bool:
        if base.version_id == judgement.version_id:
            return True
        old = Version.objects.select_related("problem").get(pk=base.version_id)
        one, other = self.shelf.of(old)[0], self.shelf.opened[judgement.version_id][0]
        return (checker_key(one), static_key(one)) == (checker_key(other), static_key(other))

    def _data(self, version: int) -> CaseData:
        if version not in self.data:
            cases = Version.objects.get(pk=version).cases.values_list("name", "input", "answer")
            self.data[version] = {name: (given, answer) for name, given, answer in cases}
        return self.data[version]


def _judgement(submission: int, version: Version, job: Job, steps: Steps) -> Judgement:
    now = timezone.now()
    compiled = steps.compiled
    return Judgement(
        submission_id=submission,
        version=version,
        purpose=Purpose.REGRADE,
        state=State.DONE,
        started=now,
        finished=now,
        attempt=1,
        time_factor=job.time_factor,
        compiled=compiled.verdict is None,
        compile_log=compiled.log,
        toolchain=storable(compiled.toolchain, 255),
        basis=basis_of(job, compiled),
        **report_columns(steps.report),
    )


def shaky(job: Job, before: Sequence[CaseResult], steps: Steps, *, same_limits: bool) -> frozenset[str]:
    """Cases that were run and whose verdict is another one by time or memory, near a limit or under the same limits."""
    known = {row.name: row.verdict for row in before if row.verdict}
    allowed = allowance_of(job.package.limits, time_factor=job.time_factor)
    found = set()
    for one in steps.cases:
        was = known.get(one.name)
        if was is None or one.verdict is None or one.work is not Work.RUN or was == one.verdict:
            continue
        if not _LIMITS & {Verdict(was), one.verdict}:
            continue
        by_time = NEAR <= one.cpu_seconds / allowed.cpu_seconds <= LEEWAY
        by_memory = one.memory_bytes >= NEAR * allowed.memory_bytes
        if same_limits or by_time or by_memory:
            found.add(one.name)
    return frozenset(found)


def _but(steps: Steps, job: Job, past: Past | None, shaky: frozenset[str]) -> Past:
    """What was just found out, but for those cases."""

    def bytes_of(index: int, stream: str) -> bytes:
        one = steps.cases[index]
        if one.past is not None and past is not None:
            kept: bytes = getattr(past, stream)(one.past)
            return kept
        content: bytes = getattr(one, "stderr" if stream == "stderr" else "output")
        return content

    known: list[Any] = [replace(one, origin=None) if one.name in shaky else one for one in steps.cases]
    return Past(
        tools=steps.compiled.tools,
        same_host=True,
        allowance=allowance_of(job.package.limits, time_factor=job.time_factor),
        compiled=steps.compiled,
        results=[replace(one, output=b"", stderr=b"") for one in known],
        output=lambda index: bytes_of(index, "output"),
        stderr=lambda index: bytes_of(index, "stderr"),
    )
