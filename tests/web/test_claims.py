"""What a program said, in the picture of what should happen: every kind has its sentence and its mark."""

import re

import pytest
from django.conf import settings
from django.utils.translation import override

from judge.lessons.queries import packed
from judge.web.lesson.drawing import draw
from judge.web.lesson.figure import _drawn
from judge.web.told import Phrases
from problems.package.trace import parse
from tests.problems.package.test_trace import CLAIMS, KINDS, Line, printed

SENTENCES = {
    "distance": "Your program says 2",
    "count": "Your program says 4, and there are 3.",
    "none": "Your program says that there is no way",
    "longer": "takes 3 steps where 1 are enough.",
    "start": "Your program begins at b3, and the start is a1.",
    "end": "The way of your program ends at (1,0), and the goal is (2,1).",
    "wall": "Step 2 of your program walks through the south wall of (1,0).",
    "outside": "Step 1 of your program leaves the board from (0,0).",
    "step": "which is no step that may be made.",
    "twice": "Your program visits a1 twice: as number 1 and as number 3.",
    "short": "Your program visits 2 of 9 places.",
    "number": "Your program puts the number 0 on a1; numbers go from 1 to 9.",
    "same": "Your program puts the number 1 on two places: a1 and b3.",
    "other": "Odd.",
}


@pytest.mark.parametrize("lines", CLAIMS, ids=KINDS)
def test_every_kind_is_drawn_and_said(lines: tuple[Line, ...]) -> None:
    trace = parse(printed(*lines))
    drawn = draw(trace, graph=True)
    last = lines[-1]
    assert isinstance(last, dict)
    assert SENTENCES[str(last["wrong"])] in drawn.sentences[-1]
    assert "%(" not in drawn.sentences[-1]
    assert drawn.claimed
    assert [frame.get("w") for frame in drawn.data["frames"]] == [0, *[None] * (len(drawn.sentences) - 2), 1]
    marks = re.search(r'<g class="claim" data-claim>(.*?)</g>', drawn.picture)
    assert marks is not None
    assert ("claim-cross" in marks[1]) == (last["wrong"] not in ("count", "none", "longer", "short"))


@pytest.mark.parametrize("lines", CLAIMS, ids=KINDS)
def test_every_kind_is_marked_in_every_language(lines: tuple[Line, ...]) -> None:
    kept = packed(printed(*lines))
    for language, _ in settings.LANGUAGES:
        with override(language):
            drawn = _drawn(kept, False, language, Phrases({}, {}, {"n": "m", "Odd.": "Ciudat."}))
        assert drawn.claimed, language
        assert "%(" not in drawn.sentences[-1]
        assert "Odd." not in drawn.sentences[-1]


def test_a_claim_that_does_not_fit_leaves_the_picture_without_it() -> None:
    lines = CLAIMS[KINDS.index("count")]
    drawn = _drawn(packed(printed(*lines[:-1], {**lines[-1], "said": 3})), False, "en", Phrases({}, {}, {}))  # type: ignore[dict-item]
    assert drawn.sentences
    assert not drawn.claimed


def test_without_a_program_nothing_is_marked() -> None:
    lines = [line for line in CLAIMS[0] if not isinstance(line, dict) or line.get("do") != "claim"]
    drawn = draw(parse(printed(*lines)), graph=False)
    assert not drawn.claimed
    assert "data-claim" not in drawn.picture


def test_the_frame_of_a_cell_does_not_look_like_its_walls() -> None:
    picture = draw(parse(printed(*CLAIMS[KINDS.index("end")])), graph=False).picture
    ground, frame = (
        re.search(rf'class="{kind}" x="([\d.]+)" y="[\d.]+" width="(\d+)"', picture) for kind in ("c", "f")
    )
    assert ground is not None
    assert frame is not None
    assert float(frame[1]) - float(ground[1]) > 6
    assert int(ground[2]) - int(frame[2]) > 12
