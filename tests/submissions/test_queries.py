"""What is shown to whom: never another's work, never what a secret case holds, always the truth about the queue."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import models
from pytest_django import DjangoAssertNumQueries

from judge.blobs import store
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import Viewer
from judge.people.refusal import Refused
from judge.submissions import actions, queries
from judge.submissions.ledger import claim
from judge.submissions.models import CaseResult, Judgement, State, Submission, Trial, Worker
from problems.models import Problem

PROGRAM = {"main.cpp": b"int main() {}"}
SECRET = "the validator saw 17 where 42 was wanted"


def send(author: User, problem: Problem, token: str) -> Submission:
    return actions.submit(author, problem, "cpp17", PROGRAM, token)


@pytest.fixture
def judged(student: User, paper_problem: Problem) -> Submission:
    sent = send(student, paper_problem, "form-1")
    mine = claim(Judgement, Judgement.objects.get(submission=sent).pk, "one")
    assert mine is not None
    with mine.finish(
        verdict=Verdict.WRONG_ANSWER.value,
        points=0,
        out_of=100,
        note="Wrong answer on case 2 of 3.",
        judge_note=SECRET,
        compiled=True,
        compile_log=b"main.cpp:1: warning \xff",
    ):
        for position, case in enumerate(paper_problem.live.cases.all() if paper_problem.live else [], start=1):
            CaseResult.objects.create(
                judgement=mine.row,
                position=position,
                name=case.name,
                group=case.group,
                verdict=Verdict.WRONG_ANSWER if position == 2 else Verdict.ACCEPTED,
                cpu_seconds=0.1,
                wall_seconds=0.2,
                memory_bytes=1 << 20,
                points=0,
                note="Your answer differs.",
                judge_note=SECRET,
                output=store.put(b"secret output %d" % position),
            )
    return sent


def strangers(classmate: User, inactive: User) -> list[Viewer]:
    inactive.is_active = False
    return [classmate, AnonymousUser(), inactive]


def test_a_stranger_finds_nothing(judged: Submission, classmate: User, paper_problem: Problem) -> None:
    judgement = judged.judgements.get()
    assert paper_problem.live is not None
    trial = actions.start_trial(judged.author, paper_problem.live, "cpp17", PROGRAM, b"mine")
    author_locked_out = User.objects.get(pk=judged.author_id)
    for viewer in strangers(classmate, author_locked_out):
        assert queries.submission(viewer, judged.pk) is None
        assert not queries.submissions(viewer).exists()
        assert not queries.submissions(viewer, author=judged.author).exists()
        assert not queries.submissions(viewer, problem=paper_problem).exists()
        assert queries.snapshot(viewer, judged) is None
        assert queries.sources(viewer, judged) == {}
        assert queries.trial(viewer, trial.pk) is None
        assert queries.trial_snapshot(viewer, trial) is None
        assert queries.sources(viewer, trial) == {}
        assert [queries.case_output(viewer, judgement.pk, position) for position in (1, 2, 3)] == [None] * 3
        assert queries.queue_overview(viewer) is None


def test_the_author_sees_all_but_what_secret_cases_hold(judged: Submission, student: User) -> None:
    assert queries.submission(student, judged.pk) == judged
    shown = queries.snapshot(student, judged)
    assert shown is not None
    assert SECRET not in json.dumps(shown)
    assert (shown["state"], shown["final"], shown["verdict"], shown["total"]) == ("done", True, "wrong_answer", 3)
    assert shown["compile_log"] == "main.cpp:1: warning \N{REPLACEMENT CHARACTER}"
    assert [case["verdict"] for case in shown["cases"]] == ["accepted", "wrong_answer", "accepted"]
    assert [case["has_output"] for case in shown["cases"]] == [True, False, False]
    judgement = shown["judgement"]
    assert queries.case_output(student, judgement, 1) == b"secret output 1"
    assert queries.case_output(student, judgement, 1, stderr=True) == b""
    assert queries.case_output(student, judgement, 2) is None
    assert queries.case_output(student, judgement, 9) is None
    assert queries.queue_overview(student) is None


def test_an_admin_sees_everything(judged: Submission, admin: User) -> None:
    shown = queries.snapshot(admin, judged)
    assert shown is not None
    assert shown["judge_note"] == SECRET
    assert shown["cases"][1]["judge_note"] == SECRET
    assert queries.case_output(admin, shown["judgement"], 2) == b"secret output 2"
    assert queries.sources(admin, judged) == PROGRAM
    assert list(queries.submissions(admin)) == [judged]


def test_places_are_counted_over_everything_that_waits(
    student: User, classmate: User, admin: User, paper_problem: Problem
) -> None:
    assert paper_problem.live is not None
    first = send(student, paper_problem, "1")
    trial = actions.start_trial(classmate, paper_problem.live, "cpp17", PROGRAM)
    last = send(student, paper_problem, "2")

    def places() -> list[int | None]:
        shown = [queries.snapshot(admin, first), queries.snapshot(admin, last)]
        own = queries.trial_snapshot(classmate, Trial.objects.get(pk=trial.pk))
        assert own is not None
        return [each["place"] for each in (shown[0], own, shown[1]) if each is not None]

    assert places() == [2, 1, 3], "a trial run is short and goes first"
    assert claim(Judgement, first.judgements.get().pk, "one") is not None
    assert places() == [None, 1, 2]
    Trial.objects.update(state=State.DONE)
    assert places() == [None, None, 1]


def test_the_same_moment_gives_different_places(student: User, paper_problem: Problem) -> None:
    rows = [send(student, paper_problem, str(number)).judgements.get() for number in range(3)]
    Judgement.objects.update(queued=rows[0].queued)
    places = [queries.place_in_queue(row) for row in Judgement.objects.order_by("pk")]
    assert places == [1, 2, 3]


def test_states_of_problems(student: User, classmate: User, paper_problem: Problem, judged: Submission) -> None:
    other = Problem.objects.create(slug="other", uuid="other", live=paper_problem.live)
    assert queries.problem_states(student) == {paper_problem.pk: "tried"}
    sent = send(student, other, "form-2")
    Judgement.objects.filter(submission=sent).update(state=State.DONE, verdict=Verdict.ACCEPTED.value)
    send(student, other, "form-3")
    assert queries.problem_states(student) == {paper_problem.pk: "tried", other.pk: "solved"}
    assert queries.problem_states(classmate) == queries.problem_states(AnonymousUser()) == {}


def test_the_number_of_queries_does_not_grow(
    student: User,
    admin: User,
    paper_problem: Problem,
    judged: Submission,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(20):
        send(student, paper_problem, f"more-{number}")
    with django_assert_num_queries(2):  # first, which courses are theirs to see
        shown = [
            (each.problem.slug, each.author.username, each.effective.judgement.verdict, each.effective.judgement.state)
            for each in queries.submissions(student)
        ]
    assert len(shown) == 21
    with django_assert_num_queries(5):  # the last: whether an assignment keeps something back of practice
        queries.snapshot(student, judged)
    with django_assert_num_queries(1):
        queries.problem_states(student)
    with django_assert_num_queries(6):
        overview = queries.queue_overview(admin)
        assert overview is not None
        assert [row.submission.author.username for row in overview["waiting"]] == ["sam"] * 20


def test_overview_for_staff(student: User, admin: User, paper_problem: Problem) -> None:
    failed, running, waiting = (send(student, paper_problem, str(number)).judgements.get() for number in range(3))
    Judgement.objects.filter(pk=failed.pk).update(state=State.ABANDONED, verdict=Verdict.JUDGE_ERROR.value)
    assert claim(Judgement, running.pk, "one") is not None
    overview = queries.queue_overview(admin)
    assert overview is not None
    assert overview["counts"] == {"queued": 1, "running": 1}
    assert (overview["running"], overview["waiting"], overview["to_look_at"]) == ([running], [waiting], [failed])
    actions.judge_again(admin, failed.submission)
    after = queries.queue_overview(admin)
    assert after is not None
    assert after["to_look_at"] == []


def test_a_failed_judging_done_again(student: User, admin: User, paper_problem: Problem) -> None:
    sent = send(student, paper_problem, "form-1")
    failed = sent.judgements.get()
    assert actions.judge_again(admin, sent) == failed, "it is still owed"
    Judgement.objects.filter(pk=failed.pk).update(state=State.ABANDONED, verdict=Verdict.JUDGE_ERROR.value)
    with pytest.raises(Refused, match="Only the staff of its course"):
        actions.judge_again(student, sent)
    again = actions.judge_again(admin, sent)
    assert actions.judge_again(admin, sent) == again
    assert set(sent.judgements.all()) == {failed, again}
    shown = queries.snapshot(student, sent)
    assert shown is not None
    assert (shown["judgement"], shown["state"]) == (again.pk, State.QUEUED)
    Judgement.objects.filter(pk=again.pk).update(state=State.DONE, verdict=Verdict.ACCEPTED.value)
    with pytest.raises(Refused, match="has its verdict"):
        actions.judge_again(admin, sent)


def test_languages_are_those_of_the_workers(db: None, paper_problem: Problem) -> None:
    assert "java" in queries.offered_languages()
    now = paper_problem.created
    Worker.objects.create(name="desk", languages=[], started=now, seen=now)
    assert "java" in queries.offered_languages(), "a worker of the problem desk judges no submission"
    Worker.objects.create(name="one", languages=["cpp17", "python3"], started=now, seen=now)
    Worker.objects.create(name="two", languages=["cpp17", "gone"], started=now, seen=now)
    assert queries.offered_languages() == {"cpp17", "python3"}
    Worker.objects.filter(name="one").update(seen=models.F("seen") - queries.FRESH)
    assert queries.offered_languages() == {"cpp17"}
    Worker.objects.update(seen=now - 2 * queries.FRESH)
    assert queries.offered_languages() == {"cpp17", "python3"}
