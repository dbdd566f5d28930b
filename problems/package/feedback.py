"""`palfrey/feedback.yaml`: small inputs for a counterexample, and what the size of an input is; and
`palfrey/directions/`: what it means when all wrong outputs differ from the right ones in the same way."""

from collections.abc import Mapping
from pathlib import Path

from problems.package.findings import Findings
from problems.package.hints import is_hint, read_hints
from problems.package.model import Feedback, Size, SizeOf, Small, Way
from problems.package.programs import Shelf
from problems.package.tree import Tree
from problems.package.yaml_text import Fields, parse_map
from problems.say import say

WHERE = "palfrey/feedback.yaml"
DIRECTIONS = "palfrey/directions"
_OF_NONE = frozenset({Way.SAYS, Way.MISSES})
"""They mean something where the line that is said, or right, is that of `none`."""


def read_feedback(tree: Tree, shelf: Shelf, findings: Findings) -> Feedback:
    """What the package says for feedback; nothing when it has no such file."""
    root = parse_map(tree.yaml_bytes(WHERE), WHERE, findings) if WHERE in tree.files else None
    if root is None:
        return Feedback(meanings=_meanings(tree, "", findings))
    fields = Fields(root, WHERE, findings, {"small", "size", "replay", "right", "none"})
    none = " ".join((fields.text("none") or "").split())
    return Feedback(
        small=_small(fields.fields("small", {"run", "inputs", "joined"}), shelf),
        replay=_replay(fields, tree),
        one_right=fields.choice("right", {"one"}) == "one",
        none=none,
        meanings=_meanings(tree, none, findings),
        size=_size(fields.fields("size", {"of", "grow", "from", "to", "expected"}), tree),
    )


def _meanings(tree: Tree, none: str, findings: Findings) -> Mapping[Way, Mapping[str, Path]]:
    meanings: dict[Way, Mapping[str, Path]] = {}
    for name in tree.entries(DIRECTIONS):
        where = f"{DIRECTIONS}/{name}"
        if name not in set(Way) or not all(is_hint(one) for one in tree.entries(where)):
            findings.error(
                where,
                "direction",
                say(
                    "said",
                    "Here are folders `%(list)s`, and nothing but `hint.en.md` and other languages in them.",
                    list="`, `".join(Way),
                ),
            )
        elif Way(name) in _OF_NONE and not none:
            findings.error(
                where,
                "direction",
                say("said", "Say in `%(file)s` which line says that there is none: `none: NO PATH`.", file=WHERE),
            )
        elif hints := read_hints(tree, where, "direction", findings):
            meanings[Way(name)] = hints
    return meanings


def _replay(fields: Fields, tree: Tree) -> tuple[str, ...]:
    command = tuple((fields.text("replay") or "").split())
    if command and f"palfrey/traces/{command[0]}" not in tree.files:
        fields.error(
            "replay",
            "no-such-program",
            say("said", "There is no tracer `palfrey/traces/%(name)s`.", name=command[0][:80]),
        )
        return ()
    return command


def _small(fields: Fields | None, shelf: Shelf) -> Small | None:
    if fields is None:
        return None
    inputs = tuple(text.encode() for text in fields.texts("inputs") or ())
    command = (fields.text("run") or "").split()
    program = shelf.program(f"palfrey/{command[0]}") if command else None
    if command and program is None:
        fields.error(
            "run", "no-such-program", say("said", "There is no program `palfrey/%(name)s`.", name=command[0][:80])
        )
    elif bool(inputs) == bool(command):
        fields.error(
            "run", "small", say("said", "Give either `run`, a program that prints small inputs, or `inputs`, a list.")
        )
    return Small(
        inputs=inputs,
        program=program,
        arguments=tuple(command[1:]),
        joined=fields.choice("joined", {"lines"}) == "lines",
    )


def _size(fields: Fields | None, tree: Tree) -> Size | None:
    if fields is None:
        return None
    of = fields.choice("of", set(SizeOf))
    if of is None:
        fields.error(
            "of", "size", say("said", "Say what the size of an input is: `of: %(list)s`.", list="`, `".join(SizeOf))
        )
        return None
    command = tuple((fields.text("grow") or "").split())
    smallest, largest = fields.integer("from") or 1, fields.integer("to") or 1
    if command and (f"generators/{command[0]}" not in tree.files or not any("{n}" in word for word in command)):
        fields.error("grow", "size", say("said", "`grow` names a generator and its arguments, with {n} for the size."))
        command = ()
    if command and not 1 <= smallest < largest:
        fields.error("from", "size", say("said", "Sizes go up: `from` is at least 1 and below `to`."))
        command = ()
    expected = fields.text("expected") or ""
    return Size(of=SizeOf(of), generate=command, smallest=smallest, largest=largest, expected=expected[:40])
