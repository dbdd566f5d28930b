"""What a page says of a counterexample, as a beginner reads it: nothing that leads him astray."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser

from judge.feedback.parts import Parts
from judge.submissions.models import Submission
from judge.web.student import feedback as page
from judge.web.student.feedback import Shown
from tests.feedback.catalog import CATALOG

HINT = {"en": CATALOG / "maze" / "palfrey" / "mutants" / "backwards" / "hint.en.md"}
FOUND: Mapping[str, Any] = {
    "tried": 1,
    "of": 1,
    "wrong": None,
    "smallest": True,
    "spent": False,
    "found": True,
    "verdict": "wrong_answer",
    "input": "1\n",
    "answer": "2\n",
    "output": "",
    "stderr": "",
    "cpu_seconds": 0.1,
    "note": "",
    "said": "",
    "mistake": "",
    "crash": None,
}


def told(*, hints: Mapping[str, Any] | None = None, **found: object) -> Shown:
    """The page's words for a counterexample with these facts."""
    sent = Submission(language="python3", files=[{"name": "main.py", "digest": "0" * 64}])
    seen = Parts(counterexample={**FOUND, **found}, looked=FOUND, hints=hints or {})
    return page._told(AnonymousUser(), sent, seen)  # noqa: SLF001


def happened(**facts: Any) -> str:
    sentence = told(**facts).happened
    assert sentence is not None
    return sentence.text


def test_a_known_mistake_leaves_no_room_for_a_guess() -> None:
    for mistake, guess in (("nothing_printed", "Does it come to"), ("cut_short", "last part of the input")):
        assert guess in happened(mistake=mistake, said="line 1: wrong")
        assert happened(mistake=mistake, said="line 1: wrong", hints=HINT) == ""
