"""Deadlines, grace and days late, also where clocks change. No database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.assignments.feedback import of_practice, setting_of, shows
from judge.assignments.models import Assignment, Counts, Extension, Kind, When
from judge.assignments.rules import Rules, Standing, extended, later_by

BUCHAREST, SAO_PAULO = ZoneInfo("Europe/Bucharest"), ZoneInfo("America/Sao_Paulo")
MINUTE = timedelta(minutes=1)


def local(text: str, zone: ZoneInfo, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).astimezone(UTC)


def rules(zone: ZoneInfo = BUCHAREST, deadline: str = "2026-12-04T23:59", **changes: object) -> Rules:
    due = local(deadline, zone)
    made = Rules(
        opens=due - timedelta(days=7),
        deadline=due,
        grace=timedelta(0),
        cutoff=due + timedelta(days=5),
        late_percent=Fraction(10),
        attempts=3,
        counts=Counts.BEST,
        zone=zone,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("zone", "deadline", "sent", "fold", "days"),
    [
        (BUCHAREST, "2026-12-04T23:59", "2026-12-04T23:59", 0, 0),
        (BUCHAREST, "2026-12-04T23:59", "2026-12-04T23:59:01", 0, 1),
        (BUCHAREST, "2026-12-04T23:59", "2026-12-05T23:59", 0, 1),
        (BUCHAREST, "2026-12-04T23:59", "2026-12-06T00:00", 0, 2),
        # 25 October 2026: 04:00 comes to be 03:00 again, the day has 25 hours.
        (BUCHAREST, "2026-10-24T23:59", "2026-10-25T23:59", 0, 1),
        (BUCHAREST, "2026-10-24T23:59", "2026-10-26T00:00", 0, 2),
        (BUCHAREST, "2026-10-25T02:30", "2026-10-25T03:30", 0, 1),
        (BUCHAREST, "2026-10-25T02:30", "2026-10-25T03:30", 1, 1),
        (BUCHAREST, "2026-10-24T03:30", "2026-10-25T03:30", 1, 1),
        (BUCHAREST, "2026-10-24T03:30", "2026-10-25T03:31", 1, 2),
        # 29 March 2026: 03:00 comes to be 04:00, the day has 23 hours.
        (BUCHAREST, "2026-03-28T23:59", "2026-03-29T23:59", 0, 1),
        (BUCHAREST, "2026-03-28T23:59", "2026-03-30T00:00", 0, 2),
        # No change of clocks there since 2019, so none in 2026; on 4 November 2018 midnight came to be 01:00.
        (SAO_PAULO, "2026-10-17T23:59", "2026-10-18T23:59", 0, 1),
        (SAO_PAULO, "2018-11-03T23:59", "2018-11-04T23:59", 0, 1),
        (SAO_PAULO, "2018-11-03T23:59", "2018-11-05T00:00", 0, 2),
        # On 18 February 2018, midnight came to be 23:00 of the 17th again.
        (SAO_PAULO, "2018-02-17T22:00", "2018-02-17T23:30", 1, 1),
        (SAO_PAULO, "2018-02-17T22:00", "2018-02-18T22:00", 0, 1),
        (SAO_PAULO, "2018-02-17T22:00", "2018-02-18T22:01", 0, 2),
    ],
)
def test_days_late_are_days_of_the_course_s_clock(
    zone: ZoneInfo, deadline: str, sent: str, fold: int, days: int
) -> None:
    assert rules(zone, deadline).days_late(local(sent, zone, fold)) == days


def test_a_deadline_in_the_hour_that_does_not_exist_comes_a_day_later_at_the_same_hour() -> None:
    due = local("2026-03-28T03:30", BUCHAREST)
    assert later_by(due, 1, BUCHAREST) == local("2026-03-29T04:30", BUCHAREST), "03:30 is not there on that day"
    assert later_by(due, 2, BUCHAREST) == local("2026-03-30T03:30", BUCHAREST)


def test_grace_is_in_time_and_does_not_shift_the_days() -> None:
    lenient = rules(grace=30 * MINUTE)
    assert lenient.days_late(lenient.deadline + 30 * MINUTE) == 0
    assert lenient.days_late(lenient.deadline + 31 * MINUTE) == 1
    assert lenient.days_late(lenient.deadline + timedelta(days=1, minutes=1)) == 2
    assert lenient.share(lenient.deadline + 31 * MINUTE) == Fraction(9, 10)


def test_where_an_assignment_stands() -> None:
    mine = rules(grace=30 * MINUTE)
    assert mine.cutoff is not None
    for moment, standing in (
        (mine.opens - MINUTE, Standing.BEFORE),
        (mine.opens, Standing.OPEN),
        (mine.deadline + 30 * MINUTE, Standing.OPEN),
        (mine.deadline + 31 * MINUTE, Standing.LATE),
        (mine.cutoff, Standing.LATE),
        (mine.cutoff + MINUTE, Standing.CLOSED),
    ):
        assert mine.standing(moment) is standing
    strict = rules(cutoff=None)
    assert strict.standing(strict.deadline + MINUTE) is Standing.CLOSED
    assert strict.closes == strict.deadline


def test_an_extension_moves_deadline_and_cutoff_alike() -> None:
    common = rules()
    later = common.deadline + timedelta(days=3)
    mine = extended(common, Extension(deadline=later, extra_attempts=2))
    assert (mine.deadline, mine.attempts, mine.extended) == (later, 5, True)
    assert mine.closes - mine.deadline == common.closes - common.deadline
    assert mine.days_late(later) == 0
    assert extended(common, Extension(exempt=True)).exempt


@given(
    st.datetimes(min_value=datetime(2018, 1, 1), max_value=datetime(2027, 1, 1)),  # noqa: DTZ001 - made aware below
    st.integers(0, 20 * 24 * 60),
    st.integers(0, 600),
    st.sampled_from([BUCHAREST, SAO_PAULO, ZoneInfo("UTC"), ZoneInfo("Australia/Lord_Howe")]),
)
def test_later_is_never_less_late(due: datetime, late: int, more: int, zone: ZoneInfo) -> None:
    mine = replace(rules(), deadline=due.replace(tzinfo=UTC), zone=zone)
    first, second = (mine.deadline + minutes * MINUTE for minutes in (late, late + more))
    assert mine.days_late(first) <= mine.days_late(second)
    assert 0 <= mine.share(second) <= mine.share(first) <= 1
    days = mine.days_late(first)
    if days:
        assert first <= later_by(mine.deadline, days, zone)
        assert days == 1 or first > later_by(mine.deadline, days - 1, zone)


@pytest.mark.parametrize(
    ("when", "failed", "over", "shown"),
    [
        (When.NEVER, True, True, False),
        (When.ON_FAILURE, True, False, True),
        (When.ON_FAILURE, False, True, False),
        (When.AFTER_DEADLINE, True, False, False),
        (When.AFTER_DEADLINE, False, True, True),
        (When.ALWAYS, False, False, True),
    ],
)
def test_feedback(when: When, failed: bool, over: bool, shown: bool) -> None:
    mine = rules()
    now = mine.closes + MINUTE if over else mine.deadline + MINUTE
    assignment = Assignment(feedback={Kind.REPLAY.value: when.value})
    setting = setting_of(assignment, mine)
    assert shows(setting, Kind.REPLAY, failed=failed, now=now) is shown
    assert not shows(setting, Kind.SECRET, failed=failed, now=now), "never, unless it is said"
    assert shows(None, Kind.REPLAY, failed=failed, now=now), "practice"
    assert not shows(None, Kind.SECRET, failed=failed, now=now)


def test_of_several_assignments_the_strictest_holds_for_practice() -> None:
    mine = rules()
    kept: tuple[dict[str, str], ...] = (
        {},
        {"replay": "never", "cost": "on_failure"},
        {"replay": "after_deadline", "secret": "always"},
    )
    setting = of_practice([setting_of(Assignment(feedback=one), mine) for one in kept])
    assert setting is not None
    assert [setting.when[kind] for kind in (Kind.REPLAY, Kind.COST, Kind.SECRET, Kind.CHANGES)] == [
        When.NEVER, When.ON_FAILURE, When.NEVER, When.ALWAYS,
    ]  # fmt: skip
    assert of_practice([]) is None
