"""The list of problems at the desk, and beginning a new one: from a package, or from the template."""

from __future__ import annotations  # Django's generic classes take no arguments when they run

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judge.authoring import actions, queries
from judge.authoring.actions import BadPackage, Uploaded, WouldLose
from judge.authoring.drafts import copy_in
from judge.authoring.queries import Row
from judge.blobs.store import BlobMissing
from judge.blobs.versions import VersionUnreadable
from judge.people.permissions import may_create_problems, may_use_desk
from judge.people.refusal import Refused
from judge.web.instructor.forms import StartForm, UploadForm
from judge.web.instructor.frame import reader, title_of_draft
from judge.web.statement import render_chapters
from judge.web.told import tell
from judge.web.words import title_of
from problems.models import Problem
from problems.package.model import Severity
from problems.package.takein import Fate, TakenIn

PAGE = 50
TOLD_FILES = 200
GUIDE = settings.BASE_DIR / "problems" / "README.md"


@login_required
@require_safe
@never_cache
def problems(request: HttpRequest) -> HttpResponse:
    """The problems whose desk the reader may use."""
    if not may_use_desk(request.user):
        raise PermissionDenied
    page = Paginator(queries.problems(request.user), PAGE).get_page(request.GET.get("page"))
    rows = queries.rows(list(page))
    shown = [(row, _title(row)) for row in rows]
    context = {"here": "desk", "page": page, "rows": shown, "may_create": may_create_problems(request.user)}
    return render(request, "instructor/problems.html", context)


def _title(row: Row) -> str:
    """Of what was never made, as the draft calls itself: that takes reading it."""
    slug, version = row.problem.slug, row.problem.live or row.newest
    if version is not None or row.draft is None:
        return title_of(slug, version)
    try:
        return title_of_draft(row.problem, None, copy_in(row.draft, slug))
    except (BlobMissing, VersionUnreadable):
        return slug


@login_required
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """Two forms: upload a package (`do=upload`), or start from the template (`do=start`)."""
    if not may_create_problems(request.user):
        raise PermissionDenied
    forms: dict[str, Any] = {"upload": UploadForm(prefix="upload"), "start": StartForm(prefix="start")}
    taken: TakenIn | None = None
    there: Problem | None = None
    status = 200
    if request.method == "POST":
        status = 422
        if request.POST.get("do") == "start":
            form = forms["start"] = StartForm(request.POST, prefix="start")
            if form.is_valid():
                try:
                    problem = actions.start(reader(request), form.cleaned_data["slug"], form.cleaned_data["title"])
                    return redirect("desk-problem", slug=problem.slug)
                except Refused as refusal:
                    form.add_error(None, tell(refusal.message))
        else:
            sent = forms["upload"] = UploadForm(request.POST, request.FILES, prefix="upload")
            if sent.is_valid():
                try:
                    done = upload(request, **sent.cleaned_data)
                    return redirect("desk-problem", slug=done.problem.slug)
                except Refused as refusal:
                    sent.add_error(None, refusal.message)
                    taken = refusal.taken if isinstance(refusal, BadPackage) else None
                    there = refusal.problem if isinstance(refusal, WouldLose) else None
    context = {"here": "desk", **forms, **told(taken), "there": there}
    return render(request, "instructor/new.html", context, status=status)


@login_required
@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """How a problem is written: `problems/README.md` as a page."""
    if not may_use_desk(request.user):
        raise PermissionDenied
    prose, chapters = render_chapters(GUIDE.read_text())
    return render(request, "instructor/guide.html", {"here": "desk", "prose": prose, "chapters": chapters})


def upload(
    request: HttpRequest,
    package: UploadedFile[bytes],
    *,
    slug: str = "",
    problem: Problem | None = None,
    as_its_own: bool = False,
) -> Uploaded:
    """Take in a package that a form sent, and say what was ignored. Raises what `actions.upload` raises."""
    with NamedTemporaryFile(suffix=".zip") as aside:
        for chunk in package.chunks():
            aside.write(chunk)
        aside.flush()
        done = actions.upload(
            reader(request), Path(aside.name), package.name or "", slug=slug, problem=problem, as_its_own=as_its_own
        )
    ignored = [file.name for file in done.taken.files if file.fate is not Fate.USED]
    if done.new:
        messages.success(request, _("The package is taken in as a new problem. Students do not see it yet."))
    elif done.version:
        messages.success(
            request, _("This is version %(n)s as it was exported: the draft is that now.") % {"n": done.version.number}
        )
    else:
        messages.success(request, _("The package is taken in as the working copy. What students see is as it was."))
    if ignored:
        names = ", ".join(ignored[:10]) + (" …" if len(ignored) > 10 else "")
        messages.info(request, _("Files that mean nothing in a package were left out: %(names)s") % {"names": names})
    return done


def told(taken: TakenIn | None) -> dict[str, Any]:
    """What a page says of a package that was not taken."""
    if taken is None:
        return {}
    files = [file for file in taken.files if file.fate is Fate.IGNORED]
    found = sorted(taken.findings, key=lambda one: one.severity is not Severity.ERROR)
    return {"findings": found[:TOLD_FILES], "ignored": files[:TOLD_FILES]}
