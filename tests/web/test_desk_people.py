"""Who writes a problem, and who decides that."""

from django.test import Client

from judge.people.models import Role, User
from problems.models import Problem
from tests.web.test_desk import words


def test_owners(as_instructor: Client, sums: Problem, student: User) -> None:
    answer = as_instructor.post("/desk/sums/people", {"name": "nobody"})
    assert (answer.status_code, "There is no account of this name." in words(answer.content)) == (422, True)
    assert as_instructor.post("/desk/sums/people", {"name": "sam"}).status_code == 302
    other = Client()
    other.force_login(student)
    assert b"Problem desk" in other.get("/").content
    assert other.get("/desk/sums/").status_code == 200
    assert other.post(f"/desk/sums/people/{student.pk}/remove")["Location"] == "/"
    assert other.get("/desk/sums/").status_code == 404


def test_an_invited_owner_takes_the_problem_from_nobody(
    as_instructor: Client, twice: Problem, student: User, classmate: User, admin: User
) -> None:
    instructor = twice.owners.get()
    assert as_instructor.post("/desk/twice/people", {"name": "sam"}).status_code == 302
    other = Client()
    other.force_login(student)
    twice.owners.add(classmate)
    for pk in (instructor.pk, classmate.pk):
        answer = other.post(f"/desk/twice/people/{pk}/remove", follow=True)
        assert "is decided by its owners who are instructors" in words(answer.content)
    answer = other.post("/desk/twice/people", {"name": "ann"})
    assert (answer.status_code, "decided by its owners who are instr" in words(answer.content)) == (422, True)
    answer = other.post("/desk/twice/versions/1/live", {"seen": str(twice.live_id), "even_so": "1"})
    assert (answer.status_code, "decided by its owners who are instr" in words(answer.content)) == (422, True)
    other.post("/desk/twice/listed", {"listed": "0"})
    assert Problem.objects.get(pk=twice.pk).listed
    student.role = Role.INSTRUCTOR
    student.save()
    answer = other.post(f"/desk/twice/people/{instructor.pk}/remove", follow=True)
    assert "began this problem, and is removed only by themself" in words(answer.content)
    other.post(f"/desk/twice/people/{classmate.pk}/remove")
    assert set(twice.owners.all()) == {instructor, student}
    other.force_login(admin)
    other.post(f"/desk/twice/people/{instructor.pk}/remove")
    assert list(twice.owners.all()) == [student]


def test_the_last_owner_stays_until_another_is_named(
    as_instructor: Client, twice: Problem, instructor: User, admin: User
) -> None:
    address = f"/desk/twice/people/{instructor.pk}/remove"
    assert "Name another one first" in words(as_instructor.post(address, follow=True).content)
    assert list(twice.owners.all()) == [instructor]
    other = Client()
    other.force_login(admin)
    other.post(address)
    assert not twice.owners.exists()


DECIDES = {
    "": '/versions/1/live"',
    "versions": '/versions/1/live"',
    "versions/1/live": 'name="even_so"',
    "people": 'name="listed"',
}
"""Page of the desk -> what is on it for who may decide what students see."""


def test_what_is_not_for_a_reader_to_decide_has_no_button(
    as_student: Client, twice: Problem, instructor: User, student: User
) -> None:
    twice.owners.add(student)
    twice.live = None
    twice.save()

    def shown(name: str) -> tuple[str, bool]:
        page = as_student.get(f"/desk/twice/{name}").text
        told = " ".join(words(page.encode()).split())
        return told, DECIDES[name] in page

    for page in DECIDES:
        told, may = shown(page)
        assert told.count(f"Version 1 is made live by {instructor}, or by an admin.") == 1, page
        assert not may, page
    people = as_student.get("/desk/twice/people").text
    assert (people.count('/remove"'), f'/{student.pk}/remove"' in people, 'name="name"' in people) == (1, True, False)
    twice.owners.remove(instructor)
    assert "Version 1 is made live by an admin: none of its owners is an instructor." in shown("")[0]
    student.role = Role.INSTRUCTOR
    student.save()
    for page in DECIDES:
        told, may = shown(page)
        assert "is made live by" not in told, page
        assert may, page
