"""What was made: versions, what differs between them, their cases, how their examples do, and which one is live."""

import re
import tempfile
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judge.authoring import actions, differences, queries
from judge.authoring.models import Errand, Kind
from judge.blobs import store
from judge.blobs.versions import VersionUnreadable, made_of, package_of, unpacked
from judge.grading.draw import HEADERS, media_type_of
from judge.people.refusal import Refused
from judge.web.highlight import as_text
from judge.web.instructor.draft import attachment
from judge.web.instructor.frame import at_desk, chosen, copy_of, frame, reader
from judge.web.instructor.story import story
from judge.web.told import tell
from problems.models import Case, Problem, Version
from problems.package.archive import pack
from problems.package.model import Content, Severity
from problems.package.tree import head
from problems.package.write import write, write_legacy

PAGE = 100
FIRST_BYTES = 240
FORMATS = ("2025-09", "legacy")
DRAFT = "draft"
ILLUSTRATIONS = ("svg", "png", "jpg", "jpeg")
"""Endings of the pictures that stand beside a case."""


@at_desk
@require_safe
def versions(request: HttpRequest, shown: Problem) -> HttpResponse:
    """Every version, newest first, with what is known of it."""
    found = shown.versions.select_related("made_by").order_by("-number")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    standings = queries.standings_of([one.pk for one in page])
    judged = queries.judged_against(shown)
    rows = [(one, standings.get(one.pk, queries.NOT_VERIFIED), judged.get(one.pk, 0)) for one in page]
    numbers = list(shown.versions.order_by("-number").values_list("number", flat=True)[:200])
    context = {
        **frame(shown, "versions"),
        "page": page,
        "rows": rows,
        "numbers": numbers,
        "older": queries.judged_against_others(shown.live) if shown.live else 0,
    }
    return render(request, "instructor/versions.html", context)


@at_desk
@require_safe
def compare(request: HttpRequest, shown: Problem) -> HttpResponse:
    """Two versions, or a version and the working copy (`to=draft`)."""
    old = chosen(request, shown, "from")
    to = request.GET.get("to", DRAFT)
    new = None if to == DRAFT else chosen(request, shown, "to")
    copy = copy_of(shown)
    if old is None or (new is None and copy is None):
        raise Http404
    folder = unpacked(new.archive) if new else copy.folder if copy else None
    assert folder is not None
    files, more = differences.files(unpacked(old.archive), folder)
    context = {
        **frame(shown, "versions"),
        "old": old,
        "new": new,
        "files": files,
        "more": more,
        "cases": differences.cases(old, new) if new else None,
        "limits": limit_words(old, new) if new else [],
    }
    return render(request, "instructor/compare.html", context)


def limit_words(old: Version, new: Version) -> list[tuple[str, str, str]]:
    """Limits that differ: name, before, after, with their units."""
    words = {
        "time_seconds": (_("Time"), 1, "s"),
        "memory_bytes": (_("Memory"), 1 << 20, "MiB"),
        "output_bytes": (_("Output"), 1 << 20, "MiB"),
        "code_bytes": (_("Program"), 1 << 10, "KiB"),
        "out_of": (_("Points"), 1, ""),
    }
    told = []
    for name, before, after in differences.limits(old.facts, new.facts):
        label, size, unit = words[name]
        one, other = ("—" if value is None else f"{value / size:g} {unit}" for value in (before, after))
        told.append((label, one, other))
    return told


@at_desk
def live(request: HttpRequest, shown: Problem, number: int) -> HttpResponse:
    """GET: what making this version live would change. POST: do it."""
    version = _version(shown, number)
    standing = queries.standing(version)
    error, status = "", 200
    if request.method == "POST":
        seen = request.POST.get("seen")
        try:
            if seen is None or not re.fullmatch("[0-9]{0,17}", seen):
                raise Refused(_("This form is not whole. Read the page anew, and send it again."))  # noqa: TRY301
            actions.make_live(
                reader(request),
                version,
                seen=int(seen) if seen else None,
                even_so=bool(request.POST.get("even_so")),
            )
        except Refused as refusal:
            error, status = refusal.message, 422
            shown.refresh_from_db()
        else:
            messages.success(
                request, _("Version %(n)d is live: new submissions are judged against it.") % {"n": number}
            )
            return redirect("desk-versions", slug=shown.slug)
    before = shown.live
    context = {
        **frame(shown, "versions"),
        "version": version,
        "standing": standing,
        "error": error,
        "before": before,
        "seen": shown.live_id or "",
        "older": queries.judged_against_others(version),
        "cases": differences.cases(before, version) if before and before != version else None,
        "limits": limit_words(before, version) if before and before != version else [],
        "files": len(differences.files(unpacked(before.archive), unpacked(version.archive))[0]) if before else 0,
    }
    return render(request, "instructor/live.html", context, status=status)


@at_desk
@require_safe
def verify(request: HttpRequest, shown: Problem) -> HttpResponse:
    """How the examples of a version do, and how near the limit they come."""
    version = chosen(request, shown)
    found = queries.latest(shown, Kind.VERIFY, version=version) if version else None
    context = {
        **frame(shown, "verify"),
        "version": version,
        "story": story(found) if found else None,
        "numbers": list(shown.versions.order_by("-number").values_list("number", flat=True)[:200]),
    }
    return render(request, "instructor/verify.html", context)


@at_desk
@require_safe
def cases(request: HttpRequest, shown: Problem) -> HttpResponse:
    """The cases of a version: where each comes from, and how it begins."""
    version = chosen(request, shown)
    found = version.cases.all() if version else Case.objects.none()
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    drawing = queries.latest(shown, Kind.PICTURES, version=version) if version else None
    pictured = _pictured(version, drawing)
    again = queries.latest(shown, Kind.AGAIN, version=version) if version else None
    context = {
        **frame(shown, "cases"),
        "version": version,
        "page": page,
        "rows": [_shown(case) | {"picture": case.name in pictured} for case in page],
        "pictured": bool(pictured),
        "again": story(again) if again else None,
        "drawing": story(drawing) if drawing and not drawing.succeeded else None,
        "can_draw": version is not None
        and (drawing is None or (drawing.over and not drawing.succeeded))
        and _draws(version),
        "numbers": list(shown.versions.order_by("-number").values_list("number", flat=True)[:200]),
    }
    return render(request, "instructor/cases.html", context)


def _shown(case: Case) -> dict[str, Any]:
    made = case.provenance
    command = " ".join([made["generator"], *made["arguments"]]) if made else ""
    return {
        "case": case,
        "command": command,
        "seed": made["seed"] if made else None,
        "input": _beginning(case.input),
        "answer": _beginning(case.answer),
    }


def _illustrations(version: Version) -> dict[str, Content]:
    """Case -> the picture that its author put beside it."""
    found = {}
    for case in package_of(version).cases:
        ending = next((ending for ending in ILLUSTRATIONS if ending in case.extras), None)
        if ending is not None:
            found[case.name] = case.extras[ending]
    return found


def _is_drawn(drawing: Errand | None) -> bool:
    """Whether there are pictures, or will be."""
    return drawing is not None and (not drawing.over or bool(drawing.succeeded))


def _draws(version: Version) -> bool:
    """Whether the package brings a program that draws its cases."""
    try:
        return package_of(version).input_visualizer is not None
    except (store.BlobMissing, VersionUnreadable):
        return False


def _pictured(version: Version | None, drawing: Errand | None) -> set[str]:
    """The cases of which there is a picture."""
    drawn = drawing.result.get("drawn", {}) if drawing else {}
    try:
        return {*drawn, *(_illustrations(version) if version else ())}
    except (store.BlobMissing, VersionUnreadable):
        return set(drawn)


def _content(beside: Content | None) -> bytes:
    return beside.read_bytes() if isinstance(beside, Path) else beside or b""


@at_desk
@require_safe
def picture(request: HttpRequest, shown: Problem, number: int, position: int) -> HttpResponse:  # noqa: ARG001
    """The picture of a case: the one beside it in the package, else the one that the visualizer drew."""
    version = _version(shown, number)
    case = version.cases.filter(position=position).first()
    if case is None:
        raise Http404
    drawing = queries.latest(shown, Kind.PICTURES, version=version)
    drawn = (drawing.result.get("drawn", {}) if drawing else {}).get(case.name)
    try:
        beside = _illustrations(version).get(case.name)
        content = store.get(drawn["digest"]) if beside is None and drawn else _content(beside)
    except (store.BlobMissing, VersionUnreadable):
        raise Http404 from None
    kind = media_type_of(content)
    if not kind:
        raise Http404
    return HttpResponse(content, content_type=kind, headers=dict(HEADERS))


def _beginning(digest: str) -> str:
    try:
        content = head(store.path(digest), FIRST_BYTES + 1)
    except store.BlobMissing:
        return _("(these bytes are missing from the store: tell whoever runs the site)")
    return as_text(content[:FIRST_BYTES]) + ("…" if len(content) > FIRST_BYTES else "")


@at_desk
@require_safe
def case_data(request: HttpRequest, shown: Problem, number: int, position: int, what: str) -> HttpResponse:  # noqa: ARG001
    """The input or the answer of a case, to be saved."""
    case = _version(shown, number).cases.filter(position=position).first()
    if case is None or what not in ("in", "ans"):
        raise Http404
    try:
        content = store.get(case.input if what == "in" else case.answer)
    except store.BlobMissing:
        raise Http404 from None
    return attachment(content, f"{shown.slug}-{case.name.replace('/', '-')}.{what}", "text/plain; charset=utf-8")


@at_desk
@require_safe
def download(request: HttpRequest, shown: Problem, number: int) -> HttpResponse:
    """A version as a ZIP, made cases and all; `?format=legacy` for Kattis and DOMjudge."""
    version = _version(shown, number)
    format_ = request.GET.get("format", FORMATS[0])
    if format_ not in FORMATS:
        raise Http404
    try:
        package, made = package_of(version), made_of(version)
    except (store.BlobMissing, VersionUnreadable) as fault:
        messages.error(request, _("This version cannot be read any more: %(why)s") % {"why": fault})
        return redirect("desk-versions", slug=shown.slug)
    with tempfile.TemporaryDirectory(prefix="download-") as aside:
        into = Path(aside, shown.slug)
        if format_ == "legacy":
            errors = [one for one in write_legacy(package, into, made=made) if one.severity is Severity.ERROR]
            if errors:
                told = " ".join(f"{one.where}: {tell(one.message)}" for one in errors[:5])
                messages.error(request, _("This version cannot be said in the older format. %(told)s") % {"told": told})
                return redirect(reverse("desk-versions", args=[shown.slug]))
        else:
            write(package, into, made=made)
        content = pack(into)
    return attachment(content, f"{shown.slug}.zip", "application/zip")


def _version(shown: Problem, number: int) -> Version:
    found = shown.versions.select_related("problem").filter(number=min(number, 1 << 30)).first()
    if found is None:
        raise Http404
    return found
