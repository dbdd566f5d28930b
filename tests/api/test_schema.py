"""Schemathesis over the schema: no call makes a fault, and whatever comes is what the schema says. By name."""

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_schema_conformance,
    status_code_conformance,
)

from judge.api.service import api
from judge.people.models import User
from tests.api.conftest import token_of

schema = schemathesis.openapi.from_dict(json.loads(json.dumps(api.get_openapi_schema(), default=str)))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    ignored_auth,
]


@pytest.fixture
def secret(rows: dict[str, int]) -> str:
    return token_of(User.objects.get(username="ada"))


@pytest.mark.byname
@pytest.mark.django_db(transaction=True)
@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_sent(case: schemathesis.Case[Any], site: str, secret: str) -> None:
    headers = {"Authorization": f"Bearer {secret}"}
    case.call_and_validate(base_url=site, headers=headers, checks=CHECKS, timeout=30)
