"""One log line for each request that was answered, and a number that ties together all lines of one request."""

import logging
import re
import time
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponseBase

HEADER = "X-Request-Id"
GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""What a proxy's number may look like to be taken over."""
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
