"""Statements at the desk in TeX and PDF: as students will see them, while they are written and after."""

import fcntl
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from judge.authoring import drafts, editing
from judge.people.models import User
from problems.models import Problem
from tests.web.conftest import PDF
from tests.web.test_desk import STATEMENT, words

pytestmark = pytest.mark.django_db


def test_a_statement_in_tex_is_shown_as_students_will_see_it(
    as_instructor: Client, sums: Problem, instructor: User
) -> None:
    name = "statement/problem.en.tex"
    text = "Print \\textbf{both} of $x^2$. \\unheardof{x}\n"
    sent = {"name": name, "text": text + "\\begin{itemize}\n\\item{one}\n\\end{itemize}\n"}
    shown = as_instructor.post("/desk/sums/preview", sent).content.decode()
    assert "<strong>both</strong>" in shown
    assert "<math" in shown
    assert "<li>" in shown
    assert "unheardof" in shown, "what is not shown is told"
    assert "1 2" in shown, "the sample"
    kept = Path(settings.PALFREY_CACHE) / "statements"
    before = set(kept.glob("*.json"))
    as_instructor.post("/desk/sums/preview", sent | {"text": "Still \\emph{typing}\n"})
    assert set(kept.glob("*.json")) == before, "of what is being typed nothing is kept"
    editing.add(instructor, sums, {name: text.encode()})
    editing.remove(
        instructor, sums, STATEMENT, editing.base_of(drafts.working_copy(sums).files[STATEMENT].read_bytes())
    )
    page = as_instructor.get("/desk/sums/statement")
    assert b"<strong>both</strong>" in page.content
    assert "unheardof" in words(as_instructor.get("/desk/sums/").content), "and it stands among what the package says"
    assert as_instructor.post("/desk/sums/preview", {"name": "problem.yaml", "text": "a"}).status_code == 404


def test_one_at_a_time_is_made_of_tex(as_instructor: Client, sums: Problem) -> None:
    kept = Path(settings.PALFREY_CACHE) / "statements"
    kept.mkdir(parents=True, exist_ok=True)
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        busy = as_instructor.post("/desk/sums/preview", {"name": "statement/problem.en.tex", "text": "Never seen."})
    assert busy.status_code == 429


def test_a_statement_that_is_a_pdf_is_shown(as_instructor: Client, sums: Problem, instructor: User) -> None:
    editing.add(instructor, sums, {"statement/problem.de.pdf": PDF})
    page = as_instructor.get("/desk/sums/statement?language=de")
    assert b'data="/desk/sums/raw/statement/problem.de.pdf"' in page.content
    assert "object-src 'self'" in page["Content-Security-Policy"]
    pdf = as_instructor.get("/desk/sums/raw/statement/problem.de.pdf")
    assert (pdf["Content-Type"], "Content-Disposition" in pdf) == ("application/pdf", False)
    assert pdf["X-Frame-Options"] == "SAMEORIGIN"
    assert "default-src 'none'" in pdf["Content-Security-Policy"]


def test_a_language_with_two_statements_has_one_tab(as_instructor: Client, sums: Problem, instructor: User) -> None:
    for name in ("statement/problem.en.tex", "statement/problem.sv.md"):
        editing.save(instructor, sums, name, b"Another.\n", editing.base_of(None))
    page = as_instructor.get("/desk/sums/statement").content.decode()
    assert page.count('href="?language=en"') == 1
    assert page.count('href="?language=sv"') == 1
    assert "Text of statement/problem.en.md" in page
