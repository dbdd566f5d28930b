"""The accounts to try a site with."""

from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.test import RequestFactory
from django.utils import timezone

from judge.assignments.queries import given_to
from judge.operations.accounts import demo_accounts, make_demo_accounts, make_demo_course
from judge.people.models import Course, Role, User
from problems.models import Problem
from tests.conftest import person

pytestmark = pytest.mark.django_db


def test_one_for_each_role_and_their_passwords_work(tmp_path: Path) -> None:
    file = tmp_path / "accounts.txt"
    make_demo_accounts(file)
    accounts = demo_accounts(file)
    assert [name for name, _ in accounts] == ["student", "instructor", "admin"]
    assert file.stat().st_mode & 0o777 == 0o600
    for name, password in accounts:
        user = authenticate(RequestFactory().post("/"), username=name, password=password)
        assert isinstance(user, User)
        assert user.role == name
        assert user.is_superuser == (name == Role.ADMIN)
    student = User.objects.get(username="student")
    student.set_password("another one")
    student.save()
    assert demo_accounts(file) == accounts[1:], "what was changed since is not told"


def test_passwords_differ_from_site_to_site(tmp_path: Path) -> None:
    make_demo_accounts(tmp_path / "one")
    User.objects.all().delete()
    make_demo_accounts(tmp_path / "two")
    passwords = [line.split()[1] for name in ("one", "two") for line in (tmp_path / name).read_text().splitlines()]
    assert len(set(passwords)) == 6
    assert all(len(password) == 14 for password in passwords)


def test_a_site_with_people_gets_none(tmp_path: Path) -> None:
    User.objects.create_user("somebody")
    make_demo_accounts(tmp_path / "accounts.txt")
    assert User.objects.count() == 1
    assert demo_accounts(tmp_path / "accounts.txt") == []


def test_a_course_for_them_is_made_once(tmp_path: Path, paper_problem: Problem) -> None:
    make_demo_course()
    assert not Course.objects.exists(), "not without the accounts"
    make_demo_accounts(tmp_path / "accounts.txt")
    for _ in range(2):
        make_demo_course()
    course = Course.objects.get()
    roles = dict(course.memberships.values_list("user__username", "role"))
    assert roles == {"student": "student", "instructor": "instructor"}
    (given,) = given_to(User.objects.get(username="student"))
    assert [entry.problem for entry in given.entries] == [paper_problem]
    assert given.standing(timezone.now()) == "open"
    assert paper_problem.owners.get().username == "instructor"


def test_no_course_is_made_for_people_who_are_called_so_by_chance(db: None) -> None:
    person("student")
    make_demo_course()
    assert not Course.objects.exists()
