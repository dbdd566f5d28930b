"""A new package to start from: complete and right, with one file of each sort, and words that say what to put in."""

import uuid as uuids
from pathlib import Path

from problems.package.draft import dump

HERE = Path(__file__).parent / "template"


def lay_out(into: Path, *, title: str) -> str:
    """Write a new package to the folder `into`, which must not exist; its name is the problem's. Gives its uuid."""
    uuid = str(uuids.uuid4())
    for source in sorted(HERE.rglob("*")):
        if source.is_file():
            target = into / source.relative_to(HERE)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    about = into / "problem.yaml"
    head = dump({"problem_format_version": "2025-09", "name": {"en": title}, "uuid": uuid})
    about.write_bytes(head + about.read_bytes())
    return uuid
