"""Writes a small package to disk: the sum of two numbers, with one sample and three generated secret cases."""

from collections.abc import Mapping
from pathlib import Path

FILES = {
    "problem.yaml": """problem_format_version: 2025-09
name: Plus
uuid: 6d9a3f6c-6a63-4f9f-9a9e-1f8d7f2f4f10
limits:
  time_limit: 1
  memory: 256
  output: 2
""",
    "statement/problem.en.md": "Print the sum of two numbers.\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "generators/pair.py": "import sys\n\nprint(sys.argv[1], int(sys.argv[2]) % 100)\n",
    "generators/generators.yaml": """solution: /submissions/accepted/plus.py
data:
  secret:
    data:
      first: pair.py 5 {seed}
      second: pair.py 6 {seed}
      third: pair.py 7 {seed}
""",
    "input_validators/two.py": (
        "import re\nimport sys\n\nsys.exit(42 if re.fullmatch(r'-?\\d+ -?\\d+\\n', sys.stdin.read()) else 43)\n"
    ),
    "submissions/accepted/plus.py": "print(sum(map(int, input().split())))\n",
    "submissions/wrong_answer/minus.py": "a, b = map(int, input().split())\nprint(a - b)\n",
    "submissions/run_time_error/crash.py": "print(input()[99])\n",
}


def write_package(folder: Path, changes: Mapping[str, str] | None = None) -> Path:
    """Write it to `folder/plus`, with some files replaced, and return its path."""
    root = folder / "plus"
    for name, text in {**FILES, **(changes or {})}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root
