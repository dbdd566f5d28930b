"""All submissions, for who sees those of others: filter, look, take along, and choose what is to be judged again."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from judge.assignments.models import Assignment
from judge.blobs.store import BlobMissing
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import courses_staffed_by, may_regrade, sees_work_of_others
from judge.people.refusal import Refused
from judge.regrades import actions
from judge.submissions import queries
from judge.submissions.selection import PENDING, PRACTICE, Selection
from judge.web.instructor.draft import attachment
from judge.web.instructor.frame import reader
from judge.web.pages import LongList
from judge.web.words import VERDICT_WORDS, title_of
from problems.models import Problem, Version

PAGE = 100
ZIPPED = 2_000
"""Submissions of one download."""
ZIPPED_BYTES = 64 << 20

Rest = ParamSpec("Rest")


def for_staff(view: Callable[Concatenate[HttpRequest, Rest], HttpResponse]) -> Callable[..., HttpResponse]:
    """A page for who sees work of others or owns a problem; for others it is closed."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        if not (sees_work_of_others(request.user) or may_regrade(request.user)):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return never_cache(login_required(wrapped))


@for_staff
@require_safe
def submissions(request: HttpRequest) -> HttpResponse:
    """The table, and the form that has what is in it judged again."""
    selection, dropped = Selection.of(request.GET), Selection.dropped(request.GET)
    found = queries.overseen(request.user)
    found = found.none() if dropped else selection.narrow(found)
    page = LongList(found, PAGE).get_page(request.GET.get("page"))
    sent = queries.overseen(request.user).order_by().filter(problem=OuterRef("pk"))
    problems = Problem.objects.filter(Exists(sent)).select_related("live")
    problem = problems.filter(slug=selection.problem).first()
    courses = list(courses_staffed_by(request.user).order_by("name", "pk"))
    context = {
        "here": "submissions",
        "page": page,
        "selection": selection,
        "dropped": [f"{name}={value}" for name, value in dropped.items()],
        "filters": urlencode(selection.facts),
        "hidden": selection.facts.items(),
        "key": get_random_string(32),
        "may_regrade": may_regrade(request.user),
        "chosen_problem": problem,
        "versions": list(problem.versions.order_by("-number").values_list("number", flat=True)) if problem else [],
        "courses": courses,
        "practice": PRACTICE,
        "zone": next((one.zone.key for one in courses if one.slug == selection.course), ""),
        "assignments": list(Assignment.objects.filter(course__in=courses, course__slug=selection.course))
        if selection.course
        else [],
        "problems": [(one.slug, title_of(one.slug, one.live)) for one in problems],
        "verdicts": [*((one.value, VERDICT_WORDS[one]) for one in Verdict), (PENDING, _("being judged"))],
        "languages": [(name, language.label) for name, language in LANGUAGES.items()],
    }
    return render(request, "instructor/submissions.html", context)


@for_staff
@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """The programs of what the address asks for, as a ZIP: a folder for each submission."""
    if Selection.dropped(request.GET):
        return redirect(f"{reverse('submissions')}?{request.GET.urlencode()}")
    found = _chosen(request, request.GET)[1].prefetch_related(None)[: ZIPPED + 1]
    packed = io.BytesIO()
    size = 0
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, one in enumerate(found):
            size += sum(file["size"] for file in one.files)
            if size > ZIPPED_BYTES or number == ZIPPED:
                more = _("There were more submissions than fit: filter them, and download again.")
                archive.writestr("MORE.txt", f"{more}\n")
                break
            verdict = one.effective.judgement.verdict or one.effective.judgement.state
            folder = f"{one.problem.slug}/{_folder_of(one.author)}/{one.pk}-{verdict}"
            try:
                for name, content in queries.sources(request.user, one).items():
                    archive.writestr(f"{folder}/{name}", content)
            except BlobMissing:
                archive.writestr(f"{folder}/MISSING.txt", "The store has lost the bytes of this submission.\n")
    return attachment(packed.getvalue(), "submissions.zip", "application/zip")


def _folder_of(author: User) -> str:
    """A name for which any file system can make a folder, another one for each account."""
    name = re.sub(r"[^\w@+.-]", "_", author.username)
    plain = name == author.username and name[0].isalnum() and not name.endswith(".")
    return name if plain else f"{name.strip('@+.-') or 'person'}~{author.pk}"  # no username has a tilde


@for_staff
@require_POST
def regrade(request: HttpRequest) -> HttpResponse:
    """Plan a regrade of what was chosen: what is ticked (`which=ticked`), or all that fits the filters."""
    if dropped := Selection.dropped(request.POST):
        return redirect(f"{reverse('submissions')}?{urlencode(dropped)}")
    selection, chosen = _chosen(request, request.POST)
    back = f"{reverse('submissions')}?{urlencode(Selection.of(request.POST).facts)}"
    number = request.POST.get("against", "")
    version: Version | None = None
    if number.isdecimal() and len(number) < 7:
        version = Version.objects.filter(problem__slug=selection.problem, number=int(number)).first()
    if number and version is None:
        messages.error(request, _("The problem has no such version. Choose the version to judge against again."))
        return redirect(back)
    if request.POST.get("which") == "ticked" and not request.POST.getlist("pick"):
        messages.error(request, _("Nothing is ticked. Tick submissions in the table, or take all that fit."))
        return redirect(back)
    try:
        made = actions.plan(
            reader(request),
            chosen,
            reason=request.POST.get("reason", ""),
            key=request.POST.get("key", ""),
            selection=selection.facts,
            version=version,
            anew=bool(request.POST.get("anew")),
        )
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect(back)
    return redirect("regrade", pk=made.pk)


def _chosen(request: HttpRequest, given: Any) -> tuple[Selection, Any]:
    picked = [word for word in given.getlist("pick") if word.isdecimal()]
    words: Mapping[str, Any] = given
    if given.get("which") == "ticked":
        words = {"problem": given.get("problem", ""), "numbers": ",".join(picked)}
    selection = Selection.of(words)
    found = queries.overseen(request.user)
    if given.get("which") == "ticked" and not picked:
        return selection, found.none()
    return selection, selection.narrow(found)
