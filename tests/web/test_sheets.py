"""The style sheets: a class that one of them styles by itself means the same in every other."""

import re
from collections import defaultdict
from pathlib import Path

from django.conf import settings

STATIC: Path = settings.BASE_DIR / "judge/web/static/web"
SHEETS = ("verdict", "shelf", "workbench", "authoring", "course", "regrades", "feedback", "lesson")
"""Those that stand on one page and are not about elements and parts that all pages have."""
MEANT = frozenset(
    {
        "c",
        "case-name",
        "code",
        "down",
        "editor",
        "item",
        "key",
        "list",
        "matrix",
        "meter",
        "output",
        "sample",
        "state",
        "up",
        "ways",
    }
)
"""Classes that another sheet goes on with, and means to."""


def selectors(sheet: str) -> list[str]:
    text = re.sub(r"/\*.*?\*/", "", (STATIC / f"{sheet}.css").read_text(), flags=re.DOTALL)
    heads = re.findall(r"([^{}]+)\{", text)
    return [one.strip() for head in heads for one in re.sub(r"\([^)]*\)", "", head).split(",")]


def test_no_class_means_something_else_in_another_sheet() -> None:
    alone, used = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for sheet in SHEETS:
        for selector in selectors(sheet):
            for name in re.findall(r"\.([a-zA-Z][\w-]*)", selector):
                used[name].add(sheet)
            if re.fullmatch(r"\.[\w-]+", selector):
                alone[selector[1:]].add(sheet)
    assert {name: used[name] for name in alone if len(used[name]) > 1 and name not in MEANT} == {}
    assert [name for name, sheets in alone.items() if len(sheets) > 1] == []
