"""A real browser on the pages: fixtures and what is looked for in every window."""

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from judge.operations.http import BoundedHead
from judge.people.models import User
from tests.broker import Broker

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
HARMLESS = re.compile(r"status of (404|403|422|503)|net::ERR_FAILED")
"""What the browser's console says of answers that a test asked for."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for this file. Playwright keeps an event loop in this thread, in which Django wants no queries."""
    assert CHROMIUM.exists(), "these tests need Chromium: apt-get install chromium"
    with pytest.MonkeyPatch.context() as environment, sync_playwright() as playwright:
        environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def site(broker: Broker) -> Iterator[str]:
    """The web server that runs in production, on this test's rows."""
    config = uvicorn.Config(
        "judge.config.asgi:application",
        port=0,
        http=BoundedHead,
        log_config=None,
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until = time.monotonic() + 10
    while not server.started:
        assert time.monotonic() < until, "the server did not start"
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(15)


class Visitor:
    """Somebody's browser window; fails a test when the console complains."""

    def __init__(self, browser: Browser, site: str, who: User | None, **options: Any) -> None:
        self.site = site
        self.context: BrowserContext = browser.new_context(base_url=site, **options)
        self.context.set_default_timeout(10_000)
        self.complaints: list[str] = []
        if who is not None:
            client = Client()
            client.force_login(who)
            self.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
        self.page: Page = self.context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not HARMLESS.search(message.text):
            self.complaints.append(message.text)

    def type(self, text: str) -> None:
        self.page.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Callable[..., Visitor]]:
    visitors: list[Visitor] = []

    def open_window(who: User | None, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, site, who, **options))
        return visitors[-1]

    yield open_window
    for visitor in visitors:
        visitor.context.close()
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []


def faults_of(page: Page, addresses: Sequence[str], ready: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Address -> what axe finds there, in the light and in the dark, and whether it is wider than a phone.

    `ready` brings a page that is open to the state that is looked at.
    """
    faults: dict[str, Any] = {}
    for address in addresses:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(address)
        ready()
        found = Axe().run(page).response["violations"]
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")  # where only colours are others
        found += Axe().run(page, options={"runOnly": ["color-contrast"]}).response["violations"]
        if found:
            faults[address] = [(rule["id"], [node["html"][:200] for node in rule["nodes"][:3]]) for rule in found]
        page.set_viewport_size({"width": 390, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            faults[f"{address} at 390"] = "wider than the window"
    return faults
