"""The site of `tests.bench.regrade`: its rows, and the measuring. Imported once Django knows its settings."""

import argparse
import random
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db.models import QuerySet, Sum

from judge.authoring.actions import publish
from judge.authoring.models import Errand
from judge.people.models import User
from judge.regrades import actions, shifts
from judge.regrades.models import Outcome, Regrade, Shift, Stage
from judge.submissions import actions as sending
from judge.submissions import hints, tasks
from judge.submissions.models import CaseResult, Judgement, State, Submission
from problems.models import Problem
from tests.bench.regrade import KINDS, LIMIT, package, seconds_since, sources, yaml


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Everything, told as it goes on unless the caller wants JSON alone."""
    call_command("migrate", verbosity=0)
    hints.send = lambda *_, **__: False  # there is no broker here to wait for
    people = [User.objects.create_user(f"s{number}", password=None) for number in range(options.students)]
    problems = [publish_one(number, options.cases) for number in range(options.problems)]
    dice = random.Random(17)
    for number in range(options.submissions):
        language, text = sources(dice, number)
        author = people[number % len(people)]
        name = "main.py" if language == "python3" else "main.cpp"
        sending.submit(author, problems[number % len(problems)], language, {name: text.encode()}, f"t{number}")
    began = time.perf_counter()
    for pk in Judgement.objects.filter(state=State.QUEUED).order_by("pk").values_list("pk", flat=True):
        tasks.work(Judgement, pk, tasks.judge, "here")
    first = seconds_since(began)
    say(options, f"{options.submissions} submissions to {options.problems} problems, judged first in {first:.1f} s")
    kinds = {name: of_kind(name, options) for name in options.kinds.split(",")}
    tasks.close_box()
    return {"submissions": options.submissions, "cases": options.cases, "first_seconds": first, "kinds": kinds}


def publish_one(number: int, cases: int, changes: dict[str, str] | None = None) -> Problem:
    """A version of problem `number` with these changes, made live."""
    changes = dict(changes or {})
    slug = f"bench{number}"
    limit = float(changes.pop("limit", LIMIT))
    if limit != LIMIT:
        changes["problem.yaml"] = yaml(slug, number, limit)
    if any(name.endswith("test_group.yaml") for name in changes):
        changes["problem.yaml"] = yaml(slug, number, limit) + "type: scoring\n"
    folder = Path(settings.VAR) / "packages-of-the-bench" / f"{time.monotonic_ns()}" / slug
    for name, text in package(slug, number, cases, changes).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    version = publish(folder, tasks.open_box())
    # As at the desk, where a version is verified before it is made live: the canary then judges the reference alone.
    Errand.objects.get_or_create(
        kind="verify",
        problem=version.problem,
        target=version.digest,
        defaults={"version": version, "state": State.DONE, "succeeded": True},
    )
    return version.problem


def of_kind(kind: str, options: argparse.Namespace) -> dict[str, Any]:
    """One kind of change: the regrade with what is known, and with everything anew."""
    changes, bound = KINDS[kind]
    for number in range(options.problems):
        publish_one(number, options.cases, changes)
    some = Submission.objects.filter(pk__in=Submission.objects.order_by("pk").values("pk")[: options.compared])
    quick, quick_seconds = done(some, anew=False)
    whole, whole_seconds = done(some, anew=True)
    runs, whole_runs = (one.items.aggregate(runs=Sum("runs"))["runs"] for one in (quick, whole))
    told, told_whole = results(quick), results(whole)
    unstable = {*unstable_of(quick), *unstable_of(whole)}
    different = [pk for pk in told if told[pk] != told_whole[pk] and pk not in unstable]
    share = cpu(quick, ran=True) / max(cpu(whole, ran=False), 1e-9)
    facts = {
        "runs": runs,
        "whole_runs": whole_runs,
        "checks": quick.items.aggregate(checks=Sum("checks"))["checks"],
        "seconds": quick_seconds,
        "whole_seconds": whole_seconds,
        "ratio": quick_seconds / whole_seconds,
        "share": share,
        "bound": 0.02 + 1.3 * share if bound is None else bound,
        "different": len(different),
        "unstable": len(unstable),
        "changed": quick.items.filter(outcome=Outcome.CHANGED).count(),
    }
    say(
        options,
        f"{kind:14} runs {runs:6} of {whole_runs:6}  checks {facts['checks']:5}  {quick_seconds:7.2f} s of "
        f"{whole_seconds:7.2f} s  ratio {facts['ratio']:.3f} (bound {facts['bound']:.3f})  "
        f"changed {facts['changed']}, different {len(different)}, unstable {len(unstable)}",
    )
    if options.compared:
        facts |= of_all(told_whole, unstable)
        say(
            options,
            "{:14} all {all}: {all_seconds:.1f} s, changed {all_changed}, different {all_different}".format(
                "", **facts
            ),
        )
    return facts


def of_all(told_whole: dict[int, tuple[str, object, object]], unstable: set[int]) -> dict[str, Any]:
    """The regrade of every submission, and how many of those judged anew it tells otherwise."""
    every, seconds = done(Submission.objects.all(), anew=False)
    told = results(every)
    steady = told_whole.keys() - unstable - unstable_of(every)
    return {
        "all": len(told),
        "all_seconds": seconds,
        "all_changed": every.items.filter(outcome=Outcome.CHANGED).count(),
        "all_different": sum(told[pk] != told_whole[pk] for pk in steady),
    }


def done(chosen: QuerySet[Submission], *, anew: bool) -> tuple[Regrade, float]:
    """A regrade of these planned, run and dropped, and the seconds that took."""
    began = time.perf_counter()
    regrade = actions.plan(None, chosen, reason="bench", key=f"{time.monotonic_ns()}", anew=anew)
    while regrade.stage == Stage.DRAFT:
        work(regrade)
    actions.start(None, regrade)
    while regrade.stage == Stage.RUNNING:
        work(regrade)
    if regrade.stage != Stage.READY:
        raise SystemExit(f"the regrade is {regrade.stage}: {regrade.failure}")
    took = seconds_since(began)
    actions.drop(None, regrade)
    return regrade, took


def work(regrade: Regrade) -> None:
    shift = Shift.objects.filter(regrade=regrade, state=State.QUEUED).order_by("pk")[0]
    tasks.work(Shift, shift.pk, shifts.run, "here")
    regrade.refresh_from_db()


def results(regrade: Regrade) -> dict[int, tuple[str, object, object]]:
    """Submission -> verdict and points; where nothing new was written, what counts."""
    found: dict[int, tuple[str, object, object]] = {}
    for item in regrade.items.select_related("new", "base"):
        one = item.new or item.base
        assert one is not None
        found[item.number] = one.verdict, one.points, one.out_of
    return found


def unstable_of(regrade: Regrade) -> set[int]:
    return set(regrade.items.filter(outcome=Outcome.UNSTABLE).values_list("number", flat=True))


def cpu(regrade: Regrade, *, ran: bool) -> float:
    """Seconds of CPU of its cases; with `ran` only of those that no earlier result stands for."""
    rows = CaseResult.objects.filter(judgement__regraded__regrade=regrade).exclude(verdict="")
    if not ran:
        return sum(rows.values_list("cpu_seconds", flat=True))
    known: dict[int, set[str]] = {}
    for submission, origin in CaseResult.objects.filter(judgement__purpose="live").values_list(
        "judgement__submission", "origin"
    ):
        known.setdefault(submission, set()).add(origin.get("check", ""))
    fresh = rows.values_list("judgement__submission", "cpu_seconds", "origin", "judgement__basis")
    total = 0.0
    base = {one.submission_id: one.basis for one in Judgement.objects.filter(purpose="live")}
    for submission, seconds, origin, basis in fresh:
        other_limit = basis.get("limits") != base[submission].get("limits")
        touched = other_limit and seconds > min(basis["limits"][0], base[submission]["limits"][0]) * 0.8
        if origin.get("check") not in known.get(submission, set()) or touched:
            total += seconds
    return total


def say(options: argparse.Namespace, text: str) -> None:
    if not options.json:
        print(text, flush=True)
