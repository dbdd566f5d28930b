"""Statements in TeX, made HTML by pandoc.

The author's text may be hostile: pandoc runs shut off from files and the net (`--sandbox`), in an empty folder, with
bounds on time, memory and what it writes. What it makes is only a draft of a page: whoever shows it must clean it.
"""

import importlib.util
import json
import re
import resource
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path

from problems.say import say

CPU_SECONDS = 8
WALL_SECONDS = 15
HEAP = "512m"
DATA_BYTES = 1 << 30
WRITTEN_BYTES = 8 << 20
"""Bytes of the page that is made, and of what pandoc has to say about it."""
MAX_NOTES = 200
RECIPE = 4
"""Counts the changes of what this module makes of a text; what is kept of an older one is made again."""

NEXT_SAMPLE, REMAINING_SAMPLES = "{{nextsample}}", "{{remainingsamples}}"

SECTIONS = {
    "cs": ("Vstup", "Výstup", "Interakce", "Bodování", "Poznámky"),
    "da": ("Input", "Output", "Interaktion", "Pointgivning", "Noter"),
    "de": ("Eingabe", "Ausgabe", "Interaktion", "Wertung", "Hinweise"),
    "en": ("Input", "Output", "Interaction", "Scoring", "Notes"),
    "es": ("Entrada", "Salida", "Interacción", "Puntuación", "Notas"),
    "fi": ("Syöte", "Tuloste", "Vuorovaikutus", "Pisteytys", "Huomautuksia"),
    "fr": ("Entrée", "Sortie", "Interaction", "Barème", "Remarques"),
    "is": ("Inntak", "Úttak", "Gagnvirkni", "Stigagjöf", "Athugasemdir"),
    "nb": ("Inndata", "Utdata", "Interaksjon", "Poenggivning", "Merknader"),
    "nl": ("Invoer", "Uitvoer", "Interactie", "Puntentelling", "Opmerkingen"),
    "pl": ("Wejście", "Wyjście", "Interakcja", "Punktacja", "Uwagi"),
    "pt": ("Entrada", "Saída", "Interação", "Pontuação", "Notas"),
    "ro": ("Date\u00a0de\u00a0intrare", "Date\u00a0de\u00a0ieșire", "Interacțiune", "Punctaj", "Note"),
    "ru": ("Входные данные", "Выходные данные", "Протокол взаимодействия", "Система оценки", "Примечания"),
    "sv": ("Indata", "Utdata", "Interaktion", "Poängsättning", "Anmärkningar"),
    "uk": ("Вхідні дані", "Вихідні дані", "Протокол взаємодії", "Система оцінки", "Примітки"),
    "zh": ("输入", "输出", "交互", "计分", "提示"),
}
"""Headings of the environments Input, Output and Interaction, and of the commands Scoring and Notes; English for
other languages."""

# One line, so that lines are told as they are in the author's file.
_COMMANDS = (
    r"\newcommand{\problemname}[1]{}"
    r"\newcommand{\nextsample}{\par\{\{nextsample\}\}\par}"
    r"\newcommand{\remainingsamples}{\par\{\{remainingsamples\}\}\par}"
    r"\newcommand{\illustration}[3]{\begin{figure}[r]\includegraphics[width=#1\textwidth]{#2}\caption{#3}\end{figure}}"
    r"\newenvironment{Input}{\section*{@input}}{}"
    r"\newenvironment{Output}{\section*{@output}}{}"
    r"\newenvironment{Interaction}{\section*{@interaction}}{}"
    # Polygon and its olymp.sty.
    r"\newenvironment{problem}[5]{}{}"
    r"\newcommand{\InputFile}{\section*{@input}}"
    r"\newcommand{\OutputFile}{\section*{@output}}"
    r"\newcommand{\Input}{\section*{@input}}"
    r"\newcommand{\Output}{\section*{@output}}"
    r"\newcommand{\Interaction}{\section*{@interaction}}"
    r"\newcommand{\Note}{\section*{Note}}\newcommand{\Notes}{\section*{@notes}}\newcommand{\Scoring}{\section*{@scoring}}"
    r"\newcommand{\Explanation}{\section*{Explanation}}\newcommand{\Explanations}{\section*{Explanations}}"
    r"\newcommand{\Example}{}\newcommand{\Examples}{}"
    r"\newcommand{\exmp}[2]{}\newcommand{\exmpfile}[2]{}"
    r"\newenvironment{example}{}{}\newenvironment{examplewide}{}{}\newenvironment{examplethree}{}{}"
    r"\renewcommand{\t}[1]{\texttt{#1}}\newcommand{\textellipsis}{\ldots}"
    # Slides, as which BAPCtools has its solutions.
    r"\newcommand{\problemtitle}{}\newcommand{\solvestats}{}\newcommand{\pause}{}"
)
_NO_LOSS = frozenset(
    "textwidth linewidth columnwidth centering raggedright raggedleft sloppy bgroup egroup begingroup endgroup tiny "  # noqa: SIM905
    "scriptsize footnotesize small normalsize large Large LARGE huge Huge noindent indent vspace hspace medskip "
    "smallskip bigskip newpage clearpage pagebreak vfill hfill par color label protect setlength addtolength itemsep "
    "parskip parindent textellipsis htmlPixelsInCm problemname hline cline toprule midrule bottomrule rowcolor "
    "cellcolor columncolor arraystretch tabcolsep pagestyle thispagestyle usepackage selectlanguage null leavevmode "
    "relax strut quad qquad enspace thinspace".split()
)
"""Commands whose loss takes nothing from a page."""
_KNOWN_ENVIRONMENTS = frozenset(
    "figure wrapfigure wraptable table center flushleft flushright minipage multicols document epigraph tabular "  # noqa: SIM905
    "tabularx longtable array frame block example examplewide examplethree problem small footnotesize large".split()
)
_SKIPPED = re.compile(r"\\(begin|end)\{([^}]*)\}|\\([A-Za-z@]+)")
_NAME = r"([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)?)"
_CONSTANT = re.compile(rf"\\constant\s*\{{\s*{_NAME}\s*\}}")
_AS_IN_MARKDOWN = re.compile(rf"\{{\{{\s*{_NAME}\s*\}}\}}")
_WRAPFIGURE = re.compile(r"\\begin\{wrapfigure\}(?:\[[^]]*\])?\{[^}]*\}(?:\[[^]]*\])?\{[^}]*\}|\\end\{wrapfigure\}")
_HREF = re.compile(r"\\(?:href|url)\s*\{([^{}]*)\}")
_LINK = re.compile(r'<a\b[^<>]*\bhref="([^"]*)"[^<>]*>(.*?)</a>', re.DOTALL)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_REFERENCE = re.compile(r'<a href="#([^"]*)" data-reference-type="ref"\s+data-reference="[^"]*">([0-9]+)</a>')
_CAPTION = re.compile(r'<(figure|div) id="([^"]*)"[^<>]*>(?:(?!</\1>).)*?<(?:fig)?caption>', re.DOTALL)
_NO_LINK = say("said", "Only the text of this link is shown: links start with `https:`, `http:` or `mailto:`.")
_FAULT = re.compile(r"line (\d+), column \d+\):\s*unexpected ([^\n]*)(?:\nexpecting (\\end\{[^\n}]*\}))?")
_ENDED = re.compile(r"\(\)|end of input")
_TOKEN = re.compile(r'Tok \(line \d+, column \d+\) (?:\w+|\(.*?\)) "(.*)"')


class NoConverter(Exception):
    """pandoc is not installed, so that no statement in TeX can be made a page. The message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something to tell the author about a line of the statement."""

    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """What became of a statement in TeX."""

    html: str
    """Not cleaned. Formulas are `<span class="math inline">\\(…\\)</span>`, or `display` and `\\[…\\]`; places of
    samples are paragraphs with what Markdown statements have there."""
    fault: str = ""
    """When not empty: why there is no `html`; the TeX itself is to be shown."""
    notes: tuple[Note, ...] = ()


def convert(text: str, *, language: str, constants: Mapping[str, str]) -> Converted:
    """The statement `text` as HTML. Raises `NoConverter`; for what its author may have done wrong, gives a `fault`.

    Takes at most twice `WALL_SECONDS`: what pandoc leaves out is put in again by a second run.
    """
    notes = [
        Note(
            line=_line(text, found.start()),
            message=say("said", "There is no constant `%(name)s`: name it in problem.yaml.", name=found[1]),
        )
        for found in _CONSTANT.finditer(text)
        if found[1] not in constants
    ]
    filled = _CONSTANT.sub(lambda found: _constant(found, constants), text)
    filled = _AS_IN_MARKDOWN.sub(lambda found: constants.get(found[1], found[0]), filled)
    filled = _WRAPFIGURE.sub(lambda found: r"\begin{figure}[r]" if "begin" in found[0] else r"\end{figure}", filled)
    commands = _COMMANDS
    for place, title in headings(language).items():
        commands = commands.replace(f"@{place}", title)
    links = (link for link in _HREF.finditer(text) if _leads_nowhere(link[1]))
    notes += [Note(line=_line(text, link.start()), message=_NO_LINK) for link in links]
    html, said, fault = _pandoc(commands + filled)
    lost = {name for name, argued in map(_lost, said) if argued}
    if lost and not fault:
        # A command without a meaning, so that what stands in its braces stays as text.
        commands += "".join(rf"\newcommand{{\{name}}}[1][]{{}}" for name in sorted(lost))
        again, _, fault = _pandoc(commands + filled)
        html = html if fault else again
    notes += _notes(said)
    if fault:
        line, what = _why(fault)
        return Converted(
            html="",
            fault=say("part", "line %(line)d: %(what)s", line=line, what=what),
            notes=(Note(line=line, message=what),),
        )
    return Converted(
        html=_LINK.sub(_linked, _numbered(html)),
        notes=tuple(sorted(set(notes), key=lambda note: (note.line, note.message))[:MAX_NOTES]),
    )


@cache
def converter() -> Path:
    """The pandoc that came with the Python environment. Raises `NoConverter`."""
    spec = importlib.util.find_spec("pypandoc")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        program = Path(folder, "files", "pandoc")
        if program.is_file():
            return program
    raise NoConverter(
        say("said", "Statements in TeX need pandoc: install the package pypandoc-binary of requirements.lock.")
    )


def _pandoc(text: str) -> tuple[str, list[dict[str, object]], str]:
    """What pandoc makes of `text`, what it says about it, and why it failed, if it did."""
    with tempfile.TemporaryDirectory(prefix="palfrey-tex-") as folder:
        log, page = Path(folder, "log"), Path(folder, "page")
        arguments = [
            *(str(converter()), "+RTS", f"-M{HEAP}", "-RTS", "--sandbox", "--data-dir=/nonexistent"),
            *("--from=latex-auto_identifiers", "--to=html5", "--mathjax", "--shift-heading-level-by=1"),
            *("--wrap=preserve", "--syntax-highlighting=none", "--email-obfuscation=none", f"--log={log}"),
        ]
        with (
            page.open("wb") as made,
            subprocess.Popen(  # noqa: S603
                arguments,
                stdin=subprocess.PIPE,
                stdout=made,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={"LANG": "C.UTF-8", "HOME": "/nonexistent", "PATH": "/nonexistent"},
                start_new_session=True,
            ) as child,
        ):
            # It reads nothing before it is bounded, because it is given nothing.
            for which, most in (
                (resource.RLIMIT_CPU, CPU_SECONDS),
                (resource.RLIMIT_DATA, DATA_BYTES),
                (resource.RLIMIT_FSIZE, WRITTEN_BYTES),
                (resource.RLIMIT_CORE, 0),
            ):
                resource.prlimit(child.pid, which, (most, most))
            try:
                _, errors = child.communicate(text.encode(), timeout=WALL_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.communicate()
                return (
                    "",
                    [],
                    say(
                        "said",
                        "It takes more than %(seconds)s seconds to read: is there a loop in its commands?",
                        seconds=WALL_SECONDS,
                    ),
                )
        if child.returncode < 0:
            return (
                "",
                [],
                say("said", "It takes too much time or too long a page to read: is there a loop in its commands?"),
            )
        if child.returncode == 251:
            return "", [], say("said", "It takes too much memory to read: is there a loop in its commands?")
        if child.returncode:
            # What is wrong comes first; the line that it is in follows, and the first line begins with our commands.
            return "", [], errors[:2000].decode("utf-8", "replace").strip() or say("part", "pandoc cannot read it.")
        return page.read_text(encoding="utf-8"), _said(log), ""


def _why(fault: str) -> tuple[int, str]:
    """In which line, and why, pandoc cannot read a text, of what it says itself."""
    found = _FAULT.search(fault)
    if found is None:
        return 1, fault.partition("\n")[0][:300]
    what = found[2].strip()
    if _ENDED.match(what):
        if found[3]:
            opened = found[3].replace("end", "begin", 1)
            why = say("part", "the text ends, and `%(opened)s` is still open", opened=opened[:80])
        else:
            why = say("part", "the text ends, and something is still open: a brace, a formula or an environment")
    else:
        token = _TOKEN.fullmatch(what)
        what = (token[1].replace(r"\\", "\\") if token else what)[:80]
        if what in ("}", r"\end"):
            why = say("part", "`%(what)s` closes what is not open: remove it, or open it", what=what)
        elif what:
            why = say("part", "`%(what)s` cannot stand here", what=what)
        else:
            why = say("part", "the last command needs more after it")
    return int(found[1]), why


def _said(log: Path) -> list[dict[str, object]]:
    try:
        said = json.loads(log.read_bytes())
    except (OSError, ValueError):
        return []
    return [one for one in said if isinstance(one, dict)]


def _lost(one: Mapping[str, object]) -> tuple[str, bool]:
    """Name of a command that pandoc left out, and whether text went with it; empty when nothing is lost."""
    found = _SKIPPED.match(str(one.get("contents", ""))) if one.get("type") == "SkippedContent" else None
    if found is None or found[3] is None or found[3] in _NO_LOSS:
        return "", False
    return found[3], "{" in str(one["contents"])


def _notes(said: list[dict[str, object]]) -> Iterator[Note]:
    for one in said:
        line = one.get("line")
        line = line if isinstance(line, int) else 1
        kind, contents = one.get("type"), str(one.get("contents", ""))
        if kind == "CouldNotLoadIncludeFile":
            name = str(one.get("path", ""))[:80]
            yield Note(
                line=line,
                message=say("said", "`%(name)s` is not taken in: write its text into the statement itself.", name=name),
            )
        elif kind == "SkippedContent" and (found := _SKIPPED.match(contents)):
            if found[1] == "begin" and found[2] not in _KNOWN_ENVIRONMENTS:
                yield Note(
                    line=line,
                    message=say(
                        "said", "There is no environment `%(name)s` here: only its text is shown.", name=found[2][:40]
                    ),
                )
            elif found[3] and found[3] not in _NO_LOSS:
                yield Note(
                    line=line,
                    message=say(
                        "said", "There is no command `\\%(name)s` here: only its text is shown.", name=found[3][:40]
                    ),
                )


def _numbered(html: str) -> str:
    """The page with the numbers of figures and tables in their captions, where its text speaks of them by number."""
    numbers = dict(_REFERENCE.findall(html))

    def caption(found: re.Match[str]) -> str:
        return f"{found[0]}<strong>{numbers[found[2]]}.</strong> " if found[2] in numbers else found[0]

    return _CAPTION.sub(caption, html) if numbers else html


def _leads_nowhere(address: str) -> bool:
    """Whether a link is of a kind that no page of ours has: it would do something, or show a file of the reader's."""
    scheme = _SCHEME.match("".join(address.split()))
    return scheme is not None and scheme[1].lower() not in ("http", "https", "mailto")


def _linked(found: re.Match[str]) -> str:
    """The link, or only its text."""
    return found[2] if _leads_nowhere(unescape(found[1])) else found[0]


def _constant(found: re.Match[str], constants: Mapping[str, str]) -> str:
    """The value as the TeX that it is: variants are meant for formulas. An unknown one is shown by its name."""
    return " ".join(constants[found[1]].split()) if found[1] in constants else rf"\texttt{{{found[1]}}}"


def headings(language: str) -> Mapping[str, str]:
    """What the sections `input`, `output`, … of a statement in `language` are called."""
    titles = SECTIONS.get(language.partition("-")[0], SECTIONS["en"])
    return dict(zip(("input", "output", "interaction", "scoring", "notes"), titles, strict=True))


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
