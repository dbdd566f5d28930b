"""A lesson as data: Markdown of an author's, with figures that play a trace and questions in between."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace

_PUT = re.compile(r"\{([a-z][a-z0-9]{0,15})\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A run of a tracer, all of it said: nothing is left to choose."""

    tracer: str
    arguments: tuple[str, ...] = ()
    given: str = ""
    """Its input, unless a generator makes it."""
    generator: tuple[str, ...] = ()
    """Name below `generators/` and arguments."""
    said: str | None = None
    """What somebody's program printed on that input, to be marked in the picture; None: there is no program."""

    @property
    def text(self) -> str:
        """The same command, the same text: what a trace is kept under."""
        facts = asdict(self)
        if self.said is None:
            del facts["said"]  # traces are kept under what this gave before there was such a thing
        return json.dumps(facts, sort_keys=True, separators=(",", ":"))

    @classmethod
    def of_text(cls, text: str) -> "Command":
        read = json.loads(text)
        return cls(
            tracer=read["tracer"],
            arguments=tuple(read["arguments"]),
            given=read["given"],
            generator=tuple(read["generator"]),
            said=read.get("said"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something that the reader may choose."""

    key: str
    label: str
    values: Mapping[str, str]
    """Value -> what the reader sees, in order."""
    default: str
    numeric: bool = False
    """A whole number out of a range without gaps."""
    click: str = ""
    """Which part of a square that is clicked gives the value: `name`, `row`, `column`; empty: none."""

    @property
    def least(self) -> str:
        return next(iter(self.values))

    @property
    def most(self) -> str:
        return list(self.values)[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceBlock:
    """A figure of the lesson: one player, or two that go in step."""

    line: int
    runs: tuple[Command, ...]
    """With `{key}` where a choice goes."""
    titles: tuple[str, ...]
    """Of each run; one figure alone may have an empty one."""
    caption: str
    choices: tuple[Choice, ...] = ()
    code: str = ""
    """Files `palfrey/code/<code>.*` are shown beside it."""
    graph: bool = False
    """Whether the search is drawn as a graph too."""
    last: bool = False
    """Whether it is first shown as it ends."""

    def values(self, given: Mapping[str, str]) -> dict[str, str] | None:
        """A value for every choice: the given one, or the default; None when one is not to be had."""
        chosen = {choice.key: given.get(choice.key, choice.default) for choice in self.choices}
        return chosen if all(chosen[choice.key] in choice.values for choice in self.choices) else None

    def commands(self, values: Mapping[str, str]) -> tuple[Command, ...]:
        """The runs with `values`, which `values()` gave, put in."""

        def put(text: str) -> str:
            return _PUT.sub(lambda match: values.get(match[1], match[0]), text)

        return tuple(
            replace(
                run,
                arguments=tuple(map(put, run.arguments)),
                given=put(run.given),
                generator=tuple(map(put, run.generator)),
            )
            for run in self.runs
        )

    @property
    def put(self) -> frozenset[str]:
        """Every key that stands in a run."""
        texts = [text for run in self.runs for text in (*run.arguments, run.given, *run.generator)]
        return frozenset(key for text in texts for key in _PUT.findall(text))

    def ends(self) -> Iterator[dict[str, str]]:
        """What is tried before a lesson goes out: the defaults, then every least and every most value."""
        yield {choice.key: choice.default for choice in self.choices}
        if self.choices:
            yield {choice.key: choice.least for choice in self.choices}
            yield {choice.key: choice.most for choice in self.choices}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiz:
    """A question with choices, for the reader alone: nothing is graded."""

    line: int
    ask: str
    choices: tuple[str, ...]
    right: str
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """Markdown between two blocks."""

    line: int
    text: str


Part = Prose | TraceBlock | Quiz


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson in one language."""

    where: str
    """Its file, below the package."""
    parts: tuple[Part, ...]

    @property
    def blocks(self) -> tuple[TraceBlock, ...]:
        return tuple(part for part in self.parts if isinstance(part, TraceBlock))
