"""Statements: what is shown, and what can do no harm."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from judge.web.statement import Sample, render
from problems.models import Problem
from tests.shelf import write_package
from tests.web.conftest import published

SAMPLES = [Sample(number=1, input="1 <2>\n", output="3 & 4\n"), Sample(number=2, input="5\n", output="6\n")]


def html(text: str, **constants: str) -> str:
    return render(text, constants=constants, samples=SAMPLES[:0], image_address=lambda name: f"/here/{name}")


def with_samples(text: str) -> str:
    return render(text, constants={}, samples=SAMPLES, image_address=lambda _name: None)


@pytest.mark.parametrize(
    "harm",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[press](javascript:alert(1))",
        "[press](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](https://example.org/spy.png)",
        "![x](//example.org/spy.png)",
        "![x](../../secret.png)",
        '<a href="x" style="position:fixed">x</a>',
        "$\\text{<script>alert(1)</script>}$",
        "$\\href{javascript:alert(1)}{x}$",
        "<iframe src=https://example.org></iframe>",
        "<style>body{display:none}</style>",
        '[x](https://example.org "a\\" onclick=alert(1)")',
    ],
)
def test_no_harm(harm: str) -> None:
    assert_harmless(html(harm))


def assert_harmless(made: str) -> None:
    tags = re.findall(r"<[^>]*>", made)
    for tag in tags:
        assert not re.match(r"</?(script|iframe|style|object|embed|video)", tag, re.IGNORECASE), made
        assert not re.search(r"\son\w+\s*=|javascript:|data:|style=", re.sub(r'"[^"]*"', '""', tag)), made
        assert not re.search(r'(src|href)="\s*(javascript|data):', tag), made
        assert not re.search(r'src="(?!/here/[a-z])', tag), made


def test_formulas_are_mathml() -> None:
    made = html("For $1 \\le n \\le 10^5$ and\n\n$$\\sum_{i=1}^n \\frac{1}{i}$$")
    assert made.count("<math") == 2
    assert "<msup><mn>10</mn><mn>5</mn></msup>" in made
    assert 'display="block"' in made
    assert "<mfrac>" in made


def test_a_formula_that_cannot_be_read_is_shown_as_written() -> None:
    for broken in (r"\frac{1", r"x^", r"\left( x", r"\begin{matrix} 1", "a_b_c", r"\sqrt["):
        made = html(f"before ${broken}$ after")
        assert "before" in made
        assert "after" in made


def test_tables_footnotes_and_typographic_quotes() -> None:
    made = html('| a | b |\n|---|---|\n| 1 | 2 |\n\nIt says "moves".[^1]\n\n[^1]: Always.')
    assert "<table>" in made
    assert "“moves”" in made
    assert 'class="footnotes"' in made


def test_tables_keep_their_sides_and_pictures_their_width() -> None:
    assert '<td align="right">' in html("| a |\n|--:|\n| 1 |")
    assert 'width="40%"' in html("![a](knight.svg){width=40%}")
    assert 'width="300"' in html("![a](knight.svg){width=300}")
    assert "width" not in html("![a](knight.svg){width=4000%}")
    assert "onerror" not in html("![a](knight.svg){onerror=x #desk .head style=x}")


def test_only_footnotes_have_ids() -> None:
    made = html("One[^desk]\n\n[^desk]: note")
    assert 'id="fn1"' in made
    assert 'href="#fn1"' in made
    assert 'id="desk"' not in made


def test_signs_in_brackets_stay_signs() -> None:
    assert "(R, C)" in html("the square (R, C) and (c) and (r)")
    assert "(c)" in html("the square (c)")


def test_constants_are_filled_in_and_unknown_ones_are_seen() -> None:
    assert "at most 1000" in html("at most {{most}}", most="1000")
    assert "{{least}}" in html("at least {{least}}", most="1000")
    assert "<b>" not in html("{{most}}", most="<b>x</b>")


def test_images_of_the_package_get_an_address_of_ours() -> None:
    assert 'src="/here/knight.svg"' in html("![a knight](knight.svg)")
    assert 'src="/here/pictures/a.png"' in html("![a](./pictures/a.png)")
    assert 'alt="a knight"' in html("![a knight](https://example.org/knight.svg)")


def test_samples_stand_where_the_author_put_them() -> None:
    made = with_samples("first\n\n{{nextsample}}\n\nmiddle\n\n{{remainingsamples}}\n\nlast")
    assert [made.index(word) for word in ("first", "sample-1-in", "middle", "sample-2-in", "last")] == sorted(
        made.index(word) for word in ("first", "sample-1-in", "middle", "sample-2-in", "last")
    )
    assert "{{" not in made
    assert "Input 1" in made
    assert "1 &lt;2&gt;" in made
    assert "3 &amp; 4" in made


def test_samples_that_were_not_placed_come_at_the_end() -> None:
    made = with_samples("only text")
    assert (
        made.index("only text") < made.index("<h2>Samples</h2>") < made.index("sample-1-in") < made.index("sample-2-in")
    )
    assert "sample-1-in" in with_samples("{{nextsample}}\n{{nextsample}}")


def test_a_sample_that_is_a_talk() -> None:
    talk = Sample(number=1, interaction=">50\n<lower & <b>\n---\n>37\n")
    made = render("text", constants={}, samples=[talk], image_address=lambda _name: None)
    assert "&gt;50\n&lt;lower &amp; &lt;b&gt;\n---\n&gt;37" in made
    assert "&lt; the judge, &gt; your program" in made
    assert "sample-1-in" not in made


def test_samples_are_printed_as_their_author_wants(as_student: Client, tmp_path: Path) -> None:
    sources = {
        "data/sample/1.interaction": ">1\n<printed talk\n",
        "data/sample/2.in": "3\n",
        "data/sample/2.ans": "6\n",
        "data/sample/2.in.statement": "printed input\n",
        "data/sample/2.in.download": "3\n",
        "data/sample/2.out": "printed output\n",
    }
    problem = Problem.objects.create(slug="thrice", uuid="5bd0a0a6-2f4b-4c1e-9a53-7f4f0f1f2a11")
    problem.live = published(problem, write_package(tmp_path / "thrice", sources))
    problem.save()
    page = as_student.get("/problems/thrice/").content.decode()
    assert "&lt;printed talk" in page
    assert "printed input" in page
    assert "printed output" in page
    assert "sample-1-in" not in page


def test_a_problem_page_shows_it_all(as_student: Client, twice: Problem) -> None:
    page = as_student.get("/problems/twice/").content.decode()
    assert "at most 1000" in page
    assert 'src="/problems/twice/v1/two.svg"' in page
    assert "example.org/spy" not in page
    assert "<script>alert" not in page
    assert page.count('class="sample"') == 2
    assert "256 MiB" in page


def test_a_picture_runs_nothing(client: Client, twice: Problem) -> None:
    answer = client.get("/problems/twice/v1/two.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
def test_the_title_is_in_the_language_of_the_statement(client: Client, put: Any) -> None:
    problem = put({"statement/problem.ro.md": "Dublul.\n"})
    problem.live.titles = {"en": "Twice", "ro": "Dublare"}
    problem.live.save()
    assert "<h1>Dublare</h1>" in client.get("/problems/twice/?lang=ro").content.decode()
    assert "<h1>Twice</h1>" in client.get("/problems/twice/").content.decode()
