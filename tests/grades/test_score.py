"""Points from judgements: exact, rounded once, and true to the rules whatever is sent. No database."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.assignments.models import Counts
from judge.assignments.rules import Rules
from judge.grades.score import Attempt, rounded, score
from judge.submissions.record import decimal

DUE = datetime(2026, 12, 4, 22, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def rules(**changes: object) -> Rules:
    facts: dict[str, object] = {
        "opens": DUE - timedelta(days=7),
        "deadline": DUE,
        "grace": timedelta(0),
        "cutoff": DUE + timedelta(days=3),
        "late_percent": Fraction(10),
        "attempts": None,
        "counts": Counts.BEST,
        "zone": ZoneInfo("Europe/Bucharest"),
    }
    return Rules(**facts | changes)  # type: ignore[arg-type]


def attempt(
    pk: int, hours: float, points: object = 100, verdict: str = "wrong_answer", out_of: object = 100
) -> Attempt:
    """Sent so many hours after the deadline."""
    return Attempt(
        pk=pk,
        sent=DUE + hours * HOUR,
        verdict=verdict,
        points=None if points is None else Decimal(str(points)),
        out_of=None if out_of is None else Decimal(str(out_of)),
    )


def test_thirds_are_exact() -> None:
    two_of_three = attempt(1, -1, decimal(Fraction(200, 3)))
    got = score([two_of_three], rules(), Decimal(100))
    assert got.points == Fraction(200, 3)
    assert rounded(got.points) == Decimal("66.67")
    three = [score([attempt(1, -1, decimal(Fraction(100, 3)))], rules(), Decimal(100)).points for _ in range(3)]
    assert sum(three) == 100, "three thirds are the whole"
    assert score([two_of_three], rules(), Decimal("0.03")).points == Fraction(2, 100)


@pytest.mark.parametrize(
    ("points", "said"),
    [("0.005", "0.01"), ("0.015", "0.02"), ("0.0049999999999", "0.00"), ("-0.005", "-0.01"), ("66.665", "66.67")],
)
def test_halves_go_up(points: str, said: str) -> None:
    assert rounded(Decimal(points)) == Decimal(said)
    assert str(rounded(Fraction(points))) == said


HISTORY = [
    attempt(1, -10, 60),
    attempt(2, -5, 80),
    attempt(3, -1, 70),
    attempt(4, 5, 100),
    attempt(5, 30, 40),
    attempt(6, 31, None, "judge_error", None),
    attempt(7, 32, 0, "compile_error"),
    attempt(8, 100, 100),
]


@pytest.mark.parametrize(
    ("changes", "points", "counted", "late"),
    [
        ({}, 90, 4, 1),
        ({"late_percent": Fraction(50)}, 80, 2, 0),
        ({"counts": Counts.LAST}, 32, 5, 2),
        ({"counts": Counts.LAST, "late_percent": Fraction(100)}, 0, 5, 2),
        ({"counts": Counts.LAST_BEFORE_DEADLINE}, 70, 3, 0),
        ({"counts": Counts.LAST_BEFORE_DEADLINE, "grace": 6 * HOUR}, 100, 4, 0),
        ({"cutoff": None}, 80, 2, 0),
        ({"cutoff": None, "counts": Counts.LAST}, 70, 3, 0),
        ({"exempt": True}, 0, 4, 1),
    ],
)
def test_which_result_counts(changes: dict[str, object], points: int, counted: int, late: int) -> None:
    got = score(HISTORY, rules(**changes), Decimal(100))
    assert got.points == points
    assert (got.counted, got.days_late, got.attempts) == (counted, late, 6)
    assert got.exempt is bool(changes.get("exempt"))


def test_what_waits_is_an_attempt_and_gives_nothing_yet() -> None:
    got = score([attempt(1, -2, 50), attempt(2, -1, None, "", None)], rules(counts=Counts.LAST), Decimal(10))
    assert got.points == 5
    assert (got.attempts, got.pending, got.counted) == (2, True, 1)
    assert score([], rules(), Decimal(10)).counted is None


def test_of_equally_good_ones_the_first_counts() -> None:
    got = score([attempt(2, -1), attempt(1, -2), attempt(3, 1)], rules(late_percent=Fraction(0)), Decimal(10))
    assert (got.counted, got.days_late) == (1, 0)


def test_without_points_the_verdict_says_it() -> None:
    for verdict, points in (("accepted", 10), ("wrong_answer", 0)):
        assert score([attempt(1, -1, None, verdict, None)], rules(), Decimal(10)).points == points


VERDICTS = st.sampled_from(["accepted", "wrong_answer", "compile_error", "judge_error", ""])
ATTEMPTS = st.lists(
    st.builds(attempt, st.integers(1, 99), st.integers(-200, 200), st.integers(0, 100), VERDICTS),
    max_size=6,
    unique_by=lambda one: one.pk,
)
RULES = st.builds(
    lambda counts, percent, cutoff: rules(counts=counts, late_percent=Fraction(percent), cutoff=cutoff),
    st.sampled_from(list(Counts)),
    st.integers(0, 100),
    st.sampled_from([None, DUE + timedelta(days=2)]),
)


@given(ATTEMPTS, RULES, st.integers(0, 1000))
def test_points_stay_within_their_bounds_and_come_from_what_counts(
    attempts: list[Attempt], given_rules: Rules, worth: int
) -> None:
    got = score(attempts, given_rules, Decimal(worth))
    assert 0 <= got.points <= worth
    assert got.attempts == sum(one.verdict not in ("compile_error", "judge_error") for one in attempts)
    chosen = [one for one in attempts if one.pk == got.counted]
    assert got.points == sum(Fraction(one.points or 0) / 100 * given_rules.share(one.sent) * worth for one in chosen)
    assert all(one.verdict not in ("", "compile_error", "judge_error") for one in chosen)
    assert all(one.sent <= given_rules.closes for one in chosen)


@given(ATTEMPTS, RULES)
def test_the_order_in_which_rows_come_means_nothing(attempts: list[Attempt], given_rules: Rules) -> None:
    scores = {score(order, given_rules, Decimal(10)) for order in list(permutations(attempts))[:24]}
    assert len(scores) == 1


@given(ATTEMPTS, RULES, st.integers(0, 100), st.integers(-200, 200))
def test_one_more_attempt_never_lowers_the_best(
    attempts: list[Attempt], given_rules: Rules, points: int, hours: int
) -> None:
    best = Rules(**{name: getattr(given_rules, name) for name in Rules.__slots__} | {"counts": Counts.BEST})
    before = score(attempts, best, Decimal(10)).points
    assert score([*attempts, attempt(100, hours, points)], best, Decimal(10)).points >= before


@given(ATTEMPTS, RULES)
def test_faults_of_ours_and_programs_that_do_not_compile_are_as_if_never_sent(
    attempts: list[Attempt], given_rules: Rules
) -> None:
    run = [one for one in attempts if one.verdict not in ("compile_error", "judge_error")]
    assert score(attempts, given_rules, Decimal(10)) == score(run, given_rules, Decimal(10))


@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 1000))
def test_every_simple_share_comes_back_exactly(part: int, whole: int, out_of: int) -> None:
    share = Fraction(min(part, whole), whole)
    stored = attempt(1, -1, decimal(share * out_of), "wrong_answer", out_of)
    assert score([stored], rules(), Decimal(7)).points == share * 7
