"""The long work of the desk, by kind: make a version of the working copy, verify one, measure a time limit, and so on.

A kind is a function as `judge.authoring.work` describes it, and a line in `KINDS`; its page is a tab of
`judge.web.instructor`.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import structlog
from django.db import transaction
from django.utils.translation import gettext as _

from judge.authoring import archives, drafts, strength, studies
from judge.authoring.making import Made, PublishFailed, built, readable
from judge.authoring.making import make as make_ready
from judge.authoring.models import Errand, Kind
from judge.authoring.verdicts import Matrix
from judge.authoring.work import Progress, Result, Sort, Work
from judge.blobs import compiled
from judge.blobs.versions import package_of, programs_of, ready_cases, unpacked
from judge.config.celery import AUTHORING_QUEUE
from judge.grading.authored import BuildFailed
from judge.grading.build import Built
from judge.grading.job import ReadyCase, tests_of
from judge.grading.limit import NoTimeLimit, margins, propose
from judge.grading.needs import authoring, words
from judge.grading.probe import probe
from judge.grading.verify import Verified, verify_one, verify_steps
from judge.people.refusal import Refused
from judge.submissions import hints
from judge.submissions.fit import as_far_as_there
from judge.submissions.ledger import Claim
from judge.submissions.models import State
from judge.submissions.text import storable
from problems.models import Problem, Version
from problems.package.limits import with_time_limit
from problems.package.model import Finding, Limits, Package, Severity
from problems.package.read import read
from problems.say import say
from sandbox.contract import Sandbox

log = structlog.get_logger(__name__)

MESSAGE = 16_000
"""Characters that are kept of what is told."""
FINDINGS = 50
KEPT = 20
"""Makings of older working copies that are kept of a problem."""
EVERY_SECONDS = 0.25
"""Progress that comes quicker than this is not written down."""


def run(claim: Claim[Errand], box: Sandbox) -> None:
    """Do a claimed errand. Raises what its kind raises, and `FenceLost` once somebody else has it or it was stopped."""
    errand = claim.row
    errand = Errand.objects.select_related("problem", "version__problem").get(pk=errand.pk)
    result = _drive(claim, KINDS[errand.kind].do(errand, box))
    with claim.finish(
        succeeded=result.succeeded, message=storable(result.message, MESSAGE), result=dict(result.facts), now=""
    ):
        columns = result.keep()
        if columns:
            Errand.objects.filter(pk=errand.pk).update(**columns)
        _forget_older(errand)
    log.info("errand done", row=str(errand), succeeded=result.succeeded)
    hints.announce(claim.row)
    archives.forget()


def _forget_older(errand: Errand) -> None:
    """What this one takes the place of, and working copies made long ago."""
    over = Errand.objects.filter(problem=errand.problem, kind=errand.kind, state__in=(State.DONE, State.ABANDONED))
    others = over.exclude(pk=errand.pk)
    others.filter(target=errand.target).delete()
    kept = KINDS[errand.kind].kept
    if kept is not None:
        others.filter(pk__in=list(others.order_by("-queued", "-pk").values_list("pk", flat=True)[kept:])).delete()


def _drive(claim: Claim[Errand], work: Work) -> Result:
    """Write down how far it is, now and then, until it gives its result."""
    written = 0.0
    with _closing(work):
        while True:
            try:
                step = next(work)
            except StopIteration as end:
                result: Result = end.value
                return result
            if time.monotonic() - written < EVERY_SECONDS and step.result is None:
                continue
            more = {} if step.result is None else {"result": dict(step.result)}
            with claim.write(done=step.done, total=step.total, now=storable(step.now, 255), **more):
                pass
            hints.announce(claim.row)
            written = time.monotonic()


class _closing:  # noqa: N801 - as contextlib's, which wants another type
    """Ends the generator also when what it told could not be written, so that it tidies up."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._work.close()


# The kinds ------------------------------------------------------------------------------------------------------------


def make(errand: Errand, box: Sandbox) -> Work:
    """Make a version of the working copy. It is not live; verifying it is asked for at once."""
    problem = errand.problem
    try:
        package = _package_of(problem, errand.target)
        for step in make_ready(package, box, archive=errand.target):
            if isinstance(step, Made):
                made = step
            else:
                yield Progress(done=step.done, total=step.total, now=step.case)
    except PublishFailed as error:
        return Result(succeeded=False, message=error.message, facts={"findings": _told(error.findings)})

    def keep() -> Mapping[str, Any]:
        version = made.version_of(problem, errand.asked_by)
        follow = (Kind.VERIFY, Kind.PICTURES) if package.input_visualizer else (Kind.VERIFY,)
        for kind in follow:
            if not Errand.objects.filter(kind=kind, version=version).exists():
                owe(kind, version.digest, like=errand, version=version)
        return {"version": version}

    return Result(succeeded=True, facts={"cases": len(made.kept)}, keep=keep)


def _package_of(problem: Problem, archive: str) -> Package:
    """The working copy, if it can become a version of `problem`. Raises `PublishFailed`."""
    package = readable(unpacked(archive), problem.slug)
    if package.uuid != problem.uuid:
        raise PublishFailed(
            say(
                "said",
                "`uuid` in problem.yaml is %(uuid)s, and this problem is known by %(known)s. Put that back; "
                "a new problem starts with an upload of its own.",
                uuid=package.uuid,
                known=problem.uuid,
            )
        )
    return package


def verify(errand: Errand, box: Sandbox) -> Work:
    """Judge every example of a version, and see whether each gets what it must."""
    version = errand.version
    assert version is not None
    package, cases = package_of(version), ready_cases(version)
    matrix = Matrix(package, cases)
    shop = compiled.workshop()
    tests = len(tests_of(package, cases))
    steps = len(package.probes) + len(package.examples) * tests
    done = 0
    yield Progress(done=done, total=steps, result=matrix.facts())
    try:
        for probed in probe(package, box, shop):
            matrix.probed(probed)
            done += 1
            yield Progress(done=done, total=steps, now=probed.name, result=matrix.facts())
    except BuildFailed as error:
        return Result(succeeded=False, message=str(error), facts=matrix.facts())
    for number, example in enumerate(package.examples, start=1):
        name = example.program.name.removeprefix("submissions/")
        judging = verify_steps(package, cases, box, example, workshop=shop)
        while True:
            yield Progress(done=done, total=steps, now=name)
            try:
                result = next(judging)
            except StopIteration as end:
                matrix.add(end.value)
                break
            done += 1
            name = f"{example.program.name.removeprefix('submissions/')}, {result.name}"
        done = len(package.probes) + number * tests
        yield Progress(done=done, total=steps, now=name, result=matrix.facts())
    complaints = matrix.complaints
    return Result(
        succeeded=not complaints,
        message="\n".join(complaints[:20]),
        facts={
            **matrix.facts(),
            **({} if package.submit_answer else _margins(package.limits, matrix.verified)),
            **({} if package.submit_answer else _proposed(package.limits, matrix.verified)),
        },
    )


def measure_limit(errand: Errand, box: Sandbox) -> Work:
    """Measure the time limit that a working copy leaves open, and write it into its problem.yaml."""
    problem = errand.problem
    folder = unpacked(errand.target)
    reading = read(folder, slug=problem.slug)
    package = reading.package
    if package is None:
        return Result(
            succeeded=False,
            message=say("said", "The package has errors: mend them first."),
            facts={"findings": _told(reading.findings)},
        )
    if package.limits.time_stated:
        return Result(succeeded=False, message=say("said", "problem.yaml states a time limit already."))
    timed = [one for one in package.examples if one.bounds_time_from_below or one.bounds_time_from_above]
    cases: tuple[ReadyCase, ...] = ()
    verified: list[Verified] = []
    try:
        for step in built(package, box):
            if isinstance(step, Built):
                cases = step.cases
            else:
                yield Progress(done=step.done, total=step.total + len(timed), now=step.case)
        only = replace(package, examples=tuple(timed))
        for number, example in enumerate(timed, start=len(cases)):
            name = example.program.name.removeprefix("submissions/")
            yield Progress(done=number, total=len(cases) + len(timed), now=name)
            verified.append(verify_one(only, cases, box, example, run_everything=False, workshop=compiled.workshop()))
        proposed = propose(package.limits, verified)
    except (PublishFailed, NoTimeLimit) as error:
        return Result(succeeded=False, message=str(error))

    def keep() -> Mapping[str, Any]:
        def edit(folder: Path) -> None:
            text = (folder / "problem.yaml").read_bytes()
            if drafts.working_copy(problem).archive != errand.target:
                raise Refused(_("The working copy was changed meanwhile, so the limit was not written into it."))
            drafts.write(folder, "problem.yaml", with_time_limit(text, proposed.seconds))

        try:
            drafts.change(problem, errand.asked_by, edit)
        except Refused as refusal:
            return {"message": refusal.message}
        return {}

    facts = {"seconds": float(proposed.seconds), "slowest_right": proposed.slowest_right}
    return Result(succeeded=True, facts=facts, keep=keep)


KINDS: Mapping[str, Sort] = {
    Kind.MAKE: Sort(of_version=False, do=make, kept=KEPT),
    Kind.VERIFY: Sort(of_version=True, do=verify),
    Kind.LIMIT: Sort(of_version=False, do=measure_limit, kept=KEPT),
    Kind.CHECKER: Sort(of_version=True, do=studies.checker),
    Kind.TRY_OUTPUT: Sort(of_version=True, do=studies.try_own, wishes=studies.own_output, each=True, kept=KEPT),
    Kind.STRENGTH: Sort(of_version=True, do=strength.measure, wishes=strength.wishes),
    Kind.PICTURES: Sort(of_version=True, do=studies.pictures),
    Kind.AGAIN: Sort(of_version=True, do=studies.again),
}


def owe(kind: str, target: str, *, like: Errand, version: Version | None = None) -> Errand:
    """An errand that follows from another one, or the same if it is owed already."""
    return owed(like.problem_id, kind, target) or _create(
        kind=kind,
        target=target,
        problem=like.problem,
        asked_by=like.asked_by,
        version=version,
        needs=needs_of(like.problem, version),
    )


def needs_of(problem: Problem, version: Version | None) -> str:
    """What a worker must offer for work on `version`, or on the working copy: every language of the package that any
    worker has. What is in another one is told of as such when its turn comes."""
    if version is not None:
        languages = programs_of(version, authoring)
    else:
        package = drafts.working_copy(problem).reading.package
        languages = authoring(package) if package else frozenset()
    return words(as_far_as_there(languages, AUTHORING_QUEUE))


def owed(problem_id: int, kind: str, target: str) -> Errand | None:
    """The errand of this kind about this that waits or runs."""
    return Errand.objects.filter(
        problem=problem_id, kind=kind, target=target, state__in=(State.QUEUED, State.RUNNING)
    ).first()


def _create(**columns: Any) -> Errand:
    with transaction.atomic():
        errand = Errand.objects.create(**columns)
        hints.send_on_commit(errand)
    return errand


def _told(findings: tuple[Finding, ...]) -> list[dict[str, str]]:
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return [{"where": one.where, "message": one.message} for one in errors[:FINDINGS]]


def _margins(limits: Limits, verified: list[Verified]) -> dict[str, Any]:
    """How far the examples are from the limit."""
    found = margins(limits, verified)
    slow, right = found.fastest_slow, found.slowest_right
    return {
        "slowest_right": right and {"name": right.program, "case": right.case, "seconds": right.seconds},
        "spare": found.spare,
        "fastest_slow": slow and {"name": slow.program, "case": slow.case, "seconds": slow.seconds},
    }


def _proposed(limits: Limits, verified: list[Verified]) -> dict[str, Any]:
    """The time limit that the rule of the format would give."""
    try:
        proposed = propose(limits, verified)
    except NoTimeLimit as error:
        return {"proposed": {"why_not": str(error)}}
    return {
        "proposed": {
            "seconds": float(proposed.seconds),
            "slowest_right": proposed.slowest_right,
            "fastest_slow": proposed.fastest_slow,
        }
    }
