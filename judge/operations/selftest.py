"""Whether this host can do what the site needs, tried and not believed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.conf import settings

from judge.blobs import store
from judge.grading.languages import LANGUAGES
from judge.grading.toolchain import offered
from judge.operations import health
from judge.submissions.workers import lacking_room
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault
from sandbox.doctor import pinned, tried


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One thing that was tried."""

    what: str
    holds: bool
    told: str = ""


def selftest() -> Iterator[Tried]:
    """Try one thing after another. The broker may be away: then it only judges later."""
    yield Tried(what="the database answers and has every migration", holds=health.database())
    yield Tried(what="the store keeps bytes", holds=_holds(_store))
    room = lacking_room()
    yield Tried(what="the disk has room", holds=not room, told=room)
    yield from _judging()


def _store() -> bool:
    kept = b"Palfrey's self-test\n"
    return store.get(store.put(kept)) == kept


def _judging() -> Iterator[Tried]:
    try:
        box = open_sandbox(settings.PALFREY_CACHE / "sandbox", laptop=settings.LAPTOP)
    except SandboxFault as fault:
        yield Tried(what="programs can be judged here", holds=False, told=str(fault))
        return
    try:
        for finding in (*tried(box), pinned(settings.PALFREY_CACHE / "sandbox", laptop=settings.LAPTOP)):
            if finding.needed:
                yield Tried(what=finding.what, holds=finding.holds, told="" if finding.holds else finding.cure)
        names = [LANGUAGES[name].label for name in offered(box, LANGUAGES.values())]
        yield Tried(what="languages work", holds=bool(names), told=", ".join(names))
    except SandboxFault as fault:
        yield Tried(what="programs can be judged here", holds=False, told=str(fault))
    finally:
        box.close()


def _holds(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:  # noqa: BLE001 - stores of every kind have errors of their own
        return False
