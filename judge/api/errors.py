"""What is answered when something is not done: one shape of JSON, whoever says no."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from judge.api.lists import NO_NUL, SHORT_NAME
from judge.api.shape import Told
from judge.people.refusal import Refused, TooMany
from judge.people.roster import Changed

CODES: Mapping[int, tuple[str, str]] = {
    400: ("bad_request", "The request cannot be read."),
    401: ("unauthorized", "Send a token that holds: Authorization: Bearer palfrey_… Make one on the page API tokens."),
    403: ("forbidden", "You may not do this."),
    404: ("not_found", "There is nothing here, or nothing that you may see."),
    405: ("method_not_allowed", "This address does not take this method."),
    408: ("too_slow", "The request took too long to come."),
    409: ("changed", "Something else was changed in the meantime."),
    413: ("too_big", "The request is too big."),
    415: ("bad_request", "The content of the request is of a kind that is not taken here."),
    422: ("refused", "What was sent is not in order."),
    429: ("too_many", "Too much was asked for at once. Wait a little."),
    500: ("fault", "The fault is ours. It is written down; please try again later."),
    503: ("away", "A part of the site is away for the moment. Try again soon."),
}
"""Status -> word for programs, sentence for people."""
ERRORS = frozenset({400, 401, 403, 404, 405, 409, 413, 422, 429})
DETAILS = 20
PATTERNS: Mapping[str, str] = {
    NO_NUL: "A text cannot hold the character NUL.",
    SHORT_NAME: "This is no short name: letters, digits, - and _ only.",
}
"""What a text must be like -> what is said of one that is not."""


class Detail(Told):
    """One thing that is wrong with what was sent."""

    at: str
    """Name of the parameter or field, such as `limit` or `files`; in a list with its place: `problems.2.points`."""
    message: str


class Failure(Told):
    """Why nothing was done. `error` is a word for programs, `message` a sentence for people."""

    error: str
    message: str
    details: list[Detail] = []


def answer(status: int, message: str = "", details: Sequence[Mapping[str, str]] = ()) -> HttpResponse:
    """An error with this status; without a `message`, with the usual one."""
    code, usual = CODES.get(status, CODES[500 if status >= 500 else 400])
    made = JsonResponse({"error": code, "message": message or usual, "details": list(details)}, status=status)
    if status == 401:
        made["WWW-Authenticate"] = "Bearer"
    if status in (429, 503):
        made["Retry-After"] = "10"
    return made


def in_json(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: below /api/ also what fails before or behind the API is told in JSON, and nothing is cached."""

    def told(request: HttpRequest) -> HttpResponseBase:
        given = get_response(request)
        if not request.path_info.startswith("/api/"):
            return given
        if given.status_code >= 400 and given.get("Content-Type", "").startswith("text/html"):
            made = answer(given.status_code)
            if given.has_header("Allow"):
                made["Allow"] = given["Allow"]
            given = made
        given.setdefault("Cache-Control", "no-store")
        return given

    return told


def not_found(_request: HttpRequest, rest: str = "") -> HttpResponse:  # noqa: ARG001
    """Every address below /api/ that is none."""
    return answer(404)


def explain(api: NinjaAPI) -> None:
    """Have `api` tell every failure in our shape."""

    def refused(_request: HttpRequest, refusal: Any) -> HttpResponse:
        if isinstance(refusal, TooMany):
            return answer(429, refusal.message)
        return answer(409 if isinstance(refusal, Changed) else 422, refusal.message)

    def invalid(_request: HttpRequest, error: Any) -> HttpResponse:
        return answer(422, details=[_detail(one) for one in error.errors[:DETAILS]])

    def http(_request: HttpRequest, error: Any) -> HttpResponse:
        known = isinstance(error, AuthenticationError) or error.status_code == 400
        return answer(error.status_code, "" if known else error.message)

    def missing(_request: HttpRequest, _error: Any) -> HttpResponse:
        return answer(404)

    api.add_exception_handler(Refused, refused)
    api.add_exception_handler(ValidationError, invalid)
    api.add_exception_handler(HttpError, http)
    api.add_exception_handler(Http404, missing)


def _detail(error: Mapping[str, Any]) -> Mapping[str, str]:
    source, *at = [str(part) for part in error.get("loc", ())] or [""]
    if source == "body" and len(at) > 1:
        at = at[1:]  # the name of our own argument
    pattern = str(error.get("ctx", {}).get("pattern", ""))
    said = PATTERNS.get(pattern, str(error.get("msg", "")))
    return {"at": ".".join(at)[:200] or source, "message": said[:200]}
