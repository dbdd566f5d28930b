"""Statements of a package of Polygon, put together from their sections, or as PDF."""

import re

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
            elif self._sections(language, code) or self._pdf(language, code):
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
        text: list[str] = []
        for section, title in _SECTIONS:
            path = there.get(f"{section}.tex")
            said = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").strip() if path else ""
            if path:
                self.draft.used.add(f"{folder}/{section}.tex")
            if said:
                text.append(_part(title, said, code))
        for name, path in there.items():
            if not name.endswith(".tex") and not name.startswith("example.") and NAME.fullmatch(name):
                self.draft.put(f"statement/{name}", path, origin=f"{folder}/{name}")
        self.draft.put(f"statement/problem.{code}.tex", "\n".join(text).encode(), origin=f"{folder}/legend.tex")
        return True

    def _pdf(self, language: str, code: str) -> bool:
        name = f"statements/.pdf/{language}/problem.pdf"
        if name in self.tree.files:
            self.draft.put(f"statement/problem.{code}.pdf", self.tree.files[name], origin=name)
        return name in self.tree.files


def _part(title: str, said: str, code: str) -> str:
    """A section of a statement, with its heading in the language of the statement."""
    if title in ("Input", "Output", "Interaction"):
        return f"\\begin{{{title}}}\n{said}\n\\end{{{title}}}\n"
    return f"\\section*{{{headings(code)[title.lower()]}}}\n\n{said}\n" if title else f"{said}\n"
