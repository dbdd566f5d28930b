"""The addresses of the pages."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from judge.web import errors

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("judge.web.student.urls")),
    path("", include("judge.web.operator.urls")),
    path("account/", include("judge.web.account.urls")),
    re_path(r"^.*$", errors.not_found, name="not-found"),
]
