"""Error pages: what was not found or not allowed, and two ways on."""

import sys

from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from judge.web.thumbnails import beside_the_board


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400, and 413 for a form that is too big."""
    too_big = isinstance(exception, RequestDataTooBig | TooManyFilesSent)
    return _page(request, 413 if too_big else 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """403 for what is someone else's."""
    return _page(request, 403)


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """403 for a form whose secret does not fit: mostly one that was open while somebody signed in or out elsewhere."""
    return _page(request, 403, template="errors/csrf.html")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """404; also shown for what a reader may not know to exist."""
    return _page(request, 404)


def fault(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """500, and 503 while the database is away. Asks neither session nor database, because these may be what failed."""
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        return HttpResponse(render_to_string("errors/503.html"), status=503, headers={"Retry-After": "10"})
    return HttpResponse(render_to_string("errors/500.html"), status=500)


def locked_out(request: HttpRequest, *_args: object, **_kwargs: object) -> HttpResponse:
    """429: a name is closed to this address for a while after too many wrong passwords."""
    return render(request, "account/locked.html", status=429)


def _page(request: HttpRequest, status: int, *, template: str = "") -> HttpResponse:
    context = {"picture": beside_the_board(), "code": status}
    return render(request, template or f"errors/{status}.html", context, status=status)
