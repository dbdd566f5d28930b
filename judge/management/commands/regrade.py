"""`./palfrey regrade plan|run|diff|apply|revert`: what the pages do, by hand."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.crypto import get_random_string

from judge.people.models import User
from judge.people.refusal import Refused
from judge.regrades import actions, applying, impact, queries
from judge.regrades.models import Outcome, Regrade, RegradeItem, Shift, Stage
from judge.regrades.shifts import advance
from judge.regrades.shifts import run as work_shift
from judge.submissions.models import State, Submission
from judge.submissions.queries import overseen
from judge.submissions.selection import Selection
from judge.submissions.tasks import close_box, work, worker_name
from problems.models import Version

FILTERS = (
    "problem",
    "version",
    "verdict",
    "language",
    "person",
    "case",
    "since",
    "until",
    "course",
    "assignment",
    "numbers",
)
LOOK_SECONDS = 1.0


class Command(BaseCommand):
    help = "Judge submissions again: plan, run, diff, apply, revert, drop; nothing counts before it is applied."

    def add_arguments(self, parser: ArgumentParser) -> None:
        deeds = parser.add_subparsers(dest="deed", required=True, metavar="plan|run|diff|apply|revert|drop")
        plan = deeds.add_parser("plan", help="choose submissions by filters; prints what judging them takes")
        for name in FILTERS:
            plan.add_argument(f"--{name}", default="", help="as the filter of the staff's table of submissions")
        plan.add_argument("--older", action="store_true", help="only what another than the live version has judged")
        plan.add_argument("--against", type=int, help="number of a version of the --problem; else the live one")
        plan.add_argument("--anew", action="store_true", help="run everything, also what is known already")
        plan.add_argument("--reason", required=True, help="told to students whose result changes")
        run = deeds.add_parser("run", help="judge; waits until it is there to be compared")
        run.add_argument("--here", action="store_true", help="in this process, and not by workers")
        diff = deeds.add_parser("diff", help="what is another result than before")
        diff.add_argument("--all", action="store_true", help="every submission, and not only those that changed")
        apply = deeds.add_parser("apply", help="let the new results count, at once")
        apply.add_argument("--policy", default=applying.ALL, choices=applying.POLICIES)
        apply.add_argument("--dry-run", action="store_true", help="say only what it would do")
        revert = deeds.add_parser("revert", help="let count again what counted before")
        drop = deeds.add_parser("drop", help="end it without a change")
        for each in (run, diff, apply, revert, drop):
            each.add_argument("regrade", type=int, help="its number")
        for each in (plan, run, apply, revert, drop):
            each.add_argument("--as", dest="name", metavar="ACCOUNT", help="who does it, with what they may do and see")
        for each in (plan, run, diff, apply, revert, drop):
            each.add_argument("--json", action="store_true", dest="as_json", help="one JSON object on standard output")

    def handle(self, *_: Any, deed: str, as_json: bool, **options: Any) -> None:
        try:
            facts = getattr(self, f"_{deed}")(**options)
        except Refused as refusal:
            raise CommandError(refusal.message) from refusal
        self._say(facts, as_json=as_json)
        if facts["stage"] == Stage.FAILED:
            raise SystemExit(1)

    def _plan(
        self, *, older: bool, against: int | None, anew: bool, reason: str, name: str | None = None, **options: Any
    ) -> dict[str, Any]:
        by = _person(name)
        sent = overseen(by) if by else Submission.objects.all()
        given = {name: options[name] for name in FILTERS} | ({"version": "older"} if older else {})
        for option, value in Selection.dropped(given).items():
            raise CommandError(f"--{option} cannot be {value!r}.")
        selection = Selection.of(given)
        if option := selection.fruitless(sent):
            raise CommandError(f"No submission fits --{option} {getattr(selection, option)!r}.")
        version = None
        if against is not None:
            version = Version.objects.filter(problem__slug=selection.problem, number=against).first()
            if version is None:
                raise CommandError("--against is the number of a version of the one --problem.")
        made = actions.plan(
            by,
            selection.narrow(sent),
            reason=reason,
            key=get_random_string(32),
            selection=selection.facts,
            version=version,
            anew=anew,
        )
        while made.stage == Stage.DRAFT:
            self._here(made)
        return self._facts(made)

    def _run(self, *, regrade: int, here: bool, name: str | None = None, **_: Any) -> dict[str, Any]:
        shown = _found(regrade)
        actions.start(_person(name), shown)
        while shown.stage == Stage.RUNNING and not shown.paused:
            if here:
                self._here(shown)
            else:
                time.sleep(LOOK_SECONDS)
                shown.refresh_from_db()
        if here:
            close_box()
        return self._facts(shown)

    def _here(self, shown: Regrade) -> None:
        """One shift in this process."""
        advance(shown.pk)
        shift = Shift.objects.filter(regrade=shown, state=State.QUEUED).order_by("pk").first()
        if shift is None or not work(Shift, shift.pk, work_shift, worker_name(None)):
            time.sleep(LOOK_SECONDS / 4)
        shown.refresh_from_db()

    def _diff(self, *, regrade: int, all: bool, **_: Any) -> dict[str, Any]:  # noqa: A002 - the option's name
        shown = _found(regrade)
        matrix = queries.matrix(shown)
        people = queries.impact(shown)
        return {
            **self._facts(shown),
            "matrix": {
                before: {cell.after: cell.count for cell in cells if cell.count} for before, cells, _ in matrix.rows
            },
            "students": {"up": people.up, "down": people.down, "of": people.students},
            "grades": [one.facts for one in impact.grades(None, shown)],
            "reasons": [{"count": one.count, **one.query} for one in queries.clusters(shown)],
            "items": [_row(item) for item in queries.items(None, shown, {"outcome": "all" if all else ""})],
        }

    def _apply(self, *, regrade: int, policy: str, dry_run: bool, name: str | None = None, **_: Any) -> dict[str, Any]:
        shown = _found(regrade)
        if dry_run:
            if shown.stage != Stage.READY:
                raise CommandError("Only a regrade that is ready can be applied.")
            moved = applying.would_move(shown, policy)
        else:
            moved = actions.apply(_person(name), shown, policy)
        return {**self._facts(shown), **asdict(moved)}

    def _revert(self, *, regrade: int, name: str | None = None, **_: Any) -> dict[str, Any]:
        shown = _found(regrade)
        moved = actions.revert(_person(name), shown)
        return {**self._facts(shown), **asdict(moved)}

    def _drop(self, *, regrade: int, name: str | None = None, **_: Any) -> dict[str, Any]:
        shown = _found(regrade)
        actions.drop(_person(name), shown)
        return self._facts(shown)

    @staticmethod
    def _facts(shown: Regrade) -> dict[str, Any]:
        shown.refresh_from_db()
        facts = {
            "regrade": shown.pk,
            "stage": shown.stage,
            "reason": shown.reason,
            "plan": shown.facts.get("plan", {}),
            "outcomes": queries.outcomes(shown),
        }
        if shown.stage not in (Stage.DRAFT, Stage.PLANNED):
            facts["done"] = queries.work_done(shown)
        return facts | ({"failure": shown.failure} if shown.failure else {})

    def _say(self, facts: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(facts))
            return
        plan = facts["plan"]
        self.stdout.write(f"Regrade {facts['regrade']}, {facts['stage']}: {facts['reason']}")
        if plan:
            self.stdout.write(
                f"  plan: {plan['submissions']} submissions of {plan['students']} students; at most {plan['runs']} "
                f"runs, {plan['checks']} checks, {plan['kept']} results as they are; about {plan['seconds']:.0f} s"
            )
        if "done" in facts:
            told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(facts["outcomes"].items()))
            self.stdout.write(f"  submissions: {told}; {facts['done']['runs']} runs, {facts['done']['checks']} checks")
        for before, row in facts.get("matrix", {}).items():
            for after, count in row.items():
                if before != after:
                    self.stdout.write(f"  {count:5}  {before.replace('_', ' ')} -> {after.replace('_', ' ')}")
        for one in facts.get("reasons", ()):
            self.stdout.write(f"  {one['count']:5}  because of {one['kind']} {one['on']}".rstrip())
        for one in facts.get("grades", ()):
            points = f"{one['before']} -> {one['after']} of {one['of']}"
            self.stdout.write(f"  {one['student']:16} {one['course']}, {one['assignment']}: {points}")
        for row in facts.get("items", ()):
            results = " -> ".join(_result(row, when) for when in ("before", "after"))
            self.stdout.write(f"  {row['submission']:7} {row['student']:16} {results} {row['outcome']}")
        if "moved" in facts:
            moved = "results count as before again" if facts["stage"] == Stage.REVERTED else "results moved"
            self.stdout.write(
                f"  {facts['moved']} {moved}, {facts['conflicts']} conflicts, {facts['archived']} archived"
            )
        if "failure" in facts:
            self.stdout.write(f"  {facts['failure']}")


def _person(name: str | None) -> User | None:
    """Whoever is named; None: the command line, which may everything."""
    if name is None:
        return None
    found = User.objects.filter(username=name, is_active=True).first()
    if found is None:
        raise CommandError(f"There is no account {name!r} that is open.")
    return found


def _found(number: int) -> Regrade:
    found = Regrade.objects.filter(pk=number).first()
    if found is None:
        raise CommandError(f"There is no regrade {number}.")
    return found


def _result(row: Mapping[str, Any], when: str) -> str:
    """Verdict and, where they tell more than it, points."""
    points, of = row[f"points_{when}"], row[f"of_{when}"]
    told = f" ({points:g} of {of:g})" if row["scoring"] and None not in (points, of) else ""
    return f"{row[when]}{told}"


def _row(item: RegradeItem) -> dict[str, Any]:
    after = item.new or (item.base if item.outcome == Outcome.SAME else None)
    told = {"before": item.base, "after": after}
    return {
        "submission": item.number,
        "student": item.submission.author.username if item.submission else "",
        "outcome": item.outcome,
        **{when: one.verdict if one else "" for when, one in told.items()},
        **{f"points_{when}": _number(one.points if one else None) for when, one in told.items()},
        **{f"of_{when}": _number(one.out_of if one else None) for when, one in told.items()},
        "scoring": any(bool(one and one.version.facts.get("scoring")) for one in told.values()),
        "cause": item.cause,
    }


def _number(points: Decimal | None) -> float | None:
    return None if points is None else float(points)
