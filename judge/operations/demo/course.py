"""Makes the course with everything in it, and takes it away again.

Judging is owed for what was sent as for everything else, only that it is due a day later: whatever anybody else sends
goes first.
"""

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from judge.assignments import actions as assigning
from judge.assignments.models import Assignment, Extension
from judge.blobs import store
from judge.blobs.versions import package_of
from judge.feedback.models import Search
from judge.grades.actions import adjust
from judge.grades.models import Adjustment
from judge.operations.accounts import WORD_CHARACTERS
from judge.operations.demo import people, term
from judge.people.actions import create_course
from judge.people.models import Course, CourseRole, Membership, Role, Section, User
from judge.people.refusal import Refused
from judge.submissions import hints
from judge.submissions.actions import time_factor
from judge.submissions.models import Effective, Judgement, State, Submission
from judge.submissions.queries import allowed_languages
from problems.models import Problem

SLUG = "palfrey-demo"
AFTER_ALL_OTHERS = timedelta(days=1)
"""So much later than what is sent now is this due."""
EVERYWHERE = ("c17", "cpp17", "python3")
"""Languages to send when no worker is there that would say what it offers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the judging is, in submissions."""

    total: int
    done: int


def there() -> Course | None:
    """The course, when it was made."""
    return Course.objects.filter(slug=SLUG).first()


def progress(course: Course) -> Progress:
    sent = Judgement.objects.filter(submission__assignment__course=course, effective__isnull=False)
    done = sent.filter(state__in=(State.DONE, State.ABANDONED)).count()
    return Progress(total=sent.count(), done=done)


def fill(students: int, password: str, *, problems: Sequence[Problem] | None = None) -> Course:
    """Make the course with so many students, and owe the judging of all they sent. Everybody in it has `password`.

    `problems`: live ones, in the order of `term.PROBLEMS`; None: those that come with Palfrey. Raises `Refused`.
    """
    if there() is not None:
        raise Refused("The course is there already.")
    if not 1 <= students <= people.MOST:
        raise Refused(f"There can be 1 to {people.MOST} students.")
    problems = _builtin() if problems is None else problems
    now = timezone.localtime().replace(second=0, microsecond=0)
    sent = term.sent(students, [_shelf(problem) for problem in problems], now)
    digests = {one.program.content: store.put(one.program.content) for one in sent}
    with transaction.atomic():
        made = {user.username: user for user in _accounts(students, make_password(password))}
        course = _course(made, students, now)
        assignments = _assignments(course, made[people.INSTRUCTOR], problems, now)
        judgements = _submissions(sent, made, assignments, problems, digests)
        _exceptions(course, made, assignments, now)
        if settings.LOCAL:  # a stranger's site lends its problems to nobody
            for problem in problems:
                problem.owners.add(made[people.INSTRUCTOR])
    for judgement in judgements:
        if not hints.send(judgement):
            break  # the sweeper sends the rest
    return course


def remove() -> int:
    """Delete the course, everything that was sent in it by anybody, and its people; gives how many programs went."""
    course = there()
    if course is None:
        raise Refused("The course is not there.")
    with transaction.atomic():
        mine = User.objects.filter(made_in=course, username__startswith="demo-").order_by()
        names = list(mine.values_list("username", flat=True))
        sent = Submission.objects.filter(Q(assignment__course=course) | Q(author__in=mine.values("pk"))).order_by()
        Search.objects.filter(submission__in=sent.values("pk")).delete()
        Effective.objects.filter(submission__in=sent.values("pk")).delete()
        number = sent.count()
        sent.delete()
        course.assignments.all().delete()
        mine.delete()
        course.delete()
        for log in (AccessAttempt, AccessLog, AccessFailureLog):
            log.objects.filter(username__in=names).delete()
    return number


def new_password(file: Path) -> str:
    """A random one, kept in `file` for its owner alone."""
    password = "-".join("".join(secrets.choice(WORD_CHARACTERS) for _ in range(4)) for _ in range(3))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as text:
        text.write(f"{password}\n")
    return password


def kept_password(file: Path) -> str | None:
    """The one in `file`, if it still opens the instructor's account."""
    try:
        password = file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    user = User.objects.filter(username=people.INSTRUCTOR).first()
    return password if user is not None and user.check_password(password) else None


def _builtin() -> list[Problem]:
    found = {one.slug: one for one in Problem.objects.filter(slug__in=term.PROBLEMS, live__isnull=False)}
    if len(found) < len(term.PROBLEMS):
        missing = ", ".join(sorted(set(term.PROBLEMS) - set(found)))
        raise Refused(f"These problems are not live: {missing}. Run ./palfrey publish --builtin first.")
    return [found[slug] for slug in term.PROBLEMS]


def _shelf(problem: Problem) -> list[term.Written]:
    assert problem.live is not None
    may = allowed_languages(problem.live) or EVERYWHERE
    return [one for one in term.programs(package_of(problem.live)) if one.language in may]


def _accounts(students: int, password: str) -> list[User]:
    wanted = [people.INSTRUCTOR, *people.ASSISTANTS, *map(people.student, range(1, students + 1))]
    taken = User.objects.filter(username__in=wanted).values_list("username", flat=True)
    if taken:
        raise Refused(f"There are accounts of these names already: {', '.join(sorted(taken)[:5])}.")
    accounts = []
    for number, username in enumerate(wanted):
        given, family = people.name(number)
        accounts.append(
            User(
                username=username,
                first_name=given,
                last_name=family,
                email=f"{username}@demo.invalid",
                password=password,
                role=Role.INSTRUCTOR if username == people.INSTRUCTOR else Role.STUDENT,
            )
        )
    User.objects.bulk_create(accounts)
    return list(User.objects.filter(username__in=wanted))


def _course(made: dict[str, User], students: int, now: datetime) -> Course:
    course = create_course(
        made[people.INSTRUCTOR],
        Course(
            name="Algorithms, a course to look at",
            code="DEMO-210",
            slug=SLUG,
            time_zone=settings.TIME_ZONE,
            starts=term.opens(term.TERM[0], now).date(),
            ends=term.due(term.TERM[-1], now).date(),
        ),
    )
    User.objects.filter(pk__in=[user.pk for user in made.values()]).update(made_in=course)
    sections = [Section.objects.create(course=course, name=name) for name in people.SECTIONS]
    members = [Membership(user=made[name], course=course, role=CourseRole.ASSISTANT) for name in people.ASSISTANTS]
    members += [
        Membership(user=made[people.student(number)], course=course, section=sections[number % len(sections)])
        for number in range(1, students + 1)
    ]
    Membership.objects.bulk_create(members)
    return course


def _assignments(course: Course, by: User, problems: Sequence[Problem], now: datetime) -> dict[int, Assignment]:
    """Place in the term -> the assignment; without those whose problems are not there."""
    made = {}
    for place, asked in enumerate(term.TERM):
        entries = [
            assigning.Entry(problem=problems[number], points=Decimal(asked.points))
            for number in asked.problems
            if number < len(problems)
        ]
        if not entries:
            continue
        deadline = term.due(asked, now)
        over = asked.due < 0
        made[place] = assigning.save(
            by,
            Assignment(
                course=course,
                title=asked.title,
                published=term.opens(asked, now) - timedelta(days=14),
                opens=term.opens(asked, now),
                deadline=deadline,
                cutoff=None if asked.cutoff is None else deadline + timedelta(days=asked.cutoff),
                grace_minutes=5,
                late_percent=asked.late_percent,
                attempts=asked.attempts,
                counts=asked.counts,
                grades_published=deadline + timedelta(days=7) if over else None,
            ),
            entries,
            (),
        )
    return made


def _submissions(
    sent: Sequence[term.Sent],
    made: dict[str, User],
    assignments: dict[int, Assignment],
    problems: Sequence[Problem],
    digests: dict[bytes, str],
) -> list[Judgement]:
    rows = [
        Submission(
            author=made[people.student(one.student)],
            problem=problems[one.problem],
            assignment=assignments[one.assignment],
            language=one.program.language,
            files=[
                {
                    "name": one.program.name,
                    "digest": digests[one.program.content],
                    "size": len(one.program.content),
                }
            ],
            token=f"demo-{number}",
        )
        for number, one in enumerate(sent)
    ]
    Submission.objects.bulk_create(rows)
    for row, one in zip(rows, sent, strict=True):
        row.sent = one.moment
    Submission.objects.bulk_update(rows, ["sent"], batch_size=100)
    first = timezone.now() + AFTER_ALL_OTHERS
    judgements = [
        Judgement(
            submission=row,
            version=row.problem.live,
            time_factor=time_factor(row.assignment, row.language),
            due=first + timedelta(milliseconds=number),
        )
        for number, row in enumerate(rows)
    ]
    Judgement.objects.bulk_create(judgements)
    Effective.objects.bulk_create(Effective(submission=one.submission, judgement=one) for one in judgements)
    return judgements


def _exceptions(course: Course, made: dict[str, User], assignments: dict[int, Assignment], now: datetime) -> None:
    """What makes a term: somebody was ill, somebody need not, and once a person knew better than the judge."""
    by = made[people.INSTRUCTOR]
    students = [made[name] for name in sorted(made) if name.startswith(people.student(0)[:-2])]
    given = list(assignments.values())
    if len(students) > 1:
        assigning.extend(by, given[0], students[1], deadline=given[0].deadline + timedelta(days=5), exempt=False,
                         extra_attempts=0, reason="Ill that week; the certificate is in the office.")  # fmt: skip
    if len(given) > 2 and len(students) > 2:
        assigning.extend(by, given[1], students[2], deadline=None, exempt=True, extra_attempts=0,
                         reason="Passed this part of the course last year.")  # fmt: skip
    adjust(by, given[0].entries.all()[0], students[0], Decimal(given[0].entries.all()[0].points) * Decimal("0.85"),
           "Right, but the program was shown to us unfinished in the exercise; agreed on together.")  # fmt: skip
    Adjustment.objects.filter(entry__assignment__course=course).update(made=given[0].deadline + timedelta(days=6))
    Extension.objects.filter(assignment__course=course).update(given=now - timedelta(days=60))
