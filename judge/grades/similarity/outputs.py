"""Who printed the same wrong thing on the same case, where hardly anybody else did."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from django.db.models import Count, QuerySet

from judge.grades.similarity.report import SameOutput
from judge.grading.verdict import Verdict
from judge.submissions.models import CaseResult, Submission

RARE = 8
"""One of so many people may have it, or two in all."""
MOST = 5_000
"""Common outputs that are looked at."""


def same_rare_outputs(
    sent: QuerySet[Submission, Submission], people: int
) -> dict[tuple[int, int], Sequence[SameOutput]]:
    """(author, author), lesser number first -> what both got wrong alike; two queries. `people`: how many have sent."""
    wrong = CaseResult.objects.filter(
        judgement__effective__submission__in=sent.order_by().values("pk"), verdict=Verdict.WRONG_ANSWER
    ).exclude(output="")
    author = "judgement__submission__author"
    counted = wrong.order_by().values("name", "output").annotate(people=Count(author, distinct=True))
    rare = counted.filter(people__gte=2, people__lte=max(2, people // RARE)).order_by("-people", "name", "output")
    wanted = {(name, output) for name, output in rare.values_list("name", "output")[:MOST]}
    who: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    if wanted:
        rows = wrong.filter(output__in=rare.order_by().values("output")).order_by("judgement__submission")
        for name, output, person, submission in rows.values_list("name", "output", author, "judgement__submission"):
            if (name, output) in wanted:
                who[name, output].setdefault(person, submission)
    found: dict[tuple[int, int], list[SameOutput]] = defaultdict(list)
    for (name, output), submissions in sorted(who.items()):
        for one, other in combinations(sorted(submissions), 2):
            found[one, other].append(
                SameOutput(case=name, digest=output, submissions=(submissions[one], submissions[other]))
            )
    return dict(found)
