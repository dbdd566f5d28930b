"""What one reader may see of the feedback on a submission: the one place that decides it, for pages and the API.

Facts, not yet put into words. What an assignment keeps back from its students is not there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils import timezone

from judge.assignments.feedback import Setting
from judge.assignments.feedback import shows as assignment_shows
from judge.assignments.models import Kind
from judge.assignments.queries import feedback_setting
from judge.blobs.store import BlobMissing
from judge.blobs.versions import VersionUnreadable, package_of
from judge.feedback import queries
from judge.feedback.actions import SEARCHED
from judge.feedback.ladder import FeedbackSettings, Ladder, Rung, Standing, When, ladder
from judge.feedback.models import Search
from judge.feedback.queries import Changes
from judge.grading.feedback.compile_errors import Explained, explain_compile_error
from judge.grading.feedback.crash import crash_of
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.permissions import Viewer, may_see_secret_data, may_see_work_of
from judge.submissions.models import Judgement, Submission
from judge.submissions.queries import course_of
from judge.submissions.text import shown as shown_text
from problems.models import Version
from problems.package.model import Package, Way

KINDS = {
    Rung.KIND: Kind.WHAT_HAPPENED,
    Rung.PROPERTY: Kind.COUNTEREXAMPLE,
    Rung.HINT: Kind.BEHAVES_LIKE,
    Rung.COUNTEREXAMPLE: Kind.COUNTEREXAMPLE,
    Rung.REPLAY: Kind.REPLAY,
}
"""Rung -> what an instructor sets for it."""
LOOKED = ("tried", "of", "wrong", "smallest", "spent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Crashed:
    """How a program ended itself; `file` and `line` as the compiler or interpreter calls them."""

    kind: str
    file: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The feedback of one submission, as far as the reader may see it. What is closed or not there is empty."""

    ladder: Ladder = field(default_factory=lambda: Ladder(open=frozenset({Rung.VERDICT})))
    waiting: bool = False
    """More will come."""
    version: Version | None = None
    """Against which it was looked for; None: nothing was."""
    verdict: str = ""
    """What the submission got, where a counterexample is shown."""
    looked: Mapping[str, Any] = field(default_factory=dict)
    """How many inputs were tried, of how many, and how it ended."""
    over: bool = False
    """Whether the search has come to its end and the reader may know."""
    counterexample: Mapping[str, Any] | None = None
    """As `judge.feedback.findings` keeps it; without what the checker said when that rung is closed."""
    differs: bool = False
    """Whether expected and got may be shown line beside line."""
    replay: str = ""
    """The command whose trace shows what should happen on the counterexample."""
    drawn: Mapping[str, Any] = field(default_factory=dict)
    """The pictures of it, by whose output they show."""
    staff: bool = False
    """Whether the reader sees what is for judges alone."""
    crash: Crashed | None = None
    """Of a case; that of the counterexample stands in the counterexample."""
    hints: Mapping[str, Path] = field(default_factory=dict)
    """Language -> the file with what its author says of the known mistake."""
    like: Mapping[str, Any] = field(default_factory=dict)
    """What the likeness rests on, as `judge.feedback.findings` keeps it."""
    direction: Mapping[str, Any] | None = None
    """Which way all its wrong outputs differ from the right ones."""
    meaning: Mapping[str, Path] = field(default_factory=dict)
    """Language -> the file with what its author says of that way; empty where the mistake is known."""
    growth: Mapping[str, Any] | None = None
    changes: Changes | None = None
    fault: Explained | None = None
    """What the compiler means."""

    @property
    def exact(self) -> bool:
        """Whether it did the same as the one with the known mistake on every input."""
        return bool(self.like.get("exact", True))


def parts(viewer: Viewer, sent: Submission) -> Parts:
    """What `viewer` may see of the feedback on `sent`; nothing for who may not see the submission."""
    judgement = sent.effective.judgement
    if not judgement.over or not may_see_work_of(viewer, sent.author_id, course_of(sent)):
        return Parts()
    if judgement.verdict == Verdict.COMPILE_ERROR:
        code = LANGUAGES[sent.language].code if sent.language in LANGUAGES else ""
        return Parts(fault=explain_compile_error(shown_text(judgement.compile_log), code))
    staff = may_see_secret_data(viewer, sent.problem, course_of(sent))
    setting = None if staff else feedback_setting(sent.author, sent.problem_id, sent.assignment)
    failed = judgement.verdict != Verdict.ACCEPTED

    def shows(kind: Kind) -> bool:
        """Parts that are no rung of the ladder."""
        return assignment_shows(setting, kind, failed=failed, now=timezone.now())

    open_now = _ladder(sent, judgement, setting, staff=staff)
    waiting = queries.unfinished(sent, judgement)
    changes = queries.changes(viewer, sent, judgement) if shows(Kind.CHANGES) else None
    row = queries.search_of(viewer, sent, judgement)
    if row is None:
        crash = _crash_of_note(judgement.note) if Rung.KIND in open_now else None
        return Parts(ladder=open_now, waiting=waiting, changes=changes, crash=crash)
    found = row.result.get("counterexample", {})
    looks = Rung.COUNTEREXAMPLE in open_now
    there = bool(found.get("found")) and looks
    plays = there and Rung.REPLAY in open_now
    hints = _hints(row) if Rung.HINT in open_now else {}
    direction = row.result.get("direction")
    meaning = _meaning(row, direction) if direction and not row.mutant and Rung.HINT in open_now else {}
    return Parts(
        ladder=open_now,
        waiting=waiting,
        changes=changes,
        version=row.version,
        verdict=judgement.verdict if there else "",
        looked={name: found[name] for name in LOOKED} if found and looks else {},
        over=row.over and looks,
        counterexample=(found if Rung.PROPERTY in open_now else {**found, "said": ""}) if there else None,
        differs=there and shows(Kind.DIFFERENCE),
        replay=row.result.get("replay", "") if plays else "",
        drawn=row.result.get("pictures", {}) if plays else {},
        staff=staff,
        crash=_crash_of_case(row, judgement) if not there and Rung.KIND in open_now else None,
        hints=hints,
        like=row.result.get("like", {}) if hints else {},
        direction=direction if there or meaning else None,
        meaning=meaning,
        growth=row.result.get("growth") if shows(Kind.COST) else None,
    )


def _ladder(sent: Submission, judgement: Judgement, setting: Setting | None, *, staff: bool) -> Ladder:
    if staff:
        return Ladder(open=frozenset(Rung))
    failures, first = queries.failures(sent)
    settings, deadline = FeedbackSettings(), None
    if setting is not None:  # practice shows everything on a failure
        settings = FeedbackSettings(when={rung: When(setting.when[kind].value) for rung, kind in KINDS.items()})
        deadline = setting.closes
    failed = judgement.verdict in SEARCHED
    standing = Standing(failed=failed, failures=failures, first_failure=first, now=timezone.now(), deadline=deadline)
    return ladder(settings, standing)


def _crash_of_case(row: Search, judgement: Judgement) -> Crashed | None:
    crash = row.result.get("case_crash")
    if not crash:
        return _crash_of_note(judgement.note)
    return Crashed(kind=crash["kind"], file=crash["file"], line=crash["line"])


def _crash_of_note(note: str) -> Crashed | None:
    crashed = crash_of(note)
    return None if crashed is None else Crashed(kind=crashed.kind.value, file=crashed.file, line=crashed.line)


def _hints(row: Search) -> Mapping[str, Path]:
    package = _package(row) if row.mutant else None
    return next((one.hints for one in package.mutants if one.name == row.mutant), {}) if package else {}


def _meaning(row: Search, direction: Mapping[str, Any]) -> Mapping[str, Path]:
    """Numbers that are all wrong by the same were counted wrongly, which is no matter of the problem."""
    package = _package(row) if not 0 < direction["least"] == direction["most"] else None
    return package.feedback.meaning(Way(direction["way"]), direction["line"]) if package else {}


def _package(row: Search) -> Package | None:
    try:
        return package_of(row.version)
    except (BlobMissing, VersionUnreadable):
        return None
