"""Submissions that are judged, without judging anything."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from judge.people.models import User
from judge.submissions.models import Effective, Judgement, Submission
from judge.submissions.record import decimal
from problems.models import Problem

Send = Callable[..., Submission]


@pytest.fixture
def send(paper_problem: Problem) -> Send:
    def make(author: User, assignment: Any, points: Fraction | int = 100, **judgement: Any) -> Submission:
        number = Submission.objects.count()
        sent = Submission.objects.create(
            author=author,
            problem=judgement.pop("problem", paper_problem),
            assignment=assignment,
            language=judgement.pop("language", "cpp17"),
            files=[],
            token=str(number),
        )
        facts = {
            "state": "done",
            "verdict": "accepted" if points == 100 else "wrong_answer",
            "points": decimal(Fraction(points)),
            "out_of": 100,
        } | judgement
        assert paper_problem.live is not None
        judged = Judgement.objects.create(submission=sent, version=paper_problem.live, **facts)
        Effective.objects.create(submission=sent, judgement=judged)
        return sent

    return make
