"""The working copy: what is wrong with it, making a version of it, its files."""

import mimetypes
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlencode

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from judge.authoring import actions, differences, editing, queries
from judge.authoring.actions import BadPackage
from judge.authoring.drafts import WorkingCopy
from judge.authoring.models import Errand, Kind
from judge.blobs import store
from judge.blobs.statements import Busy
from judge.blobs.statements import findings as statement_findings
from judge.grading.foresight import foreseen
from judge.people.refusal import Refused
from judge.web.highlight import as_text
from judge.web.instructor import preview as statements
from judge.web.instructor.desk import told, upload
from judge.web.instructor.forms import AddFilesForm, ReplaceForm
from judge.web.instructor.frame import at_desk, copy_of, frame, reader
from judge.web.instructor.story import story
from judge.web.student.files import shown_pdf
from problems.models import Problem
from problems.package.model import Finding, Severity

PAGE = 200
FINDINGS = 200
INLINE = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
}
MODES = {
    ".c": "cpp",
    ".cpp": "cpp",
    ".cc": "cpp",
    ".h": "cpp",
    ".py": "python3",
    ".java": "java",
    ".js": "javascript",
    ".go": "go",
    ".rs": "rust",
    ".pas": "pascal",
    ".cs": "csharp",
    ".kt": "kotlin",
}
"""What the editor colours."""


# The draft as a whole -------------------------------------------------------------------------------------------------


@at_desk
def problem(request: HttpRequest, shown: Problem) -> HttpResponse:
    """GET: what is wrong with the working copy, making, replacing. POST: a package that takes its place."""
    form, report, status = ReplaceForm(), {}, 200
    if request.method == "POST":
        form = ReplaceForm(request.POST, request.FILES)
        status = 422
        if form.is_valid():
            try:
                upload(request, form.cleaned_data["package"], problem=shown)
                return redirect("desk-problem", slug=shown.slug)
            except Refused as refusal:
                form.add_error(None, refusal.message)
                report = told(refusal.taken if isinstance(refusal, BadPackage) else None)
    context = frame(shown, "draft")
    copy: WorkingCopy | None = context["copy"]
    if copy is not None:
        reading, found = copy.reading, _found(copy)
        made = queries.latest(shown, Kind.MAKE, target=copy.archive)
        measured = queries.latest(shown, Kind.LIMIT, target=copy.archive) or _limit_before(shown, copy)
        context |= {
            "reading": counted(found),
            "stored": any(one.rule == "stored-and-listed" for one in found),
            "taken": _taken(shown, found),
            "can_make": reading.package is not None and reading.package.limits.time_stated,
            "needs_limit": reading.package is not None and not reading.package.limits.time_stated,
            "made": story(made) if made else None,
            "measured": story(measured) if measured else None,
            "older": [story(one) for one in queries.of_older_copies(shown, copy.archive)],
            "made_of": shown.versions.filter(archive=copy.archive).first(),
        }
    versions = list(shown.versions.order_by("-number")[:100])
    context |= {"form": form, "report": report, "versions": versions, "may_discard": queries.may_be_discarded(shown)}
    return render(request, "instructor/draft.html", context, status=status)


def _limit_before(shown: Problem, copy: WorkingCopy) -> Errand | None:
    """A measuring that wrote its limit into the working copy, if that was its last change."""
    last = queries.latest(shown, Kind.LIMIT)
    if last is None or not last.succeeded or last.message or copy.changed is None or last.finished is None:
        return None
    return last if abs((copy.changed - last.finished).total_seconds()) < 5 else None


@at_desk
@require_POST
def take(request: HttpRequest, shown: Problem) -> HttpResponse:
    """Make a version the working copy."""
    number, seen = request.POST.get("version", ""), request.POST.get("seen", "")
    version = shown.versions.filter(number=int(number)).first() if number.isdecimal() and len(number) < 10 else None
    try:
        if version is None or not (seen.isdecimal() and len(seen) < 10):
            raise Refused(_("Choose the version to start again from."))  # noqa: TRY301
        editing.take(reader(request), shown, version, int(seen))
        messages.success(request, _("The working copy is as version %(n)d now.") % {"n": version.number})
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("desk-problem", slug=shown.slug)


@at_desk
@require_POST
def drop_copies(request: HttpRequest, shown: Problem) -> HttpResponse:
    """Let the lines of generators.yaml count again where files in data/ stand before them."""
    try:
        gone = editing.drop_copies(reader(request), shown)
        messages.success(
            request,
            ngettext("%(n)d stored copy is removed.", "%(n)d stored copies are removed.", gone) % {"n": gone},
        )
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("desk-problem", slug=shown.slug)


@at_desk
@require_POST
def discard(request: HttpRequest, shown: Problem) -> HttpResponse:
    """Delete a problem that never was live; the form has its short name in `called`."""
    try:
        actions.discard(reader(request), shown, called=request.POST.get("called", ""))
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("desk-problem", slug=shown.slug)
    messages.success(request, _("The problem %(slug)s is deleted.") % {"slug": shown.slug})
    return redirect("desk")


@at_desk
@require_safe
def download(request: HttpRequest, shown: Problem) -> HttpResponse:  # noqa: ARG001
    """The working copy as a ZIP, as it is."""
    copy = _copy(shown)
    return attachment(store.get(copy.archive), f"{shown.slug}.zip", "application/zip")


def attachment(content: bytes, name: str, kind: str = "application/octet-stream") -> HttpResponse:
    """Bytes to be saved, never shown."""
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _taken(shown: Problem, found: Sequence[Finding]) -> dict[str, Any] | None:
    """How the package was taken in, without what is still so and stands among what is `found` now."""
    report = queries.taken(shown)
    if report is None:
        return None
    now = {(one.where, one.message) for one in found}
    return report | {"findings": [one for one in report["findings"] if (one["where"], one["message"]) not in now]}


def _found(copy: WorkingCopy) -> Sequence[Finding]:
    """What is to be said of the working copy; once it is a package, of what its pages will not show as well."""
    reading = copy.reading
    if reading.package is None:
        return reading.findings
    return (*reading.findings, *foreseen(reading.package), *statement_findings(reading.package))


def counted(found: Sequence[Finding]) -> dict[str, Any]:
    """Findings for a page, errors first, and how many of each severity there are."""
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTICE: 2}
    found = sorted(found, key=lambda one: order[one.severity])
    counts = Counter(str(one.severity) for one in found)
    return {
        "findings": [_linked(one) for one in found[:FINDINGS]],
        "counts": counts,
        "more": max(len(found) - FINDINGS, 0),
    }


def _linked(finding: Finding) -> dict[str, Any]:
    name, _colon, line = finding.where.partition(":")
    return {
        "severity": str(finding.severity),
        "name": name,
        "line": line if line.isdecimal() else "",
        "message": finding.message,
    }


def _copy(shown: Problem) -> WorkingCopy:
    copy = copy_of(shown)
    if copy is None:
        raise Http404
    return copy


# Files ----------------------------------------------------------------------------------------------------------------


@at_desk
def files(request: HttpRequest, shown: Problem) -> HttpResponse:
    """GET: the files, filtered by `?q=`; `?new=` goes to the editor of a new one. POST: files to be added."""
    copy = _copy(shown)
    form, status, wrong = AddFilesForm(), 200, ""
    new = request.GET.get("new", "").strip().removesuffix("/")
    if new and request.method != "POST":
        try:
            _must_open(copy.files, new)
            return redirect(reverse("desk-file", args=[shown.slug, new]))
        except Refused as refusal:
            wrong, status = refusal.message, 422
    if request.method == "POST":
        form, status = AddFilesForm(request.POST, request.FILES), 422
        if form.is_valid():
            folder = form.cleaned_data["folder"].strip().removesuffix("/")
            sent = form.cleaned_data["uploads"]
            try:
                names = [f"{folder}/{one.name}" if folder else str(one.name) for one in sent]
                if len(set(names)) < len(names):
                    raise Refused(_("Two of the files have the same name."))  # noqa: TRY301
                contents = {name: one.read() for name, one in zip(names, sent, strict=True)}
                editing.add(reader(request), shown, contents, replace=form.cleaned_data["replace"])
            except Refused as refusal:
                form.add_error(None, refusal.message)
            else:
                messages.success(request, _("Added: %(names)s") % {"names": ", ".join(names[:10])})
                return redirect("desk-files", slug=shown.slug)
    asked = request.GET.get("q", "").strip()[:100]
    every = copy.files
    found = [(name, path) for name, path in every.items() if asked.casefold() in name.casefold()]
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    faults = Counter(one.where.partition(":")[0] for one in copy.reading.findings if one.severity is Severity.ERROR)
    context = {
        **frame(shown, "files"),
        "form": form,
        "page": page,
        "rows": [(name, path.stat().st_size, faults[name]) for name, path in page],
        "q": asked,
        "all": len(every),
        "new": new[: editing.NAME_LENGTH],
        "wrong": wrong,
    }
    return render(request, "instructor/files.html", context, status=status)


@at_desk
def file(request: HttpRequest, shown: Problem, name: str) -> HttpResponse:
    """One file. GET: its text to edit, if it is text. POST `do`: save, preview, rename, remove."""
    return _file(request, shown, name, tab="files")


@at_desk
def statement(request: HttpRequest, shown: Problem) -> HttpResponse:
    """The statement in the language of `?language=`, or the first there is; else a new English one."""
    names = [name for name in _copy(shown).files if name.startswith("statement/problem.")]
    texts = statements.one_each(names)
    asked = request.GET.get("language", "")
    name = next((name for name in texts if name.split(".")[1] == asked), None)
    name = name or next((name for name in texts if name.split(".")[1] == "en"), None) or next(iter(texts), None)
    return _file(request, shown, name or "statement/problem.en.md", tab="statement", languages=texts)


def _file(
    request: HttpRequest, shown: Problem, name: str, *, tab: str, languages: list[str] | None = None
) -> HttpResponse:
    files = _copy(shown).files
    if request.method != "POST":
        try:
            _must_open(files, name)
        except Refused:
            raise Http404 from None
    content = files[name].read_bytes() if name in files and files[name].stat().st_size <= editing.TEXT_BYTES else None
    text, base = as_text(content or b""), editing.base_of(content)
    status, newer, error = 200, None, ""
    if request.method == "POST":
        text = request.POST.get("text", "").replace("\r\n", "\n").replace("\r", "\n")
        base = request.POST.get("base", "")[:64]
        if request.POST.get("do") != "preview":
            try:
                return _save(request, shown, (name, text, base), tab)
            except editing.Conflict as conflict:
                status, error, newer = 409, conflict.message, conflict.newer
                base = editing.base_of(conflict.newer)
            except Refused as refusal:
                status, error = 422, refusal.message
            files = _copy(shown).files
    context = frame(shown, tab)
    context |= {
        "name": name,
        "text": text,
        "base": base,
        "error": error,
        "conflict": differences.lines(as_text(newer or b""), text)[0] if status == 409 else None,
        "newer": None if newer is None else as_text(newer),
        "is_new": name not in files,
        "editable": name not in files or _is_text(files[name]),
        "carriage_returns": content is not None and b"\r" in content,
        "size": files[name].stat().st_size if name in files else 0,
        "base_of_file": editing.base_of(files[name].read_bytes()) if name in files else "",
        "languages": [(one, one.split(".")[1]) for one in languages or []],
        "mode": MODES.get(PurePosixPath(name).suffix, ""),
        "image": name in files and PurePosixPath(name).suffix.lower() in INLINE,
        "findings": [one for one in counted(_found(context["copy"]))["findings"] if one["name"] == name],
        "preview": statements.preview(shown.slug, files, name, text) if statements.is_shown(name) else None,
        "at_statement": tab == "statement",
    }

    def page() -> HttpResponse:
        return render(request, "instructor/file.html", context, status=status)

    if not statements.is_pdf(name) or name not in files:
        return page()
    framing: Any = csp_replace({"object-src": [SELF], "frame-src": [SELF]})
    response: HttpResponse = framing(page)()
    return response


def _must_open(files: Mapping[str, Any], name: str) -> None:
    """Raises `Refused` for what is no file, and cannot be one."""
    if name not in files:
        editing.must_be_a_path(name)


def _is_text(path: Any) -> bool:
    return path.stat().st_size <= editing.TEXT_BYTES and editing.is_text(path.read_bytes().replace(b"\r", b""))


def _save(request: HttpRequest, shown: Problem, sent: tuple[str, str, str], tab: str) -> HttpResponse:
    """Do what a form of the file's page asks for: `sent` is the file, its text and its base. Raises `Refused`."""
    name, text, base = sent
    what, by = request.POST.get("do", "save"), reader(request)
    if what == "remove":
        editing.remove(by, shown, name, base)
        messages.success(request, _("%(name)s is removed.") % {"name": name})
        return redirect("desk-files", slug=shown.slug)
    if what == "rename":
        new = request.POST.get("new", "").strip().removesuffix("/")
        editing.rename(by, shown, name, new, base)
        messages.success(request, _("%(name)s is called %(new)s now.") % {"name": name, "new": new})
        return redirect("desk-file", slug=shown.slug, name=new)
    if what == "replace":
        other = request.FILES.get("upload")
        if other is None:
            raise Refused(_("Choose the file that takes its place."))
        editing.save(by, shown, name, other.read(), base)
    else:
        editing.save(by, shown, name, text.encode("utf-8", "replace"), base)
    messages.success(request, _("%(name)s is saved in the working copy.") % {"name": name})
    if tab == "statement":
        return redirect(f"{reverse('desk-statement', args=[shown.slug])}?{urlencode({'language': name.split('.')[1]})}")
    return redirect("desk-file", slug=shown.slug, name=name)


@at_desk
@require_POST
def preview(request: HttpRequest, shown: Problem) -> HttpResponse:
    """A statement that is being written, as HTML; nothing is kept."""
    text = request.POST.get("text", "").replace("\r\n", "\n")
    if len(text) > statements.PREVIEW_BYTES:
        return HttpResponse(_("This is too long to be shown while you type. Save it to see it."), status=413)
    name = request.POST.get("name", "statement/problem.en.md")
    if not statements.is_shown(name) or statements.is_pdf(name):
        raise Http404
    try:
        return HttpResponse(statements.preview(shown.slug, _copy(shown).files, name, text, passing=True))
    except Busy:
        return HttpResponse(_("Another statement is being shown: this one comes next."), status=429)


@at_desk
@require_safe
@xframe_options_sameorigin
def raw(request: HttpRequest, shown: Problem, name: str) -> HttpResponse:  # noqa: ARG001
    """The bytes of a file: an image or a PDF shut in by its own policy, everything else to be saved."""
    path = _copy(shown).files.get(name)
    if path is None:
        raise Http404
    if statements.is_pdf(name):
        return shown_pdf(path)
    kind = INLINE.get(path.suffix.lower())
    if kind is None:
        return attachment(
            path.read_bytes(), path.name, mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        )
    response = HttpResponse(path.read_bytes(), content_type=kind)
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return response
