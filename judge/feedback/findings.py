"""What a search found, as it stands in its row: plain JSON, bounded, text that can be shown."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from judge.blobs.store import digest_of
from judge.grading.draw import Image
from judge.grading.feedback.behaves_like import Likeness
from judge.grading.feedback.crash import Crashed
from judge.grading.feedback.direction import Direction
from judge.grading.feedback.measure import Measured
from judge.grading.feedback.search import Counterexample, CrashOfCase, Pictures, Replay, Step
from judge.submissions.text import shown, storable

INPUT, OUTPUT, NOTE = 16_000, 16_000, 2_000
"""Characters that are kept of each."""


def told(step: Step) -> dict[str, Any]:
    """The part of the result that `step` gives."""
    match step:
        case Counterexample():
            return {"counterexample": _counterexample(step)}
        case CrashOfCase():
            return {"case_crash": _crashed(step.crashed)}
        case Direction():
            return {
                "direction": asdict(step) | {"way": step.way.value, "line": storable(shown(step.line.encode()), NOTE)}
            }
        case Likeness():
            return {"like": asdict(step)}
        case Replay():
            return {"replay": step.traced.command.text}
        case Measured():
            return {"growth": _measured(step)}
        case Pictures():
            return {"pictures": {"output": _pictures(step.output), "answer": _pictures(step.answer)}}


def _counterexample(step: Counterexample) -> dict[str, Any]:
    hunted, found = step.hunted, step.hunted.found
    facts: dict[str, Any] = {
        "tried": hunted.tried,
        "of": hunted.of,
        "wrong": hunted.wrong,
        "smallest": hunted.smallest,
        "spent": hunted.spent,
        "found": found is not None,
    }
    if found is None:
        return facts
    return facts | {
        "all_wrong": [storable(shown(text), INPUT) for text in hunted.all_wrong],
        "common": asdict(hunted.common) if hunted.common else None,
        "verdict": found.seen.verdict.value,
        "input": storable(shown(found.input), INPUT),
        "answer": storable(shown(found.answer), OUTPUT),
        "output": storable(shown(found.seen.output), OUTPUT),
        "stderr": storable(shown(found.seen.outcome.stderr[-NOTE:]), NOTE),
        "cpu_seconds": found.seen.outcome.cpu_seconds,
        "waited": found.seen.slept,
        "note": storable(step.note, NOTE),
        "said": storable((found.seen.note or found.seen.judge_note).strip(), NOTE),
        "mistake": step.mistake.value if step.mistake else "",
        "crash": _crashed(step.crashed) if step.crashed else None,
    }


def _pictures(images: Sequence[Image]) -> list[dict[str, Any]]:
    """Whoever keeps this keeps their bytes as well."""
    return [{"digest": digest_of(one.content), "type": one.media_type, "team": one.for_team} for one in images]


def _crashed(crashed: Crashed) -> dict[str, Any]:
    return asdict(crashed) | {"kind": crashed.kind.value}


def _measured(step: Measured) -> dict[str, Any]:
    growth = step.growth
    return {
        "exponent": growth and [growth.exponent, growth.low, growth.high],
        "expected": step.expected,
        "of": step.of.value,
        "largest": step.points[-1] if step.points else None,
        "too_slow_at": step.too_slow_at,
    }
