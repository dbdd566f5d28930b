"""What a page shows of a package beside its programs and cases: statements, solutions and their images."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path

from problems.package.model import Finding, Package, Severity
from problems.package.pdf import shows_only
from problems.package.tex import Converted, NoConverter
from problems.say import say

IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
_SOLUTION = re.compile(r"solution(?:\.([a-z]{2,3}(?:-[A-Z]{2})?))?\.(md|tex|pdf)")
_TEX_NEXT = re.compile(r"\\nextsample\b")
_MARKDOWN_NEXT = re.compile(r"\{\{\s*nextsample\s*\}\}")
_MARKDOWN_CONSTANT = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)?)\s*\}\}")
_MARKDOWN_IMAGE = re.compile(r"!\[[^\]]*\]\(\s*<?([^)\s>]+)")
_MARKDOWN_CODE = re.compile(
    r"^(`{3,}|~{3,}).*?(?:^\1|\Z)|(`+)(?!`).+?(?<!`)\2(?!`)|\$\$.*?\$\$|\$[^$\n]*\$", re.DOTALL | re.MULTILINE
)
"""What of Markdown is no prose: code, and formulas."""
_TAG = re.compile(
    r"<!--|</?(a|b|br|center|code|details|div|em|font|h[1-6]|hr|i|iframe|img|li|ol|p|pre|script|span|strong|style|sub"
    r"|sup|svg|table|td|th|tr|tt|u|ul)(\s+[a-z-]+\s*=[^<>]*|\s*/?)>",
    re.IGNORECASE,
)
_HTML_IMAGE = re.compile(r'<(?:img|embed) src="([^"]*)"')

Converter = Callable[[Path, str, Mapping[str, str]], Converted]
"""Makes HTML of a statement in TeX: its file, its language, the package's constants. May raise `NoConverter`."""


def image_file(folders: Sequence[Path], name: str) -> Path | None:
    """The image `name`, which may be anything, in the first of `folders` that has it; TeX may leave its ending out."""
    for folder in folders:
        for ending in ("", *IMAGES):
            try:
                file = (folder / (name + ending)).resolve()
                inside = file.is_relative_to(folder.resolve()) and file.is_file()
            except (OSError, ValueError):  # a name that no file can have: too long, or with a NUL
                continue
            if inside and file.suffix.lower() in IMAGES:
                return file
    return None


def solutions(package: Package) -> dict[str, Path]:
    """Language code -> description of how the problem is solved, for staff only."""
    found: dict[str, Path] = {}
    for path in sorted((package.root / "solution").glob("solution.*")):
        match = _SOLUTION.fullmatch(path.name)
        if match is not None and path.is_file():
            found.setdefault(match[1] or "en", path)
    return found


def check_statements(package: Package, convert: Converter) -> Iterator[Finding]:
    """What of the package's statements and solutions a page will not show as it is meant. Nothing here is an error."""
    samples = sum(case.group == "sample" for case in package.cases) + len(package.shown)
    images = package.root / "statement"
    for language, path in package.statements.items():
        yield from _check(package, path, language, convert, folders=[images], samples=samples)
    for language, path in solutions(package).items():
        yield from _check(package, path, language, convert, folders=[path.parent, images], samples=samples)


def _check(
    package: Package, path: Path, language: str, convert: Converter, *, folders: Sequence[Path], samples: int
) -> Iterator[Finding]:
    where = path.relative_to(package.root).as_posix()
    if path.suffix == ".pdf":
        if not shows_only(path):
            message = say(
                "said",
                "This PDF may hold a script or a form, or cannot be looked through: it is not shown in the page, "
                "but offered to be saved. Print it to a new PDF to mend that.",
            )
            yield _warning(where, "acting-pdf", message)
        return
    text = path.read_bytes().decode("utf-8", "replace")
    if path.suffix == ".md":
        images = [(found[1], _line(text, found.start())) for found in _MARKDOWN_IMAGE.finditer(text)]
        yield from _check_markdown(package, where, text)
    else:
        try:
            converted = convert(path, language, package.constants)
        except NoConverter as missing:
            meanwhile = say("said", "Until then its TeX is shown as text.")
            yield _warning(where, "no-converter", f"{missing} {meanwhile}")
            return
        if converted.fault:
            yield _warning(
                where,
                "tex",
                say(
                    "said", "This cannot be made a page, so its TeX is shown as text: %(fault)s", fault=converted.fault
                ),
            )
            return
        for note in converted.notes:
            yield _warning(f"{where}:{note.line}", "tex", note.message)
        names = [unescape(name) for name in _HTML_IMAGE.findall(converted.html)]
        images = [(name, _line(text, max(text.find(name), 0))) for name in names]
    for name, line in images:
        if image_file(folders, name) is None:
            yield _warning(f"{where}:{line}", "image", _no_image(name))
    asked = (_MARKDOWN_NEXT if path.suffix == ".md" else _TEX_NEXT).findall(text)
    if len(asked) > samples:
        message = say(
            "said",
            "The next sample is asked for %(asked)s times, but there are %(there)s: remove the rest.",
            asked=len(asked),
            there=samples,
        )
        yield _warning(where, "samples", message)


def _check_markdown(package: Package, where: str, text: str) -> Iterator[Finding]:
    """What in Markdown will stand there as it is written: constants that nobody names, and HTML."""
    for found in _MARKDOWN_CONSTANT.finditer(text):
        if found[1] not in package.constants and found[1] not in ("nextsample", "remainingsamples"):
            message = say("said", "There is no constant `%(name)s`: name it in problem.yaml.", name=found[1])
            yield _warning(f"{where}:{_line(text, found.start())}", "constant", message)
    prose = _MARKDOWN_CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
    if tag := _TAG.search(prose):
        message = say(
            "said", "HTML is shown as it is written, as `%(tag)s` here: write it in Markdown.", tag=tag[0][:40]
        )
        yield _warning(f"{where}:{_line(prose, tag.start())}", "html", message)


def _no_image(name: str) -> str:
    if name.lower().endswith((".pdf", ".eps")):
        return say(
            "said", "`%(name)s` cannot be shown on a page: add the image as PNG or SVG and name that.", name=name[:80]
        )
    return say(
        "said",
        "There is no image `%(name)s` in the package: add it as PNG, JPEG or SVG beside the statement.",
        name=name[:80],
    )


def _warning(where: str, rule: str, message: str) -> Finding:
    return Finding(severity=Severity.WARNING, where=where, rule=rule, message=message)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
