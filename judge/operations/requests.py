"""One log line for each request that was answered, and a number that ties together all lines of one request; and how
what is long is sent."""

import logging
import re
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator

import structlog
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponseBase, StreamingHttpResponse

HEADER = "X-Request-Id"
GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""What a proxy's number may look like to be taken over."""
PIECE = 64 << 10
"""Bytes of a file that are read at a time."""
log = structlog.stdlib.get_logger(__name__)


def request_log(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: logs method, path (never the query), status, milliseconds and account, and tells the number back."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        number = given if GIVEN.fullmatch(given) else uuid.uuid4().hex
        began = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request=number):
            response = get_response(request)
            user = getattr(request, "user", None)
            log.log(
                logging.ERROR if response.status_code >= 500 else logging.INFO,
                "answered",
                method=request.method,
                path=request.path,
                status=response.status_code,
                milliseconds=round(1000 * (time.perf_counter() - began), 1),
                account=user.pk if user is not None else None,
            )
        response[HEADER] = number
        return response

    return answer


def in_pieces(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: of what is streamed each piece is sent when it is read. Django alone reads it to its end before."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(request, ASGIRequest) and isinstance(response, StreamingHttpResponse) and not response.is_async:
            if isinstance(response, FileResponse):
                response.block_size = PIECE
            response.streaming_content = _as_asked_for(iter(response))
        return response

    return answer


async def _as_asked_for(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    following = sync_to_async(lambda: next(pieces, None))
    while (piece := await following()) is not None:
        yield piece
