"""A statement of the working copy as students would see it, while it is being written."""

import re
from collections.abc import Mapping
from pathlib import Path

from django.urls import reverse
from django.utils.safestring import SafeString

from judge.web.highlight import as_text
from judge.web.statement import Sample, render
from problems.package.findings import Findings
from problems.package.problem_yaml import read_problem_yaml
from problems.package.tree import MAX_YAML, head

STATEMENT = re.compile(r"statement/problem\.([A-Za-z-]{2,20})\.md")
IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"})
PREVIEW_BYTES = 256 << 10
"""What is longer is not shown while one types."""
SAMPLE_BYTES = 64 << 10
SAMPLES = 20


def is_shown(name: str) -> bool:
    """Whether this file is a statement that can be shown."""
    return STATEMENT.fullmatch(name) is not None


def preview(slug: str, files: Mapping[str, Path], text: str) -> SafeString:
    """`text` as a statement of the package with these `files`."""

    def address(name: str) -> str | None:
        path = f"statement/{name}"
        return reverse("desk-raw", args=[slug, path]) if path in files and _is_image(path) else None

    return render(text, constants=_constants(files), samples=list(_samples(files)), image_address=address)


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
