"""Every text in every language: of the pages in judge/locale/, of the problems in their packages."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import to_locale

from judge.web.told import Phrases
from problems.package.lesson import Lesson, Prose, Quiz, TraceBlock
from problems.package.model import Package
from problems.package.read import read
from problems.say import say
from tests.operations.conftest import ROOT

CODES = {"pt_BR": "pt-BR", "ro": "ro", "zh_Hans": "zh-CN"}
"""Folder in judge/locale/ -> how packages call the language."""
LOCALES = sorted(CODES)
PROBLEMS = sorted(path.parent.name for path in (ROOT / "problems/catalog").glob("*/problem.yaml"))
SAME = frozenset(
    {
        *("Palfrey", "CSV", "XLSX", "JSON", "ZIP", "PDF", "TeX", "Markdown", "Python", "OK", "ID", "uuid", "URL"),
        *("%(n)s s", "%(what)s: %(message)s", "%(place)s %(what)s", "%(name)s", "%(why)s.", "CPU", "Regex"),
        "`output_validator_args`: %(fault)s",
    }
)
"""What is written the same in every language."""
SAME_IN = {
    "pt_BR": frozenset(
        {"Total", "Final", "Status", "Editor", "Manual", "Normal", "Site", "Link", "Links", "h", "min", "%(n)d s"}
    ),
    "ro": frozenset(
        {
            "Total",
            "Final",
            "Status",
            "Editor",
            "Manual",
            "Normal",
            "Problem",
            "Cod",
            "Test",
            "Rol",
            "Student",
            "student",
            "h",
            "min",
            "%(n)d s",
            "Program",
            "start",
            "Link",
            "%(n)s conflict",
            "conflict",
            "Plan",
            "Verdict",
        }
    ),
    "zh_Hans": frozenset[str](),
}
"""What happens to be the same word."""
_PLACE = re.compile(r"%\(\w+\)[sd]|%%|\{\w+\}")
_TAG = re.compile(r"</?[a-z]\w*|&\w+;")
_MATHS = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
_HEADING = re.compile(r"^#+(?= )", re.MULTILINE)
_IMAGE = re.compile(r"!\[[^\]]*\]\(([^)]*)\)")
_LETTER = re.compile(r"[^\W\d_]")


def po(locale: str) -> polib.POFile:
    return polib.pofile(str(ROOT / "judge/locale" / locale / "LC_MESSAGES/django.po"))


def texts(entry: polib.POEntry) -> Iterator[tuple[str, str]]:
    """Each English text of an entry with its translation."""
    if not entry.msgid_plural:
        yield entry.msgid, entry.msgstr
    for number, translation in entry.msgstr_plural.items():
        yield entry.msgid if number == 0 else entry.msgid_plural, translation


def package(problem: str) -> Package:
    found = read(ROOT / "problems/catalog" / problem).package
    assert found is not None
    return found


def test_there_is_a_file_for_every_language_that_can_be_chosen() -> None:
    assert sorted(to_locale(code) for code, _name in settings.LANGUAGES if code != "en") == LOCALES


@pytest.mark.parametrize("locale", LOCALES)
def test_every_text_of_the_pages_is_translated(locale: str) -> None:
    wrong = []
    for entry in po(locale):
        for english, translation in texts(entry):
            if "fuzzy" in entry.flags or not translation.strip():
                wrong.append(f"not translated: {english}")
            elif (
                translation == english
                and _LETTER.search(_PLACE.sub("", english))
                and english not in SAME | SAME_IN[locale]
                and entry.msgctxt != "date"
            ):
                wrong.append(f"left in English: {english}")
    assert not wrong, "\n".join(wrong[:50])


@pytest.mark.parametrize("locale", LOCALES)
def test_translations_keep_values_tags_and_ends(locale: str) -> None:
    wrong = []
    for entry in po(locale):
        for english, translation in texts(entry):
            # One that counts may leave its number out, as English does: “once”, “o dată”.
            given, kept = set(_PLACE.findall(english)), set(_PLACE.findall(translation))
            missing = given - kept - (set(_PLACE.findall(entry.msgid)) ^ given if entry.msgid_plural else set())
            if entry.msgid_plural:
                missing -= {"%(n)d", "%(n)s", "%(counter)s"}
            allowed = given | set(_PLACE.findall(entry.msgid_plural or ""))
            if missing or kept - allowed or Counter(_TAG.findall(english)) != Counter(_TAG.findall(translation)):
                wrong.append(f"{english}\n    {translation}")
            elif (
                english[:1].isspace() != translation[:1].isspace()
                or english[-1:].isspace() != translation[-1:].isspace()
            ):
                wrong.append(f"begins or ends otherwise: {english!r}")
    assert not wrong, "\n".join(wrong[:50])


def test_the_files_hold_what_the_sources_say(tmp_path: Path) -> None:
    """`./palfrey makemessages` would change nothing."""
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "sandbox").symlink_to(ROOT / "sandbox")
    for name in ("judge", "problems"):
        left_out = shutil.ignore_patterns("__pycache__", "static", "catalog", "*.mo")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=left_out)
    environment = {"PALFREY_LOCAL": "1", "PALFREY_VAR": str(tmp_path / "var"), "PATH": "/usr/bin:/bin"}
    subprocess.run(
        [sys.executable, "manage.py", "makemessages"], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    for locale in LOCALES:
        made = polib.pofile(str(tmp_path / "judge/locale" / locale / "LC_MESSAGES/django.po"))
        now, kept = ({(one.msgctxt, one.msgid, one.msgid_plural) for one in file} for file in (made, po(locale)))
        assert not now ^ kept, f"run ./palfrey makemessages: {sorted(map(str, now ^ kept))[:20]}"


@pytest.mark.parametrize("locale", LOCALES)
def test_sentences_of_workers_are_found_again(locale: str) -> None:
    """Whatever `say` makes of a pattern is shown as its translation, with the values in it."""
    entries = [one for one in po(locale) if one.msgctxt in ("said", "case", "part")]
    parts = {one.msgid: one.msgstr for one in entries if one.msgctxt == "part"}
    phrases = Phrases({one.msgid: one.msgstr for one in entries if one.msgctxt != "part"}, parts, {})
    for one in entries:
        if one.msgctxt == "part":
            continue
        values = {name: 7 if kind == "d" else f"<{name}>" for name, kind in re.findall(r"%\((\w+)\)([sd])", one.msgid)}
        told = dict(values)
        if not _LETTER.search(_PLACE.sub("", one.msgid)):  # a frame is found by what is in it
            values[list(values)[-1]], told[list(values)[-1]] = "it is text", parts["it is text"]
        assert phrases.find(say("said", one.msgid, **values)) == say("said", one.msgstr, **told)


# Packages -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_statements_are_there_and_say_as_much(problem: str, locale: str) -> None:
    shown = package(problem)
    assert CODES[locale] in shown.statements
    assert shown.names[CODES[locale]].strip()
    english, other = (shown.statements[code].read_text(encoding="utf-8") for code in ("en", CODES[locale]))
    same_shape(english, other)
    assert other != english


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_lessons_are_there_and_show_the_same(problem: str, locale: str) -> None:
    lessons = package(problem).lessons
    assert ("en" in lessons) == (CODES[locale] in lessons)
    if "en" not in lessons:
        return
    english, other = lessons["en"], lessons[CODES[locale]]
    assert [type(part) for part in english.parts] == [type(part) for part in other.parts]
    for one, two in zip(english.parts, other.parts, strict=True):
        match one, two:
            case Prose(), Prose():
                same_shape(one.text, two.text)
            case TraceBlock(), TraceBlock():
                assert figure(one) == figure(two), f"line {two.line}"
                assert one.caption != two.caption
            case Quiz(), Quiz():
                assert len(one.choices) == len(two.choices), f"line {two.line}"
                assert one.choices.index(one.right) == two.choices.index(two.right), f"line {two.line}"
                assert (one.ask, one.because) != (two.ask, two.because)
    assert prose(english) != prose(other)


def prose(lesson: Lesson) -> str:
    return "\n".join(part.text for part in lesson.parts if isinstance(part, Prose))


def figure(block: TraceBlock) -> tuple[object, ...]:
    """All of a figure but its words."""
    choices = [(one.key, list(one.values), one.default, one.numeric, one.click) for one in block.choices]
    return block.runs, len(block.titles), choices, block.code, block.graph, block.last


def same_shape(english: str, other: str) -> None:
    """Headings, mathematics, images, samples, constants and tables are the same in both."""
    for pattern in (_HEADING, _IMAGE, re.compile(r"\{\{\w+\}\}"), re.compile(r"^\|", re.MULTILINE)):
        assert pattern.findall(english) == pattern.findall(other), pattern.pattern
    assert Counter(_MATHS.findall(english)) == Counter(_MATHS.findall(other))
    fences = [re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL) for text in (english, other)]
    assert len(fences[0]) == len(fences[1])


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_hints_and_messages_are_there(problem: str, locale: str) -> None:
    shown, code = package(problem), CODES[locale]
    for mutant in shown.mutants:
        assert code in mutant.hints, mutant.name
        english, other = (mutant.hints[one].read_text(encoding="utf-8") for one in ("en", code))
        assert other.strip(), mutant.name
        assert other != english, mutant.name
    messages = shown.messages[code]
    keys = [
        re.findall(r"^'((?:[^']|'')+)':", path.read_text(encoding="utf-8"), re.MULTILINE)
        for path in (ROOT / "problems/catalog" / problem / "palfrey").glob("messages.*.yaml")
    ]
    assert keys
    assert all(sorted(one) == sorted(keys[0]) for one in keys)
    assert {text.replace("''", "'") for text in keys[0]} == set(messages)  # those that are empty are not read
    for english, other in messages.items():
        assert set(_PLACE.findall(english)) == set(_PLACE.findall(other)), english
        assert english != other or english in SAME, english


USES = {"By": ("authors", "who did it"), "Name": ("account", "person", None), "Sent": ("when", "why judged")}
"""English word -> what else it stands for, by context."""


@pytest.mark.parametrize("text", USES)
def test_a_word_that_stands_for_several_things_is_several_texts(text: str) -> None:
    entries = [
        one for one in polib.pofile(str(ROOT / "judge/locale/zh_Hans/LC_MESSAGES/django.po")) if one.msgid == text
    ]
    assert {one.msgctxt for one in entries} == set(USES[text])
    assert len({one.msgstr for one in entries}) == len(entries)
