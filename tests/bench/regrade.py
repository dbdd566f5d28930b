"""A regrade against judging everything again, for each kind of change: `./palfrey bench regrade`.

Makes a site of its own in a folder that is thrown away: problems of 20 cases, students, programs right and wrong in
Python and C++, all judged. Then, for each kind of change, a version with just that one is published and the same
regrade is done twice in this process, one after the other: with what is known, and with everything run anew. Prints
runs and seconds of both, their ratios, and how many verdicts or points differ (none may, but for what is unstable).
The bound for what changes cases is 0.02 + 1.3 times the share of the CPU time that the runs of those cases have.
With `--compared 400` both are done on the first 400 submissions, and the regrade of all of them follows: for sizes at
which judging everything again for each kind would take hours.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

HEAD = "import sys, time\nn = int(sys.stdin.readline())\n"
BURN = "def burn(s):\n    while time.process_time() < s: pass\n"
PYTHON = {
    "right": HEAD + "print(2 * n)\n",
    "another right": HEAD + "print(n + n)\n",
    "wrong for negatives": HEAD + "print(abs(2 * n))\n",
    "wrong": HEAD + "print(4)\n",
    "crash": HEAD + "if n == 13: 1 / 0\nprint(2 * n)\n",
    "a word too many": HEAD + "print(2 * n, 'ok')\n",
    "works for 0.9 s once": HEAD + BURN + "if n == 17: burn(0.9)\nprint(2 * n)\n",
}
SLOW = HEAD + "while n == 18: pass\nprint(2 * n)\n"
CPP = "#include <iostream>\nint main() {{ long long n; std::cin >> n; std::cout << {} << '\\n'; }}\n"
CPP_PROGRAMS = (CPP.format("2 * n"), CPP.format("n + n"), CPP.format("(n > 15 ? 0 : 2 * n)"))
CHECKER = """\
import sys
want = open(sys.argv[2]).read().split()
got = sys.stdin.read().split()
sys.exit(42 if got[:1] == want else 43)
"""
OTHER = HEAD + "print(11 if n == 5 else 2 * n)\n"
LIMIT = 2


def yaml(slug: str, number: int, limit: float) -> str:
    return (
        f'problem_format_version: "2025-09"\nname: {slug}\nuuid: 00000000-0000-4000-8000-{number:012}\n'
        f"license: public domain\nlimits: {{time_limit: {limit}, time_resolution: 0.1, memory: 256}}\n"
    )


def package(slug: str, number: int, cases: int, changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """One problem: the double of a number; case 2 is negative, 13 crashes, 17 and 18 are slow for some."""
    files = {
        "problem.yaml": yaml(slug, number, LIMIT),
        "statement/problem.en.md": "Print the double of a number.\n",
        "data/sample/1.in": "2\n",
        "data/sample/1.ans": "4\n",
        "input_validators/number.py": "import sys\nsys.exit(42 if sys.stdin.read().strip('-\\n').isdigit() else 43)\n",
        "submissions/accepted/twice.py": PYTHON["right"],
        "submissions/wrong_answer/abs.py": PYTHON["wrong for negatives"],
    }
    for case in range(1, cases):
        value = -7 if case == 2 else case
        files[f"data/secret/{case:02}.in"] = f"{value}\n"
        files[f"data/secret/{case:02}.ans"] = f"{2 * value}\n"
    return files | dict(changes or {})


KINDS: dict[str, tuple[dict[str, str], float | None]] = {
    # what is changed, and the bound of the ratio; None: by the share of the cases
    "nothing": ({}, 0.02),
    "points": ({"data/secret/test_group.yaml": "max_score: 60\n"}, 0.02),
    "checker": ({"output_validator/first.py": CHECKER}, 0.15),
    "case added": ({"data/secret/30.in": "30\n", "data/secret/30.ans": "60\n"}, None),
    "answer mended": ({"data/secret/05.ans": "11\n", "submissions/accepted/twice.py": OTHER}, None),
    "limit lowered": ({"limit": "0.6"}, None),
    "limit raised": ({"limit": "4"}, None),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="palfrey bench regrade", description=__doc__)
    parser.add_argument("--problems", type=int, default=2)
    parser.add_argument("--students", type=int, default=10)
    parser.add_argument("--submissions", type=int, default=40, help="all together")
    parser.add_argument("--compared", type=int, help="how many of them are judged anew as well; all, unless told")
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="palfrey-bench-"))
    os.environ.update(
        PALFREY_LOCAL="1",
        PALFREY_VAR=str(folder),
        PALFREY_CACHE=str(folder / "cache"),
        DJANGO_SETTINGS_MODULE="judge.config.settings",
        PALFREY_LOG_LEVEL="ERROR",
        PALFREY_SUBMISSIONS_A_MINUTE="1000000",
        PALFREY_UNFINISHED_SUBMISSIONS="1000000",
        REDIS_URL=f"unix://{folder}/nothing.sock",
    )
    try:
        import django

        django.setup()
        from tests.bench import regrade_site

        found = regrade_site.measure(options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps(found))
    return 1 if any(one["different"] or one.get("all_different") for one in found["kinds"].values()) else 0


def sources(random_source: random.Random, number: int) -> tuple[str, str]:
    """Language and text of a program; each but for C++ is another one."""
    if number % 20 == 19:
        return "python3", f"{SLOW}# {number}\n"
    if number % 8 == 0:
        return "cpp17", CPP_PROGRAMS[number // 8 % len(CPP_PROGRAMS)]
    return "python3", f"{random_source.choice(list(PYTHON.values()))}# {number}\n"


def seconds_since(began: float) -> float:
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
