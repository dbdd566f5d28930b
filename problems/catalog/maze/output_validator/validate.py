"""Walks the path and says where it goes wrong.

    validate.py INPUT ANSWER FEEDBACK_FOLDER < TEAM_OUTPUT

Exits 42 (right) or 43 (wrong). `teammessage.txt` tells the kind of mistake and the step, nothing else of the maze or
the output; `judgemessage.txt` names the cell as well, and `openmessage.txt`, for a student who sees the case, how many
steps would be enough, or how the digit of the cell is to be read. The length is compared with that of the answer; a
path better than the answer is a fault of the judge (exit code 1). The output is bytes that may be anything; the time is
linear in input and output.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

STEPS = {
    ord("N"): (0, -1, 1, "north"),
    ord("E"): (1, 0, 2, "east"),
    ord("S"): (0, 1, 4, "south"),
    ord("W"): (-1, 0, 8, "west"),
}
"""Letter -> step in x, step in y, the bit of the wall in the way, the name of its side."""

EXACT_PLACES = 100
"""Steps up to this one are told to the team as they are."""


NONE = "there is a path, but the output says NO PATH"
LONGER = "the path is longer than needed: it leads to the exit, but fewer steps are enough"


SIDES = {1: "north", 2: "east", 4: "south", 8: "west"}


class JudgeFaultError(Exception):
    """The answer is worse than what the team found."""


def place(kind: str, number: int) -> str:
    """Where something is, for the team: the student's program chooses the place, and must not tell the input by it."""
    return f"{kind} {number}" if number <= EXACT_PLACES else f"a {kind} far into the output"


@dataclass(frozen=True, slots=True)
class Maze:
    """The input."""

    rows: list[bytes]
    entry: tuple[int, int]
    goal: tuple[int, int]

    @classmethod
    def read(cls, data: bytes) -> "Maze":
        """Read a valid input."""
        lines = data.split(b"\n")
        height = lines.index(b"")
        places = [tuple(map(int, line.split(b","))) for line in lines[height + 1 : height + 3]]
        return cls(lines[:height], (places[0][0], places[0][1]), (places[1][0], places[1][1]))

    def digit(self, cell: tuple[int, int]) -> str:
        """The walls of a cell, read from its digit: `this cell is D = 8 + 4 + 1, closed north, …`."""
        x, y = cell
        walls = int(self.rows[y][x : x + 1], 16)
        added = " + ".join(str(bit) for bit in sorted(SIDES, reverse=True) if walls & bit) or "0"
        closed, opened = (
            ", ".join(side for bit, side in SIDES.items() if bool(walls & bit) == shut) or "nowhere"
            for shut in (True, False)
        )
        return f"is {walls:X} = {added}, closed {closed}, open {opened}"

    def through(self, path: bytes) -> str:
        """Which wall a path walks through first, with the digit that says so; empty when none."""
        x, y = self.entry
        for number, letter in enumerate(path, 1):
            if letter not in STEPS:
                return ""
            dx, dy, wall, side = STEPS[letter]
            if not (0 <= x + dx < len(self.rows[0]) and 0 <= y + dy < len(self.rows)):
                return ""
            if int(self.rows[y][x : x + 1], 16) & wall:
                return f"step {number} walks through the {side} wall of ({x},{y}): this cell {self.digit((x, y))}"
            x, y = x + dx, y + dy
        return ""

    def walk(self, path: bytes) -> tuple[str, str]:
        """What goes wrong on a path, for the team and for the judges; two empty texts when it ends at the exit."""
        x, y = self.entry
        for number, letter in enumerate(path, 1):
            if letter not in STEPS:
                return (
                    f"{place('step', number)} is none of the letters N, E, S, W",
                    f"step {number} is {bytes([letter])!r}, none of the letters N, E, S, W",
                )
            dx, dy, wall, side = STEPS[letter]
            if not (0 <= x + dx < len(self.rows[0]) and 0 <= y + dy < len(self.rows)):
                return (
                    f"{place('step', number)} leaves the maze",
                    f"step {number} leaves the maze at ({x},{y}) to the {side}",
                )
            if int(self.rows[y][x : x + 1], 16) & wall:
                return (
                    f"{place('step', number)} walks through a wall",
                    f"step {number} walks through the {side} wall of ({x},{y})",
                )
            x, y = x + dx, y + dy
        if (x, y) != self.goal:
            return "the path ends away from the exit", f"the path ends at ({x},{y}), away from the exit {self.goal}"
        return "", ""


def count(steps: int) -> str:
    """A number of steps in words."""
    return "1 step" if steps == 1 else f"{steps} steps"


def judge(maze: Maze, answer: bytes, output: bytes) -> tuple[str, str]:
    """What to tell the team and what to tell the judges; two empty texts when the output is right."""
    reachable = answer.split() != [b"NO", b"PATH"]
    shortest = len(answer.strip())
    words = output.split(None, 2)
    if words == [b"NO", b"PATH"]:
        if not reachable:
            return "", ""
        return NONE, f"{NONE}; the answer has {count(shortest)}"
    shown = f"the output begins {output[:80]!r}"
    if b"".join(words).upper() == b"NOPATH":
        return "NO PATH is written as two words in capitals", f"NO PATH is not written so; {shown}"
    if len(words) > 1:
        text = "more than one word is printed: the path is one line of letters with nothing between them"
        return text, f"{text}; {shown}"
    path = words[0] if words else b""
    if not path and maze.entry != maze.goal:
        return ("the output is empty, but entry and exit are two different cells",) * 2
    if path != path.upper() and not path.upper().strip(b"NESW"):
        return "the letters must be capitals: N, E, S, W", f"the letters must be capitals; {shown}"
    cells = len(maze.rows) * len(maze.rows[0])
    if len(path) > cells and set(path[: cells + 1]) <= set(b"NESW"):
        text = "the path has more steps than the maze has cells"
        return text, f"{text}: {len(path)}, and there are {cells}; {shown}"
    team, judges = maze.walk(path)
    if team:
        return team, judges
    if not reachable or len(path) < shortest:
        raise JudgeFaultError(f"a path of {count(len(path))} leads to the exit, and the answer says {answer[:80]!r}")
    if len(path) > shortest:
        return LONGER, f"{LONGER}; {count(len(path))}, the answer has {shortest}"
    return "", ""


def open_message(maze: Maze, answer: bytes, output: bytes, team: str) -> str:
    """What a student reads instead who sees the maze; empty where there is no more to say."""
    if team == LONGER:
        text = "the path leads to the exit, but it is longer than needed: "
        return text + f"steps printed {len(output.strip())}, enough are {len(answer.strip())}"
    if team == NONE and answer.strip():
        x, y = maze.entry
        return f"the output says NO PATH, but there is a path: the entry ({x},{y}) {maze.digit(maze.entry)}"
    if team.endswith("walks through a wall"):
        return maze.through(output.split()[0])
    return ""


def main() -> int:
    """Judge standard input."""
    maze, answer, folder = Maze.read(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2]).read_bytes(), Path(sys.argv[3])
    try:
        output = sys.stdin.buffer.read()
        team, judges = judge(maze, answer, output)
    except JudgeFaultError as fault:
        (folder / "judgemessage.txt").write_text(f"{fault}\n", encoding="ascii")
        return 1
    if not team:
        return 42
    (folder / "teammessage.txt").write_text(team + "\n", encoding="ascii")
    (folder / "judgemessage.txt").write_text(judges + "\n", encoding="ascii")
    text = open_message(maze, answer, output, team)
    if text:
        (folder / "openmessage.txt").write_text(text + "\n", encoding="ascii")
    return 43


if __name__ == "__main__":
    sys.exit(main())
