"""What may become a case: the generators' arguments and the small inputs, changed in every way a mistake may need."""

from itertools import islice
from pathlib import Path

from judge.grading.job import ReadyCase
from judge.grading.strength.inputs import candidates
from problems.package.model import Provenance

LOOKED_AT = 200


def _case(folder: Path, text: str, made: Provenance | None = None) -> ReadyCase:
    path = folder / "1.in"
    path.write_text(text)
    return ReadyCase(name="secret/1", group="secret", input=path, answer=path, provenance=made)


def test_an_input_gets_numbers_of_the_other_sign_one_at_a_time_and_by_the_line(tmp_path: Path) -> None:
    texts = {one.case.input_text for one in islice(candidates([_case(tmp_path, "3\n1 5 2\n")], 1), LOOKED_AT)}
    assert b"3\n-1 -5 -2\n" in texts
    assert any(text.count(b"-") == 1 for text in texts if text is not None)
    back = {one.case.input_text for one in islice(candidates([_case(tmp_path, "3\n-1 -5 -2\n")], 1), LOOKED_AT)}
    assert b"3\n1 5 2\n" in back


def test_the_arguments_of_a_generator_get_them_too(tmp_path: Path) -> None:
    made = Provenance(generator="g.py", arguments=("5", "1", "100"), seed=None)
    lowest = [
        int(one.case.provenance.arguments[1])
        for one in islice(candidates([_case(tmp_path, "x" * 4_000, made)], 1), LOOKED_AT)
        if one.case.provenance is not None
    ]
    assert len(lowest) == LOOKED_AT
    assert 0 < sum(low < 0 for low in lowest) < LOOKED_AT / 4
