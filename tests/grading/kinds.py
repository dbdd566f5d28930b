"""Writes small packages of every kind to disk: one that talks, one of two passes, one of answers, one with groups."""

from collections.abc import Mapping
from pathlib import Path

from tests.grading.test_interactive import GUESSES, HEAD, RIGHT
from tests.grading.test_multi_pass import CODES
from tests.grading.test_multi_pass import RIGHT as ENCODES

_YAML = """problem_format_version: 2025-09
name: {slug}
uuid: 6d9a3f6c-6a63-4f9f-9a9e-1f8d7f2f4f2{number}
type: [{types}]
limits:
  time_limit: 1
  memory: 256
  validation_time: 5
"""
ANY = "import sys\n\nsys.exit(42 if sys.stdin.read().endswith('\\n') else 43)\n"
WORTH = "max_score: {points}\nscore_aggregation: {how}\n"

KINDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "guess": (
        "pass-fail, interactive",
        {
            "data/sample/1.in": "37\n",
            "data/sample/1.ans": "",
            "data/sample/1.interaction": ">50\n<lower\n>37\n<right\n",
            "data/secret/1.in": "1\n",
            "data/secret/1.ans": "",
            "generators/one.py": "import sys\n\nprint(sys.argv[1])\n",
            "generators/generators.yaml": "data:\n  secret:\n    data:\n      last: one.py 100\n",
            "output_validator/guess.py": GUESSES,
            "submissions/accepted/halves.py": HEAD + RIGHT,
            "submissions/wrong_answer/always.py": HEAD + "while ask(1): pass\n",
            "submissions/run_time_error/asserts.py": HEAD + "assert ask(50) == 'right'\n",
        },
    ),
    "codes": (
        "pass-fail, multi-pass",
        {
            "data/secret/1.in": "encode abc\n",
            "data/secret/1.ans": "",
            "output_validator/codes.py": CODES,
            "submissions/accepted/codes.py": ENCODES,
            "submissions/wrong_answer/same.py": "print(1)\n",
        },
    ),
    "squares": (
        "scoring, submit-answer",
        {
            "data/sample/0.in": "1\n",
            "data/sample/0.ans": "1\n",
            "data/secret/1.in": "2\n",
            "data/secret/1.ans": "4\n",
            "data/secret/2.in": "3\n",
            "data/secret/2.ans": "9\n",
            "submissions/accepted/mine/1.out": "4\n",
            "submissions/accepted/mine/2.out": "9\n",
            "submissions/wrong_answer/half/1.out": "4\n",
            "submissions/submissions.yaml": "wrong_answer/half:\n  score: 50\n",
        },
    ),
    "groups": (
        "scoring",
        {
            **{f"data/secret/{name}/{n}.in": f"{n}\n" for name in ("all", "least", "each") for n in (1, 2)},
            **{f"data/secret/{name}/{n}.ans": f"{n}\n" for name in ("all", "least", "each") for n in (1, 2)},
            "data/secret/all/test_group.yaml": WORTH.format(points=30, how="pass-fail"),
            "data/secret/each/test_group.yaml": WORTH.format(points=50, how="sum"),
            "data/secret/least/test_group.yaml": WORTH.format(points=20, how="min"),
            "submissions/accepted/same.py": "print(input())\n",
            "submissions/wrong_answer/one.py": "print(1)\n",
            "submissions/submissions.yaml": (
                "wrong_answer/one.py:\n  score: 25\n  secret/each:\n    score: 25\n  secret/least:\n    score: 0\n"
            ),
        },
    ),
}


def write_kind(folder: Path, slug: str, changes: Mapping[str, str | None] | None = None) -> Path:
    """Write the package `slug` of `KINDS` with `changes` (None: no such file), and give its folder."""
    types, files = KINDS[slug]
    common = {
        "problem.yaml": _YAML.format(slug=slug, number=list(KINDS).index(slug), types=types),
        "statement/problem.en.md": "Do it.\n",
        "input_validators/any.py": ANY,
    }
    for name, text in {**common, **files, **(changes or {})}.items():
        if text is not None:
            path = folder / slug / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return folder / slug
