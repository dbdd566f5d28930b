"""What people can do: send a program, try one out, have a failed judging done again. One verb, one transaction."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.assignments.models import Assignment
from judge.assignments.queries import problems
from judge.blobs import store
from judge.blobs.versions import programs_of
from judge.grading.job import ANSWERS
from judge.grading.languages import LANGUAGES
from judge.grading.needs import judging, words
from judge.grading.verdict import Verdict
from judge.people.models import User
from judge.people.permissions import may_create_problems, may_have_judged_again, may_submit
from judge.people.refusal import Refused, TooMany
from judge.submissions import admission, hints, order
from judge.submissions.models import Effective, Judgement, State, Submission, Trial
from judge.submissions.queries import allowed_languages, course_of, language_label, wants_answers
from problems.models import Problem, Version

NAME = re.compile(r"""\w[^"*:<>?|\\]{0,99}""")
"""One part of a file's path: it begins with a letter, digit or `_`, and any file system can hold it."""
NAME_BYTES = 200
MINUTE = timedelta(minutes=1)
DEPTH = 8


def submit(
    author: User,
    problem: Problem,
    language: str,
    files: Mapping[str, bytes],
    token: str,
    *,
    assignment: Assignment | None = None,
) -> Submission:
    """Keep a program and have it judged. `token` comes with the form: sent twice, it is one submission.

    `assignment`: for what it is sent, under its rules; None: for practice.

    Raises `Refused`. A broker that is not there does not matter: the sweeper sends what is owed later.
    """
    if not token or len(token) > 64 or not token.isprintable():
        raise Refused(_("This form cannot be used any more. Load the page again and send it once more."))
    before = _sent_before(author, token)
    if before is not None:
        return before
    version = problem.live
    if version is None:
        raise Refused(_("This problem is not open for submissions yet."))
    if assignment is None:
        may_practise(author, problem)
        admission.must_be_free_to_practise(author, problem)
    else:
        admission.must_be_allowed(author, assignment, problem, language)
    kept = _program(author, version, language, files)
    with transaction.atomic():
        if assignment is not None:
            admission.must_be_the_turn_of(author, assignment, problem)
        before = _sent_before(author, token)
        if before is not None:
            return before
        _not_too_fast(author)
        _not_too_many(
            author,
            Judgement.objects.filter(submission__author=author),
            settings.UNFINISHED_SUBMISSIONS,
            _("%(n)d of your submissions are waiting or being judged. Wait until one is done, then send this again."),
        )
        sent, new = Submission.objects.get_or_create(
            author=author,
            token=token,
            defaults={"problem": problem, "assignment": assignment, "language": language, "files": kept},
        )
        if new:
            judgement = Judgement.objects.create(
                submission=sent,
                version=version,
                time_factor=time_factor(assignment, language),
                due=_due(author, assignment),
                request=request_number(),
                needs=needs_of(version, language),
            )
            Effective.objects.create(submission=sent, judgement=judgement)
            hints.send_on_commit(judgement)
    return sent


def start_trial(
    author: User,
    version: Version,
    language: str,
    files: Mapping[str, bytes],
    own_input: bytes | None = None,
    *,
    assignment: Assignment | None = None,
) -> Trial:
    """Run a program on the samples (`own_input` None) or on an input of one's own. Not a submission.

    `assignment`: as in `submit`, for the time limit alone. Raises `Refused`.
    """
    kept = _program(author, version, language, files)
    if own_input is not None and len(own_input) > settings.OWN_INPUT_BYTES:
        raise Refused(
            _("The input is too long: at most %(most)s can be tried.")
            % {"most": size_in_words(settings.OWN_INPUT_BYTES)}
        )
    digest = "" if own_input is None else store.put(own_input)
    with transaction.atomic():
        _not_too_many(
            author,
            Trial.objects.filter(author=author),
            settings.UNFINISHED_TRIALS,
            _("%(n)d of your trial runs are still going on. Wait until one is done, then send this again."),
        )
        trial = Trial.objects.create(
            author=author,
            version=version,
            language=language,
            files=kept,
            own_input=digest,
            time_factor=time_factor(assignment, language),
            results={},
            due=order.trial_due(Trial.objects.filter(author=author)),
            request=request_number(),
            needs=needs_of(version, language),
        )
        hints.send_on_commit(trial)
    return trial


def judge_again(by: User, submission: Submission) -> Judgement:
    """Judge a submission once more whose judging failed by a fault that was not the student's. For the staff
    of its course, and for admins.

    The failed judgement stays in the history; the new one counts from now on. Pressed twice, it is done once.
    """
    if not may_have_judged_again(by, course_of(submission)):
        raise Refused(_("Only the staff of its course can have a submission judged again."))
    return once_more(submission)


def once_more(submission: Submission) -> Judgement:
    """`judge_again` by whoever may, which is asked before."""
    with transaction.atomic():
        effective = Effective.objects.select_for_update().select_related("judgement").get(submission=submission)
        failed = effective.judgement
        if not failed.over:
            return failed
        if failed.verdict != Verdict.JUDGE_ERROR:
            raise Refused(_("This submission has its verdict; only a judge error can be judged again here."))
        version = submission.problem.live or failed.version
        again = Judgement.objects.create(
            submission=submission,
            version=version,
            needs=needs_of(version, submission.language),
            time_factor=time_factor(submission.assignment, submission.language),
            request=request_number(),
        )
        moved = Effective.objects.filter(pk=effective.pk, judgement=failed).update(judgement=again)
        if not moved:
            raise Refused(_("Somebody else has just had this submission judged again."))
        hints.send_on_commit(again)
    return again


def needs_of(version: Version, language: str) -> str:
    """What a worker must offer to judge a program in `language` against `version`."""
    return words({language} | programs_of(version, judging))


def request_number() -> str:
    """Number of the web request in which this runs, for the log lines of whoever does what it asks for."""
    return str(structlog.contextvars.get_contextvars().get("request", ""))[:64]


def _due(author: User, assignment: Assignment | None) -> datetime:
    """When it is the turn of what this author sends now."""
    course = None
    if assignment is not None:
        course = Judgement.objects.filter(submission__assignment__course=assignment.course_id)
    return order.due(Judgement.objects.filter(submission__author=author), course)


def time_factor(assignment: Assignment | None, language: str) -> float:
    """By how much the time limit is multiplied for this language."""
    return float(assignment.time_factors.get(language, 1)) if assignment else 1.0


def may_practise(author: User, problem: Problem) -> None:
    """Raises `Refused` for a problem that the author does not find on their shelf."""
    if not problems(author).filter(pk=problem.pk).exists():
        raise Refused(_("This problem is not open for submissions yet."))


def _sent_before(author: User, token: str) -> Submission | None:
    return Submission.objects.filter(author=author, token=token).first()


def _program(author: User, version: Version, language: str, files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Check a program and keep its bytes; gives what stands in the row."""
    if not may_submit(author):
        raise Refused(_("This account cannot send programs. Ask your instructor."))
    _check_language(version, language)
    named = _named(language, files)
    if wants_answers(version):
        _check_answers(version, named)
        return _kept(named)
    if not any(content.strip() for content in named.values()):
        raise Refused(_("The program is empty. Paste it or choose its file, then send it again."))
    limit = int(version.facts.get("code_bytes", 128 << 10))
    size = sum(len(content) for content in named.values())
    if size > limit:
        has, most = two_sizes(size, limit)
        raise Refused(_("The program has %(has)s; this problem takes at most %(most)s.") % {"has": has, "most": most})
    return _kept(named)


def _kept(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    return [{"name": name, "digest": store.put(content), "size": len(content)} for name, content in files.items()]


def _check_answers(version: Version, files: Mapping[str, bytes]) -> None:
    if not any(files.values()):
        raise Refused(_("There is no answer in it. Paste one or choose its file, then send it again."))
    limit = int(version.facts.get("output_bytes", 8 << 20))
    for name, content in files.items():
        if len(content) > limit:
            has, most = two_sizes(len(content), limit)
            raise Refused(
                _("%(name)s has %(has)s; an answer to this problem has at most %(most)s.")
                % {"name": shown_name(name), "has": has, "most": most}
            )


def _check_language(version: Version, language: str) -> None:
    if wants_answers(version):
        if language != ANSWERS:
            raise Refused(_("This problem asks for answers, not for a program. Send files with answers."))
        return
    if language not in LANGUAGES:
        raise Refused(_("This language is not known here. Choose one from the list."))
    allowed = allowed_languages(version)
    if language not in allowed:
        labels = ", ".join(language_label(name) for name in allowed) or _("none at the moment")
        raise Refused(
            _("%(language)s cannot be judged for this problem. Languages that can: %(labels)s.")
            % {"language": language_label(language), "labels": labels}
        )


def _named(language: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files under names that every part of the judge can take; raises `Refused`."""
    if not files:
        raise Refused(_("There is no program. Paste it or choose its file, then send it again."))
    if len(files) > settings.SUBMISSION_FILES:
        raise Refused(
            _("There are %(files)s files; at most %(most)s can be sent.")
            % {"files": len(files), "most": settings.SUBMISSION_FILES}
        )
    if len(files) == 1:
        name, content = next(iter(files.items()))
        plain = LANGUAGES[language].source if language in LANGUAGES else "answer.out"
        return {name if _good_name(name) else plain: content}
    for name in files:
        if not _good_name(name):
            raise Refused(
                _("A file cannot be named %(name)s. Begin names with a letter or digit, and use / between folders.")
                % {"name": shown_name(name)}
            )
    folded = {name.casefold() for name in files}
    if len(folded) < len(files):
        raise Refused(_("Two files have names that differ only in capital letters. Rename one of them."))
    for name in folded:
        parts = name.split("/")
        if any("/".join(parts[:depth]) in folded for depth in range(1, len(parts))):
            raise Refused(
                _("%(name)s stands in a folder that is named like another file. Rename one of them.")
                % {"name": shown_name(name)}
            )
    return dict(files)


def _good_name(name: str) -> bool:
    parts = name.split("/")
    short = len(name.encode("utf-8", "replace")) <= NAME_BYTES and len(parts) <= DEPTH
    return short and name.isprintable() and all(NAME.fullmatch(part) for part in parts)


def _not_too_fast(author: User) -> None:
    """Only so many in a minute: a program that sends by itself is to be stopped, not a student in a hurry."""
    if may_create_problems(author):
        return
    since = timezone.now() - MINUTE
    sent = list(
        Submission.objects.filter(author=author, sent__gt=since).order_by("sent").values_list("sent", flat=True)
    )
    if len(sent) >= settings.SUBMISSIONS_A_MINUTE:
        wait = max(1, round((sent[-settings.SUBMISSIONS_A_MINUTE] - since).total_seconds()))
        raise TooMany(
            ngettext(
                "You have sent %(sent)d programs within a minute. Take a breath: in %(wait)d second this one can be "
                "sent.",
                "You have sent %(sent)d programs within a minute. Take a breath: in %(wait)d seconds this one can be "
                "sent.",
                wait,
            )
            % {"sent": len(sent), "wait": wait}
        )


def _not_too_many(author: User, owed: Any, limit: int, what: str) -> None:
    if may_create_problems(author):
        return
    unfinished = owed.filter(state__in=(State.QUEUED, State.RUNNING)).count()
    if unfinished >= limit:
        raise TooMany(what % {"n": unfinished})


def shown_name(name: str) -> str:
    """A name that somebody sent, whatever is in it, in quotation marks."""
    short = name if len(name) <= 60 else name[:57] + "…"
    return "“" + "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in short) + "”"


def two_sizes(size: int, limit: int) -> tuple[str, str]:
    """Two sizes in words that differ when they do: in whole bytes where their roundings are the same."""
    if size != limit and size_in_words(size) == size_in_words(limit):
        return f"{size:,} bytes", f"{limit:,} bytes"
    return size_in_words(size), size_in_words(limit)


def size_in_words(count: int) -> str:
    """`128 KiB`, `1.5 MiB`; units of 1024."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.1f} {unit}".replace(".0 ", " ")
    return f"{count} bytes"
