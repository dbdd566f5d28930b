"""The accounts to try a site with."""

from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.test import RequestFactory

from judge.operations.accounts import demo_accounts, make_demo_accounts
from judge.people.models import Role, User

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
