"""Whoever is found wrong by a regrade is helped like anybody else, after those who have just sent something."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db.models import F
from django.utils import timezone

from judge.feedback.models import Search
from judge.feedback.queries import search_of
from judge.feedback.tasks import run
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.regrades import actions
from judge.submissions.models import Submission
from judge.submissions.sweeper import sweep
from judge.submissions.tasks import work
from problems.models import Problem
from tests.broker import Broker
from tests.regrades.conftest import ABS, Publish, judge_all, regraded
from tests.regrades.test_regrade import ABSOLUTE
from tests.shelf import RIGHT
from tests.workers import send

pytestmark = pytest.mark.django_db(transaction=True)
MESSAGES = "feedback\x06\x16{}"
"""Where the broker keeps the messages of one priority."""


def test_what_fell_is_looked_into(
    broker: Broker, twice: Problem, student: User, classmate: User, publish_again: Publish
) -> None:
    fell = [send(author, twice, RIGHT, "falls") for author in (student, classmate)]
    send(student, twice, ABS, "rises")
    judge_all()
    old = Search.objects.get()
    version = publish_again(ABSOLUTE | {"palfrey/feedback.yaml": 'small:\n  inputs: ["1\\n", "-1\\n"]\n'})
    regrade = regraded()
    assert set(Search.objects.all()) == {old}, "nothing counts yet"
    broker.empty()
    actions.apply(None, regrade, "all")
    search = Search.objects.exclude(pk=old.pk).get()
    assert (search.version, search.submission) == (version, fell[0]), "the same program is looked into once"
    assert search.due > timezone.now() + timedelta(hours=12)
    assert search.needs.endswith(" python3")
    Search.objects.update(hinted=F("hinted") - timedelta(seconds=31))
    sweep()
    assert [broker.client.llen(MESSAGES.format(priority)) for priority in (3, 6)] == [1, 1], "the new one goes after"
    assert work(Search, search.pk, run, "here")
    for sent in Submission.objects.filter(pk__in=[one.pk for one in fell]).select_related("effective__judgement"):
        assert sent.effective.judgement.verdict == Verdict.WRONG_ANSWER
        found = search_of(sent.author, sent, sent.effective.judgement)
        assert found is not None
        assert found.result["counterexample"]["found"]
    actions.revert(None, regrade)
    assert Search.objects.count() == 2


def test_where_nothing_is_looked_for_nothing_is_owed(
    twice: Problem, student: User, publish_again: Publish, settings: LazySettings
) -> None:
    settings.FEEDBACK_SECONDS = 0
    send(student, twice, RIGHT, "falls")
    judge_all()
    publish_again(ABSOLUTE)
    actions.apply(None, regraded(), "all")
    assert not Search.objects.exists()
