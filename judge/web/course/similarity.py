"""Programs that are alike, side by side: evidence to look at, for the staff of the course."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from judge.assignments.models import AssignmentProblem
from judge.blobs import store
from judge.grades.actions import GIVEN, compare
from judge.people.models import Course
from judge.people.permissions import may_archive
from judge.people.refusal import Refused
from judge.submissions import queries
from judge.submissions.models import State, Submission
from judge.submissions.text import as_text, shown
from judge.web.course.frame import at_course, frame, reader, staff
from judge.web.course.statistics import entry_of
from judge.web.words import title_of

WHOLE = [[[0, 0, 1 << 30]] * 2]
"""The first files of two programs that are the same from end to end, as one part."""
OUTPUT_BYTES = 400
"""What is shown of an output that both have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two programs: who sent it, and its files with the marked parts."""

    sent: Submission
    share: int
    files: Sequence[tuple[str, SafeString]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Two programs in the list."""

    one: Submission
    other: Submission
    one_more: int
    """People who sent the same to the token, beside the one named."""
    other_more: int
    shares: tuple[int, int]
    """Per cent of each that stands in the other."""
    outputs: int

    @property
    def width(self) -> str:
        return f"{sum(self.shares) / 2:.0f}%"


@at_course(staff)
@require_http_methods(["GET", "HEAD", "POST"])
def similarity(request: HttpRequest, course: Course, entry: int) -> HttpResponse:
    """The newest report. POST, for instructors: have one made."""
    asked = _entry(course, entry)
    if request.method == "POST":
        if not may_archive(request.user, course):
            raise Http404
        try:
            compare(reader(request), asked, request.POST.get("given", ""))
            messages.success(request, _("The programs are being compared. Look again in a while."))
        except Refused as refusal:
            messages.error(request, refusal.message)
        return redirect("similarity", slug=course.slug, entry=entry)
    found = list(asked.comparisons.select_related("asked_by").order_by("-pk")[:2])
    made = next((one for one in found if one.state == State.DONE), None)
    result = made.result if made else {}
    sent = _submissions(request, asked, _numbers(result))
    groups = [[sent[one] for one in group if one in sent] for group in result.get("groups", ())]
    context = {
        **frame(request, course, "grades"),
        "entry": asked,
        "title": title_of(asked.problem.slug, asked.problem.live),
        "made": made,
        "waiting": bool(found) and found[0].state in (State.QUEUED, State.RUNNING),
        "failed": bool(found) and found[0].state == State.ABANDONED,
        "rows": list(_rows(result, sent)),
        "groups": [group for group in groups if len(group) > 1],
        "left_out": result.get("left_out", {}),
        "asks": may_archive(request.user, course) and course.archived is None,
        "longest": GIVEN,
        "given": found[0].given if found else "",
    }
    return render(request, "course/similarity.html", context)


@at_course(staff)
@require_safe
def pair(request: HttpRequest, course: Course, entry: int, one: int, other: int) -> HttpResponse:
    """Two programs of the newest report, side by side."""
    asked = _entry(course, entry)
    made = asked.comparisons.filter(state=State.DONE).order_by("-pk").first()
    pairs = made.result["pairs"] if made else []
    found = next((each for each in pairs if (each["one"], each["other"]) == (one, other)), None)
    alike = made is not None and any(group[0] == one and other in group[1:] for group in made.result["groups"])
    if found is None and alike:
        found = {"one": one, "other": other, "shares": (1, 1), "parts": WHOLE, "outputs": []}
    sent = _submissions(request, asked, _numbers({"pairs": [found]})) if found else {}
    if found is None or one not in sent or other not in sent:
        raise Http404
    shares, parts = _per_cent(found["shares"]), found["parts"]
    names = ("one", "other")
    context = {
        **frame(request, course, "grades"),
        "entry": asked,
        "title": title_of(asked.problem.slug, asked.problem.live),
        "made": made,
        "sides": [
            Side(sent=sent[pk], share=shares[at], files=list(_files(sent[pk], [each[at] for each in parts], names[at])))
            for at, pk in enumerate((one, other))
        ],
        "parts": len(parts),
        "outputs": [
            {**each, "text": _beginning(each["digest"]), "one": sent.get(each["one"]), "other": sent.get(each["other"])}
            for each in found["outputs"]
        ],
        "outputs_in_all": found.get("outputs_in_all", 0),
    }
    return render(request, "course/pair.html", context)


def _entry(course: Course, pk: int) -> AssignmentProblem:
    found = entry_of(course, pk)
    if found is None:
        raise Http404
    return found


def _numbers(result: Mapping[str, Any]) -> set[int]:
    """Every submission that a report names."""
    pairs = result.get("pairs", ())
    found = {pair[side] for pair in pairs for side in ("one", "other")}
    found |= {each[side] for pair in pairs for each in pair["outputs"] for side in ("one", "other")}
    return found | {one for group in result.get("groups", ()) for one in group}


def _submissions(request: HttpRequest, entry: AssignmentProblem, numbers: Iterable[int]) -> dict[int, Submission]:
    """Those that the reader may see, and that were sent for this very problem of the course."""
    found = queries.submissions(request.user, problem=entry.problem).filter(assignment=entry.assignment_id)
    return {one.pk: one for one in found.filter(pk__in=numbers)}


def _rows(result: Mapping[str, Any], sent: Mapping[int, Submission]) -> Iterator[Row]:
    same = {group[0]: len(group) - 1 for group in result.get("groups", ())}
    for found in result.get("pairs", ()):
        one, other = sent.get(found["one"]), sent.get(found["other"])
        if one is not None and other is not None:
            yield Row(
                one=one,
                other=other,
                one_more=same.get(one.pk, 0),
                other_more=same.get(other.pk, 0),
                shares=_per_cent(found["shares"]),
                outputs=found.get("outputs_in_all", 0),
            )


def _per_cent(shares: Sequence[float]) -> tuple[int, int]:
    one, other = shares
    return round(100 * one), round(100 * other)


def _files(sent: Submission, parts: Sequence[tuple[int, int, int]], side: str) -> Iterator[tuple[str, SafeString]]:
    for number, file in enumerate(sent.files):
        text = as_text(store.get(file["digest"]))
        here = [(start, end, at) for at, (which, start, end) in enumerate(parts, 1) if which == number]
        yield file["name"], marked(text, here, side)


def marked(text: str, parts: Iterable[tuple[int, int, int]], side: str) -> SafeString:
    """The text as HTML, with its parts (start, end, number) marked; each leads to the same part on the other side."""
    opposite = "other" if side == "one" else "one"
    pieces: list[tuple[SafeString | str]] = []
    at = 0
    for start, end, number in sorted(parts, key=lambda part: (part[0], -part[1])):
        begin = max(start, at)
        if begin >= end:
            continue
        pieces.append((text[at:begin],))
        link = format_html(
            '<a class="part-number" id="{}-{}" href="#{}-{}">{}</a>', side, number, opposite, number, number
        )
        pieces.append((format_html('<mark class="part">{}{}</mark>', link, text[begin:end]),))
        at = end
    pieces.append((text[at:],))
    return format_html_join("", "{}", pieces)


def _beginning(digest: str) -> str:
    try:
        content = store.get(digest)
    except store.BlobMissing:
        return ""
    return shown(content[:OUTPUT_BYTES]) + ("…" if len(content) > OUTPUT_BYTES else "")
