"""A mistake that no case finds out is told, with a case that would; complete cases leave none."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.grading.build import Built, build
from judge.grading.strength.measure import (
    CannotMeasure,
    Fate,
    Progress,
    Step,
    Strength,
    Tried,
    Wishes,
    measure_strength,
)
from judge.grading.strength.mutants import Origin
from judge.grading.verdict import Verdict
from problems.package.model import Package
from problems.package.read import read
from sandbox.contract import Sandbox
from tests.grading.folder import write_package
from tests.grading.kinds import write_kind

SIGN = 'n = int(input())\nif n > 0:\n    print("positive")\nelse:\n    print("not")\n'
CASES = "solution: /submissions/accepted/plus.py\ndata: {{secret: {{data: {{{}}}}}}}\n"
VALID = """import re
import sys

sys.exit(42 if re.fullmatch(r"(0|-?[1-9][0-9]?)\\n", sys.stdin.read()) else 43)
"""
FILES = {
    "data/sample/1.in": "12\n",
    "data/sample/1.ans": "positive\n",
    "generators/pair.py": "import sys\n\nprint(int(sys.argv[1]) - 10)\n",
    "generators/generators.yaml": CASES.format("one: pair.py 15, two: pair.py 2"),
    "input_validators/two.py": VALID,
    "submissions/accepted/plus.py": SIGN,
    "submissions/wrong_answer/minus.py": 'input()\nprint("positive")\n',
    "submissions/run_time_error/crash.py": "assert int(input()) > 0\nprint('positive')\n",
}
COMPLETE = {
    "generators/generators.yaml": CASES.format("one: pair.py 15, two: pair.py 2, zero: pair.py 10, 1: pair.py 11")
}


def _package(folder: Path, changes: Mapping[str, str] | None = None) -> Package:
    reading = read(write_package(folder, {**FILES, **(changes or {})}))
    assert reading.package is not None, reading.findings
    return reading.package


def _steps(package: Package, box: Sandbox, folder: Path, wishes: Wishes | None = None) -> list[Step]:
    *_, built = build(package, box, folder / "built")
    assert isinstance(built, Built)
    return list(measure_strength(package, built.cases, box, wishes=wishes))


def _strength(package: Package, box: Sandbox, folder: Path, wishes: Wishes | None = None) -> Strength:
    *_, last = _steps(package, box, folder, wishes)
    assert isinstance(last, Strength)
    return last


@pytest.fixture(scope="module")
def lacking(box: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    folder = tmp_path_factory.mktemp("lacking")
    return _steps(_package(folder), box, folder)


def _last(steps: list[Step]) -> Strength:
    assert isinstance(steps[-1], Strength)
    return steps[-1]


def test_mistakes_that_no_case_finds_out_are_told_with_line_and_difference(lacking: list[Step]) -> None:
    strength = _last(lacking)
    said = {one.mutant.said: one.mutant for one in strength.survivors}
    assert set(said) == {"“>” became “>=”", "“0” became “1”", "“0” became “-1”"}
    mutant = said["“>” became “>=”"]
    assert (mutant.line, mutant.name, mutant.origin) == (2, "plus.py", Origin.MADE)
    assert "-if n > 0:\n+if n >= 0:\n" in mutant.diff
    assert strength.solution == "submissions/accepted/plus.py"


def test_for_each_of_them_a_case_is_found(lacking: list[Step]) -> None:
    strength = _last(lacking)
    by_mutant = {one.mutant: one for one in strength.suggestions}
    wanted = {"“>” became “>=”": b"0\n", "“0” became “1”": b"1\n", "“0” became “-1”": b"0\n"}
    for one in strength.survivors:
        suggestion = by_mutant[one.mutant.id]
        assert suggestion.input == wanted[one.mutant.said]
        assert suggestion.verdict == Verdict.WRONG_ANSWER
        assert suggestion.shown == suggestion.input.decode()
        if suggestion.command:
            assert suggestion.command == f"pair.py {int(suggestion.input) + 10}"
    assert strength.searched.valid > 0
    assert strength.searched.cpu_seconds < 20
    assert strength.disagreement is None


def test_every_mutant_is_a_step_and_a_row_of_the_matrix(lacking: list[Step]) -> None:
    strength = _last(lacking)
    tried = [step for step in lacking if isinstance(step, Tried)]
    assert sorted(one.mutant.id for one in tried) == sorted(one.mutant.id for one in strength.tried)
    rows = {one.mutant.said or one.mutant.name: one for one in strength.tried}
    assert rows["wrong_answer/minus.py"].killers == ("secret/two",)
    assert rows["wrong_answer/minus.py"].mutant.origin == Origin.EXAMPLE
    assert rows["run_time_error/crash.py"].verdicts["secret/two"] == Verdict.RUN_TIME_ERROR
    assert rows["“>” became “<=”"].fate == Fate.KILLED
    assert rows["“>” became “<=”"].verdicts == dict.fromkeys(strength.cases, Verdict.WRONG_ANSWER)
    assert rows["“>” became “>=”"].verdicts == dict.fromkeys(strength.cases, Verdict.ACCEPTED)
    assert strength.score == pytest.approx(strength.killed / (strength.killed + 3))


def test_progress_grows_to_its_total(lacking: list[Step]) -> None:
    steps = [step for step in lacking if isinstance(step, Progress)]
    assert [one.done for one in steps] == sorted(one.done for one in steps)
    assert all(one.done <= one.total for one in steps)
    assert steps[-1].done == steps[-1].total


def test_cases_that_could_go_and_the_fewest_that_are_needed(lacking: list[Step]) -> None:
    strength = _last(lacking)
    # The print of each answer can be left out, so one case of each is needed, and the sample is like the first.
    assert len(strength.smallest.cases) == 2
    assert strength.smallest.exact
    assert "secret/two" in strength.smallest.cases
    assert set(strength.adds_nothing) == {"sample/1", "secret/one"}


def test_complete_cases_leave_no_survivor(box: Sandbox, tmp_path: Path) -> None:
    strength = _strength(_package(tmp_path, COMPLETE), box, tmp_path)
    assert strength.survivors == ()
    assert strength.suggestions == ()
    assert strength.score == 1.0
    assert strength.searched.valid == 0
    assert {"secret/zero", "secret/1"} <= set(strength.smallest.cases)


def test_what_is_equivalent_gets_no_case_within_the_budget(box: Sandbox, tmp_path: Path) -> None:
    changes = {**COMPLETE, "submissions/accepted/plus.py": SIGN.replace("n > 0", "max(n, 0) > 0")}
    strength = _strength(_package(tmp_path, changes), box, tmp_path, Wishes(suggest_seconds=0.5))
    assert ["“0” became “-1”" in one.mutant.said for one in strength.survivors] == [True]
    assert strength.suggestions == ()
    assert 0.5 <= strength.searched.cpu_seconds < 3


def test_a_package_without_generators_has_its_inputs_changed(box: Sandbox, tmp_path: Path) -> None:
    changes = {
        "generators/generators.yaml": "data: {secret: {data: {one: {in: '5'}, two: {in: '-8'}}}}\n",
    }
    strength = _strength(_package(tmp_path, changes), box, tmp_path)
    assert {one.input for one in strength.suggestions} == {b"0\n", b"1\n"}
    assert {one.command for one in strength.suggestions} == {""}
    assert all(one.like for one in strength.suggestions)


def test_mutants_without_end_are_stopped_by_a_tight_limit_and_not_run_on(box: Sandbox, tmp_path: Path) -> None:
    loop = 'n = int(input())\nwhile n > 3:\n    n -= 1\nprint("positive" if n > 0 else "not")\n'
    changes = {**COMPLETE, "submissions/accepted/plus.py": loop}
    strength = _strength(_package(tmp_path, changes), box, tmp_path, Wishes(suggest_seconds=0))
    endless = next(one for one in strength.tried if one.mutant.said == "“n -= 1” is left out")
    assert endless.verdicts[endless.killers[-1]] == Verdict.TIME_LIMIT_EXCEEDED
    assert len(endless.verdicts) < len(strength.cases)
    assert endless.fate == Fate.KILLED_BY_TIME


def test_what_does_not_compile_or_is_compiled_to_the_same_counts_for_nothing(box: Sandbox, tmp_path: Path) -> None:
    head = '#include <cstdio>\nint main() { int n; scanf("%d", &n); char *p = 0; '
    text = head + 'puts(n > 0 && n > -5 ? "positive" : "not"); }\n'
    changes = {**COMPLETE, "submissions/accepted/a.cpp": text}
    strength = _strength(_package(tmp_path, changes), box, tmp_path, Wishes(solution="a.cpp", suggest_seconds=0))
    assert strength.solution == "submissions/accepted/a.cpp"
    fates = {(one.mutant.said, one.fate) for one in strength.tried if one.mutant.line == 2}
    assert ("“>” became “>=”", Fate.KILLED) in fates
    assert ("“0” became “1”", Fate.NOT_COMPILED) in fates  # where it is a pointer
    assert ("“-5” became “-6”", Fate.EQUIVALENT) in fates
    uncounted = strength.count(Fate.NOT_COMPILED) + strength.count(Fate.EQUIVALENT)
    assert strength.killed + uncounted + len(strength.survivors) == len(strength.tried)


def test_as_many_are_made_as_are_asked_for(box: Sandbox, tmp_path: Path) -> None:
    package = _package(tmp_path)
    made = [
        [one.mutant.id for one in _strength(package, box, tmp_path, Wishes(mutants=4, suggest_seconds=0)).tried]
        for _ in range(2)
    ]
    assert made[0] == made[1]
    assert len(made[0]) == 4 + 2


def test_without_time_nothing_is_tried_and_nothing_said(box: Sandbox, tmp_path: Path) -> None:
    strength = _strength(_package(tmp_path), box, tmp_path, Wishes(mutants=3, most_seconds=0, suggest_seconds=5))
    assert {one.fate for one in strength.tried} == {Fate.NOT_TRIED}
    assert strength.score is None


def test_a_checker_that_fails_on_a_mutant_is_told(box: Sandbox, tmp_path: Path) -> None:
    check = (
        "import sys\n\noutput = sys.stdin.read().split()\nright = open(sys.argv[2]).read().split()\n"
        "sys.exit(42 if output[0] == right[0] else 43)\n"
    )
    package = _package(tmp_path, {**COMPLETE, "output_validator/check.py": check})
    strength = _strength(package, box, tmp_path, Wishes(suggest_seconds=0))
    silent = [one for one in strength.tried if one.mutant.said == '“print("not")” is left out']
    assert [one.fate for one in silent] == [Fate.FAULT]
    assert "IndexError" in next(iter(silent[0].notes.values()))
    assert silent[0].killers == ()


def test_two_right_solutions_that_do_not_agree_are_told(box: Sandbox, tmp_path: Path) -> None:
    """Then no mutant matters any more: one of the two is not right."""
    changes = {
        "submissions/accepted/plus.py": "print('positive' if int(input()) > 0 else 'not')\n",
        "submissions/accepted/zero.py": SIGN.replace("> 0", ">= 0"),
    }
    strength = _strength(_package(tmp_path, changes), box, tmp_path, Wishes(mutants=4, solution="zero.py"))
    assert strength.disagreement is not None
    assert strength.disagreement.shown == "0\n"
    assert "wrong_answer" in strength.disagreement.note


def test_programs_that_talk_are_measured_too(box: Sandbox, tmp_path: Path) -> None:
    reading = read(write_kind(tmp_path, "guess"))
    assert reading.package is not None, reading.findings
    strength = _strength(reading.package, box, tmp_path, Wishes(mutants=6, suggest_seconds=2))
    assert strength.killed >= 3
    rows = {one.mutant.name: one for one in strength.tried}
    assert rows["wrong_answer/always.py"].fate in (Fate.KILLED, Fate.KILLED_BY_TIME)


def test_answers_cannot_be_measured(box: Sandbox, tmp_path: Path) -> None:
    reading = read(write_kind(tmp_path, "squares"))
    assert reading.package is not None, reading.findings
    with pytest.raises(CannotMeasure, match="no programs"):
        _strength(reading.package, box, tmp_path)


def test_no_such_solution(box: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(CannotMeasure, match="no accepted example"):
        _strength(_package(tmp_path), box, tmp_path, Wishes(solution="b.cpp"))
