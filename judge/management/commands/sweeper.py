"""The sweeper: any number may run, one acts at a time."""

import os
import signal
import socket
import threading
import time
from typing import Any

import structlog
from django.core.management.base import BaseCommand, CommandParser
from django.db import Error, connections

from judge.operations.persons import forget_who_is_due
from judge.submissions.sweeper import EVERY_SECONDS, sweep
from judge.submissions.turns import pass_on, take_turn

log = structlog.get_logger(__name__)

TURN = "sweeper"
TURN_SECONDS = EVERY_SECONDS + 5
FORGET_EVERY_SECONDS = 3600


class Command(BaseCommand):
    help = "Return work of dead workers to the queue and send lost messages again, every 10 seconds."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="one round, whosever turn it is, and end")

    def handle(self, *, once: bool, **_: Any) -> None:
        if once:
            swept = sweep()
            self.stdout.write(
                f"{swept.returned} returned to the queue, {swept.ended} ended, {swept.sent_again} sent again."
            )
            return
        stop = threading.Event()
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, lambda *_: stop.set())
        holder = f"{socket.gethostname()}:{os.getpid()}"
        while not stop.is_set():
            try:
                if take_turn(TURN, holder, TURN_SECONDS):
                    sweep()
                    if time.time() % FORGET_EVERY_SECONDS < EVERY_SECONDS:
                        forget_who_is_due()
            except Error as error:
                log.error("the database cannot be reached; trying again", error=str(error))  # noqa: TRY400
                connections.close_all()
            stop.wait(EVERY_SECONDS)
        pass_on(TURN, holder)
