"""Which submissions: the filters of the staff's table, of regrades and of downloads, in one place."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Self

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date

from judge.assignments.rules import later_by
from judge.grading.languages import LANGUAGES
from judge.grading.verdict import Verdict
from judge.people.models import Course
from judge.submissions.models import CaseResult, State, Submission

NUMBERS = 5_000
"""Submissions that can be named one by one."""

FIRST_YEAR, LAST_YEAR = 1990, 2200
"""Of the days that can be asked for: no clock reckons beyond those of Python."""
PENDING = "pending"
"""In the place of a verdict: what waits or is being judged."""
PRACTICE = "~"
"""What stands for no course; no course has such an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Filters; an empty one leaves everything in. As they stand in an address, so that a list can be kept as a link."""

    problem: str = ""
    """Short name."""
    version: str = ""
    """Number of the version by which it was judged; `older`: another one than the live one."""
    verdict: str = ""
    """Or `PENDING`."""
    language: str = ""
    person: str = ""
    """Account name, or a part of a name."""
    case: str = ""
    """Name of a case on which it was not accepted."""
    since: str = ""
    """First day, and last day, as `2026-10-01`; on the clock of the course, where one is chosen."""
    until: str = ""
    course: str = ""
    """As in its address; `PRACTICE`: none."""
    assignment: str = ""
    """Its number."""
    numbers: str = ""
    """Submissions by their numbers, separated by commas."""

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> Self:
        """From an address or a form; what is no filter is left out, and so is what cannot be one."""
        given = {field.name: str(query.get(field.name, "")).strip()[:200] for field in fields(cls)}
        given["numbers"] = str(query.get("numbers", "")).strip()[: 12 * NUMBERS]
        if given["verdict"] not in {*Verdict, PENDING}:
            given["verdict"] = ""
        if given["language"] not in LANGUAGES:
            given["language"] = ""
        if given["version"] != "older" and not (given["version"].isdecimal() and len(given["version"]) < 7):
            given["version"] = ""
        if not (given["assignment"].isdecimal() and len(given["assignment"]) < 18):
            given["assignment"] = ""
        for day in ("since", "until"):
            if _day(given[day]) is None:
                given[day] = ""
        given = {name: value.replace("\0", "") for name, value in given.items()}
        return cls(**given)

    @classmethod
    def dropped(cls, query: Mapping[str, Any]) -> dict[str, str]:
        """What was asked for and can be no filter: whoever goes on without it takes more than was meant."""
        kept = cls.of(query)
        asked = {field.name: str(query.get(field.name, "")).strip() for field in fields(cls)}
        found = {name: value[:60] for name, value in asked.items() if value and not getattr(kept, name)}
        words = [word.strip() for word in asked["numbers"].split(",")]
        odd = [word for word in words if word and not _is_number(word)]
        return found | ({"numbers": odd[0][:60]} if odd else {})

    def fruitless(self, submissions: QuerySet[Submission, Submission]) -> str:
        """Where nothing of `submissions` fits: the filter that none of them fits by itself; empty: there is no such."""
        if self.narrow(submissions).exists():
            return ""
        of = {"since": {"course": self.course}, "until": {"course": self.course}, "version": {"problem": self.problem}}
        alone = {name: type(self)(**{name: value} | of.get(name, {})) for name, value in self.facts.items()}
        return next((name for name, one in alone.items() if not one.narrow(submissions).exists()), "")

    @property
    def facts(self) -> dict[str, str]:
        """The filters that are set."""
        return {name: value for name, value in asdict(self).items() if value}

    def narrow(self, submissions: QuerySet[Submission, Submission]) -> QuerySet[Submission, Submission]:
        """Those of `submissions` that fit."""
        equal = {
            "problem__slug": self.problem,
            "assignment": self.assignment,
            "effective__judgement__verdict": "" if self.verdict == PENDING else self.verdict,
            "language": self.language,
        }
        found = submissions.filter(**{name: value for name, value in equal.items() if value})
        if self.verdict == PENDING:
            found = found.exclude(effective__judgement__state__in=(State.DONE, State.ABANDONED))
        if self.numbers:
            found = found.filter(pk__in=_numbers(self.numbers))
        if self.course == PRACTICE:
            found = found.filter(assignment=None)
        elif self.course:
            found = found.filter(assignment__course__slug=self.course)
        if self.version == "older":
            found = found.exclude(effective__judgement__version=F("problem__live"))
        elif self.version:
            found = found.filter(effective__judgement__version__number=int(self.version))
        if self.person:
            name = self.person
            found = found.filter(
                Q(author__username__icontains=name)
                | Q(author__first_name__icontains=name)
                | Q(author__last_name__icontains=name)
            )
        if self.case:
            failed = CaseResult.objects.filter(judgement=OuterRef("effective__judgement"), name=self.case)
            found = found.filter(Exists(failed.exclude(verdict__in=("", Verdict.ACCEPTED.value))))
        course = Course.objects.filter(slug=self.course).first() if self.since or self.until else None
        since, until = (_day(day, course) for day in (self.since, self.until))
        if since:
            found = found.filter(sent__gte=since)
        if until:
            found = found.filter(sent__lt=later_by(until, 1, course.zone) if course else until + timedelta(days=1))
        return found


def _numbers(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    return [int(word) for word in words[:NUMBERS] if _is_number(word)]


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 18


def _day(text: str, course: Course | None = None) -> datetime | None:
    try:
        day = parse_date(text)
    except ValueError:
        return None
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        return None
    begins = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - made aware here
    return timezone.make_aware(begins, course.zone if course else None)
