"""Two people who press at the same moment: the second begins before what the first did is committed."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import connection, transaction

from judge.people.refusal import Refused

T = TypeVar("T")
HELD_SECONDS = 0.5


def overlapping(first: Callable[[], T], second: Callable[[], T]) -> list[T | str]:
    """What each gave, or the sentence with which it was refused. Needs a test with real transactions."""
    outcomes: list[T | str] = ["", ""]
    begun = threading.Event()

    def press() -> None:
        try:
            with transaction.atomic():
                outcomes[0] = _outcome(first)
                begun.set()
                time.sleep(HELD_SECONDS)
        finally:
            begun.set()
            connection.close()

    pressed = threading.Thread(target=press)
    pressed.start()
    begun.wait()
    outcomes[1] = _outcome(second)
    pressed.join()
    return outcomes


def _outcome(press: Callable[[], T]) -> T | str:
    try:
        return press()
    except Refused as refusal:
        return refusal.message
