"""From a failed submission to what its page tells, with a real worker; and what never gets there."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from judge.authoring.actions import publish
from judge.feedback import queries
from judge.feedback.models import Ground, Search
from judge.feedback.tasks import run
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.submissions.models import Judgement, State, Submission
from judge.submissions.tasks import judge, work
from problems.models import Problem
from sandbox.box import open_sandbox
from tests.broker import Broker
from tests.shelf import write_package
from tests.workers import eventually, send, worker

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = ("314159", "-271828", "161803")
FILES: Mapping[str, str] = {
    "generators/generators.yaml": "solution: /submissions/accepted/twice.py\ndata:\n  secret:\n    data:\n"
    + "".join(f'      {place}: {{in: "{number}\\n"}}\n' for place, number in enumerate(SECRET, 1)),
    "palfrey/feedback.yaml": "small:\n  inputs: ["
    + ", ".join(f'"{number}\\n"' for number in (0, 1, 2, SECRET[0], 5, 7, SECRET[1], 31))
    + "]\nreplay: line.py\nnone: '0'\n",
    "palfrey/traces/line.py": """import json
from pathlib import Path

given = int(input())
number = abs(given) % 9 + 1
print(json.dumps({"trace": 1, "kind": "board", "columns": number, "rows": 1}))
for place in range(number):
    print(json.dumps({"do": "visit", "at": f"{place},0"}))
print(json.dumps({"do": "count", "name": "Double", "value": 2 * given}))
if Path(".judge/output").exists():
    said = int(Path(".judge/output").read_text())
    print(json.dumps({"do": "claim", "wrong": "count", "name": "Double", "said": said}))
""",
    "palfrey/mutants/plus-one/twice.py": "n = int(input())\nprint(2 * n if n < 5 else 2 * n + 1)\n",
    "palfrey/mutants/plus-one/hint.en.md": "You add **one** to the larger numbers.\n",
    "palfrey/directions/says/hint.en.md": "Nothing is nothing only **twice nothing**.\n",
}
TAKES_PARTS_OFF = b"n = int(input())\nprint(2 * n if n < 5 else 2 * n + 1)  # as the mutant\n"
SPY = b"""import sys
n = input()
print("SPY", n)
print("SPY", n, file=sys.stderr)
raise KeyError("SPY" + n) if n.startswith("3") and len(n) > 3 else SystemExit
"""
ONLY_SECRET = f"n = int(input())\nprint(7 if n == {SECRET[0]} else 2 * n)\n".encode()
CRASHES = b"n = int(input())\nprint(2 * n if n < 6 else [][n])\n"


@pytest.fixture
def problem(transactional_db: None, tmp_path: Path) -> Problem:
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    try:
        return publish(write_package(tmp_path / "twice", FILES), box).problem
    finally:
        box.close()


Do = Callable[..., Submission]


@pytest.fixture
def done(problem: Problem, broker: Broker) -> Do:
    """Judge a program and search for what is wrong with it, in this process."""

    def done(author: User, program: bytes) -> Submission:
        sent = send(author, problem, program, f"{Submission.objects.count()}")
        work(Judgement, sent.effective.judgement_id, judge, "here")
        for row in Search.objects.filter(state=State.QUEUED):
            work(Search, row.pk, run, "here")
        return Submission.objects.get(pk=sent.pk)

    return done


def test_with_a_worker_from_sending_to_the_page(
    problem: Problem, broker: Broker, student: User, client: Client
) -> None:
    client.force_login(student)
    with worker():
        sent = send(student, problem, TAKES_PARTS_OFF, "1")
        eventually(lambda: Search.objects.filter(state=State.DONE).exists())
    row = Search.objects.get()
    assert row.submission == sent
    assert row.result["counterexample"]["input"] == "5\n"
    assert row.mutant == "plus-one"
    page = client.get(reverse("submission", args=[sent.pk])).content.decode()
    assert "The smallest input your program gets wrong that can be shown" in page
    assert "You add <strong>one</strong> to the larger numbers." in page
    assert 'data-final="yes"' in page


def test_the_same_program_is_searched_once_and_its_ground_made_once(done: Do, student: User, classmate: User) -> None:
    done(student, TAKES_PARTS_OFF)
    done(student, TAKES_PARTS_OFF)
    other = done(classmate, TAKES_PARTS_OFF)
    done(classmate, CRASHES)
    assert Search.objects.count() == 2
    assert Ground.objects.count() == 1
    shown = queries.search_of(classmate, other, other.effective.judgement)
    assert shown is not None
    assert shown.result["counterexample"]["found"]
    assert queries.search_of(student, other, other.effective.judgement) is None


@pytest.mark.parametrize("program", [b"print(2 * int(input()))\n", b"print(\n"])
def test_what_is_right_or_does_not_compile_is_not_searched(done: Do, student: User, program: bytes) -> None:
    done(student, program)
    assert not Search.objects.exists()


def test_nothing_is_searched_where_it_is_switched_off(done: Do, student: User, settings: object) -> None:
    settings.FEEDBACK_SECONDS = 0  # type: ignore[attr-defined]
    sent = done(student, TAKES_PARTS_OFF)
    assert not Search.objects.exists()
    assert not queries.unfinished(sent, sent.effective.judgement)


def test_a_crash_is_explained_with_its_line(done: Do, student: User, client: Client) -> None:
    client.force_login(student)
    sent = done(student, CRASHES)
    found = Search.objects.get().result["counterexample"]
    assert (found["input"], found["verdict"]) == ("7\n", Verdict.RUN_TIME_ERROR)
    assert (found["crash"]["kind"], found["crash"]["line"]) == ("index", 2)
    page = client.get(reverse("submission", args=[sent.pk])).content.decode()
    assert 'href="#s0-L2"' in page
    assert '<code class="quoted">print(2 * n if n &lt; 6 else [][n])</code>' in page
    assert "An index is outside of its array or list." in page


@pytest.mark.parametrize("program", [SPY, ONLY_SECRET, TAKES_PARTS_OFF, CRASHES])
def test_nothing_of_a_secret_case_gets_out(done: Do, student: User, client: Client, program: bytes) -> None:
    client.force_login(student)
    sent = done(student, program)
    judgement = sent.effective.judgement
    told = [str(Search.objects.get().result), *(str(row.kept) for row in Ground.objects.all())]
    for name in ("submission", "submission-story", "submission-replay"):
        answer = client.get(reverse(name, args=[sent.pk]))
        assert answer.status_code == 200 or name == "submission-replay"
        told.append(answer.content.decode())
    outputs = [[sent.pk, position, stream] for position in range(1, 6) for stream in ("stdout", "stderr")]
    told += [client.get(reverse("submission-output", args=args)).content.decode() for args in outputs]
    own = program.decode()
    for text in told:
        for secret in SECRET:
            for word in {secret, str(2 * int(secret)), str(2 * int(secret) + 1)}:
                assert text.count(word) <= own.count(word), (judgement.verdict, word)


def test_an_input_that_is_a_secret_case_is_never_told(done: Do, student: User) -> None:
    done(student, ONLY_SECRET)
    found = Search.objects.get().result["counterexample"]
    assert not found["found"]
    assert found["tried"] == 8


def test_what_should_happen_can_be_played(
    done: Do, student: User, classmate: User, admin: User, client: Client
) -> None:
    sent = done(student, TAKES_PARTS_OFF)
    address = reverse("submission-replay", args=[sent.pk])
    for reader, code in ((student, 200), (classmate, 404), (admin, 200)):
        client.force_login(reader)
        assert client.get(address).status_code == code
    client.force_login(student)
    assert f'href="{address}"' in client.get(reverse("submission", args=[sent.pk])).content.decode()
    page = client.get(address).content.decode()
    assert "data-player" in page
    assert '<pre class="output wrong" tabindex="0" role="group" aria-label="Your output">11' in page
    assert "data-claim" in page
    assert '<p class="caption" data-caption>Your program says 11, and there are 10.</p>' in page


def test_which_way_it_is_wrong_and_what_that_means(done: Do, student: User, client: Client) -> None:
    client.force_login(student)
    small = b"n = int(input())\nprint(2 * n if abs(n) < 5 else 0)\n"
    for program, told in ((small, True), (b"print(9)\n", False), (TAKES_PARTS_OFF, False)):
        sent = done(student, program)
        page = client.get(reverse("submission", args=[sent.pk])).content.decode()
        assert ("Nothing is nothing only <strong>twice nothing</strong>." in page) == told, program
    found = Search.objects.order_by("pk")[0].result["direction"]
    assert (found["way"], found["line"]) == ("says", "0")
    assert found["wrong"] == 5, "what was looked at for mutants, and as many more as were known before"


def test_an_output_that_the_tracer_trips_over_is_left_out(done: Do, student: User, client: Client) -> None:
    client.force_login(student)
    sent = done(student, b"n = int(input())\nprint(2 * n if n < 5 else 'many')\n")
    page = client.get(reverse("submission-replay", args=[sent.pk])).content.decode()
    assert "data-player" in page
    assert "data-claim" not in page
    assert "Your program says" not in page


def test_what_changed(done: Do, student: User, client: Client) -> None:
    client.force_login(student)
    done(student, b"n = int(input())\nprint(4)\n")
    sent = done(student, b"n = int(input())\nprint(2 * n if n > 0 else 4)\n")
    changes = queries.changes(student, sent, sent.effective.judgement)
    assert changes is not None
    assert (changes.fixed, changes.broken, changes.still) == ([2, 4], [], [3])
    page = client.get(reverse("submission", args=[sent.pk])).content.decode()
    assert "Fixed: 2, 4" in page
    assert '<span class="del">' in page
    anew = done(student, b"import sys\nprint(2 * int(sys.stdin.read()) + 1)\n")
    assert queries.changes(student, anew, anew.effective.judgement) is None
    assert "Fixed:" not in client.get(reverse("submission", args=[anew.pk])).content.decode()


def test_instructors_see_how_many_sit_on_which_mistake(
    done: Do, student: User, classmate: User, admin: User, problem: Problem
) -> None:
    done(student, TAKES_PARTS_OFF)
    done(classmate, TAKES_PARTS_OFF)
    assert queries.mistakes(admin, problem) == [("plus-one", 2)]
    address = reverse("attempts", args=[problem.slug])
    for reader, seen in ((admin, True), (student, False)):
        client = Client()
        client.force_login(reader)
        assert (b"<b>2</b> plus-one" in client.get(address).content) == seen
    done(student, b"print(2 * int(input()))\n")
    assert queries.mistakes(admin, problem) == [("plus-one", 1)]
    assert queries.mistakes(student, problem) == []


def test_figures_of_the_class_need_enough_people(done: Do, student: User, problem: Problem) -> None:
    sent = done(student, TAKES_PARTS_OFF)
    judgement = sent.effective.judgement
    for number in range(queries.FEWEST):
        assert queries.class_seconds(student, sent, judgement) == {}
        other = User.objects.create_user(f"other{number}", f"o{number}@example.org", "long enough")
        done(other, b"print(2 * int(input()))\n")
    figures = queries.class_seconds(student, sent, judgement)
    assert set(figures) == {1, 2, 3, 4}
    assert all(0 < low <= high for low, high in figures.values())
