"""A form over the limits of the working copy, and what is wrong with them."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import localize
from django.utils.translation import gettext as _

from judge.authoring import editing, queries
from judge.authoring.drafts import WorkingCopy
from judge.authoring.models import Kind
from judge.people.refusal import Refused
from judge.web.instructor.draft import counted
from judge.web.instructor.forms import LIMITS, LimitsForm, stated_groups
from judge.web.instructor.frame import at_desk, copy_of, frame, reader
from judge.web.instructor.story import story
from problems.models import Problem
from problems.package.model import Severity
from problems.package.yaml_edit import values

WRITTEN = ("problem.yaml", "data/", "generators/generators.yaml")
"""Beginnings of the names of files that the form writes."""


@at_desk
def limits(request: HttpRequest, shown: Problem) -> HttpResponse:
    """A form over the limits of problem.yaml and the points of groups."""
    context = frame(shown, "limits")
    copy = copy_of(shown)
    if copy is None:
        raise Http404
    package = copy.reading.package
    stated, groups = _stated(copy), stated_groups(package)
    form, status = LimitsForm(stated, groups, request.POST or None), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                editing.set_values(reader(request), shown, form.changes())
            except Refused as refusal:
                form.add_error(None, refusal.message)
            else:
                messages.success(
                    request, _("The limits are saved in the working copy. They hold once a version is made.")
                )
                if form.fitted is not None:
                    said = _("The step of the time is %(step)s s now, so that the limit is a multiple of it.")
                    messages.info(request, said % {"step": localize(form.fitted)})
                return redirect("desk-limits", slug=shown.slug)
    verify = queries.latest(shown, Kind.VERIFY, version=context["newest"]) if context["newest"] else None
    wrong = [one for one in copy.reading.findings if one.severity is Severity.ERROR and one.where.startswith(WRITTEN)]
    context |= {
        "form": form,
        "package": package,
        "verify": story(verify) if verify else None,
        "wrong": counted(wrong)["findings"],
    }
    return render(request, "instructor/limits.html", context, status=status)


def _stated(copy: WorkingCopy) -> dict[str, str]:
    """What problem.yaml says itself of each limit; nothing for what it leaves out."""
    about = copy.files.get("problem.yaml")
    found = values(about.read_bytes() if about else b"", [limit.path for limit in LIMITS])
    return {limit.of: found[limit.path] for limit in LIMITS}
