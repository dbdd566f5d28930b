"""What a page may weigh and how quick it must be, as a real browser finds it; static files are served as in production.

By name, because figures of time say nothing on a machine that is busy.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.conf import settings as django_settings
from django.core.handlers.asgi import ASGIHandler
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import CDPSession, Page
from pytest_django import Settings

from judge.blobs.versions import package_of
from judge.grading.lesson import Traced, trace_of
from judge.lessons import actions
from judge.operations.http import BoundedHead
from judge.people.models import User
from sandbox.box import open_sandbox
from tests.broker import Broker
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


STORAGES = {
    **django_settings.STORAGES,
    "staticfiles": {"BACKEND": "judge.config.static.StaticFiles"},
}


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of static files, made once: named by their content and compressed."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=folder, STORAGES=STORAGES):
        call_command("collectstatic", "--no-input", verbosity=0)
    return folder


@pytest.fixture
def site(broker: Broker, settings: Settings, gathered: Path) -> Iterator[str]:
    """The web server with static files as in production."""
    settings.STATIC_ROOT = gathered
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = False
    settings.STORAGES = STORAGES
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
number => new Promise(done => {
  const player = document.querySelector(`#figure-${number}`).player, times = [];
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


@dataclass(frozen=True, kw_only=True)
class Pace:
    """What the player does when it takes a step in every frame of the screen; the best of three, others may be at
    work on this machine."""

    frames: float
    """A second."""
    work: float
    """Milliseconds of the page's own time on the processor a frame, whoever else is at work."""

    def __str__(self) -> str:
        return f"{self.frames:.1f} frames a second, {self.work:.1f} ms of work a frame"


def pace(page: Page, figure: int = 1) -> Pace:
    page.locator(f"#figure-{figure}").scroll_into_view_if_needed()
    line = page.context.new_cdp_session(page)
    line.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        metrics = line.send("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    paces = []
    for _ in range(3):
        before = worked()
        times: list[float] = page.evaluate(PLAY, figure)
        work = 1000 * (worked() - before) / len(times)
        paces.append(Pace(frames=1000 * len(times) / sum(times), work=work))
    return Pace(frames=max(each.frames for each in paces), work=min(each.work for each in paces))


@pytest.mark.parametrize("slug", ["knightmoves", "maze"])
def test_the_player_keeps_up_with_the_screen(
    visit: Callable[..., Visitor], slug: str, capsys: pytest.CaptureFixture[str]
) -> None:
    taught(slug)
    page = visit(None).page
    page.goto(f"/problems/{slug}/lesson/", wait_until="networkidle")
    found = pace(page)
    tell(capsys, f"{slug}: {found}")
    assert found.frames > FRAMES_A_SECOND


@pytest.mark.parametrize("kind", ["looped", "perfect", "single", "open", "split"])
def test_the_player_with_a_maze_of_ten_thousand_cells(
    visit: Callable[..., Visitor], student: User, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lesson's own figure at its largest, as a reader asks for it."""
    problem = taught("maze")
    assert problem.live is not None
    address = f"/problems/maze/lesson/?figure=3&kind={kind}&width=100&height=100&seed=7"
    package = package_of(problem.live)
    block = package.lessons["en"].blocks[2]
    values = block.values({"kind": kind, "width": "100", "height": "100", "seed": "7"})
    assert values is not None
    box = open_sandbox(tmp_path / "sandbox")
    try:
        actions.keep(
            problem.live, [Traced(command=each, trace=trace_of(each, package, box)) for each in block.commands(values)]
        )
    finally:
        box.close()
    page = visit(student).page
    began = time.monotonic()
    page.goto(address, wait_until="networkidle")
    loaded = time.monotonic() - began
    found = pace(page, 3)
    tell(capsys, f"maze of 100 x 100, {kind}: {found}; the page was there after {loaded:.1f} s")
    assert found.frames > FRAMES_A_SECOND
    figure = page.locator("#figure-3")
    assert figure.locator("[data-words] li").count() > 100
    figure.scroll_into_view_if_needed()
    page.locator("#figure-3 [data-do=last]").click()
    figure.screenshot(path=tmp_path / "end.png")
    middle = "range => { range.value = range.max / 2; range.dispatchEvent(new Event('input')); }"
    figure.locator("[data-range]").evaluate(middle)
    figure.screenshot(path=tmp_path / "half.png")
    assert (tmp_path / "end.png").read_bytes() != (tmp_path / "half.png").read_bytes()
