"""Near a limit: let run to 1.3 times the limit, measured twice more from 0.85 on, and the best counts."""

from dataclasses import replace

import pytest

from judge.grading import run
from judge.grading.explain import _time
from judge.grading.run import Allowance, Measured, best, crowded, starved
from judge.grading.verdict import Verdict
from sandbox.contract import Ending, Outcome
from tests.grading.conftest import LIMITS, Judge

LIMITS_HERE = replace(LIMITS, time_seconds=0.4)
BUSY = """
#include <stdio.h>
#include <time.h>
int main(void) {{
    while (clock() < {seconds} * CLOCKS_PER_SEC) ;
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\\n", a + b);
    return 0;
}}
"""


@pytest.mark.parametrize(
    ("seconds", "verdict", "measured_again"),
    [
        (0.2, Verdict.ACCEPTED, False),
        (0.36, Verdict.ACCEPTED, True),
        (0.43, Verdict.TIME_LIMIT_EXCEEDED, True),
        (0.7, Verdict.TIME_LIMIT_EXCEEDED, False),
    ],
)
def test_near_the_limit(seconds: float, verdict: Verdict, measured_again: bool, judge: Judge) -> None:
    judged = judge(BUSY.format(seconds=seconds), "c17", limits=LIMITS_HERE)
    case = judged.cases[0]
    assert case.verdict == verdict
    assert (case.cpu_range is not None) == measured_again
    if case.cpu_range:
        assert case.cpu_range[0] == pytest.approx(case.cpu_seconds)
        assert case.cpu_range[0] <= case.cpu_range[1]
        assert verdict == Verdict.ACCEPTED or "measured three times" in case.note
    if seconds > 0.52:
        assert case.cpu_seconds < 0.7
        assert "stopped after 0.5" in case.note


def test_a_time_factor_moves_the_limit(judge: Judge) -> None:
    judged = judge(BUSY.format(seconds=0.5), "c17", limits=LIMITS_HERE, time_factor=2.0)
    assert judged.report.verdict == Verdict.ACCEPTED


def outcome(cpu_seconds: float, ending: Ending = Ending.EXITED) -> Outcome:
    return Outcome(
        ending=ending,
        exit_code=0,
        signal=None,
        cpu_seconds=cpu_seconds,
        wall_seconds=cpu_seconds,
        memory_bytes=0,
        stdout=b"",
        stderr=b"",
    )


def test_the_best_of_several_counts() -> None:
    stopped = outcome(0.9, Ending.CPU_TIME)
    fast, slow = outcome(0.95), outcome(1.2)
    assert best([slow, stopped, fast]) is fast
    assert best([stopped, slow]) is slow


def test_after_a_failure_by_time_the_rest_is_not_run(judge: Judge) -> None:
    judged = judge("while True: pass", limits=replace(LIMITS, time_seconds=0.2))
    assert [case.verdict for case in judged.cases] == [Verdict.TIME_LIMIT_EXCEEDED, None]
    assert judged.cases[1].note == "Case 2 of 2 was not run, because an earlier case of its group took too long."


def test_everything_is_run_when_asked(judge: Judge) -> None:
    judged = judge("while True: pass", limits=replace(LIMITS, time_seconds=0.2), run_everything=True)
    assert [case.verdict for case in judged.cases] == [Verdict.TIME_LIMIT_EXCEEDED] * 2


def test_after_any_other_failure_the_rest_is_run(judge: Judge) -> None:
    judged = judge("print(6)")
    assert [case.verdict for case in judged.cases] == [Verdict.WRONG_ANSWER, Verdict.ACCEPTED]
    assert judged.report.verdict == Verdict.WRONG_ANSWER


BUSY_HOST = (
    "some avg10=96.19 avg60=92.32 avg300=93.76 total=2022961738\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
)
QUIET_HOST = BUSY_HOST.replace("avg10=96.19", "avg10=3.40")


@pytest.mark.parametrize(
    ("share", "pressure", "expected"),
    [
        (0.2, QUIET_HOST, True),
        (0.03, BUSY_HOST, True),  # as of a right program on two processors that thirty programs wanted
        (0.03, QUIET_HOST, False),
        (0.03, "", False),
        (0.004, BUSY_HOST, False),  # Python that starts and sleeps
    ],
)
def test_who_was_kept_from_the_processor_did_not_sleep(
    share: float, pressure: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_pressure", lambda: pressure)
    late = replace(outcome(10 * share, Ending.WALL_TIME), wall_seconds=10.0)
    assert starved(late) is expected
    assert not starved(replace(late, ending=Ending.CPU_TIME))


def test_only_who_computed_next_to_nothing_is_told_to_have_slept() -> None:
    allowance = Allowance(cpu_seconds=2.0, memory_bytes=1 << 28, output_bytes=1 << 20)
    for seconds, told in ((1.8, "too slow, or a loop never ends"), (0.1, "it slept, or waited")):
        late = replace(outcome(seconds, Ending.WALL_TIME), wall_seconds=8.2)
        assert told in _time(Measured(verdict=Verdict.TIME_LIMIT_EXCEEDED, outcome=late, cpu_range=None), allowance)


def test_this_kernel_tells_how_crowded_it_is_or_nothing() -> None:
    assert run._pressure() == "" or run._pressure().startswith("some avg10=")
    assert crowded(BUSY_HOST)
    assert not crowded(QUIET_HOST)
