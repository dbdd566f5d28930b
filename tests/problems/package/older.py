"""The small good package of `small.py` as the older formats have it, and a ZIP of any package."""

import io
import zipfile
from collections.abc import Mapping

from tests.problems.package.small import FILES, VALIDATOR, Changes

LEGACY: Mapping[str, str | bytes] = {
    "problem.yaml": (
        "name: Doubles\nuuid: 8e0f4d3c-1f6c-4d59-9a55-0c2a5d8f0001\nlicense: cc by\nauthor: Ada Example\n"
        "limits:\n  time_limit: 1\n"
    ),
    "problem_statement/problem.en.tex": "\\problemname{Doubles}\nPrint twice the number.\n",
    "input_format_validators/digits.py": VALIDATOR,
    "submissions/accepted/double.py": "print(2 * int(input()))\n",
    "submissions/wrong_answer/same.py": "print(input())\n",
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "2\n",
    "data/secret/01-two.in": "2\n",
    "data/secret/01-two.ans": "4\n",
}
ALMOST: Changes = {
    "statement/problem.en.md": None,
    "statement/problem.en.tex": LEGACY["problem_statement/problem.en.tex"],
}
"""What the package of `small.py` must change to be the same problem as `LEGACY`."""


def zipped(changes: Changes | None = None, *, of: Mapping[str, str | bytes] = LEGACY) -> bytes:
    """A ZIP of a package with changes; None: no such file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**of, **(changes or {})}.items():
            if content is not None:
                archive.writestr(name, content)
    return buffer.getvalue()


def current(changes: Changes | None = None) -> bytes:
    """A ZIP of the package of `small.py`."""
    return zipped(changes, of=FILES)
