"""What people can do with problems as a whole: begin one, ask for long work, make a version live, share it.

What they do with the files of a working copy is in `judge.authoring.editing`.
"""

import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from judge.authoring import archives, drafts, queries
from judge.authoring.errands import KINDS, needs_of, owed
from judge.authoring.making import Made, PublishFailed, make, readable
from judge.authoring.models import Draft, Errand
from judge.blobs import store, versions
from judge.grading.build import Making
from judge.people.models import User
from judge.people.permissions import is_admin, may_answer_for, may_create_problems, may_edit, may_end_ownership
from judge.people.refusal import Refused
from judge.submissions import hints, ledger
from judge.submissions.models import State
from problems.models import Problem, Version
from problems.package import template, yaml_edit
from problems.package.archive import content_digest
from problems.package.model import Package
from problems.package.takein import TakenIn, take_in
from problems.say import say
from sandbox.contract import Sandbox

__all__ = ["PublishFailed", "publish"]

log = structlog.get_logger(__name__)

SLUG = re.compile(r"[a-z0-9]{1,64}")
OWNERS = 50
EXPORTS = 10
"""Versions, from the newest, of which an upload may be the export."""


class BadPackage(Refused):
    """A package that was not taken, or not made. `taken` says why, file by file."""

    def __init__(self, message: str, taken: TakenIn) -> None:
        super().__init__(message)
        self.taken = taken


class WouldLose(Refused):
    """An upload that named no problem, and would have taken the place of work that no version has."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(
            _(
                "This package is of the problem %(slug)s, by its uuid, and the working copy of that has changes that "
                "no version has: they would be lost. If they may go, take it in there, under “Replace it by a "
                "package”; or upload it as a problem of its own."
            )
            % {"slug": problem.slug}
        )
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """What came of an upload."""

    problem: Problem
    taken: TakenIn
    new: bool
    version: Version | None = None
    """The version that this is, as it was exported."""


def must_edit(by: User, problem: Problem) -> None:
    """Raises `Refused`."""
    if not may_edit(by, problem):
        raise Refused(_("Only admins and the owners of %(slug)s may change it.") % {"slug": problem.slug})


def must_answer_for(by: User, problem: Problem) -> None:
    """Raises `Refused`."""
    must_edit(by, problem)
    if not may_answer_for(by, problem):
        raise Refused(
            _(
                "Who owns this problem, and what of it students see, is decided by its owners who are instructors, "
                "and by admins. Ask one of them."
            )
        )


# Beginning ------------------------------------------------------------------------------------------------------------


def upload(
    by: User,
    archive: bytes | Path,
    filename: str,
    *,
    slug: str = "",
    problem: Problem | None = None,
    as_its_own: bool = False,
) -> Uploaded:
    """Take in a package as a working copy: of the problem with its uuid, or of a new one.

    `slug`: what a new problem is called; else the name of the file says it. `problem`: it must be one of this problem.
    `as_its_own`: it becomes a new problem, with a new uuid, even if its own is known.
    Raises `Refused`, `BadPackage`, `WouldLose`; then nothing was changed. An older working copy is replaced: one that
    no version has only if `problem` says so.
    """
    size = len(archive) if isinstance(archive, bytes) else archive.stat().st_size
    drafts.must_be_small("The package", size)
    if problem is not None:
        must_edit(by, problem)
    elif not may_create_problems(by):
        raise Refused(_("Only instructors can begin a new problem. One that you own takes uploads on its own page."))
    wanted = problem.slug if problem else slug.strip() or _slug_of(filename)
    if not SLUG.fullmatch(wanted):
        raise Refused(_("Give the problem a short name of a-z and 0-9, such as knightmoves."))
    with tempfile.TemporaryDirectory(prefix="upload-") as aside:
        folder = Path(aside, wanted)
        taken = take_in(archive, folder, slug=wanted)
        if taken.package is None:
            message = _("This package was not taken, and nothing was changed. What is wrong with it is listed here.")
            raise BadPackage(message, taken)
        package = _with_a_new_uuid(folder, taken.package) if as_its_own else taken.package
        known = _known(by, package, problem, named=bool(slug.strip()), wanted=wanted)
        version = _exported(known, folder) if known else None
        kept = version.archive if version else drafts.keep(folder)
    if known is not None:
        _put(known, kept, by, drafts.report_of(taken), whatever_it_was=problem is not None)
    return Uploaded(
        problem=known or _begin(by, wanted, package.uuid, kept, drafts.report_of(taken)),
        taken=taken,
        new=known is None,
        version=version,
    )


def start(by: User, slug: str, title: str) -> Problem:
    """Begin a problem with the files of the template. Raises `Refused`."""
    if not may_create_problems(by):
        raise Refused(_("Only instructors can begin a new problem."))
    if not title.strip():
        raise Refused(_("Give the problem a title."))
    with tempfile.TemporaryDirectory(prefix="start-") as aside:
        try:
            folder = template.lay_out(Path(aside), slug.strip(), title)
        except ValueError as error:
            raise Refused(str(error)) from None
        return _begin(by, folder.name, readable(folder).uuid, drafts.keep(folder))


def discard(by: User, problem: Problem, *, called: str) -> None:
    """Delete a problem, with its versions, that was never live and that nobody sent a program to. Raises `Refused`.

    `called`: its short name, which whoever asks has written.
    """
    must_edit(by, problem)
    if called.strip() != problem.slug:
        raise Refused(_("Write %(slug)s, the short name of this problem, to delete it.") % {"slug": problem.slug})
    try:
        with transaction.atomic():
            held = Problem.objects.select_for_update().get(pk=problem.pk)
            if not queries.may_be_discarded(held):
                raise Refused(
                    _(
                        "A problem that was live, or that somebody sent a program to, stays. Take a version as the "
                        "working copy instead."
                    )
                )
            drafted = Draft.objects.filter(problem=held).values_list("archive", flat=True)
            for archive in {*drafted, *held.versions.values_list("archive", flat=True)}:
                archives.may_go(archive)
            held.delete()
    except ProtectedError:
        raise Refused(_("This problem stands in an assignment: take it out there first.")) from None


def _slug_of(filename: str) -> str:
    stem = re.split(r"[/\\]", filename)[-1].rpartition(".")[0]
    return re.sub(r"[^a-z0-9]", "", stem.lower())[:64]


def _with_a_new_uuid(folder: Path, package: Package) -> Package:
    facts, made = folder / "problem.yaml", str(uuid4())
    try:
        facts.write_bytes(yaml_edit.put(facts.read_bytes(), ("uuid",), made))
    except yaml_edit.CannotEdit as fault:
        raise Refused(
            _("Give the package another `uuid` in problem.yaml yourself: %(fault)s")
            % {"fault": pgettext("part", fault.pattern) % fault.values}
        ) from None
    return replace(package, uuid=made)


def _known(by: User, package: Package, problem: Problem | None, *, named: bool, wanted: str) -> Problem | None:
    """The problem that the package is one of; None for a new one. Raises `Refused`."""
    known = Problem.objects.filter(uuid=package.uuid).first()
    if problem is not None:
        if known is None or known.pk != problem.pk:
            raise Refused(
                _(
                    "This package is of another problem: its uuid is %(uuid)s, and that of %(slug)s is %(theirs)s. "
                    "Upload it as a problem of its own; or give it that uuid, if it is the next version."
                )
                % {"uuid": package.uuid, "slug": problem.slug, "theirs": problem.uuid}
            )
        return problem
    if known is not None:
        if not may_edit(by, known):
            raise Refused(
                _(
                    "This package is of the problem %(slug)s, by its uuid, and only admins and the owners of that "
                    "may change it. To have a copy of your own, upload it as a problem of its own, or give it "
                    "another `uuid` in problem.yaml."
                )
                % {"slug": known.slug}
            )
        if named and known.slug != wanted:
            raise Refused(
                _("This package is of the problem %(slug)s, by its uuid. Leave the short name empty to update it.")
                % {"slug": known.slug}
            )
        return known
    return None


def _exported(problem: Problem, folder: Path) -> Version | None:
    """The version of `problem` whose export the package in `folder` is, to the byte: among the last ones.

    What is made of generators is written out there: taken as it is, it would be a new version of the same cases.
    """
    digest = content_digest(folder)
    for version in problem.versions.order_by("-number")[:EXPORTS]:
        with tempfile.TemporaryDirectory(prefix="export-") as aside:
            try:
                versions.export(version, Path(aside, problem.slug))
            except (store.BlobMissing, versions.VersionUnreadable):
                continue
            if content_digest(Path(aside, problem.slug)) == digest:
                return version
    return None


def _begin(by: User, slug: str, uuid: str, archive: str, report: dict[str, Any] | None = None) -> Problem:
    try:
        with transaction.atomic():
            problem = Problem.objects.create(slug=slug, uuid=uuid)
            problem.owners.add(by)
            Draft.objects.create(problem=problem, archive=archive, changed=timezone.now(), changed_by=by, taken=report)
    except IntegrityError:
        told = _("There is another problem called %(slug)s, with another uuid. Choose another short name.")
        if any(may_edit(by, one) for one in Problem.objects.filter(slug=slug)):
            told = _(
                "There is another problem called %(slug)s, with another uuid. Choose another short name; or, if this "
                "is meant to be its next version, give the package the uuid of that one."
            )
        raise Refused(told % {"slug": slug}) from None
    return problem


def _put(problem: Problem, archive: str, by: User, report: dict[str, Any], *, whatever_it_was: bool) -> None:
    for _try in range(drafts.TRIES):
        try:
            seen = drafts.working_copy(problem)
        except Refused:
            seen = drafts.WorkingCopy(slug=problem.slug, archive="", revision=0, changed=None, changed_by=None)
        if not whatever_it_was and archive != seen.archive and not _is_kept(problem, seen):
            raise WouldLose(problem)
        if archive == seen.archive:
            Draft.objects.filter(problem=problem, archive=archive).update(taken=report)
            return
        if drafts.replace(problem, seen, archive, by, taken=report):
            return
    raise Refused(_("Others are changing this problem at the same time. Try once more."))


def _is_kept(problem: Problem, seen: drafts.WorkingCopy) -> bool:
    """Whether some version has this state of the working copy."""
    return seen.revision == 0 or problem.versions.filter(archive=seen.archive).exists()


# Long work ------------------------------------------------------------------------------------------------------------


def ask(
    by: User, problem: Problem, kind: str, version: Version | None = None, sent: Mapping[str, Any] | None = None
) -> Errand:
    """Have something long done: of `version`, or of the working copy as it is now. Asked twice, it is done once.

    `sent`: how it is to be done, for kinds that can be done in more ways than one. Raises `Refused`.
    """
    must_edit(by, problem)
    sort = KINDS.get(kind)
    if sort is None or sort.of_version != (version is not None):
        raise Refused(_("This cannot be asked for."))
    wishes = sort.wishes(version, sent or {})
    target = sort.target(version.digest if version else drafts.working_copy(problem).archive, wishes)
    with transaction.atomic():
        Problem.objects.select_for_update().get(pk=problem.pk)
        same = owed(problem.pk, kind, target)
        if same is not None and same.wishes == wishes:
            return same
        if same is not None:
            raise Refused(_("This is being done already, in another way. Wait until it is done, or stop it."))
        mine = Errand.objects.filter(asked_by=by, state__in=(State.QUEUED, State.RUNNING)).count()
        if mine >= settings.UNFINISHED_ERRANDS:
            raise Refused(
                _("%(mine)s things that you asked for are not done yet. Wait for one, or stop one.") % {"mine": mine}
            )
        errand = Errand.objects.create(
            problem=problem,
            kind=kind,
            target=target,
            version=version,
            asked_by=by,
            wishes=wishes,
            needs=needs_of(problem, version),
        )
        hints.send_on_commit(errand)
    return errand


def stop(by: User, errand: Errand) -> None:
    """Stop an errand; whoever works on it ends within seconds. Nothing happens when it is over. Raises `Refused`."""
    must_edit(by, errand.problem)
    if ledger.stop(errand, succeeded=False, now="", message=say("said", "Stopped by %(name)s.", name=by)):
        hints.announce(errand)


# Versions -------------------------------------------------------------------------------------------------------------


def make_live(by: User | None, version: Version, *, seen: int | None, even_so: bool = False) -> None:
    """Let new submissions be judged against `version`. `by` None: the command line.

    `seen`: id of the version that was live when it was decided; `even_so`: also if it was not verified, or did not do
    as promised. Raises `Refused`.
    """
    problem = version.problem
    if by is not None:
        must_answer_for(by, problem)
        if not even_so and queries.standing(version) != queries.AS_PROMISED:
            raise Refused(
                _("This version is not verified as good. Verify it first, or say that it is to be live even so.")
            )
    if Problem.objects.filter(pk=problem.pk, live_id=seen).update(live=version) != 1:
        raise Refused(_("Somebody else has just made another version live. Look at that first."))
    problem.refresh_from_db()
    log.info("made live", version=str(version), by=str(by or "command line"))


def publish(
    folder: Path,
    box: Sandbox,
    *,
    made_by: User | None = None,
    slug: str | None = None,
    told: Callable[[Making], None] = lambda _: None,
    gently: bool = False,
) -> Version:
    """Read, build and keep the package in `folder`, and make it the live version of its problem: for the command line.

    The same content again gives the version that is there already. `slug`: the package's name when the folder is not
    called so; `told` hears how far the building is. `gently`: as `make` has it, as our own gate does the rest, and what
    somebody chose at the desk stays live. Raises `PublishFailed`, and `SandboxFault` when the box broke.
    """
    package = readable(folder, slug)
    known = Problem.objects.filter(uuid=package.uuid).first()
    before = known.live_id if known else None
    _check_name(package, known)
    for step in make(package, box, gently=gently):
        if isinstance(step, Made):
            made = step
        else:
            told(step)
    with transaction.atomic():
        problem, _new = Problem.objects.get_or_create(uuid=package.uuid, defaults={"slug": package.slug})
        there = set(problem.versions.values_list("pk", flat=True))
        version = made.version_of(problem, made_by)
        if gently and problem.live and (problem.live.made_by_id is not None or version.pk in there):
            return version
        try:
            make_live(None, version, seen=before)
        except Refused:
            message = say(
                "said", "Somebody else has just published %(name)s. Look at that version first.", name=problem.slug
            )
            raise PublishFailed(message) from None
    return version


def _check_name(package: Package, known: Problem | None) -> None:
    if known is None and Problem.objects.filter(slug=package.slug).exists():
        raise PublishFailed(
            say(
                "said",
                "There is another problem called %(name)s, with another uuid. Give this one another name, or take over "
                "the uuid of that one if it is meant to be its next version.",
                name=package.slug,
            )
        )


# People ---------------------------------------------------------------------------------------------------------------


def add_owner(by: User, problem: Problem, name: str) -> User:
    """Let somebody else, of any role, work on the problem. Raises `Refused`."""
    must_answer_for(by, problem)
    user = User.objects.filter(username=name.strip()[:150], is_active=True).first()
    if user is None:
        raise Refused(_("There is no account of this name. Give the name that the person signs in with."))
    if problem.owners.count() >= OWNERS:
        raise Refused(_("A problem has at most %(owners)s owners.") % {"owners": OWNERS})
    problem.owners.add(user)
    return user


def set_listed(by: User, problem: Problem, *, listed: bool) -> None:
    """Whether it stands on the shelf for everybody, or only for those who are given it. Raises `Refused`."""
    must_answer_for(by, problem)
    Problem.objects.filter(pk=problem.pk).update(listed=listed)


def remove_owner(by: User, problem: Problem, user: User) -> None:
    """Take it back. Raises `Refused`."""
    with transaction.atomic():
        Problem.objects.select_for_update().get(pk=problem.pk)
        if not may_end_ownership(by, problem, user):
            must_answer_for(by, problem)
            raise Refused(
                _("%(who)s began this problem, and is removed only by themself or by an admin.") % {"who": user}
            )
        if not is_admin(by) and not problem.owners.exclude(pk=user.pk).filter(is_active=True).exists():
            raise Refused(_("This is the last owner. Name another one first; an admin may leave it without."))
        problem.owners.remove(user)
