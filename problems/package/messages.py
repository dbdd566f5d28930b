"""`palfrey/messages.<language>.yaml`: what the programs of a package say, in another language.

A map from the English sentence, with `{name}` where a value stands, to the sentence in that language.
"""

import re
from collections.abc import Mapping

from problems.package.findings import Findings
from problems.package.problem_yaml import NATURAL_LANGUAGE
from problems.package.tree import Tree
from problems.package.yaml_text import Scalar, parse_map
from problems.say import say

MAX_MESSAGES = 500
MAX_TEXT = 1_000
"""Characters of one."""
_FILE = re.compile(r"palfrey/messages\.([^./]+)\.yaml")
_VALUE = re.compile(r"\{(\w+)\}")


def read_messages(tree: Tree, findings: Findings) -> dict[str, Mapping[str, str]]:
    """Language code -> English sentence -> sentence. One that is empty is not translated yet."""
    found: dict[str, Mapping[str, str]] = {}
    for name in tree.files:
        match = _FILE.fullmatch(name)
        if match is None:
            continue
        if not NATURAL_LANGUAGE.fullmatch(match[1]):
            findings.error(
                name,
                "language-code",
                say("said", "`%(language)s` is no code of a language, such as `pt-BR`.", language=match[1][:40]),
            )
            continue
        root = parse_map(tree.yaml_bytes(name), name, findings)
        if root is not None:
            texts = {text: node.text for text, node in root.nodes.items() if isinstance(node, Scalar)}
            found[match[1]] = _sound(texts, name, findings) if len(texts) == len(root.nodes) else {}
            if len(texts) != len(root.nodes) or len(texts) > MAX_MESSAGES:
                findings.error(
                    name,
                    "messages",
                    say("said", "This is a map of at most %(most)s sentences, each a text.", most=MAX_MESSAGES),
                )
    return dict(sorted(found.items()))


def _sound(texts: Mapping[str, str], name: str, findings: Findings) -> dict[str, str]:
    sound: dict[str, str] = {}
    for text, other in texts.items():
        strange = set(_VALUE.findall(other)) - set(_VALUE.findall(text))
        if strange:
            findings.error(
                name,
                "messages",
                say("said", "`{%(name)s}` is no value of “%(text)s”.", name=min(strange), text=text[:80]),
            )
        elif len(text) > MAX_TEXT or len(other) > MAX_TEXT:
            findings.error(
                name,
                "messages",
                say("said", "A sentence has at most %(most)s characters: “%(text)s”.", most=MAX_TEXT, text=text[:80]),
            )
        elif other.strip():
            sound[text] = other
    return sound
