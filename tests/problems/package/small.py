"""A small good package, to be read as it is or broken in one place."""

from collections.abc import Mapping
from pathlib import Path

PROBLEM = """\
problem_format_version: 2025-09
name: Doubles
uuid: 8e0f4d3c-1f6c-4d59-9a55-0c2a5d8f0001
license: cc by
credits: Ada Example <ada@example.org>
limits:
  time_limit: 1
"""
VALIDATOR = "import sys\nsys.exit(42 if sys.stdin.readline().strip().isdigit() else 43)\n"
FILES: Mapping[str, str | bytes] = {
    "problem.yaml": PROBLEM,
    "statement/problem.en.md": "Print twice the number.\n",
    "input_validators/digits.py": VALIDATOR,
    "submissions/accepted/double.py": "print(2 * int(input()))\n",
    "submissions/wrong_answer/same.py": "print(input())\n",
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "2\n",
    "data/secret/01-two.in": "2\n",
    "data/secret/01-two.ans": "4\n",
}

Changes = Mapping[str, str | bytes | None]
"""Path -> new content; None: no such file."""


def write(folder: Path, changes: Changes | None = None) -> Path:
    """Write the package to `folder`/doubles with `changes`, and give its folder."""
    root = folder / "doubles"
    for name, content in {**FILES, **(changes or {})}.items():
        if content is not None:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def problem(more: str = "", *, without: str = "") -> str:
    """problem.yaml with lines added, and the lines that start with `without` left out."""
    kept = [line for line in PROBLEM.splitlines() if not (without and line.startswith(without))]
    return "\n".join([*kept, more]).rstrip("\n") + "\n"


SCORING = problem("type: scoring")
