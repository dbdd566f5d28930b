"""The page that describes the API: whole without another host, and under the strict policy of all pages."""

import pytest
from django.test import Client
from playwright.sync_api import Browser

from tests.web.browsing import Visitor


def test_the_description_is_there_without_a_token(client: Client, db: None) -> None:
    schema = client.get("/api/openapi.json").json()
    assert schema["openapi"].startswith("3.")
    assert schema["components"]["securitySchemes"]["Bearer"] == {"type": "http", "scheme": "bearer"}
    for path, methods in schema["paths"].items():
        for method, call in methods.items():
            assert call["security"] == [{"Bearer": []}], path
            assert "Scope: " in call["description"], (method, path)
            assert {"401", "403", "404", "422"} <= set(call["responses"]), path
    reason = schema["components"]["schemas"]["Wish"]["properties"]["reason"]
    assert reason["description"] == "Read by students whose result changes."


def test_the_page_takes_nothing_from_elsewhere(client: Client, db: None) -> None:
    page = client.get("/api/docs")
    policy = page["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert b"http://" not in page.content
    assert b"https://" not in page.content


@pytest.mark.django_db(transaction=True)
def test_the_page_works_in_a_browser(browser: Browser, site: str) -> None:
    asked: list[str] = []
    window = Visitor(browser, site, None)
    window.page.on("request", lambda request: asked.append(request.url))
    window.page.goto("/api/docs")
    window.page.get_by_role("link", name="/api/v1/submissions/{pk}/events").first.wait_for(timeout=60_000)
    assert window.page.locator(".opblock").count() > 25
    window.page.get_by_role("button", name="Authorize").first.click()
    window.page.get_by_label("Value").fill("palfrey_nothing")
    assert asked
    assert all(url.startswith((site, "data:")) for url in asked)
    assert not window.complaints
    window.context.close()
