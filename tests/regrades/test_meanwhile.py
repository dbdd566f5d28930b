"""What happens while a regrade is under way loses nothing, doubles nothing, and is told."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from judge.people.models import User
from judge.regrades import actions, shifts
from judge.regrades.models import Entry, Outcome, Regrade, RegradeItem, Shift, Stage
from judge.submissions import queries, tasks
from judge.submissions.models import CaseResult, Effective, Judgement, State, Submission
from judge.submissions.sweeper import sweep
from problems.models import Problem
from tests.broker import Broker
from tests.regrades.conftest import Publish, counting, items, judge_all, plan, regraded, work_off
from tests.regrades.test_regrade import ABSOLUTE
from tests.shelf import RIGHT, SLOW
from tests.workers import LEASE_SECONDS, Process, eventually, send

pytestmark = pytest.mark.django_db(transaction=True)


def one_shift(regrade: Regrade) -> None:
    shift = Shift.objects.filter(regrade=regrade, state=State.QUEUED).order_by("pk")[0]
    assert tasks.work(Shift, shift.pk, shifts.run, "here")


def test_what_comes_in_meanwhile_is_not_in_it(
    sent: list[Submission], twice: Problem, people: list[User], publish_again: Publish
) -> None:
    publish_again(ABSOLUTE)
    regrade = plan()
    late = [send(people[0], Problem.objects.get(), RIGHT, f"late-{number}") for number in range(3)]
    actions.start(None, regrade)
    judge_all()
    work_off(regrade)
    assert regrade.items.count() == 18
    moved = actions.apply(None, regrade, "all")
    assert (moved.moved, moved.conflicts) == (18, 0)
    assert {counting()[one.pk][0] for one in late} == {"wrong_answer"}, "judged against the version that was live"
    assert all(one.judgements.count() == 1 for one in late)


def test_examples_take_turns_with_live_work(
    sent: list[Submission], publish_again: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {f"submissions/wrong_answer/{number}.py": f"print({number})\n" for number in (1, 2)}
    publish_again({**ABSOLUTE, **wrong})
    regrade = plan()
    actions.start(None, regrade)
    with monkeypatch.context() as busy:
        busy.setattr(shifts, "_live_work_waits", lambda: True)
        one_shift(regrade)
        regrade.refresh_from_db()
        assert len(regrade.facts["trying"]) == 1, "one example, and then whoever waits"
        assert "examples" not in regrade.facts
        actions.pause(None, regrade)
        one_shift(regrade)
        regrade.refresh_from_db()
        assert len(regrade.facts["trying"]) == 1
    actions.resume(None, regrade)
    assert work_off(regrade).stage == Stage.READY
    names = [one["name"] for one in regrade.facts["examples"]]
    assert names == ["accepted/twice.py", "wrong_answer/1.py", "wrong_answer/2.py"], "none twice, none left out"


def test_asked_for_again_while_it_runs(sent: list[Submission], publish_again: Publish) -> None:
    publish_again(ABSOLUTE)
    first, second = plan(key="one"), plan(key="two")
    for regrade in (first, second):
        actions.start(None, regrade)
    one_shift(first)
    one_shift(second)
    work_off(first)
    work_off(second)
    assert [one.outcome for one in items(first)] == [one.outcome for one in items(second)]
    assert actions.apply(None, first, "all").moved == 18
    before = counting()
    moved = actions.apply(None, second, "all")
    assert (moved.moved, moved.conflicts) == (0, 18), "listed, never overwritten"
    assert second.items.filter(conflict=True).count() == 18
    assert counting() == before
    assert actions.revert(None, second).moved == 0
    assert actions.revert(None, first).moved == 18


def test_a_submission_is_deleted_meanwhile(sent: list[Submission], publish_again: Publish) -> None:
    publish_again(ABSOLUTE)
    regrade = plan()
    delete(sent[0])
    actions.start(None, regrade)
    work_off(regrade)
    assert regrade.stage == Stage.READY, regrade.failure
    assert regrade.items.get(number=sent[0].pk).outcome == Outcome.GONE
    delete(sent[1])
    moved = actions.apply(None, regrade, "all")
    assert (moved.moved, moved.conflicts) == (16, 0)
    delete(sent[2])
    back = actions.revert(None, regrade)
    assert back.moved == 15


def delete(submission: Submission) -> None:
    Effective.objects.filter(submission=submission.pk).delete()
    Submission.objects.get(pk=submission.pk).delete()


def test_the_problem_is_edited_meanwhile(sent: list[Submission], publish_again: Publish) -> None:
    second = publish_again(ABSOLUTE)
    regrade = plan()
    publish_again({"statement/problem.en.md": "Another text.\n"})
    actions.start(None, regrade)
    work_off(regrade)
    assert set(regrade.items.filter(new__isnull=False).values_list("new__version", flat=True)) == {second.pk}


def test_paused_gone_on_with_and_dropped(sent: list[Submission], publish_again: Publish) -> None:
    before = counting()
    publish_again(ABSOLUTE)
    regrade = plan()
    actions.start(None, regrade)
    one_shift(regrade)
    done = regrade.items.exclude(outcome=Outcome.OPEN).count()
    assert 0 < done < 18, "the canary went first"
    actions.pause(None, regrade)
    work_off(regrade)
    shifts.advance(regrade.pk)
    assert not regrade.shifts.exclude(state=State.DONE).exists()
    assert regrade.items.exclude(outcome=Outcome.OPEN).count() == done
    actions.resume(None, regrade)
    assert work_off(regrade).stage == Stage.READY
    assert [entry.what for entry in Entry.objects.filter(regrade=regrade, submission=None)] == [
        *("made", "planned", "running", "paused", "resumed", "ready")
    ]
    other = plan(key="other")
    actions.start(None, other)
    one_shift(other)
    actions.drop(None, other)
    assert work_off(other).stage == Stage.CANCELLED
    assert not other.shifts.filter(state=State.QUEUED).exists()
    assert counting() == before


def test_another_result_counts_by_the_time_it_is_applied(
    sent: list[Submission], publish_again: Publish, admin: User
) -> None:
    publish_again(ABSOLUTE)
    regrade = regraded()
    base = sent[0].effective.judgement
    later = Judgement.objects.create(submission=sent[0], version=base.version, state=State.DONE, verdict="accepted")
    Effective.objects.filter(submission=sent[0]).update(judgement=later)
    moved = actions.apply(None, regrade, "all")
    assert (moved.moved, moved.conflicts) == (17, 1)
    assert Effective.objects.get(submission=sent[0]).judgement == later


def test_applying_that_fails_in_the_middle_applies_nothing(
    sent: list[Submission], publish_again: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_again(ABSOLUTE)
    regrade = regraded()
    before = counting()

    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    monkeypatch.setattr(Entry.objects, "bulk_create", killed)
    with pytest.raises(Killed):
        actions.apply(None, regrade, "all")
    monkeypatch.undo()
    regrade.refresh_from_db()
    assert (regrade.stage, counting()) == (Stage.READY, before)
    assert not regrade.items.filter(moved__isnull=False).exists()
    assert actions.apply(None, regrade, "all").moved == 18


def test_regraded_five_times_it_is_solved_once(twice: Problem, people: list[User], publish_again: Publish) -> None:
    one = send(people[0], twice, RIGHT, "only")
    judge_all()
    for number in range(5):
        actions.apply(None, regraded(key=str(number), anew=True), "all")
    assert queries.problem_states(people[0]) == {twice.pk: "solved"}
    assert queries.submissions(people[0]).count() == 1
    assert Effective.objects.filter(submission=one).count() == 1
    publish_again(ABSOLUTE)
    actions.apply(None, regraded(key="changed"), "all")
    assert queries.problem_states(people[0]) == {twice.pk: "tried"}


def test_a_program_that_is_lost_is_a_fault_and_not_a_verdict(sent: list[Submission], publish_again: Publish) -> None:
    publish_again(ABSOLUTE)
    lost = [{"name": "main.py", "digest": "ab" * 32, "size": 3}]
    Submission.objects.filter(pk=sent[0].pk).update(files=lost)
    regrade = regraded()
    assert regrade.stage == Stage.FAILED
    assert "The judge failed on 1 of" in regrade.failure
    assert f"submission {sent[0].pk}: BlobMissing" in regrade.failure


def test_an_output_that_is_lost_is_made_again(sent: list[Submission], publish_again: Publish) -> None:
    publish_again(ABSOLUTE)
    CaseResult.objects.filter(judgement__submission=sent[0], name="secret/2").update(output="ab" * 32)
    regrade = regraded()
    assert regrade.stage == Stage.READY
    item = regrade.items.get(number=sent[0].pk)
    assert (item.outcome, item.runs) == (Outcome.CHANGED, 4)


def test_live_work_goes_first(sent: list[Submission], people: list[User]) -> None:
    regrade = plan(anew=True)
    actions.start(None, regrade)
    one_shift(regrade)
    send(people[0], Problem.objects.get(), RIGHT, "live")
    Judgement.objects.filter(state=State.QUEUED).update(queued=Now() - timedelta(seconds=3))
    before = regrade.items.filter(outcome=Outcome.OPEN).count()
    RegradeItem.objects.update(cost=10.0)
    one_shift(regrade)
    assert regrade.items.filter(outcome=Outcome.OPEN).count() == before - 1, "one submission, and then the live one"
    judge_all()
    assert work_off(regrade).stage == Stage.READY


@pytest.mark.byname
def test_two_workers_of_which_one_is_killed(
    broker: Broker, twice: Problem, people: list[User], publish_again: Publish
) -> None:
    for number in range(5):
        send(people[number % 3], twice, SLOW, f"slow-{number}")
    judge_all()
    tasks.close_box()
    regrade = plan(anew=True)
    words = ("worker", "--queues", "regrade", "--concurrency", "1", "--languages", "python3")
    doomed, other = Process(*words, "--name", "doomed"), Process(*words, "--name", "other")
    try:
        for process in (doomed, other):
            process.wait_for_log("ready.")
        actions.start(None, regrade)
        eventually(lambda: regrade.shifts.filter(state=State.RUNNING).exists())
        eventually(lambda: RegradeItem.objects.filter(outcome=Outcome.SAME).count() >= 1, 90)
        busy = Shift.objects.filter(state=State.RUNNING).order_by("pk")[0]
        (doomed if busy.worker.startswith("doomed") else other).kill()
        Shift.objects.filter(state=State.RUNNING, worker=busy.worker).update(lease_until=Now())

        def over() -> bool:
            Shift.objects.update(hinted=F("hinted") - timedelta(seconds=31))
            sweep()
            regrade.refresh_from_db()
            return regrade.stage == Stage.READY

        eventually(over, 120 + LEASE_SECONDS)
    finally:
        doomed.stop()
        other.stop()
    assert regrade.failure == ""
    assert set(regrade.items.values_list("outcome", flat=True)) == {Outcome.SAME}
    assert regrade.items.filter(new__isnull=False).count() == 5
    assert Judgement.objects.filter(purpose="regrade").count() == 5, "each once"
    assert actions.apply(None, regrade, "all").moved == 5
