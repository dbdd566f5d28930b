"""Regrades: the list, and the one page of each, from its plan to what came of it."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from judge.authoring import differences
from judge.grades.score import rounded
from judge.grades.sheets import safe
from judge.people.models import User
from judge.people.refusal import Refused
from judge.regrades import actions, applying, impact, planning, queries
from judge.regrades.applying import Moved
from judge.regrades.models import Outcome, Regrade, RegradeItem, Stage
from judge.submissions.selection import NUMBERS
from judge.web.instructor import regrade_words as words
from judge.web.instructor.draft import attachment
from judge.web.instructor.frame import reader
from judge.web.instructor.submissions import for_staff
from judge.web.instructor.versions import limit_words
from judge.web.words import title_of, waits_for

PAGE = 50
MOVING = (Stage.DRAFT, Stage.RUNNING)
COMPARED = (Stage.READY, Stage.APPLIED, Stage.REVERTED)


@for_staff
@require_safe
def regrades(request: HttpRequest) -> HttpResponse:
    """All of them."""
    page = Paginator(queries.regrades(request.user).prefetch_related("targets__problem"), PAGE).get_page(
        request.GET.get("page")
    )
    rows = [(one, words.STAGES[one.stage], one.facts.get("plan", {}).get("submissions")) for one in page]
    return render(request, "instructor/regrades.html", {"here": "regrades", "page": page, "rows": rows})


@never_cache
@login_required
@require_safe
def regrade(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole page."""
    return render(request, "instructor/regrade.html", told(request, _regrade(request, pk)))


@never_cache
@login_required
@require_safe
def fragment(request: HttpRequest, pk: int) -> HttpResponse:
    """The moving part alone."""
    return render(request, "instructor/regrade_story.html", told(request, _regrade(request, pk)))


def told(request: HttpRequest, shown: Regrade) -> dict[str, Any]:
    """What the templates need, by where the regrade stands."""
    progress = queries.progress(shown)
    context: dict[str, Any] = {
        "here": "regrades",
        "regrade": shown,
        "stage": words.STAGES[shown.stage],
        "moving": shown.stage in MOVING,
        "progress": progress,
        "lacks": "" if (lacked := queries.lacked(shown)) is None else waits_for(lacked),
        "waits": shown.stage == Stage.RUNNING and not queries.worked_on(shown),
        "left": words.seconds_in_words(progress.seconds_left) if progress.seconds_left is not None else "",
        "changes": list(_changes(shown)),
        "plan": shown.facts.get("plan"),
        "examples": shown.facts.get("examples") or shown.facts.get("trying", []),
        "log": [(entry, words.DEEDS.get(entry.what, entry.what)) for entry in queries.log(shown)],
        "policy": words.POLICIES.get(shown.policy, ""),
    }
    if context["plan"]:
        plans = context["plan"]["plans"]
        context["plans"] = [(word, plans[plan]) for plan, word in words.PLANS.items() if plans.get(plan)]
        context["cost"] = words.seconds_in_words(context["plan"]["seconds"])
    context["as_promised"] = sum(not one["complaint"] for one in context["examples"])
    if shown.stage in COMPARED:
        context |= _compared(request, shown)
    return context


def _changes(shown: Regrade) -> Iterator[dict[str, Any]]:
    """For each problem: from which versions to which, and what differs."""
    before = planning.versions_before(shown)
    for target in shown.targets.select_related("problem__live", "version").order_by("problem__slug"):
        old = before.get(target.problem_id, [])
        said = ""
        if len(old) == 1 and old[0] != target.version:
            limits = limit_words(old[0], target.version)
            said = words.changes(differences.cases(old[0], target.version), limits)
        yield {
            "title": title_of(target.problem.slug, target.version),
            "slug": target.problem.slug,
            "before": [one.number for one in reversed(old)],
            "after": target.version.number,
            "said": said,
            "same": [one.pk for one in old] == [target.version_id],
            "moved_on": target.problem.live if target.problem.live_id != target.version_id else None,
        }


def _compared(request: HttpRequest, shown: Regrade) -> dict[str, Any]:
    page = Paginator(queries.items(request.user, shown, request.GET), PAGE).get_page(request.GET.get("page"))
    instead = queries.instead(request.user, [one for one in page if one.conflict])
    outcomes = queries.outcomes(shown)
    clusters = queries.clusters(shown)
    filtered = any(request.GET.get(name) for name in ("before", "after", "kind", "outcome"))
    return {
        "matrix": queries.matrix(shown),
        "clusters": [(one, words.headline(one), words.detail(one)) for one in clusters],
        "impact": queries.impact(shown),
        **_grades(request, shown),
        "outcomes": outcomes,
        "changed": outcomes.get(Outcome.CHANGED, 0),
        "unstable": outcomes.get(Outcome.UNSTABLE, 0),
        "work": queries.work_done(shown),
        "page": page,
        "rows": [
            (one, _cause(one), _change(one), words.OUTCOMES[one.outcome], instead.get(one.number)) for one in page
        ],
        "filtered": filtered,
        "would": {policy: applying.would_move(shown, policy) for policy in applying.POLICIES}
        if shown.stage == Stage.READY
        else {},
        "conflicts": shown.items.filter(conflict=True).count(),
        "moved": shown.items.filter(moved__isnull=False).count(),
        "others": queries.others(shown),
        "took": (shown.finished - shown.started).total_seconds() if shown.finished and shown.started else None,
    }


def _grades(request: HttpRequest, shown: Regrade) -> dict[str, Any]:
    """Points before and after, where the reader sees grades."""
    changes = impact.grades(request.user, shown)
    rows = [(one, *map(rounded, (one.before, one.after, one.worth, one.gain))) for one in changes[:PAGE]]
    return {
        "grades": rows,
        "grades_more": len(changes) - len(rows),
        "grades_up": len({one.student.pk for one in changes if one.gain > 0}),
        "grades_down": len({one.student.pk for one in changes if one.gain < 0}),
    }


def _cause(item: RegradeItem) -> str:
    return words.short_cause(item.cause)


def _change(item: RegradeItem) -> float:
    """Difference of the points."""
    old, new = (one.points if one and one.points is not None else 0 for one in (item.base, item.new or item.base))
    return float(new) - float(old)


@never_cache
@login_required
@require_POST
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """What the page's buttons do: `do` says which."""
    shown, by, deed = _regrade(request, pk), reader(request), request.POST.get("do", "")
    back = redirect("regrade", pk=pk)
    try:
        match deed:
            case "start":
                actions.start(by, shown)
            case "pause":
                actions.pause(by, shown)
            case "resume":
                actions.resume(by, shown)
            case "drop":
                actions.drop(by, shown)
            case "choose":
                _choose(request, by, shown)
                messages.success(request, _("The choice of this page is kept."))
                back["Location"] += _query(request)
            case "apply":
                policy = request.POST.get("policy", "")
                if policy == applying.SELECTED:
                    _choose(request, by, shown)
                _say_moved(request, actions.apply(by, shown, policy), others=queries.others(shown))
            case "revert":
                _say_moved(request, actions.revert(by, shown))
            case _:
                raise Http404
    except Refused as refusal:
        messages.error(request, refusal.message)
    return back


def _query(request: HttpRequest) -> str:
    """The page and the filters from which the form came."""
    query = request.POST.get("query", "")
    return query[:2000] if query.startswith("?") and query.isprintable() else ""


def _choose(request: HttpRequest, by: User, shown: Regrade) -> None:
    on_page, ticked = (
        [int(word) for word in request.POST.getlist(name)[:NUMBERS] if word.isdecimal() and len(word) < 18]
        for name in ("shown", "pick")
    )
    if on_page:
        actions.choose(by, shown, on_page, ticked)


def _say_moved(request: HttpRequest, moved: Moved, *, others: int | None = None) -> None:
    """`others`: of what it was applied to, the results that are other ones; None: it was taken back."""
    back, count = others is None, {"n": moved.moved}
    if others is None:
        text = ngettext(
            "Taken back: %(n)d submission has its former result.",
            "Taken back: %(n)d submissions have their former results.",
            moved.moved,
        )
        messages.success(request, text % count)
    else:
        text = ngettext("Applied to %(n)d submission.", "Applied to %(n)d submissions.", moved.moved) % count
        more = ngettext("%(n)d has another result now.", "%(n)d have another result now.", others) % {"n": others}
        messages.success(request, f"{text} {more}")
    if moved.conflicts:
        messages.warning(request, (_left_back if back else _left)(moved.conflicts) % {"n": moved.conflicts})
    if moved.archived:
        text = ngettext(
            "%(n)d belongs to an archived course, which is only read, and was left alone.",
            "%(n)d belong to archived courses, which are only read, and were left alone.",
            moved.archived,
        )
        messages.warning(request, text % {"n": moved.archived})


def _left(n: int) -> str:
    return ngettext(
        "%(n)d has another result since, and was left alone.",
        "%(n)d have other results since, and were left alone.",
        n,
    )


def _left_back(n: int) -> str:
    return ngettext(
        "%(n)d has a newer result, which still counts. If that is taken back too, what counted before both counts "
        "again.",
        "%(n)d have newer results, which still count. If those are taken back too, what counted before both counts "
        "again.",
        n,
    )


@never_cache
@login_required
@require_safe
def table(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """All submissions of a regrade, before and after: `csv` or `json`; filtered as the page.

    With what becomes of grades, where the reader sees them: a list in JSON, and in CSV on each line whose student has
    other points for the assignment.
    """
    shown = _regrade(request, pk)
    query = request.GET if request.GET else {"outcome": "all"}
    found = queries.items(request.user, shown, query).select_related("submission__assignment__course")
    changes = impact.grades(request.user, shown) if shown.stage in COMPARED else ()
    if form == "json":
        facts = {"regrade": shown.pk, "stage": shown.stage, "reason": shown.reason}
        told = facts | {"grades": [one.facts for one in changes], "items": [_row(item) for item in found]}
        return attachment(json.dumps(told, indent=1).encode(), f"regrade-{shown.pk}.json", "application/json")
    if form != "csv":
        raise Http404
    grades = {(one.student.pk, one.assignment.pk): one.facts for one in changes}
    rows = [_row(item) | _grade(item, grades) for item in found]
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else ["submission"])
    writer.writeheader()
    for row in rows:
        writer.writerow({name: safe(value) if isinstance(value, str) else value for name, value in row.items()})
    return attachment(text.getvalue().encode("utf-8-sig"), f"regrade-{shown.pk}.csv", "text/csv; charset=utf-8")


def _row(item: RegradeItem) -> dict[str, Any]:
    before, after = item.base, item.new or (item.base if item.outcome == Outcome.SAME else None)
    assignment = item.submission.assignment if item.submission else None
    return {
        "submission": item.number,
        "student": item.submission.author.username if item.submission else "",
        "course": assignment.course.slug if assignment else "",
        "assignment": str(assignment or ""),
        "problem": item.submission.problem.slug if item.submission else "",
        "outcome": item.outcome,
        "verdict_before": before.verdict if before else "",
        "verdict_after": after.verdict if after else "",
        "points_before": _number(before.points) if before else "",
        "points_after": _number(after.points) if after else "",
        "version_before": before.version.number if before else "",
        "version_after": after.version.number if after else "",
        "because": words.short_cause(item.cause),
        "applied": item.moved.isoformat() if item.moved else "",
        "conflict": item.conflict,
    }


def _grade(item: RegradeItem, grades: Mapping[tuple[int, int], Mapping[str, str]]) -> dict[str, str]:
    """Columns of the points of its author for its assignment; empty where they stay."""
    sent = item.submission
    facts = grades.get((sent.author_id, sent.assignment_id or 0), {}) if sent else {}
    return {f"grade_{name}": facts.get(name, "") for name in ("before", "after", "of")}


def _number(points: Any) -> str:
    return "" if points is None else f"{points.normalize():f}"


def _regrade(request: HttpRequest, pk: int) -> Regrade:
    found = queries.regrade(request.user, pk)
    if found is None:
        raise Http404
    return found
