"""The programs of many as one ZIP, for staff."""

import io
import zipfile
from collections.abc import Callable

import pytest
from django.test import Client

from judge.people.models import User
from judge.submissions.models import Submission
from judge.web.instructor import submissions
from tests.conftest import person
from tests.web.conftest import done

pytestmark = pytest.mark.django_db(transaction=True)


def test_whoever_sent_them_the_programs_are_packed(
    client: Client, admin: User, send: Callable[..., Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("..", "@", "ana", "ana.", "-x", "Żółw", "b@example.org")
    for name in names:
        send(person(name), **done("accepted"))
    client.force_login(admin)

    def packed() -> list[str]:
        answer = client.get("/submissions/download")
        assert answer.status_code == 200
        return zipfile.ZipFile(io.BytesIO(answer.content)).namelist()

    folders = {name.split("/")[1] for name in packed()}
    assert len(folders) == len(names)
    assert {"ana", "Żółw", "b@example.org"} < folders
    assert all(name[0].isalnum() and not name.endswith(".") for name in folders)
    monkeypatch.setattr(submissions, "ZIPPED", len(names))
    assert "MORE.txt" not in packed()
    monkeypatch.setattr(submissions, "ZIPPED", len(names) - 1)
    assert "MORE.txt" in packed(), "what is left out is said"
