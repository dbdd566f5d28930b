"""Figures for Prometheus, all of them from the rows and the broker: any web process can be asked."""

import ipaddress
from collections.abc import Iterator, Sequence
from datetime import timedelta
from statistics import quantiles
from typing import Any

from django.conf import settings
from django.db.models import Count, DurationField, ExpressionWrapper, F, Min, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from judge.config.celery import QUEUES
from judge.grading.verdict import Verdict
from judge.operations.alerts import alerts
from judge.submissions import hints
from judge.submissions.fit import HEARD_OF
from judge.submissions.models import CaseResult, Judgement, State, Worker
from judge.submissions.sweeper import owed

LATELY = timedelta(minutes=5)
MOST = 500
"""Of so many judgements, the last ones, times are told."""
PARTS = {"0.5": 9, "0.95": 18}
"""Name of a quantile -> its place among the twentieths."""


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For who knows PALFREY_METRICS_TOKEN; without one, on one's own machine, for programs on it. 404 for others."""
    if not _may_read(request):
        raise Http404
    registry = CollectorRegistry()
    registry.register(Rows())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}")
    try:
        return bool(settings.LOCAL) and ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


class Rows(Collector):
    """What the rows say at the moment of asking; the work for it does not grow with what was judged before."""

    def describe(self) -> list[Metric]:
        """Nothing ahead of time: no query is made when it is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        yield from _queues()
        yield from _workers()
        yield from _judged()
        found = GaugeMetricFamily("palfrey_alerts", "Things that whoever runs the site must look at.")
        found.add_metric([], len(alerts()))
        yield found


def _queues() -> Iterator[Metric]:
    now = timezone.now()
    waiting = GaugeMetricFamily("palfrey_waiting", "Rows that wait for a worker.", labels=["queue"])
    oldest = GaugeMetricFamily("palfrey_oldest_waiting_seconds", "Age of the oldest of them.", labels=["queue"])
    running = GaugeMetricFamily("palfrey_running", "Rows that a worker holds.", labels=["queue"])
    messages = GaugeMetricFamily("palfrey_messages", "Messages in the broker.", labels=["queue"])
    for queue in QUEUES:
        number, held, ages = 0, 0, [0.0]
        for model in owed(queue):
            found = model.objects.filter(state=State.QUEUED).aggregate(number=Count("pk"), first=Min("queued"))
            number += found["number"]
            ages += [(now - found["first"]).total_seconds()] if found["first"] else []
            held += model.objects.filter(state=State.RUNNING).count()
        waiting.add_metric([queue], number)
        oldest.add_metric([queue], max(ages))
        running.add_metric([queue], held)
        if (there := hints.waiting(queue)) is not None:
            messages.add_metric([queue], there)
    yield from (waiting, oldest, running, messages)


def _workers() -> Iterator[Metric]:
    states = {"at_work": 0, "troubled": 0, "silent": 0}
    slots = 0
    for worker in Worker.objects.all():
        if worker.seen < timezone.now() - HEARD_OF:
            states["silent"] += 1
        elif worker.trouble:
            states["troubled"] += 1
        else:
            states["at_work"] += 1
            slots += worker.slots
    workers = GaugeMetricFamily("palfrey_workers", "Workers that were heard of within a day.", labels=["state"])
    for state, number in states.items():
        workers.add_metric([state], number)
    yield workers
    places = GaugeMetricFamily("palfrey_slots", "Programs that can be judged at the same time.")
    places.add_metric([], slots)
    yield places


def _judged() -> Iterator[Metric]:
    lately = Judgement.objects.filter(finished__gt=timezone.now() - LATELY)
    verdicts = GaugeMetricFamily("palfrey_judged_lately", "Judgements of the last five minutes.", labels=["verdict"])
    found = dict(lately.order_by().values_list("verdict").annotate(number=Count("pk")))
    for verdict in Verdict:
        verdicts.add_metric([verdict.value], found.get(verdict.value, 0))
    yield verdicts
    errors = GaugeMetricFamily("palfrey_judge_errors_day", "Judgements of a day that ended in a fault of ours.")
    day = Judgement.objects.filter(finished__gt=timezone.now() - timedelta(days=1), verdict=Verdict.JUDGE_ERROR.value)
    errors.add_metric([], day.count())
    yield errors
    times = GaugeMetricFamily(
        "palfrey_phase_seconds",
        "Of the last five minutes: waiting for a worker, compiling, the runs of all cases, from sending to verdict.",
        labels=["phase", "quantile"],
    )
    for phase, seconds in _phases().items():
        if len(seconds) > 1:
            twentieths = quantiles(seconds, n=20, method="inclusive")
            for name, place in PARTS.items():
                times.add_metric([phase, name], twentieths[place])
    yield times


def _phases() -> dict[str, Sequence[float]]:
    def between(begin: str, end: str) -> "ExpressionWrapper[Any]":
        return ExpressionWrapper(F(end) - F(begin), output_field=DurationField())

    lately = Judgement.objects.filter(finished__gt=timezone.now() - LATELY, started__isnull=False)
    rows = list(
        lately.order_by("-finished").values_list(
            "pk", between("queued", "started"), between("started", "compiled_at"), between("queued", "finished")
        )[:MOST]
    )
    runs = CaseResult.objects.filter(judgement__in=[row[0] for row in rows]).order_by().values_list("judgement")
    return {
        "waiting": [row[1].total_seconds() for row in rows],
        "compiling": [row[2].total_seconds() for row in rows if row[2] is not None],
        "running": [float(total) for _, total in runs.annotate(total=Sum("wall_seconds"))],
        "whole": [row[3].total_seconds() for row in rows],
    }
