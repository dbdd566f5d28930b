"""A problem statement: the author's Markdown and TeX become HTML that can do no harm.

Raw HTML is not read at all; what Markdown makes is then cleaned, so that no script and no style is left. Formulas
become MathML on the server. Images are those of the package, by an address of this site; others are dropped.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import ParseError

import nh3
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from latex2mathml import exceptions as tex
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

TEX_ERRORS: tuple[type[Exception], ...] = (
    *(value for value in vars(tex).values() if isinstance(value, type) and issubclass(value, Exception)),
    ParseError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    TypeError,
    StopIteration,
    RuntimeError,
    RecursionError,
)
"""What the converter is known to raise on TeX it does not understand; the formula is then shown as it was written."""

MATHML = frozenset(
    [
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "ms",
        "mtext",
        "mspace",
        "msup",
        "msub",
        "msubsup",
        "mfrac",
        "msqrt",
        "mroot",
        "mover",
        "munder",
        "munderover",
        "mmultiscripts",
        "mprescripts",
        "none",
        "mtable",
        "mtr",
        "mtd",
        "mlabeledtr",
        "mstyle",
        "menclose",
        "mpadded",
        "mphantom",
        "merror",
        "semantics",
    ]
)
MATHML_ATTRIBUTES = frozenset(
    [
        "display",
        "mathvariant",
        "stretchy",
        "fence",
        "form",
        "lspace",
        "rspace",
        "minsize",
        "maxsize",
        "symmetric",
        "largeop",
        "movablelimits",
        "separator",
        "accent",
        "accentunder",
        "columnalign",
        "rowalign",
        "columnlines",
        "rowlines",
        "columnspacing",
        "rowspacing",
        "linethickness",
        "displaystyle",
        "scriptlevel",
        "width",
        "height",
        "depth",
        "notation",
    ]
)
PROSE = frozenset(
    [
        "p",
        "br",
        "hr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "em",
        "strong",
        "s",
        "code",
        "pre",
        "blockquote",
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
        "img",
        "sup",
        "sub",
        "section",
        "div",
        "span",
    ]
)
PLACEHOLDER = re.compile(r"\{\{\s*(nextsample|remainingsamples)\s*\}\}")
CONSTANT = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)?)\s*\}\}")
SAMPLE_WORDS = frozenset({"nextsample", "remainingsamples"})
IMAGE_NAME = re.compile(r"(?:\./)?([A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sample as it is printed beside its statement."""

    number: int
    input: str = ""
    output: str = ""
    interaction: str = ""
    """What both sides say, in place of input and output: `<` begins a line of the judge's, `>` one of the program's."""

    @property
    def key(self) -> str:
        return str(self.number)


def render(
    text: str,
    *,
    constants: Mapping[str, str],
    samples: Sequence[Sample],
    image_address: Callable[[str], str | None],
) -> SafeString:
    """The statement as HTML, samples where the author put them and the rest at the end.

    `image_address` gives the address of an image of the package, or None when the package has no such image.
    """
    filled = CONSTANT.sub(lambda found: _constant(found, constants), text)
    prose = nh3.clean(
        _markdown().render(filled),
        tags=set(PROSE | MATHML),
        attributes={
            "a": {"href", "title", "id"},
            "img": {"src", "alt", "title"},
            "li": {"id"},
            "section": {"class"},
            "ol": {"start"},
            "div": {"class"},
            "code": {"class"},
        }
        | {tag: set(MATHML_ATTRIBUTES) for tag in MATHML},
        attribute_filter=lambda tag, name, value: _attribute(tag, name, value, image_address),
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    scrollable = prose.replace('<div class="math block">', '<div class="math block" tabindex="0">')
    return _place_samples(scrollable, list(samples))


def render_inline(text: str) -> SafeString:
    """A line of Markdown, such as a question, without paragraphs or links."""
    clean = nh3.clean(
        _markdown().renderInline(text), tags={"em", "strong", "code", "sup", "sub"} | MATHML, attributes={}
    )
    return mark_safe(clean)  # noqa: S308 - cleaned


def _markdown() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "typographer": True})
    reader.enable(["table", "strikethrough", "smartquotes"])
    reader.use(footnote_plugin)
    return reader.use(dollarmath_plugin, allow_space=False, double_inline=True, renderer=_formula)


def _formula(source: str, options: Mapping[str, object]) -> str:
    try:
        return convert(source, display="block" if options.get("display_mode") else "inline")
    except TEX_ERRORS:
        return f"<code>{escape(source)}</code>"


def _constant(found: re.Match[str], constants: Mapping[str, str]) -> str:
    """A constant's value; what is no constant stays as it is, so that its author sees it."""
    return found[0] if found[1] in SAMPLE_WORDS else constants.get(found[1], found[0])


def _attribute(tag: str, name: str, value: str, image_address: Callable[[str], str | None]) -> str | None:
    if tag == "img" and name == "src":
        local = IMAGE_NAME.fullmatch(value)
        return image_address(local[1]) if local else None
    if tag in {"section", "div", "code"} and name == "class":
        return value if value in {"footnotes", "math block"} or value.startswith("language-") else None
    return value


def _place_samples(prose: str, waiting: list[Sample]) -> SafeString:
    def next_ones(found: re.Match[str]) -> str:
        taken = []
        for word in PLACEHOLDER.findall(found[0]):
            count = 1 if word == "nextsample" else len(waiting)
            taken += waiting[:count]
            del waiting[:count]
        return _printed(taken)

    placed = re.sub(rf"<p>\s*(?:{PLACEHOLDER.pattern}\s*(?:<br ?/?>\s*)?)+</p>", next_ones, prose)
    if waiting:
        placed += render_to_string("student/samples.html", {"samples": waiting, "heading": True})
    return mark_safe(placed)  # noqa: S308 - cleaned above; samples come from a template that escapes


def _printed(samples: Sequence[Sample]) -> str:
    return render_to_string("student/samples.html", {"samples": samples, "heading": False})
