"""The pages of feedback in a real browser: what a program said in the picture, and what a screen reader trips over."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from playwright.sync_api import Page, expect

from judge.authoring.actions import publish
from judge.people.models import Course, User
from judge.submissions.models import Submission
from problems.models import Problem
from sandbox.box import open_sandbox
from tests.conftest import assign
from tests.feedback.catalog import CATALOG, PROGRAMS
from tests.feedback.test_pictures import DRAWS
from tests.feedback.test_trip import FILES, TAKES_PARTS_OFF, Do, done
from tests.shelf import write_package
from tests.web.browsing import Visitor, browser, faults_of, site, visit
from tests.workers import worker

__all__ = ["browser", "done", "site", "visit"]

pytestmark = pytest.mark.django_db(transaction=True)

WALKS = """import json
from pathlib import Path

print(json.dumps({"trace": 1, "kind": "grid", "walls": ["D3", "96", "C7"], "start": "0,0", "goal": "0,2"}))
way = ["0,0", "1,0", "1,1", "0,1", "0,2"]
for distance, at in enumerate(way):
    before = {"from": way[distance - 1]} if distance else {}
    print(json.dumps({"do": "enqueue", "at": at, "distance": distance} | before))
    print(json.dumps({"do": "dequeue", "at": at}))
print(json.dumps({"do": "path", "places": way}))
if Path(".judge/output").exists():
    print(json.dumps({"do": "claim", "wrong": "wall", "path": ["0,0", "0,1"]}))
"""


@pytest.fixture
def problem(transactional_db: None, tmp_path: Path) -> Problem:
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    try:
        files = {**FILES, "output_visualizer/draw.py": DRAWS, "palfrey/traces/line.py": WALKS}
        return publish(write_package(tmp_path / "twice", files), box).problem
    finally:
        box.close()


@pytest.fixture
def failed(done: Do, student: User) -> Submission:
    """A program with a counterexample, its replay, pictures and a known mistake."""
    return done(student, TAKES_PARTS_OFF)


def test_nothing_is_in_the_way_of_anybody(
    visit: Callable[..., Visitor], failed: Submission, *, student: User, course: Course, problem: Problem
) -> None:
    page = visit(student).page
    addresses = [reverse("submission", args=[failed.pk]), reverse("submission-replay", args=[failed.pk])]
    assert faults_of(page, addresses) == {}
    expect(page.locator("[data-claim] .claim-sign")).to_be_visible()
    failed.assignment = assign(course, problem, feedback={"replay": "after_deadline"})
    failed.save()
    assert faults_of(page, addresses[:1]) == {}
    expect(page.locator("main")).to_contain_text("The next hint opens later.")


def test_the_mark_comes_with_the_last_step_and_without_script(
    visit: Callable[..., Visitor], failed: Submission, student: User
) -> None:
    address = reverse("submission-replay", args=[failed.pk])
    still = visit(student, java_script_enabled=False).page
    still.goto(address)
    expect(still.locator("[data-claim] .claim-sign")).to_be_visible()
    page = visit(student).page
    page.goto(address)
    mark, caption = page.locator("[data-claim]"), page.locator("[data-caption]")
    said = "Step 1 of your program walks through the south wall of (0,0)."
    expect(mark).to_have_attribute("display", "inline")
    expect(caption).to_have_text(said)
    page.get_by_role("button", name="One step back").focus()
    page.keyboard.press("ArrowLeft")
    expect(mark).to_have_attribute("display", "none")
    expect(caption).to_contain_text("A shortest way has 4 steps")
    page.keyboard.press("End")
    expect(mark).to_have_attribute("display", "inline")
    expect(page.locator("[data-words] li").last).to_have_text(said)
    expect(page.locator(".legend")).to_contain_text("what your program says")


# The whole way, by name -----------------------------------------------------------------------------------------------


LANGUAGES = "python3,cpp17,java"
"""Of the programs that are sent, and of those of the packages."""
PATIENCE = 300_000
"""Milliseconds, for a machine that does other things as well."""


def live(slug: str) -> None:
    """A problem of the catalog, published as it is."""
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    try:
        publish(CATALOG / slug, box)
    finally:
        box.close()


def pasted(visitor: Visitor, slug: str, program: str, language: str, words: Callable[[str], str] = str) -> Page:
    """From the statement, with a program in the clipboard, to the replay of what is wrong with it.

    `words`: what a button is called in the reader's language.
    """
    page = visitor.page
    visitor.context.set_default_timeout(60_000)
    page.goto(f"/problems/{slug}/")
    visitor.type((PROGRAMS / slug / program).read_text())
    page.locator("select[name=language]").select_option(language)
    page.get_by_role("button", name=words("Submit")).click()
    page.wait_for_url("**/submissions/*/")
    page.get_by_role("link", name=words("Play what should happen here")).click(timeout=PATIENCE)
    expect(page.locator("[data-claim] .claim-sign").first).to_be_visible(timeout=60_000)
    return page


@pytest.mark.byname
@pytest.mark.parametrize(
    ("slug", "program", "language", "said"),
    [
        ("knightmoves", "five_layers.cpp", "cpp17", r"Your program says \d\. The search reaches \w\d in layer 6\."),
        ("knightstour", "swapped_start.java", "java", r"Your program begins at"),
    ],
)
def test_from_paste_to_what_is_wrong_marked_in_the_picture(
    visit: Callable[..., Visitor], student: User, *, tmp_path: Path, slug: str, program: str, language: str, said: str
) -> None:
    live(slug)
    with worker(languages=LANGUAGES):
        page = pasted(visit(student), slug, program, language)
        expect(page.locator("[data-caption]")).to_have_text(re.compile(said))
        page.screenshot(path=tmp_path / "replay.png", full_page=True)


THROUGH = {
    "en": ("Step STEP of your program walks through the SIDE wall of CELL.", "north east south west"),
    "pt-BR": ("O passo STEP do seu programa atravessa a parede SIDE de CELL.", "norte leste sul oeste"),
    "ro": ("Pasul STEP al programului tău trece prin peretele de SIDE al celulei CELL.", "nord est sud vest"),
    "zh-CN": ("你的程序的第 STEP 步穿过了 CELL SIDE面的墙。", "北 东 南 西"),
}
"""Language -> the sentence, and what the sides are called."""
CELL, MARGIN = 40, 22


@pytest.mark.byname
def test_a_wall_that_is_walked_through_is_marked_in_every_language(
    visit: Callable[..., Visitor], student: User, tmp_path: Path
) -> None:
    live("maze")
    marked = set()
    with worker(languages=LANGUAGES):
        for locale, (sentence, sides) in THROUGH.items():
            tag = {"zh-CN": "zh-hans"}.get(locale, locale.lower())
            with translation.override(tag):
                page = pasted(
                    visit(student, locale=locale), "maze", "walks_through_walls.cpp", "cpp17", translation.gettext
                )
            assert (page.locator("html").get_attribute("lang") or "").lower() == tag
            caption = page.locator("[data-caption]").inner_text()
            shape = re.escape(sentence).replace("STEP", r"(?P<step>\d+)").replace("SIDE", r"(?P<side>\w+?)")
            found = re.fullmatch(shape.replace("CELL", r"\((?P<x>\d+),(?P<y>\d+)\)"), caption)
            assert found is not None, caption
            assert page.locator("[data-words] li").last.text_content() == caption
            wall = page.locator("[data-claim] .claim-wall").get_attribute("d")
            assert wall == _wall(int(found["x"]), int(found["y"]), sides.split().index(found["side"]))
            marked.add((found["step"], wall))
            page.screenshot(path=tmp_path / f"replay-{locale}.png", full_page=True)
    assert len(marked) == 1, "the same in every language"


def _wall(x: int, y: int, side: int) -> str:
    """The side of a cell as the picture draws it: north, east, south, west."""
    left, top = MARGIN + x * CELL, MARGIN + y * CELL
    right, bottom = left + CELL, top + CELL
    ends = [
        (left, top, right, top),
        (right, top, right, bottom),
        (left, bottom, right, bottom),
        (left, top, left, bottom),
    ]
    a, b, c, d = ends[side]
    return f"M{a} {b}L{c} {d}"
