"""The courses of a person, beginning one, its settings and its log."""

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judge.people import actions
from judge.people.models import Course, CourseRole
from judge.people.permissions import courses_of, may_create_courses
from judge.people.refusal import Refused
from judge.regrades.queries import regrades
from judge.web.course.forms import CourseForm
from judge.web.course.frame import at_course, frame, instructor, reader, staff

PAGE = 50
REGRADE = re.compile(r"(?:applied|took) regrade (\d{1,17})\b")
"""How a line of the log begins that tells of one."""
ROLE_WORDS = {
    CourseRole.STUDENT: _("student"),
    CourseRole.ASSISTANT: _("assistant"),
    CourseRole.INSTRUCTOR: _("instructor"),
}


@login_required
@require_safe
@never_cache
def courses(request: HttpRequest) -> HttpResponse:
    """Those that go on first, archived ones behind."""
    found = courses_of(request.user).order_by("archived", "-created")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    roles = dict(reader(request).memberships.filter(course__in=list(page)).values_list("course", "role"))
    context = {
        "here": "courses",
        "page": page,
        "rows": [(one, roles.get(one.pk, "")) for one in page],
        "may_create": may_create_courses(request.user),
    }
    return render(request, "course/courses.html", context)


@login_required
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """Begin a course."""
    if not may_create_courses(request.user):
        raise PermissionDenied
    form, status = CourseForm(initial={"time_zone": timezone.get_current_timezone_name()}), 200
    if request.method == "POST":
        form, status = CourseForm(request.POST), 422
        if form.is_valid():
            try:
                course = actions.create_course(reader(request), form.instance)
            except Refused as refusal:
                form.add_error(None, refusal.message)
            else:
                messages.success(request, _("The course is there. Next: its people."))
                return redirect("course-roster", slug=course.slug)
    return render(request, "course/new.html", {"here": "courses", "form": form}, status=status)


@at_course(instructor)
def settings(request: HttpRequest, course: Course) -> HttpResponse:
    """GET: the form. POST: `do=save`, `do=archive`, `do=back`."""
    form, status = CourseForm(instance=Course.objects.get(pk=course.pk)), 200
    if request.method == "POST":
        do = request.POST.get("do", "save")
        try:
            if do in {"archive", "back"}:
                actions.archive(reader(request), course, back=do == "back")
                return redirect("course-settings", slug=course.slug)
            form, status = CourseForm(request.POST, instance=Course.objects.get(pk=course.pk)), 422
            if form.is_valid():
                actions.change_course(reader(request), form.instance)
                messages.success(request, _("Saved."))
                return redirect("course-settings", slug=course.slug)
        except Refused as refusal:
            form.add_error(None, refusal.message) if form.is_bound else messages.error(request, refusal.message)
    context = {**frame(request, course, "settings"), "form": form}
    return render(request, "course/settings.html", context, status=status)


@at_course(staff)
@require_safe
def log(request: HttpRequest, course: Course) -> HttpResponse:
    """Who did what; a regrade with a link for who may open it."""
    page = Paginator(course.audit.select_related("by", "about"), PAGE).get_page(request.GET.get("page"))
    named = {one.pk: int(found[1]) for one in page if (found := REGRADE.match(one.what))}
    theirs = set(regrades(request.user).filter(pk__in=named.values()).values_list("pk", flat=True)) if named else set()
    rows = [(one, named[one.pk] if named.get(one.pk) in theirs else None) for one in page]
    return render(request, "course/log.html", {**frame(request, course, "log"), "page": page, "rows": rows})
