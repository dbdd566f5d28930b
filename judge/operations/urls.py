"""The addresses of the health pages."""

from django.urls import path

from judge.operations import health

urlpatterns = [
    path("live", health.live, name="health-live"),
    path("ready", health.ready, name="health-ready"),
]
