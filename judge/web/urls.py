"""The addresses of the pages."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("judge.web.student.urls")),
    path("", include("judge.web.operator.urls")),
    path("account/", include("judge.web.account.urls")),
]
