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
