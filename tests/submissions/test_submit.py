"""Sending a program: what is kept, what is refused and in which words, and that a broker does not matter."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import LazySettings
from django.db import connection

from judge.blobs import store
from judge.people.models import User
from judge.people.refusal import Refused
from judge.submissions import actions, queries
from judge.submissions.models import Effective, Judgement, State, Submission, Trial, Worker
from problems.models import Problem
from tests.broker import Broker

HELLO = {"main.cpp": b"int main() {}\n"}


def test_a_program_is_kept_and_owed(student: User, paper_problem: Problem) -> None:
    sent = actions.submit(student, paper_problem, "cpp17", HELLO, "form-1")
    judgement = Judgement.objects.get(submission=sent)
    assert (judgement.state, judgement.version, judgement.attempt) == (State.QUEUED, paper_problem.live, 0)
    assert Effective.objects.get(submission=sent).judgement == judgement
    assert queries.sources(student, sent) == HELLO


@pytest.mark.django_db(transaction=True)
def test_one_message_is_sent_after_the_commit(broker: Broker, student: User, paper_problem: Problem) -> None:
    actions.submit(student, paper_problem, "cpp17", HELLO, "form-1")
    assert broker.messages() == 1


def test_the_same_form_twice_is_one_submission(student: User, classmate: User, paper_problem: Problem) -> None:
    first = actions.submit(student, paper_problem, "cpp17", HELLO, "form-1")
    again = actions.submit(student, paper_problem, "cpp17", {"main.cpp": b"int main() { return 1; }"}, "form-1")
    assert again == first
    assert Judgement.objects.count() == 1
    assert actions.submit(student, paper_problem, "cpp17", HELLO, "form-2") != first
    assert actions.submit(classmate, paper_problem, "cpp17", HELLO, "form-1") != first


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_the_same_moment_are_one_submission(
    broker: Broker, student: User, paper_problem: Problem
) -> None:
    start = threading.Barrier(8)

    def click() -> int:
        try:
            start.wait()
            return actions.submit(student, paper_problem, "python3", {"a.py": b"print(1)"}, "form-1").pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as clicks:
        sent = {future.result() for future in [clicks.submit(click) for _ in range(8)]}
    assert len(sent) == 1
    assert Submission.objects.count() == Judgement.objects.count() == broker.messages() == 1


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_submitting_works_and_is_quick(broker: Broker, student: User, paper_problem: Problem) -> None:
    broker.stop()
    begin = time.monotonic()
    sent = actions.submit(student, paper_problem, "cpp17", HELLO, "form-1")
    assert time.monotonic() - begin < 3
    assert Judgement.objects.get(submission=sent).state == State.QUEUED


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_hangs_holds_nobody_up_for_long(broker: Broker, student: User, paper_problem: Problem) -> None:
    broker.freeze()
    try:
        begin = time.monotonic()
        actions.submit(student, paper_problem, "cpp17", HELLO, "form-1")
        assert time.monotonic() - begin < 6
    finally:
        broker.thaw()
    assert Judgement.objects.get().state == State.QUEUED


MANY = {f"part{number}.cpp": b"int x;" for number in range(101)}


@pytest.mark.parametrize(
    ("language", "files", "says"),
    [
        ("cobol", HELLO, "language is not known"),
        ("cpp17", {}, "There is no program"),
        ("cpp17", {"main.cpp": b" \n\t\n"}, "program is empty"),
        ("cpp17", {"main.cpp": b"x" * (10 << 20)}, "has 10 MiB; this problem takes at most 128 KiB"),
        ("cpp17", MANY, "101 files; at most 100"),
        ("cpp17", {"a.cpp": b"x", "../b.cpp": b"x"}, "“../b.cpp”"),
        ("cpp17", {"a.cpp": b"x", "/etc/b.cpp": b"x"}, "“/etc/b.cpp”"),
        ("cpp17", {"a.cpp": b"x", "b\0.cpp": b"x"}, "“b�.cpp”"),
        ("cpp17", {"a.cpp": b"x", "-o.cpp": b"x"}, "“-o.cpp”"),
        ("cpp17", {"a.cpp": b"x", "A.cpp": b"x"}, "differ only in capital letters"),
        ("cpp17", {"a": b"x", "a/b.cpp": b"x"}, "named like another file"),
        ("cpp17", {"a.cpp": b"x", "long" * 60 + ".cpp": b"x"}, "A file cannot be named"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refused_with_a_sentence(
    student: User, paper_problem: Problem, language: str, files: dict[str, bytes], says: str
) -> None:
    with pytest.raises(Refused) as refused:
        actions.submit(student, paper_problem, language, files, "form-1")
    assert says in refused.value.message
    assert not Submission.objects.exists()


@pytest.mark.parametrize("name", ["мой код (1).cpp", "main.cpp", "dir/prog.cpp", "a b.cpp"])
def test_names_that_are_fine_stay(student: User, paper_problem: Problem, name: str) -> None:
    sent = actions.submit(student, paper_problem, "cpp17", {name: b"x"}, "form-1")
    assert [file["name"] for file in sent.files] == [name]


@pytest.mark.parametrize("name", ["../x.cpp", "", "a\0.cpp", "C:\\me\\x.cpp", "x" * 300, "\ud800.cpp"])
def test_a_single_file_may_be_named_anything(student: User, paper_problem: Problem, name: str) -> None:
    sent = actions.submit(student, paper_problem, "cpp17", {name: b"x"}, "form-1")
    assert [file["name"] for file in sent.files] == ["main.cpp"]


def test_bytes_are_kept_as_they_came(student: User, paper_problem: Problem) -> None:
    odd = b'char s[] = "a\0b\xff\xfe";\r\n'
    sent = actions.submit(student, paper_problem, "c17", {"main.c": odd}, "form-1")
    assert store.get(sent.files[0]["digest"]) == odd


@pytest.mark.parametrize("token", ["", "x" * 65, "a\0b"])
def test_a_form_without_a_good_token(student: User, paper_problem: Problem, token: str) -> None:
    with pytest.raises(Refused, match="Load the page again"):
        actions.submit(student, paper_problem, "cpp17", HELLO, token)


def test_a_problem_without_a_version(student: User, paper_problem: Problem) -> None:
    paper_problem.live = None
    paper_problem.save()
    with pytest.raises(Refused, match="not open for submissions"):
        actions.submit(student, paper_problem, "cpp17", HELLO, "form-1")


def test_a_language_that_the_package_or_the_workers_do_not_take(student: User, paper_problem: Problem) -> None:
    version = paper_problem.live
    assert version is not None
    version.facts["languages"] = ["python3", "java"]
    version.save()
    refusal = r"C\+\+17 cannot be judged for this problem. Languages that can: Python 3, PyPy 3, Java"
    with pytest.raises(Refused, match=refusal):
        actions.submit(student, paper_problem, "cpp17", HELLO, "form-1")
    Worker.objects.create(name="one", languages=["python3", "cpp17"], started=version.created, seen=version.created)
    with pytest.raises(Refused, match=r"Java cannot be judged.*: Python 3\."):
        actions.submit(student, paper_problem, "java", {"Main.java": b"class Main {}"}, "form-1")


def test_too_many_unfinished(student: User, instructor: User, paper_problem: Problem, settings: LazySettings) -> None:
    settings.UNFINISHED_SUBMISSIONS = 2
    for number in range(2):
        actions.submit(student, paper_problem, "cpp17", HELLO, f"form-{number}")
    with pytest.raises(Refused, match="2 of your submissions are waiting or being judged"):
        actions.submit(student, paper_problem, "cpp17", HELLO, "form-3")
    assert actions.submit(student, paper_problem, "cpp17", HELLO, "form-1").token == "form-1"
    Judgement.objects.filter(submission__token="form-0").update(state=State.DONE)
    actions.submit(student, paper_problem, "cpp17", HELLO, "form-3")
    for number in range(3):
        actions.submit(instructor, paper_problem, "cpp17", HELLO, f"form-{number}")


def test_a_closed_account(student: User, paper_problem: Problem) -> None:
    student.is_active = False
    with pytest.raises(Refused, match="cannot send programs"):
        actions.submit(student, paper_problem, "cpp17", HELLO, "form-1")


def test_trial_runs(student: User, paper_problem: Problem, settings: LazySettings) -> None:
    settings.UNFINISHED_TRIALS = 2
    settings.OWN_INPUT_BYTES = 10
    version = paper_problem.live
    assert version is not None
    samples = actions.start_trial(student, version, "cpp17", HELLO)
    own = actions.start_trial(student, version, "cpp17", HELLO, b"e2 e4\n")
    empty = {"own": store.get(own.own_input), "samples": samples.own_input}
    assert empty == {"own": b"e2 e4\n", "samples": ""}
    with pytest.raises(Refused, match="2 of your trial runs are still going on"):
        actions.start_trial(student, version, "cpp17", HELLO)
    with pytest.raises(Refused, match="at most 10 bytes"):
        actions.start_trial(student, version, "cpp17", HELLO, b"x" * 11)
    assert Trial.objects.count() == 2
