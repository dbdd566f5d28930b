"""Points, as the format adds them up: exact, and no more than there are."""

from dataclasses import replace
from fractions import Fraction

import pytest

from judge.grading.check import Checked
from judge.grading.grade import report
from judge.grading.job import CaseResult
from judge.grading.score import Judged, Needless, ScoreFault, Scoring
from judge.grading.verdict import Verdict
from problems.package.model import Aggregation, Package, ProblemType, TestGroup

SUM, MIN, ALL = Aggregation.SUM, Aggregation.MIN, Aggregation.PASS_FAIL
AC, WA, TLE, JE = (
    Verdict.ACCEPTED,
    Verdict.WRONG_ANSWER,
    Verdict.TIME_LIMIT_EXCEEDED,
    Verdict.JUDGE_ERROR,
)


def scoring(plus: Package, groups: list[TestGroup], cases: list[str], *, scored: bool = True) -> Scoring:
    types = frozenset({ProblemType.SCORING if scored else ProblemType.PASS_FAIL})
    return Scoring(replace(plus, types=types, groups=tuple(groups)), cases)


def group(
    name: str, aggregation: Aggregation, max_score: int | None = None, require: tuple[str, ...] = ()
) -> TestGroup:
    return TestGroup(name=name, aggregation=aggregation, max_score=max_score, require_pass=require)


def total(rules: Scoring, cases: list[tuple[str, Verdict | None]]) -> Fraction:
    judged = []
    for name, verdict in cases:
        points = rules.case_points(name, Checked(verdict=verdict)) if verdict else Fraction(0)
        judged.append(Judged(group=name, verdict=verdict, points=points))
    return rules.points(judged)


THREE = [group("secret", SUM, 100), *(group(f"secret/{name}", SUM, 33 + (name == "c")) for name in "abc")]


@pytest.mark.parametrize(
    ("groups", "cases", "points"),
    [
        ([group("secret", SUM, 100)], [("secret", AC)] * 3, 100),
        ([group("secret", SUM, 100)], [("secret", AC)] * 7, 100),
        ([group("secret", SUM, 100)], [("secret", AC), ("secret", AC), ("secret", WA)], Fraction(200, 3)),
        ([group("secret", SUM, 100)], [("sample", WA), ("secret", AC)], 100),
        ([group("secret", MIN, 100)], [("secret", AC)] * 3, 100),
        ([group("secret", MIN, 100)], [("secret", AC), ("secret", WA)], 0),
        ([group("secret", ALL, 100)], [("secret", AC)] * 3, 100),
        ([group("secret", ALL, 100)], [("secret", AC), ("secret", None)], 0),
        (THREE, [(f"secret/{name}", AC) for name in "aaabbbccc"], 100),
        (THREE, [("secret/a", AC), ("secret/b", WA), ("secret/c", AC)], 67),
        (
            [group("secret", SUM, 300), *(group(f"secret/{name}", ALL, 100) for name in "abc")],
            [("secret/a", AC), ("secret/a", WA), ("secret/b", AC), ("secret/c", AC)],
            200,
        ),
        (
            [group("secret", MIN, 50), group("secret/a", SUM, 50), group("secret/b", SUM, 50)],
            [("secret/a", AC), ("secret/b", AC), ("secret/b", WA)],
            25,
        ),
        (
            [group("secret", ALL, 60), group("secret/a", ALL), group("secret/b", ALL)],
            [("secret/a", AC), ("secret/b", AC)],
            60,
        ),
    ],
)
def test_points(
    groups: list[TestGroup], cases: list[tuple[str, Verdict | None]], points: Fraction | int, plus: Package
) -> None:
    rules = scoring(plus, groups, [name for name, _ in cases])
    assert total(rules, cases) == points
    assert rules.out_of() == groups[0].max_score


def test_three_thirds_are_exactly_the_whole(plus: Package) -> None:
    rules = scoring(plus, [group("secret", SUM, 100)], ["secret"] * 3)
    assert rules.case_points("secret", Checked(verdict=AC)) == Fraction(100, 3)
    assert total(rules, [("secret", AC)] * 3) == 100


@pytest.mark.parametrize(("cases", "points"), [([], 0), ([("secret", AC)], 100), ([("sample", WA), ("secret", AC)], 0)])
def test_a_pass_fail_problem_is_all_or_nothing(
    cases: list[tuple[str, Verdict | None]], points: int, plus: Package
) -> None:
    rules = scoring(plus, [group("secret", SUM)], [name for name, _ in cases], scored=False)
    assert total(rules, cases) == points
    assert rules.out_of() == 100


def test_an_empty_group_never_scores(plus: Package) -> None:
    groups = [group("secret", SUM, 100), group("secret/a", ALL, 70), group("secret/b", ALL, 30)]
    assert total(scoring(plus, groups, ["secret/a"]), [("secret/a", AC)]) == 70
    assert total(scoring(plus, groups, ["secret/a"]), [("secret/a", WA)]) == 0


def test_scores_of_the_validator(plus: Package) -> None:
    rules = scoring(plus, [group("secret", SUM, 10)], ["secret"] * 4)
    half = Checked(verdict=AC, multiplier=Fraction(1, 2))
    assert rules.case_points("secret", half) == Fraction(5, 4)
    assert rules.case_points("secret", Checked(verdict=AC, score=Fraction("2.5"))) == Fraction(5, 2)
    assert rules.case_points("sample", Checked(verdict=AC, score=Fraction(7))) == 0
    with pytest.raises(ScoreFault, match="at most 5/2"):
        rules.case_points("secret", Checked(verdict=AC, score=Fraction("2.51")))


def test_an_unbounded_group_needs_a_score(plus: Package) -> None:
    rules = scoring(plus, [group("secret", SUM)], ["secret"])
    assert rules.case_points("secret", Checked(verdict=AC, score=Fraction(12345))) == 12345
    assert rules.out_of() == 0
    for checked in (Checked(verdict=AC), Checked(verdict=AC, multiplier=Fraction(1))):
        with pytest.raises(ScoreFault, match=r"score\.txt"):
            rules.case_points("secret", checked)


def test_a_score_where_all_or_nothing_holds_is_the_authors_fault(plus: Package) -> None:
    rules = scoring(plus, [group("secret", SUM, 100), group("secret/a", ALL, 100)], ["secret/a"])
    with pytest.raises(ScoreFault, match="all or nothing"):
        rules.case_points("secret/a", Checked(verdict=AC, score=Fraction(1)))


def test_a_sum_above_the_highest_score_is_the_authors_fault(plus: Package) -> None:
    groups = [group("secret", SUM, 100), group("secret/a", ALL, 70), group("secret/b", ALL, 70)]
    rules = scoring(plus, groups, ["secret/a", "secret/b"])
    with pytest.raises(ScoreFault, match="came to 140 points"):
        total(rules, [("secret/a", AC), ("secret/b", AC)])


@pytest.mark.parametrize(
    ("aggregation", "scored", "seen", "skips"),
    [
        (SUM, True, TLE, False),
        (MIN, True, TLE, True),
        (ALL, True, TLE, True),
        (MIN, True, WA, False),
        (SUM, False, TLE, True),
        (ALL, False, JE, False),
    ],
)
def test_what_is_left_out(aggregation: Aggregation, scored: bool, seen: Verdict, skips: bool, plus: Package) -> None:
    rules = scoring(plus, [group("secret", aggregation, 100)], ["secret"] * 2, scored=scored)
    needless = Needless(rules, run_everything=False)
    needless.saw("secret", seen)
    assert (needless.reason("secret") is not None) == skips
    everything = Needless(rules, run_everything=True)
    everything.saw("secret", seen)
    assert everything.reason("secret") is None


def test_a_failure_by_time_closes_its_group_and_no_other(plus: Package) -> None:
    groups = [group("secret", SUM, 100), group("secret/a", ALL, 50), group("secret/b", ALL, 50)]
    needless = Needless(scoring(plus, groups, ["secret/a", "secret/b"]), run_everything=False)
    needless.saw("sample", TLE)
    assert needless.reason("secret/a") is None
    needless.saw("secret/a", TLE)
    assert needless.reason("secret/a")
    assert needless.reason("secret/b") is None


def test_in_a_pass_fail_problem_it_closes_everything_secret(plus: Package) -> None:
    groups = [group("secret", ALL), group("secret/a", ALL), group("secret/b", ALL)]
    needless = Needless(scoring(plus, groups, ["secret/a", "secret/b"], scored=False), run_everything=False)
    needless.saw("secret/a", TLE)
    assert needless.reason("secret/b")


@pytest.mark.parametrize("required", ["a", "secret/a"])
def test_require_pass(required: str, plus: Package) -> None:
    groups = [
        group("sample", ALL),
        group("secret", SUM, 100, require=("sample",)),
        group("secret/a", ALL, 40),
        group("secret/b", ALL, 60, require=(required,)),
    ]
    rules = scoring(plus, groups, ["sample", "secret/a", "secret/b"])
    needless = Needless(rules, run_everything=False)
    needless.saw("sample", AC)
    assert needless.reason("secret/a") is None
    needless.saw("secret/a", WA)
    assert "secret/a is right" in (needless.reason("secret/b") or "")
    failed = Needless(rules, run_everything=False)
    failed.saw("sample", WA)
    assert "sample is right" in (failed.reason("secret/a") or "")


def test_an_empty_group_gives_nobody_its_points(plus: Package) -> None:
    groups = [group("secret", SUM, 100), group("secret/a", SUM, 70), group("secret/empty", ALL, 30)]
    rules = scoring(plus, groups, ["secret/a", "secret/a"])
    assert total(rules, [("secret/a", WA), ("secret/a", WA)]) == 0
    assert total(rules, [("secret/a", AC), ("secret/a", AC)]) == 70


def test_all_right_is_not_said_of_what_has_not_all_points(plus: Package) -> None:
    package = replace(plus, types=frozenset({ProblemType.SCORING}), groups=(group("secret", SUM, 100),))
    rules = Scoring(package, ["secret", "secret"])

    def note(points: int) -> str:
        case = CaseResult(
            name="secret/1", group="secret", verdict=AC, cpu_seconds=0, cpu_range=None, wall_seconds=0, memory_bytes=0,
            points=Fraction(points), note="", judge_note="",
        )  # fmt: skip
        return report(package, rules, [case, case]).note

    assert note(50) == "All 2 cases are right."
    assert note(30) == "60 of 100 points: every case was accepted, but not each with all its points."
