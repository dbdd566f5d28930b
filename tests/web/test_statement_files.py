"""Statements in TeX and as PDF, several languages, attachments, samples to keep, solutions."""

import io
import zipfile

import pytest
from django.test import Client

from judge.people.models import User
from judge.web.statement import render_tex
from judge.web.student import reading
from problems.models import Problem
from problems.package.tex import NoConverter, convert
from tests.web.conftest import PDF, Put
from tests.web.test_statement import assert_harmless

TEX = r"""\problemname{Zweimal}
Lies $n \le \constant{most}$ und gib \emph{zweimal} $n$ aus.
\illustration{0.4}{two.svg}{Zwei}
\begin{Input}Eine Zahl, siehe \ref{x}.\end{Input}
\nextsample
Danach \frobnicate{mehr}.\footnote{Und \href{javascript:alert(1)}{Schluss}.}
"""


def page(client: Client, address: str = "/problems/twice/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


# TeX -----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "harm",
    [
        r"\href{javascript:alert(1)}{press} \url{javascript:alert(1)}",
        r"\href{data:text/html;base64,PHNjcmlwdD4=}{press}",
        "<script>alert(1)</script> <img src=x onerror=alert(1)>",
        r"\includegraphics{https://example.org/spy.png} \includegraphics{//example.org/spy.png}",
        r"\includegraphics{../../secret.png} \includegraphics{/etc/passwd}",
        r"\includegraphics{film.mp4} \includegraphics{drawn.pdf}",
        r"$\href{javascript:alert(1)}{x} \style{position:fixed}{x} \class{y}{z}$",
        r"$\text{<script>alert(1)</script>}$",
        r"\begin{lstlisting}[language=}\"><script>]<script>\end{lstlisting}",
        r"\textcolor{red;position:fixed}{x} {\color{blue} y}",
        r"\section{x}\label{desk} \hypertarget{desk}{x} \hyperlink{desk}{y}",
        r"\begin{tabular}{l} \multicolumn{99999}{c}{x} \\ \end{tabular}",
        r"\begin{desk}x\end{desk}",
    ],
)
def test_no_harm(harm: str) -> None:
    draft = convert(harm, language="en", constants={}).html
    assert draft
    made = render_tex(draft, samples=(), image_address=lambda name: f"/here/{name}")
    assert_harmless(made)
    assert 'id="desk"' not in made
    assert 'class="desk"' not in made
    assert "99999" not in made


def test_a_page_of_tex(as_student: Client, put: Put) -> None:
    put({"statement/problem.de.tex": TEX, "statement/two.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"})
    shown = page(as_student, "/problems/twice/?lang=de")
    assert "<mn>1000</mn>" in shown
    assert "<em>zweimal</em>" in shown
    assert "<h2>Eingabe</h2>" in shown
    assert '<figure class="illustration">' in shown
    assert '<img alt="" src="/problems/twice/v1/two.svg" width="256">' in shown
    places = [shown.index(word) for word in ("Eingabe", "sample-1-in", "Danach", "sample-2-in")]
    assert places == sorted(places)
    assert "mehr" in shown
    assert "frobnicate" not in shown
    assert "javascript:" not in shown.replace("javascript:;", "")
    assert 'href="#fn1"' in shown
    assert 'id="fn1"' in shown


def test_staff_see_what_is_not_known(client: Client, admin: User, put: Put) -> None:
    put({"statement/problem.de.tex": TEX})
    client.force_login(admin)
    assert "Line 6: There is no command `\\frobnicate` here" in page(client, "/problems/twice/?lang=de")


def test_references_guillemets_and_formulas() -> None:
    draft = convert(
        r"see \ref{x} <<this>> \verb|<<| $$\begin{aligned}a&=b\\c&=d\end{aligned}$$", language="en", constants={}
    ).html
    made = render_tex(draft, samples=(), image_address=lambda _name: None)
    assert "«this»" in made
    assert "<code>&lt;&lt;</code>" in made
    assert 'href="#' not in made
    assert "<mtable" in made
    assert '<span class="math block" tabindex="0">' in made


def test_what_a_converter_may_ever_make_is_cleaned() -> None:
    draft = '<p><a id="desk" class="x" href="/y" onclick="z()">a</a><li id="fn1">b</li><iframe src="//x"></iframe></p>'
    draft += '<table><tr><td colspan="99999" style="position:fixed">c</td></tr></table><span style="top:0">d</span>'
    made = render_tex(draft, samples=(), image_address=lambda _name: None)
    assert "desk" not in made
    assert "onclick" not in made
    assert "iframe" not in made
    assert "style" not in made
    assert "99999" not in made
    assert '<li id="fn1">' in made


def test_a_broad_illustration_stands_alone() -> None:
    draft = convert(r"\illustration{1}{two.svg}{Two}", language="en", constants={}).html
    made = render_tex(draft, samples=(), image_address=lambda name: f"/{name}")
    assert '<figure>\n<img alt="" src="/two.svg" width="640">' in made


def test_too_many_formulas_are_shown_as_written() -> None:
    draft = (
        '<p><span class="math inline">\\(x^2\\)</span></p>' * 5001
        + f'<p><span class="math inline">\\({"y" * 4001}\\)</span></p>'
    )
    made = render_tex(draft, samples=(), image_address=lambda _name: None)
    assert made.count("<math") == 5000
    assert "<code>x^2</code>" in made


def test_tex_that_cannot_be_read_is_shown_as_text(client: Client, admin: User, student: User, put: Put) -> None:
    put({"statement/problem.en.tex": "Good \\textbf{never <b>closed\n", "statement/problem.en.md": None})
    client.force_login(student)
    shown = page(client)
    assert "Good \\textbf{never &lt;b&gt;closed" in shown
    assert "as its author wrote it" in shown
    assert shown.index("never") < shown.index("sample-1-in")
    assert "still open" not in shown
    client.force_login(admin)
    assert "still open" in page(client)


def test_without_a_converter_the_tex_is_shown(as_student: Client, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise NoConverter("not here")

    monkeypatch.setattr(reading, "converted", missing)
    put({"statement/problem.en.tex": "Say \\emph{twice}.\n", "statement/problem.en.md": None})
    assert "Say \\emph{twice}." in page(as_student)


def test_a_page_looked_at_again_converts_nothing(as_student: Client, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    put({"statement/problem.en.tex": "Say \\emph{it again}.\n", "statement/problem.en.md": None})
    assert "<em>it again</em>" in page(as_student)
    monkeypatch.setattr("judge.blobs.statements.convert", None)
    assert "<em>it again</em>" in page(as_student)


def test_languages_and_forms_side_by_side(as_student: Client, put: Put) -> None:
    put({"statement/problem.de.tex": TEX, "statement/problem.sv.pdf": PDF})
    english = page(as_student)
    assert "Read a number and print its double." in english
    assert '<a href="?lang=de" lang="de" hreflang="de">Deutsch</a>' in english
    assert '<a href="?lang=sv"' in english
    assert '<article class="read" lang="de">' in page(as_student, "/problems/twice/?lang=de")
    assert "Read a number" in page(as_student, "/problems/twice/?lang=xx")


# PDF -----------------------------------------------------------------------------------------------------------------
def test_a_pdf_is_shown_as_it_is(as_student: Client, put: Put) -> None:
    put({"statement/problem.en.pdf": PDF, "statement/problem.en.md": None})
    answer = as_student.get("/problems/twice/")
    shown = answer.content.decode()
    address = "/problems/twice/files/v1/statement/en.pdf"
    assert f'<object class="pdf" data="{address}" type="application/pdf"' in shown
    assert f'<a href="{address}">' in shown
    assert "sample-1-in" in shown
    assert "object-src 'self'" in answer["Content-Security-Policy"]
    assert "frame-src 'self'" in answer["Content-Security-Policy"]
    got = as_student.get(address)
    assert got.content == PDF
    assert got["Content-Type"] == "application/pdf"
    assert got["X-Content-Type-Options"] == "nosniff"
    assert got["X-Frame-Options"] == "SAMEORIGIN"
    policy = got["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "script-src" not in policy


def test_no_other_page_may_show_an_object(as_student: Client, put: Put) -> None:
    put({})
    policy = as_student.get("/problems/twice/")["Content-Security-Policy"]
    assert "object-src 'none'" in policy
    assert "frame-src" not in policy


def test_files_of_a_version_that_is_not_live_are_for_staff(
    client: Client, admin: User, student: User, put: Put
) -> None:
    problem = put({"statement/problem.en.pdf": PDF, "statement/problem.en.md": None, "attachments/a.txt": "a\n"})
    Problem.objects.filter(pk=problem.pk).update(live=None)
    for below in ("statement/en.pdf", "attachments/a.txt", "samples.zip"):
        client.force_login(student)
        assert client.get(f"/problems/twice/files/v1/{below}").status_code == 404
        client.force_login(admin)
        assert client.get(f"/problems/twice/files/v1/{below}").status_code == 200


# Files to keep -------------------------------------------------------------------------------------------------------
def test_attachments_are_kept_and_never_looked_at(as_student: Client, put: Put) -> None:
    put({"attachments/try it.html": None, "attachments/tool.html": "<script>alert(1)</script>\n"})
    assert '<a href="/problems/twice/files/v1/attachments/tool.html" download>tool.html</a>' in page(as_student)
    got = as_student.get("/problems/twice/files/v1/attachments/tool.html")
    assert got["Content-Type"] == "application/octet-stream"
    assert got["Content-Disposition"] == 'attachment; filename="tool.html"'
    assert "sandbox" in got["Content-Security-Policy"]
    for name in ("../problem.yaml", "none.txt", "%2e%2e/problem.yaml", "../data/secret/1.ans"):
        assert as_student.get(f"/problems/twice/files/v1/attachments/{name}").status_code == 404


def test_samples_as_files(as_student: Client, put: Put) -> None:
    put(
        {
            "data/sample/2.in": "3\n",
            "data/sample/2.ans": "6\n",
            "data/sample/2.in.statement": "printed\n",
            "data/sample/2.in.download": "to keep\n",
            "data/sample/2.ans.statement": "",
            "data/sample/2.ans.download": "",
            "data/sample/2.files/map.txt": "#.#\n",
            "data/sample/3.interaction": ">1\n<only shown\n",
            "data/sample/3.in.download": "3 in\n",
            "data/sample/3.ans.download": "3 ans\n",
        }
    )
    shown = page(as_student)
    assert "printed" in shown
    assert "to keep" not in shown
    assert "#.#" in shown
    assert "&lt;only shown" in shown
    got = as_student.get("/problems/twice/files/v1/samples.zip")
    with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
        kept = {name: archive.read(name).decode() for name in archive.namelist()}
    assert kept == {
        "1.in": "2\n",
        "1.ans": "4\n",
        "2.in": "to keep\n",
        "2.ans": "",
        "2.files/map.txt": "#.#\n",
        "3.interaction": ">1\n<only shown\n",
        "3.in": "3 in\n",
        "3.ans": "3 ans\n",
    }


# Solutions -----------------------------------------------------------------------------------------------------------
def test_a_solution_is_for_staff(client: Client, admin: User, student: User, put: Put) -> None:
    put({"solution/solution.tex": "Add it: $2n$. \\includegraphics{how.svg}\n", "solution/how.svg": "<svg/>\n"})
    client.force_login(student)
    assert client.get("/problems/twice/solution/").status_code == 404
    assert client.get("/problems/twice/files/v1/solution/how.svg").status_code == 404
    assert client.get("/problems/twice/v1/how.svg").status_code == 404
    assert "/solution/" not in page(client)
    client.force_login(admin)
    assert '<a href="/problems/twice/solution/">' in page(client)
    shown = page(client, "/problems/twice/solution/")
    assert "Add it" in shown
    assert 'src="/problems/twice/files/v1/solution/how.svg"' in shown
    assert client.get("/problems/twice/files/v1/solution/how.svg")["Cache-Control"].startswith("private")


def test_a_problem_without_a_solution_says_so(client: Client, admin: User, put: Put) -> None:
    put({})
    client.force_login(admin)
    assert "no text here yet" in page(client, "/problems/twice/solution/")
