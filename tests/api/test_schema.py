"""Schemathesis over the schema: no call makes a fault, and whatever comes is what the schema says. By name."""

from typing import Any

import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_schema_conformance,
    status_code_conformance,
)

from judge.people.models import User
from tests.api.conftest import token_of

schema = schemathesis.pytest.from_fixture("described")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    ignored_auth,
]


@pytest.fixture
def described(site: str, rows: dict[str, int]) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{site}/api/openapi.json")


@pytest.fixture
def secret(rows: dict[str, int]) -> str:
    return token_of(User.objects.get(username="ada"))


@pytest.mark.byname
@pytest.mark.django_db(transaction=True)
@schema.parametrize()
def test_whatever_is_sent(case: schemathesis.Case[Any], secret: str) -> None:
    case.call_and_validate(headers={"Authorization": f"Bearer {secret}"}, checks=CHECKS, timeout=30)
