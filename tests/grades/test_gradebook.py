"""The gradebook is what the judgements that count say now, in a constant number of queries; exports are harmless."""

import csv
import io
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from openpyxl import load_workbook

from judge.assignments.models import Extension
from judge.assignments.queries import given_to
from judge.grades import sheets
from judge.grades.actions import adjust
from judge.grades.gradebook import Judged, gradebook, scores_of
from judge.grades.standing import standings
from judge.people.models import Course, CourseRole, Membership, Section, User
from judge.people.refusal import Refused
from judge.submissions.models import Effective, Judgement
from problems.models import Problem
from tests.conftest import assign, person
from tests.grades.conftest import Send


def points(course: Course, **only: Any) -> dict[str, list[str]]:
    book = gradebook(course, **only)
    return {line.membership.user.username: [str(cell.points) for cell in line.cells] for line in book.lines}


def another(paper: Problem, slug: str) -> Problem:
    return Problem.objects.create(slug=slug, uuid=slug, live=paper.live)


def test_students_by_problems(
    course: Course, student: User, classmate: User, paper_problem: Problem, send: Send
) -> None:
    second = another(paper_problem, "second")
    first, later = assign(course, paper_problem, second), assign(course, paper_problem, title="Later")
    send(student, first, Fraction(200, 3))
    send(student, first, 50)
    send(student, later, 100)
    send(student, None, 100)
    send(classmate, first, 30, problem=second)
    assert points(course) == {"kim": ["0", "3", "0"], "sam": ["20/3", "0", "10"]}
    (line,) = gradebook(course, students=[student.pk]).lines
    assert (line.total, line.worth) == (Fraction(50, 3), Fraction(30))
    assert line.percent == Fraction(500, 9)
    assert points(course, assignments=[later.pk]) == {"kim": ["0"], "sam": ["10"]}


def test_it_follows_the_judgement_that_counts(
    course: Course, student: User, paper_problem: Problem, send: Send
) -> None:
    sent = send(student, assign(course, paper_problem))
    live = paper_problem.live
    assert live is not None
    for number in range(5):  # regraded again and again: one attempt, solved once
        again = Judgement.objects.create(
            submission=sent, version=live, purpose="regrade", state="done", verdict="accepted", points=100, out_of=100
        )
        Effective.objects.filter(submission=sent).update(judgement=again)
        cell = gradebook(course, students=[student.pk]).lines[0].cells[0]
        assert (cell.score.attempts, cell.score.points) == (1, Fraction(10)), number
    would = {sent.pk: Judged(verdict="wrong_answer", points=Decimal(0), out_of=Decimal(100))}
    assert gradebook(course, students=[student.pk], instead=would).lines[0].cells[0].points == 0
    Judgement.objects.filter(pk=again.pk).update(verdict="wrong_answer", points=0)
    assert gradebook(course, students=[student.pk]).lines[0].cells[0].points == 0


def test_exempt_sections_and_who_has_left(
    course: Course, student: User, classmate: User, paper_problem: Problem, send: Send
) -> None:
    common, only_b = assign(course, paper_problem), assign(course, paper_problem, title="B")
    section = Section.objects.create(course=course, name="B")
    only_b.sections.add(section)
    Membership.objects.filter(user=classmate).update(section=section)
    Extension.objects.create(assignment=common, student=classmate, exempt=True, reason="moved here")
    send(classmate, common)
    lines = {line.membership.user.username: line for line in gradebook(course).lines}
    assert [lines[name].worth for name in ("sam", "kim")] == [10, 10]
    assert [cell.counts for cell in lines["sam"].cells] == [True, False]
    assert [cell.counts for cell in lines["kim"].cells] == [False, True]
    assert lines["kim"].total == 0
    Membership.objects.filter(user=classmate).update(active=False)
    Membership.objects.create(user=person("tom"), course=course, role=CourseRole.ASSISTANT)
    assert set(points(course)) == {"sam"}


def test_what_is_not_open_yet_is_no_part_of_a_sum(course: Course, student: User, paper_problem: Problem) -> None:
    soon = timezone.now() + timedelta(days=1)
    later = assign(course, paper_problem, opens=soon)
    assert points(course)["sam"] == []
    assert points(course, assignments=[later.pk])["sam"] == ["0"]


def test_a_draft_is_no_part_of_a_sum(course: Course, student: User, paper_problem: Problem) -> None:
    given = assign(course, paper_problem)
    draft = assign(course, paper_problem, title="Draft", published=None)
    book = gradebook(course, students=[student.pk])
    rows = standings(student, given_to(student, course))
    assert [one.assignment for one in book.entries] == [given] == [row.given.assignment for row in rows]
    assert book.lines[0].worth == sum(row.worth for row in rows)
    assert [one.assignment for one in gradebook(course, assignments=[draft.pk]).entries] == [draft], "asked for"


def test_a_correction_by_hand_stands_beside_what_is_computed(
    course: Course, student: User, instructor: User, paper_problem: Problem, send: Send
) -> None:
    assignment = assign(course, paper_problem)
    send(student, assignment, 40)
    entry = assignment.entries.get()
    adjust(instructor, entry, student, Decimal("7.5"), "explained it")
    cell = gradebook(course, students=[student.pk]).lines[0].cells[0]
    assert (cell.points, cell.score.points, cell.adjusted) == (Fraction(15, 2), Fraction(4), True)
    adjust(instructor, entry, student, None, "a mistake")
    cell = gradebook(course, students=[student.pk]).lines[0].cells[0]
    assert (cell.points, cell.adjusted, entry.adjustments.count()) == (Fraction(4), False, 2)
    for by, who, why, said in (
        (student, student, "please", "Only instructors"),
        (instructor, person("stella"), "who?", "student of this course"),
        (instructor, student, " ", "Say why"),
    ):
        with pytest.raises(Refused, match=said):
            adjust(by, entry, who, Decimal(1), why)


def test_more_of_everything_takes_no_more_queries(
    course: Course, student: User, paper_problem: Problem, send: Send
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            book = gradebook(course)
            sheets.csv_of(book)
            given = given_to(student)
            scores_of(student, given)
        return len(found)

    send(student, assign(course, paper_problem))
    few = queries()
    more = [another(paper_problem, f"p{number}") for number in range(5)]
    for number in range(12):
        user = person(f"s{number}")
        Membership.objects.create(user=user, course=course)
        assignment = assign(course, *more)
        Extension.objects.create(assignment=assignment, student=user, extra_attempts=1, reason="x")
        send(user, assignment, problem=more[0])
    assert queries() == few


def test_exports_round_once_and_hold_no_formula(
    course: Course, student: User, classmate: User, *, instructor: User, paper_problem: Problem, send: Send
) -> None:
    User.objects.filter(pk=student.pk).update(first_name='=HYPERLINK("http://evil")', last_name="@SUM(1)")
    User.objects.filter(pk=classmate.pk).update(first_name="\t=1+1", last_name="\x07Kim")
    assignment = assign(course, paper_problem, title="+cmd|' /C calc'!A0")
    send(student, assignment, Fraction(200, 3))
    send(student, assignment, 0, state="queued", verdict="")
    book = gradebook(course)
    lines = list(csv.reader(io.StringIO(sheets.csv_of(book).decode("utf-8-sig"))))
    sheet = load_workbook(io.BytesIO(sheets.xlsx_of(book, "[x]:*"))).active
    assert sheet is not None
    assert sheet.column_dimensions["D"].width > len(lines[0][3]), "what heads a column is seen whole"
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert all(cell.data_type != "f" for cell in cells), "no formula"
    assert {cell.value for cell in cells if cell.quotePrefix} > {"+cmd|' /C calc'!A0: paper (10.00)"}, "as it is called"
    texts = [text for line in lines for text in line]
    assert not [text for text in texts if text.lstrip()[:1] in ("=", "+", "-", "@")]
    sam = next(line for line in lines if line[0] == "sam")
    assert sam[3:] == ["6.67", "6.67", "10.00", "66.67", "1", ""], "and one program may change that still"
    assert next(line for line in lines if line[0] == classmate.username)[-2] == ""
    row = next(row for row in sheet.iter_rows(values_only=True) if row[0] == "sam")
    assert [float(str(value)) for value in row[3:-1]] == [6.67, 6.67, 10.0, 66.67, 1]
    adjust(instructor, assignment.entries.get(), student, Decimal(9), "explained it")
    lines = list(csv.reader(io.StringIO(sheets.csv_of(gradebook(course)).decode("utf-8-sig"))))
    marked = {line[0]: line[-1] for line in lines}
    assert marked == {"username": "set by hand", "sam": "'+cmd|' /C calc'!A0: paper", classmate.username: ""}
