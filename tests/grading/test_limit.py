"""The time limit of a package that states none, by the rule of the format."""

from decimal import Decimal
from fractions import Fraction

import pytest

from judge.grading.job import CaseResult, Report
from judge.grading.limit import NoTimeLimit, margins, propose
from judge.grading.verdict import Verdict
from judge.grading.verify import Verified
from problems.package.model import Example, Limits, Program

AC, WA, TLE = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT_EXCEEDED


def ran(name: str, *cases: tuple[float, Verdict], below: bool = False, above: bool = False) -> Verified:
    example = Example(
        program=Program(name=name, files={}), folder="accepted", language=None,
        permitted=frozenset(), required=frozenset(), bounds_time_from_below=below, bounds_time_from_above=above,
    )  # fmt: skip
    results = tuple(
        CaseResult(
            name=f"secret/{number}", group="secret", verdict=verdict, cpu_seconds=seconds, cpu_range=None,
            wall_seconds=seconds, memory_bytes=0, points=Fraction(0), note="", judge_note="",
        )
        for number, (seconds, verdict) in enumerate(cases, 1)
    )  # fmt: skip
    report = Report(verdict=AC, points=Fraction(0), out_of=Fraction(100), note="")
    return Verified(example=example, report=report, results=results, complaints=())


def right(*seconds: float) -> Verified:
    return ran("right", *((one, AC) for one in seconds), below=True)


def slow(*cases: tuple[float, Verdict]) -> Verified:
    return ran("slow", *cases, above=True)


@pytest.mark.parametrize(
    ("limits", "verified", "seconds"),
    [
        ({}, [right(0.1)], "1"),
        ({}, [right(0.5)], "1"),
        ({}, [right(0.51)], "2"),
        ({}, [right(0.1, 1.2, 0.3), right(0.9)], "3"),
        ({"time_resolution": 0.1}, [right(0.26)], "0.6"),
        ({"time_resolution": 0.1}, [right(0.25)], "0.5"),
        ({"ac_to_time_limit": 5.0}, [right(0.5)], "3"),
        ({}, [right(0.5), slow((1.5, AC))], "1"),
        ({}, [right(0.5), slow((0.2, AC), (10.1, TLE))], "1"),
        ({}, [right(0.5), ran("nobody asks", (9.0, AC))], "1"),
        ({}, [right(0.5), ran("in no language", above=True)], "1"),
    ],
)
def test_the_smallest_that_leaves_the_margins(limits: dict[str, float], verified: list[Verified], seconds: str) -> None:
    assert propose(Limits(time_seconds=10, **limits), verified).seconds == Decimal(seconds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verified", "told"),
    [
        ([], "No example submission could be run"),
        ([slow((3.0, AC))], "No example submission could be run"),
        ([right(0.6), slow((2.9, AC))], "the time limit is 2 s, and slow, which must be too slow, takes 2.90 s"),
        ([ran("late", (10.5, TLE), below=True)], "late took more than 10 s"),
    ],
)
def test_where_no_limit_will_do_it_is_told_why(verified: list[Verified], told: str) -> None:
    with pytest.raises(NoTimeLimit, match=told):
        propose(Limits(time_seconds=10), verified)
    assert margins(Limits(time_seconds=10), verified).proposed is None


def test_margins_name_program_and_case() -> None:
    told = margins(Limits(time_seconds=2), [right(0.1, 0.4), right(0.2), slow((0.1, AC), (2.6, TLE)), slow((2.5, TLE))])
    assert told.slowest_right is not None
    assert (told.slowest_right.program, told.slowest_right.case, told.slowest_right.seconds) == (
        "right",
        "secret/2",
        0.4,
    )
    assert told.fastest_slow is not None
    assert (told.fastest_slow.case, told.fastest_slow.seconds) == ("secret/1", 2.5)
    assert (told.limit_seconds, told.proposed, told.spare) == (2, Decimal(1), 5)


def test_who_only_waited_says_nothing_of_the_limit() -> None:
    assert margins(Limits(time_seconds=2), [right(0.1), slow((0.0, TLE))]).fastest_slow is None
