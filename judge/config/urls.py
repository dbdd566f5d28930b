"""Every address of the site."""

from django.urls import URLPattern, URLResolver, include, path

from judge.api.errors import not_found
from judge.api.service import api
from judge.operations.metrics import metrics

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/", include("judge.operations.urls")),
    path("metrics", metrics, name="metrics"),
    path("api/", api.urls),
    path("api/<path:rest>", not_found),
    path("", include("judge.web.urls")),
]

handler400 = "judge.web.errors.bad_request"
handler403 = "judge.web.errors.forbidden"
handler404 = "judge.web.errors.not_found"
handler500 = "judge.web.errors.fault"
