"""Tokens of the API: what is kept of them, when they open something, and the page on which they are made."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.serializers import serialize
from django.test import Client, override_settings
from django.utils import timezone

from judge.operations.persons import export, forget
from judge.people import tokens
from judge.people.models import AuditEntry, Course, Token, User
from judge.people.refusal import Refused
from judge.people.tokens import Scope, holder

PAGE = "/account/tokens/"


def test_of_a_token_only_a_digest_is_kept(student: User) -> None:
    made, secret = tokens.make(student, " my  laptop ", [Scope.READ], 30)
    assert made.name == "my laptop"
    assert len(secret) > 48
    kept = serialize("json", [*Token.objects.all(), *AuditEntry.objects.all()])
    assert secret not in kept
    assert secret[len(made.hint) :] not in kept
    assert holder(secret) == made
    assert tokens.make(student, "another", [Scope.READ], 30)[1] != secret
    assert "made the token my laptop" in AuditEntry.objects.earliest("pk").what


def test_a_token_opens_nothing_once_it_has_ended(student: User, classmate: User) -> None:
    made, secret = tokens.make(student, "laptop", [Scope.READ], 30)
    assert holder(secret + "x") is None
    assert holder("\ud800") is None
    Token.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert holder(secret) is None
    Token.objects.update(expires=timezone.now() + timedelta(days=1))
    assert holder(secret) == made
    with pytest.raises(Refused, match="somebody else"):
        tokens.revoke(classmate, made)
    assert holder(secret) == made
    student.is_active = False
    student.save()
    assert holder(secret) is None
    student.is_active = True
    student.save()
    tokens.revoke(student, made)
    tokens.revoke(student, made)
    assert holder(secret) is None
    assert not tokens.tokens(student).exists()


def test_when_it_was_used_is_written_down_once_a_minute(student: User) -> None:
    made, secret = tokens.make(student, "laptop", [Scope.READ], 30)
    holder(secret)
    first = Token.objects.get().used
    assert first is not None
    holder(secret)
    assert Token.objects.get().used == first
    Token.objects.update(used=first - timedelta(minutes=2))
    holder(secret)
    assert Token.objects.get(pk=made.pk).used > first - timedelta(seconds=1)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"name": " "}, "name"),
        ({"name": "a" * 81}, "name"),
        ({"name": "a\x07"}, "name"),
        ({"scopes": []}, "may do"),
        ({"scopes": ["read", "everything"]}, "may do"),
        ({"days": 0}, "at most 60 days"),
        ({"days": 61}, "at most 60 days"),
    ],
)
@override_settings(TOKEN_DAYS=60)
def test_what_is_no_token(student: User, changed: dict[str, Any], why: str) -> None:
    asked: dict[str, Any] = {"name": "a", "scopes": ["read"], "days": 60} | changed
    with pytest.raises(Refused, match=why):
        tokens.make(student, **asked)
    assert not Token.objects.exists()


def test_nobody_has_more_than_some(student: User, classmate: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST", 2)
    made = [tokens.make(student, "a", ["read"], 1)[0] for _ in range(2)]
    with pytest.raises(Refused, match="2 tokens already"):
        tokens.make(student, "a", ["read"], 1)
    tokens.make(classmate, "a", ["read"], 1)
    tokens.revoke(student, made[0])
    tokens.make(student, "a", ["read"], 1)


def test_a_person_who_is_forgotten_has_none_and_their_data_says_which_there_were(
    student: User, admin: User, course: Course
) -> None:
    _made, secret = tokens.make(student, "laptop", ["read"], 30)
    data = export(student, student)
    assert secret.encode() not in data
    forget(admin, student)
    assert not Token.objects.exists()


def posted(client: Client, **changes: Any) -> Any:
    return client.post(PAGE, {"do": "make", "name": "laptop", "scopes": ["read", "submit"], "days": "90"} | changes)


def test_the_page_shows_a_secret_once(client: Client, student: User) -> None:
    client.force_login(student)
    answer = posted(client)
    found = re.search(r'id="secret">(palfrey_[\w-]+)<', answer.content.decode())
    assert found
    held = holder(found[1])
    assert held is not None
    assert (held.owner, held.scopes) == (student, ["read", "submit"])
    assert 89 < (held.expires - timezone.now()).total_seconds() / 86400 <= 90
    assert "no-store" in answer["Cache-Control"]
    again = client.get(PAGE).content.decode()
    assert found[1] not in again
    assert held.hint in again


def test_the_page_revokes(client: Client, student: User, classmate: User) -> None:
    made, secret = tokens.make(student, "laptop", ["read"], 30)
    client.force_login(classmate)
    assert b"laptop" not in client.get(PAGE).content
    for number in (made.pk, 999, "x", "9" * 30):
        assert client.post(PAGE, {"do": "revoke", "token": number}).status_code == 404
    assert holder(secret)
    client.force_login(student)
    assert client.post(PAGE, {"do": "revoke", "token": made.pk}).status_code == 302
    assert holder(secret) is None


@pytest.mark.parametrize(
    "changes", [{"name": ""}, {"scopes": []}, {"scopes": ["course:write"]}, {"days": "9999"}, {"days": "x"}]
)
def test_the_page_refuses_what_is_not_offered(client: Client, student: User, changes: dict[str, Any]) -> None:
    client.force_login(student)
    assert posted(client, **changes).status_code == 422
    assert not Token.objects.exists()


def test_staff_are_offered_the_scopes_of_courses(client: Client, course: Course, instructor: User) -> None:
    client.force_login(instructor)
    assert posted(client, scopes=["course:read", "course:write"]).status_code == 200
    assert Token.objects.get().scopes == ["course:read", "course:write"]
