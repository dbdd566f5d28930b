"""The pages in a real browser: the editor, the live part, no script at all, what a screen reader would trip over."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from playwright.sync_api import Dialog, Page, expect

from judge.grading.languages import LANGUAGES
from judge.people.models import Course, User
from judge.submissions import hints
from judge.submissions.models import CaseResult, Judgement, State, Submission, Trial, Worker
from judge.web.editor_words import WORDS
from problems.models import Problem
from tests.web.browsing import Visitor, faults_of
from tests.web.conftest import ACTING_PDF, PDF, Put, done

pytestmark = pytest.mark.django_db(transaction=True)

Send = Callable[..., Submission]
STATIC: Path = settings.BASE_DIR / "judge/web/static/web"


@pytest.fixture(autouse=True)
def worker(transactional_db: None) -> None:
    """A worker with every language is at work, as far as the pages know."""
    now = timezone.now()
    Worker.objects.create(name="here", languages=list(LANGUAGES), queues=["live"], slots=1, started=now, seen=now)


def drop(page: Page, files: dict[str, str]) -> None:
    """Drop files on the editor as from the desktop."""
    page.evaluate(
        """files => {
            const carried = new DataTransfer();
            for (const [name, text] of Object.entries(files)) carried.items.add(new File([text], name));
            const place = document.querySelector(".editor");
            place.dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}));
        }""",
        files,
    )


def test_the_editor(visit: Callable[..., Visitor], student: User, twice: Problem) -> None:
    visitor = visit(student)
    page = visitor.page
    page.goto("/problems/twice/")
    expect(page.get_by_role("textbox", name="Your program")).to_be_visible()
    visitor.type("for i in range(3):")
    expect(page.locator(".cm-content .k").first).to_have_text("for")
    page.keyboard.press("Enter")
    page.keyboard.type("print(i)")
    area = page.locator("textarea[name=text]")
    assert area.input_value() == "for i in range(3):\n    print(i)"
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    assert area.input_value().endswith("\n        print(i)")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.cm-editor')") is None, "Escape, then Tab leaves the editor"

    expect(page.locator("[data-draft]")).to_contain_text("Draft kept")
    page.locator("select[name=language]").select_option("cpp20")
    page.reload()
    assert area.input_value().startswith("for i in range(3):"), "the draft is still there"
    expect(page.locator("select[name=language]")).to_have_value("cpp20")

    drop(page, {"Main.java": "class Main {}\r\n"})
    expect(page.locator("select[name=language]")).to_have_value("java")
    expect(page.locator("[data-filename]")).to_have_text("Main.java")
    assert area.input_value() == "class Main {}\n"
    drop(page, {"a.cpp": "int main() {}", "a.h": ""})
    expect(page.locator("[data-files]")).to_contain_text("a.cpp, a.h")
    expect(page.locator("select[name=language]")).to_have_value("cpp17")
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/submissions/*/")
    assert [file["name"] for file in Submission.objects.get().files] == ["a.cpp", "a.h"]


def test_the_editor_knows_the_words_of_each_language(
    visit: Callable[..., Visitor], student: User, twice: Problem
) -> None:
    visitor = visit(student)
    page = visitor.page
    page.goto("/problems/twice/")
    visitor.type("def func fn begin foreach fun function")
    own = {"python3": "def", "go": "func", "rust": "fn", "csharp": "foreach", "kotlin": "fun", "javascript": "function"}
    for language, word in own.items():
        page.locator("select[name=language]").select_option(language)
        expect(page.locator(".cm-content .k")).to_have_text(word)
    page.locator("select[name=language]").select_option("pascal")
    expect(page.locator(".cm-content .k")).to_have_text(["begin", "function"])


def test_a_double_click_is_one_submission(visit: Callable[..., Visitor], student: User, twice: Problem) -> None:
    visitor = visit(student)
    visitor.page.goto("/problems/twice/")
    visitor.type("print(1)")
    visitor.page.get_by_role("button", name="Submit").dblclick()
    visitor.page.wait_for_url("**/submissions/*/")
    assert Submission.objects.count() == 1


def kept_draft(page: Page) -> None:
    """Wait until what was typed is kept: the draft is saved a moment after the last key."""
    expect(page.locator("[data-draft]")).to_contain_text("Draft kept")


def test_a_draft_is_for_its_author_alone(
    visit: Callable[..., Visitor], student: User, instructor: User, twice: Problem
) -> None:
    visitor = visit(student)
    page, area = visitor.page, visitor.page.locator("textarea[name=text]")

    def sign_in(who: User) -> None:
        client = Client()
        client.force_login(who)
        session = client.cookies["sessionid"].value
        visitor.context.add_cookies([{"name": "sessionid", "value": session, "url": visitor.site}])
        page.goto("/problems/twice/")

    page.goto("/problems/twice/")
    visitor.type("mine = 1")
    kept_draft(page)
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    sign_in(instructor)
    expect(page.get_by_role("textbox", name="Your program")).to_be_visible()
    assert area.input_value() == "", "the next person in this browser does not see it"
    visitor.type("theirs = 2")
    kept_draft(page)
    sign_in(student)
    assert area.input_value() == "mine = 1", "its author finds it again"


def test_an_older_tab_takes_nothing_back(visit: Callable[..., Visitor], student: User, send: Send) -> None:
    visitor = visit(student)
    first = visitor.page
    area = first.locator("textarea[name=text]")
    sent = send(student)
    first.goto("/problems/twice/")
    visitor.type("old = 1")
    kept_draft(first)
    first.wait_for_function("Object.keys(localStorage).some(key => localStorage[key].includes('old = 1'))")
    second = visitor.context.new_page()
    second.goto("/problems/twice/")
    second.locator(".cm-content").click()
    second.keyboard.press("Control+End")
    second.keyboard.insert_text("\nnew = 2")
    second.close(run_before_unload=True)
    expect(first.locator(".cm-content")).to_contain_text("new = 2")
    first.reload()
    assert area.input_value() == "old = 1\nnew = 2", "what was typed last is kept"

    other = visitor.context.new_page()
    other.goto(f"/problems/twice/?from={sent.pk}")
    other.locator(".cm-content").click()
    other.keyboard.insert_text("# ")
    kept_draft(other)
    first.wait_for_timeout(300)
    assert area.input_value() == "old = 1\nnew = 2", "another program does not take this one's place under one's hands"


def test_searching_in_the_editor_speaks_the_reader_s_language(
    visit: Callable[..., Visitor], student: User, twice: Problem
) -> None:
    bundle = "".join(file.read_text() for file in STATIC.glob("editor*.js"))
    assert [word for word in WORDS if f'"{word}"' not in bundle] == [], "as CodeMirror calls it"
    page = visit(student, locale="ro").page
    page.goto("/problems/twice/")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+f")
    panel = page.locator(".cm-search")
    with override("ro"):
        for word in ("Find", "Replace"):
            expect(panel.get_by_placeholder(str(WORDS[word]), exact=True)).to_be_visible()
        for word in ("next", "previous", "all", "replace", "replace all", "close"):
            expect(panel.get_by_role("button", name=str(WORDS[word]), exact=True)).to_be_visible()
        for word in ("match case", "regexp", "by word"):
            expect(panel.get_by_label(str(WORDS[word]))).to_be_visible()
    assert not re.search("[Ff]ind|[Rr]eplace|next|previous|match|regexp|close", panel.inner_text())


def test_a_trial_run_stays_on_the_page(visit: Callable[..., Visitor], student: User, twice: Problem) -> None:
    visitor = visit(student)
    page = visitor.page
    page.goto("/problems/twice/")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("The program is empty")
    visitor.type("print(5)")
    page.keyboard.press("Control+Enter")
    drawer = page.locator("[data-drawer]")
    expect(drawer).to_contain_text("Waiting for a worker.")
    expect(page.get_by_role("alert")).to_have_count(0)
    run = Trial.objects.get()
    one = {"name": "sample/1", "verdict": "wrong_answer", "note": "It should be 4.", "team_note": "",
           "cpu_seconds": 0.02, "wall_seconds": 0.02, "memory_bytes": 5 << 20,
           "output": "5\n", "stderr": "", "clipped": False}  # fmt: skip
    results = {"total": 2, "runs": [one], "compiled": True, "compile_log": "", "verdict": "wrong_answer"}
    Trial.objects.filter(pk=run.pk).update(state=State.DONE, results=results)
    hints.announce(Trial.objects.get())
    expect(drawer).to_contain_text("0 of 2 right.")
    expect(drawer.locator("mark")).to_have_text("5")
    page.get_by_text("My own input", exact=True).click()
    page.get_by_label("Your own input").fill("7\n8")
    page.get_by_role("button", name="Run on my own input").click()
    expect(drawer).to_contain_text("Your own input")
    assert page.url.endswith("/problems/twice/")
    assert Submission.objects.count() == 0


def step(sent: Submission, **columns: Any) -> None:
    """What a worker does after each step."""
    judgement = Judgement.objects.get(submission=sent)
    if columns.pop("case", None):
        position = judgement.results.count() + 1
        CaseResult.objects.create(
            judgement=judgement, position=position, name=f"secret/{position}", group="secret", verdict="accepted",
            cpu_seconds=0.1, wall_seconds=0.1, memory_bytes=1 << 20, points=0,
        )  # fmt: skip
    Judgement.objects.filter(pk=judgement.pk).update(**columns)
    hints.announce(judgement)


def play(page: Page, sent: Submission) -> None:
    """A whole judging, watched."""
    page.goto(f"/submissions/{sent.pk}/")
    page.evaluate("window.stayed = true")
    headline = page.locator("#headline")
    expect(headline).to_have_text("You are next.")
    tiles = page.locator(".tiles")
    before = tiles.bounding_box()
    step(sent, state=State.RUNNING, started=done("accepted")["started"], compiled=True)
    expect(headline).to_have_text("Case 1 of 3 is running. None is right so far.")
    step(sent, case=True, progress="2")
    expect(headline).to_have_text("Case 2 of 3 is running. 1 is right so far.")
    expect(page.locator("[data-announce]")).to_have_text("")
    step(sent, case=True)
    step(sent, case=True, **done("accepted", note="All 3 cases are right."))
    expect(headline).to_have_text("All 3 cases are right.")
    expect(page).to_have_title("Accepted · Twice · Palfrey")
    expect(page.locator("[data-announce]")).to_have_text("Accepted. All 3 cases are right.")
    assert tiles.bounding_box() == before, "nothing jumps"
    assert page.evaluate("window.stayed") is True, "the page was not loaded again"
    expect(page.locator(".tile.accepted")).to_have_count(3)


def test_the_verdict_arrives_by_itself(visit: Callable[..., Visitor], student: User, send: Send) -> None:
    play(visit(student).page, send(student))


def test_the_verdict_arrives_when_push_never_works(visit: Callable[..., Visitor], student: User, send: Send) -> None:
    page = visit(student).page
    page.route("**/live", lambda route: route.abort())
    play(page, send(student))


def test_what_was_missed_is_read_when_the_link_is_back(
    visit: Callable[..., Visitor], student: User, send: Send
) -> None:
    visitor, sent = visit(student), send(student)
    visitor.page.goto(f"/submissions/{sent.pk}/")
    visitor.context.set_offline(True)
    step(sent, **done("wrong_answer", note="Case 1 printed a wrong answer."))
    visitor.page.wait_for_timeout(300)
    visitor.context.set_offline(False)
    expect(visitor.page.locator("#headline")).to_have_text("Case 1 printed a wrong answer.", timeout=10_000)
    visitor.complaints = [text for text in visitor.complaints if "ERR_INTERNET_DISCONNECTED" not in text]


def test_everything_but_the_live_part_works_without_script(
    visit: Callable[..., Visitor], student: User, twice: Problem
) -> None:
    page = visit(student, java_script_enabled=False).page
    page.goto("/problems/twice/")
    page.get_by_label("Your program").fill("print(1)")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Choose the language of the program.")).to_be_visible()
    expect(page.get_by_label("Your program")).to_have_value("print(1)")
    page.get_by_label("Language").select_option("python3")
    page.get_by_role("button", name="Run on samples").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    expect(page.get_by_label("Your program")).to_have_value("print(1)")
    results = {"total": 2, "runs": [], "compiled": True, "compile_log": "", "verdict": "wrong_answer"}
    Trial.objects.update(state=State.DONE, results=results)
    expect(page.get_by_text("0 of 2 right.")).to_be_visible(timeout=10_000)
    assert page.url.endswith("#desk")
    page.goto("/problems/twice/")
    page.get_by_label("Your program").fill("print(2)")
    page.get_by_label("Language").select_option("python3")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#headline")).to_have_text("You are next.")
    page.goto(f"{page.url}#main")
    Judgement.objects.update(**done("accepted", note="All 3 cases are right."))
    expect(page.locator("#headline")).to_have_text("All 3 cases are right.", timeout=10_000)


def test_nothing_is_cut(visit: Callable[..., Visitor], student: User, send: Send) -> None:
    sent = send(student, **done("time_limit_exceeded", note="n", toolchain="Python 3.11.2"))
    page = visit(student).page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/problems/twice/")
    page.locator(".own summary").click()
    drawer = page.locator("[data-drawer]")
    drawer.evaluate("drawer => { drawer.hidden = false; drawer.innerHTML = '<p>result</p>'.repeat(40); }")
    sheet = page.locator(".sheet-of-text").bounding_box()
    assert sheet is not None
    assert sheet["height"] > 240, "enough lines of the program stay in sight"
    bottoms = [
        page.locator(part).evaluate("part => part.getBoundingClientRect().bottom")
        for part in (".editor-end", ".editor")
    ]
    assert bottoms[0] <= bottoms[1], "nor does the button that sends it leave the desk"
    for head in page.locator(".sample-head").all():
        assert head.evaluate(
            """head => {
                const words = document.createRange(), button = head.querySelector("button").getBoundingClientRect();
                words.selectNode(head.firstChild);
                return words.getBoundingClientRect().right < button.left
                    && button.right <= head.getBoundingClientRect().right;
            }"""
        ), "the button stands beside the word"
    page.set_viewport_size({"width": 390, "height": 800})
    for address in ("/work/", f"/submissions/{sent.pk}/"):
        page.goto(address)
        for table in page.locator(".scroll").all():
            assert table.evaluate("table => table.scrollWidth <= table.clientWidth"), address
    widths = page.locator("main").evaluate(
        """main => {
            const row = '<div><span>Expected, line 1</span><span>To get from a1 to h8</span></div>';
            main.innerHTML = `<div class="diff pairs">${row + row}</div>`;
            const box = main.querySelector(".diff").clientWidth;
            return [...main.querySelectorAll(".diff > div")].map(line => [line.offsetLeft, line.clientWidth - box]);
        }"""
    )
    assert widths[0] == widths[1]
    assert widths[0][1] >= 0, "expected and got are each as wide as the box"


def test_no_page_has_a_fault_that_a_machine_can_find(
    visit: Callable[..., Visitor], course: Course, instructor: User, send: Send
) -> None:
    failed = [
        ("accepted", {}),
        ("wrong_answer", {"note": "Line 1: 5 instead of 4."}),
        ("time_limit_exceeded", {"note": "n"}),
    ]
    right = send(instructor, results=[("accepted", {})] * 3, **done("accepted", note="All 3 cases are right."))
    wrong = send(instructor, results=failed, **done("wrong_answer", note="Case 2 of 3 printed a wrong answer."))
    broken = send(instructor, language="cpp17", **done("compile_error", compile_log=b"main.py:1:1: error: no"))
    running = send(instructor, results=failed[:1], state="running", compiled=True, started=done("accepted")["started"])
    addresses = ["/", f"/problems/twice/?from={wrong.pk}", "/problems/twice/submissions/", "/work/",
                 "/languages/?problem=twice", "/queue/", "/nothing", "/submissions/", "/regrades/",
                 "/account/password/", "/account/password/forgotten/",
                 *(f"/submissions/{sent.pk}/" for sent in (right, wrong, broken, running))]  # fmt: skip
    page = visit(instructor).page
    stranger = visit(None).page
    faults = faults_of(page, addresses)
    faults |= faults_of(stranger, ["/account/sign-in/", "/problems/twice/"])
    assert not faults, json.dumps(faults, indent=1)


def test_a_chosen_theme_is_kept(visit: Callable[..., Visitor], student: User, twice: Problem) -> None:
    page = visit(student, color_scheme="light").page
    page.goto("/")
    page.get_by_role("button", name="Switch between light and dark").click()
    page.goto("/problems/twice/")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).colorScheme") in {"dark", "normal"}


@pytest.mark.parametrize("pdf", [PDF, ACTING_PDF], ids=["pages", "a script"])
def test_a_pdf_is_shown_where_it_only_shows(visit: Callable[..., Visitor], put: Put, pdf: bytes) -> None:
    put({"statement/problem.en.pdf": pdf, "statement/problem.en.md": None})
    reader = visit(None)
    reader.context.set_default_timeout(30_000)
    asked: list[Dialog] = []

    def dialog(shown: Dialog) -> None:  # playwright marks what it is given, so no method of a list
        asked.append(shown)

    reader.page.on("dialog", dialog)
    reader.page.goto("/problems/twice/", wait_until="commit")
    expect(reader.page.locator("#sample-1-in")).to_be_visible()
    if pdf == ACTING_PDF:
        expect(reader.page.get_by_role("link", name="Download the PDF")).to_be_visible()
        expect(reader.page.locator("object")).to_have_count(0)
        with reader.page.expect_download() as got:
            reader.page.get_by_role("link", name="Download the PDF").click()
        assert got.value.path().read_bytes() == pdf
    else:
        expect(reader.page.locator("object.pdf")).to_be_visible()
        until = time.monotonic() + 20
        while not any(frame.url.startswith("chrome-extension:") for frame in reader.page.frames):
            assert time.monotonic() < until, "the browser's viewer did not start"
            reader.page.wait_for_timeout(100)
    reader.page.wait_for_timeout(1000)
    assert not asked
