"""The pages of feedback in a real browser: what a program said in the picture, and what a screen reader trips over."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import expect

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
    box = open_sandbox(tmp_path / "sandbox")
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


@pytest.mark.byname
@pytest.mark.parametrize(
    ("slug", "program", "language", "said"),
    [
        (
            "maze",
            "walks_through_walls.cpp",
            "cpp17",
            r"Step \d+ of your program walks through the \w+ wall of",
        ),
        ("knightmoves", "five_layers.cpp", "cpp17", r"Your program says \d\. The search reaches h1 in layer 6\."),
        ("knightstour", "swapped_start.java", "java", r"Your program begins at"),
    ],
)
def test_from_paste_to_what_is_wrong_marked_in_the_picture(
    visit: Callable[..., Visitor], student: User, *, tmp_path: Path, slug: str, program: str, language: str, said: str
) -> None:
    box = open_sandbox(tmp_path / "sandbox")
    try:
        publish(CATALOG / slug, box)
    finally:
        box.close()
    with worker():
        visitor = visit(student)
        page = visitor.page
        page.goto(f"/problems/{slug}/")
        visitor.type((PROGRAMS / slug / program).read_text())
        page.locator("select[name=language]").select_option(language)
        page.get_by_role("button", name="Submit").click()
        page.wait_for_url("**/submissions/*/")
        page.get_by_role("link", name="Play what should happen here").click(timeout=90_000)
        expect(page.locator("[data-caption]")).to_have_text(re.compile(said))
        expect(page.locator("[data-claim]")).to_be_visible()
        page.screenshot(path=tmp_path / "replay.png", full_page=True)
