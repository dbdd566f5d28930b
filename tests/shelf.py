"""A small real problem for the tests of rows, queue and pages: read a number, print its double."""

from collections.abc import Mapping
from pathlib import Path

FILES: Mapping[str, str] = {
    "problem.yaml": """\
problem_format_version: "2025-09"
name: Twice
uuid: 5bd0a0a6-2f4b-4c1e-9a53-7f4f0f1f2a10
license: public domain
limits:
  time_limit: 1
  memory: 256
""",
    "statement/problem.en.md": "Read a number and print its double.\n",
    "data/sample/1.in": "2\n",
    "data/sample/1.ans": "4\n",
    "input_validators/number.py": """\
import re
import sys

sys.exit(42 if re.fullmatch(r"-?[0-9]{1,9}\\n", sys.stdin.read()) else 43)
""",
    "submissions/accepted/twice.py": "print(2 * int(input()))\n",
    "generators/generators.yaml": """\
solution: /submissions/accepted/twice.py
data:
  secret:
    data:
      1: {in: "21\\n"}
      2: {in: "-7\\n"}
      3: {generate: count.py 300}
""",
    "generators/count.py": "import sys\n\nprint(sys.argv[1])\n",
}

RIGHT = b"print(2 * int(input()))\n"
WRONG = b"print(4)\n"
SLOW = b"import time\ntime.sleep(0.6)\nprint(2 * int(input()))\n"
"""Right, but a judging of all four cases takes about three seconds and hardly any CPU."""


def write_package(folder: Path, changes: Mapping[str, str | None] | None = None) -> Path:
    """Write the package; `changes` maps a path to other text, or to None for a file that is to be missing."""
    for name, text in {**FILES, **(changes or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_text(text, encoding="utf-8")
    return folder
