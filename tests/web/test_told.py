"""What a worker or a checker said in English, shown in another language."""

import re

import polib
import pytest
from django.utils.translation import override

from judge.grading.explain import RIGHT_SO_FAR
from judge.grading.perturbations import PERTURBATIONS
from judge.web.told import Phrases, figure, grouped, tell
from problems.say import say
from tests.operations.conftest import ROOT

OURS = {
    "printed a wrong answer.": "tipărit greșit.",
    "took %(cpu)s of CPU; the limit is %(limit)s.": "a durat %(cpu)s, limita este %(limit)s.",
    "crashed: %(what)s.": "a căzut: %(what)s.",
    "ended with %(what)s.": "s-a încheiat cu %(what)s.",
    "What it had printed until then was right; only its end was wrong.": "Până atunci era corect.",
    "All %(number)d cases are right.": "Toate cele %(number)d sunt corecte.",
    "changed %(what)s": "a schimbat: %(what)s",
    "%(where)s: %(fault)s": "%(where)s: %(fault)s",
}
PARTS = {
    "Case %(number)d of %(all)d": "Cazul %(number)d din %(all)d",
    "(pass %(number)d)": "(trecerea %(number)d)",
    "it touched memory": "a atins memoria",
    "an uncaught %(name)s": "un %(name)s neprins",
    "%(what)s on line %(line)d of %(file)s": "%(what)s la linia %(line)d din %(file)s",
}
THEIRS = {
    "line {n}: {what}": "linia {n}: {what}",
    "the number is wrong": "numărul e greșit",
    "{x}": "orice",
    "{at} is visited twice": "{at} apare de două ori",
}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Case 4 of 12 printed a wrong answer.", "Cazul 4 din 12 tipărit greșit."),
        ("Case 4 of 12 (pass 2) printed a wrong answer.", "Cazul 4 din 12 (trecerea 2) tipărit greșit."),
        ("Case 4 of 12 crashed: it touched memory.", "Cazul 4 din 12 a căzut: a atins memoria."),
        ("Case 4 of 12 crashed: by magic.", "Cazul 4 din 12 a căzut: by magic."),
        (
            f"Case 1 of 1 ended with an uncaught IndexError on line 3 of main.py.{RIGHT_SO_FAR}",
            "Cazul 1 din 1 s-a încheiat cu un IndexError neprins la linia 3 din main.py. Până atunci era corect.",
        ),
        (
            "Case 4 of 12 printed a wrong answer: line 3: the number is wrong",
            "Cazul 4 din 12 tipărit greșit: linia 3: numărul e greșit",
        ),
        ("Case 4 of 12 printed a wrong answer: what it wants", "Cazul 4 din 12 tipărit greșit: what it wants"),
        (
            "Case 4 of 12 printed a wrong answer: e4 is visited twice",
            "Cazul 4 din 12 tipărit greșit: e4 apare de două ori",
        ),
        ("line 3: the number is wrong", "linia 3: numărul e greșit"),
        ("sample/1: the number is wrong", "sample/1: numărul e greșit"),
        ("Case 4 of 12 took 1.30 s of CPU; the limit is 1 s.", "Cazul 4 din 12 a durat 1,30 s, limita este 1 s."),
        ("All 12 cases are right.", "Toate cele 12 sunt corecte."),
        ("All 12 cases are right.\nTraceback", "Toate cele 12 sunt corecte.\nTraceback"),
        ("it touched memory", "a atins memoria"),
        ("changed it touched memory, an uncaught X", "a schimbat: a atins memoria, un X neprins"),
        ("changed it touched memory, something", "a schimbat: it touched memory, something"),
        ("All twelve cases are right.", None),
        ("Something new.", None),
    ],
)
def test_sentences_are_found_by_their_patterns(said: str, shown: str | None) -> None:
    with override("ro"):
        assert Phrases(OURS, PARTS, THEIRS).find(said) == shown


def test_every_pattern_of_the_judge_is_found_again_and_no_other() -> None:
    """Of all there are: each is marked with its number, and found by what `say` makes of it."""
    entries = polib.pofile(str(ROOT / "judge/locale/ro/LC_MESSAGES/django.po"))
    ours = [one.msgid for one in entries if one.msgctxt in ("said", "case")]
    parts = [one.msgid for one in entries if one.msgctxt == "part"]
    phrases = Phrases({text: f"{number}" for number, text in enumerate(ours)}, dict.fromkeys(parts, "part"), {})
    assert len(ours) > 50
    for number, text in enumerate(ours):
        values = {name: 7 if kind == "d" else f"<{name}>" for name, kind in re.findall(r"%\((\w+)\)([sd])", text)}
        if not re.search(r"[^\W\d_]", re.sub(r"%\(\w+\)[sd]", "", text)):  # a frame is found by what is in it
            values[list(values)[-1]] = "it is text"
        assert phrases.find(say("said", text, **values)) == f"{number}", text


def test_a_long_text_is_looked_at_in_no_time() -> None:
    phrases = Phrases(OURS, PARTS, THEIRS)
    assert phrases.find("line 3: " * 400 + ". " * 400) is not None
    assert phrases.find("printed a wrong answer. " * 150 + "Or not.") is not None
    assert phrases.find("took of CPU; the limit is " * 150) is None


def test_english_stays_as_it_was_said() -> None:
    with override("en"):
        assert tell("Case 1 of 2 printed a wrong answer.") == "Case 1 of 2 printed a wrong answer."


MEND = "A student who prints this gets a judge error. Mend it: it must end with 43."
LINE = "Mend it or its line in generators.yaml."


@pytest.mark.parametrize("language", ["pt-br", "ro", "zh-hans"])
def test_what_is_said_at_the_desk_and_in_the_log(language: str) -> None:
    """No English is left but names, and what programs of others have printed."""
    english = [
        *(one.words for one in PERTURBATIONS),
        f"The checker fails on 2 of 3 cases: no newline at the end. {MEND}",
        f"The checker fails on every case: all in upper case. {MEND}",
        "“>” became “>=”",
        "“x += 1” is left out",
        f"x cannot be published. secret/1: the generator `a.py 3` ended with exit code 1. {LINE}\nTraceback",
        "changed role student → assistant, section → B, out of the course",
        "applied a list of people: 3 added, 1 left",
        "changed the assignment Graphs: deadline: 2099-07-02 08:00 EEST → 2099-07-03 08:00 EEST, points of it: 10 → 7",
        "Tours: deadline 2026-12-01 12:00 UTC, exempt, 2 more attempts, because of 7",
        "Tours, maze: what is computed holds again, because it was",
    ]
    with override(language):
        for text in english:
            told = tell(text)
            assert told != text
            left = re.findall(r"\b(?:the|of|is|at|end|cases|became|role|more|because|cannot|ended|add|out)\b", told)
            assert left in ([], ["of"]), (text, told)


def test_numbers_have_the_signs_of_the_language() -> None:
    with override("pt-br"):
        assert (figure(1.25, 2), grouped(1735079)) == ("1,25", "1.735.079")
    with override("en"):
        assert (figure(1.25, 2), grouped(1735079)) == ("1.25", "1,735,079")
