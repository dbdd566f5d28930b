"""The lesson of a problem: what is on its page, and who may have new figures made."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from judge.grading.lesson import Traced, trace_lessons
from judge.lessons import actions
from judge.lessons.models import LessonTrace
from judge.lessons.queries import packed
from judge.people.models import User
from judge.submissions.models import State
from judge.web.lesson.code import shown_code
from judge.web.lesson.drawing import draw
from judge.web.lesson.scale import dark, paint
from problems.models import Problem
from problems.package.read import read
from problems.package.trace import parse
from sandbox.box import open_sandbox
from tests.broker import Broker
from tests.problems.catalog.bare import CATALOG
from tests.web.browsing import Visitor, faults_of
from tests.web.conftest import Put, published

TAUGHT = ("knightmoves", "knightstour", "knightstourcount", "knightstourall", "maze")
IN_GATE = [slug if slug in ("knightmoves", "maze") else pytest.param(slug, marks=pytest.mark.byname) for slug in TAUGHT]
"""One of boards and one of mazes each time, the others by name."""


@cache
def made(slug: str) -> tuple[Traced, ...]:
    """The figures of a lesson of the catalog, as publishing makes them."""
    package = read(CATALOG / slug).package
    assert package is not None
    box = open_sandbox(settings.PALFREY_CACHE / "sandbox")
    try:
        return tuple(trace_lessons(package, box))
    finally:
        box.close()


def taught(slug: str) -> Problem:
    """A problem of the catalog with its lesson, without its cases."""
    problem = Problem.objects.create(slug=slug, uuid=f"5bd0a0a6-2f4b-4c1e-9a53-{TAUGHT.index(slug):012}")
    version = published(problem, CATALOG / slug)
    problem.live = version
    problem.save()
    actions.keep(version, made(slug))
    return problem


@pytest.mark.django_db
@pytest.mark.parametrize("slug", IN_GATE)
def test_a_lesson_is_complete_without_script(client: Client, slug: str) -> None:
    taught(slug)
    page = client.get(f"/problems/{slug}/lesson/")
    text = page.content.decode()
    figures = len(re.findall(r"data-figure ", text))
    assert text.count("data-player") == figures >= 1
    assert "Nobody has asked" not in text
    assert "<style" not in text
    assert not re.search(r'<[^>]+ style="', text), "the policy of the page allows no style in place"
    for words, pictured in zip(
        re.findall(r"<ol data-words[^>]*>(.*?)</ol>", text), re.findall(r"data-caption>(.*?)</p>", text), strict=True
    ):
        assert re.findall(r"<li>(.*?)</li>", words)[-1] == pictured, "the picture stands at its end"
    assert text.count("data-quiz=") >= 3
    assert text.count("<h2 id=") == text.count('<a href="#chapter-')
    assert "%(" not in text


@pytest.mark.django_db
def test_the_tab_is_there_only_with_a_lesson(client: Client, twice: Problem) -> None:
    assert b"/problems/twice/lesson/" in client.get("/problems/twice/").content
    assert twice.live is not None
    twice.live.facts["lessons"] = []
    twice.live.save()
    assert b"/problems/twice/lesson/" not in client.get("/problems/twice/").content


@pytest.mark.django_db
def test_a_problem_without_a_lesson_has_no_such_page(client: Client, put: Put) -> None:
    put({})
    assert client.get("/problems/twice/").status_code == 200
    assert client.get("/problems/twice/lesson/").status_code == 404
    assert client.get("/problems/twice/lesson/1/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_asking_for_a_figure(as_student: Client, twice: Problem, broker: Broker) -> None:
    shown = as_student.get("/problems/twice/lesson/?figure=1&n=5").content
    assert b"Nobody has asked for these values yet" in shown
    assert not LessonTrace.objects.exists(), "looking makes nothing"
    answer = as_student.post("/problems/twice/lesson/1/", {"n": "5"})
    assert answer["Location"] == "/problems/twice/lesson/?figure=1&n=5#figure-1"
    row = LessonTrace.objects.get()
    waiting = as_student.get("/problems/twice/lesson/?figure=1&n=5").content
    assert b"It is being made" in waiting
    assert b'http-equiv="refresh"' in waiting
    fragment = as_student.post("/problems/twice/lesson/1/", {"n": "5"}, headers={"X-Fragment": "1"})
    assert b'data-final="no"' in fragment.content
    assert LessonTrace.objects.count() == 1
    printed = b'{"trace": 1, "kind": "board", "columns": 3, "rows": 1}\n{"do": "visit", "at": "1,0"}\n'
    LessonTrace.objects.update(state=State.DONE, trace=packed(printed))
    done = as_student.get("/problems/twice/lesson/1/?n=5").content
    assert b'data-final="yes"' in done
    assert b"The walk begins on (1,0)." in done
    row.refresh_from_db()
    LessonTrace.objects.update(trace=b"", refused=True, fault="secret reasons")
    refused = as_student.get("/problems/twice/lesson/1/?n=5").content
    assert b"These values do not go together" in refused
    assert b"secret reasons" not in refused


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("values", [{"n": "0"}, {"n": "10"}, {"n": "3; rm -rf /"}, {"n": "٣"}, {"n": ""}])
def test_only_values_of_the_list_are_taken(
    as_student: Client, twice: Problem, broker: Broker, values: Mapping[str, str]
) -> None:
    answer = as_student.post("/problems/twice/lesson/1/", values, headers={"X-Fragment": "1"})
    assert b"There is no such value" in answer.content
    assert not LessonTrace.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_stranger_looks_and_makes_nothing(client: Client, twice: Problem, broker: Broker) -> None:
    assert b"Sign in to choose" in client.get("/problems/twice/lesson/").content
    answer = client.post("/problems/twice/lesson/1/", {"n": "5"}, headers={"X-Fragment": "1"})
    assert b"Sign in to choose values of your own." in answer.content
    assert not LessonTrace.objects.exists()


def lines(**header: Any) -> bytes:
    steps = [
        {"do": "enqueue", "at": "a", "distance": 0},
        {"do": "dequeue", "at": "a"},
        {"do": "enqueue", "at": "b", "distance": 1, "from": "a"},
        {"do": "note", "text": "<script>alert(1)</script>"},
    ]
    return "\n".join(json.dumps(each) for each in ({"trace": 1, **header}, *steps)).encode()


def test_a_graph_of_an_authors_own() -> None:
    trace = parse(lines(kind="graph", nodes={"a": [0, 0], "b": [100, 100]}, edges=[["a", "b"]]))
    drawn = draw(trace, graph=True)
    assert drawn.graph is None, "it is a graph already"
    assert drawn.picture.count("data-at=") == 2
    assert drawn.data["frames"][-1]["b"] == "note"
    assert "found" in drawn.picture


def test_text_of_an_author_does_no_harm() -> None:
    drawn = draw(parse(lines(kind="graph", nodes={"a": [0, 0], "b": [9, 9]}, edges=[])), graph=False)
    assert "<script" not in drawn.picture
    assert drawn.sentences[-1] == "<script>alert(1)</script>", "the template escapes it"


def test_letters_can_be_read_on_every_layer() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for distance in range(101):
        ground = light(paint(distance, 100))
        white, black = 1.05 / (ground + 0.05), (ground + 0.05) / 0.05
        assert (white if dark(distance, 100) else black) >= 4.5, distance
    lightness = [light(paint(distance, 100)) for distance in range(101)]
    assert lightness == sorted(lightness, reverse=True), "darker is farther"


def test_marks_of_code_are_taken_out() -> None:
    (code,) = shown_code({".py": b"a = 1  #: start take\nb = 2  # look\n"}, "x")
    assert code.label == "Python"
    assert code.beats == (("start", "take"), ())
    assert "start" not in code.lines
    assert "look" in code.lines


# In a browser -------------------------------------------------------------------------------------------------------


def picture(page: Page, number: int) -> str:
    """All that the script may change in the figure, as it stands now."""
    return str(
        page.evaluate(
            """number => [...document.querySelectorAll(`#figure-${number} [data-show], #figure-${number} [data-beside],
               #figure-${number} [data-graph]`)].map(part => {
                 const copy = part.cloneNode(true);
                 for (const bar of copy.querySelectorAll("[data-bar], [data-code]")) bar.remove();
                 for (const live of copy.querySelectorAll("[aria-live]")) live.removeAttribute("aria-live");
                 for (const named of copy.querySelectorAll("[class]"))
                   named.setAttribute("class", named.getAttribute("class").trim().replace(/\\s+/g, " "));
                 for (const spot of copy.querySelectorAll(".token"))
                   for (const side of ["x", "y"]) spot.setAttribute(side, Number(spot.getAttribute(side)).toFixed(1));
                 return copy.innerHTML;
               }).join("\\n")""",
            number,
        )
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slug", IN_GATE)
def test_the_player_ends_where_the_server_has_drawn(visit: Callable[..., Visitor], slug: str) -> None:
    taught(slug)
    still = visit(None, java_script_enabled=False).page
    still.goto(f"/problems/{slug}/lesson/")
    assert not still.locator("[data-bar]").first.is_visible()
    page = visit(None).page
    page.goto(f"/problems/{slug}/lesson/")
    count = page.locator("[data-player]").count()
    assert count == still.locator("[data-player]").count() > 0
    plain = visit(None, java_script_enabled=False).page
    plain.goto(f"/problems/{slug}/lesson/")
    for number in range(1, count + 1):
        bar = page.locator(f"#figure-{number} [data-bar]")
        bar.locator("[data-do=last]").click()
        ended = picture(page, number)
        assert ended == picture(plain, number), (slug, number)
        bar.locator("[data-do=first]").click()
        assert picture(page, number) != ended
        steps = int(bar.locator("[data-range]").get_attribute("max") or 0)
        for _ in range(min(steps, 60)):
            bar.locator("[data-do=step]").dispatch_event("click")
        halfway = picture(page, number)
        bar.locator("[data-do=last]").click()
        for _ in range(steps - min(steps, 60)):
            bar.locator("[data-do=back]").dispatch_event("click")
        assert picture(page, number) == halfway, "back leads to the same as on"


@pytest.mark.django_db(transaction=True)
def test_the_player_from_the_keyboard(visit: Callable[..., Visitor]) -> None:
    taught("knightmoves")
    page = visit(None, reduced_motion="reduce").page
    page.goto("/problems/knightmoves/lesson/")
    figure = page.locator("#figure-1")
    caption, count = figure.locator("[data-caption]"), figure.locator("[data-count]")
    expect(count).to_have_text("step 0 of 36")
    expect(caption).to_have_text("e2 goes into the queue with distance 0. Nothing else is known yet.")
    figure.get_by_role("button", name="One step on").focus()
    page.keyboard.press("ArrowRight")
    expect(caption).to_have_text("Take e2 from the front of the queue. Its distance is 0.")
    expect(figure.locator(".code .now").first).to_contain_text("popleft")
    expect(figure.locator("[data-name=e2]")).to_have_class(re.compile(r"\bnow\b"))
    page.keyboard.press("ArrowRight")
    expect(figure.locator("[data-queue] li")).to_have_text(["f4", "g3", "g1", "c1", "c3", "d4"])
    page.keyboard.press("ArrowLeft")
    expect(figure.locator("[data-queue] li")).to_have_count(0)
    page.keyboard.press("PageDown")
    expect(caption).to_contain_text("Layer 1 begins: 6 places wait")
    page.keyboard.press("End")
    expect(caption).to_contain_text("A shortest way has 2 steps: e2,")
    expect(figure.locator("[data-facts]")).to_contain_text("17 of 64")
    page.keyboard.press("Home")
    expect(count).to_have_text("step 0 of 36")
    fill = "getComputedStyle(document.querySelector('#figure-1 .cell .c')).transitionDuration"
    assert page.evaluate(fill) == "0s", "who wants no motion sees none"
    figure.locator("[data-range]").focus()
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("step 1 of 36")
    figure.locator("[data-speed]").select_option("250")
    figure.get_by_role("button", name="Play").click()
    expect(caption).to_have_attribute("aria-live", "off")
    expect(count).to_have_text(re.compile(r"step ([4-9]|\d\d) of 36"))
    figure.get_by_role("button", name="Pause").click()
    expect(caption).to_have_attribute("aria-live", "polite")
    expect(figure.locator("[data-words]").locator("li")).to_have_count(37)


FOCUS = """() => {
  const it = document.activeElement, figure = it.closest("[data-figure]"), quiz = it.closest("[data-quiz]");
  const style = getComputedStyle(it);
  return {
    tag: it.tagName, does: it.dataset.do || "", type: it.type || "", figure: figure ? figure.id : "",
    quiz: quiz ? [...document.querySelectorAll("[data-quiz]")].indexOf(quiz) : -1,
    link: it.getAttribute("href") || "", seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
  };
}"""


@pytest.mark.byname
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slug", TAUGHT)
def test_a_lesson_from_start_to_end_by_keyboard(visit: Callable[..., Visitor], slug: str) -> None:
    """With Tab, arrows, space and Enter alone: every figure is played to its end, every question answered, every
    chapter and text reached, and whoever does it sees where they are."""
    taught(slug)
    page = visit(None).page
    page.context.set_default_timeout(60_000)  # it is not about speed
    page.goto(f"/problems/{slug}/lesson/")
    figures = {str(each.get_attribute("id")) for each in page.locator("[data-figure]").all()}
    chapters = {each.get_attribute("href") for each in page.locator(".chapters a").all()}
    played, opened, links, answered, unseen = set(), set(), set(), set(), []
    for _ in range(500):
        page.keyboard.press("Tab")
        now = page.evaluate(FOCUS)
        if now["tag"] == "BODY":
            break
        links.add(now["link"])
        unseen += [now] * (not now["seen"])
        if now["does"] == "step":
            play_by_keyboard(page, now["figure"])
            played.add(now["figure"])
        elif now["figure"] and now["tag"] == "SUMMARY":
            page.keyboard.press("Enter")
            opened.add(now["figure"])
        elif now["type"] == "radio":
            quiz = page.locator("[data-quiz]").nth(now["quiz"])
            page.keyboard.press("Space")
            for _choice in range(4):
                if "Right." in quiz.locator("[data-answer]").inner_text():
                    answered.add(now["quiz"])
                    break
                page.keyboard.press("ArrowDown")
    else:
        pytest.fail("Tab never comes to the end of the page")
    assert unseen == []
    assert played == opened == figures
    assert answered == set(range(page.locator("[data-quiz]").count()))
    assert chapters <= links


def play_by_keyboard(page: Page, figure: str) -> None:
    """Step by step, at most 60 of them, then to the end; each step says something."""
    caption, count = page.locator(f"#{figure} [data-caption]").first, page.locator(f"#{figure} [data-count]")
    steps = int(page.locator(f"#{figure} [data-range]").get_attribute("max") or 0)
    page.keyboard.press("Home")
    expect(count).to_have_text(f"step 0 of {steps}")
    for number in range(1, min(steps, 60) + 1):
        page.keyboard.press("Enter" if number == 1 else "ArrowRight")
        expect(count).to_have_text(f"step {number} of {steps}")
        expect(caption).not_to_be_empty()
    page.keyboard.press("End")
    expect(count).to_have_text(f"step {steps} of {steps}")


@pytest.mark.django_db(transaction=True)
def test_two_in_step_and_a_question(visit: Callable[..., Visitor]) -> None:
    taught("knightmoves")
    page = visit(None).page
    page.goto("/problems/knightmoves/lesson/")
    figure = page.locator("#figure-2")
    captions = figure.locator("[data-caption]")
    figure.get_by_role("button", name="One step on").click()
    expect(captions.nth(0)).to_contain_text("Take a1")
    expect(captions.nth(1)).to_contain_text("The search from a1 goes on")
    figure.get_by_role("button", name="Last step").click()
    expect(captions.nth(0)).to_contain_text("6 steps")
    expect(captions.nth(1)).to_contain_text("6 steps")
    expect(figure.locator(".bars")).to_contain_text("64 taken")
    expect(figure.locator(".bars")).to_contain_text("16 taken")
    quiz = page.locator("[data-quiz]").first
    quiz.get_by_label("4").check()
    expect(quiz.locator("[data-answer]")).to_contain_text("Not quite.")
    quiz.get_by_label("3").check()
    expect(quiz.locator("[data-answer]")).to_contain_text("Right. What is found from distance 2 is at distance 3")


@pytest.mark.django_db(transaction=True)
def test_squares_are_chosen_on_the_board(visit: Callable[..., Visitor], student: User) -> None:
    taught("knightmoves")
    page = visit(student).page
    page.goto("/problems/knightmoves/lesson/")
    figure = page.locator("#figure-1")
    figure.get_by_role("button", name="Choose on the board").click()
    expect(figure.get_by_role("status")).to_contain_text("Start")
    page.keyboard.press("Escape")
    expect(figure.get_by_role("button", name="Choose on the board")).to_be_focused()
    page.keyboard.press("Enter")
    for key in ("ArrowLeft",) * 4 + ("ArrowDown",):
        page.keyboard.press(key)
    expect(figure.get_by_role("button", name="a1", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(figure.get_by_role("status")).to_contain_text("Goal")
    figure.locator("[data-name=a1]").click()  # made with the version: the least of everything
    expect(figure.locator("[data-count]")).to_have_text("step 0 of 2")
    expect(figure.locator("select[name=from]")).to_have_value("a1")

    figure.locator("select[name=to]").select_option("c7")
    figure.get_by_role("button", name="Show").click()
    expect(figure.get_by_role("status")).to_contain_text("It is being made")
    row = LessonTrace.objects.get(of_version=False)
    LessonTrace.objects.filter(pk=row.pk).update(state=State.DONE, refused=True, fault="no")
    expect(figure.get_by_role("status")).to_contain_text("These values do not go together")
    expect(figure.locator("[data-count]")).to_have_text("step 0 of 2")  # what was there stays


@pytest.mark.django_db(transaction=True)
def test_lessons_have_no_fault_that_a_machine_can_find(visit: Callable[..., Visitor], student: User) -> None:
    page = visit(student).page

    def play_to_the_end() -> None:
        for bar in page.locator("[data-bar]").all():
            bar.locator("[data-do=last]").click()
        for words in page.locator(".words").all():
            words.evaluate("words => { words.open = true; }")

    slugs = ("knightmoves", "maze")
    for slug in slugs:
        taught(slug)
    faults = faults_of(page, [f"/problems/{slug}/lesson/" for slug in slugs], play_to_the_end)
    assert not faults, json.dumps(faults, indent=1)
