"""A statement of the working copy as students would see it, while it is being written."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from judge.blobs.statements import of_text
from judge.web.highlight import as_text
from judge.web.statement import Sample, render, render_tex
from problems.package.findings import Findings
from problems.package.problem_yaml import read_problem_yaml
from problems.package.tex import NoConverter, Note
from problems.package.tree import MAX_YAML, head

STATEMENT = re.compile(r"(?:statement/problem|solution/solution)\.([A-Za-z-]{2,20})\.(md|tex|pdf)")
IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"})
PREVIEW_BYTES = 256 << 10
"""What is longer is not shown while one types."""
SAMPLE_BYTES = 64 << 10
SAMPLES = 20


def is_shown(name: str) -> bool:
    """Whether this file is a statement, or tells of the solution, so that it can be shown as it will be seen."""
    return STATEMENT.fullmatch(name) is not None


def one_each(names: Iterable[str]) -> list[str]:
    """Of the files `names` the statement that is shown in each language, those that are no text last."""
    found: dict[str, tuple[int, str]] = {}
    for name in names:
        if (match := STATEMENT.fullmatch(name)) is not None:
            one = (("md", "tex", "pdf").index(match[2]), name)
            found[match[1]] = min(one, found.get(match[1], one))
    return [name for _, name in sorted(found.values(), key=lambda one: (one[1].endswith(".pdf"), one[1]))]


def is_pdf(name: str) -> bool:
    """Whether it is one that is shown as the PDF it is."""
    return is_shown(name) and name.endswith(".pdf")


def preview(slug: str, files: Mapping[str, Path], name: str, text: str, *, passing: bool = False) -> SafeString:
    """`text` as the statement `name` of the package with these `files`.

    `passing`: it is still being written; then `Busy` is raised while another text in TeX is being made HTML.
    """
    kind = STATEMENT.fullmatch(name)
    assert kind is not None
    if kind[2] == "pdf":
        return _shown({"pdf": reverse("desk-raw", args=[slug, name])})
    folders = dict.fromkeys((name.partition("/")[0], "statement"))

    def address(image: str) -> str | None:
        paths = (f"{folder}/{image}" for folder in folders)
        found = next((path for path in paths if path in files and _is_image(path)), None)
        return reverse("desk-raw", args=[slug, found]) if found else None

    constants = _constants(files)
    samples = _samples(files) if name.startswith("statement/") else []
    if kind[2] == "md":
        return render(text, constants=constants, samples=samples, image_address=address)
    try:
        made = of_text(text, kind[1], constants, passing=passing)
    except NoConverter as missing:
        return _shown({"text": text, "doubts": (Note(line=1, message=str(missing)),), "samples": samples})
    if made.fault:
        return _shown({"text": text, "doubts": made.notes, "samples": samples})
    html = render_tex(made.html, samples=samples, image_address=address)
    return _shown({"html": html, "doubts": made.notes})


def _shown(facts: Mapping[str, Any]) -> SafeString:
    """As the page of students has it."""
    return render_to_string("instructor/parts/shown.html", {"statement": {"html": None, **facts}})


def _is_image(name: str) -> bool:
    return Path(name).suffix.lower() in IMAGES


def _constants(files: Mapping[str, Path]) -> Mapping[str, str]:
    about = files.get("problem.yaml")
    facts = read_problem_yaml(head(about, MAX_YAML + 1), Findings()) if about else None
    return facts.constants if facts else {}


def _samples(files: Mapping[str, Path]) -> list[Sample]:
    """The samples that are files; those that are made by generators are there once a version is made."""
    names = sorted(name.removesuffix(".in") for name in files if re.fullmatch(r"data/sample/[^/]+\.in", name))
    talks = {
        name.removesuffix(".interaction") for name in files if re.fullmatch(r"data/sample/[^/]+\.interaction", name)
    }
    shown = sorted({*names, *talks})[:SAMPLES]
    return [
        Sample(
            number=number,
            input=_first(files, f"{name}.in.statement", f"{name}.in"),
            output=_first(files, f"{name}.ans.statement", f"{name}.out", f"{name}.ans"),
            interaction=_first(files, f"{name}.interaction"),
        )
        for number, name in enumerate(shown, 1)
    ]


def _first(files: Mapping[str, Path], *names: str) -> str:
    found = next((files[name] for name in names if name in files), None)
    return "" if found is None else as_text(head(found, SAMPLE_BYTES))
