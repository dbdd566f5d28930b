"""`testdata.yaml` of the older formats: what it says of a folder of `data/`, and of those in it."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from problems.package.findings import Findings, ignored
from problems.package.tree import Tree
from problems.package.yaml_text import Fields, Map, Scalar, did_you_mean, parse_map
from problems.say import say

_KEYS = frozenset(
    "on_reject grading grader_flags input_validator_flags output_validator_flags accept_score reject_score range "  # noqa: SIM905
    "output_validator_args input_validator_args".split()
)
_MODES = frozenset({"sum", "avg", "min", "max"})
_VERDICTS = frozenset({"worst_error", "first_error", "no_errors", "always_accept", "accept_if_any_accepted"})
_INFINITE = frozenset({"inf", "+inf", "-inf"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What `testdata.yaml` says of a folder, with what it inherits."""

    mode: str = "sum"
    mode_said: bool = False
    """Whether the folder itself says how it adds up."""
    accept_score: Fraction = Fraction(1)
    highest: Fraction | None = None
    """Upper end of `range`; None: no bound."""
    stops: bool = True
    """`on_reject: break`."""
    output_args: tuple[str, ...] = ()
    input_args: Any = ()
    """A list for every validator, or a map of validator -> list."""


@dataclass(slots=True, kw_only=True)
class Testdata:
    """Reads these files of one package. `validator_flags`: those of problem.yaml, which stand before all others."""

    __test__ = False

    tree: Tree
    findings: Findings
    validator_flags: list[str]
    _known: dict[str, Settings] = field(default_factory=dict)

    def said(self, folder: str) -> str:
        """The file that says something of `folder` (below `data/`), or of the nearest folder above; or nothing."""
        while True:
            for name in ("testdata.yaml", "test_group.yaml"):
                where = f"data/{folder}/{name}" if folder else f"data/{name}"
                if where in self.tree.files:
                    return where
            if not folder:
                return ""
            folder = folder.rpartition("/")[0]

    def settings(self, folder: str) -> Settings:
        """What holds in `folder`, below `data/` (`""`: data itself)."""
        if folder not in self._known:
            flags = tuple(self.validator_flags)
            above = self.settings(folder.rpartition("/")[0]) if folder else Settings(output_args=flags)
            self._known[folder] = self._read(folder, above)
        return self._known[folder]

    def _read(self, folder: str, above: Settings) -> Settings:
        where = next(
            (
                one
                for name in ("testdata.yaml", "test_group.yaml")
                if (one := f"data/{folder}/{name}" if folder else f"data/{name}") in self.tree.files
            ),
            None,
        )
        found = parse_map(self.tree.yaml_bytes(where), where, self.findings) if where else None
        if not found or not where:
            return replace(above, mode_said=False)
        fields = Fields(found, where, self.findings, None)
        for key in found.nodes:
            if key not in _KEYS:
                fields.warn(
                    key,
                    "ignored",
                    ignored(
                        say("part", "there is no key `%(key)s`%(hint)s", key=key[:60], hint=did_you_mean(key, _KEYS))
                    ),
                )
        if fields.choice("grading", ("default", "custom")) == "custom":
            fields.error(
                "grading",
                "not-expressible",
                say("said", "The format has no graders any more: say the scores by `accept_score`."),
            )
        rejected = fields.number("reject_score")
        if rejected:
            fields.error(
                "reject_score", "not-expressible", say("said", "In 2025-09 a failed case has 0 points: remove this.")
            )
        mode, stops = self._mode(fields, above.mode), fields.choice("on_reject", ("break", "continue"))
        accept = fields.number("accept_score")
        highest = self._highest(fields) if "range" in fields else above.highest
        return Settings(
            mode=mode,
            mode_said=mode != above.mode or "grader_flags" in fields,
            accept_score=above.accept_score if accept is None else Fraction(accept),
            highest=highest,
            stops=above.stops if stops is None else stops == "break",
            output_args=self._output_args(fields, above.output_args),
            input_args=self._input_args(fields, above.input_args),
        )

    def _mode(self, fields: Fields, above: str) -> str:
        mode = above
        for word in (fields.text("grader_flags") or "").split():
            if word in _MODES:
                mode = word
            elif word in ("always_accept", "accept_if_any_accepted"):
                fields.findings.notice(
                    fields.at("grader_flags"),
                    "grader-flags",
                    say(
                        "said",
                        "`%(word)s`: here a submission that fails a case is never called accepted; its "
                        "points are the same.",
                        word=word,
                    ),
                )
            elif word not in _VERDICTS and word != "ignore_sample":
                fields.error(
                    "grader_flags",
                    "not-expressible",
                    say("said", "There is no grader flag `%(word)s`: remove it.", word=word[:40]),
                )
        return mode

    def _highest(self, fields: Fields) -> Fraction | None:
        node = fields.node("range")
        words = node.text.split() if isinstance(node, Scalar) else []
        numbers = [word for word in words if word in _INFINITE or Scalar(1, word).number is not None]
        if len(numbers) != 2:
            fields.wrong(
                "range", say("said", "`%(key)s` must be the lowest and the highest score: write `range: 0 50`.")
            )
            return None
        low, high = (Scalar(1, word).number for word in words)
        if low is not None and high is not None and low > high:
            fields.wrong("range", say("said", "`%(key)s` ends below its beginning: write the lowest score first."))
        return None if high is None else Fraction(high)

    def _output_args(self, fields: Fields, above: tuple[str, ...]) -> tuple[str, ...]:
        if (args := fields.texts("output_validator_args")) is not None:
            return args
        text = self._flags(fields, "output_validator_flags")
        if text is None:
            return above
        return (*self.validator_flags, *(text if isinstance(text, list) else next(iter(text.values()), [])))

    def _input_args(self, fields: Fields, above: Any) -> Any:
        if (args := fields.texts("input_validator_args")) is not None:
            return args
        text = self._flags(fields, "input_validator_flags")
        return above if text is None else text

    def _flags(self, fields: Fields, key: str) -> list[str] | dict[str, list[str]] | None:
        """Flags for every validator, or those of one that is named (`name` and `flags`, or a map)."""
        node = fields.node(key)
        if isinstance(node, Scalar):
            return node.text.split()
        if isinstance(node, Map):
            texts = {name: one.text for name, one in node.nodes.items() if isinstance(one, Scalar)}
            if texts.keys() == {"name", "flags"}:
                return {texts["name"]: texts["flags"].split()}
            return {name: text.split() for name, text in texts.items()}
        if node is not None:
            fields.wrong(key, say("said", "`%(key)s` must be text."))
        return None
