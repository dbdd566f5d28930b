"""XML as somebody wrote it: elements with their lines. No entities of its own, nothing fetched, bounded."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from problems.say import say

MAX_XML = 4 << 20
MAX_ELEMENTS = 100_000
MAX_DEPTH = 40


@dataclass(slots=True)
class Element:
    """One element. `text` is what stands directly in it."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    children: "list[Element]" = field(default_factory=list)
    text: str = ""

    def each(self, path: str) -> "Iterator[Element]":
        """The elements at `path`, tags with `/` between."""
        first, _, rest = path.partition("/")
        for child in self.children:
            if child.tag == first:
                yield from child.each(rest) if rest else (child,)

    def first(self, path: str) -> "Element | None":
        return next(self.each(path), None)

    def get(self, attribute: str) -> str:
        return self.attributes.get(attribute, "").strip()


class XmlFault(Exception):
    """What is not taken, with its line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def parse_xml(text: bytes) -> Element:
    """The root element. Raises `XmlFault`."""
    if len(text) > MAX_XML:
        raise XmlFault(1, say("said", "Larger than %(mib)s MiB: make it shorter.", mib=MAX_XML >> 20))
    parser = expat.ParserCreate()
    top = Element("", {}, 0)
    stack, count = [top], 0

    def refuse(*_: object) -> None:
        raise XmlFault(parser.CurrentLineNumber, say("said", "A document type or entity is not read: remove it."))

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MAX_ELEMENTS or len(stack) > MAX_DEPTH:
            raise XmlFault(parser.CurrentLineNumber, say("said", "This has too many elements or is nested too deeply."))
        stack[-1].children.append(Element(tag, attributes, parser.CurrentLineNumber))
        stack.append(stack[-1].children[-1])

    def said(text: str) -> None:
        stack[-1].text += text

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = said
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as fault:
        raise XmlFault(
            fault.lineno, say("said", "This is not XML: %(fault)s.", fault=expat.ErrorString(fault.code))
        ) from fault
    except (ValueError, LookupError) as fault:
        raise XmlFault(1, say("said", "This is not XML: its encoding is not known.")) from fault
    return top.children[0]
