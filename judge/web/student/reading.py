"""What there is to read about a problem: its statement in the reader's language, its samples, its attachments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from judge.blobs import store
from judge.blobs.statements import converted
from judge.blobs.versions import package_of
from judge.web.highlight import as_text
from judge.web.statement import Sample, render, render_tex
from judge.web.tongue import best, instead, name_of
from problems.models import Case, Version
from problems.package.model import Content, Package
from problems.package.pdf import shows_only
from problems.package.prose import image_file, solutions
from problems.package.tex import NoConverter, Note

SAMPLE_BYTES = 64 << 10
"""What is beyond this of a sample is not printed beside the statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file of the package that everybody may have."""

    name: str
    address: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A statement, or the description of a solution, as a page shows it: exactly one of `html`, `text`, `pdf`."""

    language: str
    instead: str = ""
    """A sentence where it is not in the reader's language, which nobody has asked for."""
    others: tuple[tuple[str, str], ...] = ()
    """Codes and names of the other languages in which there is one."""
    html: SafeString | None = None
    text: str = ""
    """TeX that could not be made HTML, as it was written."""
    pdf: str = ""
    pdf_shown: bool = True
    """Whether the PDF does nothing but show pages, so that this page may show it; else it is there to be saved."""
    """Address of a PDF."""
    doubts: tuple[Note, ...] = ()
    """What its author should know, for staff."""
    samples: tuple[Sample, ...] = ()
    """Those that are to be listed beside a text or PDF."""
    downloads: str = ""
    """Address of the samples as an archive, or empty when there are none."""
    attachments: tuple[Attached, ...] = ()


def reading_of(version: Version, wished: str, *, staff: bool) -> Reading | None:
    """The statement in the language `wished`, else the page's, else English, else any; None when there is none."""
    package = package_of(version)
    samples = samples_of(version)
    at = (version.problem.slug, version.number)
    return _reading(
        package,
        package.statements,
        wished,
        samples=samples,
        images=[package.root / "statement"],
        image_view="statement-image",
        pdf_view="statement-pdf",
        at=at,
        staff=staff,
        downloads=reverse("samples", args=at) if samples else "",
        attachments=tuple(
            Attached(name=name, address=reverse("attachment", args=[*at, name]), size=path.stat().st_size)
            for name, path in package.attachments.items()
        ),
    )


def solution_of(version: Version, wished: str) -> Reading | None:
    """How the problem is solved, as `reading_of` gives the statement. For staff only."""
    package = package_of(version)
    return _reading(
        package,
        solutions(package),
        wished,
        samples=(),
        images=[package.root / "solution", package.root / "statement"],
        image_view="solution-image",
        pdf_view="solution-pdf",
        at=(version.problem.slug, version.number),
        staff=True,
    )


def page_of(reading: Reading | None, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The page that `make` makes of `reading`: one with a PDF may frame what is of this site, no other anything."""
    if reading is None or not (reading.pdf and reading.pdf_shown):
        return make()
    with_objects: Any = csp_replace({"object-src": [SELF], "frame-src": [SELF]})
    page: HttpResponse = with_objects(make)()
    return page


def _reading(
    package: Package,
    texts: Mapping[str, Path],
    wished: str,
    *,
    samples: Sequence[Sample],
    images: Sequence[Path],
    image_view: str,
    pdf_view: str,
    at: tuple[str, int],
    staff: bool,
    **beside: Any,
) -> Reading | None:
    chosen = best(texts, wished)
    if chosen is None:
        return None
    path = texts[chosen]
    beside["instead"] = "" if chosen == wished else instead(chosen)
    beside |= {"language": chosen, "others": tuple((one, name_of(one)) for one in texts if one != chosen)}
    if path.suffix == ".pdf":
        at_pdf = reverse(pdf_view, args=[*at, chosen])
        return Reading(pdf=at_pdf, pdf_shown=shows_only(path), samples=tuple(samples), **beside)
    address = _Addresses(tuple(images), image_view, at)
    if path.suffix == ".md":
        html = _from_markdown(path, tuple(package.constants.items()), tuple(samples), address, get_language())
        return Reading(html=html, **beside)
    doubts: tuple[Note, ...]
    try:
        made = converted(path, chosen, package.constants)
    except NoConverter as missing:
        fault, doubts = str(missing), (Note(line=1, message=str(missing)),)
    else:
        fault, doubts = made.fault, made.notes
    beside |= {"doubts": doubts if staff else ()}
    if fault:
        return Reading(text=as_text(path.read_bytes()), samples=tuple(samples), **beside)
    return Reading(html=_from_tex(made.html, tuple(samples), address, get_language()), **beside)


@dataclass(frozen=True, slots=True)
class _Addresses:
    """Gives images that are in one of `folders` their address."""

    folders: tuple[Path, ...]
    view: str
    at: tuple[str, int]

    def __call__(self, name: str) -> str | None:
        return reverse(self.view, args=[*self.at, name]) if image_file(self.folders, name) else None


# A text is always made the same page: the folder of an unpacked package is called after its content.
@lru_cache(maxsize=64)
def _from_markdown(
    path: Path,
    constants: tuple[tuple[str, str], ...],
    samples: tuple[Sample, ...],
    address: _Addresses,
    _words_in: str | None,
) -> SafeString:
    return render(as_text(path.read_bytes()), constants=dict(constants), samples=samples, image_address=address)


@lru_cache(maxsize=64)
def _from_tex(draft: str, samples: tuple[Sample, ...], address: _Addresses, _words_in: str | None) -> SafeString:
    return render_tex(draft, samples=samples, image_address=address)


def samples_of(version: Version) -> list[Sample]:
    """The samples as their author wants them printed, which may differ from what is run; some are only shown."""
    package = package_of(version)
    written = {case.name: case for case in package.cases}
    rows: dict[str, Case | None] = {case.name: case for case in version.cases.filter(group="sample")}
    rows |= dict.fromkeys(package.shown.keys() - rows.keys())
    return [
        _sample(
            number,
            rows[name],
            written[name].extras if name in written else package.shown.get(name, {}),
            written[name].files if name in written else {},
        )
        for number, name in enumerate(sorted(rows), 1)
    ]


def _sample(number: int, case: Case | None, extras: Mapping[str, Content], files: Mapping[str, Path]) -> Sample:
    beside = tuple((name, _printed(path)) for name, path in sorted(files.items()))
    if "interaction" in extras:
        return Sample(number=number, interaction=_printed(extras["interaction"]), files=beside)
    given = extras.get("in.statement") or (store.path(case.input) if case else extras.get("in", b""))
    answer = extras.get("ans.statement", extras.get("out")) or (
        store.path(case.answer) if case else extras.get("ans", b"")
    )
    return Sample(number=number, input=_printed(given), output=_printed(answer), files=beside)


def _printed(content: Content) -> str:
    if isinstance(content, Path):
        with content.open("rb") as file:
            content = file.read(SAMPLE_BYTES + 1)
    return as_text(content[:SAMPLE_BYTES]) + ("…" if len(content) > SAMPLE_BYTES else "")
