"""The gradebook of a course, its exports, and corrections by hand."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judge.assignments.models import AssignmentProblem
from judge.grades import sheets
from judge.grades.actions import adjust
from judge.grades.gradebook import Cell, Gradebook, Line, gradebook
from judge.people.models import Course
from judge.people.permissions import may_archive
from judge.people.refusal import Refused
from judge.submissions import queries
from judge.web.course.forms import AdjustForm
from judge.web.course.frame import at_course, frame, reader, staff
from judge.web.templatetags.palfrey import points
from judge.web.words import title_of

PAGE = 100
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@at_course(staff)
@require_safe
def book(request: HttpRequest, course: Course) -> HttpResponse:
    """Students x problems, filtered by `?assignment=`, `?q=` and `?show=` (missing, late, changed)."""
    chosen = _chosen(request)
    grades = gradebook(course, assignments=chosen)
    asked, show = request.GET.get("q", "").strip()[:100], request.GET.get("show", "")
    now = timezone.now()
    lines = [line for line in grades.lines if _fits(line, asked) and _shows(grades, line, show, now)]
    context = {
        **frame(request, course, "grades"),
        "entries": [(entry, title_of(entry.problem.slug, entry.problem.live)) for entry in grades.entries],
        "page": Paginator(lines, PAGE).get_page(request.GET.get("page")),
        "all": len(grades.lines),
        "q": asked,
        "show": show,
        "assignments": course.assignments.all(),
        "chosen": chosen[0] if chosen else None,
        "counts": {
            key: sum(_shows(grades, line, key, now) for line in grades.lines) for key in ("missing", "late", "changed")
        },
    }
    return render(request, "course/grades.html", context)


@at_course(staff)
@require_safe
def export(request: HttpRequest, course: Course, kind: str) -> HttpResponse:
    """The gradebook as `csv` or `xlsx`, of one assignment with `?assignment=`."""
    grades = gradebook(course, assignments=_chosen(request))
    if kind == "csv":
        content, sort = sheets.csv_of(grades), "text/csv; charset=utf-8"
    elif kind == "xlsx":
        content, sort = sheets.xlsx_of(grades, course.slug), XLSX
    else:
        raise Http404
    response = HttpResponse(content, content_type=sort)
    response["Content-Disposition"] = f'attachment; filename="{course.slug}-grades.{kind}"'
    return response


@at_course(staff)
def cell(request: HttpRequest, course: Course, entry: int, student: int) -> HttpResponse:
    """One student and one problem: what was sent, what is computed and how, corrections. POST: one more."""
    found = AssignmentProblem.objects.select_related("assignment__course", "problem__live")
    asked = found.filter(assignment__course=course, pk=min(entry, 1 << 60)).first()
    if asked is None:
        raise Http404
    grades = gradebook(course, assignments=[asked.assignment_id], students=[min(student, 1 << 60)])
    line, shown = _cell_of(grades, asked)
    form, status = AdjustForm(), 200
    if request.method == "POST":
        if not may_archive(request.user, course):
            raise Http404
        form, status = AdjustForm(request.POST), 422
        if form.is_valid():
            try:
                values = form.cleaned_data
                adjust(reader(request), asked, line.membership.user, values["points"], values["reason"])
                messages.success(request, _("Saved."))
                if (values["points"] or 0) > asked.points:
                    more = _(
                        "%(points)s points are more than the %(of)s of this problem. Set them again if it is a slip."
                    )
                    messages.warning(request, more % {"points": points(values["points"]), "of": points(asked.points)})
                return redirect("grade-cell", slug=course.slug, entry=entry, student=student)
            except Refused as refusal:
                form.add_error(None, refusal.message)
    sent = queries.submissions(request.user, author=line.membership.user, problem=asked.problem)
    context: dict[str, Any] = {
        **frame(request, course, "grades"),
        "cell": shown,
        "line": line,
        "title": title_of(asked.problem.slug, asked.problem.live),
        "rules": grades.rules[asked.assignment_id, line.membership.user_id],
        "page": Paginator(sent.filter(assignment=asked.assignment_id), PAGE).get_page(request.GET.get("page")),
        "adjustments": asked.adjustments.filter(student=line.membership.user_id).select_related("made_by"),
        "form": form,
        "edits": may_archive(request.user, course),
    }
    return render(request, "course/cell.html", context, status=status)


def _cell_of(grades: Gradebook, asked: AssignmentProblem) -> tuple[Line, Cell]:
    for line in grades.lines:
        for one in line.cells:
            if one.entry == asked:
                return line, one
    raise Http404


def _chosen(request: HttpRequest) -> list[int] | None:
    asked = request.GET.get("assignment", "")
    return [int(asked)] if asked.isdecimal() and len(asked) < 18 else None


def _fits(line: Line, asked: str) -> bool:
    text = f"{line.membership.user} {line.membership.user.username}".casefold()
    return all(word in text for word in asked.casefold().split())


def _shows(grades: Gradebook, line: Line, show: str, now: datetime) -> bool:
    match show:
        case "missing":
            who = line.membership.user_id
            over = {
                one.entry.pk for one in line.cells if now > grades.rules[one.entry.assignment_id, who].in_time_until
            }
            return any(one.counts and not one.score.attempts and one.entry.pk in over for one in line.cells)
        case "late":
            return any(one.score.days_late for one in line.cells)
        case "changed":
            return any(one.adjusted or one.score.exempt for one in line.cells)
        case _:
            return True
