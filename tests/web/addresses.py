"""Addresses of feedback and grades, for the table of `test_access`: what nobody gets, who gets 200, what others get."""

from collections.abc import Iterable

SIGN_IN, NOT_FOUND = 302, 404
STAFF = {"tom", "ines", "ada"}

FEEDBACK: dict[tuple[str, tuple[object, ...]], tuple[int, Iterable[str], int]] = {
    ("submission-replay", ("SENT",)): (SIGN_IN, (), NOT_FOUND),
    ("submission-picture", ("SENT", 1)): (SIGN_IN, (), NOT_FOUND),
    ("assignment-help", ("algorithms", "OPEN")): (SIGN_IN, STAFF, NOT_FOUND),
    ("assignment-help", ("algorithms", "DRAFT")): (SIGN_IN, STAFF, NOT_FOUND),
}

GRADES = (("grade-cell", ("ENTRY", "SAM")), ("problem-statistics", ("ENTRY",)), ("similarity", ("ENTRY",)),
          ("similarity-pair", ("ENTRY", "SENT", "SENT")))  # fmt: skip
"""Pages of a course about the work for one problem."""

ODD = [
    "/nothing",
    "/problems/none/",
    "/problems/twice/v1/..%2fproblem.yaml",
    "/problems/twice/v1/problem.en.md",
    "/problems/twice/v9/two.svg",
    "/problems/twice/v1/a%00.png",
    f"/problems/twice/v1/{'a' * 300}.png",
    f"/problems/twice/v1/{'a/' * 3000}a.png",
    "/problems/twice/v1/%ED%A0%80.png",
    "/problems/twice/v999999999999999999999/two.svg",
    "/submissions/999999999999999999999/",
    "/problems/twice/lesson/2/",
    "/problems/twice/lesson/?figure=9&n=x",
    "/problems/twice/lesson/?figure=1&n=%00&n=\u00b2",
    f"/problems/twice/lesson/?figure={'9' * 5000}",
    f"/problems/twice/lesson/1/?n={'9' * 5000}",
    "/submissions/7/cases/1/stdout",
    "/?page=x%00",
]
"""Addresses that nobody meant: each is answered, and by no fault."""
