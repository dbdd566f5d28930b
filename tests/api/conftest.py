"""Tokens for everybody, and the course of the access tests of the pages, with everybody who is who in it."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from judge.people import tokens
from judge.people.models import Token, User
from judge.people.tokens import Scope
from tests.web.browsing import browser, site  # noqa: F401 - fixtures
from tests.web.conftest import as_student, send, twice  # noqa: F401 - fixtures
from tests.web.test_access import rows  # noqa: F401 - a fixture

EVERY = tuple(Scope)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """To make the calls from the schema costs each test process seconds: only where they may be asked for by name."""
    return True if collection_path.name == "test_schema.py" and config.option.markexpr == "not byname" else None


def token_of(user: User, scopes: Iterable[Scope] = EVERY, **columns: Any) -> str:
    """A secret that holds for a day; used a moment ago, so that nothing need be written down about that."""
    made, secret = tokens.make(user, "test", [scope.value for scope in scopes], 1)
    Token.objects.filter(pk=made.pk).update(**{"used": timezone.now() + timedelta(hours=1)} | columns)
    return secret


class Caller:
    """A program with a token, or with none."""

    def __init__(self, secret: str = "") -> None:
        self._client = Client(headers={"Authorization": f"Bearer {secret}"} if secret else {})

    def get(self, path: str, **query: Any) -> Any:
        return self._client.get(f"/api/v1/{path}", query)

    def post(self, path: str, body: Any = None, *, form: Any = None) -> Any:
        if form is not None:
            return self._client.post(f"/api/v1/{path}", form)
        return self._client.post(f"/api/v1/{path}", body or {}, content_type="application/json")

    def put(self, path: str, body: Any) -> Any:
        return self._client.put(f"/api/v1/{path}", body, content_type="application/json")

    def delete(self, path: str) -> Any:
        return self._client.delete(f"/api/v1/{path}")

    def call(self, method: str, path: str, body: Any = None) -> HttpResponse:
        """As it stands in a table; a body with files is a form."""
        if method in ("get", "delete"):
            return getattr(self, method)(path)  # type: ignore[no-any-return]
        if method == "put":
            return self.put(path, body)  # type: ignore[no-any-return]
        form = body() if callable(body) else None
        return self.post(path, body, form=form)  # type: ignore[no-any-return]


@pytest.fixture
def sam(student: User) -> Caller:
    return Caller(token_of(student))


@pytest.fixture
def ines(instructor: User) -> Caller:
    return Caller(token_of(instructor))
