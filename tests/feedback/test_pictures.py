"""Pictures of a counterexample: drawn by the package's visualizer, shown to whom the counterexample is."""

from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from judge.assignments.models import Assignment
from judge.authoring.actions import publish
from judge.blobs import store
from judge.feedback.actions import source_of
from judge.feedback.models import Search
from judge.grading.draw import HEADERS
from judge.people.models import Course, User
from problems.models import Problem
from sandbox.box import open_sandbox
from tests.conftest import assign
from tests.feedback.test_trip import FILES, TAKES_PARTS_OFF, Do, done
from tests.shelf import write_package

__all__ = ["done"]

pytestmark = pytest.mark.django_db(transaction=True)

DRAWS = """import sys

given, answer, folder = sys.argv[1:4]
said = sys.stdin.read().strip()
svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20">' + said + "</text></svg>"
open(folder + "teamimage.svg", "w").write(svg)
open(folder + "judgeimage.svg", "w").write(svg.replace(said, "for staff"))
open(folder + "teamimage-9.svg", "w").write(svg.replace("<text", " " * 600_000 + "<text"))
"""
IMAGE = '<img src="{}"'


@pytest.fixture
def problem(transactional_db: None, tmp_path: Path) -> Problem:
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    files = {**FILES, "output_visualizer/draw.py": DRAWS, "palfrey/traces/line.py": None}
    files["palfrey/feedback.yaml"] = FILES["palfrey/feedback.yaml"].replace("replay: line.py\n", "")
    try:
        return publish(write_package(tmp_path / "twice", files), box).problem
    finally:
        box.close()


def address(sent: int, number: int) -> str:
    return reverse("submission-picture", args=[sent, number])


def test_who_sees_the_counterexample_sees_it_drawn(
    done: Do, student: User, classmate: User, admin: User, client: Client
) -> None:
    sent = done(student, TAKES_PARTS_OFF)
    drawn = Search.objects.get().result["pictures"]
    assert [[one["team"] for one in drawn[key]] for key in ("output", "answer")] == [[False, True], [False, True]]
    for reader, numbers in ((student, {2, 4}), (classmate, set()), (admin, {1, 2, 3, 4})):
        client.force_login(reader)
        seen = {number for number in range(6) if client.get(address(sent.pk, number)).status_code == 200}
        assert seen == numbers, reader
    client.force_login(student)
    page = client.get(reverse("submission", args=[sent.pk])).content.decode()
    assert IMAGE.format(address(sent.pk, 2)) in page
    assert IMAGE.format(address(sent.pk, 1)) not in page
    assert "<svg xmlns" not in page, "a picture of an author's is never put into a page"
    picture = client.get(address(sent.pk, 2))
    assert picture.content == store.get(drawn["output"][1]["digest"])
    assert b">11</text>" in picture.content
    assert b">10</text>" in client.get(address(sent.pk, 4)).content
    assert picture["Content-Type"] == "image/svg+xml"
    for header, value in HEADERS.items():
        assert picture[header] == value
    assert Client().get(address(sent.pk, 2)).status_code == 302


def test_a_student_whose_replay_is_closed_sees_no_picture(
    done: Do, student: User, client: Client, course: Course, problem: Problem
) -> None:
    sent = done(student, TAKES_PARTS_OFF)
    assigned = assign(course, problem, feedback={"replay": "never"})
    sent.assignment = assigned
    sent.save()
    client.force_login(student)
    assert client.get(address(sent.pk, 2)).status_code == 404
    assert b"/pictures/" not in client.get(reverse("submission", args=[sent.pk])).content
    Assignment.objects.update(feedback={})
    assert client.get(address(sent.pk, 2)).status_code == 200


def test_pictures_whose_bytes_are_lost_are_no_fault(done: Do, student: User, client: Client, problem: Problem) -> None:
    client.force_login(student)
    sent = done(student, TAKES_PARTS_OFF)
    row = Search.objects.get(source=source_of(sent))
    store.remove(row.result["pictures"]["output"][1]["digest"])
    assert client.get(address(sent.pk, 2)).status_code == 404
    assert client.get(reverse("submission", args=[sent.pk])).status_code == 200


def test_what_is_not_wrong_in_its_output_is_not_drawn(done: Do, student: User) -> None:
    done(student, b"n = int(input())\nprint(2 * n if n < 6 else [][n])\n")
    assert "pictures" not in Search.objects.get().result
