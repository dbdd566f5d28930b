"""From the choice to what counts and back: as regrading.md has it."""

from collections import Counter

import pytest

from judge.people.models import Course, User
from judge.people.refusal import Refused
from judge.regrades import actions, queries
from judge.regrades.models import Entry, Outcome, Plan, Regrade, RegradeItem, Stage
from judge.submissions.models import Effective, Judgement, Submission
from problems.models import Problem
from tests.conftest import assign
from tests.regrades.conftest import Publish, counting, items, plan, regraded, work_off
from tests.shelf import FILES

pytestmark = pytest.mark.django_db(transaction=True)

ABSOLUTE = {
    "submissions/accepted/twice.py": "print(abs(2 * int(input())))\n",
    "generators/generators.yaml": FILES["generators/generators.yaml"],
}
"""Another opinion of what is right: secret/2 has another answer, and no input is another one."""


def test_the_rules_of_the_assignment_are_kept(sent: list[Submission], twice: Problem, course: Course) -> None:
    assignment = assign(course, twice, time_factors={"python3": 3})
    Submission.objects.update(assignment=assignment)
    regrade = regraded()
    assert {item.outcome for item in items(regrade)} == {Outcome.SAME}
    assert set(Judgement.objects.filter(purpose="regrade").values_list("time_factor", flat=True)) == {3.0}


def test_an_owner_has_judged_again_what_they_see(
    sent: list[Submission], twice: Problem, course: Course, instructor: User, classmate: User
) -> None:
    with pytest.raises(Refused, match="no judged submission"):
        plan(instructor)
    one = sent[0]
    Submission.objects.filter(pk=one.pk).update(assignment=assign(course, twice))
    with pytest.raises(Refused, match="Only the owners"):
        plan(instructor)
    assert not Regrade.objects.exists()
    twice.owners.add(instructor, classmate)
    regrade = plan(instructor)
    assert [item.number for item in items(regrade)] == [one.pk], "practice is not theirs to see"
    assert list(queries.regrades(instructor)) == [regrade]
    assert not queries.regrades(classmate).exists()
    with pytest.raises(Refused, match="somebody else"):
        actions.start(classmate, regrade)
    actions.start(instructor, regrade)
    work_off(regrade)
    assert queries.items(instructor, regrade, {"outcome": "all"}).count() == 1
    course.memberships.filter(user=instructor).delete()
    assert queries.items(instructor, regrade, {"outcome": "all"}).count() == 0
    twice.owners.remove(instructor)
    assert not queries.regrades(instructor).exists()
    with pytest.raises(Refused, match="Only the owners"):
        actions.apply(instructor, regrade, "all")


def test_nothing_is_new_and_nothing_is_done(sent: list[Submission]) -> None:
    before = counting()
    regrade = regraded()
    assert regrade.stage == Stage.READY
    assert {item.outcome for item in items(regrade)} == {Outcome.SAME}
    assert regrade.facts["plan"]["runs"] == regrade.facts["plan"]["checks"] == 0
    assert set(regrade.items.values_list("plan", flat=True)) == {Plan.RESCORE}
    assert not Judgement.objects.filter(purpose="regrade").exists(), "where nothing is another one, nothing is written"
    actions.apply(None, regrade, "all")
    assert counting() == before


def test_an_answer_is_mended(sent: list[Submission], publish_again: Publish, admin: User) -> None:
    before = counting()
    publish_again(ABSOLUTE)
    regrade = regraded(admin)
    assert regrade.stage == Stage.READY, regrade.failure
    assert counting() == before, "nothing counts yet"
    assert regrade.facts["plan"]["runs"] == 0
    assert regrade.items.filter(runs__gt=0).count() == 0
    found = Counter(
        (item.base.verdict, item.new.verdict, item.outcome) for item in items(regrade) if item.base and item.new
    )
    assert found == {
        ("accepted", "wrong_answer", "changed"): 6,
        ("wrong_answer", "accepted", "changed"): 3,
        ("wrong_answer", "wrong_answer", "same"): 3,
        ("compile_error", "compile_error", "same"): 3,
        ("run_time_error", "run_time_error", "same"): 3,
    }
    causes = {(item.cause["case"], item.cause["kind"]) for item in items(regrade) if item.outcome == Outcome.CHANGED}
    assert causes == {("secret/2", "answer")}
    moved = actions.apply(admin, regrade, "all")
    assert (moved.moved, moved.conflicts) == (18, 0)
    now = Counter(verdict for verdict, _ in counting().values())
    assert now == {"wrong_answer": 9, "accepted": 3, "compile_error": 3, "run_time_error": 3}
    assert set(Effective.objects.values_list("judgement__version__number", flat=True)) == {2}
    assert Entry.objects.filter(what="applied", submission__isnull=False).count() == 18

    back = actions.revert(admin, regrade)
    assert (back.moved, back.conflicts) == (18, 0)
    assert counting() == before
    with pytest.raises(Refused):
        actions.revert(admin, regrade)
    with pytest.raises(Refused):
        actions.apply(admin, regrade, "all")


def test_no_one_loses(sent: list[Submission], publish_again: Publish) -> None:
    publish_again(ABSOLUTE)
    moved = actions.apply(None, regraded(), "increases")
    assert (moved.moved, moved.conflicts) == (12, 0)
    assert Counter(verdict for verdict, _ in counting().values())["accepted"] == 9


def test_only_the_chosen(sent: list[Submission], publish_again: Publish) -> None:
    publish_again(ABSOLUTE)
    regrade = regraded()
    changed = [item.pk for item in items(regrade) if item.outcome == Outcome.CHANGED]
    actions.choose(None, regrade, changed, changed[:2])
    moved = actions.apply(None, regrade, "selected")
    assert moved.moved == 2 + 9
    assert set(regrade.items.filter(outcome="changed", moved__isnull=False).values_list("pk", flat=True)) == set(
        changed[:2]
    )


def test_a_case_more_is_all_that_runs(sent: list[Submission], publish_again: Publish) -> None:
    text = FILES["generators/generators.yaml"].replace("3: {", '2b: {in: "-1\\n"}\n      3: {')
    publish_again({"generators/generators.yaml": text})
    regrade = regraded()
    assert regrade.stage == Stage.READY, regrade.failure
    assert regrade.facts["plan"]["runs"] == 15, "one for each that compiles"
    assert sum(item.runs for item in items(regrade)) == 15
    assert sum(item.kept for item in items(regrade)) == 60


def test_twice_asked_for_is_one(sent: list[Submission], admin: User, publish_again: Publish) -> None:
    publish_again(ABSOLUTE)
    first = plan(admin)
    assert plan(admin) == first
    assert Regrade.objects.count() == 1
    for _ in range(3):
        actions.start(admin, first)
    assert Entry.objects.filter(what="running").count() == 1


def test_a_reference_that_fails_stops_it(sent: list[Submission], publish_again: Publish) -> None:
    before = counting()
    publish_again({**ABSOLUTE, "submissions/accepted/other.py": FILES["submissions/accepted/twice.py"]})
    regrade = regraded()
    assert regrade.stage == Stage.FAILED
    assert "accepted/other.py must be right" in regrade.failure
    assert not regrade.items.exclude(outcome="open").exists(), "nobody's work was touched"
    assert counting() == before


def test_a_checker_that_breaks_stops_it(sent: list[Submission], publish_again: Publish) -> None:
    right = "open(sys.argv[2]).read().split() == sys.stdin.read().split()"
    publish_again({"output_validator/check.py": f"import sys\nsys.exit(42 if {right} else 1)\n"})
    regrade = regraded()
    assert regrade.stage == Stage.FAILED
    assert "The judge failed on" in regrade.failure
    assert "ended with exit code 1" in regrade.failure


def test_the_log_is_only_added_to(sent: list[Submission]) -> None:
    plan()
    entry = Entry.objects.first()
    assert entry is not None
    for change in (entry.save, entry.delete):
        with pytest.raises(TypeError):
            change()


def test_those_that_tell_most_go_first(sent: list[Submission]) -> None:
    regrade = plan()
    first = [item.submission_id for item in regrade.items.order_by("position")[:6]]
    for author in {one.author_id for one in sent}:
        mine = [one for one in sent if one.author_id == author]
        assert mine[-1].pk in first, "the newest"
    assert RegradeItem.objects.filter(regrade=regrade).count() == 18


def test_students_may_nothing(sent: list[Submission], student: User) -> None:
    regrade = plan()
    for deed in (actions.start, actions.pause, actions.resume, actions.drop, actions.revert):
        with pytest.raises(Refused):
            deed(student, regrade)
    with pytest.raises(Refused):
        actions.apply(student, regrade, "all")
    with pytest.raises(Refused):
        plan(student)
