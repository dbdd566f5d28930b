"""What a submission's page tells beyond the verdict: a failing input, a known mistake, what changed, how time grows."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.assignments.feedback import shows as assignment_shows
from judge.assignments.models import USUAL, Kind
from judge.assignments.queries import rules_for
from judge.blobs.store import BlobMissing
from judge.blobs.versions import VersionUnreadable, package_of
from judge.feedback import queries
from judge.feedback.actions import SEARCHED
from judge.feedback.ladder import FeedbackSettings, Ladder, Rung, Standing, When, ladder
from judge.feedback.models import Search
from judge.grading.feedback.compile_errors import Fault, explain_compile_error
from judge.grading.feedback.crash import Crash, crash_of
from judge.grading.feedback.mistake import Mistake
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.permissions import Viewer, may_see_secret_data
from judge.submissions.models import Judgement, Submission
from judge.submissions.queries import course_of, sources
from judge.web.difference import Row, difference
from judge.web.lesson.figure import Figure, figure
from judge.web.statement import render
from judge.web.student.drawn import Picture, pictures_of
from judge.web.student.feedback_words import CRASHES, FAULTS, MISTAKES
from judge.web.told import figure as figure_of
from judge.web.told import tell
from judge.web.tongue import best
from problems.models import Version
from problems.package.lesson import Command, TraceBlock

CODE_LINES = 80
"""Lines of the code difference that are shown."""
AROUND = 2
PARTS = {
    Rung.KIND: Kind.WHAT_HAPPENED,
    Rung.PROPERTY: Kind.COUNTEREXAMPLE,
    Rung.HINT: Kind.BEHAVES_LIKE,
    Rung.COUNTEREXAMPLE: Kind.COUNTEREXAMPLE,
    Rung.REPLAY: Kind.REPLAY,
}
"""Rung -> what an instructor sets for it."""
_WORDS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line of the reader's program."""

    file: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """What happened, and where."""

    text: str
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLine:
    """A line of the code difference: `same`, `del`, `add`, or `gap` for lines left out."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is different from the attempt before."""

    before: Submission
    fixed: str
    broken: str
    still: str
    code: Sequence[CodeLine] | None
    """None: it is in another language now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The feedback of one submission, for one reader. Empty parts are not shown."""

    waiting: bool = False
    """More will come."""
    looked: str = ""
    """What was looked through, and how it ended."""
    heading: str = ""
    counterexample: Mapping[str, Any] | None = None
    happened: Sentence | None = None
    said: str = ""
    replay: bool = False
    """What should happen on it can be played."""
    pictures: Sequence[Picture] = ()
    """Of the counterexample, by the problem's own visualizer."""
    rows: Sequence[Row] = field(default_factory=tuple)
    """Expected and got; empty: both stand beside each other."""
    case_crash: Sentence | None = None
    hint: SafeString | None = None
    exact: bool = True
    growth: str = ""
    compile: Sentence | None = None
    change: Change | None = None
    next: str = ""
    """How the next rung of the ladder opens."""

    @property
    def rung(self) -> Rung:
        """The highest that is shown; a replay that may be played is none yet."""
        if self.pictures:
            return Rung.REPLAY
        if self.counterexample:
            return Rung.COUNTEREXAMPLE
        return Rung.HINT if self.hint else Rung.KIND if self.case_crash else Rung.VERDICT

    @property
    def any(self) -> bool:
        """Whether there is anything to show."""
        return bool(
            self.waiting or self.looked or self.case_crash or self.hint or self.growth or self.compile or self.next
        )


def feedback(viewer: Viewer, sent: Submission, facts: Mapping[str, Any]) -> Shown:
    """What the reader may see of the feedback on `sent`; `facts` is the snapshot of its page."""
    judgement = sent.effective.judgement
    if not judgement.over:
        return Shown()
    names = [file["name"] for file in sent.files]
    if judgement.verdict == Verdict.COMPILE_ERROR:
        return Shown(compile=_compile_error(facts["compile_log"], sent.language, names))
    open_now = _ladder(viewer, sent, judgement)
    change = _change(viewer, sent, judgement) if _shows(viewer, sent, judgement, Kind.CHANGES) else None
    row = queries.search_of(viewer, sent, judgement)
    waiting = queries.unfinished(sent, judgement)
    if row is None:
        crash = _crash_of_note(judgement.note, names) if Rung.KIND in open_now else None
        return Shown(waiting=waiting, change=change, next=_next(open_now), case_crash=crash)
    found = row.result.get("counterexample", {})
    shows = found.get("found") and Rung.COUNTEREXAMPLE in open_now
    crash = row.result.get("case_crash")
    hint = _hint(row) if Rung.HINT in open_now else None
    return Shown(
        waiting=waiting,
        looked=_looked(found, row) if Rung.COUNTEREXAMPLE in open_now else "",
        heading=_heading(found) if shows else "",
        counterexample=found if shows else None,
        happened=_happened(found, names) if shows else None,
        said=tell(found.get("said", ""), row.version) if shows and Rung.PROPERTY in open_now else "",
        rows=_rows(found) if shows and _shows(viewer, sent, judgement, Kind.DIFFERENCE) else (),
        replay=bool(shows and Rung.REPLAY in open_now and row.result.get("replay")),
        pictures=pictures_of(row.result, staff=may_see_secret_data(viewer, sent.problem, course_of(sent)))
        if shows and Rung.REPLAY in open_now
        else (),
        case_crash=None
        if shows or Rung.KIND not in open_now
        else _crashed(crash, names)
        if crash
        else _crash_of_note(judgement.note, names),
        hint=hint,
        exact=row.result.get("like", {}).get("exact", True),
        growth=_growth(row.result.get("growth")) if _shows(viewer, sent, judgement, Kind.COST) else "",
        change=change,
        next=_next(open_now),
    )


def _ladder(viewer: Viewer, sent: Submission, judgement: Judgement) -> Ladder:
    failed = judgement.verdict in SEARCHED
    if may_see_secret_data(viewer, sent.problem, course_of(sent)):
        return Ladder(open=frozenset(Rung))
    failures, first = queries.failures(sent)
    settings, deadline = FeedbackSettings(), None
    if sent.assignment is not None:  # practice shows everything on a failure
        set_here = sent.assignment.feedback
        settings = FeedbackSettings(
            when={rung: When(set_here.get(kind.value, USUAL[kind.value])) for rung, kind in PARTS.items()}
        )
        deadline = rules_for(sent.assignment, sent.author_id).closes
    standing = Standing(failed=failed, failures=failures, first_failure=first, now=timezone.now(), deadline=deadline)
    return ladder(settings, standing)


def _shows(viewer: Viewer, sent: Submission, judgement: Judgement, kind: Kind) -> bool:
    """Whether the reader sees this part, which is no rung of the ladder."""
    if sent.assignment is None or may_see_secret_data(viewer, sent.problem, course_of(sent)):
        return True
    rules = rules_for(sent.assignment, sent.author_id)
    failed = judgement.over and judgement.verdict != Verdict.ACCEPTED
    return assignment_shows(sent.assignment, rules, kind, failed=failed, now=timezone.now())


def _next(open_now: Ladder) -> str:
    if open_now.next is None:
        return ""
    if open_now.attempts is not None:
        return ngettext(
            "The next hint opens after %(n)d more attempt.", "The next hint opens after %(n)d more attempts.",
            open_now.attempts,
        ) % {"n": open_now.attempts}  # fmt: skip
    return _("The next hint opens later.")


def replay(viewer: Viewer, sent: Submission, facts: Mapping[str, Any]) -> tuple[Shown, Figure] | None:
    """The feedback, and what should happen on its counterexample, to be played; None when there is nothing to play."""
    shown = feedback(viewer, sent, facts)
    row = queries.search_of(viewer, sent, sent.effective.judgement)
    if row is None or not shown.replay:
        return None
    command = Command.of_text(row.result["replay"])
    block = TraceBlock(line=0, runs=(command,), titles=("",), caption=_("What should happen on this input"), last=True)
    made = figure(viewer, row.version, package_of(row.version), block=block, number=1, values={})
    return (shown, made) if made.shows else None


# The counterexample ---------------------------------------------------------------------------------------------------


def _heading(found: Mapping[str, Any]) -> str:
    if found["smallest"]:
        return _("The smallest input your program gets wrong")
    return _("A small input your program gets wrong")


def _looked(found: Mapping[str, Any], row: Search) -> str:
    if not found:
        return "" if not row.over else _("No other input could be tried for this problem.")
    if not found["found"]:
        if not found["of"]:
            return _("This problem has no small inputs to try your program on.")
        text = _("%(tried)d of %(of)d small inputs were tried. None that may be told shows the mistake.") % found
        if found["spent"]:
            return text + " " + _("The time for it was used up.")
        return text + " " + _("So it takes a larger input, or a rare one: look at what the cases that fail ask for.")
    if found["wrong"]:
        return (
            ngettext(
                "All %(of)d small inputs were run: yours is wrong on %(wrong)d of them. This is no secret case.",
                "All %(of)d small inputs were run: yours is wrong on %(wrong)d of them, and this is the first that can "
                "be shown. It is no secret case.",
                found["wrong"],
            )
            % found
        )
    if found["smallest"]:
        return (
            _("Of %(of)d small inputs, smallest first, this is the first that can be shown. It is no secret case.")
            % found
        )
    return _("It was made smaller for as long as it still shows the mistake. It is no secret case.")


def _happened(found: Mapping[str, Any], names: Sequence[str]) -> Sentence:
    crash = found.get("crash")
    if crash:
        return _crashed(crash, names)
    match Verdict(found["verdict"]):
        case Verdict.WRONG_ANSWER:
            mistake = MISTAKES[Mistake(found["mistake"])] if found["mistake"] else ""
            return Sentence(text=str(mistake) or ("" if found["said"] else _("The output is not right.")))
        case Verdict.TIME_LIMIT_EXCEEDED:
            return Sentence(
                text=_(
                    "Your program does not come to its end here. A loop may never end, or it waits for input that "
                    "never comes."
                )
            )
        case Verdict.MEMORY_LIMIT_EXCEEDED:
            return Sentence(text=_("Your program takes all the memory there is. Does something grow without end?"))
        case Verdict.OUTPUT_LIMIT_EXCEEDED:
            return Sentence(text=_("Your program prints without end."))
        case _:
            return Sentence(text=_("Your program crashes here."))


def _crashed(crash: Mapping[str, Any], names: Sequence[str]) -> Sentence:
    return Sentence(text=str(CRASHES[Crash(crash["kind"])]), place=_place(crash["file"], crash["line"], names))


def _crash_of_note(note: str, names: Sequence[str]) -> Sentence | None:
    crashed = crash_of(note)
    if crashed is None:
        return None
    return Sentence(text=str(CRASHES[crashed.kind]), place=_place(crashed.file, crashed.line, names))


def _place(file: str, line: int | None, names: Sequence[str]) -> Place | None:
    """The line as the page numbers it. A lone file may have been given another name for the compiler."""
    if line is None:
        return None
    bare = [name.rpartition("/")[2] for name in names]
    at = bare.index(file) if file in bare else 0 if len(names) == 1 else None
    return Place(file=at, line=line) if at is not None else None


def _rows(found: Mapping[str, Any]) -> Sequence[Row]:
    """The lines that differ, where at least half of the words are as in the right output."""
    if found["verdict"] != Verdict.WRONG_ANSWER or not found["output"].strip():
        return ()
    right, mine = _WORDS.findall(found["answer"])[:2000], _WORDS.findall(found["output"])[:2000]
    same = sum(one == other for one, other in zip(right, mine, strict=False))
    if 2 * same < max(len(right), len(mine)):
        return ()
    return difference(found["answer"], found["output"])


# Mistakes that are known, time, compilers -----------------------------------------------------------------------------


def _hint(row: Search) -> SafeString | None:
    if not row.mutant:
        return None
    return hint_of(row.version, row.mutant)


def hint_of(version: Version, mutant: str) -> SafeString | None:
    """The hint of a mutant in the reader's language, else in English, else in any."""
    try:
        package = package_of(version)
    except (BlobMissing, VersionUnreadable):
        return None
    hints = next((one.hints for one in package.mutants if one.name == mutant), None)
    if not hints:
        return None
    return _rendered(hints[best(hints) or next(iter(hints))])


@lru_cache(maxsize=256)
def _rendered(path: Path) -> SafeString:
    return render(path.read_text(encoding="utf-8"), constants={}, samples=(), image_address=lambda _name: None)


def _growth(found: Mapping[str, Any] | None) -> str:
    if not found:
        return ""
    parts = []
    if found["exponent"]:
        exponent, low, high = found["exponent"]
        text = _("The time of your program grows about as n^%(e)s (%(low)s to %(high)s).")
        parts.append(text % {"e": figure_of(exponent, 1), "low": figure_of(low, 1), "high": figure_of(high, 1)})
    else:
        parts.append(_("How the time of your program grows with the input cannot be told."))
    if found["expected"]:
        parts.append(_("A good solution grows as %(expected)s.") % found)
    if found["too_slow_at"]:
        text = _("With n = %(n)d it needs more time than there is.")
        parts.append(text % {"n": found["too_slow_at"]})
    return " ".join(parts)


def _compile_error(log: str, language: str, names: Sequence[str]) -> Sentence | None:
    code = LANGUAGES[language].code if language in LANGUAGES else ""
    explained = explain_compile_error(log, code)
    if explained is None:
        return None
    more = explained.more
    if explained.fault == Fault.HEADER:
        more = f"import {more};" if code == "java" else f"#include <{more}>"
    text = str(FAULTS[explained.fault]) % {"name": explained.name, "more": more}
    return Sentence(text=text, place=_place(explained.file, explained.line, names))


# What changed ---------------------------------------------------------------------------------------------------------


def _change(viewer: Viewer, sent: Submission, judgement: Judgement) -> Change | None:
    found = queries.changes(viewer, sent, judgement)
    if found is None:
        return None
    return Change(
        before=found.before,
        fixed=_numbers(found.fixed),
        broken=_numbers(found.broken),
        still=_numbers(found.still),
        code=code_lines(_text(viewer, found.before), _text(viewer, sent))
        if found.before.language == sent.language
        else None,
    )


def _numbers(positions: Sequence[int]) -> str:
    """`3, 5–9, 12`."""
    parts: list[list[int]] = []
    for position in positions:
        if parts and position == parts[-1][-1] + 1:
            parts[-1].append(position)
        else:
            parts.append([position])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in parts)


def _text(viewer: Viewer, sent: Submission) -> list[str]:
    try:
        files = sources(viewer, sent)
    except BlobMissing:
        return []
    lines: list[str] = []
    for name, content in sorted(files.items()):
        if len(files) > 1:
            lines.append(f"— {name} —")
        lines += content[: 128 << 10].decode("utf-8", "replace").splitlines()
    return lines[:4000]


def code_lines(before: Sequence[str], after: Sequence[str]) -> list[CodeLine]:
    """The lines that changed, each with two around it; empty when none did."""
    lines: list[CodeLine] = []
    for line in difflib.unified_diff(before, after, n=AROUND, lineterm=""):
        if line.startswith(("---", "+++")) and not lines:
            continue
        if line.startswith("@@"):
            if lines:
                lines.append(CodeLine(kind="gap", text="…"))
            continue
        kind = {"+": "add", "-": "del"}.get(line[:1], "same")
        lines.append(CodeLine(kind=kind, text=line[1:301]))
        if len(lines) == CODE_LINES:
            lines.append(CodeLine(kind="gap", text="…"))
            break
    return lines
