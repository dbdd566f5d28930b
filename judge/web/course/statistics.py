"""How the problems of an assignment went, in pictures, for the staff of the course."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from judge.assignments.models import AssignmentProblem
from judge.grades.statistics import MOST_ATTEMPTS, MOST_DAYS, MOST_DAYS_LATE, Statistics, statistics
from judge.grading.verdict import Verdict
from judge.people.models import Course
from judge.web.course.frame import at_course, frame, staff
from judge.web.course.pictures import Bar, Kind, Picture, spread
from judge.web.words import title_of, word_of


@at_course(staff)
@require_safe
def problem(request: HttpRequest, course: Course, entry: int) -> HttpResponse:
    """One problem in one assignment."""
    shown = entry_of(course, entry)
    if shown is None:
        raise Http404
    found = statistics(shown)
    version = shown.problem.live
    limit = float(version.facts.get("time_seconds", 1)) if version else 1.0
    context: dict[str, Any] = {
        **frame(request, course, "grades"),
        "entry": shown,
        "entries": [
            (one, title_of(one.problem.slug, one.problem.live))
            for one in shown.assignment.entries.select_related("problem__live")
        ],
        "title": title_of(shown.problem.slug, version),
        "found": found,
        "verdicts": _verdicts(found),
        "pictures": [_attempts(found), _seconds(found, limit), _days(found)],
    }
    return render(request, "course/statistics.html", context)


def entry_of(course: Course, pk: int) -> AssignmentProblem | None:
    """A problem of an assignment of the course."""
    found = AssignmentProblem.objects.select_related("assignment__course", "problem__live")
    return found.filter(assignment__course=course, pk=min(pk, 1 << 60)).first()


def _verdicts(found: Statistics) -> list[dict[str, Any]]:
    """A lying bar for each verdict."""
    most = max(found.verdicts.values(), default=1)
    return [
        {
            "verdict": verdict,
            "word": word_of(verdict),
            "number": number,
            "width": f"{100 * number / most:.2f}%",
            "share": f"{100 * number / found.programs:.0f}",
            "css": "good" if verdict == Verdict.ACCEPTED else "none" if verdict == Verdict.JUDGE_ERROR else "bad",
        }
        for verdict, number in found.verdicts.items()
    ]


def _attempts(found: Statistics) -> Picture:
    bars = [
        Bar(
            label=str(number) if number < MOST_ATTEMPTS else f"{number}+",
            says=ngettext("%(n)d attempt", "%(n)d attempts", number) % {"n": number}
            if number < MOST_ATTEMPTS
            else _("%(n)d attempts or more") % {"n": number},
            parts=(solved, unsolved),
        )
        for number, (solved, unsolved) in enumerate(zip(found.solved_after, found.unsolved_after, strict=True), start=1)
    ]
    return Picture(
        name="attempts",
        title=_("Attempts"),
        says=_("Students by their attempts up to the first accepted one; those who have none, by what they have used."),
        axis=_("attempts"),
        kinds=(Kind(label=_("solved"), css="good"), Kind(label=_("not solved"), css="open")),
        bars=bars,
    )


def _seconds(found: Statistics, limit: float) -> Picture:
    steps = 10
    counted = spread(found.seconds, limit, steps)
    edges = [limit * step / steps for step in range(steps + 1)]
    bars = [
        Bar(
            label=f"{edges[step]:g}",
            says=_("%(low)s to %(high)s s") % {"low": f"{edges[step]:g}", "high": f"{edges[step + 1]:g}"},
            parts=(counted[step],),
        )
        for step in range(steps)
    ]
    bars.append(
        Bar(
            label=f"≥{limit:g}",
            says=_("at the limit of %(limit)s s") % {"limit": f"{limit:g}"},
            parts=(counted[steps],),
        )
    )
    return Picture(
        name="seconds",
        title=_("Processor time"),
        says=_("Accepted programs by the processor time of their slowest case, in steps of a tenth of the limit."),
        axis=_("seconds and more"),
        kinds=(Kind(label=_("accepted programs"), css="good"),),
        bars=bars,
    )


def _days(found: Statistics) -> Picture:
    def words(left: int) -> tuple[str, str]:
        if left >= MOST_DAYS:
            return f"{left}+", _("%(n)d days before or more") % {"n": left}
        if left > 0:
            return str(left), ngettext("%(n)d day before", "%(n)d days before", left) % {"n": left}
        if left == 0:
            return "0", _("on the last day")
        if left > -MOST_DAYS_LATE:
            return f"−{-left}", ngettext("%(n)d day late", "%(n)d days late", -left) % {"n": -left}
        return f"−{-left}+", _("%(n)d days late or more") % {"n": -left}

    bars = []
    for left, number in found.days.items():
        label, says = words(left)
        bars.append(Bar(label=label, says=says, parts=(number, 0) if left >= 0 else (0, number)))
    return Picture(
        name="days",
        title=_("When it was sent"),
        says=_("Programs by the whole days that were left to the deadline, each student's own."),
        axis=_("days left"),
        kinds=(Kind(label=_("in time"), css="good"), Kind(label=_("late"), css="bad")),
        bars=bars,
    )
