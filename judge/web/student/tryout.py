"""What the drawer below the editor tells of a trial run: on the samples, or on an input of one's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.blobs import store
from judge.blobs.versions import package_of
from judge.grading.verdict import Verdict
from judge.people.permissions import Viewer
from judge.submissions import queries
from judge.submissions.models import Trial
from judge.web import words
from judge.web.difference import Row, difference
from judge.web.student.story import LogLine, log_lines, told_case

SAMPLE_BYTES = 64 << 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Tryout:
    """A trial run as the page shows it."""

    trial: Trial
    facts: Mapping[str, Any]
    status: str
    """A verdict, a state, or empty for a run on an own input that ended well."""
    headline: str
    log: Sequence[LogLine]
    runs: Sequence[Mapping[str, Any]]
    """The runs of the snapshot, each with `lines`: expected and got, where that can be told."""


def tryout(viewer: Viewer, trial: Trial) -> Tryout | None:
    """The story of a trial run; None when it is not the reader's."""
    facts = queries.trial_snapshot(viewer, trial)
    if facts is None:
        return None
    results = facts["results"]
    runs = results.get("runs", [])
    answers = _answers(trial) if any(run["verdict"] == Verdict.WRONG_ANSWER for run in runs) else {}
    return Tryout(
        trial=trial,
        facts=facts,
        status=results.get("verdict", "") if facts["final"] else facts["state"],
        headline=_headline(facts, results, runs),
        log=log_lines(results.get("compile_log", ""), [file["name"] for file in trial.files]),
        runs=[told_case(run, trial.version) | {"lines": _lines(run, answers)} for run in runs],
    )


def _headline(facts: Mapping[str, Any], results: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> str:
    total = results.get("total", 1)
    if facts["state"] == "queued":
        if facts["nobody_works"]:
            return _("No worker is at work just now; it waits for one.")
        if facts["lacks"] is not None:
            return words.waits_for(facts["lacks"])
        ahead = (facts["place"] or 1) - 1
        told = ngettext("Waiting; %(n)d is ahead.", "Waiting; %(n)d are ahead.", ahead) % {"n": ahead}
        return told if ahead else _("Waiting for a worker.")
    if not facts["final"]:
        return _("Running.") if "compiled" in results else _("Compiling.")
    if not results or results.get("verdict") == Verdict.JUDGE_ERROR:
        return _("The judge failed; that is not your fault. Try again.")
    if results.get("compiled") is False:
        return _("It does not compile.")
    if facts["own_input"]:
        return _("It ran to its end.") if not results.get("verdict") else ""
    right = sum(run["verdict"] == Verdict.ACCEPTED for run in runs)
    return _("%(right)d of %(all)d right.") % {"right": right, "all": total}


def _answers(trial: Trial) -> dict[str, str]:
    """Name of a sample -> its answer, for problems in which there is only one right answer."""
    if package_of(trial.version).output_validator is not None:
        return {}
    samples = trial.version.cases.filter(group=queries.SAMPLE)
    return {case.name: store.get(case.answer)[:SAMPLE_BYTES].decode("utf-8", "replace") for case in samples}


def _lines(run: Mapping[str, Any], answers: Mapping[str, str]) -> list[Row]:
    if run["verdict"] != Verdict.WRONG_ANSWER or run["name"] not in answers:
        return []
    return difference(answers[run["name"]], run["output"])
