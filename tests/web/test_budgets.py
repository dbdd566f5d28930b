"""What a page may weigh and how quick it must be, as a real browser finds it; static files are served as in production.

By name, because figures of time say nothing on a machine that is busy.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.core.handlers.asgi import ASGIHandler
from django.core.management import call_command
from playwright.sync_api import CDPSession, Page
from pytest_django import Settings

from judge.lessons import queries
from judge.lessons.models import LessonTrace
from judge.lessons.queries import packed
from judge.operations.http import BoundedHead
from judge.people.models import User
from problems.package import trace
from tests.broker import Broker
from tests.problems.catalog.bare import CATALOG
from tests.web.browsing import Visitor
from tests.web.test_lesson import taught

pytestmark = [pytest.mark.byname, pytest.mark.django_db(transaction=True)]

PAGE_BYTES, EDITOR_BYTES = 80_000, 200_000
"""Of script and style, as they come over the line."""
FIRST_CONTENT_SECONDS = 1.0
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
"""A slow mobile line: 150 ms for every request, 1.6 Mbit/s."""
FRAMES_A_SECOND = 50
"""Of at most 60."""


@pytest.fixture
def site(broker: Broker, settings: Settings, tmp_path: Path) -> Iterator[str]:
    """The web server with static files gathered, named by their content and compressed."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = False
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    call_command("collectstatic", "--no-input", verbosity=0)
    config = uvicorn.Config(ASGIHandler(), port=0, http=BoundedHead, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until = time.monotonic() + 10
    while not server.started:
        assert time.monotonic() < until, "the server did not start"
        time.sleep(0.02)
    yield f"http://localhost:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(15)


@dataclass
class Heard:
    """What the browser received: file -> bytes over the line, headers not counted."""

    sizes: dict[str, int] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)

    def listen(self, line: CDPSession) -> None:
        line.send("Network.enable")
        line.on("Network.responseReceived", self._named)
        line.on("Network.dataReceived", self._came)

    def _named(self, event: Any) -> None:
        self.names[event["requestId"]] = (event["type"], event["response"]["url"].rsplit("/", 1)[-1])

    def _came(self, event: Any) -> None:
        self.sizes[event["requestId"]] = self.sizes.get(event["requestId"], 0) + event["encodedDataLength"]

    def bytes_of(self, *, editor: bool) -> int:
        return sum(
            size
            for request, size in self.sizes.items()
            if self.names[request][0] in ("Script", "Stylesheet") and ("editor" in self.names[request][1]) == editor
        )


def opened(visitor: Visitor, address: str) -> Heard:
    """The page, read to its end with nothing in the cache."""
    heard = Heard()
    heard.listen(visitor.context.new_cdp_session(visitor.page))
    visitor.page.goto(address, wait_until="networkidle")
    return heard


def tell(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with capsys.disabled():
        print(f"\n{text}")  # noqa: T201


@pytest.mark.parametrize("language", ["python3", "cpp17", "java", "rust"])
def test_script_and_style_of_the_statement(
    visit: Callable[..., Visitor], student: User, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    taught("knightmoves")
    visitor = visit(student)
    heard = opened(visitor, "/problems/knightmoves/")
    visitor.page.locator("select[name=language]").select_option(language)
    visitor.page.wait_for_load_state("networkidle")
    own, editor = heard.bytes_of(editor=False), heard.bytes_of(editor=True)
    tell(capsys, f"statement with {language}: {own:,} bytes of script and style, and {editor:,} of the editor")
    assert 5_000 < own < PAGE_BYTES
    assert 50_000 < editor < EDITOR_BYTES


def test_script_and_style_of_the_lesson(visit: Callable[..., Visitor], capsys: pytest.CaptureFixture[str]) -> None:
    taught("maze")
    heard = opened(visit(None), "/problems/maze/lesson/")
    own = heard.bytes_of(editor=False)
    tell(capsys, f"lesson: {own:,} bytes of script and style")
    assert 5_000 < own < PAGE_BYTES
    assert heard.bytes_of(editor=True) == 0


@pytest.mark.parametrize("page", ["", "lesson/"])
def test_first_content_on_a_slow_line(
    visit: Callable[..., Visitor], student: User, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    taught("knightmoves")
    visit(student).page.goto(f"/problems/knightmoves/{page}")  # the server has read its templates
    seconds = []
    for _ in range(3):
        visitor = visit(student)
        line = visitor.context.new_cdp_session(visitor.page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", SLOW)
        visitor.page.goto(f"/problems/knightmoves/{page}", wait_until="load", timeout=60_000)
        paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        visitor.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
        seconds.append(visitor.page.evaluate(paint) / 1000)
    tell(capsys, f"first content of {page or 'statement'}: {', '.join(f'{each:.2f}' for each in seconds)} s")
    assert min(seconds) < FIRST_CONTENT_SECONDS


PLAY = """
() => new Promise(done => {
  const player = document.querySelector("[data-figure]").player, times = [];
  let before = null;
  player.go(0);
  const step = now => {
    if (before !== null) times.push(now - before);
    before = now;
    if (times.length === 240) { done(times); return; }
    player.go(player.at < player.last ? player.at + 1 : 0);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})
"""


def frames_a_second(page: Page) -> float:
    """When the player takes a step in every frame of the screen."""
    times: list[float] = page.evaluate(PLAY)
    return 1000 / (sum(times) / len(times))


@pytest.mark.parametrize("slug", ["knightmoves", "maze"])
def test_the_player_keeps_up_with_the_screen(
    visit: Callable[..., Visitor], slug: str, capsys: pytest.CaptureFixture[str]
) -> None:
    taught(slug)
    page = visit(None).page
    page.goto(f"/problems/{slug}/lesson/", wait_until="networkidle")
    rate = frames_a_second(page)
    tell(capsys, f"{slug}: {rate:.1f} frames a second")
    assert rate > FRAMES_A_SECOND


def test_the_player_with_a_maze_of_ten_thousand_cells(
    visit: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Eleven times as many cells as a trace may have: there is room above what anybody is shown."""
    problem = taught("maze")
    assert problem.live is not None
    for room in (trace, queries):
        monkeypatch.setattr(room, "MAX_BYTES", 64 << 20)
    monkeypatch.setattr(trace, "MAX_PLACES", 10_000)
    maze = _printed("generators/maze.py", "looped", "100", "100", "-", "-", "1")
    lines = _printed("palfrey/traces/water.py", given=maze).splitlines(keepends=True)
    LessonTrace.objects.update(trace=packed(b"".join(lines[:4_000])))
    page = visit(None).page
    page.goto("/problems/maze/lesson/", wait_until="networkidle")
    rate = frames_a_second(page)
    tell(capsys, f"maze of 100 x 100: {rate:.1f} frames a second")
    assert rate > FRAMES_A_SECOND


def _printed(program: str, *arguments: str, given: bytes = b"") -> bytes:
    command = [sys.executable, str(CATALOG / "maze" / program), *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout
