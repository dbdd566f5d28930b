"""The addresses of the pages."""

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path


def favicon(_request: HttpRequest) -> HttpResponse:
    """For those who ask where icons have always been."""
    return HttpResponsePermanentRedirect(static("web/favicon.svg"))


urlpatterns: list[URLPattern | URLResolver] = [
    path("favicon.ico", favicon, name="favicon"),
    path("", include("judge.web.student.urls")),
    path("", include("judge.web.instructor.urls")),
    path("", include("judge.web.course.urls")),
    path("", include("judge.web.operator.urls")),
    path("account/", include("judge.web.account.urls")),
]
