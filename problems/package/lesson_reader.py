"""Reads `palfrey/lesson.<language>.md`: Markdown with fenced `trace` and `quiz` blocks. Nothing is run here.

A trace block says which program of `palfrey/traces/` shows what the algorithm does, on which input; the reader may
choose what the block lets them, within bounds.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from problems.package.findings import Findings
from problems.package.lesson import Choice, Command, Lesson, Part, Prose, Quiz, TraceBlock
from problems.package.model import Program
from problems.package.problem_yaml import NATURAL_LANGUAGE
from problems.package.programs import Shelf
from problems.package.trace import Names, square_name
from problems.package.tree import MAX_PROSE, Tree, head
from problems.package.yaml_text import Fields, Map, Scalar, parse_map
from problems.say import say

TRACERS = "palfrey/traces"
CODE = "palfrey/code"
MAX_BLOCKS = 40
"""Blocks of one lesson."""
MAX_CHOICES = 10_000
"""Values that one choice of the reader's has."""
_FILE = re.compile(r"palfrey/lesson\.([^./]+)\.md")
_FENCE = re.compile(r"(`{3,}|~{3,})\s*(\S*).*")
_KEY = re.compile(r"[a-z][a-z0-9]{0,15}")
_CLICKS = frozenset({"name", "row", "column"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Teaching:
    """Everything of a package that teaches."""

    lessons: Mapping[str, Lesson] = field(default_factory=dict)
    """Language code -> lesson."""
    tracers: Mapping[str, Program] = field(default_factory=dict)
    """Name below `palfrey/traces/` -> program."""
    code: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    """Name -> ending -> a piece of code to show."""


def read_teaching(tree: Tree, shelf: Shelf, findings: Findings) -> Teaching:
    """Lessons, tracers and code. What is wrong is told and left out."""
    tracers = {
        name: program for name in tree.entries(TRACERS) if (program := shelf.program(f"{TRACERS}/{name}")) is not None
    }
    code: dict[str, dict[str, bytes]] = {}
    for name, path in tree.under(CODE).items():
        stem, ending = PurePosixPath(name).stem, PurePosixPath(name).suffix
        code.setdefault(stem, {})[ending] = head(path, MAX_PROSE)
    lessons: dict[str, Lesson] = {}
    for name, path in tree.files.items():
        match = _FILE.fullmatch(name)
        if match is None:
            continue
        if not NATURAL_LANGUAGE.fullmatch(match[1]):
            findings.error(
                name,
                "language-code",
                say("said", "`%(language)s` is no code of a language, such as `en`.", language=match[1][:40]),
            )
            continue
        text = head(path, MAX_PROSE).decode("utf-8", "replace")
        reader = _Reader(name, frozenset(tracers), frozenset(tree.under("generators")), frozenset(code), findings)
        lessons[match[1]] = Lesson(where=name, parts=tuple(reader.parts(text)))
    return Teaching(lessons=dict(sorted(lessons.items())), tracers=tracers, code=code)


class _Reader:
    def __init__(
        self, where: str, tracers: frozenset[str], generators: frozenset[str], code: frozenset[str], findings: Findings
    ) -> None:
        self.where = where
        self.tracers, self.generators, self.code = tracers, generators, code
        self.findings = findings
        self.left = MAX_BLOCKS

    def parts(self, text: str) -> Iterator[Part]:
        prose: list[str] = []
        began, fence, kind, body, at = 1, "", "", list[str](), 0
        for number, line in enumerate(text.split("\n"), 1):
            opened = _FENCE.fullmatch(line)
            if not fence and opened and opened[2] in ("trace", "quiz"):
                if any(line.strip() for line in prose):
                    yield Prose(line=began, text="\n".join(prose))
                fence, kind, body, at = opened[1], opened[2], [], number
            elif not fence and opened:
                fence, kind = opened[1], ""
                prose.append(line)
            elif fence and line.strip() == fence:
                if kind:
                    block = self.block(kind, "\n".join(body), at)
                    if block is not None:
                        yield block
                    prose, began = [], number + 1
                else:
                    prose.append(line)
                fence = kind = ""
            else:
                (body if kind else prose).append(line)
        if kind:
            self.findings.error(
                f"{self.where}:{at}", "lesson", say("said", "This block has no end: close it with ```.")
            )
        if any(line.strip() for line in prose):
            yield Prose(line=began, text="\n".join(prose))

    def block(self, kind: str, body: str, at: int) -> Part | None:
        self.left -= 1
        if self.left < 0:
            if self.left == -1:
                self.error(at, say("said", "A lesson has at most %(most)s blocks: cut this one.", most=MAX_BLOCKS))
            return None
        read = parse_map(("\n" * at + body).encode(), self.where, self.findings)
        if read is None:
            return None
        before = len(self.findings.all())
        part = self.trace(read, at) if kind == "trace" else self.quiz(read, at)
        return part if len(self.findings.all()) == before else None

    def error(self, line: int, message: str) -> None:
        self.findings.error(f"{self.where}:{line}", "lesson", message)

    def quiz(self, read: Map, at: int) -> Quiz | None:
        fields = Fields(read, self.where, self.findings, {"ask", "choices", "right", "because"})
        ask, because = fields.text("ask"), fields.text("because")
        choices = fields.texts("choices") or ()
        right = (fields.texts("right", one_is_fine=True) or ("",))[0]
        if not ask or not because or not 2 <= len(set(choices)) == len(choices) <= 8 or right not in choices:
            self.error(
                at,
                say(
                    "said",
                    "A quiz has `ask`, 2 to 8 different `choices`, the `right` one of them, and says "
                    "`because` of what.",
                ),
            )
            return None
        return Quiz(line=at, ask=ask, choices=choices, right=right, because=because)

    def trace(self, read: Map, at: int) -> TraceBlock | None:
        known = {"run", "beside", "titles", "in", "generate", "caption", "choose", "code", "graph", "last"}
        fields = Fields(read, self.where, self.findings, known)
        caption, run, beside = fields.text("caption"), fields.text("run"), fields.text("beside")
        titles = fields.texts("titles") or ()
        written, generate = fields.texts("in", one_is_fine=True), fields.text("generate")
        if not caption or not run:
            self.error(
                at, say("said", "A trace has `run`, a program of palfrey/traces/ with its arguments, and a `caption`.")
            )
            return None
        if (written is None) == (generate is None):
            self.error(
                at,
                say(
                    "said", "Say `in`, the input of the run, or `generate`, the command of a generator that prints it."
                ),
            )
            return None
        if len(titles) != (2 if beside else len(titles) and 1):
            self.error(at, say("said", "Two runs beside each other have two `titles`."))
            return None
        generator = self.words(generate, at) if generate else ()
        if generator and generator[0] not in self.generators:
            self.error(at, say("said", "There is no generator `generators/%(name)s`.", name=generator[0][:60]))
            return None
        given = ((written or ("",))[0].rstrip("\n") + "\n") if written else ""
        runs = []
        for text in (run, beside):
            if text is None:
                continue
            words = self.words(text, at)
            if not words or words[0] not in self.tracers:
                self.error(
                    at,
                    say("said", "There is no program `palfrey/traces/%(name)s`.", name=words[0][:60] if words else ""),
                )
                return None
            runs.append(Command(tracer=words[0], arguments=words[1:], given=given, generator=generator))
        code = fields.text("code") or ""
        if code and code not in self.code:
            self.error(
                at, say("said", "There is no file `palfrey/code/%(name)s.py`, nor with another ending.", name=code[:60])
            )
        choices = tuple(self.choices(fields))
        block = TraceBlock(
            line=at,
            runs=tuple(runs),
            titles=titles or ("",),
            caption=caption,
            choices=choices,
            code=code,
            graph=bool(fields.flag("graph")),
            last=bool(fields.flag("last")),
        )
        self.check_places(block)
        return block

    def words(self, text: str, at: int) -> tuple[str, ...]:
        try:
            return tuple(shlex.split(text))
        except ValueError:
            self.error(at, say("said", "A quotation mark in this command has no partner."))
            return ()

    def check_places(self, block: TraceBlock) -> None:
        """Every `{key}` is a choice, and every choice goes somewhere."""
        keys = {choice.key for choice in block.choices}
        for key in sorted(block.put - keys):
            self.error(block.line, say("said", "`{%(key)s}` is nothing that `choose` lets the reader choose.", key=key))
        for key in sorted(keys - block.put):
            self.error(
                block.line, say("said", "The choice `%(key)s` is not used: put `{%(key)s}` where it goes.", key=key)
            )

    def choices(self, fields: Fields) -> Iterator[Choice]:
        chosen = fields.fields("choose", None)
        for key in chosen.map.nodes if chosen else ():
            assert chosen is not None
            if not _KEY.fullmatch(key):
                chosen.error(key, "lesson", say("said", "A choice is called by up to 16 letters a-z and digits."))
                continue
            entry = chosen.fields(key, {"label", "of", "from", "to", "board", "default", "click"})
            choice = self.choice(key, entry) if entry else None
            if choice:
                yield choice
            else:
                chosen.error(
                    key,
                    "lesson",
                    say(
                        "said",
                        "`%(key)s` needs a `label`, and `of` (a map of values), `from` and `to` (whole "
                        "numbers), or `board` (a size: its squares); at most %(most)s values, and a "
                        "`default` among them.",
                        key=key,
                        most=f"{MAX_CHOICES:,}",
                    ),
                )

    def choice(self, key: str, entry: Fields) -> Choice | None:
        values: dict[str, str] = {}
        numeric = False
        least, most, board = entry.integer("from"), entry.integer("to"), entry.integer("board")
        named = entry.fields("of", None)
        if named is not None:
            values = {name: node.text for name, node in named.map.nodes.items() if isinstance(node, Scalar)}
        elif least is not None and most is not None and 0 <= most - least < MAX_CHOICES:
            values = {str(number): str(number) for number in range(least, most + 1)}
            numeric = True
        elif board is not None and 1 <= board <= 26:
            squares = [
                square_name(Names.CHESS, column, row, board)
                for column in range(board)
                for row in reversed(range(board))
            ]
            values = {square: square for square in squares}
        label = entry.text("label")
        default = (entry.texts("default", one_is_fine=True) or (next(iter(values), ""),))[0]
        if not label or not 1 <= len(values) <= MAX_CHOICES or default not in values:
            return None
        click = entry.choice("click", _CLICKS) if "click" in entry else "name" if board is not None else ""
        return Choice(key=key, label=label, values=values, default=default, numeric=numeric, click=click or "")
