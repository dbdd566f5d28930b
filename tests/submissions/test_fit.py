"""Work goes only where it can be done: to workers with the languages it needs, and never silently to nobody."""

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from celery.exceptions import Reject
from django.core.cache import cache
from django.db import connection
from django.db.models import F
from django.utils import timezone

from judge.blobs import store
from judge.blobs.versions import programs_of
from judge.feedback.actions import look_for
from judge.feedback.models import Search
from judge.grading import needs
from judge.grading.verdict import Verdict
from judge.operations.alerts import alerts
from judge.people.models import User
from judge.submissions import actions, fit, queries, tasks
from judge.submissions.ledger import claim_next
from judge.submissions.models import Judgement, State, Submission, Trial, Worker
from judge.submissions.sweeper import sweep
from problems.models import Problem
from problems.package.archive import pack
from problems.package.read import read
from tests.broker import Broker
from tests.shelf import RIGHT, write_package
from tests.workers import Process, eventually

CPP = b'#include <cstdio>\nint main() { long n; scanf("%ld", &n); printf("%ld\\n", 2 * n); }\n'
NAMES = {"cpp17": "main.cpp", "python3": "main.py"}


@pytest.fixture
def with_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process is a worker that has Python alone."""
    monkeypatch.setattr(tasks, "LEAVE_SECONDS", 0)
    fit.offer_here(["python3"])
    yield
    fit._here.clear()


def sent(author: User, problem: Problem, language: str, token: str) -> Submission:
    return actions.submit(author, problem, language, {NAMES[language]: CPP if language == "cpp17" else RIGHT}, token)


def at_work(name: str, *languages: str, queues: tuple[str, ...] = ("live", "feedback"), generation: int = 1) -> None:
    now = timezone.now()
    facts = {"queues": list(queues), "started": now, "seen": now, "generation": generation}
    Worker.objects.create(name=name, languages=list(languages), **facts)
    cache.clear()


def test_a_row_says_what_it_needs(student: User, twice: Problem, tmp_path: Path) -> None:
    judgement = sent(student, twice, "cpp17", "1").judgements.get()
    assert judgement.needs == f"{needs.words([])} cpp17"
    assert twice.live is not None
    trial = actions.start_trial(student, twice.live, "python3", {"main.py": RIGHT})
    assert trial.needs.split()[1:] == ["python3"]
    assert programs_of(twice.live, needs.authoring) == {"python3"}
    own: dict[str, str | None] = {
        "output_validator/look.cpp": "int main() { return 42; }\n",
        "submissions/wrong_answer/slow.rs": "fn main() {}\n",
    }
    folder = write_package(tmp_path / "own", own)
    twice.live.archive = store.put(pack(folder))
    assert actions.needs_of(twice.live, "python3").split()[1:] == ["cpp17", "python3"]
    package = read(folder, slug="twice").package
    assert package is not None
    assert needs.judging(package) == {"cpp17"}
    assert needs.authoring(package) == {"cpp17", "python3", "rust"}


def test_a_worker_takes_the_first_that_it_can_do(student: User, paper_problem: Problem, with_python: None) -> None:
    first = sent(student, paper_problem, "cpp17", "1").judgements.get()
    second = sent(student, paper_problem, "python3", "2").judgements.get()
    taken = claim_next((Judgement, Trial), "here", fit.fits)
    assert taken is not None
    assert taken.row.pk == second.pk
    assert claim_next((Judgement, Trial), "here", fit.fits) is None
    newer = {"state": State.QUEUED, "needs": "grading-99 python3"}
    Judgement.objects.filter(pk=second.pk).update(**newer)
    assert claim_next((Judgement, Trial), "here", fit.fits) is None, "newer code asked for it"
    Judgement.objects.filter(pk=first.pk).update(needs="")
    taken = claim_next((Judgement, Trial), "here", fit.fits)
    assert taken is not None
    assert taken.row.pk == first.pk, "it was asked for before rows said what they need"


@pytest.mark.django_db(transaction=True)
def test_a_message_is_left_to_whoever_can_do_it(
    broker: Broker, student: User, paper_problem: Problem, with_python: None
) -> None:
    submission = sent(student, paper_problem, "cpp17", "1")
    search = look_for(submission, submission.judgements.get().version_id)
    assert search.needs.endswith(" cpp17")
    at_work("here", "python3")
    assert not tasks.work_next("here"), "nobody can"
    assert not tasks.work(Search, search.pk, tasks.judge, "here")  # type: ignore[arg-type]
    at_work("there", "python3", "cpp17")
    with pytest.raises(Reject) as left:
        tasks.work_next("here")
    assert vars(left.value)["requeue"]
    with pytest.raises(Reject):
        tasks.work(Search, search.pk, tasks.judge, "here")  # type: ignore[arg-type]
    assert set(Judgement.objects.values_list("attempt", flat=True)) == {0}
    assert Search.objects.get().attempt == 0


def test_what_nobody_can_do_is_said(broker: Broker, student: User, paper_problem: Problem) -> None:
    submission = sent(student, paper_problem, "cpp17", "1")
    assert queries.lacks(submission.judgements.get()) is None, "nobody is at work at all, which is said otherwise"
    at_work("one", "python3")
    at_work("desk", "cpp17", queues=("authoring",))
    (told,) = [alert for alert in alerts() if alert.key.startswith("undoable")]
    assert told.text == ("In the queue live, 1 row waits for a worker with C++17; none that is at work there has it.")
    facts = queries.snapshot(student, submission)
    assert facts is not None
    assert facts["lacks"] == ["C++17"]
    Judgement.objects.update(hinted=F("hinted") - timedelta(seconds=31))
    broker.empty()
    assert sweep().sent_again == 0, "no worker could do anything with the message"
    Judgement.objects.update(needs="grading-99 python3")
    cache.clear()
    assert queries.lacks(submission.judgements.get()) == []
    assert any("with newer code" in alert.text for alert in alerts())
    at_work("two", "python3", generation=99)
    assert queries.lacks(submission.judgements.get()) is None
    assert not [alert for alert in alerts() if alert.key.startswith("undoable")]
    assert sweep().sent_again == 1


def test_what_two_have_but_none_has_alone() -> None:
    one, other = needs.offer(["rust"]), needs.offer(["python3"])
    asked = needs.words(["rust", "python3"])
    assert fit.lacking(asked, [one, other]) == ["python3", "rust"]
    assert fit.lacking(asked, [one, one]) == ["python3"]
    assert fit.lacking(asked, [one, needs.offer(["python3", "rust"])]) is None
    assert fit.lacking("grading-2 rust", [needs.offer(["rust"], 3)]) is None
    assert fit.lacking("grading-4 rust", [needs.offer(["rust"], 3)]) == []


@pytest.mark.byname
@pytest.mark.django_db(transaction=True)
def test_two_real_workers_with_different_languages(broker: Broker, twice: Problem, student: User) -> None:
    waiting = sent(student, twice, "cpp17", "0").judgements
    python = Process("worker", "--concurrency", "1", "--languages", "python3", "--name", "python")
    both = None
    try:
        python.wait_for_log("ready.")
        assert sent(student, twice, "python3", "1").judgements.get().needs
        eventually(lambda: Judgement.objects.filter(state=State.DONE).count() == 1)
        time.sleep(0.5)
        assert (waiting.get().state, waiting.get().attempt) == (State.QUEUED, 0)
        cache.clear()
        assert queries.lacks(waiting.get()) == ["C++17"]
        both = Process("worker", "--concurrency", "1", "--languages", "python3,cpp17", "--name", "both")
        both.wait_for_log("ready.")
        Judgement.objects.update(hinted=F("hinted") - timedelta(seconds=31))
        assert sweep().sent_again == 1
        rows = [sent(student, twice, ("cpp17", "python3")[number % 2], f"{number + 2}") for number in range(6)]
        eventually(lambda: not Judgement.objects.exclude(state=State.DONE).exists(), 20)
    finally:
        for process in (python, both):
            if process is not None:
                process.stop()
    assert set(Judgement.objects.values_list("verdict", "attempt")) == {(Verdict.ACCEPTED.value, 1)}
    cpp = Judgement.objects.filter(submission__language="cpp17").values_list("worker", flat=True)
    assert len(rows) == 6
    assert all(name.startswith("both@") for name in cpp)
    told = Worker.objects.get(name__startswith="both@")
    assert sorted(told.languages) == ["cpp17", "python3"]
    assert set(told.tools) == {"cpp17", "python3"}
    assert told.host
    assert told.release.startswith("0.")


# Older and newer code side by side ------------------------------------------------------------------------------------


def _applied(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('submissions', %s, CURRENT_TIMESTAMP)", [name]
        )


def test_tables_of_newer_code_do_no_harm_unless_they_say_so(db: None) -> None:
    assert fit.unknown_tables() == ""
    _applied("0998_one_column_more")
    assert fit.unknown_tables() == ""
    _applied(f"0999_column_gone{fit.BREAKS}")
    assert "newer code" in fit.unknown_tables()


def test_newer_code_on_older_tables_takes_nothing(
    broker: Broker, student: User, paper_problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent(student, paper_problem, "python3", "1")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'submissions' AND name = '0005_needs'")
    monkeypatch.setattr(tasks, "NO_WORK_SECONDS", 0)
    with pytest.raises(Reject, match="run \\./palfrey upgrade") as put_back:
        tasks.work_next("here")
    assert vars(put_back.value)["requeue"]
    assert Judgement.objects.get().attempt == 0
