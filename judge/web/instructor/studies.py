"""What is found out about a version beside its verdicts: what its checker lets pass, how strong its cases are."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from judge.authoring import editing, queries
from judge.authoring.models import Kind
from judge.authoring.strength import MOST_BUDGET, MOST_MUTANTS, solutions
from judge.blobs import store
from judge.blobs.versions import VersionUnreadable, package_of
from judge.grading.strength.measure import Wishes
from judge.people.refusal import Refused
from judge.web.instructor.frame import at_desk, chosen, frame, reader
from judge.web.instructor.story import story
from problems.models import Problem, Version

CASES = 500
"""Cases that can be chosen from a list."""
# The checker ----------------------------------------------------------------------------------------------------------


@at_desk
@require_safe
def checker(request: HttpRequest, shown: Problem) -> HttpResponse:
    """What the checker of a version says of right outputs that are changed a little, and of one's own."""
    version = chosen(request, shown)
    found = queries.latest(shown, Kind.CHECKER, version=version) if version else None
    tried = queries.latest(shown, Kind.TRY_OUTPUT, version=version) if version else None
    context = {
        **frame(shown, "checker"),
        **_of(shown, version),
        "story": story(found) if found else None,
        "tried": story(tried) if tried else None,
        "wish": tried.wishes if tried else {},
        "cases": list(version.cases.values_list("name", flat=True)[:CASES]) if version else [],
    }
    return render(request, "instructor/checker.html", context)


# The strength of the cases --------------------------------------------------------------------------------------------


@at_desk
@require_safe
def strength(request: HttpRequest, shown: Problem) -> HttpResponse:
    """Which programs with a mistake the cases of a version do not find out, and which cases would."""
    version = chosen(request, shown)
    found = queries.latest(shown, Kind.STRENGTH, version=version) if version else None
    last = found or queries.latest(shown, Kind.STRENGTH)
    plain = Wishes()
    context = {
        **frame(shown, "strength"),
        **_of(shown, version),
        "story": story(found) if found else None,
        "wish": last.wishes
        if last
        else {"mutants": plain.mutants, "budget": int(plain.suggest_seconds), "solution": ""},
        "solutions": _solutions(version),
        "most_mutants": MOST_MUTANTS,
        "most_budget": MOST_BUDGET,
    }
    return render(request, "instructor/strength.html", context)


def _solutions(version: Version | None) -> list[str]:
    try:
        return solutions(package_of(version)) if version else []
    except (store.BlobMissing, VersionUnreadable):
        return []


@at_desk
@require_POST
def add_case(request: HttpRequest, shown: Problem) -> HttpResponse:
    """Write a suggested case into the working copy."""
    pk, number = request.POST.get("errand", ""), request.POST.get("number", "")
    errand = queries.errand(request.user, int(pk)) if pk.isdecimal() and len(pk) < 18 else None
    if errand is None or errand.problem_id != shown.pk or errand.kind != Kind.STRENGTH or errand.version is None:
        raise Http404
    suggested = errand.result.get("suggestions", [])
    if not number.isdecimal() or len(number) > 4 or int(number) >= len(suggested):
        raise Http404
    one = suggested[int(number)]
    try:
        name = editing.add_case(reader(request), shown, like=one["like"], command=one["command"], text=one["input"])
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request, _("%(name)s is written into the working copy: the next version has it.") % {"name": name}
        )
    address = reverse("desk-strength", args=[shown.slug])
    return redirect(f"{address}?version={errand.version.number}#suggestion-{number}")


def _of(shown: Problem, version: Version | None) -> dict[str, Any]:
    numbers = list(shown.versions.order_by("-number").values_list("number", flat=True)[:200])
    return {"version": version, "numbers": numbers}
