"""Who calls: the owner of the token, within its scopes. A cookie opens nothing here, so that nothing can be forged."""

from collections.abc import Callable

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from ninja.errors import HttpError
from ninja.security import HttpBearer

from judge.people.models import Course, Token, User
from judge.people.permissions import Viewer, courses_of
from judge.people.tokens import Scope, holder


class Bearer(HttpBearer):
    """A token that can be used and has this scope. 401 and 403 come before anything is looked up."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        found = holder(token)
        if found is None:
            return None
        if self.scope not in found.scopes:
            raise HttpError(403, f"This token has not the scope {self.scope.value}: make one that has.")
        request.user = found.owner
        return found


READ, SUBMIT = Bearer(Scope.READ), Bearer(Scope.SUBMIT)
COURSE_READ, COURSE_WRITE = Bearer(Scope.COURSE_READ), Bearer(Scope.COURSE_WRITE)


def reader(request: HttpRequest) -> User:
    """Whose token it is."""
    return _token(request).owner


def holds(request: HttpRequest, scope: Scope) -> bool:
    """Whether the token has this scope, too."""
    return scope in _token(request).scopes


def course_at(
    request: HttpRequest, slug: str, among: Callable[[Viewer], QuerySet[Course, Course]] = courses_of
) -> Course:
    """The course of this short name among those of the reader. 404, by the same queries, for all others."""
    found = among(reader(request)).filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def _token(request: HttpRequest) -> Token:
    held = getattr(request, "auth", None)
    assert isinstance(held, Token)
    return held
