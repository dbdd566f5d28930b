"""What no request may be: in a text other than UTF-8, or a form that cannot be read."""

import asyncio
import json
from typing import Any

import pytest
from django.test import Client

from judge.web.bounded import Bounded

SIGN_IN = "/account/sign-in/"
PART = b'--x\r\nContent-Disposition: form-data; name="username"\r\n\r\nsam\r\n--x--\r\n'


def status(*content_types: bytes) -> int:
    """What a request with these headers is answered; 200 when it is handed on."""
    return int(answers("/", *content_types)[0]["status"])


def answers(path: str, *content_types: bytes, length: bytes = b"0") -> list[Any]:
    said: list[Any] = []

    async def application(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        said.append(message)

    headers = [(b"content-type", value) for value in content_types]
    headers.append((b"content-length", length))
    asyncio.run(Bounded(application, 99, 60)({"type": "http", "path": path, "headers": headers}, receive, send))
    return said


@pytest.mark.parametrize(
    "charset", ["hex", "base64", "rot13", "zip", "idna", "undefined", "utf-16", "unicode_escape", "none-such", '"a\0b"']
)
def test_only_utf_8_is_handed_on(charset: str) -> None:
    assert status(f"multipart/form-data; boundary=x; charset={charset}".encode()) == 400
    assert status(b"text/plain", f"text/plain; charset={charset}".encode()) == 400


def test_programs_are_told_in_json() -> None:
    head, body = answers("/api/v1/problems", b"text/plain; charset=hex")
    assert (head["status"], dict(head["headers"])[b"content-type"]) == (400, b"application/json")
    assert json.loads(body["body"])["error"] == "bad_request"


def test_a_package_that_is_too_big_is_told_of_as_one() -> None:
    for path, told in (("/desk/new", "A package has at most 99 bytes."), ("/problems/a/", "your program is still")):
        head, body = answers(path, length=b"100")
        assert (head["status"], told in body["body"].decode()) == (413, True), path
        assert ("compiled files" in body["body"].decode()) is (path != "/desk/new")


@pytest.mark.django_db
def test_a_text_at_the_desk_that_is_too_long(as_instructor: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 99
    page = as_instructor.post("/desk/new", {"do": "start", "start-title": "a" * 200})
    assert (page.status_code, b"your text is still in the form" in page.content) == (413, True)


@pytest.mark.parametrize("odd", [b"x*=nope''%aa", b"charset*=utf-8''a%00b", b"x*0=a; x*=c"])
def test_a_type_that_cannot_be_read_is_refused(odd: bytes) -> None:
    assert status(b"text/plain; " + odd) == 400


@pytest.mark.parametrize(
    "usual", [b"text/plain; charset=UTF-8", b'text/plain; charset="utf8"', b"a/b; boundary=x", b""]
)
def test_the_usual_is_handed_on(usual: bytes) -> None:
    assert status(usual) == 200
    assert status() == 200


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["hex", "base64", "rot13", "zip", "idna", "undefined"])
def test_a_form_in_no_text_is_no_fault(client: Client, charset: str) -> None:
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    assert client.generic("POST", SIGN_IN, PART, content_type=kind).status_code == 400


@pytest.mark.django_db
def test_a_part_that_cannot_be_read_is_no_fault(client: Client) -> None:
    part = PART.replace(b'name="username"', b"name*0=a; name*=c")
    assert client.post(SIGN_IN, part, content_type="multipart/form-data; boundary=x").status_code == 400


def test_an_address_with_a_nul_is_no_fault_of_the_database(as_student: Client) -> None:
    for address in ("/work/?problem=a%00b", "/problems/?q=%00", "/languages/?problem=%00"):
        assert as_student.get(address).status_code == 400, address
