"""Assignments of a course: as its students see them, and as its instructors make them."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.forms import formset_factory
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from judge.assignments import actions, queries
from judge.assignments.models import Assignment, Extension
from judge.assignments.queries import Given
from judge.assignments.rules import rules_of
from judge.feedback import queries as feedback
from judge.feedback.ladder import Rung
from judge.people.models import Course
from judge.people.permissions import may_archive, may_assist
from judge.people.refusal import Refused
from judge.web.course.forms import AssignmentForm, EntryForm, ExtensionForm
from judge.web.course.frame import at_course, frame, instructor, member, reader, staff
from judge.web.student.standing import shown
from judge.web.words import title_of

MORE = 3
"""Empty rows below the problems of an assignment, to add some."""
ROWS = actions.PROBLEMS + MORE
Entries = formset_factory(EntryForm, extra=MORE, can_order=True, can_delete=True, max_num=ROWS, absolute_max=ROWS)


@at_course(member)
@require_safe
def course(request: HttpRequest, shown_course: Course) -> HttpResponse:
    """All assignments: for staff each with what it still needs, for students each with where they stand."""
    sees = may_assist(request.user, shown_course)
    if sees:
        given = [_common(one) for one in queries.course_assignments(request.user, shown_course)]
    else:
        given = queries.given_to(request.user, shown_course, archived=True)
    context = {
        **frame(request, shown_course, "assignments"),
        "rows": shown(request.user, given, staff=sees),
        "now": timezone.now(),
    }
    return render(request, "course/course.html", context)


@at_course(member)
@require_safe
def assignment(request: HttpRequest, course: Course, pk: int) -> HttpResponse:
    """One assignment with its problems."""
    found = _found(request, course, pk)
    sees = may_assist(request.user, course)
    given = next(
        (one for one in queries.given_to(request.user, course, archived=True) if one.assignment == found), None
    )
    context = {
        **frame(request, course, "assignments"),
        "row": shown(request.user, [given or _common(found)], staff=sees)[0],
        "extended": given is not None and given.rules.extended,
        "extensions": found.extensions.select_related("student") if sees else (),
        "edits": may_archive(request.user, course),
    }
    return render(request, "course/assignment.html", context)


RUNGS: Mapping[Rung, str | Promise] = {
    Rung.VERDICT: gettext_lazy("the verdict alone"),
    Rung.KIND: gettext_lazy("the kind of mistake"),
    Rung.PROPERTY: gettext_lazy("what the checker says"),
    Rung.HINT: gettext_lazy("a hint"),
    Rung.COUNTEREXAMPLE: gettext_lazy("a failing input"),
    Rung.REPLAY: gettext_lazy("its replay"),
}


@at_course(staff)
@require_safe
def hints_used(request: HttpRequest, course: Course, pk: int) -> HttpResponse:
    """After how much help each problem of an assignment was solved, and which known mistakes there are."""
    found = _found(request, course, pk)
    helped = feedback.helped(request.user, found)
    rows = []
    for entry in found.entries.select_related("problem__live"):
        helps = helped.get(entry.problem_id, feedback.Helped())
        rows.append(
            {
                "title": title_of(entry.problem.slug, entry.problem.live),
                "slug": entry.problem.slug,
                "at_once": helps.at_once,
                "after": [helps.after.get(rung, 0) for rung in RUNGS],
                "unsolved": [(name, helps.unsolved[rung]) for rung, name in RUNGS.items() if rung in helps.unsolved],
                "mistakes": feedback.mistakes(request.user, entry.problem, found),
            }
        )
    context = {**frame(request, course, "assignments"), "assignment": found, "rows": rows, "rungs": RUNGS.values()}
    return render(request, "course/help.html", context)


@at_course(instructor)
def new(request: HttpRequest, course: Course) -> HttpResponse:
    """A new assignment: opens now, due in a week at the end of the day."""
    due = (timezone.now().astimezone(course.zone) + timedelta(days=7)).replace(
        hour=23, minute=59, second=0, microsecond=0
    )
    now = timezone.now()
    fresh = Assignment(course=course, published=now, opens=now, deadline=due, grace_minutes=5)
    return _edit(request, course, fresh)


@at_course(instructor)
def edit(request: HttpRequest, course: Course, pk: int) -> HttpResponse:
    return _edit(request, course, _found(request, course, pk))


@at_course(instructor)
@require_POST
def remove(request: HttpRequest, course: Course, pk: int) -> HttpResponse:
    """Delete one for which nothing was sent."""
    try:
        actions.remove(reader(request), _found(request, course, pk))
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("assignment", slug=course.slug, pk=pk)
    messages.success(request, _("The assignment is deleted."))
    return redirect("course", slug=course.slug)


@at_course(staff)
def extensions(request: HttpRequest, course: Course, pk: int) -> HttpResponse:
    """What is different for single students. POST: one more, or another in place of one."""
    found = _found(request, course, pk)
    form, status = ExtensionForm(found, initial={"student": request.GET.get("student", "")}), 200
    if request.method == "POST":
        if not may_archive(request.user, course):
            raise Http404
        form, status = ExtensionForm(found, request.POST), 422
        if form.is_valid():
            values = form.cleaned_data
            try:
                actions.extend(
                    reader(request),
                    found,
                    values["student"],
                    deadline=values["deadline"],
                    exempt=values["exempt"],
                    extra_attempts=values["extra_attempts"] or 0,
                    reason=values["reason"],
                )
                messages.success(request, _("Saved for %(who)s.") % {"who": values["student"]})
                return redirect("assignment-extensions", slug=course.slug, pk=pk)
            except Refused as refusal:
                form.add_error(None, refusal.message)
    context = {
        **frame(request, course, "assignments"),
        "assignment": found,
        "form": form,
        "extensions": found.extensions.select_related("student", "given_by").order_by("student__last_name"),
        "edits": may_archive(request.user, course),
    }
    return render(request, "course/extensions.html", context, status=status)


@at_course(instructor)
@require_POST
def take_back(request: HttpRequest, course: Course, pk: int, extension: int) -> HttpResponse:
    found = Extension.objects.select_related("assignment__course", "student")
    one = found.filter(assignment__course=course, assignment=min(pk, 1 << 60), pk=min(extension, 1 << 60)).first()
    if one is None:
        raise Http404
    try:
        actions.take_back(reader(request), one)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("assignment-extensions", slug=course.slug, pk=pk)


def _found(request: HttpRequest, course: Course, pk: int) -> Assignment:
    found = queries.assignment(request.user, course, min(pk, 1 << 60))
    if found is None:
        raise Http404
    return found


def _common(one: Assignment) -> Given:
    """With the rules for everybody."""
    return Given(assignment=one, rules=rules_of(one), entries=tuple(one.entries.all()))


def _edit(request: HttpRequest, course: Course, found: Assignment) -> HttpResponse:
    """GET: the form. POST: `do=save`, or `do=more` for more rows of problems, which saves nothing."""
    choice = queries.for_the_choice(reader(request), course)
    names = _names(choice)
    rows = [
        {"problem": one.problem_id, "points": f"{one.points.normalize():f}"}
        for one in (found.entries.all() if found.pk else ())
    ]
    options: Mapping[str, Any] = {"form_kwargs": {"problems": choice, "names": names}, "prefix": "problem"}
    form, entries, status = AssignmentForm(course, instance=found), Entries(initial=rows, **options), 200
    if request.method == "POST":
        data = request.POST.copy()
        more = data.get("do") == "more"
        if more:
            total = data.get("problem-TOTAL_FORMS", "0")
            there = int(total) if total.isdecimal() and len(total) < 9 else 0
            data["problem-TOTAL_FORMS"] = str(min(there, actions.PROBLEMS) + MORE)
        form, entries, status = AssignmentForm(course, data, instance=found), Entries(data, **options), 422
        if more:
            form.is_valid()
            status = 200
        elif form.is_valid() and entries.is_valid():
            try:
                made = actions.save(
                    reader(request), form.made(), _entries(entries), form.cleaned_data.get("sections", ())
                )
            except Refused as refusal:
                form.add_error(None, refusal.message)
            else:
                messages.success(request, _("Saved."))
                return redirect("assignment", slug=course.slug, pk=made.pk)
    context = {
        **frame(request, course, "assignments"),
        "form": form,
        "entries": entries,
        "assignment": found if found.pk else None,
        "any_problems": bool(names),
        "sent": found.submissions.count() if found.pk else 0,
    }
    return render(request, "course/edit.html", context, status=status)


def _names(choice: Any) -> dict[int, str]:
    named = {one.pk: title_of(one.slug, one.live) for one in choice}
    return dict(sorted(named.items(), key=lambda pair: pair[1].casefold()))


def _entries(formset: Any) -> list[actions.Entry]:
    """The problems in the order of their numbers; those without one behind, as they stand."""
    chosen = [form for form in formset.ordered_forms if form.cleaned_data.get("problem")]
    return [
        actions.Entry(
            problem=form.cleaned_data["problem"],
            points=Decimal(100) if form.cleaned_data["points"] is None else form.cleaned_data["points"],
        )
        for form in chosen
    ]
