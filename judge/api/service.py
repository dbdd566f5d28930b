"""The HTTP API as a whole: its calls below /api/v1/, what describes them, and a page to read that."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from judge.api import assignments, courses, feedback, grades, problems, regrades, submissions
from judge.api.errors import explain

ABOUT = """\
Everything that a program does here it does for somebody, with a **token** that they make on the page *API tokens* of
their account: `Authorization: Bearer palfrey_…`. A token has scopes and an end, and allows no more than its owner is
allowed on the pages.

What you may not see is answered like what is not there: 404. Every error has the same shape. Lists give `next`; sent
again as `after`, it gives the part that follows.
"""


class Pages(DocsBase):
    """Swagger UI, served by this site alone, under the policy of all its pages."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        settings = {"layout": "BaseLayout", "deepLinking": True, "url": self.get_openapi_url(api, kwargs)}
        return render(request, "api/docs.html", {"settings": settings})


api = NinjaAPI(title="Palfrey", version="1", description=ABOUT, docs=Pages(), urls_namespace="api")
explain(api)
for prefix, room in (
    ("v1/problems", problems),
    ("v1", submissions),
    ("v1", feedback),
    ("v1/courses", courses),
    ("v1/courses", assignments),
    ("v1/courses", grades),
    ("v1/regrades", regrades),
):
    for path in room.router.path_operations.values():
        for call in path.operations:  # a list of calls is read by what they do, not by what their functions are called
            call.summary = (
                (call.description or "").split(". ")[0].split(";")[0].split(".\n")[0].replace("\n", " ").strip()
            )
    api.add_router(prefix, room.router)
