"""What is kept of a person can be had, and is forgotten without a grade changing."""

import io
import json
import zipfile
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from axes.models import AccessLog
from django.core.management import CommandError, call_command
from django.utils import timezone

from judge.assignments.models import Extension
from judge.grades.actions import adjust
from judge.grades.gradebook import gradebook
from judge.operations import persons
from judge.people.models import AuditEntry, Course, CourseRole, Membership, Role, User
from judge.people.refusal import Refused
from judge.submissions import actions
from judge.submissions.models import Judgement, Submission, Trial
from problems.models import Problem
from tests.conftest import assign, person

PROGRAM = {"main.cpp": b"int main() {}", "lib/help.hpp": b"// by Sam"}


@pytest.fixture
def worked(course: Course, student: User, instructor: User, paper_problem: Problem) -> User:
    """Sam with a name, graded and practice work, a trial run, an extension and a correction."""
    User.objects.filter(pk=student.pk).update(first_name="Sam", last_name="Sample")
    assignment = assign(course, paper_problem)
    graded = actions.submit(student, paper_problem, "cpp17", PROGRAM, "graded", assignment=assignment)
    Judgement.objects.filter(submission=graded).update(state="done", verdict="accepted", points=100, out_of=100)
    actions.submit(student, paper_problem, "cpp17", PROGRAM, "practice")
    assert paper_problem.live is not None
    actions.start_trial(student, paper_problem.live, "cpp17", PROGRAM)
    Extension.objects.create(assignment=assignment, student=student, extra_attempts=1, reason="Sam was ill")
    adjust(instructor, assignment.entries.get(), student, Decimal(9), "Sam explained it")
    AccessLog.objects.create(username="sam", ip_address="198.51.100.7")
    return User.objects.get(pk=student.pk)


def grades(course: Course) -> list[Any]:
    return [
        (line.membership.user_id, [cell.points for cell in line.cells], line.total) for line in gradebook(course).lines
    ]


def test_everything_that_is_kept_can_be_had(worked: User, admin: User, classmate: User) -> None:
    with zipfile.ZipFile(io.BytesIO(persons.export(worked, worked))) as archive:
        facts = json.loads(archive.read("data.json"))
        sources = [name for name in archive.namelist() if name.endswith("lib/help.hpp")]
        assert archive.read(sources[0]) == b"// by Sam"
    assert len(sources) == 2
    assert facts["account"]["email"] == "sam@example.org"
    assert [one["course"] for one in facts["courses"]] == ["Algorithms"]
    assert {one["assignment"] for one in facts["submissions"]} == {"Graphs", None}
    assert facts["extensions"][0]["reason"] == "Sam was ill"
    assert facts["points_by_hand"][0]["points"] == "9.00"
    assert facts["signed_in_from"][0]["ip_address"] == "198.51.100.7"
    assert persons.export(admin, worked)
    with pytest.raises(Refused):
        persons.export(classmate, worked)


def test_forgotten_without_a_grade_changing(worked: User, course: Course, admin: User) -> None:
    before = grades(course)
    assert persons.forget(admin, worked) is False, "graded work hangs on it"
    assert grades(course) == before
    worked.refresh_from_db()
    assert (worked.is_active, worked.has_usable_password(), worked.email) == (False, False, "")
    assert worked.anonymised is not None
    kept = [str(worked), worked.username, worked.first_name]
    kept += list(Extension.objects.values_list("reason", flat=True))
    kept += [one.reason for one in gradebook(course).lines[1].cells[0].entry.adjustments.all()]
    kept += list(AuditEntry.objects.values_list("what", flat=True))
    assert not [text for text in kept if "sam" in text.casefold()]
    assert [one.assignment is not None for one in Submission.objects.filter(author=worked)] == [True]
    assert not Trial.objects.exists()
    assert not AccessLog.objects.exists()


def test_an_account_for_which_nothing_was_graded_goes_whole(
    course: Course, student: User, paper_problem: Problem, admin: User
) -> None:
    actions.submit(student, paper_problem, "cpp17", PROGRAM, "practice")
    assert persons.forget(admin, student) is True
    assert not User.objects.filter(username="sam").exists()
    assert not Submission.objects.exists()


def test_who_is_not_forgotten(admin: User, instructor: User, student: User) -> None:
    other = person("bea", Role.ADMIN)
    for by, user, said in (
        (instructor, student, "Only admins"),
        (admin, admin, "yourself"),
        (admin, other, "An admin's"),
    ):
        with pytest.raises(Refused, match=said):
            persons.forget(by, user)


def test_who_is_due(
    course: Course, student: User, classmate: User, paper_problem: Problem, capsys: pytest.CaptureFixture[str]
) -> None:
    long_ago = timezone.now() - timedelta(days=500)
    User.objects.update(date_joined=long_ago)
    assert persons.due(365) == [], "the course goes on"
    Course.objects.update(ends=timezone.now().date() - timedelta(days=400))
    owner, alone, assistant = person("olga"), person("alone"), person("tom")
    User.objects.update(date_joined=long_ago)
    for user, role in ((owner, CourseRole.STUDENT), (assistant, CourseRole.ASSISTANT)):
        Membership.objects.create(user=user, course=course, role=role)
    paper_problem.owners.add(owner)
    assert persons.due(365) == [student, classmate], "no staff, no owner, nobody who was in no course"
    assert persons.due(450) == []
    User.objects.filter(pk=classmate.pk).update(last_login=timezone.now())
    assert persons.due(365) == [student]
    going_on = Course.objects.create(name="Now", slug="now")
    membership = Membership.objects.create(user=student, course=going_on)
    assert persons.due(365) == []
    membership.delete()
    call_command("forget", "--days", "450", "--dry-run")
    assert capsys.readouterr() == ("", "Nobody is due.\n")
    call_command("forget", "--days", "365", "--dry-run")
    assert capsys.readouterr().out == "sam\n"
    assert User.objects.filter(username="sam").exists()
    call_command("forget", "--days", "365")
    assert "1 forgotten" in capsys.readouterr().out
    assert not User.objects.filter(username="sam").exists()
    assert alone.is_active
    with pytest.raises(CommandError, match="after how many days"):
        call_command("forget")
    assert persons.forget_who_is_due() == 0, "never by itself, unless a setting says so"
