"""The first password: by a link that is signed, works once, ends, and opens nobody's account."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core import mail, signing
from django.test import Client

from judge.people import invitations, roster
from judge.people.models import Course, CourseRole, Membership, User
from judge.people.permissions import may_look_after
from judge.people.refusal import Refused
from tests.conftest import person
from tests.overlap import overlapping

NEW = "four horses in the rain"


@pytest.fixture
def ana(course: Course, instructor: User) -> User:
    text = "email,name\nana@example.org,Ana Lima\n"
    roster.apply(instructor, course, text, roster.plan(instructor, course, text).seal)
    return User.objects.get(username="ana@example.org")


def test_a_link_sets_the_password_once(ana: User, client: Client) -> None:
    address = f"/account/join/?link={invitations.link_for(ana)}"
    assert "Ana Lima" in client.get(address).content.decode()
    weak = client.post(address, {"new_password1": "123", "new_password2": "123"})
    assert weak.status_code == 422
    done = client.post(address, {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert "Sign in as ana@example.org" in done.content.decode()
    assert client.post("/account/sign-in/", {"username": "ana@example.org", "password": NEW}).status_code == 302
    for answer in (client.get(address), client.post(address, {"new_password1": NEW * 2, "new_password2": NEW * 2})):
        assert answer.status_code == 404
        assert "has been used" in answer.content.decode()
    ana.refresh_from_db()
    assert ana.check_password(NEW)


def test_links_that_do_not_hold(ana: User, instructor: User, settings: LazySettings) -> None:
    link = invitations.link_for(ana)
    assert invitations.account_of(link) == ana
    assert invitations.account_of(link[:-1] + ("A" if link[-1] != "A" else "B")) is None
    assert invitations.account_of("") is None
    assert invitations.account_of(signing.dumps("x", salt=invitations.SALT)) is None
    assert invitations.account_of(signing.dumps([ana.pk, "x"], salt="elsewhere")) is None
    settings.INVITATION_DAYS = timedelta(0).days
    assert invitations.account_of(link) is None, "too old"
    settings.INVITATION_DAYS = 30
    invitations.renew(instructor, ana)
    assert invitations.account_of(link) is None, "made worthless"
    fresh = invitations.link_for(User.objects.get(pk=ana.pk))
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert invitations.account_of(fresh) is None, "closed"


@pytest.mark.django_db(transaction=True)
def test_two_who_open_the_link_at_once(ana: User) -> None:
    link = invitations.link_for(ana)
    first, second = (lambda: invitations.accept(link, NEW)), (lambda: invitations.accept(link, f"{NEW} too"))
    assert overlapping(first, second) == [ana, None]
    ana.refresh_from_db()
    assert ana.check_password(NEW)


def test_nobody_is_invited_whose_account_is_somebodys(
    course: Course, instructor: User, student: User, ana: User, client: Client
) -> None:
    assert [one.user for one, _link in invitations.links(instructor, course)] == [ana]
    assert Membership.objects.get(user=ana).invited is not None
    other = Course.objects.create(name="Other", slug="other")
    otto = person("otto")
    Membership.objects.create(user=otto, course=other, role=CourseRole.INSTRUCTOR)
    Membership.objects.create(user=ana, course=other)
    assert invitations.links(otto, other) == [], "another course made the account"
    client.force_login(otto)
    for page in ("invitations", f"{ana.pk}/"):
        assert "made in another course" in client.get(f"/courses/other/people/{page}").content.decode()
    assert "Everybody has a password" not in client.get("/courses/other/people/invitations").content.decode()
    assert not may_look_after(otto, ana)
    assert not may_look_after(instructor, student)
    assert may_look_after(instructor, ana)
    assert invitations.links(student, course) == []
    with pytest.raises(Refused):
        invitations.renew(otto, ana)
    User.objects.filter(pk=ana.pk).update(role="instructor")
    assert not may_look_after(instructor, User.objects.get(pk=ana.pk)), "it may do more than a student"
    assert invitations.links(instructor, course) == []


def test_links_as_csv_and_by_mail(course: Course, instructor: User, ana: User, client: Client) -> None:
    client.force_login(instructor)
    address = f"/courses/{course.slug}/people/invitations"
    assert b"join/?link=" not in client.get(address).content, "looking makes no links"
    kept = client.post(address, {"do": "csv"})
    assert kept["Content-Disposition"].endswith('invitations.csv"')
    (_head, line) = kept.content.decode("utf-8-sig").splitlines()
    assert line.startswith("Ana Lima,ana@example.org,ana@example.org,http://testserver/account/join/?link=")
    client.post(address, {"do": "mail"})
    (letter,) = mail.outbox
    assert letter.to == ["ana@example.org"]
    link = str(letter.body).split("?link=")[1].split()[0]
    assert invitations.account_of(link) == ana


def test_making_links_stands_in_the_log(course: Course, instructor: User, ana: User) -> None:
    invitations.links(instructor, course)
    (entry,) = course.audit.filter(what__contains="invitation")
    assert (entry.by, entry.about, entry.what) == (instructor, ana, "made an invitation link")


def test_who_has_had_no_letter_comes_first(
    course: Course, instructor: User, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MAILED", 1)
    text = "email\nbea@example.org\n"
    roster.apply(instructor, course, text, roster.plan(instructor, course, text).seal)
    bea = User.objects.get(email="bea@example.org")
    invited = []
    for _ in range(3):
        (pk,) = invitations.next_to_mail(instructor, course)
        invitations.links(instructor, course, [pk])
        invited.append(pk)
    assert invited[0] != invited[1]
    assert set(invited[:2]) == {ana.pk, bea.pk}
    assert invited[2] == invited[0]
    assert invitations.next_to_mail(instructor, course, [bea.pk]) == [bea.pk]


def test_without_a_mail_server_nothing_is_sent(course: Course, instructor: User, ana: User, client: Client,
                                               settings: LazySettings) -> None:  # fmt: skip
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    client.force_login(instructor)
    address = f"/courses/{course.slug}/people/invitations"
    assert b"Send them by mail" not in client.get(address).content
    assert "No mail server is set up" in client.post(address, {"do": "mail"}, follow=True).content.decode()
