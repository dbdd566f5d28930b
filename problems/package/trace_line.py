"""One line of a trace: a JSON object, whose values are taken by key and type."""

import json
from typing import Any

from problems.say import say

MAX_TEXT = 400
"""Characters of a note, a label."""
MAX_NUMBER = 10**9


class TraceFault(Exception):
    """What was printed is no trace; `line` is the line of it, from 1, and the message says what to mend."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(say("said", "line %(line)d of the trace: %(message)s", line=line, message=message))
        self.line, self.message = line, message


class Line:
    """Takes the values of one line by key and type."""

    def __init__(self, line: int, text: bytes) -> None:
        self.line = line
        try:
            read = json.loads(text)
        except (ValueError, RecursionError):
            raise TraceFault(line, say("said", "This is not JSON: print one object a line.")) from None
        if not isinstance(read, dict):
            raise TraceFault(line, say("said", "This is not a JSON object."))
        self._left: dict[str, Any] = read

    def fault(self, message: str) -> TraceFault:
        return TraceFault(self.line, message)

    def take(self, key: str, default: Any = None) -> Any:
        if key not in self._left and default is None:
            raise self.fault(say("said", "`%(key)s` is missing.", key=key))
        return self._left.pop(key, default)

    def has(self, key: str) -> bool:
        return key in self._left

    def text(self, key: str, default: str | None = None) -> str:
        value = self.take(key, default)
        if not isinstance(value, str) or len(value) > MAX_TEXT:
            raise self.fault(
                say("said", "`%(key)s` must be text of at most %(most)s characters.", key=key, most=MAX_TEXT)
            )
        return value

    def number(self, key: str, default: int | None = None, most: int = MAX_NUMBER) -> int:
        value = self.take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise self.fault(
                say("said", "`%(key)s` must be a whole number from 0 to %(most)s.", key=key, most=f"{most:,}")
            )
        return value

    def listed(self, key: str, most: int) -> list[Any]:
        value = self.take(key)
        if not isinstance(value, list) or len(value) > most:
            raise self.fault(say("said", "`%(key)s` must be a list of at most %(most)s.", key=key, most=f"{most:,}"))
        return value

    def mapped(self, key: str, most: int) -> dict[str, Any]:
        value = self.take(key)
        if not isinstance(value, dict) or len(value) > most:
            raise self.fault(
                say(
                    "said",
                    "`%(key)s` must be an object with at most %(most)s entries.",
                    key=key,
                    most=f"{most:,}",
                )
            )
        return value

    def end(self) -> None:
        if self._left:
            raise self.fault(say("said", "`%(key)s` is not known here.", key=next(iter(self._left))[:40]))
