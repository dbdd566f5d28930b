"""A new package to start from: `problems/template/`, a small complete problem, under another name."""

import re
import shutil
import uuid
from pathlib import Path

from problems.package.draft import dump
from problems.package.problem_yaml import LONGEST_LINE
from problems.package.read import SLUG
from problems.say import say

TEMPLATE = Path(__file__).parents[1] / "template"


def lay_out(into: Path, slug: str, title: str = "") -> Path:
    """Write a new package to the folder `into/slug` and return that; it is judged and published as it stands.

    `title`: of the problem; when empty it is made of the slug. The uuid is a new one. Raises `ValueError` with a
    sentence for the author when slug or title cannot be taken, `FileExistsError` when the folder is there already.
    """
    title = title.strip() or slug.capitalize()
    if not SLUG.fullmatch(slug):
        raise ValueError(
            say(
                "said",
                "A problem cannot be called “%(slug)s”: use only a-z and 0-9, such as `knightmoves`.",
                slug=slug[:80],
            )
        )
    if len(title) > LONGEST_LINE or not title.isprintable():
        raise ValueError(say("said", "A title is one line of at most %(most)s characters.", most=LONGEST_LINE))
    folder = into / slug
    into.mkdir(parents=True, exist_ok=True)
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    facts = folder / "problem.yaml"
    text = facts.read_text(encoding="utf-8")
    for key, value in (("name", title), ("uuid", str(uuid.uuid4()))):
        line = " ".join(dump({key: value}).decode().split("\n")).rstrip()
        text = re.sub(rf"(?m)^{key}: .*?(?=\s+#|$)", line.replace("\\", r"\\"), text, count=1)
    facts.write_text(text, encoding="utf-8")
    return folder
