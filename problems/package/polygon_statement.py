"""Statements of a package of Polygon, put together from their sections, from the one file made of them, or as PDF."""

import re
from collections.abc import Mapping
from pathlib import Path

from problems.package.draft import Draft
from problems.package.findings import Findings, ignored
from problems.package.tex import headings
from problems.package.tree import NAME, Tree
from problems.package.xml_text import Element
from problems.say import say

WHERE = "problem.xml"
LANGUAGES = {
    "arabic": "ar", "armenian": "hy", "azerbaijani": "az", "bulgarian": "bg", "chinese": "zh", "croatian": "hr",
    "czech": "cs", "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi", "french": "fr",
    "georgian": "ka", "german": "de", "greek": "el", "hebrew": "he", "hungarian": "hu", "indonesian": "id",
    "italian": "it", "japanese": "ja", "kazakh": "kk", "korean": "ko", "latvian": "lv", "lithuanian": "lt",
    "mongolian": "mn", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru",
    "serbian": "sr", "slovak": "sk", "slovene": "sl", "spanish": "es", "swedish": "sv", "thai": "th",
    "turkish": "tr", "ukrainian": "uk", "uzbek": "uz", "vietnamese": "vi",
}  # fmt: skip
_SECTIONS = (
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Notes"),
)
_WHOLE = re.compile(r"\\begin\{problem\}(?:\s*\{[^{}]*\}){1,6}(.*?)\\end\{problem\}", re.DOTALL)
_HEADS = {
    "InputFile": "input",
    "OutputFile": "output",
    "Interaction": "interaction",
    "Scoring": "scoring",
    "Note": "notes",
}
"""Commands that begin a section in that one file; what follows others of them (samples, a tutorial) is left out."""
_HEAD = re.compile(r"\\(InputFile|OutputFile|Interaction|Scoring|Note|Examples?|Tutorial)(?![A-Za-z])")


class Statements:
    """Puts the statements into a draft."""

    def __init__(self, tree: Tree, findings: Findings, draft: Draft, root: Element) -> None:
        self.tree = tree
        self.findings = findings
        self.draft = draft
        self.root = root

    def put(self) -> list[str]:
        """Put every statement; gives the codes of their languages."""
        languages: list[str] = []
        spoken = {one.get("language") for one in self.root.each("statements/statement")}
        spoken |= {name.split("/")[1] for name in self.tree.files if re.match(r"statement-sections/[^/]+/.", name)}
        for language in sorted(spoken):
            code = LANGUAGES.get(language, language if re.fullmatch(r"[a-z]{2}", language) else "")
            if not code:
                self.findings.warn(
                    WHERE,
                    "ignored",
                    ignored(
                        say("part", "a statement in `%(language)s`, whose code is not known.", language=language[:40])
                    ),
                )
            elif self._sections(language, code) or self._whole(language, code) or self._pdf(language, code):
                languages.append(code)
        if not languages:
            self.findings.warn(
                WHERE, "no-statement", say("said", "There is no statement: write `statement/problem.en.md`.")
            )
            self.draft.put("statement/problem.en.md", b"The package came without a statement.\n")
        return languages or ["en"]

    def _sections(self, language: str, code: str) -> bool:
        """Put the statement together from its sections."""
        folder = f"statement-sections/{language}"
        there = self.tree.under(folder)
        if "legend.tex" not in there:
            return False
        found = {name: _read(there[f"{name}.tex"]) for name, _ in _SECTIONS if f"{name}.tex" in there}
        self.draft.used |= {f"{folder}/{name}.tex" for name in found}
        self._put(folder, "legend.tex", code, found)
        return True

    def _whole(self, language: str, code: str) -> bool:
        """Take apart the statement of an older package, which has no sections."""
        folder = f"statements/{language}"
        path = self.tree.files.get(f"{folder}/problem.tex")
        body = _WHOLE.search(_read(path)) if path else None
        if body is None:
            return False
        legend, *rest = _HEAD.split(body[1])
        found = {_HEADS[head]: said for head, said in zip(rest[::2], rest[1::2], strict=True) if head in _HEADS}
        self._put(folder, "problem.tex", code, {"legend": legend, **found})
        return True

    def _put(self, folder: str, origin: str, code: str, found: Mapping[str, str]) -> None:
        """Put these sections together as one statement, and its images beside it."""
        text = [_part(title, found[name].strip(), code) for name, title in _SECTIONS if found.get(name, "").strip()]
        for name, path in self.tree.under(folder).items():
            if not name.endswith((".tex", ".json")) and not name.startswith("example.") and NAME.fullmatch(name):
                self.draft.put(f"statement/{name}", path, origin=f"{folder}/{name}")
        self.draft.put(f"statement/problem.{code}.tex", "\n".join(text).encode(), origin=f"{folder}/{origin}")

    def _pdf(self, language: str, code: str) -> bool:
        name = f"statements/.pdf/{language}/problem.pdf"
        if name in self.tree.files:
            self.draft.put(f"statement/problem.{code}.pdf", self.tree.files[name], origin=name)
        return name in self.tree.files


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")


def _part(title: str, said: str, code: str) -> str:
    """A section of a statement, with its heading in the language of the statement."""
    if title in ("Input", "Output", "Interaction"):
        return f"\\begin{{{title}}}\n{said}\n\\end{{{title}}}\n"
    return f"\\section*{{{headings(code)[title.lower()]}}}\n\n{said}\n" if title else f"{said}\n"
