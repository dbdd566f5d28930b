"""The problem desk in a real browser: the statement shown while one types, what is unsaved, progress without reload."""

# ruff: noqa: F401 -- fixtures of the other file

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from judge.authoring import actions, drafts, editing
from judge.authoring.models import Errand
from judge.blobs import store
from judge.people.models import User
from judge.submissions import hints
from problems.models import Problem, Version
from tests.web.browsing import Visitor, faults_of
from tests.web.test_desk_studies import GROUND, PROBES, STRENGTH, SVG, WISHES, errand

pytestmark = pytest.mark.django_db(transaction=True)

Visit = Callable[..., Visitor]
MATRIX = {
    "limit": 1.0,
    "cases": [{"name": "sample/1", "group": "sample"}, {"name": "secret/large", "group": "secret"}],
    "all_cases": 2,
    "rows": [
        {
            "name": name,
            "folder": name.partition("/")[0],
            "promised": ["AC"],
            "judged": True,
            "verdict": verdicts[-1],
            "points": 0.0,
            "out_of": 100.0,
            "note": "",
            "verdicts": verdicts,
            "seconds": [0.01, 0.7],
            "slowest": 0.7,
            "slowest_case": "secret/large",
            "first": first,
            "first_case": "",
            "odd": [],
            "odd_in_all": odd,
            "complaints": complaints,
            "right": name.startswith("accepted"),
        }
        for name, verdicts, first, odd, complaints in (
            ("accepted/sum.py", ["accepted", "accepted"], None, False, []),
            ("wrong_answer/joins_text.py", ["wrong_answer", "wrong_answer"], 0, False, []),
            ("time_limit_exceeded/slow.py", ["accepted", "accepted"], None, True, ["no case gets TLE, and one must."]),
        )
    ],
    "waiting": [],
    "proposed": {"seconds": 2.0, "slowest_right": 0.7, "fastest_slow": None},
}


def statement(problem: Problem) -> str:
    return drafts.working_copy(problem).files["statement/problem.en.md"].read_text()


def test_a_statement_is_shown_while_one_types_and_saved_by_key(visit: Visit, instructor: User, sums: Problem) -> None:
    page = visit(instructor).page
    page.goto("/desk/sums/statement")
    before = statement(sums)
    page.get_by_label("Text of statement/problem.en.md").fill("Print $2^n$, *please*.\n")
    expect(page.locator("[data-shown] em")).to_have_text("please")
    expect(page.locator("[data-shown] math")).to_have_count(1)
    expect(page.locator("[data-unsaved]")).to_have_text("Not saved yet")
    assert statement(sums) == before
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status").filter(has_text="is saved")).to_be_visible()
    assert statement(sums) == "Print $2^n$, *please*.\n"


def test_without_script_it_is_shown_and_saved_by_buttons(visit: Visit, instructor: User, sums: Problem) -> None:
    page = visit(instructor, java_script_enabled=False).page
    page.goto("/desk/sums/statement")
    page.locator("textarea").fill("By *hand*.")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("[data-shown] em")).to_have_text("hand")
    page.get_by_role("button", name="Save").click()
    assert statement(sums) == "By *hand*."


def test_a_finding_leads_to_its_line_in_the_editor(visit: Visit, instructor: User, sums: Problem) -> None:
    about = drafts.working_copy(sums).files["problem.yaml"].read_bytes()
    editing.save(instructor, sums, "problem.yaml", about + b"colour: red\n", editing.base_of(about))
    page = visit(instructor).page
    page.goto("/desk/sums/")
    page.get_by_role("link", name=re.compile("problem.yaml:")).click()
    expect(page.locator(".cm-activeLine")).to_have_text("colour: red")
    page.keyboard.press("Control+Shift+k")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="is saved")).to_be_visible()
    assert drafts.working_copy(sums).files["problem.yaml"].read_bytes() == about


def test_progress_comes_by_itself(visit: Visit, instructor: User, sums: Problem) -> None:
    page = visit(instructor).page
    page.goto("/desk/sums/")
    page.get_by_role("button", name="Make a version").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    errand = Errand.objects.get()
    for state, columns, told in (
        ("running", {"done": 2, "total": 5, "now": "secret/zero"}, "2 of 5 done; now secret/zero"),
        ("done", {"succeeded": False, "message": "secret/zero: mend it."}, "secret/zero: mend it."),
    ):
        Errand.objects.filter(pk=errand.pk).update(state=state, **columns)
        hints.announce(errand)
        expect(page.get_by_text(told)).to_be_visible()
    expect(page.get_by_role("button", name="Stop it")).to_have_count(0)
    expect(page.get_by_role("button", name="Make a version")).to_be_visible()
    page.get_by_role("button", name="Make a version").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    errand = Errand.objects.get(state="queued")
    archive = drafts.working_copy(sums).archive
    made = Version.objects.create(problem=sums, number=1, digest="1" * 64, archive=archive, titles={}, facts={})
    about = {"target": made.digest, "problem": sums, "version": made, "asked_by": instructor}
    verify = Errand.objects.create(kind="verify", **about)
    columns = {"succeeded": True, "version": made, "result": {"cases": 5}}
    Errand.objects.filter(pk=errand.pk).update(state="done", **columns)
    hints.announce(errand)
    expect(page.get_by_text("Version 1 is made")).to_be_visible()
    expect(page.get_by_role("link", name="Make version 1 live…")).to_be_visible()
    expect(page.locator("[data-announce]")).to_have_text("Done.")
    head = page.locator(".desk-head")
    expect(head.get_by_text("being verified")).to_be_visible()
    Errand.objects.filter(pk=verify.pk).update(state="done", succeeded=True)
    hints.announce(verify)
    expect(head.get_by_text("as promised")).to_be_visible()
    expect(head.locator("[data-live]")).to_have_count(0)


def test_every_page_can_be_read_by_all_and_fits_a_phone(
    visit: Visit, instructor: User, twice: Problem, sums: Problem
) -> None:
    assert twice.live is not None
    probes = {"probes": PROBES, "all_probes": 2}
    pictures = {"drawn": {"secret/1": {"digest": store.put(SVG), "type": "image/svg+xml"}}}
    tried = {"answer": "wrong", "judge_note": "In line 1.", "team_note": ""}
    for kind, result, wishes in (
        ("verify", MATRIX | probes, {}),
        ("checker", GROUND, {}),
        ("try", tried, {"case": "sample/1", "output": "5"}),
        ("strength", STRENGTH, WISHES),
        ("pictures", pictures, {}),
    ):
        errand(twice.live, kind, succeeded=kind == "pictures", result=result, wishes=wishes)
    about = drafts.working_copy(sums).files["problem.yaml"].read_bytes()
    editing.save(instructor, sums, "problem.yaml", about + b"colour: red\n", editing.base_of(about))
    statement_ = drafts.working_copy(twice).files["statement/problem.en.md"].read_bytes()
    editing.save(instructor, twice, "statement/problem.en.md", b"Else\n", editing.base_of(statement_))
    tabs = ["", "statement", "files/", "files/problem.yaml", "limits", "cases", "verify", "checker", "strength"]
    tabs += ["versions", "people"]
    addresses = [f"/desk/{slug}/{tab}" for slug in ("twice", "sums") for tab in tabs]
    addresses += ["/desk/", "/desk/new", "/desk/guide", "/desk/twice/compare?from=1", "/desk/twice/versions/1/live"]
    faults = faults_of(visit(instructor).page, addresses)
    assert not faults, json.dumps(faults, indent=1)


def test_a_title_of_one_long_word_widens_no_page(visit: Visit, instructor: User, twice: Problem) -> None:
    assert twice.live is not None
    twice.live.titles = {"en": "x" * 200}
    twice.live.save()
    page = visit(instructor).page
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        for address in ("/", "/problems/twice/", "/desk/", "/desk/twice/"):
            page.goto(address)
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), (address, width)
            if address == "/desk/" and width == 1280:
                assert page.locator(".scroll").evaluate("list => list.scrollWidth <= list.clientWidth")
