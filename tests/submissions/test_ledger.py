"""Who may work on a row, and who may write to it: one at a time, and never after the lease went to somebody else."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.submissions import actions, ledger
from judge.submissions.ledger import Claim, FenceLost, claim
from judge.submissions.models import CaseResult, Judgement, Owed, State, Trial
from judge.submissions.signals import given_up
from problems.models import Problem


@pytest.fixture
def owed(student: User, paper_problem: Problem) -> Judgement:
    sent = actions.submit(student, paper_problem, "cpp17", {"main.cpp": b"int main() {}"}, "form-1")
    return Judgement.objects.get(submission=sent)


def taken(owed: Owed, worker: str = "one") -> Claim[Judgement]:
    found = claim(Judgement, owed.pk, worker)
    assert found is not None
    return found


def fall_silent(owed: Owed) -> None:
    """As if the lease of the row had run out a second ago."""
    type(owed).objects.filter(pk=owed.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def result(judgement: Judgement, position: int = 1) -> CaseResult:
    return CaseResult(
        judgement=judgement,
        position=position,
        name=f"secret/{position}",
        group="secret",
        verdict=Verdict.ACCEPTED,
        cpu_seconds=0.1,
        wall_seconds=0.1,
        memory_bytes=1 << 20,
        points=0,
    )


def test_a_claim_sets_lease_fence_and_attempt(owed: Judgement) -> None:
    row = taken(owed).row
    assert (row.state, row.fence, row.attempt, row.worker) == (State.RUNNING, 1, 1, "one")
    assert row.lease_until is not None
    ahead = row.lease_until - timezone.now()
    assert timedelta(seconds=25) < ahead <= timedelta(seconds=30)
    assert row.started is not None


def test_a_second_message_finds_nothing_to_do(owed: Judgement) -> None:
    first = taken(owed)
    assert claim(Judgement, owed.pk, "two") is None
    with first.finish(verdict=Verdict.ACCEPTED.value):
        pass
    assert claim(Judgement, owed.pk, "two") is None
    assert claim(Judgement, owed.pk + 1, "two") is None


@pytest.mark.django_db(transaction=True)
def test_of_many_claims_at_once_one_wins(owed: Judgement) -> None:
    start = threading.Barrier(8)

    def race(number: int) -> bool:
        try:
            start.wait()
            return claim(Judgement, owed.pk, f"worker {number}") is not None
        finally:
            connection.close()

    for _ in range(5):
        with ThreadPoolExecutor(8) as racers:
            assert sum(racers.map(race, range(8))) == 1
        Judgement.objects.update(state=State.QUEUED, attempt=0)
    assert Judgement.objects.get().fence == 5


def test_a_lease_can_be_renewed_while_nobody_else_has_the_row(owed: Judgement) -> None:
    mine = taken(owed)
    fall_silent(owed)
    assert mine.renew()
    assert claim(Judgement, owed.pk, "two") is None


def test_after_the_lease_somebody_else_may_have_it_and_the_first_may_write_nothing(owed: Judgement) -> None:
    slow = taken(owed, "slow")
    with slow.write(progress="1 of 3"):
        result(owed, 1).save()
    fall_silent(owed)
    quick = taken(owed, "quick")
    assert (quick.row.fence, quick.row.attempt, quick.row.progress) == (2, 2, "")
    assert not CaseResult.objects.exists(), "a new attempt starts from nothing"

    assert not slow.renew()
    assert not slow.holds()
    with pytest.raises(FenceLost), slow.write(progress="2 of 3"):
        result(owed, 2).save()
    with pytest.raises(FenceLost), slow.finish(verdict=Verdict.WRONG_ANSWER.value):
        pass
    assert not slow.give_back("too late")
    with quick.finish(verdict=Verdict.ACCEPTED.value):
        result(owed, 1).save()
    row = Judgement.objects.get()
    assert (row.state, row.verdict, row.worker, row.progress) == (State.DONE, Verdict.ACCEPTED, "quick", "")
    assert CaseResult.objects.count() == 1
    assert row.finished is not None
    assert row.finished - timezone.now() < timedelta(seconds=5)


def test_a_write_that_fails_leaves_nothing(owed: Judgement) -> None:
    mine = taken(owed)
    result(owed).save()
    with pytest.raises(IntegrityError), mine.write(progress="1 of 3"):
        result(owed).save()
    assert Judgement.objects.get().progress == ""


def test_three_attempts_then_the_judge_says_that_it_was_the_judge(owed: Judgement) -> None:
    told: list[tuple[Owed, str]] = []

    def receiver(row: Owed, reason: str, **_: object) -> None:
        told.append((row, reason))

    given_up.connect(receiver)
    try:
        assert taken(owed).give_back("the box broke")
        fall_silent(owed)
        assert ledger.expired(Judgement) == [], "it waits in the queue, nobody holds it"
        taken(owed)
        fall_silent(owed)
        (silent,) = ledger.expired(Judgement)
        assert ledger.take_from_the_silent(silent)
        assert not ledger.take_from_the_silent(silent), "a second sweeper comes too late"
        last = taken(owed)
        assert last.row.attempt == 3
        with last.write():
            pass
        assert not last.give_back("the box broke again")
    finally:
        given_up.disconnect(receiver)
    row = Judgement.objects.get()
    assert (row.state, row.verdict, row.attempt) == (State.ABANDONED, Verdict.JUDGE_ERROR, 3)
    assert "does not count" in row.note
    assert claim(Judgement, owed.pk, "one") is None


@pytest.mark.django_db(transaction=True)
def test_staff_is_told_once_and_after_the_commit(owed: Judgement) -> None:
    told: list[str] = []

    def receiver(row: Owed, reason: str, **_: object) -> None:
        told.append(f"{row}: {row.state}: {reason}")
        raise ValueError("a receiver that fails harms nobody")

    given_up.connect(receiver)
    try:
        Judgement.objects.update(attempt=2)
        taken(owed).give_back("no blob")
    finally:
        given_up.disconnect(receiver)
    assert told == [f"judgement {owed.pk}: abandoned: no blob"]


def test_a_row_whose_last_attempt_went_silent_is_for_the_sweeper_alone(owed: Judgement) -> None:
    Judgement.objects.update(attempt=2)
    taken(owed)
    fall_silent(owed)
    assert claim(Judgement, owed.pk, "two") is None
    assert not ledger.take_from_the_silent(ledger.expired(Judgement)[0])
    assert Judgement.objects.get().state == State.ABANDONED


def test_trial_runs_are_owed_in_the_same_way(student: User, paper_problem: Problem) -> None:
    assert paper_problem.live is not None
    trial = actions.start_trial(student, paper_problem.live, "cpp17", {"main.cpp": b"int main() {}"})
    mine = claim(Trial, trial.pk, "one")
    assert mine is not None
    with mine.write(results={"compile_log": "fine"}):
        pass
    fall_silent(trial)
    again = claim(Trial, trial.pk, "two")
    assert again is not None
    assert again.row.results == {}
    assert not mine.renew()
    Trial.objects.update(attempt=3)
    again.row.attempt = 3
    again.give_back("the box broke")
    row = Trial.objects.get()
    assert row.state == State.ABANDONED
    assert "fault is ours" in row.results["note"]
