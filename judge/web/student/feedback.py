"""What a submission's page tells beyond the verdict: a failing input, a known mistake, what changed, how time grows."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.blobs.store import BlobMissing
from judge.blobs.versions import VersionUnreadable, package_of
from judge.feedback.ladder import Ladder, Rung
from judge.feedback.parts import Crashed, Parts, parts
from judge.feedback.queries import Changes
from judge.grading.feedback.compile_errors import Explained, Fault
from judge.grading.feedback.crash import Crash
from judge.grading.feedback.mistake import Mistake
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.permissions import Viewer
from judge.submissions.models import Submission
from judge.submissions.queries import sources
from judge.web.difference import Row, difference
from judge.web.lesson.figure import Figure, figure
from judge.web.student.drawn import Picture, pictures_of
from judge.web.student.feedback_words import CRASHES, FAULTS, MISTAKES
from judge.web.student.known import direction, growth, hint, likeness, scarce
from judge.web.student.own_name import with_own_name
from judge.web.told import grouped, tell
from problems.models import Version
from problems.package.lesson import Command, TraceBlock

CODE_LINES = 80
"""Lines of the code difference that are shown."""
AROUND = 2
CODE_CHARACTERS = 200
"""Of a line that is quoted."""
_WORDS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line of the reader's program."""

    file: int
    line: int
    code: str = ""
    """What stands there, cut short; empty where it cannot be read."""


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
    code: Sequence[CodeLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The feedback of one submission, for one reader. Empty parts are not shown."""

    waiting: bool = False
    """More will come."""
    looked: str = ""
    """What was looked through, and how it ended."""
    heading: str = ""
    counterexample: Mapping[str, Any] | None = None
    all_wrong: Sequence[str] = ()
    """All small inputs that it gets wrong, where there are several and few."""
    common: str = ""
    """What nearly all that it gets wrong have in common, where they are many."""
    direction: str = ""
    """Which way all that it gets wrong is wrong."""
    happened: Sentence | None = None
    said: str = ""
    replay: bool = False
    """What should happen on it can be played."""
    pictures: Sequence[Picture] = ()
    """Of the counterexample, by the problem's own visualizer."""
    rows: Sequence[Row] = field(default_factory=tuple)
    """Expected and got; empty: both stand beside each other."""
    right: str = ""
    """How a right output is called: where the package has a checker of its own, others may be right as well."""
    case_crash: Sentence | None = None
    hint: SafeString | None = None
    exact: bool = True
    likeness: str = ""
    """What the hint rests on."""
    meaning: SafeString | None = None
    """What it means to be wrong this way, by the author."""
    searching: bool = False
    """A known mistake is still being looked for, while the counterexample is there."""
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
        return Rung.HINT if self.hint or self.meaning else Rung.KIND if self.case_crash else Rung.VERDICT

    @property
    def any(self) -> bool:
        """Whether there is anything to show."""
        return any(
            (
                *(self.waiting, self.looked, self.case_crash, self.hint, self.meaning),
                *(self.growth, self.compile, self.next),
            )
        )


def feedback(viewer: Viewer, sent: Submission) -> Shown:
    """What the reader may see of the feedback on `sent`, in words."""
    return _told(viewer, sent, parts(viewer, sent))


def _told(viewer: Viewer, sent: Submission, seen: Parts) -> Shown:
    names = [file["name"] for file in sent.files]
    if seen.fault is not None:
        return Shown(compile=_compile_error(seen.fault, sent.language, names))
    found = seen.counterexample
    return Shown(
        waiting=seen.waiting,
        looked=" ".join(filter(None, (_looked(seen), _another(seen)))),
        heading=_heading(found) if found else "",
        counterexample={**found, "stderr": with_own_name(found.get("stderr", ""), sent)} if found else None,
        happened=_quoted(viewer, sent, _happened(found, names, sent.language, known=bool(seen.hints)))
        if found
        else None,
        said=tell(found.get("said", ""), seen.version) if found else "",
        rows=_rows(found) if found and seen.differs else (),
        all_wrong=_all_wrong(found) if found else (),
        common=_common(found) if found else "",
        direction=direction(seen.direction) if seen.direction and (seen.meaning or seen.direction["wrong"] > 1) else "",
        right=_right(seen.version) if found else "",
        replay=bool(seen.replay),
        pictures=pictures_of(seen.drawn, staff=seen.staff),
        case_crash=_quoted(viewer, sent, _crashed(seen.crash, names, sent.language)) if seen.crash else None,
        hint=hint(seen.hints),
        meaning=hint(seen.meaning),
        exact=seen.exact and not scarce(seen.like),
        likeness=likeness(seen.like),
        searching=seen.waiting and bool(found) and not seen.hints and Rung.HINT in seen.ladder,
        growth=growth(seen.growth),
        change=_change(viewer, sent, seen.changes) if seen.changes else None,
        next=_next(seen.ladder),
    )


def _next(open_now: Ladder) -> str:
    if open_now.next is None:
        return ""
    if open_now.attempts is not None:
        return ngettext(
            "The next hint opens after %(n)d more attempt.", "The next hint opens after %(n)d more attempts.",
            open_now.attempts,
        ) % {"n": open_now.attempts}  # fmt: skip
    return _("The next hint opens later.")


def replay(viewer: Viewer, sent: Submission) -> tuple[Shown, Figure] | None:
    """The feedback, and what should happen on its counterexample, to be played; None when there is nothing to play."""
    seen = parts(viewer, sent)
    if seen.version is None or not seen.replay:
        return None
    command = Command.of_text(seen.replay)
    block = TraceBlock(line=0, runs=(command,), titles=("",), caption=_("What should happen on this input"), last=True)
    made = figure(viewer, seen.version, package_of(seen.version), block=block, number=1, values={})
    return (_told(viewer, sent, seen), made) if made.shows else None


# The counterexample ---------------------------------------------------------------------------------------------------


def _heading(found: Mapping[str, Any]) -> str:
    if found["verdict"] != Verdict.WRONG_ANSWER:
        if found["smallest"]:
            return _("The smallest input found on which your program fails")
        return _("A small input on which your program fails")
    if found["smallest"]:
        return _("The smallest input your program gets wrong that can be shown")
    return _("A small input your program gets wrong")


def _looked(seen: Parts) -> str:
    found = seen.looked
    if not found:
        return "" if not seen.over else _("No other input could be tried for this problem.")
    if seen.counterexample is None:
        if not found["of"]:
            return _("This problem has no small inputs to try your program on.")
        text = _("%(tried)d of %(of)d small inputs were tried. No small input showed it.") % found
        if found["spent"]:
            return text + " " + _("The time for it was used up.")
        return text + " " + _("So it takes a larger input, or a rare one: look at what the cases that fail ask for.")
    if found["wrong"] and found["wrong"] == found["of"] > 1:
        text = _(
            "All %(of)s small inputs were run: yours is wrong on all of them, and this is the first that can be shown."
        )
        return text % {"of": grouped(found["of"])} + " " + _("It is no secret case.")
    if found["wrong"]:
        return ngettext(
            "All %(of)s small inputs were run: yours is wrong on %(wrong)s of them. This is no secret case.",
            "All %(of)s small inputs were run: yours is wrong on %(wrong)s of them, and this is the first that can "
            "be shown. It is no secret case.",
            found["wrong"],
        ) % {"of": grouped(found["of"]), "wrong": grouped(found["wrong"])}
    if found["smallest"]:
        return (
            _("Of %(of)d small inputs, smallest first, this is the first that can be shown. It is no secret case.")
            % found
        )
    return _("It was made smaller for as long as it still shows the mistake. It is no secret case.")


def _another(seen: Parts) -> str:
    """A word for who is shown another mistake than the one that the cases met."""
    shown = seen.counterexample["verdict"] if seen.counterexample else ""
    if (
        not (shown and seen.verdict)
        or shown == seen.verdict
        or {shown, seen.verdict} <= {Verdict.TIME_LIMIT_EXCEEDED, Verdict.MEMORY_LIMIT_EXCEEDED}
    ):
        return ""
    return _("It fails in another way than the case that decided the verdict: there may be two mistakes.")


def _happened(found: Mapping[str, Any], names: Sequence[str], language: str, *, known: bool) -> Sentence:
    """`known`: a known mistake is shown; a guess beside it would lead away from it."""
    crash = found.get("crash")
    if crash:
        return _crashed(Crashed(kind=crash["kind"], file=crash["file"], line=crash["line"]), names, language)
    match Verdict(found["verdict"]):
        case Verdict.WRONG_ANSWER:
            mistake = MISTAKES[Mistake(found["mistake"])] if found["mistake"] and not known else ""
            return Sentence(text=str(mistake) or ("" if found["said"] else _("The output is not right.")))
        case Verdict.TIME_LIMIT_EXCEEDED:
            return Sentence(text=_waited() if found.get("waited") else _too_slow())
        case Verdict.MEMORY_LIMIT_EXCEEDED:
            return Sentence(text=_("Your program takes all the memory there is. Does something grow without end?"))
        case Verdict.OUTPUT_LIMIT_EXCEEDED:
            return Sentence(text=_("Your program prints without end."))
        case _:
            return Sentence(text=_("Your program crashes here."))


def _waited() -> str:
    return _(
        "Your program computes next to nothing and does not come to its end here. It waits for input that never comes, "
        "or it sleeps."
    )


def _too_slow() -> str:
    return _(
        "Your program is still computing when its time is used up: it is too slow here. Either it does far more work "
        "than is needed, or a loop never ends."
    )


def _crashed(crash: Crashed, names: Sequence[str], language: str) -> Sentence:
    text = str(CRASHES[Crash(crash.kind)])
    if crash.kind == Crash.STACK and language.startswith("python"):
        text += " " + _("Python allows about 1000 calls inside one another, if the program does not set another limit.")
    return Sentence(text=text, place=_place(crash.file, crash.line, names))


def _place(file: str, line: int | None, names: Sequence[str]) -> Place | None:
    """The line as the page numbers it. A lone file may have been given another name for the compiler."""
    if line is None:
        return None
    bare = [name.rpartition("/")[2] for name in names]
    at = bare.index(file) if file in bare else 0 if len(names) == 1 else None
    return Place(file=at, line=line) if at is not None else None


def _quoted(viewer: Viewer, sent: Submission, sentence: Sentence) -> Sentence:
    """The sentence with the line of the program that it speaks of."""
    place = sentence.place
    if place is None or place.line < 1:
        return sentence
    try:
        content = list(sources(viewer, sent).values())[place.file]
    except (BlobMissing, IndexError):
        return sentence
    lines = content.decode("utf-8", "replace").split("\n", place.line)
    code = lines[place.line - 1].strip() if place.line <= len(lines) else ""
    return replace(sentence, place=replace(place, code=code[:CODE_CHARACTERS] + "…" * (len(code) > CODE_CHARACTERS)))


def _all_wrong(found: Mapping[str, Any]) -> Sequence[str]:
    listed = [text.strip() for text in found.get("all_wrong", ())]
    return listed if len(listed) > 1 else ()


def _common(found: Mapping[str, Any]) -> str:
    one = found.get("common")
    if not one:
        return ""
    values = {name: one[name] for name in ("word", "character", "other", "value")} | {
        "n": grouped(one["wrong"]),
        "wrong": grouped(found["wrong"]),
        "m": grouped(one["elsewhere"]),
        "rest": grouped(found["of"] - found["wrong"]),
    }
    if one["character"]:
        told = _(
            "With “%(value)s” as character %(character)s of word %(word)s: %(n)s of the %(wrong)s that it gets wrong, "
            "and %(m)s of the %(rest)s others."
        )
    else:
        told = _(
            "With words %(word)s and %(other)s the same: %(n)s of the %(wrong)s that it gets wrong, and %(m)s of the "
            "%(rest)s others."
        )
    return told % values


def _right(version: Version | None) -> str:
    try:
        package = package_of(version) if version is not None else None
    except (BlobMissing, VersionUnreadable):
        package = None
    if package is None:
        return _("A right output")
    return _("The right output") if package.one_right else _("One right output")


def _rows(found: Mapping[str, Any]) -> Sequence[Row]:
    """The lines that differ, where at least half of the words are as in the right output."""
    if found["verdict"] != Verdict.WRONG_ANSWER or not found["output"].strip():
        return ()
    right, mine = _WORDS.findall(found["answer"])[:2000], _WORDS.findall(found["output"])[:2000]
    same = sum(one == other for one, other in zip(right, mine, strict=False))
    if 2 * same < max(len(right), len(mine)):
        return ()
    return difference(found["answer"], found["output"])


# Compilers -----------------------------------------------------------------------------------------------------------


def _compile_error(explained: Explained, language: str, names: Sequence[str]) -> Sentence:
    more = explained.more
    if explained.fault == Fault.HEADER:
        java = language in LANGUAGES and LANGUAGES[language].code == "java"
        more = f"import {more};" if java else f"#include <{more}>"
    text = str(FAULTS[explained.fault]) % {"name": explained.name, "more": more}
    return Sentence(text=text, place=_place(explained.file, explained.line, names))


# What changed ---------------------------------------------------------------------------------------------------------


def _change(viewer: Viewer, sent: Submission, found: Changes) -> Change:
    return Change(
        before=found.before,
        fixed=_numbers(found.fixed),
        broken=_numbers(found.broken),
        still=_numbers(found.still),
        code=code_lines(_text(viewer, found.before), _text(viewer, sent)),
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
