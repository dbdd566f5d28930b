"""One to 100,000 lines of two squares separated by one space, and nothing else. Exits 42 (valid) or 43 (not)."""

import re
import sys

LINE = re.compile(rb"[a-h][1-8] [a-h][1-8]")
MOST_LINES = 100_000


def fault(data: bytes) -> str | None:
    """What is wrong with an input, as a sentence; None when nothing is."""
    *lines, rest = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not LINE.fullmatch(line):
            return f"line {number} is not two squares separated by one space: {line[:40]!r}"
    if rest:
        return f"the last line does not end with a line feed: {rest[:40]!r}"
    if not 1 <= len(lines) <= MOST_LINES:
        return f"{len(lines)} lines, but 1 to {MOST_LINES} are allowed"
    return None


def main() -> int:
    """Judge standard input."""
    found = fault(sys.stdin.buffer.read())
    if found is None:
        return 42
    print(found)
    return 43


if __name__ == "__main__":
    sys.exit(main())
