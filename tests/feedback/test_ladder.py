"""Which rungs are open."""

from datetime import UTC, datetime, timedelta
from typing import Any

from judge.feedback.ladder import LADDER, FeedbackSettings, Rung, Standing, When, ladder

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
STEPS = FeedbackSettings(
    after_attempts={Rung.HINT: 2, Rung.COUNTEREXAMPLE: 3, Rung.REPLAY: 4}, after={Rung.REPLAY: timedelta(hours=1)}
)


def standing(failures: int = 1, **changes: Any) -> Standing:
    known: dict[str, Any] = {"failed": True, "first_failure": NOW - timedelta(minutes=5), "now": NOW}
    return Standing(failures=failures, **(known | changes))


def test_everything_is_shown_on_a_failure_and_nothing_more_than_the_verdict_without_one() -> None:
    assert ladder(FeedbackSettings(), standing()).open == set(Rung)
    assert ladder(FeedbackSettings(), standing(failed=False, failures=0)).open == {Rung.VERDICT}


def test_attempts_open_one_rung_after_the_other() -> None:
    opened = [ladder(STEPS, standing(failures)) for failures in (1, 2, 3, 4)]
    assert [len(one.open) for one in opened] == [3, 4, 5, 6]
    assert [one.next for one in opened] == [Rung.HINT, Rung.COUNTEREXAMPLE, Rung.REPLAY, None]
    assert [one.attempts for one in opened] == [1, 1, 1, None]
    assert opened[2].opens == NOW + timedelta(minutes=55)


def test_time_opens_too() -> None:
    assert Rung.REPLAY in ladder(STEPS, standing(first_failure=NOW - timedelta(hours=1)))
    assert Rung.REPLAY not in ladder(STEPS, standing(first_failure=NOW - timedelta(minutes=59)))


def test_never_always_and_after_the_deadline() -> None:
    settings = FeedbackSettings(
        when={Rung.KIND: When.NEVER, Rung.HINT: When.ALWAYS, Rung.COUNTEREXAMPLE: When.AFTER_DEADLINE}
    )
    before = ladder(settings, standing(deadline=NOW))
    assert before.open == {Rung.VERDICT, Rung.PROPERTY, Rung.HINT, Rung.REPLAY}
    assert (before.next, before.opens) == (Rung.COUNTEREXAMPLE, NOW)
    after = ladder(settings, standing(deadline=NOW - timedelta(seconds=1)))
    assert Rung.COUNTEREXAMPLE in after
    assert Rung.KIND not in after
    assert Rung.HINT in ladder(settings, standing(failed=False))


def test_the_verdict_cannot_be_hidden() -> None:
    nothing = FeedbackSettings(when=dict.fromkeys(LADDER, When.NEVER))
    assert ladder(nothing, standing()).open == {Rung.VERDICT}
