"""Signing in and out, passwords and what is said when they are wrong; accounts as admins change them."""

import re
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from judge.people.models import User
from tests.web.conftest import PASSWORD

SIGN_IN = "/account/sign-in/"


def sign_in(client: Client, password: str = PASSWORD, **more: str) -> Any:
    return client.post(SIGN_IN, {"username": "sam", "password": password, **more})


def test_in_and_out(client: Client, student: User) -> None:
    assert sign_in(client, next="/work/")["Location"] == "/work/"
    assert "sam" in client.get("/").content.decode()
    assert client.get("/account/sign-out/").status_code == 405, "a link of another site must not sign anybody out"
    assert client.post("/account/sign-out/")["Location"] == "/"
    assert client.get("/work/").status_code == 302


def test_signing_in_leads_to_no_other_site(client: Client, student: User) -> None:
    assert sign_in(client, next="https://example.org/")["Location"] == "/"


def test_a_wrong_password_says_what_to_do(client: Client, student: User) -> None:
    page = sign_in(client, "wrong").content.decode()
    assert "That name and password do not go together" in page
    assert 'role="alert"' in page
    assert "Write the name of your account." in client.post(SIGN_IN, {"password": "x"}).content.decode()


def test_too_many_wrong_passwords_close_the_name_for_a_while(client: Client, student: User) -> None:
    for _ in range(9):
        assert sign_in(client, "wrong").status_code == 200
    answer = sign_in(client, "wrong")
    assert answer.status_code == 429
    assert "closed there for 15 minutes" in answer.content.decode()
    assert sign_in(client).status_code == 429, "the right password does not open it early"


def test_change_of_password(client: Client, student: User) -> None:
    client.force_login(student)
    page = client.post(
        "/account/password/", {"old_password": "wrong", "new_password1": "123", "new_password2": "1234"}
    ).content.decode()
    assert "Your old password was entered incorrectly" in page
    new = "four horses in the rain"
    answer = client.post(
        "/account/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new}, follow=True
    )
    assert "Your password is changed." in answer.content.decode()
    student.refresh_from_db()
    assert student.check_password(new)


def test_a_forgotten_password_is_set_by_a_letter(client: Client, student: User) -> None:
    answer = client.post("/account/password/forgotten/", {"email": student.email}, follow=True)
    assert "Look in your mail." in answer.content.decode()
    (letter,) = mail.outbox
    assert letter.subject == "A new password for Palfrey"
    assert "You sign in as: sam" in letter.body
    found = re.search(r"http://testserver(/\S+)", str(letter.body))
    assert found is not None
    page = client.get(found[1], follow=True)
    assert "Choose a new password" in page.content.decode()
    new = "four horses in the rain"
    form = {"new_password1": new, "new_password2": new}
    done = client.post(page.redirect_chain[-1][0], form, follow=True)
    assert "Your password is set. Sign in with it." in done.content.decode()
    assert "used or is too old" in client.get(found[1], follow=True).content.decode()
    assert sign_in(client, new).status_code == 302


def test_an_unknown_address_is_not_told_from_a_known_one(client: Client, student: User) -> None:
    pages = [
        client.post("/account/password/forgotten/", {"email": email}, follow=True).content
        for email in (student.email, "nobody@example.org")
    ]
    same = [re.sub(rb'value="[^"]{20,}"', b"", page) for page in pages]
    assert same[0] == same[1]
    assert len(mail.outbox) == 1


def ask_for_letters(client: Client, *addresses: str, **environ: str) -> set[str]:
    """Where each asking led."""
    return {
        client.post("/account/password/forgotten/", {"email": address}, **environ)["Location"]  # type: ignore[arg-type]
        for address in addresses
    }


def test_letters_are_bounded_and_nothing_is_told_of_it(client: Client, student: User, classmate: User) -> None:
    cache.clear()
    spellings = (student.email, student.email.title(), student.email.upper())
    led = [ask_for_letters(client, spellings[number % 3], REMOTE_ADDR=f"198.51.100.{number}") for number in range(9)]
    assert led == [{"/account/password/forgotten/sent/"}] * 9
    assert len(mail.outbox) == 5, "to one address of mail"
    ask_for_letters(client, classmate.email, REMOTE_ADDR="198.51.100.1")
    assert len(mail.outbox) == 6, "another one gets theirs"
    mail.outbox.clear()
    strangers = [f"{number}@example.org" for number in range(20)]
    assert ask_for_letters(client, *strangers, classmate.email, REMOTE_ADDR="203.0.113.1") == led[0]
    assert not mail.outbox, "twenty from one address of the net"
    cache.clear()
    ask_for_letters(client, classmate.email, REMOTE_ADDR="203.0.113.1")
    assert len(mail.outbox) == 1


@pytest.mark.django_db
def test_times_are_written_in_the_readers_zone(client: Client) -> None:
    address = reverse("problems")
    assert "Times in UTC" in client.get(address).content.decode()
    client.cookies["zone"] = "America%2FSao_Paulo"
    assert "Times in America/Sao_Paulo" in client.get(address).content.decode()
    client.cookies["zone"] = "../../etc/passwd"
    assert "Times in UTC" in client.get(address).content.decode()


def test_accounts_are_changed_by_admins(client: Client, admin: User, student: User) -> None:
    client.force_login(admin)
    address = f"/account/all/{student.pk}/"
    assert client.post(address, {"do": "save", "role": "instructor", "active": "on"}).status_code == 302
    student.refresh_from_db()
    assert (student.role, student.is_superuser) == ("instructor", False)
    client.post(address, {"do": "save", "role": "admin", "active": "on"})
    student.refresh_from_db()
    assert (student.role, student.is_superuser) == ("admin", True)
    assert (
        "cannot change your own"
        in client.post(f"/account/all/{admin.pk}/", {"do": "save", "role": "student"}, follow=True).content.decode()
    )
    client.post(address, {"do": "save", "role": "student"})
    student.refresh_from_db()
    assert not student.is_active
    for called in ("", "somebody"):
        assert client.post(address, {"do": "forget", "called": called})["Location"] == address
    assert User.objects.filter(pk=student.pk).exists(), "one click is not enough"
    assert client.post(address, {"do": "forget", "called": student.username})["Location"] == "/account/all/"
    assert not User.objects.filter(pk=student.pk).exists()


def test_ones_own_data(as_student: Client) -> None:
    assert as_student.get("/account/data/").status_code == 200
    kept = as_student.post("/account/data/")
    assert kept["Content-Type"] == "application/zip"
    assert kept.content[:2] == b"PK"
