"""Looks at the rows all the time, and counts them at the end."""

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import Error, connections
from django.db.models.functions import Now

from judge.grading.verdict import Verdict
from judge.submissions.models import CaseResult, Effective, Judgement, State, Submission
from tests.chaos.programs import Program
from tests.chaos.site import Site

LONGEST_SECONDS = 60.0
"""While a worker is free no row waits longer for its next step."""


@dataclass(slots=True)
class Watch:
    """Every half second: rows that nobody has in hand although somebody could."""

    site: Site
    longest_idle: float = 0.0
    """Longest time that a worker was free and something waited, in seconds."""
    longest_silent: float = 0.0
    """Longest time that a row stayed with a worker whose lease was over."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: "threading.Thread | None" = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        assert self._thread is not None
        self._thread.join()

    def _run(self) -> None:
        idle_since: dict[int, float] = {}
        silent_since: dict[int, float] = {}
        while not self._stop.wait(0.5):
            now = time.monotonic()
            try:
                waiting = list(Judgement.objects.filter(state=State.QUEUED).values_list("pk", flat=True))
                held = Judgement.objects.filter(state=State.RUNNING)
                running = held.filter(lease_until__gte=Now()).count()
                silent = list(held.filter(lease_until__lt=Now()).values_list("pk", flat=True))
            except Error:  # nobody can do anything now
                idle_since.clear()
                silent_since.clear()
                connections.close_all()
                continue
            free = running < self.site.alive_slots()
            idle_since = {pk: idle_since.get(pk, now) for pk in waiting} if free else {}
            silent_since = {pk: silent_since.get(pk, now) for pk in silent}
            self.longest_idle = max([self.longest_idle, *(now - since for since in idle_since.values())])
            self.longest_silent = max([self.longest_silent, *(now - since for since in silent_since.values())])
        connections.close_all()


def count(sent: Mapping[str, Program]) -> dict[str, Any]:
    """What became of the submissions; `sent`: token -> program. Lists hold ids, and are empty when all is well."""
    found = {row.token: row for row in Submission.objects.all()}
    counts: dict[str, Any] = {
        "sent": len(sent),
        "lost": sorted(set(sent) - set(found)),
        "double": [],
        "unfinished": [],
        "wrong": [],
        "judge_errors": [],
        "early_judge_errors": [],
        "wrong_cases": [],
    }
    results = Counter(CaseResult.objects.values_list("judgement_id", flat=True))
    effective = {row.submission_id: row.judgement for row in Effective.objects.select_related("judgement")}
    per_submission = Counter(Judgement.objects.values_list("submission_id", flat=True))
    for token, row in found.items():
        judgement = effective.get(row.pk)
        if judgement is None or token not in sent:
            counts["lost"].append(token)
            continue
        if per_submission[row.pk] != 1:
            counts["double"].append(row.pk)
        if not judgement.over:
            counts["unfinished"].append(row.pk)
        elif judgement.verdict == Verdict.JUDGE_ERROR:
            counts["judge_errors"].append(row.pk)
            if judgement.attempt < 3:
                counts["early_judge_errors"].append(row.pk)
        elif judgement.verdict != sent[token].verdict:
            counts["wrong"].append([row.pk, sent[token].verdict.value, judgement.verdict])
        elif results[judgement.pk] != sent[token].cases:
            counts["wrong_cases"].append([row.pk, sent[token].cases, results[judgement.pk]])
    counts["attempts"] = dict(sorted(Counter(Judgement.objects.values_list("attempt", flat=True)).items()))
    return counts
