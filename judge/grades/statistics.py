"""How an assignment's problem went, from the judgements that count and are done: for the staff of the course.

However much was sent, it takes the same number of queries. Work of who is exempt, or no student of the course any
more, is not in it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.db.models import F, Max, QuerySet, Window
from django.db.models.functions import RowNumber

from judge.assignments.models import AssignmentProblem
from judge.assignments.queries import extensions_of, students_of
from judge.assignments.rules import Rules, extended, rules_of
from judge.grading.verdict import Verdict
from judge.submissions.admission import FREE
from judge.submissions.models import CaseResult, State, Submission

MOST_ATTEMPTS = 8
"""More than these are one bar."""
MOST_DAYS = 7
"""So many days before the deadline and more are one bar."""
MOST_DAYS_LATE = 3
CASES = 8
"""Of the cases at which programs stop, those that stop most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Programs in one language."""

    id: str
    programs: int
    accepted: int
    median_seconds: float | None
    """Of the slowest case of each that was accepted; None: none was."""
    most_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """A case that was the first one not accepted."""

    name: str
    verdict: str
    programs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What the page shows."""

    asked: int
    """Students of whom the problem is asked."""
    tried: int
    solved: int
    programs: int
    """Judged, whatever came of it."""
    waiting: int
    """Not judged yet; in nothing else here."""
    verdicts: Mapping[str, int]
    """Verdict -> programs, in the order of `Verdict`; what did not compile and judge errors among them."""
    solved_after: Sequence[int]
    """Students by the attempts up to their first accepted one: 1, 2, …, the last `MOST_ATTEMPTS` and more."""
    unsolved_after: Sequence[int]
    """The same for those without an accepted one."""
    days: Mapping[int, int]
    """Whole days left to one's own deadline -> programs; from `MOST_DAYS` (and more) down to -`MOST_DAYS_LATE` (late
    by so many days begun, or more)."""
    seconds: Sequence[float]
    """Processor time of the slowest case of each program that was accepted, least first."""
    languages: Sequence[Language]
    """Those with the most programs first."""
    stopping: Sequence[Stopping]


def statistics(entry: AssignmentProblem) -> Statistics:
    """Of the problem in its assignment; `entry.assignment.course` should be at hand. Who may see it is for the caller
    to ask."""
    rules = _rules(entry)
    sent = Submission.objects.filter(assignment=entry.assignment_id, problem=entry.problem_id)
    columns = ("author", "sent", "language", "effective__judgement", "effective__judgement__state")
    judged: dict[int, list[tuple[datetime, str]]] = defaultdict(list)
    days: Counter[int] = Counter()
    verdicts: Counter[str] = Counter()
    programs: dict[str, list[int]] = defaultdict(list)
    accepted: dict[int, str] = {}
    waiting = 0
    for author, moment, language, judgement, state, verdict in sent.order_by("sent", "pk").values_list(
        *columns, "effective__judgement__verdict"
    ):
        if author not in rules:
            continue
        if state not in (State.DONE, State.ABANDONED) or not verdict:
            waiting += 1
            continue
        verdicts[verdict] += 1
        days[_days_left(moment, rules[author])] += 1
        programs[language].append(judgement)
        if verdict == Verdict.ACCEPTED:
            accepted[judgement] = language
        if verdict not in FREE:
            judged[author].append((moment, verdict))
    solved, unsolved = _attempts(judged.values())
    times = _slowest(sent) if accepted else {}
    return Statistics(
        asked=len(rules),
        tried=len(judged),
        solved=sum(solved),
        programs=sum(verdicts.values()),
        waiting=waiting,
        verdicts={verdict.value: verdicts[verdict.value] for verdict in Verdict if verdicts[verdict.value]},
        solved_after=solved,
        unsolved_after=unsolved,
        days={left: days[left] for left in range(MOST_DAYS, -MOST_DAYS_LATE - 1, -1)},
        seconds=sorted(times[one] for one in accepted if one in times),
        languages=_languages(programs, accepted, times),
        stopping=_stopping(sent, {one for each in programs.values() for one in each}),
    )


def _rules(entry: AssignmentProblem) -> dict[int, Rules]:
    """Student -> the rules as they hold for them, without who is exempt; three queries."""
    assignment = entry.assignment
    common, extensions = rules_of(assignment), extensions_of([assignment])
    found = {}
    for member in students_of(assignment):
        extension = extensions.get((assignment.pk, member.user_id))
        rules = extended(common, extension) if extension else common
        if not rules.exempt:
            found[member.user_id] = rules
    return found


def _days_left(moment: datetime, rules: Rules) -> int:
    late = rules.days_late(moment)
    if late:
        return -min(late, MOST_DAYS_LATE)
    return max(0, min((rules.deadline - moment).days, MOST_DAYS))


def _attempts(judged: Iterable[Sequence[tuple[datetime, str]]]) -> tuple[list[int], list[int]]:
    solved, unsolved = [0] * MOST_ATTEMPTS, [0] * MOST_ATTEMPTS
    for attempts in judged:
        first = next((at for at, (_, verdict) in enumerate(attempts) if verdict == Verdict.ACCEPTED), None)
        if first is None:
            unsolved[min(len(attempts), MOST_ATTEMPTS) - 1] += 1
        else:
            solved[min(first, MOST_ATTEMPTS - 1)] += 1
    return solved, unsolved


def _results(sent: QuerySet[Submission, Submission]) -> QuerySet[CaseResult, CaseResult]:
    return CaseResult.objects.filter(judgement__effective__submission__in=sent.order_by().values("pk")).order_by()


def _slowest(sent: QuerySet[Submission, Submission]) -> dict[int, float]:
    """Judgement that counts and is accepted -> processor time of its slowest case."""
    found = _results(sent).filter(judgement__verdict=Verdict.ACCEPTED).values("judgement")
    return dict(found.annotate(most=Max("cpu_seconds")).values_list("judgement", "most"))


def _languages(
    programs: Mapping[str, Sequence[int]], accepted: Mapping[int, str], times: Mapping[int, float]
) -> list[Language]:
    found = []
    for language, judgements in programs.items():
        right = [one for one in judgements if one in accepted]
        took = [times[one] for one in right if one in times]
        found.append(
            Language(
                id=language,
                programs=len(judgements),
                accepted=len(right),
                median_seconds=median(took) if took else None,
                most_seconds=max(took, default=None),
            )
        )
    return sorted(found, key=lambda one: (-one.programs, one.id))


def _stopping(sent: QuerySet[Submission, Submission], judged: set[int]) -> list[Stopping]:
    failed = _results(sent).exclude(verdict__in=("", Verdict.ACCEPTED.value, Verdict.JUDGE_ERROR.value))
    ranked = failed.annotate(
        place=Window(RowNumber(), partition_by=F("judgement"), order_by=F("position").asc())
    ).filter(place=1)
    counted = Counter(
        (name, verdict)
        for judgement, name, verdict in ranked.values_list("judgement", "name", "verdict")
        if judgement in judged
    )
    return [
        Stopping(name=name, verdict=verdict, programs=number)
        for (name, verdict), number in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:CASES]
    ]
