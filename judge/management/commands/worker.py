"""A worker: tests what this host can judge, and then judges what is owed."""

import os
import socket
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import structlog
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, connections

from judge.blobs.compiled import made_ahead
from judge.config.celery import FEEDBACK_QUEUE, LIVE_QUEUE, QUEUES, app
from judge.grading.language import Language
from judge.grading.languages import LANGUAGES, named
from judge.grading.toolchain import Toolchain, offered_lately
from judge.operations import tether
from judge.submissions.fit import offer_here, unknown_tables
from judge.submissions.workers import (
    SEEN_EVERY_SECONDS,
    STOPPED,
    cannot_work,
    return_work_of,
    say_hello,
    still_here,
)
from sandbox.box import open_sandbox
from sandbox.contract import SandboxFault
from sandbox.doctor import pinned, tried

log = structlog.get_logger(__name__)

BACKGROUND = 10
"""How much a worker that only looks for mistakes stands back (`nice`), so that verdicts do not wait for it."""
RETURN_SECONDS = 8.0
"""Shorter than what `up` and docker-compose.yml leave a worker before they kill it."""


class Command(BaseCommand):
    help = "Judge what is owed. Refuses to start on a host that cannot hold the limits."

    def add_arguments(self, parser: CommandParser) -> None:
        cores = os.cpu_count() or 1
        parser.add_argument("--concurrency", type=int, default=cores, help="programs judged at a time")
        parser.add_argument("--name", default=f"worker-{os.getpid()}", help="what operators see; unique on its host")
        parser.add_argument(
            "--languages", default=",".join(LANGUAGES), help="ids of the languages to offer, separated by commas"
        )
        queues = ", ".join(QUEUES)
        parser.add_argument("--queues", default=",".join(QUEUES), help=f"work for {queues}; the first named goes first")
        parser.add_argument("--log-level", default="INFO", choices=["DEBUG", "INFO", "WARNING", "ERROR"])

    def handle(self, *, concurrency: int, name: str, languages: str, queues: str, log_level: str, **_: Any) -> None:
        if concurrency < 1:
            raise CommandError("--concurrency must be at least 1.")
        try:
            wanted = named(languages)
        except ValueError as error:
            raise CommandError(str(error)) from error
        if set(queues.split(",")) - set(QUEUES):
            raise CommandError(f"--queues takes {', '.join(QUEUES)}, or several separated by commas.")
        node = f"{name}@{socket.gethostname()}"
        judging = LIVE_QUEUE in queues.split(",")
        try:
            toolchains = self._toolchains(wanted, prepare=judging)
        except SandboxFault as fault:
            raise CommandError(f"This host cannot judge: {fault}") from fault
        if not toolchains:
            raise CommandError("No language works on this host. Install at least g++ or python3, and start again.")
        if trouble := unknown_tables():
            raise CommandError(trouble)
        missing = ", ".join(language.label for id_, language in LANGUAGES.items() if id_ not in toolchains)
        what = "judges" if judging else f"works on {queues} with"
        self.stdout.write(f"{node} {what} {len(toolchains)} languages{'; not here: ' + missing if missing else ''}.")
        if queues == FEEDBACK_QUEUE:
            os.nice(BACKGROUND)
        offer_here(toolchains)
        say_hello(node, toolchains, concurrency, queues.split(","))
        _keep_saying(node, queues.split(","))
        _return_work_at_the_end(node)
        connections.close_all()
        # Celery warns of root because of pickle, which is not used here; the sandbox needs root.
        warnings.filterwarnings("ignore", message=".*superuser privileges.*")
        app.worker_main(
            [
                *("--quiet", "worker", "--pool", "prefork", "--concurrency", str(concurrency), "--queues", queues),
                *("--hostname", node, "--loglevel", log_level),
                *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            ]
        )

    @staticmethod
    def _toolchains(wanted: list[Language], *, prepare: bool) -> dict[str, Toolchain]:
        """What this host can judge with, once it has shown that it holds every limit and tells the figures truly.

        `prepare`: what makes compiling fast is made ahead, if it is not there.
        """
        box = open_sandbox(settings.PALFREY_CACHE / "sandbox", laptop=settings.LAPTOP)
        try:
            for finding in (*tried(box), pinned(settings.PALFREY_CACHE / "sandbox", laptop=settings.LAPTOP)):
                if finding.needed and not finding.holds:
                    raise SandboxFault(f"{finding.what}: no. {finding.cure}")
            known = settings.PALFREY_CACHE / f"toolchains{'-laptop' if settings.LAPTOP else ''}.json"
            toolchains = dict(offered_lately(box, wanted, known))
            lacking = made_ahead().lacking((LANGUAGES[id_] for id_ in toolchains), box)
            if lacking and prepare:
                _prepare(lacking)
            return toolchains
        finally:
            box.close()


def _prepare(languages: list[Language]) -> None:
    """Have made ahead what is not there yet, by a process of its own: judging need not wait for it."""
    ids = ",".join(language.id for language in languages)
    words = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "prepare", "--languages", ids]
    subprocess.Popen([sys.executable, "-IS", tether.__file__, str(os.getpid()), *words], stdin=subprocess.DEVNULL)  # noqa: S603 - our own


def _keep_saying(node: str, queues: list[str]) -> None:
    """Say every few seconds that the worker lives, and take no messages while it can do no work."""

    def begin(sender: Any, **_: Any) -> None:
        troubled = False

        def say() -> None:
            nonlocal troubled
            try:
                trouble = cannot_work()
                still_here(node, trouble)
            except Error as error:
                log.warning("the database cannot be reached", error=str(error))
                return
            finally:
                connections.close_all()
            if bool(trouble) != troubled:
                troubled = bool(trouble)
                (log.error if trouble else log.info)("takes no work" if trouble else "takes work again", reason=trouble)
                for queue in queues:
                    (sender.cancel_task_queue if trouble else sender.add_task_queue)(queue)

        sender.timer.call_repeatedly(SEEN_EVERY_SECONDS, say)

    worker_ready.connect(begin, weak=False)


def _return_work_at_the_end(node: str) -> None:
    """When asked to stop, finish what can be finished in `RETURN_SECONDS`, and give back the rest at once."""

    def give_back() -> None:
        try:
            if returned := return_work_of(node):
                log.warning("returned to the queue, because this worker stops", rows=returned)
        except Error as error:
            log.warning("could not return what runs; the sweeper will", error=str(error))
        finally:
            connections.close_all()

    def stopping(**_: Any) -> None:
        timer = threading.Timer(RETURN_SECONDS, give_back)
        timer.daemon = True
        timer.start()

    def stopped(**_: Any) -> None:
        try:
            still_here(node, STOPPED)
        except Error as error:
            log.warning("the database cannot be reached", error=str(error))

    worker_shutting_down.connect(stopping, weak=False)
    worker_shutdown.connect(stopped, weak=False)
