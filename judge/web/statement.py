"""A problem statement: the author's Markdown or TeX becomes HTML that can do no harm.

Raw HTML is not read at all; what Markdown, or pandoc of TeX, makes is then cleaned, so that no script and no style is
left. Formulas become MathML on the server. Images are those of the package, by an address of this site; others are
dropped.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from xml.etree.ElementTree import ParseError

import nh3
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from latex2mathml import exceptions as tex
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.attrs import attrs_plugin
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
        "figure",
        "figcaption",
        "div",
        "span",
        "u",
        "del",
    ]
)
PLACEHOLDER = re.compile(r"\{\{\s*(nextsample|remainingsamples)\s*\}\}")
CONSTANT = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)?)\s*\}\}")
SAMPLE_WORDS = frozenset({"nextsample", "remainingsamples"})
IMAGE_NAME = re.compile(r"(?:\./)?([A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*)")
CLASSES = frozenset({"footnotes", "math block", "illustration", "center", "epigraph", "smallcaps"})
OUR_ID = re.compile(r"fn(ref)?[0-9]{1,5}(:[0-9]{1,5})?")
"""Ids of footnotes, the only ones that are left: others could take the place of the page's own."""
PERCENT = re.compile(r"(\)\{[^}\n]*?\bwidth=)([0-9.]{1,8}%)")
"""A width of an image as pandoc's Markdown has it, to be put in quotes."""
WIDTH = re.compile(r"[0-9]{1,2}%|100%|[0-9]{1,4}")
ALIGN = re.compile(r"left|right|center")
SPAN = re.compile(r"[0-9]{1,2}")
BOUNDED = {"id": OUR_ID, "width": WIDTH, "align": ALIGN, "colspan": SPAN, "rowspan": SPAN}
MAX_FORMULAS = 5_000
MAX_FORMULA = 4_000
"""Characters of a formula. Longer ones, and those after `MAX_FORMULAS`, are shown as they were written."""
PIXELS = {"px": 1.0, "pt": 1.333, "mm": 3.78, "cm": 37.8, "in": 96.0, "em": 17.0}
MEASURE = 640
"""Pixels of a line of text, of which an illustration beside it takes its part."""
_ILLUSTRATION = re.compile(
    r'<figure class="illustration">(?P<image>\s*<img [^>]*?style="width:\s*)(?P<part>[0-9]{1,3}(?:\.[0-9]{1,4})?)%"'
)
_STYLE = re.compile(r' style="(?:text-align:\s*(left|right|center);?|width:\s*([0-9.]{1,8})(%|px|pt|mm|cm|in|em);?)"')
_DRAFT = re.compile(
    r"<pre\b.*?</pre>|<code\b.*?</code>"
    r'|<span\s+class="math (?P<kind>inline|display)">\\[(\[](?P<formula>.*?)\\[)\]]</span>'
    r'|<a href="#[^"]*" data-reference-type="[^"]*"\s+data-reference="[^"]*">(?P<reference>.*?)</a>'
    r'|<figure[^>]*data-latex-placement="(?P<placement>[^"]*)"[^>]*>'
    r"|(?P<guillemet>&lt;&lt;|&gt;&gt;)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sample as it is printed beside its statement."""

    number: int
    input: str = ""
    output: str = ""
    interaction: str = ""
    """What both sides say, in place of input and output: `<` begins a line of the judge's, `>` one of the program's."""
    files: tuple[tuple[str, str], ...] = ()
    """Names and texts of files that the program finds beside its input."""

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
    """The statement in Markdown as HTML, samples where the author put them and the rest at the end.

    `image_address` gives the address of an image of the package, or None when the package has no such image.
    """
    filled = CONSTANT.sub(lambda found: _constant(found, constants), PERCENT.sub(r'\1"\2"', text))
    return _page(_markdown().render(filled), samples, image_address)


def render_tex(draft: str, *, samples: Sequence[Sample], image_address: Callable[[str], str | None]) -> SafeString:
    """The statement in TeX, of which `problems.package.tex` has made `draft`, as `render` gives one in Markdown."""
    formulas = _Formulas()

    def piece(found: re.Match[str]) -> str:
        if found["kind"]:
            made = formulas.made(unescape(found["formula"]), block=found["kind"] == "display")
            return f'<span class="math block">{made}</span>' if found["kind"] == "display" else made
        if found["reference"] is not None:
            return found["reference"]
        if found["placement"] is not None:
            return '<figure class="illustration">' if found["placement"] == "r" else "<figure>"
        if found["guillemet"]:
            return "«" if found["guillemet"] == "&lt;&lt;" else "»"
        return found[0]

    return _page(_ILLUSTRATION.sub(_beside, _DRAFT.sub(piece, draft)), samples, image_address)


def _page(draft: str, samples: Sequence[Sample], image_address: Callable[[str], str | None]) -> SafeString:
    return _place_samples(_clean(draft, image_address), list(samples))


_REACHABLE = (
    (r'<(div|span) class="math block">', r'<\1 class="math block" tabindex="0">'),
    (r"<pre>", r'<pre tabindex="0">'),
    (r"<table>", r'<div class="scroll" tabindex="0"><table>'),
    (r"</table>", r"</table></div>"),
    (r"<th([^>]*)></th>", r"<td\1></td>"),
)
"""What is wider than a phone moves in its own place, by keyboard too; a heading that says nothing is none."""


def _clean(draft: str, image_address: Callable[[str], str | None]) -> SafeString:
    prose = nh3.clean(
        _STYLE.sub(_as_attribute, draft),
        tags=set(PROSE | MATHML),
        attributes={
            "a": {"href", "title", "id"},
            "img": {"src", "alt", "title", "width"},
            "li": {"id"},
            "section": {"class"},
            "ol": {"start"},
            "div": {"class"},
            "span": {"class"},
            "figure": {"class"},
            "code": {"class"},
            "td": {"align", "colspan", "rowspan"},
            "th": {"align", "colspan", "rowspan"},
        }
        | {tag: set(MATHML_ATTRIBUTES) for tag in MATHML},
        attribute_filter=lambda tag, name, value: _attribute(tag, name, value, image_address),
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    prose = re.sub(r"<img (?![^>]*\balt=)", '<img alt="" ', prose.replace('alt="image"', 'alt=""'))
    for found, instead in _REACHABLE:
        prose = re.sub(found, instead, prose)
    return mark_safe(prose)  # noqa: S308 - cleaned


def render_chapters(text: str) -> tuple[SafeString, list[tuple[str, SafeString]]]:
    """Markdown without samples and images, such as a guide; and the anchor and heading of each of its chapters."""
    chapters: list[tuple[str, SafeString]] = []

    def anchored(found: re.Match[str]) -> str:
        anchor = f"chapter-{len(chapters) + 1}"
        chapters.append((anchor, mark_safe(found[1])))  # noqa: S308 - cleaned
        return f'<h2 id="{anchor}">{found[1]}</h2>'

    prose = re.sub(r"<h2>(.*?)</h2>", anchored, _clean(_markdown().render(text), lambda _name: None))
    return mark_safe(prose), chapters  # noqa: S308 - cleaned


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
    reader.use(attrs_plugin, after=("image",), allowed=("width",))
    formulas = _Formulas()
    return reader.use(
        dollarmath_plugin,
        allow_space=False,
        double_inline=True,
        renderer=lambda source, options: formulas.made(source, block=bool(options.get("display_mode"))),
    )


class _Formulas:
    """Makes the formulas of one statement MathML."""

    def __init__(self) -> None:
        self.left = MAX_FORMULAS

    def made(self, source: str, *, block: bool) -> str:
        self.left -= 1
        if self.left < 0 or len(source) > MAX_FORMULA:
            return f"<code>{escape(source)}</code>"
        try:
            return convert(source.replace("{aligned}", "{align*}"), display="block" if block else "inline")
        except TEX_ERRORS:
            return f"<code>{escape(source)}</code>"


def _beside(found: re.Match[str]) -> str:
    """An illustration with its width in pixels: what floats has no width of which it could take a part."""
    part = float(found["part"]) / 100
    kind = ' class="illustration"' if part <= 0.7 else ""
    return f'<figure{kind}>{found["image"]}{round(part * MEASURE)}px"'


def _as_attribute(found: re.Match[str]) -> str:
    """A style that means something as the attribute that means the same: styles are not let through."""
    if found[1]:
        return f' align="{found[1]}"'
    try:
        size = float(found[2])
    except ValueError:
        return ""
    return f' width="{round(size)}%"' if found[3] == "%" else f' width="{round(size * PIXELS[found[3]])}"'


def _constant(found: re.Match[str], constants: Mapping[str, str]) -> str:
    """A constant's value; what is no constant stays as it is, so that its author sees it."""
    return found[0] if found[1] in SAMPLE_WORDS else constants.get(found[1], found[0])


def _attribute(tag: str, name: str, value: str, image_address: Callable[[str], str | None]) -> str | None:
    if tag == "img" and name == "src":
        local = IMAGE_NAME.fullmatch(value)
        return image_address(local[1]) if local else None
    if name == "class":
        return value if value in CLASSES or (tag == "code" and value.startswith("language-")) else None
    pattern = BOUNDED.get(name) if tag not in MATHML else None
    return value if pattern is None or pattern.fullmatch(value) else None


def _place_samples(prose: str, waiting: list[Sample]) -> SafeString:
    def next_ones(found: re.Match[str]) -> str:
        taken = []
        for word in PLACEHOLDER.findall(found[0]):
            count = 1 if word == "nextsample" else len(waiting)
            taken += waiting[:count]
            del waiting[:count]
        return render_to_string("student/samples.html", {"samples": taken, "heading": False, "several": several})

    several = len(waiting) > 1
    placed = re.sub(rf"<p>\s*(?:{PLACEHOLDER.pattern}\s*(?:<br ?/?>\s*)?)+</p>", next_ones, prose)
    if waiting:
        placed += render_to_string("student/samples.html", {"samples": waiting, "heading": True, "several": several})
    return mark_safe(placed)  # noqa: S308 - cleaned above; samples come from a template that escapes
