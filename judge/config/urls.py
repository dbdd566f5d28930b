"""Every address of the site."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/", include("judge.operations.urls")),
    path("", include("judge.web.urls")),
]
