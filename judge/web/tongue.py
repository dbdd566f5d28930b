"""Languages: the reader's choice of one, and which of the texts of a package is for them."""

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from judge.people.models import User


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """The switch at the foot of every page: kept in the browser, and in the account of who is signed in."""
    code = request.POST.get("language", "")
    if isinstance(request.user, User) and code in dict(settings.LANGUAGES):
        User.objects.filter(pk=request.user.pk).update(language=code)
    return set_language(request)


def greet(request: HttpRequest, user: User, response: HttpResponse) -> None:
    """Who signs in finds the language of their account; who has not chosen any brings that of the browser along."""
    kept = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if user.language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            user.language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
        )
    elif kept in dict(settings.LANGUAGES):
        User.objects.filter(pk=user.pk).update(language=kept)


def best(codes: Iterable[str], wished: str = "") -> str | None:
    """Of the languages in which there is a text: the one `wished`, else the reader's, else English, else any.

    Packages write `pt-BR` where pages say `pt-br`; a text in `pt` does for both.
    """
    there = list(codes)
    reader = (get_language() or settings.LANGUAGE_CODE).lower()
    if wished in there:
        return wished
    exact = [code for code in there if code.lower() == reader]
    near = [code for code in there if is_near(code, reader)]
    english = [code for code in there if is_near(code, settings.LANGUAGE_CODE)]
    return next(iter([*exact, *near, *english, *there]), None)


def is_near(code: str, other: str) -> bool:
    """Whether who reads one of two languages reads the other: they differ at most by their region or script."""
    return code.lower().partition("-")[0] == other.lower().partition("-")[0]


def name_of(code: str) -> str:
    """What a language calls itself, or its code when that is not known."""
    try:
        return (
            dict(settings.LANGUAGES).get(code.lower())
            or str(get_language_info(code.lower())["name_local"]).capitalize()
        )
    except KeyError:
        return code


def instead(code: str) -> str:
    """What to say where a text is shown in `code`, which is not the reader's language; empty where it is."""
    if is_near(code, get_language() or settings.LANGUAGE_CODE):
        return ""
    return _("This text is not translated into your language yet. It is shown in another: %(language)s.") % {
        "language": name_of(code)
    }
