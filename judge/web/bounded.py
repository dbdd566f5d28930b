"""What no request may be, kept before anything reads it into memory or onto disk: too big, too slow, or not UTF-8."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase, UnreadablePostError
from django.template.loader import render_to_string
from django.utils.http import parse_header_parameters

from judge.submissions.actions import size_in_words

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class TooBig(Exception):
    """More came than the bound allows."""


class TooSlow(Exception):
    """The body did not come in the time the bound allows."""


class Bounded:
    """An ASGI application that hands on no request of more than `limit` bytes (413), none whose body takes more than
    `seconds` to come (408), and none but of UTF-8 (400)."""

    def __init__(self, application: Application, limit: int, seconds: float) -> None:
        self._application = application
        self._limit = limit
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        if not _in_utf8(scope):
            await _refuse(scope, send, 400)
            return
        said = dict(scope["headers"]).get(b"content-length", b"0")
        if said.isdigit() and int(said) > self._limit:
            await _refuse(scope, send, 413, self._limit)
            return
        came, whole, answered = 0, False, False
        until = asyncio.get_running_loop().time() + self._seconds

        async def counted() -> Message:
            nonlocal came, whole
            if whole:  # what is waited for now is that the visitor leaves
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise TooSlow from None
            whole = not message.get("more_body", False)
            came += len(message.get("body", b""))
            if came > self._limit:
                raise TooBig
            return message

        async def watched(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await self._application(scope, counted, watched)
        except (TooBig, TooSlow) as error:
            if not answered:
                await _refuse(scope, send, 413 if isinstance(error, TooBig) else 408, self._limit)


def readable(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: 400 for a form whose parts cannot be read, and for a NUL in an address of a page, which no database
    takes; instead of a fault wherever it is looked at first. The API says itself which parameter has one."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith("/api/") and "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("The address has a NUL in it.")
        try:
            _ = request.POST
        except UnreadablePostError:
            pass  # nobody is left to read an answer
        except (LookupError, TypeError, ValueError) as error:
            raise BadRequest("The form cannot be read.") from error
        return get_response(request)

    return answer


def _in_utf8(scope: Scope) -> bool:
    """Whether the type of the content can be read and names no other text than UTF-8.

    Python knows encodings that are none of text ("hex"), and some that give characters no database takes.
    """
    said = b",".join(value for name, value in scope["headers"] if name == b"content-type").decode("latin-1")
    try:
        _kind, options = parse_header_parameters(said)
    except (LookupError, TypeError, ValueError):
        return False
    return options.get("charset", "utf-8").lower() in {"utf-8", "utf8"}


async def _refuse(scope: Scope, send: Send, status: int, limit: int = 0) -> None:
    page, kind = "html", b"text/html; charset=utf-8"
    if scope.get("path", "").startswith("/api/"):
        page, kind = "json", b"application/json"
    told = {
        "at_desk": scope.get("path", "").startswith("/desk/"),
        "most": size_in_words(min(limit, settings.PACKAGE_BYTES)),
    }
    body = render_to_string(f"errors/{status}_plain.{page}", told).encode()
    headers = [(b"content-type", kind), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
