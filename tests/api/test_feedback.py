"""What helps with a failure, by the API: what the page shows and not a word more, whatever an assignment sets."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from judge.assignments.models import Assignment, Kind, When
from judge.feedback import findings
from judge.feedback.actions import source_of
from judge.feedback.models import Search, Shown
from judge.grading.feedback.counterexample import Hunted
from judge.grading.feedback.crash import Crash, Crashed
from judge.grading.feedback.measure import Measured
from judge.grading.feedback.search import Counterexample, CrashOfCase, Step
from judge.people.models import Course, User
from judge.submissions.models import State, Submission
from problems.models import Problem
from tests.api.conftest import Caller
from tests.conftest import assign
from tests.shelf import write_package
from tests.web.conftest import PROBLEM_YAML, done, published

pytestmark = pytest.mark.django_db
RESULT: dict[str, Any] = {
    "counterexample": {
        "tried": 5,
        "of": 9,
        "wrong": 0,
        "smallest": True,
        "spent": False,
        "found": True,
        "verdict": "wrong_answer",
        "input": "the small input\n",
        "answer": "a right answer\n",
        "output": "what was printed\n",
        "stderr": "",
        "cpu_seconds": 0.01,
        "note": "",
        "said": "The checker says so.",
        "mistake": "",
        "crash": None,
    },
    "like": {"mutant": "plus-one", "inputs": 4, "exact": False},
    "direction": {"way": "larger", "wrong": 12, "line": "", "least": 2, "most": 14},
    "growth": {"exponent": [2.0, 1.9, 2.1], "expected": "n log n", "largest": None, "too_slow_at": 4711},
    "case_crash": {"kind": "division", "file": "main.py", "line": 7, "sure": True},
}
SEEN = {
    # a part of the answer: how the page shows it
    "counterexample": "the small input",
    "hints": "You add <strong>one</strong>",
    "crash": "A number is divided by zero.",
    "direction": "The difference is 2 to 14.",
    "growth": "4,711",
    "changes": "What changed since your last attempt",
}


@pytest.fixture
def problem(twice: Problem, tmp_path: Path) -> Problem:
    """With a known mistake."""
    mutant = "palfrey/mutants/plus-one/"
    files = {
        f"{mutant}twice.py": "print(1)\n",
        f"{mutant}hint.en.md": "<!-- seen in class B -->You add **one** to it.\n",
        "palfrey/directions/larger/hint.en.md": "<!-- of class B -->You count *too many*.\n",
    }
    folder = write_package(tmp_path / "again", {"problem.yaml": PROBLEM_YAML, **files})
    twice.live = published(twice, folder, 2)
    twice.save()
    return twice


@pytest.fixture
def failed(problem: Problem, student: User, send: Callable[..., Submission]) -> Callable[..., Submission]:
    """Two failures, the last one looked into."""

    def make(**columns: Any) -> Submission:
        for _ in range(2):
            sent = send(student, results=[("wrong_answer", {})], **columns, **done("wrong_answer"))
        Search.objects.get_or_create(
            source=source_of(sent),
            version=sent.effective.judgement.version,
            defaults={"state": State.DONE, "result": RESULT, "mutant": "plus-one", "submission": sent},
        )
        return sent

    return make


def test_in_practice_everything_is_told(sam: Caller, failed: Callable[..., Submission]) -> None:
    sent = failed()
    told = sam.get(f"submissions/{sent.pk}/feedback").json()
    found = told["counterexample"]
    assert (found["input"], found["answer"]) == ("the small input\n", "a right answer\n")
    assert (found["said"], told["looked"]["tried"]) == ("The checker says so.", 5)
    assert told["hints"] == {"en": "You add **one** to it.\n"}
    assert (told["exact"], told["rung"], told["next"]) == (False, "counterexample", None)
    assert told["growth"] == {"exponent": 2.0, "range": [1.9, 2.1], "expected": "n log n", "too_slow_at": 4711}
    assert told["changes"]["still"] == [1]
    assert Shown.objects.get(submission=sent).rung == "counterexample", "counted as help, as the page counts it"


def test_which_way_it_is_wrong_means_something_where_no_mistake_is_known(
    sam: Caller, as_student: Client, course: Course, failed: Callable[..., Submission]
) -> None:
    sent = failed(assignment=assign(course, Problem.objects.get()))
    path, page = f"submissions/{sent.pk}/feedback", f"/submissions/{sent.pk}/"
    told = sam.get(path).json()["direction"]
    assert told == {"way": "larger", "wrong": 12, "line": "", "range": [2, 14], "hints": {}}
    assert b"too many" not in as_student.get(page).content
    Search.objects.update(mutant="")
    hint = {"en": "You count *too many*.\n"}
    for closed, way, means in (
        ((), "larger", hint),
        ((Kind.COUNTEREXAMPLE,), "larger", hint),
        ((Kind.BEHAVES_LIKE,), "larger", {}),
        ((Kind.COUNTEREXAMPLE, Kind.BEHAVES_LIKE), None, None),
    ):
        Assignment.objects.update(feedback={kind.value: When.NEVER.value for kind in closed})
        answer = sam.get(path).json()
        told, shown = answer["direction"] or {}, as_student.get(page).content.decode()
        assert (told.get("way"), told.get("hints")) == (way, means), closed
        assert (answer["rung"] == "hint") == (Kind.COUNTEREXAMPLE in closed and means == hint)
        assert ("The difference is 2 to 14." in shown, "You count <em>too many</em>" in shown) == (
            bool(way),
            bool(means),
        )
    Assignment.objects.update(feedback={})
    steady = {**RESULT, "direction": {**RESULT["direction"], "least": 2, "most": 2}}
    Search.objects.update(result=steady)
    assert sam.get(path).json()["direction"]["hints"] == {}, "who is always wrong by two counts wrongly"


def test_whatever_a_search_leaves_open_can_be_told(sam: Caller, failed: Callable[..., Submission]) -> None:
    sent = failed()
    hunted = Hunted(found=None, tried=1, of=2)
    steps: tuple[Step, ...] = (
        Counterexample(hunted=hunted),
        CrashOfCase(crashed=Crashed(kind=Crash.INDEX)),
        Measured(growth=None, expected="n"),
    )
    Search.objects.update(result={key: part for step in steps for key, part in findings.told(step).items()})
    told = sam.get(f"submissions/{sent.pk}/feedback").json()
    assert told["looked"] == {"tried": 1, "of": 2, "wrong": None, "smallest": False, "spent": False}
    assert told["growth"] == {"exponent": None, "range": None, "expected": "n", "too_slow_at": None}
    assert (told["counterexample"], told["crash"]["line"]) == (None, None)


def test_what_the_page_does_not_show_is_not_told(
    sam: Caller, ines: Caller, as_student: Client, course: Course, failed: Callable[..., Submission]
) -> None:
    assignment = assign(course, Problem.objects.get())
    sent = failed(assignment=assignment)
    path = f"submissions/{sent.pk}/feedback"
    closings: dict[tuple[Kind, ...], When] = {
        (): When.NEVER,
        tuple(Kind): When.AFTER_DEADLINE,
        (Kind.COUNTEREXAMPLE,): When.AFTER_DEADLINE,
        **{(kind,): When.NEVER for kind in (Kind.BEHAVES_LIKE, Kind.WHAT_HAPPENED, Kind.COST, Kind.CHANGES)},
    }
    for closed, when in closings.items():
        Assignment.objects.update(feedback={kind.value: when.value for kind in closed})
        answer, page = sam.get(path), as_student.get(f"/submissions/{sent.pk}/").content.decode()
        told = answer.json()
        for part, words in SEEN.items():
            assert bool(told[part]) == (words in page), (closed, part)
        assert bool(told["next"]) == ("The next hint opens later." in page), closed
        if Kind.COUNTEREXAMPLE in closed:
            for secret in (b"small input", b"right answer", b"checker says"):
                assert secret not in answer.content
            assert told["looked"] is None
            assert ines.get(path).json()["counterexample"], "staff see all"


def test_what_an_open_assignment_keeps_back_is_not_found_out_by_practice(
    sam: Caller, as_student: Client, student: User, course: Course, failed: Callable[..., Submission]
) -> None:
    closed = {kind.value: "never" for kind in (Kind.COUNTEREXAMPLE, Kind.BEHAVES_LIKE, Kind.WHAT_HAPPENED)}
    exam = assign(course, Problem.objects.get(), feedback=closed)
    sent = failed()
    path = f"submissions/{sent.pk}"
    told = sam.get(f"{path}/feedback").json()
    assert (told["counterexample"], told["hints"], told["rung"]) == (None, {}, "verdict")
    assert sam.get(path).json()["cases"] == []
    assert b"the small input" not in as_student.get(f"/{path}/").content
    exempt = exam.extensions.create(student=student, exempt=True, reason="ill")
    assert sam.get(f"{path}/feedback").json()["counterexample"]
    exempt.delete()
    Assignment.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    assert sam.get(f"{path}/feedback").json()["counterexample"], "once it is over, practice is practice"
    assert sam.get(path).json()["cases"]


def test_practice_is_not_told_to_staff_by_what_changed_since(
    sam: Caller, ines: Caller, course: Course, student: User, problem: Problem, *, send: Callable[..., Submission]
) -> None:
    send(student, results=[("accepted", {})], **done("wrong_answer"))
    sent = send(student, results=[("wrong_answer", {})], assignment=assign(course, problem), **done("wrong_answer"))
    path = f"submissions/{sent.pk}/feedback"
    assert sam.get(path).json()["changes"]["broken"] == [1]
    assert ines.get(path).json()["changes"] is None


def test_what_the_compiler_means(sam: Caller, student: User, problem: Problem, send: Callable[..., Submission]) -> None:
    log = b"main.cpp:3:5: error: 'cout' was not declared in this scope\n"
    sent = send(student, language="cpp17", **done("compile_error", compile_log=log))
    told = sam.get(f"submissions/{sent.pk}/feedback").json()
    assert (told["compiler"]["kind"], told["compiler"]["line"], told["rung"]) == ("header", 3, "verdict")
    waits = send(student, state=State.RUNNING)
    assert sam.get(f"submissions/{waits.pk}/feedback").json()["compiler"] is None
