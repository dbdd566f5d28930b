"""Files of a package for its readers: images, PDF, attachments, samples. None of them can run anything."""

import io
import mimetypes
import zipfile
from collections.abc import Sequence
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from judge.assignments.queries import problems
from judge.blobs.versions import downloads_of, package_of
from judge.people.permissions import may_edit
from problems.models import Version
from problems.package.pdf import shows_only
from problems.package.prose import image_file, solutions

NOTHING = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Policy of a file that is looked at by itself: an SVG is shut in by it."""
A_PDF = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""Policy of a PDF. Not `sandbox`, with which browsers show none; so only one without scripts is shown."""
LOOKED_AT_FOR = "max-age=604800, immutable"


@require_safe
def image(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    """An image of the statement."""
    version = _version(request, slug, number)
    return _image([package_of(version).root / "statement"], name, _whose(version))


@require_safe
def solution_image(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    """An image of the description of the solution, for who may edit the problem."""
    root = package_of(_version(request, slug, number, for_authors=True)).root
    return _image([root / "solution", root / "statement"], name, "private")


@require_safe
@xframe_options_sameorigin
def pdf(request: HttpRequest, slug: str, number: int, language: str) -> HttpResponse:
    """A statement that is a PDF."""
    version = _version(request, slug, number)
    return _pdf(package_of(version).statements.get(language), _whose(version))


@require_safe
@xframe_options_sameorigin
def solution_pdf(request: HttpRequest, slug: str, number: int, language: str) -> HttpResponse:
    """A description of the solution that is a PDF, for who may edit the problem."""
    version = _version(request, slug, number, for_authors=True)
    return _pdf(solutions(package_of(version)).get(language), "private")


@require_safe
def attachment(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    """A file that the package has for everybody; always to be kept, never looked at on this site."""
    path = package_of(_version(request, slug, number)).attachments.get(name)
    if path is None:
        raise Http404
    return _kept(path.read_bytes(), path.name, "application/octet-stream")


@require_safe
def samples(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The samples in one archive."""
    found = downloads_of(_version(request, slug, number))
    if not found:
        raise Http404
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in found.items():
            about = zipfile.ZipInfo(name)
            about.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(about, content if isinstance(content, bytes) else content.read_bytes())
    return _kept(archive.getvalue(), f"{slug}-samples.zip", "application/zip")


def _version(request: HttpRequest, slug: str, number: int, *, for_authors: bool = False) -> Version:
    """The version, if the reader may see it: the live one who sees the problem, and all who may edit it.

    Solutions are for these only.
    """
    version = get_object_or_404(Version.objects.select_related("problem"), problem__slug=slug, number=number)
    current = version.problem.live_id == version.pk and problems(request.user).filter(pk=version.problem_id).exists()
    if (for_authors or not current) and not may_edit(request.user, version.problem):
        raise Http404
    return version


def _whose(version: Version) -> str:
    """Which caches may keep what everybody sees who sees the problem."""
    return "public" if version.problem.listed else "private"


def _image(folders: Sequence[Path], name: str, whose: str) -> HttpResponse:
    file = image_file(folders, name)
    if file is None:
        raise Http404
    response = HttpResponse(file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0])
    response["Content-Security-Policy"] = NOTHING
    response["Cache-Control"] = f"{whose}, {LOOKED_AT_FOR}"
    return response


def _pdf(path: Path | None, whose: str) -> HttpResponse:
    if path is None or path.suffix != ".pdf":
        raise Http404
    answer = shown_pdf(path)
    answer["Cache-Control"] = f"{whose}, {LOOKED_AT_FOR}"
    return answer


def shown_pdf(path: Path) -> HttpResponse:
    """A PDF to be looked at in a page of this site; to be saved when it might do more than show pages."""
    if not shows_only(path):
        return _kept(path.read_bytes(), path.name, "application/pdf")
    answer = HttpResponse(path.read_bytes(), content_type="application/pdf")
    answer["Content-Security-Policy"] = A_PDF
    return answer


def _kept(content: bytes, name: str, kind: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    answer["Content-Security-Policy"] = NOTHING
    return answer
