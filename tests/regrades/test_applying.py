"""Two thousand results move at once, and back, in a time nobody notices; what differs stays as it is."""

import time
from collections import Counter
from decimal import Decimal
from itertools import permutations

import pytest
from django.db import connection
from django.utils import timezone

from judge.people.models import Course, User
from judge.people.refusal import Refused
from judge.regrades import actions, applying, queries
from judge.regrades.models import Entry, Outcome, Regrade, RegradeItem, Stage
from judge.submissions.models import Effective, Judgement, State, Submission
from problems.models import Problem, Version
from tests.conftest import assign, person

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 2_000
SOME = 300
SECONDS = 2.0


@pytest.fixture
def ready(request: pytest.FixtureRequest, paper_problem: Problem) -> Regrade:
    """A regrade of rows alone, `SOME` as a rule: of three results the first falls, the second rises, one stays."""
    count = getattr(request, "param", SOME)
    people = [person(f"p{number}") for number in range(30)]
    old = paper_problem.live
    assert old is not None
    new = Version.objects.create(problem=paper_problem, number=2, digest="1" * 64, archive="1" * 64)
    Submission.objects.bulk_create(
        Submission(author=people[number % 30], problem=paper_problem, language="python3", files=[], token=str(number))
        for number in range(count)
    )
    sent = list(Submission.objects.order_by("pk"))
    bases = Judgement.objects.bulk_create(
        _judgement(one, old, accepted=number % 3 == 0) for number, one in enumerate(sent)
    )
    Effective.objects.bulk_create(
        Effective(submission=one, judgement=base) for one, base in zip(sent, bases, strict=True)
    )
    news = Judgement.objects.bulk_create(
        _judgement(one, new, accepted=number % 3 == 1) for number, one in enumerate(sent)
    )
    regrade = Regrade.objects.create(stage=Stage.READY, reason="A case was wrong.", key="x")
    RegradeItem.objects.bulk_create(
        RegradeItem(
            regrade=regrade,
            submission=one,
            number=one.pk,
            base=base,
            new=after,
            position=number,
            outcome=Outcome.SAME if number % 3 == 2 else Outcome.CHANGED,
            gain=(-1, 1, 0)[number % 3],
            cause={} if number % 3 == 2 else {"kind": "answer", "case": "secret/1", "before": "", "after": ""},
        )
        for number, (one, base, after) in enumerate(zip(sent, bases, news, strict=True))
    )
    return regrade


def _judgement(one: Submission, version: Version, *, accepted: bool) -> Judgement:
    return Judgement(
        submission=one,
        version=version,
        state=State.DONE,
        purpose="live" if version.number == 1 else "regrade",
        verdict="accepted" if accepted else "wrong_answer",
        points=Decimal(100 if accepted else 0),
        out_of=Decimal(100),
    )


def rows() -> list[tuple[int, int]]:
    return list(Effective.objects.order_by("pk").values_list("submission", "judgement"))


@pytest.mark.parametrize("ready", [MANY], indirect=True, ids=[""])
@pytest.mark.parametrize("timed", [False, pytest.param(True, marks=pytest.mark.byname)], ids=["", "timed"])
def test_two_thousand_at_once_and_back_to_the_byte(ready: Regrade, admin: User, *, timed: bool) -> None:
    before = rows()
    clock = time.process_time if connection.vendor == "sqlite" else time.perf_counter  # there this process does it all
    began = clock()
    moved = actions.apply(admin, ready, "all")
    took = clock() - began
    assert (moved.moved, moved.conflicts) == (MANY, 0)
    assert all(one != other for one, other in zip(rows(), before, strict=True))
    assert Entry.objects.filter(what="applied", submission__isnull=False).count() == MANY
    began = clock()
    assert actions.revert(admin, ready).moved == MANY
    back = clock() - began
    assert rows() == before
    print(f"{connection.vendor}: {MANY} applied in {took:.2f} s, taken back in {back:.2f} s")  # noqa: T201
    assert not timed or max(took, back) < SECONDS  # in the gate the tests share their processors


def test_half_of_them_moved_meanwhile(ready: Regrade) -> None:
    taken = list(Effective.objects.order_by("pk")[: SOME // 2])
    for one in taken[:40]:
        later = Judgement.objects.create(submission=one.submission, version=one.judgement.version, state=State.DONE)
        Effective.objects.filter(pk=one.pk).update(judgement=later)
    left = rows()[:40]
    assert applying.would_move(ready, "all") == applying.Moved(moved=SOME - 40, conflicts=40)
    moved = actions.apply(None, ready, "all")
    assert (moved.moved, moved.conflicts) == (SOME - 40, 40)
    assert rows()[:40] == left
    actions.revert(None, ready)
    assert rows()[:40] == left


def test_policies(ready: Regrade) -> None:
    assert applying.would_move(ready, "increases").moved == SOME - len(range(0, SOME, 3))
    RegradeItem.objects.filter(outcome=Outcome.CHANGED).update(chosen=False)
    one = RegradeItem.objects.filter(gain=-1).first()
    assert one is not None
    actions.choose(None, ready, [one.pk], [one.pk])
    actions.apply(None, ready, "selected")
    assert set(RegradeItem.objects.filter(moved__isnull=False, outcome=Outcome.CHANGED)) == {one}


def test_no_one_loses_by_what_counted_for_nothing(ready: Regrade, paper_problem: Problem, course: Course) -> None:
    """Where the last one counts, a judge error that becomes a wrong answer would hide the better one before it."""
    last = assign(course, paper_problem, counts="last")
    best = assign(course, paper_problem)
    same = list(RegradeItem.objects.filter(outcome=Outcome.SAME).order_by("pk")[:3])
    for item, assignment in zip(same, (last, best, None), strict=True):
        Submission.objects.filter(pk=item.number).update(assignment=assignment)
        Judgement.objects.filter(pk__in=[item.base_id]).update(verdict="judge_error")
    fit = RegradeItem.objects.filter(gain__gte=0).count()
    assert applying.would_move(ready, "increases").moved == fit - 1
    actions.apply(None, ready, "increases")
    moved = set(RegradeItem.objects.filter(pk__in=[one.pk for one in same], moved__isnull=False))
    assert moved == set(same[1:])


def test_why_it_cannot_be_applied(ready: Regrade) -> None:
    Regrade.objects.update(stage=Stage.RUNNING)
    with pytest.raises(Refused, match="not ready yet"):
        actions.apply(None, ready, "all")
    for stage, said in ((Stage.REVERTED, "taken back"), (Stage.APPLIED, "applied already"), (Stage.FAILED, "is over")):
        Regrade.objects.update(stage=stage)
        with pytest.raises(Refused, match=said):
            actions.apply(None, ready, "all")


def test_what_is_told_of_it(ready: Regrade, admin: User, student: User) -> None:
    matrix = queries.matrix(ready)
    cells = {(cell.before, cell.after): cell.count for _, row, _ in matrix.rows for cell in row}
    assert cells == {
        ("accepted", "accepted"): 0,
        ("accepted", "wrong_answer"): 100,
        ("wrong_answer", "accepted"): 100,
        ("wrong_answer", "wrong_answer"): 100,
    }
    impact = queries.impact(ready)
    assert (impact.students, impact.up, impact.down) == (30, 10, 10)
    (cluster,) = queries.clusters(ready)
    assert (cluster.kind, cluster.case, cluster.count) == ("answer", "secret/1", 200)
    assert queries.items(None, ready, cluster.query).count() == 200
    assert queries.items(None, ready, {"before": "accepted"}).count() == 100
    assert queries.regrade(admin, ready.pk) == ready
    assert queries.regrade(student, ready.pk) is None


def test_a_student_reads_when_and_why(ready: Regrade, admin: User, student: User) -> None:
    one = Submission.objects.select_related("author").order_by("pk")[0]
    assert len(queries.history(one.author, one)) == 1, "what is only compared is nobody's business"
    assert queries.events(one.author, one) == []
    actions.apply(admin, ready, "all")
    assert len(queries.history(one.author, one)) == 2
    (event,) = queries.events(one.author, one)
    assert event.before is not None
    assert event.after is not None
    assert (event.before.verdict, event.after.verdict) == ("accepted", "wrong_answer")
    assert (event.entry.why, event.entry.by) == ("A case was wrong.", admin)
    actions.revert(admin, ready)
    assert [event.entry.what for event in queries.events(one.author, one)] == ["applied", "reverted"]
    assert queries.events(student, one) == []
    assert queries.history(student, one) == []
    same = Submission.objects.select_related("author").order_by("pk")[2]
    assert queries.events(same.author, same) == [], "nothing changed that they see"
    assert len(queries.events(admin, same)) == 2


def test_grades_are_never_counted_by_hand(ready: Regrade) -> None:
    counted = Counter(Effective.objects.values_list("judgement__verdict", flat=True))
    actions.apply(None, ready, "all")
    actions.revert(None, ready)
    assert Counter(Effective.objects.values_list("judgement__verdict", flat=True)) == counted


def test_archived_courses_are_left_alone(ready: Regrade, paper_problem: Problem, course: Course) -> None:
    count = RegradeItem.objects.count()
    theirs = Submission.objects.filter(pk__in=Submission.objects.order_by("pk").values("pk")[:100])
    theirs.update(assignment=assign(course, paper_problem))

    def archive(*, put_away: bool) -> None:
        Course.objects.update(archived=timezone.now() if put_away else None)

    archive(put_away=True)
    before, rest = rows(), count - 100
    assert applying.would_move(ready, "all") == applying.Moved(moved=rest, conflicts=0, archived=100)
    assert actions.apply(None, ready, "all") == applying.Moved(moved=rest, conflicts=0, archived=100)
    assert rows()[:100] == before[:100]
    assert actions.revert(None, ready) == applying.Moved(moved=rest, conflicts=0)
    assert rows() == before
    archive(put_away=False)
    Regrade.objects.update(stage=Stage.READY)
    RegradeItem.objects.update(moved=None, returned=None)
    assert actions.apply(None, ready, "all").moved == count
    after = rows()
    archive(put_away=True)
    assert actions.revert(None, ready) == applying.Moved(moved=rest, conflicts=0, archived=100)
    assert rows()[:100] == after[:100]
    with pytest.raises(Refused, match="only read"):
        actions.revert(None, ready)
    ready.refresh_from_db()
    assert ready.stage == Stage.APPLIED, "what is left can be taken back later"
    archive(put_away=False)
    assert actions.revert(None, ready).moved == 100
    assert rows() == before
    archive(put_away=True)
    Effective.objects.exclude(submission__in=theirs).delete()
    with pytest.raises(Refused, match="All of these belong to archived courses"):
        actions.plan(None, Submission.objects.filter(effective__isnull=False), reason="Why", key="y")


SETS = ((0, 1, 2), (1, 2, 3), (2, 3, 0))
"""Submissions of three regrades, each begun when the one before had been applied."""


def test_in_whichever_order_they_are_taken_back(paper_problem: Problem) -> None:
    version = paper_problem.live
    assert version is not None
    sent = [
        Submission.objects.create(
            author=person(f"p{number}"), problem=paper_problem, language="python3", files=[], token=str(number)
        )
        for number in range(4)
    ]
    for one in sent:
        Effective.objects.create(submission=one, judgement=_saved(one, version))
    before = rows()
    for order in permutations(range(3)):
        made = [_applied([sent[number] for number in chosen], version) for chosen in SETS]
        standing = [*range(3)]
        for number in order:
            regrade, gave = made[number]
            counted = dict(rows())
            on_top = {pk for pk, new in gave.items() if counted[pk] == new}
            moved = actions.revert(None, regrade)
            assert (moved.moved, moved.conflicts) == (len(on_top), 3 - len(on_top))
            standing.remove(number)
            expected = dict(before)
            for still in standing:
                expected |= made[still][1]
            assert rows() == sorted(expected.items()), order
            told = Entry.objects.filter(regrade=regrade, what="reverted", submission__isnull=False)
            assert {one.submission: one.after for one in told} == {pk: expected[pk] for pk in on_top}
        assert rows() == before


def _applied(chosen: list[Submission], version: Version) -> tuple[Regrade, dict[int, int]]:
    """A regrade that counts; and submission -> its judgement."""
    regrade = Regrade.objects.create(stage=Stage.READY, reason="A case was wrong.", key="x")
    counts, gave = dict(rows()), {one.pk: _saved(one, version).pk for one in chosen}
    RegradeItem.objects.bulk_create(
        RegradeItem(
            regrade=regrade,
            submission=one,
            number=one.pk,
            base_id=counts[one.pk],
            new_id=gave[one.pk],
            position=one.pk,
            outcome=Outcome.CHANGED,
        )
        for one in chosen
    )
    assert actions.apply(None, regrade, "all") == applying.Moved(moved=3, conflicts=0)
    return regrade, gave


def _saved(one: Submission, version: Version) -> Judgement:
    judgement = _judgement(one, version, accepted=True)
    judgement.save()
    return judgement
