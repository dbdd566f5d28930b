"""What the editor says by itself, mostly in its panel for searching, in the reader's language."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

WORDS: Mapping[str, Promise] = {
    "Find": pgettext_lazy("editor", "Find"),
    "Replace": pgettext_lazy("editor", "Replace"),
    "next": pgettext_lazy("editor", "next"),
    "previous": pgettext_lazy("editor", "previous"),
    "all": pgettext_lazy("editor", "all"),
    "match case": pgettext_lazy("editor", "match case"),
    "regexp": pgettext_lazy("editor", "regexp"),
    "by word": pgettext_lazy("editor", "by word"),
    "replace": pgettext_lazy("editor", "replace"),
    "replace all": pgettext_lazy("editor", "replace all"),
    "close": pgettext_lazy("editor", "close"),
    "current match": pgettext_lazy("editor", "current match"),
    "on line": pgettext_lazy("editor", "on line"),
    "replaced match on line $": pgettext_lazy("editor", "replaced match on line $"),
    "replaced $ matches": pgettext_lazy("editor", "replaced $ matches"),
    "Go to line": pgettext_lazy("editor", "Go to line"),
    "go": pgettext_lazy("editor", "go"),
    "Selection deleted": pgettext_lazy("editor", "Selection deleted"),
}
"""What CodeMirror calls it (`EditorState.phrases`) -> the same; `$` stands for a number."""
