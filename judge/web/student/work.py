"""A person's own submissions to all problems."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judge.assignments.queries import given_to
from judge.assignments.rules import Standing
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.regrades.queries import Event, lately
from judge.submissions import queries
from judge.web.pages import LongList
from judge.web.student.standing import shown
from judge.web.words import VERDICT_WORDS, title_of
from problems.models import Problem

PAGE = 50


@login_required
@require_safe
def work(request: HttpRequest) -> HttpResponse:
    """What is assigned and how far one is with it; then everything sent, filtered by `?problem=` and `?verdict=`."""
    assert isinstance(request.user, User)
    assigned = shown(request.user, given_to(request.user, archived=True))
    mine = queries.submissions(request.user, author=request.user)
    sent_to = Problem.objects.filter(pk__in=mine.order_by().values("problem")).select_related("live")
    slug, verdict = request.GET.get("problem", ""), request.GET.get("verdict", "")
    found = mine.filter(problem__slug=slug) if slug else mine
    if verdict in set(Verdict):
        found = found.filter(effective__judgement__verdict=verdict)
    page = LongList(found, PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "student/work.html",
        {
            "here": "work",
            "page": page,
            "news": [(one, _title(one)) for one in lately(request.user)],
            "current": [row for row in assigned if row.standing is not Standing.CLOSED],
            "closed": [row for row in reversed(assigned) if row.standing is Standing.CLOSED],
            "problems": [(one.slug, title_of(one.slug, one.live)) for one in sent_to],
            "verdicts": [(one.value, VERDICT_WORDS[one]) for one in Verdict],
            "problem": slug,
            "verdict": verdict,
        },
    )


def _title(event: Event) -> str:
    problem = event.after.submission.problem if event.after else None
    return title_of(problem.slug, problem.live) if problem else ""
