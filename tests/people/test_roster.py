"""A list of people does what its preview says, all of it or nothing, and takes nobody's account over."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judge.people import actions, roster
from judge.people.models import AuditEntry, Course, CourseRole, Membership, Section, User
from judge.people.refusal import Refused
from judge.people.roster import Changed, Fate
from judge.people.roster_file import ROWS, read, text_of
from tests.conftest import person
from tests.overlap import overlapping

LIST = """\
email,name,section,role
ana@example.org,Ana Lima,A,student
bogdan@example.org,"Ionescu, Bogdan",B,
tom@example.org,Tom Ionescu,,assistant
"""


def apply(by: User, course: Course, text: str, *, remove: bool = False) -> roster.Plan:
    return roster.apply(by, course, text, roster.plan(by, course, text, remove=remove).seal, remove=remove)


def faults(text: str) -> list[tuple[int, str]]:
    return [(fault.line, fault.text) for fault in read(text)[1]]


def test_new_people_get_accounts_without_a_password(course: Course, instructor: User) -> None:
    before = User.objects.count()
    plan = roster.plan(instructor, course, LIST)
    assert (plan.counts["add"], plan.new_sections, list(plan.faults)) == (3, ["A", "B"], [])
    assert User.objects.count() == before, "a preview does nothing"
    apply(instructor, course, LIST)
    bogdan = User.objects.get(username="bogdan@example.org")
    assert (bogdan.first_name, bogdan.last_name, bogdan.taken_up, bogdan.made_in) == (
        "Bogdan",
        "Ionescu",
        False,
        course,
    )
    member = Membership.objects.get(user=bogdan)
    assert (member.role, str(member.section), member.active) == (CourseRole.STUDENT, "B", True)
    assert Membership.objects.get(user__username="tom@example.org").role == CourseRole.ASSISTANT
    assert "3 added" in AuditEntry.objects.get().what
    again = roster.plan(instructor, course, LIST)
    assert not again.moving, "the same list changes nothing any more"


def test_update_leave_and_come_back(course: Course, instructor: User, student: User) -> None:
    apply(instructor, course, LIST)
    text = "username,section\nana@example.org,B\nSAM,A\n"
    plan = apply(instructor, course, text, remove=True)
    assert {(one.username, one.fate) for one in plan.moving} == {
        ("ana@example.org", Fate.UPDATE),
        ("sam", Fate.UPDATE),
        ("kim", Fate.REMOVE),
        ("bogdan@example.org", Fate.REMOVE),
    }
    assert not Membership.objects.get(user__username="kim").active
    assert Membership.objects.get(user__username="tom@example.org").active, "only students leave by a list"
    assert Membership.objects.get(user=instructor).active
    back = apply(instructor, course, "username\nkim\n")
    assert [one.fate for one in back.moving] == [Fate.BACK]
    assert Membership.objects.get(user__username="kim").active


def test_an_account_that_is_somebodys_keeps_name_mail_and_password(course: Course, instructor: User) -> None:
    ada = person("lea")
    apply(instructor, course, "username,email,name\nlea,mine@example.org,Somebody Else\n")
    ada.refresh_from_db()
    assert (ada.email, ada.first_name, ada.has_usable_password()) == ("lea@example.org", "", True)
    other = Course.objects.create(name="Other", slug="other")
    Membership.objects.create(user=person("otto"), course=other, role=CourseRole.INSTRUCTOR)
    apply(instructor, course, LIST)
    apply(User.objects.get(username="otto"), other, "username,email,name\nana@example.org,otto@example.org,Otto\n")
    ana = User.objects.get(username="ana@example.org")
    assert (ana.email, ana.first_name) == ("ana@example.org", "Ana"), "another course did not make this account"
    apply(instructor, course, "email,name\nana@example.org,Ana Maria Lima\n")
    ana.refresh_from_db()
    assert ana.first_name == "Ana Maria", "the course that made it may, until she takes it up"


@pytest.mark.parametrize(
    "content",
    [
        "email,name\nana@example.org,Zoé 陈\n".encode(),
        "email,name\nana@example.org,Zoé 陈\n".encode("utf-8-sig"),
        b"email;name\r\nana@example.org;Zo\xc3\xa9 \xe9\x99\x88\r\n",
        "Email\tName\nana@example.org\tZoe\N{COMBINING ACUTE ACCENT} 陈\n".encode(),
        "sep=;\r\nemail;name\r\nana@example.org;Zoé 陈\r\n".encode("utf-8-sig"),
        '\n"E-Mail"; "Full  Name"\n\n"ana@example.org";"Zoé 陈"\n;\n'.encode(),
    ],
)
def test_spellings_of_the_same_list(content: bytes) -> None:
    rows, wrong, _ignored, _notes = read(text_of(content))
    assert wrong == []
    assert [(row.email, row.first_name, row.last_name) for row in rows] == [("ana@example.org", "Zoé", "陈")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("email\nZoé@example.org\n".encode("latin-1"), "Line 2 is not written in UTF-8"),
        ("email\nana@example.org\n".encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04\0\0", "no CSV in UTF-8"),
        (b"x" * (2 << 20) + b"x", "at most 2 MiB"),
    ],
)
def test_files_that_are_none(content: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said):
        text_of(content)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 0, "empty"),
        ("name,section\nAna,A\n", 1, "username or email"),
        ("email,mail\na@example.org,b@example.org\n", 1, "Two columns"),
        ("email,role\na@example.org,boss\n", 2, "no role"),
        ("email\nno mail\n", 2, "no mail address"),
        ("username\na b\n", 2, "no username"),
        ("email,name\n,Ana\n", 2, "neither"),
        ("email,name\na@example.org,Ana,more\n", 2, "3 cells"),
        ("email,name\na@example.org,Ana\nA@example.org,Eva\n", 3, "in line 2 too"),
        ('email,name\na@example.org,"An"a\n', 2, "no CSV"),
        ('email,name\na@example.org,Ana\n\nb@example.org,"Bo\nc@example.org,Eva\n', 4, "is not closed"),
        (f"email,name\na@example.org,{'x' * 300}\n", 2, "250 letters"),
        ("email,name\na@example.org,A\x1bna\n", 2, "cannot be printed"),
        ("username\n" + "".join(f"u{n}\n" for n in range(ROWS + 1)), 0, "at most 5,000"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, said: str) -> None:
    ((where, what),) = faults(text)
    assert where == line
    assert said in what


def test_a_row_that_says_the_same_again_is_left_out() -> None:
    rows, wrong, ignored, notes = read("email,name,phone\na@example.org,Ana,1\na@example.org,Ana,2\n")
    assert (len(rows), wrong, ignored) == (1, [], ["phone"])
    assert "Line 3" in notes[0]


def test_a_fault_in_one_row_changes_nothing(course: Course, instructor: User) -> None:
    before = User.objects.count()
    text = LIST + "broken,,,\n"
    with pytest.raises(Refused, match="not in order"):
        apply(instructor, course, text)
    assert User.objects.count() == before
    assert not Section.objects.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("username,email\nnew,sam@example.org\n", "belongs to another account"),
        ("username\nclosed\n", "closed"),
        ("username\n..\n", "neither a letter nor a digit"),
        ("username\n@\n", "neither a letter nor a digit"),
        ("username,role\nines,student\n", "your own role"),
        ("username,email\nsam,\n,sam@example.org\n", "account of line 2 too"),
        ("email\ntwin@example.org\n", "Several accounts"),
    ],
)
def test_people_that_cannot_be_meant(course: Course, instructor: User, text: str, said: str) -> None:
    person("closed")
    User.objects.filter(username="closed").update(is_active=False)
    for name in ("one", "two"):
        person(name)
    User.objects.filter(username__in=("one", "two")).update(email="twin@example.org")
    (fault,) = roster.plan(instructor, course, text).faults
    assert said in fault.text


def test_who_was_forgotten_stays_in_the_list(course: Course, instructor: User, student: User, classmate: User) -> None:
    User.objects.filter(pk=student.pk).update(
        username="former-1", email="", is_active=False, anonymised=timezone.now(), role="student"
    )
    student.refresh_from_db()
    as_they_were = f"username,role\n{student.username},student\nkim,student\nines,instructor\n"
    plan = roster.plan(instructor, course, as_they_were, remove=True)
    assert (list(plan.faults), plan.moving) == ([], [])
    without = roster.plan(instructor, course, "username\nkim\n", remove=True)
    assert not without.moving, "their grades stay in the book"
    (fault,) = roster.plan(instructor, course, f"username,role\n{student.username},assistant\n").faults
    assert "closed" in fault.text


def test_a_name_that_the_list_cannot_change_is_told(course: Course, instructor: User, student: User) -> None:
    User.objects.filter(pk=student.pk).update(first_name="Sam", last_name="Lee")
    plan = roster.plan(instructor, course, "username,name\nsam,Sam Other\n")
    assert (plan.moving, len(plan.notes)) == ([], 1)
    assert "sam, who keeps their own" in plan.notes[0]
    assert not roster.plan(instructor, course, "username,name\nsam,Sam Lee\n").notes


def test_what_came_between_is_shown_before_it_is_done(course: Course, instructor: User) -> None:
    plan = roster.plan(instructor, course, LIST)
    User.objects.create_user("x", "ana@example.org")
    with pytest.raises(Changed):
        roster.apply(instructor, course, LIST, plan.seal)
    assert not User.objects.filter(username="bogdan@example.org").exists()


@pytest.mark.django_db(transaction=True)
def test_the_same_list_applied_twice_at_once(course: Course, instructor: User) -> None:
    seal = roster.plan(instructor, course, LIST).seal

    def press() -> int:
        return len(roster.apply(instructor, course, LIST, seal).moving)

    first, second = overlapping(press, press)
    assert first == 3
    assert "Look at what the file would do now" in str(second)
    assert User.objects.filter(made_in=course).count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_lists_at_once_are_not_mixed(course: Course, instructor: User) -> None:
    both = ["username,role\nsam,assistant\n", "username,section\nsam,A\n"]
    seals = [roster.plan(instructor, course, text).seal for text in both]

    def press(number: int) -> Callable[[], object]:
        return lambda: roster.apply(instructor, course, both[number], seals[number])

    overlapping(press(0), press(1))
    sam = Membership.objects.get(user__username="sam")
    assert (sam.role, str(sam.section)) == (CourseRole.ASSISTANT, "A"), "neither undoes the other"


def test_five_thousand_rows_take_as_many_queries_as_five(course: Course, instructor: User) -> None:
    def queries(count: int) -> int:
        text = "email,name,section\n" + "".join(f"p{n}@example.org,P {n},S{n % 9}\n" for n in range(count))
        with CaptureQueriesContext(connection) as found:
            assert len(roster.plan(instructor, course, text).changes) == count
        return len(found)

    assert queries(5) == queries(ROWS)


def test_others_cannot(course: Course, student: User) -> None:
    assistant = person("tom")
    Membership.objects.create(user=assistant, course=course, role=CourseRole.ASSISTANT)
    for viewer in (student, assistant, person("otto")):
        with pytest.raises(Refused, match="Only instructors"):
            roster.plan(viewer, course, LIST)


def test_an_archived_course_takes_no_list(course: Course, instructor: User) -> None:
    seal = roster.plan(instructor, course, LIST).seal
    actions.archive(instructor, course)
    with pytest.raises(Refused):
        roster.apply(instructor, course, LIST, seal)


def test_a_course_keeps_an_instructor(course: Course, instructor: User) -> None:
    mine = Membership.objects.select_related("course").get(user=instructor)
    with pytest.raises(Refused, match="needs an instructor"):
        actions.change_member(instructor, mine, role="student", section=None, active=True)
    with pytest.raises(Refused, match="needs an instructor"):
        actions.change_member(instructor, mine, role="instructor", section=None, active=False)
    kim = Membership.objects.select_related("course").get(user__username="kim")
    actions.change_member(instructor, kim, role="instructor", section=None, active=True)
    actions.change_member(instructor, mine, role="assistant", section=None, active=True)
    assert Membership.objects.get(user=instructor).role == CourseRole.ASSISTANT
