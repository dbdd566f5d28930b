"""The page of statistics: pictures that can be read without eyes, for the staff of the course alone."""

import re
from collections.abc import Callable
from xml.etree import ElementTree

from django.test import Client

from judge.people.models import Course, User
from judge.submissions.models import Submission
from judge.web.course.pictures import Bar, Kind, Picture, spread
from tests.conftest import assign
from tests.web.conftest import done

Send = Callable[..., Submission]


def filled(course: Course, student: User, classmate: User, send: Send) -> str:
    """The address of a problem for which something was sent."""
    problem = send(student).problem
    assignment = assign(course, problem)
    facts = {"points": 100, "out_of": 100}
    send(student, assignment=assignment, results=[("accepted", {}), ("wrong_answer", {})], **done("wrong_answer"))
    send(student, assignment=assignment, results=[("accepted", {}), ("accepted", {})], **done("accepted", **facts))
    send(classmate, assignment=assignment, **done("compile_error"))
    return f"/courses/{course.slug}/statistics/{assignment.entries.get().pk}/"


def test_pictures_have_words(
    client: Client, course: Course, instructor: User, student: User, *, classmate: User, send: Send
) -> None:
    address = filled(course, student, classmate, send)
    client.force_login(instructor)
    page = client.get(address).content.decode()
    pictures = re.findall(r'<svg class="histogram".*?</svg></svg>', page, re.DOTALL)
    assert len(pictures) == 3
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        ids = root.attrib["aria-labelledby"].split()
        assert [child.attrib["id"] for child in root[:2]] == ids
        assert all(child.text for child in root[:2])
    assert "2 attempts: 1." in page
    assert 'href="{}"'.format(f"/courses/{course.slug}/grades/?assignment=") not in page
    assert "style=" not in page.split("<main")[1]
    for from_here in ("grades/", f"assignments/{course.assignments.get().pk}/"):
        assert f'href="{address}"' in client.get(f"/courses/{course.slug}/{from_here}").content.decode(), from_here
    client.force_login(student)
    assert client.get(address).status_code == 404
    assert (
        address not in client.get(f"/courses/{course.slug}/assignments/{course.assignments.get().pk}/").content.decode()
    )


def test_where_bars_stand() -> None:
    kinds = (Kind(label="a", css="good"), Kind(label="b", css="bad"))
    bars = [Bar(label="1", says="one", parts=(1, 1)), Bar(label="2", says="two", parts=(4, 0))]
    one, two = Picture(name="x", title="", says="", axis="", kinds=kinds, bars=bars).columns
    assert [(block.css, block.y, block.height) for block in one.blocks] == [
        ("good", "75.00%", "25.00%"),
        ("bad", "50.00%", "25.00%"),
    ]
    assert (one.middle, one.top, two.middle, two.top) == ("25.00%", "50.00%", "75.00%", "0.00%")
    assert spread([0, 0.1, 0.99, 1, 7], 1.0, 2) == [2, 1, 2]
