"""Statements in TeX: what becomes of each command, and that hostile ones are held."""

# ruff: noqa: E501 -- a row of the table is a line

import re
import time
from itertools import pairwise
from pathlib import Path

import pytest

from problems.package import tex
from problems.package.model import Package
from problems.package.prose import check_statements, image_file
from problems.package.read import read
from problems.package.tex import Converted, NoConverter, convert
from tests.problems.package.small import problem, write

CONSTANTS = {"most": "1000", "most.tex": r"10^{3}"}


def made(text: str, language: str = "en") -> Converted:
    return convert(text, language=language, constants=CONSTANTS)


def math(formula: str) -> str:
    return rf'<span class="math inline">\({formula}\)</span>'


TABLE = [
    # of the format
    (r"\problemname{Two words} text", "<p>text</p>"),
    (r"\problemname{} text", "<p>text</p>"),
    (r"\begin{Input}numbers\end{Input}", '<h2 class="unnumbered">Input</h2> <p>numbers</p>'),
    (r"\begin{Output}numbers\end{Output}", '<h2 class="unnumbered">Output</h2>'),
    (r"\begin{Interaction}talk\end{Interaction}", '<h2 class="unnumbered">Interaction</h2>'),
    (r"\section*{Input} x", '<h2 class="unnumbered">Input</h2>'),
    (r"\subsection{Part} x", "<h3>Part</h3>"),
    ("a\n\\nextsample\nb", "<p>{{nextsample}}</p>"),
    (r"a \nextsample{} b", "<p>a</p> <p>{{nextsample}}</p> <p>b</p>"),
    (r"\remainingsamples", "<p>{{remainingsamples}}</p>"),
    (r"at most \constant{most}.", "at most 1000."),
    (r"$n \le \constant{most.tex}$", math(r"n \le 10^{3}")),
    (r"$n \pm {{most}}$", math(r"n \pm 1000")),
    (r"\illustration{0.3}{knight.png}{A \emph{knight}}", '<figure data-latex-placement="r"> <img src="knight.png" style="width:30.0%" /> <figcaption>A <em>knight</em></figcaption>'),
    (r"\begin{wrapfigure}{r}{0.4\textwidth}\includegraphics[width=0.4\textwidth]{a.png}\caption{C}\end{wrapfigure}", '<figure data-latex-placement="r"> <img src="a.png" style="width:40.0%" />'),
    # formulas
    (r"$a<b$", math("a&lt;b")),
    (r"\(a\)", math("a")),
    (r"$$a$$", r'<span class="math display">\[a\]</span>'),
    (r"\[a\]", r'<span class="math display">\[a\]</span>'),
    (r"\newcommand{\maxn}{1000} $n \le \maxn$", math(r"n \le 1000")),
    (r"\def\maxn{7} $\maxn$", math("7")),
    # the subset that every judge must have
    (r"\begin{itemize}\item a\item b\end{itemize}", "<ul> <li><p>a</p></li> <li><p>b</p></li> </ul>"),
    (r"\begin{enumerate}\item a\end{enumerate}", "<ol> <li><p>a</p></li> </ol>"),
    ("\\begin{lstlisting}[language=C]\nint a<b;\n\\end{lstlisting}", "<code>int a&lt;b;</code>"),
    ("\\begin{verbatim}\n\\foo <b>\n\\end{verbatim}", r"<pre><code>\foo &lt;b&gt;</code></pre>"),
    (r"\begin{quote}said\end{quote}", "<blockquote> <p>said</p>"),
    (r"\begin{center}mid\end{center}", '<div class="center"> <p>mid</p>'),
    (r"\begin{tabular}{l|r} a & b \\ \hline 1 & 2 \\ \end{tabular}", '<td style="text-align: right;">2</td>'),
    (r"\begin{tabular}{ll} \multirow{2}{*}{x} & 1 \\ \cline{2-2} & 2 \\ \multicolumn{2}{c}{wide} \\ \end{tabular}", '<td colspan="2" style="text-align: center;">wide</td>'),
    (r"\begin{figure}\includegraphics[width=3cm]{a.png}\caption{Cap}\end{figure}", "<figcaption>Cap</figcaption>"),
    ("``double'' and `single'", "“double” and ‘single’"),
    (r"a -- b --- c~d \ldots{} e\textellipsis", "a – b — c\xa0d … e…".replace("\xa0", " ")),
    (r"{\bf b} \textbf{c} {\it i} \textit{j} {\tt m} \texttt{n} \emph{e}", "<strong>c</strong>"),
    (r"\t{tt} \underline{u} \sout{s} \textsc{sc}", '<code>tt</code> <u>u</u> <del>s</del> <span class="smallcaps">sc</span>'),
    (r"{\tiny a}{\Huge b} \noindent c", "c</p>"),
    (r"\includegraphics[width=0.5\linewidth]{a.png}", 'src="a.png" style="width:50.0%"'),
    ("\\def \\htmlPixelsInCm{45}\n\\includegraphics[width=5cm]{a}", 'src="a" style="width:5cm"'),
    (r"\url{https://example.org}", '<a href="https://example.org"'),
    (r"\href{https://example.org}{there}", '<a href="https://example.org">there</a>'),
    (r"\epigraph{Said}{Who}", '<div class="epigraph">'),
    (r"\verb|a_b| done", "<code>a_b</code> done"),
    (r"x\footnote{A note.}", '<li id="fn1"><p>A note.'),
    # Polygon and olymp.sty
    ("\\begin{problem}{Title}{in}{out}{1 s}{64 MB} Legend.\n\\InputFile\nnumbers\n\\OutputFile\nmore\n\\Examples\n\\begin{example}\\exmp{1}{2}\\end{example}\n\\Note\nA word.\\end{problem}", 'Legend.</p> <h2 class="unnumbered">Input</h2> <p>numbers</p> <h2 class="unnumbered">Output</h2> <p>more</p> <h2 class="unnumbered">Note</h2> <p>A word.</p>'),
]  # fmt: skip
UNKNOWN = {
    r"before \frobnicate{inside} after": "inside",
    r"\frobnicate[option]{inside}": "inside",
    r"\begin{nonsense}inside\end{nonsense}": "<p>inside</p>",
}
"""What is not known loses its command and keeps its text."""


@pytest.mark.parametrize(("text", "expected"), [*TABLE, *UNKNOWN.items()])
def test_what_becomes_of_it(text: str, expected: str) -> None:
    page = made(text)
    assert expected in " ".join(page.html.split()), page.html
    assert bool(page.notes) == (text in UNKNOWN), page.notes


def test_headings_are_in_the_language_of_the_statement() -> None:
    assert "Eingabe" in made(r"\begin{Input}Zahlen\end{Input}", "de").html
    assert "Entrada" in made(r"\begin{Input}n\end{Input}", "pt-BR").html
    assert "Input" in made(r"\begin{Input}n\end{Input}", "sw").html


def test_what_is_not_known_is_named_with_its_line() -> None:
    told = made("one\n\\frobnicate{x} $y$\n\n\\vspace{1cm}\\begin{nonsense}z\\end{nonsense}\n\\constant{least}").notes
    assert [(note.line, re.findall(r"`(.+?)`", note.message)[0]) for note in told] == [
        (2, r"\frobnicate"),
        (4, "nonsense"),
        (5, "least"),
    ]


def test_a_text_that_cannot_be_read_says_where() -> None:
    broken = made("fine\n\n\\textbf{never closed")
    assert not broken.html
    assert re.match(r"line [1-4]: .*still open", broken.fault), broken.fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a } b\n", "line 1: `}` closes what is not open: remove it, or open it"),
        ("x\n\\end{itemize}\n", "line 2: `\\end` closes what is not open: remove it, or open it"),
        ("\\begin{itemize}\n\\item x\n", "line 3: the text ends, and `\\begin{itemize}` is still open"),
        ("\\input|x", "line 1: `|` cannot stand here"),
        ("\\def\\x", "line 1: the last command needs more after it"),
    ],
)
def test_why_a_text_cannot_be_read_is_said_in_its_own_words(text: str, fault: str) -> None:
    assert made(text).fault == fault


@pytest.mark.parametrize("command", ["input", "include", "lstinputlisting", "verbatiminput", "subfile", "usepackage"])
def test_files_of_the_host_are_not_read(command: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("very secret\n\\newcommand{\\x}{very secret}\n")
    for name in (str(secret), str(secret)[:-4], "../" * 12 + str(secret)[1:], f"file://{secret}"):
        result = made(rf"\{command}{{{name}}} \x{{}} rest")
        assert "very secret" not in result.html
        assert "rest" in result.html
    assert command == "usepackage" or any(
        "not taken in" in one.message or command in one.message for one in result.notes
    )


def test_a_figure_that_the_text_names_by_its_number_has_it_in_its_caption() -> None:
    figure = r"\begin{figure}\includegraphics{a.png}\caption{%s}%s\end{figure}"
    table = r"\begin{table}\begin{tabular}{l}a\end{tabular}\caption{Third}\label{t}\end{table}"
    text = figure % ("First", "") + figure % ("Second", r"\label{f}") + table + r" See \ref{f} and Table~\ref{t}."
    html = " ".join(made(text).html.split())
    assert "<figcaption>First" in html
    assert "<figcaption><strong>1.</strong> Second" in html
    assert "<caption><strong>1.</strong> Third" in html


def test_pictures_of_the_host_are_not_read() -> None:
    assert "base64" not in made(r"\includegraphics{/etc/passwd}").html


HOSTILE = {
    "a loop": r"\def\a{\a\a}\a",
    "many laughs": r"\newcommand{\aa}{xxxxxxxxxx}" + "".join(
        r"\newcommand{\a" + after + "}{" + rf"\a{before}" * 10 + "}" for before, after in pairwise("abcdefghij")
    ) + r"\aj",
    "braces": "{" * (5 << 20),
    "an environment in itself": r"\newenvironment{a}{\begin{a}}{\end{a}}\begin{a}x\end{a}",
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_is_held(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tex, "CPU_SECONDS", 2)
    monkeypatch.setattr(tex, "WALL_SECONDS", 5)
    started = time.monotonic()
    held = made(text)
    assert held.fault
    assert not held.html
    assert time.monotonic() - started < 9


def test_a_page_too_long_is_not_written_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tex, "WRITTEN_BYTES", 10_000)
    assert "too long a page" in made("word " * 5_000).fault
    assert not made("word " * 1_000).fault


def test_a_text_that_needs_much_memory_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tex, "HEAP", "16m")
    assert "too much memory" in made("{" * 500_000).fault


def test_raw_pieces_of_other_formats_stay_text() -> None:
    page = made("<script>alert(1)</script>\n\n\\begin{rawhtml}<script>alert(2)</script>\\end{rawhtml}\n").html
    assert "<script" not in page


# What a package is told ----------------------------------------------------------------------------------------------
STATEMENT = r"""\problemname{Doubles}
Print twice, \frobnicate{n}. \includegraphics{none.png}\includegraphics{drawn.pdf}\includegraphics{there}
\nextsample
\nextsample
"""


def package(tmp_path: Path, *, text: str = STATEMENT, ending: str = "tex") -> Package:
    root = write(
        tmp_path,
        {
            "problem.yaml": problem(""),
            "statement/problem.en.md": None,
            f"statement/problem.en.{ending}": text,
            "statement/there.png": b"\x89PNG",
            "statement/drawn.pdf": b"%PDF-1.4",
        },
    )
    found = read(root).package
    assert found is not None
    return found


def test_an_author_is_told_what_a_page_will_not_show(tmp_path: Path) -> None:
    told = [
        (finding.where, finding.rule)
        for finding in check_statements(package(tmp_path), lambda path, language, constants: made(path.read_text()))
    ]
    where = "statement/problem.en.tex"
    assert told == [(f"{where}:2", "tex"), (f"{where}:2", "image"), (f"{where}:2", "image"), (where, "samples")]


def test_an_author_of_markdown_is_told_as_well(tmp_path: Path) -> None:
    text = "One\n\n![x](none.png) {{least}}\n\n![y](there.png)\n\n{{nextsample}}\n"
    told = check_statements(package(tmp_path, text=text, ending="md"), lambda *_: made(""))
    assert [(one.where[-4:], one.rule) for one in told] == [("md:3", "constant"), ("md:3", "image")]


def test_without_a_converter_the_author_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    tex.converter.cache_clear()
    try:
        with pytest.raises(NoConverter, match="pypandoc-binary"):
            made("x")
        told = list(check_statements(package(tmp_path), lambda path, language, constants: made(path.read_text())))
        assert [one.rule for one in told] == ["no-converter"]
    finally:
        tex.converter.cache_clear()


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "a\0.png", "x" * 5000, "link.png", "."])
def test_images_are_those_of_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "statement"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    assert image_file([folder], name) is None
